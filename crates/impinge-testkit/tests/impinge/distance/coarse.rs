//! Distances of relative or absolute accuracy, and distances of solids.
use super::{gap, model, one};
use impinge::{
    Body, Mesh, Pose, Query, brute_force,
    distance::{Accuracy, Margin},
    query::QueryCache,
    relation::RelationKind,
    solid::{FillRule, Location},
};
use impinge_testkit::{
    meshes,
    near_degenerate::{FAMILIES, near_degenerate},
    oracle,
    rng::Rng,
    ways::levels,
};
use std::cmp::Ordering;

fn margin(x: f64) -> Margin {
    Margin::new(x).unwrap()
}

#[test]
fn coarse_intervals_hold_the_distance_of_two_triangles() {
    for i in 0..FAMILIES.len() as u64 * 10 {
        let case = near_degenerate(78, i);
        let (p, a, q, b) = (&case.p, &case.pose_p, &case.q, &case.pose_q);
        let exact = gap(p, a, q, b, Accuracy::new().exact());
        let fine = gap(p, a, q, b, Accuracy::new());
        let compare = |d: f64| oracle::compare_distance(p, a, q, b, d);
        for (rel, abs) in [(0.3, 0.0), (1e-9, 0.0), (0.0, 1e-7), (0.01, exact.hi.min(1e300) / 3.0)] {
            let stop = Accuracy::new().rel(rel).unwrap().abs(margin(abs));
            let found = gap(p, a, q, b, stop);
            assert_ne!(compare(found.lo), Ordering::Less, "{case:?}: {found:?}");
            assert!(
                found.hi == f64::INFINITY || compare(found.hi) != Ordering::Greater,
                "{case:?}: {found:?}"
            );
            assert_eq!(found.hi == 0.0, exact.hi == 0.0, "{case:?}: {found:?}");
            let widest = (rel * found.hi).max(abs).max(fine.hi - fine.lo);
            assert!(found.hi - found.lo <= widest, "{case:?}: {found:?} {fine:?}");
            // Decisions on margins are exact, even if the margin is inside the interval.
            let inside = found.lo + 0.6 * (found.hi - found.lo);
            for above in [inside, exact.lo, exact.hi] {
                if above.is_finite() {
                    let told = brute_force::distance(
                        &Body::new(&one(p), *a),
                        &Body::new(&one(q), *b),
                        stop.above(margin(above)),
                    );
                    assert_eq!(told.is_some(), compare(above) != Ordering::Greater, "{case:?}: {above:e}");
                    assert!(told.is_none_or(|told| told.lo == found.lo && told.hi == found.hi.min(above)));
                }
            }
        }
    }
}

#[test]
fn coarse_intervals_are_the_same_whatever_is_looked_at_first() {
    let mut rng = Rng::new(15);
    let models = [
        meshes::icosphere(2),
        meshes::mapped(&meshes::icosphere(2), |p| p.map(|x| 1.04 * x)),
        meshes::torus(12, 9, 0.3),
        meshes::needles(4, 80),
        meshes::soup(3, 90, 0.3),
    ]
    .map(model);
    // Small bodies that a plane separates test few triangles in any case: these are larger.
    let large = [
        meshes::icosphere(3),
        meshes::mapped(&meshes::icosphere(3), |p| p.map(|x| 1.04 * x)),
        meshes::torus(30, 20, 0.3),
    ]
    .map(model);
    let (mut cache, mut apart, mut fewer) = (QueryCache::new(), 0, 0);
    for round in 0..80 {
        let [x, y] = if round % 4 == 0 { [0, 1] } else { [rng.below(5) as usize, rng.below(5) as usize] };
        let far = if round % 4 == 0 { 0.03 } else { [3.0, 50.0][round % 2] };
        let [a, b] = [0.0, far].map(|far| Pose::rigid(rng.rotation(), rng.point(far)).unwrap());
        let (a, b) = (Body::new(&models[x], a), Body::new(&models[y], b));
        let exact = Query::new().with_accuracy(Accuracy::new().exact()).distance(&a, &b).unwrap();
        for rel in [1e-12, 1e-3, 0.2, 5.0] {
            let stop = Accuracy::new().rel(rel).unwrap();
            let want = brute_force::distance(&a, &b, stop).unwrap();
            assert!(want.lo <= exact.lo && exact.hi <= want.hi && want.hi - want.lo <= rel * want.hi);
            for level in levels() {
                let mut query = Query::new().simd(level);
                let cached = query.with_cache(&mut cache).with_accuracy(stop).distance(&a, &b).unwrap();
                for found in [
                    query.with_accuracy(stop).distance(&a, &b).unwrap(),
                    cached,
                    query.with_accuracy(stop).distance(&b, &a).unwrap(),
                ] {
                    assert_eq!((found.lo, found.hi), (want.lo, want.hi), "{round}: {level:?} {rel}");
                }
                // The distance of the triangles of the result is in the interval.
                let [p, q] = [(&a, 0), (&b, 1)].map(|(x, k)| x.model.mesh().corners(cached.triangles[k]));
                let told = gap(&p, &a.pose, &q, &b.pose, Accuracy::new().exact());
                assert!(told.lo >= want.lo && told.hi <= want.hi, "{round}: {told:?} {want:?}");
            }
        }
        let tested = |stop: Accuracy| {
            let mut query = Query::new().counting(true);
            let [a, b] = [(&a, x), (&b, y)].map(|(body, k)| Body::new(&large[k.min(2)], body.pose));
            query.with_accuracy(stop).distance(&a, &b);
            query.counters().unwrap().count.triangle_tests
        };
        apart += usize::from(exact.hi > 0.0);
        fewer += usize::from(3 * tested(Accuracy::new().rel(0.1).unwrap()) < tested(Accuracy::new()));
    }
    assert!(apart > 40 && fewer > 15, "{apart} {fewer}");
}

