//! Self-intersection: every kind against brute force, brute force against the oracle, and the definition by example.
#![allow(clippy::print_stdout)] // What was counted, with --nocapture.
mod common;

use common::scenes;
use impinge::{BuildOptions, Count, Kind, Mesh, Model, Query, Scratch, brute_force};
use impinge_testkit::{meshes, oracle, rng::Rng, ways::queries};

type Triangle = [[f64; 3]; 3];

/// A soup without shared indices.
fn soup(triangles: &[Triangle]) -> Mesh {
    let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(triangles.as_flattened().to_vec(), indices).unwrap()
}

fn triangles(mesh: &Mesh) -> Vec<Triangle> {
    (0..mesh.len() as u32).map(|i| mesh.corners(i)).collect()
}

fn reference(mesh: &Mesh) -> Vec<[u32; 2]> {
    let model = Model::new(mesh.clone(), &BuildOptions::default());
    let (mut scratch, mut pairs) = (Scratch::new(), Vec::new());
    brute_force::self_intersecting_pairs(&model, &mut scratch, &mut pairs, &mut ());
    let first = brute_force::self_intersects(&model, &mut scratch, &mut ());
    assert_eq!(first, pairs.first().copied(), "the reference's first is its least");
    assert!(pairs.iter().all(|[i, j]| i < j) && pairs.is_sorted());
    pairs
}

fn by_oracle(mesh: &Mesh) -> Vec<[u32; 2]> {
    let n = mesh.len() as u32;
    let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
    all.filter(|&[i, j]| oracle::meet_elsewhere(&mesh.corners(i), &mesh.corners(j))).collect()
}

/// Every kind, arity and way to ask gives these pairs.
fn check(name: &str, mesh: &Mesh, want: &[[u32; 2]]) -> usize {
    let (mut scratch, mut pairs, mut asked) = (Scratch::new(), Vec::new(), 0);
    for &kind in Kind::ALL {
        for (k, &arity) in kind.arities().iter().enumerate() {
            let options =
                BuildOptions { kind, arity, leaf_size: [0, 1, 3][k % 3], ..BuildOptions::default() };
            let model = Model::new(mesh.clone(), &options);
            for query in queries(kind) {
                query.self_intersecting_pairs(&model, &mut scratch, &mut pairs, &mut ());
                assert_eq!(pairs, want, "{name}, {options:?}, {query:?}");
                let first = query.self_intersects(&model, &mut scratch, &mut ());
                assert_eq!(first.is_some(), !want.is_empty(), "{name}, {options:?}, {query:?}");
                assert!(first.is_none_or(|pair| want.contains(&pair)), "{name}, {options:?}: {first:?}");
                asked += 1;
            }
        }
    }
    asked
}

/// A figure of eight, extruded: sheets that cross each other.
fn figure_eight(n: u32) -> Mesh {
    let at = |k: u32| {
        let t = f64::from(k) * std::f64::consts::TAU / f64::from(n);
        [t.sin(), (2.0 * t).sin()]
    };
    let points = (0..n).flat_map(|k| [0.0, 1.0].map(|z| [at(k)[0], at(k)[1], z])).collect();
    let square = |k: u32| {
        let next = (k + 1) % n;
        [[2 * k, 2 * next, 2 * next + 1], [2 * k, 2 * next + 1, 2 * k + 1]]
    };
    Mesh::new(points, (0..n).flat_map(square).collect()).unwrap()
}

#[test]
fn every_kind_gives_the_pairs_of_brute_force() {
    let (mut asked, mut found) = (0, 0);
    let mut all: Vec<(&str, Mesh)> = Vec::new();
    for (name, a, b) in scenes() {
        all.push((name, meshes::merged(&[&a, &b])));
    }
    all.push(("figure of eight", figure_eight(150)));
    all.push(("torus on a grid", meshes::to_grid(&meshes::torus(24, 12, 0.4), 4)));
    all.push(("twice the same", meshes::merged(&[&meshes::icosphere(1), &meshes::icosphere(1)])));
    for (name, mesh) in &all {
        let want = reference(mesh);
        asked += check(name, mesh, &want);
        found += want.len();
    }
    println!("{} meshes, {asked} queries, {found} pairs: trees and brute force agree", all.len());
    assert!(found > 1500, "the meshes must cross themselves for this test to mean anything");
}

