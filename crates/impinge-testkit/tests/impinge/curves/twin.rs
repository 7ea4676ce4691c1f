//! Curves are equal by brute force, which does not trust features, for exchanged bodies, on all instruction
//! sets, and for other triangulations.
use super::{Point, counts, model};
use impinge::{
    Body, Mesh, Model, Pose, Query, SimdLevel, brute_force,
    curves::{Curves, Feature},
};
use impinge_testkit::{
    cases::is_full,
    meshes,
    polycubes::{self, Style},
    rng::Rng,
};
use std::collections::BTreeMap;

/// Text of the part of the result that does not depend on the order of the bodies.
fn neutral(curves: &Curves, swap: bool) -> String {
    let names = |features: [Feature; 2]| {
        // If a mesh meets itself, several features are valid.
        let [a, b] = features;
        if curves.self_crossing() { None } else { Some(if swap { [b, a] } else { [a, b] }) }
    };
    let nodes: Vec<_> = curves.nodes().iter().map(|node| (node.point, names(node.features))).collect();
    let lines: Vec<_> = curves.lines().collect();
    let patches: Vec<_> = curves
        .patches()
        .map(|patch| {
            let mut pairs: Vec<_> =
                patch.pairs().iter().map(|&[i, j]| if swap { [j, i] } else { [i, j] }).collect();
            pairs.sort_unstable();
            let n = patch.normal();
            let border: Vec<_> = patch.border().collect();
            let area = patch.area().map(|area| (area * 1e9).round());
            (pairs, n.map(f64::abs).map(|x| (x * 1e9).round()), area, border)
        })
        .collect();
    let rest = (curves.points(), curves.self_crossing());
    format!("{nodes:?} {lines:?} {patches:?} {rest:?}")
}

pub(super) fn check(query: &mut Query, a: &Body<'_>, b: &Body<'_>, context: &str) -> Curves {
    let curves = query.curves(a, b).clone();
    let twin = brute_force::curves(a, b);
    assert_eq!(neutral(&curves, false), neutral(&twin, false), "{context}: twin");
    let pairs = query.contact_pairs(a, b);
    assert_eq!(*query.curves_of_pairs(&pairs), curves, "{context}: of pairs");
    let swapped = query.curves(b, a).clone();
    assert_eq!(neutral(&curves, false), neutral(&swapped, true), "{context}: swapped");
    curves
}

#[test]
fn polycubes_agree_with_their_twins() {
    let mut query = Query::new();
    let mut seen = BTreeMap::new();
    for index in 0..if is_full() { 4000 } else { 500 } {
        let mut rng = Rng::for_case(310, index);
        let (cubes, _) = polycubes::pair(&mut rng);
        let style = |rng: &mut Rng| Style {
            cells: rng.one_in(8),
            split: *rng.pick(&[0, 0, 0, 8]),
            open: rng.one_in(9),
            flip: 0,
            posed: rng.one_in(3),
        };
        let [a, b] = cubes.each_ref().map(|cube| {
            let style = style(&mut rng);
            cube.mesh(&mut rng, style)
        });
        let models = [model(a.0), model(b.0)];
        let (a, b) = (Body::new(&models[0], a.1), Body::new(&models[1], b.1));
        let curves = check(&mut query, &a, &b, &format!("case {index}"));
        let kind = (counts(&curves).map(|n| n > 0), curves.self_crossing());
        *seen.entry(kind).or_insert(0) += 1;
    }
    assert!(seen.len() > 8, "{seen:?}");
}

#[test]
fn crossing_surfaces_agree_with_their_twins() {
    let mut query = Query::new();
    let shapes: Vec<Model> = [
        meshes::icosphere(1),
        meshes::torus(10, 7, 0.3),
        meshes::soup(3, 40, 0.8),
        meshes::needles(4, 30),
        meshes::cuboid([0.5; 3]),
        meshes::to_grid(&meshes::icosphere(1), 4),
        meshes::to_grid(&meshes::soup(5, 30, 2.0), 2),
    ]
    .map(model)
    .into();
    let mut lines = 0;
    for index in 0..if is_full() { 2000 } else { 200 } {
        let mut rng = Rng::for_case(311, index);
        let any = |rng: &mut Rng| &shapes[rng.below(shapes.len() as u64) as usize];
        let (a, b) = (any(&mut rng), any(&mut rng));
        let pose = |rng: &mut Rng| match rng.below(4) {
            0 => Pose::from_translation(rng.grid_point(2)).unwrap(),
            1 => Pose::IDENTITY,
            2 => {
                let rows = [0, 1, 2].map(|_| rng.point(1.0));
                Pose::affine(rows, rng.point(0.5)).unwrap_or_default()
            }
            _ => Pose::rigid(rng.rotation(), rng.point(0.5)).unwrap(),
        };
        let (a, b) = (Body::new(a, pose(&mut rng)), Body::new(b, pose(&mut rng)));
        lines += check(&mut query, &a, &b, &format!("case {index}")).lines().len();
    }
    assert!(lines > 200, "{lines}");
}

