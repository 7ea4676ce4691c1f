use super::*;
use crate::{
    Fit,
    primitives::{NormalizedMesh, Primitives, bounds_of, items},
    volume::{
        aabb::Aabb,
        bounding_volume::BoundingVolume,
        dop::{Dop14, Dop18, Dop24, Dop26},
        obb::{Obb, ObbHull},
        scb::{Scb, Scb26},
        shape::ROUNDING,
        sphere::Sphere,
    },
};
use impinge::{Mesh, hierarchy::NormalizedFrame};

/// Numbers in [-1, 1), from a linear congruential generator.
struct RandomPoints(u64);

impl RandomPoints {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / 2_f64.powi(52) - 1.0
    }
    fn point(&mut self) -> Vector {
        [0; 3].map(|_| self.next())
    }
    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * n as f64) as usize
    }
}

/// A few triangles, some of them flat or along an axis, in their own normalized frame.
fn triangles(random: &mut RandomPoints, round: usize) -> (Mesh, NormalizedFrame) {
    let frame = NormalizedFrame { origin: [0.0; 3], scale: 1.0 };
    let points = (0..12).map(|_| {
        let p = random.point();
        match round % 4 {
            0 => [p[0], p[1], 0.25],
            1 => [p[0], 1e-3 * p[1], 1e-6 * p[2]],
            2 => p.map(|x| (4.0 * x).round() / 4.0),
            _ => p,
        }
    });
    (Mesh::new(points.collect(), vec![[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]).unwrap(), frame)
}

/// Rays through a corner of the triangles, from nearby and from far away, and planes through it.
fn check<V: BoundingVolume>(seed: u64) {
    let (mut random, mut narrow) = (RandomPoints(seed), 0);
    for round in 0..400 {
        let (mesh, frame) = triangles(&mut random, round);
        let items = items(&frame, &mesh, 0..mesh.len() as u32);
        let points = frame.points_of(&mesh);
        let mesh = NormalizedMesh { points: &points, triangles: mesh.triangles() };
        let primitives = Primitives { mesh, items: &items, bounds: bounds_of(&items) };
        let volume = V::fit(&primitives, Fit::Auto);
        for _ in 0..10 {
            let p = points[random.below(points.len())];
            let d = match random.below(4) {
                0 => [0.0, 0.0, [1.0, -1e-9][random.below(2)]],
                1 => [random.next(), 0.0, 0.0],
                2 => sub(&points[random.below(points.len())], &p),
                _ => random.point(),
            };
            if d == [0.0; 3] {
                continue;
            }
            let t = [0.0, 0.5, 7.0, 1e9][random.below(4)];
            let origin = [0, 1, 2].map(|k| p[k] - t * d[k]);
            let error = (0..3).fold(0.0, |most: f64, k| most.max(p[k].abs() + 2.0 * (t * d[k]).abs())) * UNIT;
            let line =
                Line::new(&RoundedVector { v: origin, error }, &RoundedVector { v: d, error: 0.0 }).unwrap();
            let q = t * line.per_t - line.before;
            let off = 8.0 * UNIT * (t * line.per_t + line.before);
            let [from, to] = volume.passage(&V::ray(&line));
            assert!(from - off <= q && q <= to + off && q <= line.end(t), "{p:?} {d:?} {t} {volume:?}");
            assert!(line.begin() <= q + off);
            narrow += usize::from(to - from < 4.0);

            let a = random.point();
            let a = a.map(|x| x / 4.5 / (a[0].abs() + a[1].abs() + a[2].abs()));
            let [low, high] = volume.range(&V::direction(&a));
            let value = dot(&a, &p);
            assert!(low - ROUNDING <= value && value <= high + ROUNDING, "{p:?} {a:?} {volume:?}");
            assert!(high - low < 2.0, "{volume:?}: {low} {high}");
        }
        // A ray beside it, and one away from it.
        for (origin, d) in [([20.0, 0.0, 0.0], [0.0, 1.0, 0.25]), ([9.0, 9.0, 9.0], [1.0, 1.0, 0.5])] {
            let line =
                Line::new(&RoundedVector { v: origin, error: 0.0 }, &RoundedVector { v: d, error: 0.0 })
                    .unwrap();
            let [from, to] = volume.passage(&V::ray(&line));
            assert!(from.max(line.begin()) > to, "{origin:?} {volume:?}");
        }
    }
    assert!(narrow > 3000, "{narrow}");
}

#[test]
fn a_ray_through_a_corner_and_a_plane_through_it_meet_the_volume() {
    check::<Aabb>(1);
    check::<Sphere>(2);
    check::<Dop14>(3);
    check::<Dop18>(4);
    check::<Dop24>(5);
    check::<Dop26>(6);
    check::<Obb>(7);
    check::<ObbHull>(8);
    check::<Scb>(9);
    check::<Scb26>(10);
}

#[test]
fn numbers_without_a_bound_make_no_line() {
    let near = |v: Vector, error: f64| RoundedVector { v, error };
    let (o, d) = (near([0.5; 3], 1e-15), near([1.0, 2.0, 3.0], 1e-15));
    assert!(Line::new(&o, &d).is_some());
    for error in [f64::NAN, f64::INFINITY, 1.0] {
        assert!(Line::new(&near(o.v, error), &d).is_none() && Line::new(&o, &near(d.v, error)).is_none());
    }
    for x in [f64::NAN, f64::INFINITY, 1e250] {
        assert!(Line::new(&near([x, 0.0, 0.0], 0.0), &d).is_none(), "{x}");
        assert!(Line::new(&o, &near([x, x, 0.0], x)).is_none(), "{x}");
    }
    assert!(Line::new(&o, &near([0.0; 3], 0.0)).is_none());
}
