//! The shortest separating translation of convex bodies, against all separating axes in big integers.
mod axes;
mod public;

use axes::{Least, Placed};
use impinge::{
    Body, Mesh, Model, Pose, Query,
    penetration::{Penetration, PenetrationParts},
    solid::FillRule,
};
use impinge_testkit::{cases::is_full, rng::Rng};

type Point = [f64; 3];

/// Number of pairs: `IMPINGE_PAIRS`, or 2,000, or 100,000 with `IMPINGE_FULL` set.
fn count() -> u64 {
    std::env::var("IMPINGE_PAIRS")
        .ok()
        .map_or(if is_full() { 100_000 } else { 2_000 }, |n| n.parse().unwrap())
}

fn wanted() -> PenetrationParts {
    PenetrationParts::new().separating_translation(true).separating_distance(true)
}

fn length(t: Point) -> f64 {
    t.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A body after a translation, if f64 represents it exactly.
fn moved<'b>(body: &Body<'b>, t: Point) -> Option<Body<'b>> {
    let from = body.pose.translation();
    let to = [0, 1, 2].map(|k| from[k] + t[k]);
    let exact = (0..3).all(|k| to[k] - from[k] == t[k] && to[k] - t[k] == from[k]);
    exact.then(|| Body::new(body.model, Pose::affine(*body.pose.rows(), to).unwrap()))
}

/// A convex mesh of some family; on an integer grid if wanted.
fn mesh(rng: &mut Rng, is_grid: bool) -> Mesh {
    loop {
        let points: Vec<Point> = match rng.below(6) {
            // A box.
            0 | 1 => {
                let half = [0; 3].map(|_| rng.int(1, 4) as f64);
                (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { half[k] } else { -half[k] })).collect()
            }
            // A prism, or a double pyramid.
            2 => {
                let n = rng.int(3, 8);
                let is_pyramid = rng.one_in(2);
                let at = |k: i64| {
                    let (sin, cos) = (k as f64 / n as f64 * std::f64::consts::TAU).sin_cos();
                    let at = [3.0 * cos, 3.0 * sin];
                    if is_grid { at.map(f64::round) } else { at }
                };
                let ring = (0..n).map(at);
                match is_pyramid {
                    true => {
                        ring.map(|[x, y]| [x, y, 0.0]).chain([[0.0, 0.0, 3.0], [1.0, 0.0, -4.0]]).collect()
                    }
                    false => ring.flat_map(|[x, y]| [[x, y, -2.0], [x, y, 2.0]]).collect(),
                }
            }
            // A needle, or a thin plate.
            3 => {
                let thin = [1.0, 0.125, 2.0_f64.powi(-20)];
                let thin = if is_grid { [1.0; 2] } else { [*rng.pick(&thin), *rng.pick(&thin)] };
                (0..rng.int(4, 12))
                    .map(|_| rng.grid_point(3))
                    .map(|[x, y, z]| [x, y * thin[0], z * thin[1]])
                    .collect()
            }
            _ => {
                let n = rng.int(4, 12);
                (0..n).map(|_| if is_grid { rng.grid_point(4) } else { rng.point(4.0) }).collect()
            }
        };
        let mut hull = Mesh::hull(&points).unwrap();
        if hull.is_convex() {
            if rng.one_in(6) {
                let inwards = hull.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
                hull = Mesh::new(hull.points().to_vec(), inwards).unwrap();
            }
            return hull;
        }
    }
}

