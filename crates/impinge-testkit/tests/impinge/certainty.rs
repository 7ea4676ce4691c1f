//! Bodies with known true surfaces, tessellated more or less finely: a definite result is true.
use crate::allocator;
use impinge::{
    Body, Mesh, Model, Pose, Query, certainty::Certainty, distance::Margin, penetration::PenetrationParts,
};
use impinge_testkit::{cases::is_full, circle::turn, meshes, rng::Rng};
use std::f64::consts::PI;

fn margin(x: f64) -> Margin {
    Margin::new(x).unwrap()
}

fn model(mesh: Mesh) -> Model {
    Model::new(mesh)
}

/// A mesh whose corners lie on a curved surface, and its chord tolerance.
struct Curved {
    mesh: Mesh,
    chord: f64,
}

/// A chord tolerance with a margin for the rounding of corners and of the formulas, which is far less.
fn rounded_up(chord: f64) -> f64 {
    chord * (1.0 + 1e-9) + 1e-13
}

/// A ball in `n` bands. A patch between two meridians b apart and two circles of latitude a apart is the
/// convex hull of two chords of the meridians. These are at least cos(a/2) from the centre, and at most 1 -
/// cos(b/2) nearer to it as seen along the middle of the patch.
fn ball(radius: f64, n: u32) -> Curved {
    let mesh = Mesh::uv_sphere(radius, n, 2 * n).unwrap();
    Curved { mesh, chord: rounded_up(radius * (2.0 - 2.0 * (PI / f64::from(2 * n)).cos())) }
}

/// A solid of revolution around z. The profile lists radii and heights; each is joined to the next, and the
/// last to the first.
fn turned(profile: &[[f64; 2]], n: u32) -> Curved {
    let k = profile.len() as u32;
    let points = (0..n).flat_map(|i| {
        let [x, y] = turn(i64::from(i), n);
        profile.iter().map(move |&[r, z]| [r * x, r * y, z])
    });
    let at = |i: u32, j: u32| (i % n) * k + j % k;
    let quads =
        (0..n).flat_map(|i| (0..k).map(move |j| [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]));
    // On the axis a side has no length.
    let on_axis = |v: u32| profile[(v % k) as usize][0] == 0.0;
    let mut triangles: Vec<[u32; 3]> = quads.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    triangles.retain(|t| t.iter().filter(|&&v| on_axis(v)).count() < 2);
    let widest = profile.iter().map(|p| p[0]).fold(0.0, f64::max);
    let mesh = Mesh::new(points.collect(), triangles).unwrap();
    Curved { mesh, chord: rounded_up(widest * (1.0 - (PI / f64::from(n)).cos())) }
}

fn cylinder(radius: f64, half: f64, n: u32) -> Curved {
    turned(&[[0.0, -half], [radius, -half], [radius, half], [0.0, half]], n)
}

fn tube(bore: f64, radius: f64, half: f64, n: u32) -> Curved {
    turned(&[[bore, -half], [radius, -half], [radius, half], [bore, half]], n)
}

/// A torus around z, of outer radius 1. Linear interpolation between the corners of a triangle is off p(s, t)
/// by at most (a^2 |p_ss| + 2 a b |p_st| + b^2 |p_tt|) / 8 for sides a and b of the patch. This follows by
/// Taylor's formula, as the variance of numbers in an interval is at most a quarter of its squared length.
fn torus(tube: f64, n: u32) -> Curved {
    let (a, b) = (2.0 * PI / f64::from(2 * n), 2.0 * PI / f64::from(n));
    let chord = (a * a + 2.0 * tube * a * b + tube * b * b) / 8.0;
    Curved { mesh: meshes::torus(2 * n, n, tube), chord: rounded_up(chord) }
}

const FAMILIES: [&str; 7] = [
    "two balls",
    "parallel cylinders",
    "crossing cylinders",
    "a shaft in a bore",
    "a ball in a ring",
    "rings above each other",
    "a ball beside a ring",
];