#[test]
fn brute_force_gives_the_pairs_of_the_oracle() {
    let mut rng = Rng::new(77);
    // By common corner points: pairs, of which count.
    let (mut tally, mut pairs) = ([[0_u32; 2]; 4], 0);
    for round in 0..900_u64 {
        // Few coordinates, so that everything happens; on every other round some that rounding makes nearly collinear.
        let most = 1 + round % 3;
        let far = [0.0, 1e7, 0.1, 1e-310][(round / 3 % 4) as usize];
        let step = if far == 1e-310 { 1e-310 } else { [1.0, 0.1][(round / 12 % 2) as usize] };
        let mut all: Vec<Triangle> = (0..16)
            .map(|_| [(); 3].map(|()| [(); 3].map(|()| far + step * rng.below(most + 1) as f64)))
            .collect();
        // Neighbours more often than chance makes them, and what lies on one line.
        for i in 1..all.len() {
            let other = all[rng.below(i as u64) as usize];
            match rng.below(12) {
                0 => all[i] = [other[2], other[0], other[1]],
                1 => (all[i][0], all[i][2]) = (other[1], other[0]),
                2 => all[i][1] = other[2],
                3 => all[i][2] = std::array::from_fn(|k| (all[i][0][k] + all[i][1][k]) / 2.0),
                4 => all[i][2] = all[i][0],
                _ => {}
            }
        }
        // One zero is as good as the other.
        for x in all.as_flattened_mut().as_flattened_mut() {
            if *x == 0.0 && rng.one_in(2) {
                *x = -0.0;
            }
        }
        let mesh = soup(&all);
        let want = by_oracle(&mesh);
        for (i, s) in all.iter().enumerate() {
            for (j, t) in all.iter().enumerate().skip(i + 1) {
                let mut shared: Vec<_> = s.iter().filter(|v| t.contains(v)).collect();
                shared.dedup_by(|a, b| a == b);
                if shared.len() == 3 && shared[0] == shared[2] {
                    shared.pop();
                }
                let counts = want.binary_search(&[i as u32, j as u32]).is_ok();
                tally[shared.len()][usize::from(counts)] += 1;
                pairs += 1;
            }
        }
        assert_eq!(reference(&mesh), want, "round {round}: {all:?}");
    }
    println!("{pairs} pairs; by common corners those that do not count and that do: {tally:?}");
    assert!(pairs >= 100_000);
    assert!(tally.as_flattened().iter().all(|&n| n > 20), "{tally:?}");
}

/// Meshes of which each triangle is one of a few near each other, moved by a last bit.
#[test]
fn nearly_degenerate_neighbours_are_decided_as_the_oracle_does() {
    let (mut rng, mut counts, mut pairs) = (Rng::new(5), 0, 0);
    for round in 0..3000 {
        let far = [0.0, 1.0, 1e6, 1e-8][round % 4];
        let grid: Vec<[f64; 3]> = (0..6)
            .map(|_| {
                rng.grid_point(2).map(|x| {
                    let x = far + 0.3 * x;
                    if rng.one_in(3) { impinge_testkit::rng::nudge(x, rng.int(-1, 1)) } else { x }
                })
            })
            .collect();
        let index = |rng: &mut Rng| rng.below(6) as u32;
        let faces: Vec<[u32; 3]> = (0..6).map(|_| [(); 3].map(|()| index(&mut rng))).collect();
        let mesh = Mesh::new(grid, faces).unwrap();
        let want = by_oracle(&mesh);
        assert_eq!(reference(&mesh), want, "round {round}: {mesh:?}");
        counts += want.len();
        pairs += 15;
    }
    println!("{pairs} pairs of neighbours moved by last bits, {counts} count");
    assert!(counts > 1000);
}