/// Poses of both bodies.
fn poses(rng: &mut Rng, kind: u64) -> [Pose; 2] {
    let identity = *Pose::IDENTITY.rows();
    let shifts = |rng: &mut Rng| rng.grid_point(5);
    let (rows, ts) = match kind {
        // Integers: faces in contact, parallel, or one in the other.
        0 | 1 => ([identity; 2], [[0.0; 3], shifts(rng)]),
        // Turned alike, or each for itself.
        2 => ([rng.rotation(); 2], [rng.point(3.0), rng.point(3.0)]),
        3 | 4 => ([rng.rotation(), rng.rotation()], [rng.point(3.0), rng.point(3.0)]),
        // Nearly parallel.
        5 => {
            let mut turned = identity;
            let angle = 2.0_f64.powi(-rng.int(5, 40) as i32);
            (turned[0][1], turned[1][0]) = (angle, -angle);
            (turned[2][1], turned[1][2]) = (-angle / 3.0, angle / 3.0);
            ([identity, turned], [[0.0; 3], shifts(rng)])
        }
        // Sheared and mirrored.
        6 => {
            let shear = |rng: &mut Rng| loop {
                let rows = [0; 3].map(|_| rng.grid_point(2));
                if Pose::affine(rows, [0.0; 3]).is_ok() {
                    return rows;
                }
            };
            ([shear(rng), shear(rng)], [rng.grid_point(2), rng.grid_point(2)])
        }
        // Far from the origin of the world, and one of them small.
        _ => {
            let small = rng.rotation().map(|row| row.map(|x| x / 16.0));
            let far = rng.point(1e6);
            ([rng.rotation(), small], [far, [0, 1, 2].map(|k| far[k] + rng.between(-1.0, 1.0))])
        }
    };
    let scale = if kind == 3 { 2.0_f64.powi(*rng.pick(&[0, 0, -400, 400, -495, 490])) } else { 1.0 };
    [0, 1].map(|x| Pose::affine(rows[x].map(|row| row.map(|y| y * scale)), ts[x].map(|y| y * scale)).unwrap())
}

