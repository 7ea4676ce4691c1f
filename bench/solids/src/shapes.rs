//! Bodies for the oracles: small, as Nef polyhedra are slow.
use crate::surface::{is_two_manifold, joined, mapped, merged, reversed, volume_6};
use contract::{
    Mesh, Pose,
    pairs::{Piece, Solid},
};
use impinge_testkit::{
    meshes,
    polycubes::{N, Polycube, Style},
    rng::Rng,
};

/// No pose.
pub const HERE: Pose =
    Pose { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [0.0; 3] };

/// A mesh of the testkit.
pub fn of(mesh: &impinge::Mesh) -> Mesh {
    Mesh { points: mesh.points().to_vec(), triangles: mesh.triangles().to_vec() }
}

/// A body that is the set bounded by an embedded mesh.
pub fn plain(mesh: Mesh) -> Solid {
    let mesh = merged(&mesh);
    Solid { manifold: faces_outwards(&mesh), mesh, pieces: Vec::new(), pose: HERE }
}

/// A body of pieces that may overlap; its mesh has all their triangles.
pub fn soup(pieces: Vec<Piece>) -> Solid {
    let mesh = joined(pieces.iter().map(|piece| &piece.mesh));
    Solid { manifold: false, mesh, pieces, pose: HERE }
}

fn faces_outwards(mesh: &Mesh) -> bool {
    is_two_manifold(mesh) && volume_6(mesh) > 0.0
}

/// A box.
pub fn cuboid(lo: [f64; 3], hi: [f64; 3]) -> Mesh {
    let unit = of(&meshes::cuboid([1.0; 3]));
    mapped(&unit, |p| [0, 1, 2].map(|k| if p[k] < 0.0 { lo[k] } else { hi[k] }))
}

/// A box of integers.
pub fn grid_box(rng: &mut Rng, half: i64, most: i64) -> Mesh {
    let lo = rng.grid_point(half);
    let hi = lo.map(|x| x + rng.int(1, most) as f64);
    cuboid(lo, hi)
}

/// A tetrahedron of integers, or of any numbers.
pub fn tetrahedron(rng: &mut Rng, half: i64) -> Mesh {
    loop {
        let exact = rng.one_in(2);
        let points =
            (0..4).map(|_| if exact { rng.grid_point(half) } else { rng.point(half as f64) }).collect();
        let mesh = Mesh { points, triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] };
        let volume = volume_6(&mesh);
        if volume.abs() > 0.5 {
            return if volume > 0.0 { mesh } else { reversed(&mesh) };
        }
    }
}

/// A sphere of few triangles, in integers times `2^-k` or rounded.
pub fn ball(rng: &mut Rng, radius: i32) -> Mesh {
    let sphere = meshes::icosphere(u32::from(rng.one_in(3)));
    if rng.one_in(2) {
        return mapped(&of(&meshes::to_grid(&sphere, 4 * radius)), |p| p.map(|x| x / 4.0));
    }
    let rows = rng.rotation();
    mapped(&of(&sphere), |p| rows.map(|row| (0..3).map(|k| row[k] * p[k]).sum::<f64>() * f64::from(radius)))
}

/// A ring.
pub fn ring(rng: &mut Rng, radius: i32) -> Mesh {
    let (rings, segments) = *rng.pick(&[(5, 3), (6, 4), (8, 4)]);
    let torus = meshes::torus(rings, segments, *rng.pick(&[0.2, 0.3, 0.375]));
    if rng.one_in(2) {
        return mapped(&of(&meshes::to_grid(&torus, 4 * radius)), |p| p.map(|x| x / 4.0));
    }
    mapped(&of(&torus), |p| p.map(|x| x * f64::from(radius)))
}

/// An embedded two-manifold.
pub fn simple(rng: &mut Rng) -> Mesh {
    match rng.below(6) {
        0 | 1 => grid_box(rng, 3, 6),
        2 | 3 => tetrahedron(rng, 6),
        4 => ball(rng, 4),
        _ => ring(rng, 6),
    }
}

/// A few pieces in one mesh, which may overlap; in either orientation.
pub fn clump(rng: &mut Rng) -> Solid {
    let count = rng.int(2, 3);
    let pieces = (0..count).map(|_| {
        let mesh = if rng.one_in(2) { grid_box(rng, 4, 6) } else { tetrahedron(rng, 6) };
        Piece { added: true, mesh }
    });
    let mut body = soup(pieces.collect());
    if rng.one_in(4) {
        body.mesh = reversed(&body.mesh);
    }
    body
}

/// A box with a box removed inside.
pub fn hollow(rng: &mut Rng) -> Solid {
    let outer = cuboid([-8.0; 3], [8.0; 3]);
    let lo = rng.grid_point(3).map(|x| x - 2.0);
    let inner = cuboid(lo, lo.map(|x| x + rng.int(2, 5) as f64));
    let mesh = joined([&outer, &reversed(&inner)]);
    let pieces = vec![Piece { added: true, mesh: outer }, Piece { added: false, mesh: inner }];
    Solid { manifold: true, mesh, pieces, pose: HERE }
}

/// Cells of a grid with several winding numbers, made of a few boxes of cells.
pub fn polycube(rng: &mut Rng) -> Solid {
    let cell = *rng.pick(&[1, 2, 2, 3]);
    let corner = rng.grid_point(3).map(|x| x as i64);
    let mut cube = Polycube { labels: vec![0; (N * N * N) as usize], cell, corner };
    let weights: &[i32] = rng.pick::<&[i32]>(&[&[1], &[1, 2], &[1, -1], &[1, 2, -1]]);
    let mut pieces = Vec::new();
    let count = rng.int(1, 4);
    for index in 0..count {
        let lo = [(); 3].map(|()| rng.int(0, N - 1));
        let hi = lo.map(|x| rng.int(x, N - 1));
        let taken = index > 0 && rng.one_in(4);
        let weight = if taken { 0 } else { *rng.pick(weights) };
        for x in lo[0]..=hi[0] {
            for y in lo[1]..=hi[1] {
                for z in lo[2]..=hi[2] {
                    cube.labels[((x * N + y) * N + z) as usize] = weight;
                }
            }
        }
        let at = |v: [i64; 3], more: i64| [0, 1, 2].map(|k| (corner[k] + cell * (v[k] + more)) as f64);
        pieces.push(Piece { added: !taken, mesh: cuboid(at(lo, 0), at(hi, 1)) });
    }
    if cube.labels.iter().all(|&label| label == 0) {
        return polycube(rng);
    }
    let (cells, split) = (rng.one_in(4), *rng.pick(&[0, 0, 8]));
    let style = Style { cells, split, open: false, flip: 0, posed: false };
    let mesh = of(&cube.mesh(rng, style).0);
    let joint = merged(&mesh);
    Solid { manifold: style.split == 0 && faces_outwards(&joint), mesh, pieces, pose: HERE }
}

/// The body with all corners moved: its mesh and its pieces. `turns` is true if the map mirrors.
pub fn moved(body: &Solid, turns: bool, map: impl Fn([f64; 3]) -> [f64; 3]) -> Solid {
    let place = |mesh: &Mesh| {
        let mesh = mapped(mesh, &map);
        if turns { reversed(&mesh) } else { mesh }
    };
    let pieces =
        body.pieces.iter().map(|piece| Piece { added: piece.added, mesh: place(&piece.mesh) }).collect();
    Solid { manifold: body.manifold, mesh: place(&body.mesh), pieces, pose: body.pose }
}
