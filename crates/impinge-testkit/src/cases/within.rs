//! Meshes with and without self-intersections.
use super::{Setup, scenes, share, soup};
use crate::{meshes, oracle};
use impinge::{Mesh, Model, brute_force};

/// Self-intersections of a mesh by brute force.
///
/// # Panics
/// Panics if the two functions of brute force differ, or pairs are out of order.
pub fn reference(mesh: &Mesh) -> Vec<[u32; 2]> {
    let model = Model::new(mesh.clone());
    let pairs = brute_force::self_pairs(&model);
    let first = brute_force::self_first_contact(&model);
    assert_eq!(first, pairs.first().copied(), "the reference's first is its least");
    assert!(pairs.iter().all(|[i, j]| i < j) && pairs.is_sorted());
    pairs
}

/// Self-intersections by the oracle.
pub fn by_oracle(mesh: &Mesh) -> Vec<[u32; 2]> {
    let n = mesh.len() as u32;
    let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
    all.filter(|&[i, j]| oracle::meet_elsewhere(&mesh.corners(i), &mesh.corners(j))).collect()
}

/// Checks that every setup gives these pairs.
///
/// # Panics
/// Panics if one does not.
pub fn check<'a>(name: &str, mesh: &Mesh, want: &[[u32; 2]], setups: impl IntoIterator<Item = &'a Setup>) {
    for setup in setups {
        let (model, mut query) = (setup.model(mesh), setup.query());
        assert_eq!(query.self_pairs(&model), want, "{name}, {setup:?}");
        let first = query.self_first_contact(&model);
        assert_eq!(first.is_some(), !want.is_empty(), "{name}, {setup:?}");
        assert_eq!(query.self_intersects(&model), !want.is_empty(), "{name}, {setup:?}");
        assert!(first.is_none_or(|pair| want.contains(&pair)), "{name}, {setup:?}: {first:?}");
    }
}

/// A figure of eight, extruded: sheets that cross each other.
///
/// # Panics
/// Never: it is a valid mesh.
pub fn figure_eight(n: u32) -> Mesh {
    let at = |k: u32| {
        let t = f64::from(k) * std::f64::consts::TAU / f64::from(n);
        [t.sin(), (2.0 * t).sin()]
    };
    let points = (0..n).flat_map(|k| [0.0, 1.0].map(|z| [at(k)[0], at(k)[1], z])).collect();
    let square = |k: u32| {
        let next = (k + 1) % n;
        [[2 * k, 2 * next, 2 * next + 1], [2 * k, 2 * next + 1, 2 * k + 1]]
    };
    Mesh::new(points, (0..n).flat_map(square).collect()).expect("indices below 2 n")
}

/// Checks that every setup finds the pairs of brute force in meshes that mostly cross themselves.
///
/// # Panics
/// Panics if a setup does not.
pub fn crossing_meshes(setups: &[Setup]) {
    let mut all: Vec<(&str, Mesh)> = Vec::new();
    for (name, a, b) in scenes() {
        all.push((name, meshes::merged(&[&a, &b])));
    }
    all.push(("figure of eight", figure_eight(150)));
    all.push(("torus on a grid", meshes::to_grid(&meshes::torus(24, 12, 0.4), 4)));
    all.push(("twice the same", meshes::merged(&[&meshes::icosphere(1), &meshes::icosphere(1)])));
    // A sheet pulled through itself: its last row is below its first.
    let pulled = meshes::mapped(&meshes::sheet(1, 20, 0.0), |[u, v, _]| {
        let angle = 7.0 * (u + v * 0.01);
        [angle.sin(), v, angle.cos() + 0.05 * u]
    });
    assert!(reference(&pulled).len() > 20);
    all.push(("pulled through", pulled));
    let mut found = 0;
    for (name, mesh) in &all {
        let want = reference(mesh);
        check(name, mesh, &want, setups);
        found += want.len();
    }
    println!("{} meshes, {} setups, {found} pairs: trees and brute force agree", all.len(), setups.len());
    assert!(found > 1500, "the meshes must cross themselves for this test to mean anything");
}

/// Closed meshes of every size, by indices and as soups: nothing meets.
///
/// # Panics
/// Panics if a setup finds a pair.
pub fn closed_meshes(setups: &[Setup]) {
    let smooth = [
        meshes::icosphere(2),
        meshes::torus(24, 12, 0.3),
        meshes::cuboid([1.0, 2.0, 0.1]),
        meshes::uv_sphere(8, 12),
    ];
    for (k, mesh) in smooth.into_iter().enumerate() {
        for (turn, (scale, offset)) in
            [(1.0, 0.0), (1e-3, 1e6), (1e-310, 0.0), (1e300, 0.0)].into_iter().enumerate()
        {
            let moved = meshes::mapped(&mesh, |v| v.map(|x| scale * x + offset));
            check(&format!("closed mesh {k}, scale {scale}"), &moved, &[], share(setups, k + turn));
            // A soup has the same coordinates and no common indices.
            let triangles: Vec<[[f64; 3]; 3]> = (0..moved.len() as u32).map(|i| moved.corners(i)).collect();
            check(
                &format!("closed soup {k}, scale {scale}"),
                &soup(&triangles),
                &[],
                share(setups, k + turn + 1),
            );
        }
    }
}

/// Definition of self-intersections by example. Checks setups, brute force and the oracle.
///
/// # Panics
/// Panics if a setup disagrees.
pub fn small_cases(setups: &[Setup]) {
    let (o, x, y, z) = ([0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 2.]);
    let floor = [o, x, y];
    let cases: [(&str, [[f64; 3]; 3], bool); 12] = [
        ("the same", [y, o, x], true),
        ("flat beside an edge", [x, y, [2., 2., 0.]], false),
        ("upright on an edge", [o, x, z], false),
        ("folded flat over an edge", [o, x, [1., 1., 0.]], true),
        ("folded flat, larger", [o, x, [3., 3., 0.]], true),
        ("upright on a corner", [o, [-2., 0., 0.], z], false),
        ("flat beside a corner", [o, [-2., 0., 0.], [0., -2., 0.]], false),
        ("a spike through", [o, [1., 1., 1.], [1., 1., -1.]], true),
        ("along half of an edge", [o, [1., 0., 0.], z], true),
        ("an edge as a segment", [o, x, x], false),
        ("half an edge as a segment", [o, [1., 0., 0.], [1., 0., 0.]], true),
        ("a corner as a point", [o, o, o], false),
    ];
    for (name, other, want) in cases {
        for offset in [0.0, 1e8] {
            let mesh = soup(&[floor, other].map(|t| t.map(|v| v.map(|c| c + offset))));
            let want: &[[u32; 2]] = if want { &[[0, 1]] } else { &[] };
            check(name, &mesh, want, setups);
            assert_eq!(reference(&mesh), want, "{name}");
            assert_eq!(by_oracle(&mesh), want, "{name}");
        }
    }
    check("nothing", &Mesh::default(), &[], setups);
    check("one", &soup(&[floor]), &[], setups);
}
