//! Bodies with radii, against exact sums of integers.
use impinge::{
    AnyBody, Body, ErrorKind, Mesh, Model, Pose, Query, SimdLevel, brute_force,
    distance::{Accuracy, Margin},
    solid::Location,
};
use impinge_testkit::{
    cases::is_full,
    meshes,
    oracle::compare_distance_with_sum,
    rng::{Rng, nudge},
};
use std::cmp::Ordering;

/// A point on a line, where distances are multiples of 7, or of small integers, or of any f64.
fn point(rng: &mut Rng, kind: u64, half: i64) -> [f64; 3] {
    match kind {
        0 => {
            let k = rng.int(-half, half) as f64;
            [2.0 * k, 3.0 * k, 6.0 * k]
        }
        1 => rng.grid_point(half),
        _ => rng.point(half as f64),
    }
}

/// A point, a segment or a triangle.
fn shape(rng: &mut Rng, kind: u64) -> Model {
    let points: Vec<[f64; 3]> = (0..3).map(|_| point(rng, kind, 3)).collect();
    match rng.below(3) {
        // Spheres round the origin have a walk of their own.
        0 => Model::points(if rng.one_in(2) { &[[0.0; 3]] } else { &points[..1] }).unwrap(),
        1 => Model::segment(points[0], points[1]).unwrap(),
        _ => Model::new(Mesh::new(points, vec![[0, 1, 2]]).unwrap()),
    }
}

fn pose(rng: &mut Rng, kind: u64) -> Pose {
    let t = point(rng, kind, 8);
    if kind < 2 || rng.one_in(2) {
        Pose::from_translation(t).unwrap()
    } else {
        Pose::rigid(rng.rotation(), t).unwrap()
    }
}

/// The distance of the triangles of two bodies, compared with a sum, by integers of any size.
fn order(a: &Body<'_>, b: &Body<'_>, sum: &[f64]) -> Ordering {
    compare_distance_with_sum(&a.model.mesh().corners(0), &a.pose, &b.model.mesh().corners(0), &b.pose, sum)
}

/// Two radii whose sum is about the distance: often it is the distance, or its neighbour, and often f64 does
/// not hold the sum.
fn radii(rng: &mut Rng, distance: f64) -> [f64; 2] {
    let part = match rng.below(4) {
        0 => 0.0,
        1 => 0.5,
        2 => 2_f64.powi(-(rng.below(70) as i32)),
        _ => rng.unit(),
    };
    let r = nudge(distance * part, rng.int(-1, 1)).max(0.0);
    [r, nudge((distance - r).max(0.0), rng.int(-1, 1)).max(0.0)]
}

/// Points, segments and triangles with radii meet if and only if integers find it so: at contact, at the
/// neighbouring radii, and where f64 rounds the sum of both radii.
#[test]
fn bodies_with_radii_meet_as_integers_find() {
    let (mut rng, mut query) = (Rng::new(551), Query::new());
    let (mut counts, mut rounded) = ([0; 3], 0);
    for _ in 0..if is_full() { 20_000 } else { 2_000 } {
        let kind = rng.below(3);
        let models = [shape(&mut rng, kind), shape(&mut rng, kind)];
        let [a, b] = [0, 1].map(|i| Body::new(&models[i], pose(&mut rng, kind)));
        let gap = brute_force::distance(&a, &b, Accuracy::new()).unwrap();
        let bound = if rng.one_in(2) { gap.lo } else { gap.hi };
        let [r, s] = radii(&mut rng, bound);
        let (x, y) = (a.rounded(r).unwrap(), b.rounded(s).unwrap());
        let order = order(&a, &b, &[r, s]);
        counts[(order as i8 + 1) as usize] += 1;
        rounded += u64::from(r + s - r != s || r + s - s != r);
        let meet = order.is_le();
        assert_eq!(query.intersects(&x, &y), meet, "{a:?} {b:?} {r:e} {s:e}");
        assert_eq!(query.intersects(&y, &x), meet);
        assert_eq!(query.pairs(&x, &y).len(), usize::from(meet));
        assert_eq!(query.intersects_each(&[[x, y]]), [meet]);
        assert_eq!(query.intersects_at(&x, b.model, &[b.pose]), [self::order(&a, &b, &[r]).is_le()]);
        // A radius is a part of a margin.
        assert_eq!(query.within(&a, &y, Margin::new(r).unwrap()), meet);
        assert_eq!(query.within(&a, &b, Margin::sum([r, 0.0, s]).unwrap()), meet);
        assert_eq!(query.within_at(&x, b.model, &[b.pose], Margin::new(s).unwrap()), [meet]);
        distance(&mut query, [&x, &y], gap.hi);
    }
    println!("{counts:?}, {rounded} sums that f64 rounds");
    assert!(counts.iter().all(|count| *count > 50) && rounded > 300, "{counts:?} {rounded}");
}

