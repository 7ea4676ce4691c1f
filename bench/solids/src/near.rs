//! Pairs of small meshes for an oracle of distances: disjoint, touching, nearly touching; triangles that are
//! segments and points; slivers; far away, tiny and huge.
use crate::{
    families::{Family, any_pose},
    shapes::{HERE, ball, grid_box, tetrahedron},
    surface::mapped,
};
use contract::{
    Mesh, Pose,
    pairs::{Pair, Solid},
};
use impinge_testkit::{
    near_degenerate::{near_degenerate, near_touching_instances},
    rng::{Rng, nudge},
};

type Point = [f64; 3];

/// The families, used in turn.
const FAMILIES: [Family; 8] = [
    ("anywhere", anywhere),
    ("grid", grid),
    ("degenerate", degenerate),
    ("slivers", slivers),
    ("touching", touching),
    ("two triangles", two_triangles),
    ("far and near", far_and_near),
    ("scaled", scaled),
];

/// A number of pairs, the same for the same seed.
pub fn pairs(seed: u64, count: usize) -> Vec<Pair> {
    (0..count as u64)
        .map(|index| {
            let mut rng = Rng::for_case(seed, index);
            let (name, make) = FAMILIES[(index % FAMILIES.len() as u64) as usize];
            let mut bodies = make(&mut rng);
            if rng.one_in(2) {
                bodies.swap(0, 1);
            }
            Pair { name: name.to_owned(), bodies }
        })
        .collect()
}

fn body(mesh: Mesh, pose: Pose) -> Solid {
    Solid { manifold: false, mesh, pieces: Vec::new(), pose }
}