/// A distance with [`Accuracy::solids`] agrees with the relation and the surfaces' distance.
#[test]
fn solids_are_as_far_apart_as_their_points() {
    let mut rng = Rng::new(16);
    let two = meshes::merged(&[
        &meshes::mapped(&meshes::icosphere(1), |p| p.map(|x| 0.1 * x)),
        &meshes::mapped(&meshes::icosphere(1), |[x, y, z]| [0.1 * x + 3.0, 0.1 * y, 0.1 * z]),
    ]);
    let models = [meshes::icosphere(2), meshes::torus(24, 14, 0.3), two, meshes::sheet(3, 5, 0.2)].map(model);
    let small = models.each_ref().map(|m| model(meshes::mapped(m.mesh(), |p| p.map(|x| 0.1 * x))));
    let (mut query, mut inside, mut outside) = (Query::new(), 0, 0);
    for round in 0..400 {
        let (x, y) = (rng.below(4) as usize, rng.below(4) as usize);
        let [p, q] = [0.0, 1.0].map(|far| Pose::rigid(rng.rotation(), rng.point(far)).unwrap());
        let (a, b) = (Body::new(&models[x], p), Body::new(&small[y], q));
        let relation = query.relation(&a, &b);
        let surfaces = query.distance(&a, &b).unwrap();
        let stop = Accuracy::new().solids();
        let found = query.with_accuracy(stop).distance(&a, &b).unwrap();
        let cached = query.with_cache(&mut QueryCache::new()).with_accuracy(stop).distance(&a, &b);
        let back = query.with_accuracy(stop).distance(&b, &a).unwrap();
        assert_eq!((found.lo, found.hi), (back.lo, back.hi));
        assert_eq!(query.with_accuracy(stop).distance_each(&[[a, b]]), [Some(found)]);
        assert_eq!(cached, Some(found));
        assert_eq!(found.hi == 0.0, relation.kind != RelationKind::Apart, "{round}: {relation:?} {found:?}");
        if relation.kind == RelationKind::Apart {
            assert_eq!(found, surfaces);
            outside += 1;
        } else if !relation.touching {
            let [at, same] = found.points;
            assert_eq!(at, same);
            // The point is a corner of one body, inside the other.
            let bodies = [&a, &b];
            let where_it_is = bodies.map(|body| query.locate(body, &[at])[0]);
            let inner = usize::from(where_it_is[0] == Location::Inside);
            assert_eq!(where_it_is[1 - inner], Location::Inside, "{round}: {where_it_is:?}");
            let body = bodies[inner];
            let corners = body.model.mesh().corners(found.triangles[inner]);
            assert!(corners.iter().any(|v| body.pose.place(*v) == at));
            let outer = query.closest_point(bodies[1 - inner], at).unwrap();
            assert_eq!(outer.triangle, found.triangles[1 - inner]);
            assert_eq!(back.points, found.points);
            inside += 1;
        }
    }
    assert!(inside > 40 && outside > 40, "{inside} {outside}");
}

/// The query's rule applies: a shell turned inside out contains nothing if winding numbers must be positive.
#[test]
fn the_rule_says_what_is_inside() {
    let outer = meshes::icosphere(2);
    let turned = outer.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let turned = Mesh::new(outer.points().to_vec(), turned).unwrap();
    let (shell, small) = (model(turned), model(meshes::mapped(&outer, |p| p.map(|x| 0.5 * x))));
    let (a, b) = (Body::new(&shell, Pose::IDENTITY), Body::new(&small, Pose::IDENTITY));
    let hi = |rule| {
        Query::new().fill_rule(rule).with_accuracy(Accuracy::new().solids()).distance(&a, &b).unwrap().hi
    };
    assert_eq!(hi(FillRule::NonZero), 0.0);
    assert_eq!(hi(FillRule::EvenOdd), 0.0);
    assert!(hi(FillRule::Positive) > 0.4);
}