/// Asserts that the interval contains the truth. Returns its width as a part of the bodies' size.
fn check(query: &mut Query, [a, b]: [&Body<'_>; 2], least: &Least, context: &str) -> (Penetration, f64) {
    let found = query.penetration(a, b, &wanted());
    let by = found.separating_translation.unwrap_or_else(|| panic!("{context}: {found:?}"));
    let [lo, hi] = found.separating_distance.unwrap_or_else(|| panic!("{context}: {found:?}"));
    assert_eq!(query.overlaps(a, b), least.overlap, "{context}");
    if !least.overlap {
        assert_eq!((by, lo, hi), ([0.0; 3], 0.0, 0.0), "{context}");
        return (found, 0.0);
    }
    assert!(0.0 <= lo && lo <= hi, "{context}: {lo} {hi}");
    assert!(least.is_at_least(lo), "{context}: lo {lo} is too large, hi {hi}");
    assert!(least.is_at_most(hi), "{context}: hi {hi} is too small, lo {lo}");
    (found, (hi - lo) / least.size)
}

#[test]
fn intervals_contain_the_least_width() {
    let mut query = Query::new();
    let (mut worst, mut relative) = ([0.0_f64; 8], [0.0_f64; 8]);
    let (mut overlaps, mut touch, mut proved) = (0, 0, 0);
    for index in 0..count() {
        let mut rng = Rng::for_case(551, index);
        let kind = index % 8;
        let is_grid = kind < 2 || kind == 6 && rng.one_in(2);
        let meshes = [mesh(&mut rng, is_grid), mesh(&mut rng, is_grid)];
        let poses = poses(&mut rng, kind);
        let models = meshes.each_ref().map(|mesh| Model::new(mesh.clone()));
        let [a, b] = [0, 1].map(|x| Body::new(&models[x], poses[x]));
        let context = format!("case {index}");
        let least = axes::least(&Placed::both([&a, &b]), index % 64 == 0);
        let (found, width) = check(&mut query, [&a, &b], &least, &context);
        let (swapped, _) = check(&mut query, [&b, &a], &least, &format!("{context}, swapped"));
        if !least.overlap {
            touch += 1;
            continue;
        }
        overlaps += 1;
        let ([lo, hi], [_, other]) =
            (found.separating_distance.unwrap(), swapped.separating_distance.unwrap());
        assert!((hi - other).abs() <= 1e-13 * least.size, "{context}: {hi} {other}");
        let k = kind as usize;
        if width > worst[k] {
            (worst[k], relative[k]) = (width, (hi - lo) / hi);
            if width > 1e-10 {
                println!("{context}: kind {kind}, width {width:e} of the size, {lo} {hi}");
            }
        }
        let by = found.separating_translation.unwrap();
        assert!(
            kind == 3 || length(by) <= hi * (1.0 + 1e-13) && length(by) >= lo * (1.0 - 1e-15),
            "{context}"
        );
        if let Some(moved) = moved(&b, by) {
            proved += 1;
            assert!(!query.overlaps(&a, &moved), "{context}");
        }
        // Half of the way is not enough, whatever the direction.
        let half = [0, 1, 2].map(|k| b.pose.translation()[k] + by[k] / 2.0);
        let moved = Body::new(b.model, Pose::affine(*b.pose.rows(), half).unwrap());
        assert!(hi < 1e-9 * least.size || query.overlaps(&a, &moved), "{context}");
    }
    println!(
        "{overlaps} overlap, {touch} do not, {proved} translations proved; widths {worst:?} {relative:?}"
    );
    assert!(overlaps > count() / 3 && touch > count() / 50 && proved > count() / 20);
    assert!(worst.iter().all(|width| *width < 1e-12), "{worst:?}");
}

/// Boxes along the axes that overlap by little: the planes are exact, and only coordinates round.
#[test]
fn coordinates_round() {
    let mut query = Query::new();
    for index in 0..count() / 4 {
        let mut rng = Rng::for_case(553, index);
        let sides = [0; 2].map(|_| [0; 3].map(|_| rng.between(1.0, 2.0)));
        let models = sides.map(|sides| Model::new(Mesh::cuboid(sides).unwrap()));
        let depth = 2.0_f64.powi(-rng.int(8, 40) as i32);
        let x = (sides[0][0] + sides[1][0]) / 2.0 - depth;
        let [a, b] = [[0.0; 3], [x, rng.between(-0.5, 0.5), rng.between(-0.5, 0.5)]]
            .map(|t| Pose::from_translation(t).unwrap());
        let [a, b] = [Body::new(&models[0], a), Body::new(&models[1], b)];
        let least = axes::least(&Placed::both([&a, &b]), false);
        let (_, width) = check(&mut query, [&a, &b], &least, &format!("case {index}"));
        assert!(least.overlap && width < 1e-14, "case {index}: {width}");
    }
}

/// Signed permutations of the axes and shifts by integers change no distance.
#[test]
fn rigid_motions_change_nothing() {
    let mut query = Query::new();
    for index in 0..count() / 20 {
        let mut rng = Rng::for_case(552, index);
        let meshes = [mesh(&mut rng, true), mesh(&mut rng, true)];
        let models = meshes.each_ref().map(|mesh| Model::new(mesh.clone()));
        let t = rng.grid_point(4);
        let [a, b] = [[0.0; 3], t].map(|t| Pose::from_translation(t).unwrap());
        let bodies = [Body::new(&models[0], a), Body::new(&models[1], b)];
        let least = axes::least(&Placed::both(bodies.each_ref()), false);
        check(&mut query, bodies.each_ref(), &least, &format!("case {index}"));
        let mut order = [0, 1, 2];
        rng.shuffle(&mut order);
        let signs = [0; 3].map(|_| *rng.pick(&[1.0, -1.0]));
        let rows = order.map(|k| [0, 1, 2].map(|i| if i == k { signs[k] } else { 0.0 }));
        let turned = Pose::affine(rows, rng.grid_point(1000)).unwrap();
        let to = [0, 1, 2].map(|k| turned.place(t)[k]);
        let moved = [Body::new(&models[0], turned), Body::new(&models[1], Pose::affine(rows, to).unwrap())];
        check(&mut query, moved.each_ref(), &least, &format!("case {index}, moved"));
    }
}

/// Bodies of many faces, whose least width is nearly that of balls. Where very many faces are about equally
/// far, the polytope has too few corners to prove it to the last digit.
#[test]
fn round_bodies_have_the_width_of_their_facets() {
    let mut query = Query::new();
    for (rings, segments) in [(6, 8), (20, 40), (60, 120)] {
        let sphere = Mesh::uv_sphere(1.0, rings, segments).unwrap();
        let model = Model::new(Mesh::hull(sphere.points()).unwrap());
        let a = Body::new(&model, Pose::IDENTITY);
        for t in [[0.3, 0.2, 0.1], [1.1, 1.0, 0.9], [0.0, 0.0, 1.9], [0.0; 3], [1e-9, 0.0, 0.0]] {
            let b = Body::new(&model, Pose::from_translation(t).unwrap());
            let found = query.penetration(&a, &b, &wanted());
            let [lo, hi] = found.separating_distance.unwrap();
            println!("{rings} x {segments} at {t:?}: {lo} {hi}, {:e}", hi - lo);
            let most = if rings == 60 && length(t) < 1e-3 { 0.01 } else { 1e-13 };
            assert!(lo <= hi && hi - lo < most, "{t:?}: {lo} {hi}");
            // No facet is nearer than the inscribed ball, and none farther than the circumscribed one.
            assert!(hi <= 2.0 - length(t) + 1e-12 && hi > 1.5 - length(t), "{hi}");
        }
    }
}

/// For bodies that are not convex, formulas give the bounds of the interval.
#[test]
fn other_bodies_have_wider_intervals() {
    let mut query = Query::new();
    let block = Model::new(Mesh::cuboid([2.0; 3]).unwrap());
    let dented = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0], [1.0, 1.0, 1.0]];
    let faces = vec![[0, 2, 1], [0, 1, 3], [2, 0, 3], [1, 2, 4], [2, 3, 4], [3, 1, 4]];
    let dented = Model::new(Mesh::new(dented, faces).unwrap());
    let [a, b] = [&block, &dented].map(|model| Body::new(model, Pose::IDENTITY));
    let found = query.penetration(&a, &b, &wanted());
    let [lo, hi] = found.separating_distance.unwrap();
    assert!(lo <= 1.0 && (hi - 1.0).abs() < 1e-12, "{lo} {hi}");
    let all = query.penetration(&a, &b, &PenetrationParts::all());
    let ([lo, hi], [deep, _]) = (all.separating_distance.unwrap(), all.interference_depth.unwrap());
    assert!(lo >= deep && lo > 0.5 && lo <= hi, "{all:?}");
    // Only what is requested.
    let only = query.penetration(&a, &b, &PenetrationParts::new().separating_distance(true));
    assert!(only.separating_distance.is_some() && only.separating_translation.is_none());
    assert!(only.overlap_volume.is_none() && only.depth_at_least.is_none());
    // An inside that the rule leaves empty is not convex: the surfaces alone meet.
    let turned = block.mesh().triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let turned = Model::new(Mesh::new(block.mesh().points().to_vec(), turned).unwrap());
    let b = Body::new(&turned, Pose::from_translation([0.5, 0.0, 0.0]).unwrap());
    let mut positive = Query::new().fill_rule(FillRule::Positive);
    let [found, all] = [&mut positive, &mut query].map(|query| query.penetration(&a, &b, &wanted()));
    assert_eq!(all.separating_distance.unwrap()[1], 1.5);
    assert!(all.separating_distance.unwrap()[0] > 1.5 - 1e-14);
    let [lo, hi] = found.separating_distance.unwrap();
    assert!(lo <= hi && hi <= 1.5, "{found:?}");
}