/// Both shapes, the pose of the second one, and the gap between them: negative if they overlap.
fn shapes(family: usize, n: u32, gap: impl Fn(f64) -> f64, rng: &mut Rng) -> ([Curved; 2], Pose, f64) {
    let at = |t: [f64; 3]| Pose::from_translation(t).unwrap();
    let along = |gap: f64, x: f64| (at([x + gap, 0.0, 0.0]), gap);
    let pair = |a: Curved, b: Curved, touching: &dyn Fn(f64) -> (Pose, f64)| {
        // Not deeper, or they would come out on the other side.
        let (pose, gap) = touching(gap(a.chord + b.chord).max(-0.25));
        ([a, b], pose, gap)
    };
    let r = rng.between(0.5, 1.5);
    match family {
        0 => pair(ball(1.0, n), ball(r, n), &|g| along(g, 1.0 + r)),
        1 => pair(cylinder(1.0, 1.0, n), cylinder(r, 3.0, n), &|g| along(g, 1.0 + r)),
        2 => pair(cylinder(1.0, 3.0, n), cylinder(r, 3.0, n), &|g| {
            let rows = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
            // The second one lies along x, and is beside the first in y.
            (Pose::rigid(rows, [0.0, 1.0 + r + g, 0.0]).unwrap(), g)
        }),
        // The gap is largest in the middle.
        3 => pair(tube(r + 0.3, r + 1.0, 1.0, n), cylinder(r, 2.0, n), &|g| {
            let g = g.min(0.3);
            (at([0.3 - g, 0.0, 0.0]), g)
        }),
        4 => {
            let (ring, like) = (torus(0.3, n), ball(0.4, n));
            let g = gap(ring.chord + like.chord);
            ([ring, ball(0.4 - g.clamp(-0.2, 0.3), n)], Pose::IDENTITY, g.clamp(-0.2, 0.3))
        }
        5 => pair(torus(0.3, n), torus(0.3, n), &|g| (at([0.0, 0.0, 0.6 + g]), g)),
        _ => pair(torus(0.3, n), ball(r, n), &|g| along(g, 1.0 + r)),
    }
}

