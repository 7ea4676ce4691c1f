//! Distances of small bodies that a plane may separate: bit for bit those of brute force.
use super::model;
use impinge::{
    Body, Mesh, Model, Pose, Query, SimdLevel, brute_force,
    distance::{Accuracy, DistanceBounds, Margin},
    query::QueryCache,
};
use impinge_testkit::{meshes, rng::Rng};

/// A convex hull of few points: round, flat, with many corners in one plane, or a sliver. `None` if these
/// points have no hull.
fn hull(rng: &mut Rng, scale: f64) -> Option<Mesh> {
    let count = 3 + rng.below(60) as usize;
    let kind = rng.below(6);
    let points: Vec<[f64; 3]> = (0..count)
        .map(|_| {
            let [x, y, z] = rng.direction();
            let at = match kind {
                0 => [x, y, 1e-9 * z],
                // Two parallel faces.
                1 => [x, y, z.signum() / 4.0],
                // Corners on a grid: parallel edges and faces.
                2 => [x, y, z].map(|x| (2.0 * x).round()),
                3 => [x, 1e-6 * y, 1e-3 * z],
                _ => [x, y, z],
            };
            at.map(|x| scale * x)
        })
        .collect();
    Mesh::hull(&points).ok()
}

/// A body that is not convex, flat, or has points without triangles.
fn other(rng: &mut Rng, scale: f64) -> Mesh {
    let mesh = match rng.below(6) {
        0 => meshes::soup(rng.below(1000), 20, 0.4),
        1 => meshes::torus(6, 5, 0.3),
        2 => meshes::sheet(rng.below(1000), 4, 0.2),
        3 => Mesh::new(vec![[0.0; 3], [1.0, 0.5, 0.0]], vec![[0, 1, 1]]).unwrap(),
        4 => Mesh::new(vec![[0.25, 0.5, 0.0]], vec![[0, 0, 0]]).unwrap(),
        _ => {
            let cube = meshes::cuboid([0.5, 0.5, 0.25]);
            let mut points = cube.points().to_vec();
            points.push([rng.unit(), 1e300, -1e300]);
            return Mesh::new(points, cube.triangles().to_vec()).unwrap();
        }
    };
    meshes::mapped(&mesh, |p| p.map(|x| scale * x))
}

/// A pose that turns and moves, and for some kinds shears, mirrors or scales.
fn pose(rng: &mut Rng, far: f64, kind: u64) -> Pose {
    let t = rng.point(far);
    let rows = rng.rotation();
    match kind {
        0 => Pose::from_translation(t).unwrap(),
        1 => Pose::affine(rows.map(|row| [1.5 * row[0], row[1] + 0.3 * row[0], -0.01 * row[2]]), t).unwrap(),
        _ => Pose::rigid(rows, t).unwrap(),
    }
}

