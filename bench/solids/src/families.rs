//! Pairs of all relations: generic, abutting, nested, equal, nearly equal, at all sorts of poses.
use crate::{
    shapes::{HERE, ball, clump, cuboid, grid_box, hollow, moved, plain, polycube, simple, tetrahedron},
    surface::{reversed, volume_6},
};
use contract::{
    Mesh, Pose,
    pairs::{Pair, Solid},
};
use impinge_testkit::rng::{Rng, nudge};

/// A family's name, and its generator of pairs.
pub(crate) type Family = (&'static str, fn(&mut Rng) -> [Solid; 2]);

/// The families, used in turn.
const FAMILIES: [Family; 12] = [
    ("generic", generic),
    ("boxes", boxes),
    ("mirrored", mirrored),
    ("glued", glued),
    ("shrunk", shrunk),
    ("equal", equal),
    ("nudged", nudged),
    ("polycubes", |rng| [polycube(rng), polycube(rng)]),
    ("clumps", |rng| [clump(rng), if rng.one_in(2) { clump(rng) } else { plain(simple(rng)) }]),
    ("clump-parts", clump_parts),
    ("hollow", hollows),
    ("polycube-parts", polycube_parts),
];

/// A number of pairs, the same for the same seed.
pub fn pairs(seed: u64, count: usize) -> Vec<Pair> {
    (0..count).map(|index| pair(seed, index as u64)).collect()
}

fn pair(seed: u64, index: u64) -> Pair {
    let mut rng = Rng::for_case(seed, index);
    let (name, make) = FAMILIES[(index % FAMILIES.len() as u64) as usize];
    let mut bodies = make(&mut rng);
    if rng.one_in(2) {
        bodies.swap(0, 1);
    }
    let [a, b] = bodies;
    let (how, bodies) = placed(&mut rng, name == "generic", a, b);
    Pair { name: format!("{name}, {how}"), bodies }
}

/// Both at one pose, each at a pose that its mesh undoes, or, for generic pairs, at any pose.
fn placed(rng: &mut Rng, generic: bool, mut a: Solid, mut b: Solid) -> (&'static str, [Solid; 2]) {
    if generic {
        (a.pose, b.pose) = (any_pose(rng), any_pose(rng));
        return ("two poses", [a, b]);
    }
    match rng.below(5) {
        0 | 1 => ("no pose", [a, b]),
        2 | 3 => {
            a.pose = any_pose(rng);
            b.pose = a.pose;
            ("one pose", [a, b])
        }
        // Numbers other than small integers would be rounded.
        _ if !is_grid(&a) || !is_grid(&b) => ("no pose", [a, b]),
        _ => ("undone poses", [undone(rng, &a), undone(rng, &b)]),
    }
}

fn is_grid(body: &Solid) -> bool {
    let small = |mesh: &Mesh| mesh.points.iter().flatten().all(|x| (x * 4.0).fract() == 0.0 && x.abs() < 1e6);
    small(&body.mesh) && body.pieces.iter().all(|piece| small(&piece.mesh))
}

/// A user's pose: a rounded rotation, a shear, a mirror, or none; near the origin or far away.
pub(crate) fn any_pose(rng: &mut Rng) -> Pose {
    let rows = match rng.below(6) {
        0 => HERE.rows,
        1 | 2 => rng.rotation(),
        3 => rng.rotation().map(|row| row.map(|x| -x)),
        4 => loop {
            let rows = [(); 3].map(|()| rng.grid_point(2).map(|x| x / 2.0));
            if determinant(&rows) != 0.0 {
                break rows;
            }
        },
        _ => loop {
            let rows = [(); 3].map(|()| rng.point(1.0));
            if determinant(&rows).abs() > 0.1 {
                break rows;
            }
        },
    };
    let translation = match rng.below(4) {
        0 => [0.0; 3],
        1 => rng.grid_point(4),
        2 => rng.point(4.0),
        // Only a few, as two of these are far apart.
        _ if rng.one_in(4) => rng.point(1e6),
        _ => rng.point(2.0),
    };
    Pose { rows, translation }
}

fn determinant(m: &[[f64; 3]; 3]) -> f64 {
    let minor = |i: usize, j: usize| m[1][i] * m[2][j] - m[1][j] * m[2][i];
    m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
}

/// The body at a pose of small integers, with its mesh moved so that the body stays in place.
fn undone(rng: &mut Rng, body: &Solid) -> Solid {
    let (mut rows, mut inverse) = (HERE.rows, HERE.rows);
    let mut turns = false;
    for _ in 0..4 {
        let (i, j) = (rng.below(3) as usize, rng.below(3) as usize);
        if i == j {
            rows[i] = rows[i].map(|x| -x);
            inverse.iter_mut().for_each(|row| row[i] = -row[i]);
            turns = !turns;
            continue;
        }
        let k = rng.int(-1, 1) as f64;
        for c in 0..3 {
            rows[i][c] += k * rows[j][c];
            inverse[c][j] -= k * inverse[c][i];
        }
    }
    let t = rng.grid_point(5);
    let back = |p: [f64; 3]| inverse.map(|row| (0..3).map(|k| row[k] * (p[k] - t[k])).sum::<f64>() + 0.0);
    let mut body = moved(body, turns, back);
    body.pose = Pose { rows, translation: t };
    body
}

fn generic(rng: &mut Rng) -> [Solid; 2] {
    let mut one = || match rng.below(8) {
        0 => polycube(rng),
        1 => clump(rng),
        _ => plain(simple(rng)),
    };
    [one(), one()]
}

/// Boxes on a small grid: abutting, equal and edge-sharing pairs are frequent.
fn boxes(rng: &mut Rng) -> [Solid; 2] {
    let most = *rng.pick(&[2, 3, 6]);
    let a = grid_box(rng, 2, most);
    let b = if rng.one_in(3) { tetrahedron(rng, 4) } else { grid_box(rng, 2, most) };
    [plain(a), plain(b)]
}

/// A body and its image in the plane of its outermost points: they meet there.
fn mirrored(rng: &mut Rng) -> [Solid; 2] {
    let a = if rng.one_in(4) { polycube(rng) } else { plain(simple(rng)) };
    let axis = rng.below(3) as usize;
    let reach = a.mesh.points.iter().map(|p| p[axis]).fold(f64::MIN, f64::max);
    // Rounded only if the numbers are not on a grid: then nearly mirrored.
    let b = moved(&a, true, |mut p| {
        p[axis] = 2.0 * reach - p[axis];
        p
    });
    [a, b]
}

/// A tetrahedron on a face, outside or inside.
fn glued(rng: &mut Rng) -> [Solid; 2] {
    let a = plain(simple(rng));
    let triangle = *rng.pick(&a.mesh.triangles);
    let corners = triangle.map(|corner| a.mesh.points[corner as usize]);
    let [p, q, r] = corners;
    let side = |v: [f64; 3]| [0, 1, 2].map(|k| v[k] - p[k]);
    let (u, v) = (side(q), side(r));
    let mut normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    let height = *rng.pick(&[1.0, 0.125, -0.125, -1.0, -3.0]) / length;
    normal = normal.map(|x| x * height);
    let middle: [f64; 3] = std::array::from_fn(|k| corners.iter().map(|c| c[k]).sum::<f64>() / 3.0);
    let apex = [0, 1, 2].map(|k| middle[k] + normal[k]);
    let on = match rng.below(3) {
        0 => corners,
        // Half as large, at a corner: exact if numbers are on a grid.
        1 => corners.map(|c| [0, 1, 2].map(|k| p[k] + (c[k] - p[k]) / 2.0)),
        _ => corners.map(|c| [0, 1, 2].map(|k| middle[k] + (c[k] - middle[k]) * 2.0)),
    };
    let points = vec![on[0], on[1], on[2], apex];
    let mesh = Mesh { points, triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] };
    [a, plain(if volume_6(&mesh) > 0.0 { mesh } else { reversed(&mesh) })]
}