#[test]
fn all_instruction_sets_give_one_answer() {
    let mut rng = Rng::new(77);
    let (a, b) = (model(meshes::icosphere(3)), model(meshes::torus(40, 20, 0.3)));
    for _ in 0..10 {
        let (a, b) = (
            Body::new(&a, Pose::rigid(rng.rotation(), rng.point(0.3)).unwrap()),
            Body::new(&b, Pose::rigid(rng.rotation(), rng.point(0.3)).unwrap()),
        );
        let mut all = SimdLevel::ALL.iter().map(|&simd| Query::new().simd(simd).curves(&a, &b).clone());
        let first = all.next().unwrap();
        assert!(first.lines().len() > 0);
        all.for_each(|other| assert_eq!(first, other));
    }
}

/// Closed surfaces that do not meet themselves have closed lines, which cross a plane as often one way as the
/// other.
#[test]
fn lines_of_closed_surfaces_are_closed() {
    let mut rng = Rng::new(5);
    let mut query = Query::new();
    let (a, b) = (model(meshes::icosphere(2)), model(meshes::torus(24, 12, 0.3)));
    for _ in 0..40 {
        let pose = |rng: &mut Rng| Pose::rigid(rng.rotation(), rng.point(0.6)).unwrap();
        let (a, b) = (Body::new(&a, pose(&mut rng)), Body::new(&b, pose(&mut rng)));
        let curves = query.curves(&a, &b);
        assert!(curves.lines().all(|line| line.closed), "{:?}", counts(curves));
        let (n, h) = (rng.point(1.0), 0.1);
        let side = |i: u32| (0..3).map(|k| n[k] * curves.nodes()[i as usize].point[k]).sum::<f64>() > h;
        for line in curves.lines() {
            let next = line.nodes.iter().skip(1).chain([&line.nodes[0]]);
            let ways = line.nodes.iter().zip(next).map(|(&p, &q)| i32::from(side(q)) - i32::from(side(p)));
            assert_eq!(ways.sum::<i32>(), 0);
        }
    }
}

/// The mesh with each triangle cut in four. Coordinates of the new corners are exact.
fn refined(mesh: &Mesh) -> Mesh {
    let mut points: Vec<Point> = Vec::new();
    for t in 0..mesh.len() as u32 {
        let c = mesh.corners(t);
        let m = [0, 1, 2].map(|i| [0, 1, 2].map(|k| (c[i][k] + c[(i + 1) % 3][k]) / 2.0));
        points.extend([c[0], m[0], m[2], m[0], c[1], m[1], m[2], m[1], c[2], m[0], m[1], m[2]]);
    }
    let triangles = (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(points, triangles).unwrap()
}

#[test]
fn finer_triangles_give_the_same_set() {
    let mut query = Query::new();
    let (coarse, other) =
        (meshes::to_grid(&meshes::icosphere(1), 64), meshes::to_grid(&meshes::torus(12, 8, 0.3), 96));
    let models =
        [model(coarse.clone()), model(refined(&coarse)), model(other.clone()), model(refined(&other))];
    for index in 0..20 {
        let mut rng = Rng::for_case(312, index);
        let pose = Pose::rigid(rng.rotation(), rng.point(60.0)).unwrap();
        let all: Vec<Curves> = [[0, 2], [1, 2], [0, 3], [1, 3]]
            .map(|[i, j]| {
                let (a, b) = (Body::new(&models[i], Pose::IDENTITY), Body::new(&models[j], pose));
                query.curves(&a, &b).clone()
            })
            .into();
        for finer in &all[1..] {
            assert_eq!(counts(&all[0]), counts(finer));
            let [lo, hi] = [all[0].length(), finer.length()];
            assert!(lo[0] <= hi[1] && hi[0] <= lo[1] && lo[1] - hi[0] < 1e-9, "{lo:?} {hi:?}");
            // The finer meshes have all nodes of the coarse ones.
            for node in all[0].nodes() {
                assert!(finer.nodes().iter().any(|other| other.point == node.point));
            }
        }
    }
}