/// The pose after a turn about z.
fn spun(rng: &mut Rng, pose: &Pose) -> Pose {
    let [c, s] = turn(rng.int(0, 999), 1000);
    let spin = Pose::rigid([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    spin.then(pose).unwrap()
}

#[test]
fn what_is_certain_is_true_of_spheres_cylinders_and_tori() {
    let mut rng = Rng::new(18);
    let mut query = Query::new();
    let cases = if is_full() { 1500 } else { 100 };
    for (family, name) in FAMILIES.iter().enumerate() {
        let mut counts = [[0; 3]; 2];
        for case in 0..cases {
            let n = *rng.pick(&[12, 20, 36]);
            // In units of both tolerances.
            let far = *rng.pick(&[2.0, 6.0, 40.0]);
            let wanted = rng.between(-far, far);
            let (shapes, pose, gap) = shapes(family, n, |both| wanted * both, &mut rng);
            let both = shapes[0].chord + shapes[1].chord;
            let world = Pose::rigid(rng.rotation(), rng.point(10.0)).unwrap();
            let poses = [spun(&mut rng, &Pose::IDENTITY), spun(&mut rng, &pose)];
            let poses = poses.map(|pose| pose.then(&world).unwrap());
            let chords = shapes.each_ref().map(|shape| margin(shape.chord));
            let models = shapes.map(|shape| model(shape.mesh));
            let [a, b] = [0, 1].map(|k| Body::new(&models[k], poses[k]));
            let d = if case % 2 == 0 { 0.0 } else { rng.between(0.0, 12.0) * both };
            let found = query.certainty(&a, &b, chords, margin(d));
            let back = query.certainty(&b, &a, [chords[1], chords[0]], margin(d));
            let what = format!("{name}, {n} sides: {gap} apart, at most {d}? {both} off; {found:?}");
            assert_eq!(found, back, "{what}: exchanged");
            // Lists of pairs give the same result, a third of them after a query of the depth.
            for (x, y, chords) in [(&a, &b, chords), (&b, &a, [chords[1], chords[0]])] {
                let pairs = query.contact_pairs(x, y);
                if case % 3 == 0 {
                    query.penetration_of_pairs(&pairs, &PenetrationParts::all());
                }
                assert_eq!(query.certainty_of_pairs(&pairs, chords, margin(d)), found, "{what}: by pairs");
            }
            // Poses and corners are rounded.
            if (gap - d).abs() > 1e-9 {
                let is_wrong = found == if gap > d { Certainty::Definite } else { Certainty::Clear };
                assert!(!is_wrong, "{what}");
            }
            // `Possible` occurs only near the limit: inscribed meshes are off by both tolerances at most, and
            // the deepest of corners, or points tried, is near the deepest point.
            let is_near =
                if gap > 0.0 { (gap - d).abs() <= 2.0 * both + 1e-9 } else { gap - d >= -14.0 * both };
            assert!(found != Certainty::Possible || is_near, "{what}");
            counts[case % 2][found as usize] += 1;
        }
        println!("{name}: clear, possible, definite {counts:?}");
        assert!(counts.iter().flatten().all(|&count| count >= cases / 60), "{name}: {counts:?}");
    }
}

/// A body inside the other without contact: the overlap is certain, unless the body is near the surface.
#[test]
fn what_is_inside_is_certain_unless_it_may_reach_out() {
    let (outer, inner) = (ball(1.0, 24), ball(0.25, 12));
    let chords = [margin(outer.chord), margin(inner.chord)];
    let both = outer.chord + inner.chord;
    let models = [outer, inner].map(|shape| model(shape.mesh));
    let mut query = Query::new();
    let a = Body::new(&models[0], Pose::IDENTITY);
    for x in [0.0, 0.5, 0.75 - 3.0 * both, 0.75 - both] {
        let b = Body::new(&models[1], Pose::from_translation([x, 0.0, 0.0]).unwrap());
        assert_eq!(query.certainty(&a, &b, chords, Margin::ZERO), Certainty::Definite, "{x}");
    }
    // A triangle without an inside: deep inside, near the surface, through it, outside.
    let flake = model(Mesh::new(vec![[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]], vec![[0, 1, 2]]).unwrap());
    let mut at = |x: f64| {
        let b = Body::new(&flake, Pose::from_translation([x, 0.0, 0.0]).unwrap());
        query.certainty(&a, &b, [chords[0], Margin::ZERO], Margin::ZERO)
    };
    assert_eq!(at(0.5), Certainty::Definite);
    assert_eq!([at(0.9 - 1e-3), at(0.95), at(1.0)], [Certainty::Possible; 3]);
    assert_eq!(at(1.1), Certainty::Clear);
}

/// Results at limits that f64 represents, and at the adjacent numbers.
#[test]
fn limits_are_exact() {
    let cube = model(meshes::cuboid([1.0; 3]));
    let mut query = Query::new();
    let a = Body::new(&cube, Pose::IDENTITY);
    let mut ask = |x: f64, chord: f64, d: f64| {
        let b = Body::new(&cube, Pose::from_translation([x, 0.125, 0.25]).unwrap());
        query.certainty(&a, &b, [margin(chord), margin(2.0 * chord)], margin(d))
    };
    let (c, d) = (0.125, 0.5);
    // 0.875 and 0.125 apart.
    assert_eq!(ask(2.875, c, d), Certainty::Possible);
    assert_eq!(ask(2.875_f64.next_up(), c, d), Certainty::Clear);
    assert_eq!(ask(2.125, c, d), Certainty::Definite);
    assert_eq!(ask(2.125_f64.next_up(), c, d), Certainty::Possible);
    // Touching, and without tolerances.
    assert_eq!([ask(2.0, c, 0.0), ask(2.0, c, 3.0 * c)], [Certainty::Possible, Certainty::Definite]);
    assert_eq!([ask(2.0, 0.0, 0.0), ask(1.5, 0.0, 0.0)], [Certainty::Definite; 2]);
    assert_eq!(ask(2_f64.next_up(), 0.0, 0.0), Certainty::Clear);
    assert_eq!(
        [ask(2.5, 0.0, 0.5), ask(2.5_f64.next_up(), 0.0, 0.5)],
        [Certainty::Definite, Certainty::Clear]
    );
    // Tolerances that f64 cannot add.
    assert_eq!(ask(1e9, f64::MAX / 2.0, 0.0), Certainty::Possible);
}

/// Two bars that cross have no corner inside of one another; coincident copies have no deep corner.
/// Still they certainly overlap, unless they are as thin as their tolerances.
#[test]
fn bars_that_cross_and_copies_are_definite() {
    let (bar, plate) = (model(meshes::cuboid([4.0, 0.5, 0.5])), model(meshes::cuboid([0.5, 4.0, 4.0])));
    let mirror = Pose::affine([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    let mut query = Query::new();
    for other in [&plate, &bar] {
        for pose in [Pose::IDENTITY, mirror] {
            let (a, b) = (Body::new(&bar, Pose::IDENTITY), Body::new(other, pose));
            let mut at =
                |chord: f64| query.certainty(&a, &b, [margin(chord), margin(chord / 2.0)], Margin::ZERO);
            assert_eq!([at(0.01), at(0.1)], [Certainty::Definite; 2]);
            assert_eq!([at(0.5), at(3.0)], [Certainty::Possible; 2]);
        }
    }
}

#[test]
fn a_warm_question_does_not_allocate() {
    let shapes = [ball(1.0, 12), torus(0.3, 12), ball(0.2, 8)];
    let chords = shapes.each_ref().map(|shape| margin(shape.chord));
    let models = shapes.map(|shape| model(shape.mesh));
    let mut rng = Rng::new(5);
    let poses: Vec<Pose> = (0..30).map(|_| Pose::rigid(rng.rotation(), rng.point(1.5)).unwrap()).collect();
    let (mut query, mut seen) = (Query::new(), [0; 3]);
    for round in 0..3 {
        let before = allocator::count();
        for pose in &poses {
            for (x, y) in [(0, 1), (1, 2), (2, 0)] {
                let (a, b) = (Body::new(&models[x], Pose::IDENTITY), Body::new(&models[y], *pose));
                let found = query.certainty(&a, &b, [chords[x], chords[y]], margin(0.01));
                seen[found as usize] += 1;
            }
        }
        assert!(round < 2 || allocator::count() == before, "{} allocations", allocator::count() - before);
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}