/// A body and itself at half its size, toward a corner, the centre, or any point.
fn shrunk(rng: &mut Rng) -> [Solid; 2] {
    let a = if rng.one_in(4) { polycube(rng) } else { plain(simple(rng)) };
    let toward = match rng.below(3) {
        0 => *rng.pick(&a.mesh.points),
        1 => [0.0; 3],
        _ => rng.grid_point(4),
    };
    let scale = *rng.pick(&[0.5, 0.75, 2.0]);
    let b = moved(&a, false, |p| [0, 1, 2].map(|k| toward[k] + (p[k] - toward[k]) * scale));
    [a, b]
}

/// One set twice: the same triangles in another order, or each subdivided.
fn equal(rng: &mut Rng) -> [Solid; 2] {
    let a = if rng.one_in(3) { polycube(rng) } else { plain(simple(rng)) };
    let mut b = moved(&a, false, |p| p);
    rng.shuffle(&mut b.mesh.triangles);
    if rng.one_in(2) && is_grid(&b) {
        b.mesh = halved(&b.mesh);
        b.manifold = false;
        if b.pieces.is_empty() {
            b.pieces = vec![contract::pairs::Piece { added: true, mesh: moved(&a, false, |p| p).mesh }];
        }
    }
    if rng.one_in(3) {
        b.mesh = reversed(&b.mesh);
        b.manifold = false;
        if b.pieces.is_empty() {
            b.pieces = vec![contract::pairs::Piece { added: true, mesh: reversed(&b.mesh) }];
        }
    }
    [a, b]
}