#[test]
fn closed_meshes_do_not_meet_themselves() {
    let smooth = [
        meshes::icosphere(2),
        meshes::torus(24, 12, 0.3),
        meshes::cuboid([1.0, 2.0, 0.1]),
        meshes::uv_sphere(8, 12),
    ];
    for (k, mesh) in smooth.into_iter().enumerate() {
        for (scale, offset) in [(1.0, 0.0), (1e-3, 1e6), (1e-310, 0.0), (1e300, 0.0)] {
            let moved = meshes::mapped(&mesh, |v| v.map(|x| scale * x + offset));
            check(&format!("closed mesh {k}, scale {scale}"), &moved, &[]);
            // A soup has the same coordinates and no common indices.
            check(&format!("closed soup {k}, scale {scale}"), &soup(&triangles(&moved)), &[]);
        }
    }
}

#[test]
fn small_cases_are_as_defined() {
    let (o, x, y, z) = ([0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 2.]);
    let floor = [o, x, y];
    let cases: [(&str, Triangle, bool); 12] = [
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
            check(name, &mesh, want);
            assert_eq!(reference(&mesh), want, "{name}");
            assert_eq!(by_oracle(&mesh), want, "{name}");
        }
    }
    check("nothing", &Mesh::default(), &[]);
    check("one", &soup(&[floor]), &[]);
}

#[test]
fn what_crosses_itself_is_found() {
    // Both loops pass through the middle: four squares' triangles, or two that touch there.
    let eight = figure_eight(101);
    let pairs = reference(&eight);
    assert!(!pairs.is_empty() && pairs.iter().all(|&[i, j]| i.abs_diff(j) > 80), "{pairs:?}");
    // A sheet pulled through itself: its last row lies below its first.
    let sheet = meshes::sheet(1, 20, 0.0);
    let pulled = meshes::mapped(&sheet, |[u, v, _]| {
        let angle = 7.0 * (u + v * 0.01);
        [angle.sin(), v, angle.cos() + 0.05 * u]
    });
    assert!(reference(&pulled).len() > 20);
    check("pulled through", &pulled, &reference(&pulled));
}

#[test]
fn reordering_the_triangles_renames_the_pairs() {
    for (seed, mesh) in [figure_eight(60), meshes::to_grid(&meshes::torus(24, 12, 0.4), 4)].iter().enumerate()
    {
        let (shuffled, names) = meshes::permuted(mesh, seed as u64);
        let want = reference(mesh);
        let mut renamed: Vec<_> = reference(&shuffled)
            .into_iter()
            .map(|[i, j]| [names[i as usize], names[j as usize]])
            .map(|[i, j]| [i.min(j), i.max(j)])
            .collect();
        renamed.sort_unstable();
        assert_eq!(renamed, want);
    }
}

/// Nearly all neighbours are settled by the filter: of a smooth mesh and of one with flat faces.
#[test]
fn neighbours_seldom_need_the_exact_stage() {
    let flat = meshes::mapped(&meshes::sheet(1, 60, 0.0), |v| v);
    for (name, mesh) in
        [("torus", meshes::torus(80, 40, 0.3)), ("ball", meshes::icosphere(4)), ("flat", flat)]
    {
        let model = Model::new(mesh, &BuildOptions::default());
        let (mut count, mut pairs) = (Count::default(), Vec::new());
        Query::default().self_intersecting_pairs(&model, &mut Scratch::new(), &mut pairs, &mut count);
        println!(
            "{name}: {} triangles, {} pairs tested, {} exactly",
            model.mesh().len(),
            count.triangle_tests,
            count.exact_tests
        );
        assert!(pairs.is_empty());
        assert!(count.exact_tests * 100 <= count.triangle_tests, "{name}: {count:?}");
    }
}