/// Distances less the radii contain the truth, are as narrow as promised, and end at limits exactly.
fn distance(query: &mut Query, [x, y]: [&impinge::Rounded<'_>; 2], size: f64) {
    let (a, b, r, s) = (&x.body(), &y.body(), x.radius(), y.radius());
    let meet = order(a, b, &[r, s]).is_le();
    let exact = query.with_accuracy(Accuracy::new().exact()).distance(x, y).unwrap();
    let other = query.with_accuracy(Accuracy::new().exact()).distance(y, x).unwrap();
    assert_eq!((exact.lo, exact.hi, exact.points), (other.lo, other.hi, [other.points[1], other.points[0]]));
    for (found, is_exact) in [(query.distance(x, y).unwrap(), false), (exact, true)] {
        assert_eq!(found.hi == 0.0, meet, "{found:?}");
        assert!(found.lo >= 0.0 && found.lo <= found.hi);
        if meet {
            continue;
        }
        assert!(
            order(a, b, &[r, s, found.lo]).is_ge() && order(a, b, &[r, s, found.hi]).is_le(),
            "{found:?}"
        );
        let is_narrow = found.hi == found.lo || found.hi == found.lo.next_up();
        assert!(is_narrow || !is_exact && found.hi - found.lo <= 1e-11 * (size + 10.0), "{found:?}");
    }
    if !meet {
        let (at, below) =
            (Margin::new(exact.hi).unwrap(), Margin::new(exact.lo.next_down().max(0.0)).unwrap());
        for accuracy in [Accuracy::new(), Accuracy::new().exact(), Accuracy::new().rel(0.01).unwrap()] {
            let near = query.with_accuracy(accuracy.above(at)).distance(x, y).unwrap();
            assert!(near.hi <= exact.hi && near.lo <= exact.lo);
            assert_eq!(query.with_accuracy(accuracy.above(below)).distance(x, y), None);
        }
        let coarse = query.with_accuracy(Accuracy::new().rel(0.01).unwrap()).distance(x, y).unwrap();
        assert!(coarse.lo <= exact.hi && exact.lo <= coarse.hi && coarse.hi - coarse.lo <= 0.01 * coarse.hi);
    }
}

/// Integers decide if points are inside, on or outside of a body with a radius, and bound the distances of
/// its nearest points.
#[test]
fn points_lie_as_integers_find() {
    let (mut rng, mut query, mut counts) = (Rng::new(552), Query::new(), [0; 3]);
    for _ in 0..if is_full() { 20_000 } else { 2_000 } {
        let kind = rng.below(3);
        let (model, point) = (shape(&mut rng, kind), point(&mut rng, kind, 5));
        let a = Body::new(&model, pose(&mut rng, kind));
        let gap = query.closest_point(&a, point).unwrap();
        let r = nudge(if rng.one_in(2) { gap.lo } else { gap.hi }, rng.int(-1, 1)).max(0.0);
        let x = a.rounded(r).unwrap();
        let center = Model::points(&[[0.0; 3]]).unwrap();
        let at = Body::new(&center, Pose::from_translation(point).unwrap());
        let order = order(&a, &at, &[r]);
        counts[(order as i8 + 1) as usize] += 1;
        if r > 0.0 {
            let wanted = match order {
                Ordering::Less => Location::Inside,
                Ordering::Equal => Location::OnSurface,
                Ordering::Greater => Location::Outside,
            };
            assert_eq!(query.locate(&x, &[point]), [wanted], "{a:?} {point:?} {r:e}");
        }
        let exact = Accuracy::new().exact();
        for (near, is_exact) in [
            (query.closest_point(&x, point).unwrap(), false),
            (query.with_accuracy(exact).closest_point(&x, point).unwrap(), true),
            (query.closest_points(&x, &[point])[0].unwrap(), false),
        ] {
            assert_eq!(near.hi == 0.0, order.is_le(), "{near:?} {a:?} {point:?} {r:e}");
            if order.is_gt() {
                assert!(self::order(&a, &at, &[r, near.lo]).is_ge(), "{near:?}");
                assert!(self::order(&a, &at, &[r, near.hi]).is_le(), "{near:?}");
                assert!(!is_exact || near.hi == near.lo || near.hi == near.lo.next_up(), "{near:?}");
            } else {
                assert_eq!(near.point, point);
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

/// All pairs of triangles of meshes with radii, by the tree and by brute force; and the points that lie
/// between.
#[test]
fn meshes_with_radii_meet_as_all_pairs_do() {
    let mut rng = Rng::new(553);
    let models = [meshes::icosphere(2), meshes::torus(24, 12, 0.3), meshes::icosphere(1)].map(Model::new);
    let mut found = [0; 2];
    for round in 0..60 {
        let level = if round % 2 == 0 { SimdLevel::Portable } else { SimdLevel::default() };
        let mut query = Query::new().simd(level);
        let [a, b] = [0, 1].map(|_| {
            let pose = Pose::rigid(rng.rotation(), rng.point(2.0)).unwrap();
            Body::new(&models[rng.below(3) as usize], pose)
        });
        let radii = [rng.between(0.0, 0.3), rng.between(0.0, 0.3)];
        let (x, y) = (a.rounded(radii[0]).unwrap(), b.rounded(radii[1]).unwrap());
        let sum = Margin::sum([radii[0], radii[1], 0.0]).unwrap();
        let wanted = brute_force::pairs_within(&a, &b, sum);
        assert_eq!(query.pairs(&x, &y), wanted);
        assert_eq!(query.pairs_each(&[[x, y], [y, x]]).iter().next(), Some(&wanted[..]));
        let near = query.pairs_within(&x, &b, Margin::ZERO).to_vec();
        assert_eq!(query.pairs_at(&x, b.model, &[b.pose]).iter().next(), Some(&near[..]));
        assert_eq!(query.first_contact(&x, &y).is_some(), !wanted.is_empty());
        found[usize::from(wanted.is_empty())] += 1;
        let gap = query.distance(&x, &y).unwrap();
        // The points of the result are as far apart as it states, and in the bodies.
        let [p, q] = gap.points;
        let length = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
        assert!(length >= gap.lo - 1e-12 && length <= gap.hi + 1e-12, "{gap:?}");
        for (body, point) in [(&x, p), (&y, q)] {
            assert!(query.closest_point(body, point).unwrap().lo <= 1e-12, "{gap:?}");
        }
    }
    assert!(found.iter().all(|count| *count > 10), "{found:?}");
}

/// Spheres and meshes, by the walk for a point and by brute force: where they meet, just meet and just do not,
/// in either order, with each level of instructions.
#[test]
fn spheres_meet_meshes_as_all_triangles_do() {
    let mut rng = Rng::new(554);
    let models =
        [meshes::icosphere(2), meshes::torus(24, 12, 0.3), meshes::soup(3, 200, 0.3)].map(Model::new);
    let center = Model::points(&[[0.0; 3]]).unwrap();
    let mut counts = [0; 3];
    for round in 0..if is_full() { 3_000 } else { 300 } {
        let level = if round % 2 == 0 { SimdLevel::Portable } else { SimdLevel::default() };
        let mut query = Query::new().simd(level);
        let body =
            Body::new(&models[rng.below(3) as usize], Pose::rigid(rng.rotation(), rng.point(1.0)).unwrap());
        let at = Body::new(&center, Pose::from_translation(rng.point(1.5)).unwrap());
        let exact = brute_force::distance(&at, &body, Accuracy::new().exact()).unwrap();
        // A radius of the distance or its neighbours, and of any size.
        let radius = match round % 4 {
            0 => exact.lo,
            1 => nudge(exact.hi, rng.int(-1, 1)),
            _ => exact.hi * rng.between(0.5, 1.5),
        };
        let [i, j] = exact.triangles;
        assert_eq!(i, 0);
        let nearest = body.model.mesh().corners(j);
        let order = compare_distance_with_sum(&[[0.0; 3]; 3], &at.pose, &nearest, &body.pose, &[radius]);
        counts[(order as i8 + 1) as usize] += 1;
        let sphere = at.rounded(radius).unwrap();
        let meet = order.is_le();
        if let Some(pair) = query.first_contact(&sphere, &body) {
            let corners = body.model.mesh().corners(pair[1]);
            let own = compare_distance_with_sum(&[[0.0; 3]; 3], &at.pose, &corners, &body.pose, &[radius]);
            assert!(meet && own.is_le(), "{pair:?}");
        } else {
            assert!(!meet);
        }
        assert_eq!(query.intersects(&body, &sphere), meet);
        assert_eq!(query.within(&body, &sphere, Margin::ZERO), meet);
        assert_eq!(query.intersects_at(&sphere, body.model, &[body.pose]), [meet]);
        let [gap, other] =
            [query.distance(&sphere, &body), query.distance(&body, &sphere)].map(Option::unwrap);
        assert_eq!((gap.lo, gap.hi, gap.hi == 0.0), (other.lo, other.hi, meet));
        assert!(meet || gap.lo + radius <= exact.hi && exact.lo <= (gap.hi + radius).next_up(), "{gap:?}");
    }
    assert!(counts[0] > 50 && counts[2] > 50, "{counts:?}");
}

/// A closed mesh with a radius has its inside; one without a triangle near a point is empty there.
#[test]
fn a_closed_mesh_with_a_radius_has_its_inside() {
    let model = Model::new(Mesh::cuboid([4.0; 3]).unwrap());
    let body = Body::new(&model, Pose::IDENTITY);
    let rounded = body.rounded(0.5).unwrap();
    let points = [[0.0; 3], [2.0, 0.0, 0.0], [2.5, 0.0, 0.0], [2.5_f64.next_up(), 0.0, 0.0], [2.4, 2.4, 2.4]];
    let found =
        [Location::Inside, Location::Inside, Location::OnSurface, Location::Outside, Location::Outside];
    assert_eq!(Query::new().locate(&rounded, &points), found);
    // Solids: 0 apart, though the surfaces are not near.
    let center = Model::points(&[[0.0; 3]]).unwrap();
    let ball = Body::new(&center, Pose::IDENTITY).rounded(0.25).unwrap();
    let mut query = Query::new();
    assert!(!query.intersects(&rounded, &ball));
    let gap = query.distance(&rounded, &ball).unwrap();
    assert!(gap.lo <= 1.25 && 1.25 <= gap.hi);
    let solids = query.with_accuracy(Accuracy::new().solids()).distance(&rounded, &ball).unwrap();
    assert_eq!(solids.hi, 0.0);
}

#[test]
fn radii_are_refused_or_kept() {
    let model = Model::points(&[[0.0; 3]]).unwrap();
    let body = Body::new(&model, Pose::IDENTITY);
    for radius in [-1.0, f64::NAN, f64::INFINITY, 2_f64.powi(901)] {
        let error = body.rounded(radius).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidRadius { .. }), "{error}");
    }
    for radius in [-0.0, 0.0, f64::from_bits(1), 2_f64.powi(900)] {
        let rounded = body.rounded(radius).unwrap();
        assert_eq!(rounded.radius(), radius);
        assert_eq!((rounded.any_radius(), body.any_radius()), (radius, 0.0));
    }
    // Bodies beyond each other's f64 distance, and a margin beyond f64.
    let far = Pose::from_translation([f64::MAX, 0.0, 0.0]).unwrap();
    let (x, y) = (body.rounded(1.0).unwrap(), Body::new(&model, far));
    let mut query = Query::new();
    assert!(query.within(&x, &y, Margin::new(f64::MAX).unwrap()));
    let opposite = Body::new(&model, Pose::from_translation([-f64::MAX, 0.0, 0.0]).unwrap());
    assert!(!query.within(&opposite.rounded(1.0).unwrap(), &y, Margin::new(f64::MAX).unwrap()));
    assert!(Model::points(&[]).is_ok_and(|model| model.mesh().is_empty()));
}