/// Loose triangles.
fn soup(triangles: &[[Point; 3]]) -> Mesh {
    let points = triangles.concat();
    Mesh { points, triangles: (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect() }
}

fn small(rng: &mut Rng) -> Mesh {
    match rng.below(5) {
        0 | 1 => tetrahedron(rng, 4),
        2 | 3 => grid_box(rng, 3, 5),
        _ => {
            let radius = rng.int(2, 4) as i32;
            ball(rng, radius)
        }
    }
}

fn shifted(mut pose: Pose, by: Point) -> Pose {
    for (t, x) in pose.translation.iter_mut().zip(by) {
        *t += x;
    }
    pose
}

fn anywhere(rng: &mut Rng) -> [Solid; 2] {
    let (a, b) = (small(rng), small(rng));
    let (p, q) = (any_pose(rng), any_pose(rng));
    // Most pairs are disjoint.
    let by = rng.point(25.0);
    [body(a, p), body(b, shifted(q, by))]
}

/// Integers: many pairs have equal distances, and squares are whole numbers.
fn grid(rng: &mut Rng) -> [Solid; 2] {
    let (a, b) = (grid_box(rng, 2, 4), if rng.one_in(3) { tetrahedron(rng, 3) } else { grid_box(rng, 2, 4) });
    let by = rng.grid_point(9);
    let pose = if rng.one_in(3) { any_pose(rng) } else { HERE };
    if rng.one_in(2) {
        // Exactly the same distance, at one pose.
        return [body(a, pose), body(mapped(&b, |p| [0, 1, 2].map(|k| p[k] + by[k])), pose)];
    }
    [body(a, HERE), body(b, shifted(HERE, by))]
}

/// Points and segments among triangles.
fn degenerate(rng: &mut Rng) -> [Solid; 2] {
    let one = |rng: &mut Rng| {
        let count = rng.int(1, 4);
        let exact = !rng.one_in(3);
        let mut at = |half: i64| if exact { rng.grid_point(half) } else { rng.point(half as f64) };
        let corners: Vec<[Point; 3]> = (0..count).map(|_| [at(4), at(4), at(4)]).collect();
        let flat = corners.into_iter().map(|[a, b, c]| match rng.below(5) {
            0 => [a, a, a],
            1 => [a, b, a],
            // On the line, between the ends or beyond: exact in integers.
            2 => [a, [0, 1, 2].map(|k| a[k] + 2.0 * b[k]), [0, 1, 2].map(|k| a[k] + b[k])],
            3 => [[0, 1, 2].map(|k| a[k] - b[k]), a, [0, 1, 2].map(|k| a[k] + 2.0 * b[k])],
            _ => [a, b, c],
        });
        soup(&flat.collect::<Vec<_>>())
    };
    let (a, b) = (one(rng), one(rng));
    let pose = if rng.one_in(3) { any_pose(rng) } else { HERE };
    let reach = if rng.one_in(3) { 2 } else { 12 };
    let by = rng.grid_point(reach);
    [body(a, pose), body(b, shifted(pose, by))]
}

/// At most a millionth as wide as long.
fn slivers(rng: &mut Rng) -> [Solid; 2] {
    let one = |rng: &mut Rng| {
        let count = rng.int(1, 3);
        let made = (0..count).map(|_| {
            let (foot, along, aside) = (rng.point(2.0), rng.direction(), rng.direction());
            let width = 2_f64.powi(-(rng.int(20, 52) as i32));
            let length = rng.between(0.5, 8.0);
            let tip = [0, 1, 2].map(|k| foot[k] + length * along[k]);
            [foot, tip, [0, 1, 2].map(|k| tip[k] + width * aside[k])]
        });
        soup(&made.collect::<Vec<_>>())
    };
    let (a, b) = (one(rng), one(rng));
    let (p, q) = (any_pose(rng), any_pose(rng));
    [body(a, p), body(b, q)]
}

/// Boxes face to face, exactly, or with a gap of some last bits, or of 2^-k.
fn touching(rng: &mut Rng) -> [Solid; 2] {
    let a = grid_box(rng, 2, 4);
    let top = a.points.iter().map(|p| p[2]).fold(f64::MIN, f64::max);
    let b = grid_box(rng, 2, 4);
    let bottom = b.points.iter().map(|p| p[2]).fold(f64::MAX, f64::min);
    let gap = match rng.below(4) {
        0 => 0.0,
        1 => 2_f64.powi(-(rng.int(1, 50) as i32)),
        _ => f64::NAN,
    };
    let ulps = rng.int(0, 3);
    let b = mapped(&b, |p| {
        let z = p[2] - bottom + top;
        [p[0], p[1], if gap.is_nan() { nudge(z, ulps) } else { z + gap }]
    });
    let pose = if rng.one_in(2) { any_pose(rng) } else { HERE };
    [body(a, pose), body(b, pose)]
}

/// Pairs of the testkit's families of nearly touching triangles.
fn two_triangles(rng: &mut Rng) -> [Solid; 2] {
    let (seed, index) = (rng.next_u64(), rng.below(10_000));
    let case =
        if rng.one_in(4) { near_touching_instances(seed, index) } else { near_degenerate(seed, index) };
    let of = |pose: &impinge::Pose| Pose { rows: *pose.rows(), translation: *pose.translation() };
    [body(soup(&[case.p]), of(&case.pose_p)), body(soup(&[case.q]), of(&case.pose_q))]
}

/// A gap of a ten-thousandth, a million away.
fn far_and_near(rng: &mut Rng) -> [Solid; 2] {
    let (a, b) = (small(rng), small(rng));
    let (mut p, mut q) = (any_pose(rng), any_pose(rng));
    let site = rng.point(1e6);
    (p.translation, q.translation) = (site, site);
    let way = rng.direction().map(|x| x * rng.between(0.0, 20.0));
    [body(a, p), body(b, shifted(q, way))]
}

/// Tiny or huge: their squares exceed the range of f64.
fn scaled(rng: &mut Rng) -> [Solid; 2] {
    let [mut a, mut b] = if rng.one_in(2) { anywhere(rng) } else { degenerate(rng) };
    let scale = 2_f64.powi(*rng.pick(&[-1040, -700, -300, 300, 600, 1000]));
    for body in [&mut a, &mut b] {
        body.mesh = mapped(&body.mesh, |p| p.map(|x| x * scale));
        body.pose.translation = body.pose.translation.map(|x| x * scale);
    }
    [a, b]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model, pose};
    use impinge::{Body, Query, brute_force, distance::Accuracy};

    /// Every family has pairs that the library accepts, and whose distance equals that without a tree; some
    /// pairs meet, some are disjoint, and some have degenerate triangles.
    #[test]
    fn pairs_are_of_all_sorts() {
        let (mut query, mut meeting, mut apart) = (Query::new(), 0, 0);
        for pair in pairs(7, 10 * FAMILIES.len()) {
            let models = [0, 1].map(|k| model(&pair.bodies[k]).unwrap());
            let poses = [0, 1].map(|k| pose(&pair.bodies[k].pose).unwrap());
            let [a, b] = [0, 1].map(|k| Body::new(&models[k], poses[k]));
            let found = query.distance(&a, &b).unwrap();
            let want = brute_force::distance(&a, &b, Accuracy::new()).unwrap();
            assert_eq!([found.lo, found.hi], [want.lo, want.hi], "{}", pair.name);
            meeting += u32::from(found.hi == 0.0);
            apart += u32::from(found.lo > 0.0);
        }
        assert!(meeting > 5 && apart > 30, "{meeting} {apart}");
    }
}