/// Every other triangle cut in two, its neighbours not: T-junctions.
fn halved(mesh: &Mesh) -> Mesh {
    let mut out = Mesh { points: mesh.points.clone(), triangles: Vec::new() };
    for (i, &[a, b, c]) in mesh.triangles.iter().enumerate() {
        if i % 2 == 0 {
            let (p, q) = (mesh.points[a as usize], mesh.points[b as usize]);
            out.points.push([0, 1, 2].map(|k| (p[k] + q[k]) / 2.0));
            let middle = out.points.len() as u32 - 1;
            out.triangles.extend([[a, middle, c], [middle, b, c]]);
        } else {
            out.triangles.push([a, b, c]);
        }
    }
    out
}

/// Pairs that abut, are nested or equal, off by a bit.
fn nudged(rng: &mut Rng) -> [Solid; 2] {
    let [a, mut b] = match rng.below(4) {
        0 => boxes(rng),
        1 => mirrored(rng),
        2 => shrunk(rng),
        _ => equal(rng),
    };
    // Faces of boxes stay plane triangles, and a mesh without pieces stays one.
    if b.pieces.is_empty() {
        let corner = rng.below(b.mesh.points.len() as u64) as usize;
        let by = *rng.pick(&[-1, 1, -1000, 1000]);
        let k = rng.below(3) as usize;
        b.mesh.points[corner][k] = nudge(b.mesh.points[corner][k], by);
    } else {
        let t = *rng.pick(&[2_f64.powi(-40), -(2_f64.powi(-40))]);
        b = moved(&b, false, |[x, y, z]| [x + t, y, z]);
    }
    [a, b]
}

/// A body of several pieces, and one of them, or a body glued to it.
fn clump_parts(rng: &mut Rng) -> [Solid; 2] {
    let a = clump(rng);
    let piece = rng.pick(&a.pieces).mesh.clone();
    let b = match rng.below(3) {
        0 => plain(piece),
        1 => moved(&plain(piece), false, |p| p.map(|x| x / 2.0)),
        _ => {
            let reach = a.mesh.points.iter().map(|p| p[0]).fold(f64::MIN, f64::max);
            moved(&a, true, |[x, y, z]| [2.0 * reach - x, y, z])
        }
    };
    [a, b]
}

/// A body in a hollow box, or about its walls.
fn hollows(rng: &mut Rng) -> [Solid; 2] {
    let a = hollow(rng);
    let cavity = a.pieces[1].mesh.clone();
    let b = match rng.below(6) {
        // Fills the cavity.
        0 => plain(cavity),
        1 => plain(grid_box(rng, 5, 4)),
        2 => plain(cuboid([-8.0; 3], [8.0; 3])),
        3 => hollow(rng),
        4 => plain(ball(rng, 3)),
        // A wall of the box.
        _ => plain(cuboid([-8.0; 3], [8.0, 8.0, cavity.points.iter().map(|p| p[2]).fold(8.0, f64::min)])),
    };
    [a, b]
}

/// Cells, and a box of them; or the same cells with another mesh.
fn polycube_parts(rng: &mut Rng) -> [Solid; 2] {
    let a = polycube(rng);
    let piece = rng.pick(&a.pieces).mesh.clone();
    let b = match rng.below(3) {
        0 => plain(piece),
        1 => moved(&plain(piece), false, |p| p.map(|x| x / 2.0)),
        _ => {
            let pieces = a.pieces.iter().filter(|piece| piece.added);
            let pieces: Vec<_> = pieces
                .map(|piece| contract::pairs::Piece { added: true, mesh: piece.mesh.clone() })
                .collect();
            crate::shapes::soup(pieces)
        }
    };
    [a, b]
}