#[test]
fn distances_of_small_bodies_are_those_of_brute_force() {
    let mut rng = Rng::new(71);
    let (mut query, mut cache) = (Query::new(), QueryCache::default());
    let (mut apart, mut met) = (0, 0);
    for round in 0..900_u64 {
        let scale = [1.0, 1e-100, 1e100, 1e-29, 3e28][(round % 40).saturating_sub(35) as usize];
        let scale = if round % 3 == 0 { 1.0 } else { scale };
        let shape = |rng: &mut Rng| match rng.below(4) {
            0 => Some(other(rng, scale)),
            _ => hull(rng, scale),
        };
        let [Some(a), Some(b)] = [(); 2].map(|()| shape(&mut rng)) else { continue };
        let (a, b) = (model(a), model(b));
        let far = scale * [1.0, 2.0, 3.0, 30.0, 1e6][rng.below(5) as usize];
        let own = if rng.below(4) == 0 { 1e4 * scale } else { scale };
        let kinds = [rng.below(8), rng.below(8)];
        let first = pose(&mut rng, own, kinds[0]);
        let second = pose(&mut rng, far, kinds[1]);
        let moved = |by: f64, along: [f64; 3]| {
            let (s, t) = (first.translation(), second.translation());
            let at = [0, 1, 2].map(|k| s[k] + t[k] + by * along[k]);
            if kinds[1] == 1 {
                Pose::affine(*second.rows(), at).unwrap()
            } else {
                Pose::rigid(*second.rows(), at).unwrap()
            }
        };
        let mut second = moved(0.0, [0.0; 3]);
        // Up to each other: almost or just in contact.
        if round % 2 == 0 {
            let gap = query.distance(&Body::new(&a, first), &Body::new(&b, second)).unwrap();
            let way = [0, 1, 2].map(|k| gap.points[0][k] - gap.points[1][k]);
            second = moved([1.0, 1.0 - 1e-3, 1.0 - 1e-9, 1.0 - 1e-13][rng.below(4) as usize], way);
        }
        let (p, q) = (Body::new(&a, first), Body::new(&b, second));
        let want = brute_force::distance(&p, &q, Accuracy::new()).unwrap();
        if want.hi == 0.0 {
            met += 1;
            assert_eq!(query.distance(&p, &q).unwrap().hi, 0.0, "{round}");
            continue;
        }
        apart += 1;
        for &level in SimdLevel::ALL {
            assert_eq!(Query::new().simd(level).distance(&p, &q), Some(want), "{round}: {level:?}");
        }
        assert_eq!(query.with_cache(&mut cache).distance(&p, &q), Some(want), "{round}: cached");
        assert_eq!(query.with_cache(&mut cache).distance(&p, &q), Some(want), "{round}: cached again");
        let back = query.distance(&q, &p).unwrap();
        assert_eq!(
            (back.lo, back.hi, [back.triangles[1], back.triangles[0]], [back.points[1], back.points[0]]),
            (want.lo, want.hi, want.triangles, want.points),
            "{round}: exchanged"
        );
        let margin = |x: f64| Margin::new(x.min(f64::MAX)).unwrap();
        // The pair of a coarse interval depends on the walk.
        let coarse = Accuracy::new().rel(0.1).unwrap();
        let bounds = |gap: Option<DistanceBounds>| gap.map(|gap| [gap.lo, gap.hi]);
        assert_eq!(
            bounds(query.with_accuracy(coarse).distance(&p, &q)),
            bounds(brute_force::distance(&p, &q, coarse)),
            "{round}: coarse"
        );
        for stop in [
            Accuracy::new().exact(),
            Accuracy::new().above(margin(want.hi)),
            Accuracy::new().above(margin(want.lo.next_down().max(0.0))),
            Accuracy::new().above(margin(0.9 * want.lo)),
            Accuracy::new().above(Margin::ZERO),
        ] {
            let want = brute_force::distance(&p, &q, stop);
            assert_eq!(query.with_accuracy(stop).distance(&p, &q), want, "{round}: {stop:?}");
        }
    }
    assert!(apart > 400 && met > 60, "{apart} apart, {met} meet");
}

/// Solids that a plane separates are as far apart as their surfaces.
#[test]
fn separated_solids_are_as_far_apart_as_their_surfaces() {
    let ball = model(meshes::icosphere(1));
    let small = model(meshes::mapped(&meshes::icosphere(1), |p| p.map(|x| x / 8.0)));
    let mut query = Query::new();
    for (x, is_inside) in [(0.0, true), (0.5, true), (1.5, false), (40.0, false)] {
        let (a, b) = (at(&ball, 0.0), at(&small, x));
        let want = query.distance(&a, &b).unwrap();
        let solid = query.with_accuracy(Accuracy::new().solids()).distance(&a, &b).unwrap();
        assert!(want.lo > 0.0);
        assert_eq!((solid.hi == 0.0, solid == want), (is_inside, !is_inside), "{x}");
    }
}

fn at(model: &Model, x: f64) -> Body<'_> {
    Body::new(model, Pose::from_translation([x, 0.01, 0.02]).unwrap())
}
