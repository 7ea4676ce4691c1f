//! Tests of the knots: interlocked, disjoint, and as close as in the paper.
use super::{QUICK, hits};
use crate::{
    scenes::{Sources, build, knots},
    topology::{Topology, signed_volume_6},
};
use impinge::Mesh;
use std::f64::consts::TAU;

#[test]
fn tubes_are_closed_and_as_many_triangles_as_in_table_2() {
    for (level, counts) in [[3528, 3672], [6860, 7140], [10_976, 11_424]].into_iter().enumerate() {
        for (tube, count) in knots::tubes(level).iter().zip(counts) {
            let topology = Topology::of(tube);
            assert!(topology.is_closed(), "{topology:?}");
            assert_eq!((tube.len(), topology.pieces, topology.genus()), (count, 1, 1));
            // The curve's length, some 15, times the area of a cross-section.
            let volume = signed_volume_6(tube) / 6.0;
            assert!(volume > 0.8 && volume < 1.2, "{volume}");
        }
    }
}

#[test]
fn the_centre_curves_are_linked_six_times() {
    // Gauss's integral by the midpoints of chords.
    let curve =
        |n: u32, shift| -> Vec<_> { (0..i64::from(n)).map(|k| knots::centre(k, n, shift).0).collect() };
    let (a, b) = (curve(600, 0.0), curve(700, 2.0 * knots::RADIUS + 0.001));
    let chords = |c: &[[f64; 3]]| -> Vec<_> {
        (0..c.len())
            .map(|i| {
                let (p, q) = (c[i], c[(i + 1) % c.len()]);
                (along(p, 0.5, minus(q, p)), minus(q, p))
            })
            .collect()
    };
    let (a, b) = (chords(&a), chords(&b));
    let mut sum = 0.0;
    for (p, d) in &a {
        for (q, e) in &b {
            let r = minus(*p, *q);
            let across = [d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2], d[0] * e[1] - d[1] * e[0]];
            sum += dot(r, across) / dot(r, r).powf(1.5);
        }
    }
    let linked = sum / (2.0 * TAU);
    assert!((linked.abs() - 6.0).abs() < 0.05, "{linked}");
}

#[test]
fn the_tubes_are_a_thousandth_apart() {
    for level in 0..3 {
        let [a, b] = knots::tubes(level);
        let distance = closest(&a, &b, 0.002);
        assert!((distance - 0.001).abs() < 2e-5, "level {level}: {distance}");
    }
}

#[test]
fn they_never_meet() {
    let full = Sources { quick: false, ..QUICK };
    for (name, sources) in [("knots-l1", full), ("knots-l2", QUICK), ("knots-l3", QUICK)] {
        let scene = build(name, &sources).unwrap();
        assert_eq!(hits(&scene).iter().sum::<usize>(), 0, "{name}");
    }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn along(p: [f64; 3], t: f64, d: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| p[k] + t * d[k])
}

/// Squared distance of two segments (Ericson 2005, section 5.1.9): the least of the inner points and the four
/// ends.
fn segments(p: [[f64; 3]; 2], q: [[f64; 3]; 2]) -> f64 {
    let (d, e, r) = (minus(p[1], p[0]), minus(q[1], q[0]), minus(p[0], q[0]));
    let (a, b, c, f, g) = (dot(d, d), dot(d, e), dot(d, r), dot(e, e), dot(e, r));
    let at = |s: f64| {
        let t = ((b * s + g) / f).clamp(0.0, 1.0);
        let s = ((b * t - c) / a).clamp(0.0, 1.0);
        let gap = minus(along(p[0], s, d), along(q[0], t, e));
        dot(gap, gap)
    };
    let inner = ((b * g - c * f) / (a * f - b * b)).clamp(0.0, 1.0);
    at(inner).min(at(0.0)).min(at(1.0))
}

/// Squared distance of a point from a triangle's inside; infinite if its foot is outside.
fn above([a, b, c]: [[f64; 3]; 3], p: [f64; 3]) -> f64 {
    let (u, v, w) = (minus(b, a), minus(c, a), minus(p, a));
    let (uu, uv, vv, wu, wv) = (dot(u, u), dot(u, v), dot(v, v), dot(w, u), dot(w, v));
    let area = uu * vv - uv * uv;
    let (s, t) = ((vv * wu - uv * wv) / area, (uu * wv - uv * wu) / area);
    if s < 0.0 || t < 0.0 || s + t > 1.0 {
        return f64::INFINITY;
    }
    let gap = minus(w, along(u.map(|x| s * x), t, v));
    dot(gap, gap)
}

/// The distance of two meshes that are disjoint, if it is below `most`.
fn closest(a: &Mesh, b: &Mesh, most: f64) -> f64 {
    let extent = |t: [[f64; 3]; 3]| {
        [
            [0, 1, 2].map(|k| t[0][k].min(t[1][k]).min(t[2][k])),
            [0, 1, 2].map(|k| t[0][k].max(t[1][k]).max(t[2][k])),
        ]
    };
    let boxes: Vec<_> = (0..b.len() as u32).map(|j| (extent(b.corners(j)), b.corners(j))).collect();
    let mut least = f64::INFINITY;
    for t in (0..a.len() as u32).map(|i| a.corners(i)) {
        let [lo, hi] = extent(t);
        for (_, u) in
            boxes.iter().filter(|([l, h], _)| (0..3).all(|k| l[k] <= hi[k] + most && lo[k] <= h[k] + most))
        {
            for i in 0..3 {
                least = least.min(above(t, u[i])).min(above(*u, t[i]));
                for j in 0..3 {
                    least = least.min(segments([t[i], t[(i + 1) % 3]], [u[j], u[(j + 1) % 3]]));
                }
            }
        }
    }
    least.sqrt()
}
