//! Fit of two slabs to a cluster, the corners below a child: one across the direction in which the cluster is
//! thinnest, and one across the thinnest direction perpendicular to that.
//!
//! Directions are tried eight at a time, in f32, on a sample of the corners (`fit/sample.rs`,
//! `fit/perpendicular.rs`). The best two get the interval of *all* corners. Only that interval has to be
//! right. It spans n . (v - c) for all corners v, with c the centre of the child's box, and is widened by a
//! bound on its rounding.
//!
//! # Bound
//! With u = 2^-24: a corner v comes rounded to f32, off by u |v| on each axis and by
//! [`TREE_ERROR`](super::TREE_ERROR). The difference d = v - c rounds by u |d|, and its product with n, whose
//! entries are at most 1, by 3 u (|d_x| + |d_y| + |d_z|) to first order. With R the largest coordinate of the
//! corners and E the largest of the differences, all that is at most
//!
//! |n|_1 u (R + 4 E) + |n|_1 2^-46 <= 2 u (R + 4 E) + 2^-45, as |n|_1 <= 1.7321.
//!
//! [`Cluster::slack`] adds a tenth to the first term, for the second order.
mod cluster;
mod perpendicular;
mod sample;
mod vector;

use self::{
    perpendicular::perpendicular,
    sample::{NarrowestDirection, Sample},
    vector::{PortableEight, basis, cross, dot, lanes, loaded, unit, units},
};
use super::node::{Interval, NORMAL};
use crate::simd::{Lanes, Portable, Simd};

/// A slab that is this part of its box, or less, is thin enough.
const FLAT: f32 = 1e-3;
/// The mean normal replaces the first slab's in a refit if it makes a slab narrower than this part of its
/// width.
const THINNER: f32 = 0.8;

pub(super) use self::{
    cluster::{Cluster, LARGEST},
    vector::Vector32,
};

/// A coordinate of a direction that is tilted eight ways: see [`CIRCLE`].
#[inline(always)]
fn tilted(n: f32, tilt: f32, [u, v]: [f32; 2], scale: f32) -> PortableEight {
    let simd = Portable;
    let [c, s] = [simd.load(&CIRCLE[0]), simd.load(&CIRCLE[1])];
    (simd.eight(n) + simd.eight(tilt) * (c * simd.eight(u) + s * simd.eight(v))) * simd.eight(scale)
}

/// A direction as it is stored: see `node.rs`.
#[inline(always)]
fn stored(n: Vector32) -> [i16; 3] {
    // 1.5 * 2^23: adding and subtracting it rounds to the nearest integer.
    const SHIFT: f32 = 12_582_912.0;
    n.map(|x| ((x * 32767.0 + SHIFT) - SHIFT) as i16)
}

/// Eight directions around the circle: cosines and sines.
const CIRCLE: [[f32; 8]; 2] = {
    const H: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [[1.0, H, 0.0, -H, -1.0, -H, 0.0, H], [0.0, H, 1.0, H, 0.0, -H, -1.0, -H]]
};
/// Tangents of the angles by which the first direction is tilted to improve it.
const TILTS: [f32; 2] = [0.12, 0.04];

impl Cluster<'_> {
    /// Both slabs, relative to the centre.
    #[inline(always)]
    pub(super) fn slabs(&self) -> [Interval; 2] {
        let sample = Sample::of(self);
        let mut first = self.thinnest_axis();
        let normals = self.largest.map(|e| cross(e[0], e[1]));
        let longest = self.largest.map(longest);
        let mut n = [[0.0; 8]; 3];
        let mut put = |k: usize, v: Vector32| (0..3).for_each(|i| n[i][k] = v[i]);
        put(0, self.normal);
        for k in 0..LARGEST {
            put(1 + k, normals[k]);
            put(4 + k, cross(normals[k], longest[k]));
        }
        let [least, most] = sample.principal_axes();
        put(7, least);
        let (n, none) = units(n);
        first.among(&n, lanes(sample.widths(&loaded(&n)) + Portable.load_pairs(&none)));
        // A thin slab is good enough.
        let size = self.half[0].max(self.half[1]).max(self.half[2]);
        if first.width > FLAT * size {
            for tilt in TILTS {
                let [u, v] = basis(first.n);
                let scale = 1.0 / (1.0 + tilt * tilt).sqrt();
                // No closure: compiled by itself it would lack the instructions that builds use.
                let n = [
                    tilted(first.n[0], tilt, [u[0], v[0]], scale),
                    tilted(first.n[1], tilt, [u[1], v[1]], scale),
                    tilted(first.n[2], tilt, [u[2], v[2]], scale),
                ];
                first.among(&[lanes(n[0]), lanes(n[1]), lanes(n[2])], lanes(sample.widths(&n)));
            }
        }
        let (n, [a, b, c], [e, f, g]) = (first.n, normals, longest);
        let tries = [a, b, c, cross(n, e), cross(n, f), cross(n, g), cross(n, least), cross(n, most)];
        let second = perpendicular(&sample, n, &tries);
        self.intervals(&sample, [first.n, second].map(stored))
    }

    /// One slab, across the mean normal, or across the thinnest axis if there is none.
    #[inline(always)]
    pub(super) fn one_slab(&self) -> [Interval; 2] {
        let n = stored(unit(self.normal).unwrap_or_else(|| self.thinnest_axis().n));
        let [low, high] = self.extents(&[n])[0];
        let slack = self.slack();
        // A slab without a direction contains everything, errors included.
        let nothing = Interval { n: [0; 3], lo: -slack, hi: slack };
        [Interval { n, lo: f64::from(low) - slack, hi: f64::from(high) + slack }, nothing]
    }

    /// The slabs of a refit. They keep their normals, except the first one if the mean normal makes a much
    /// thinner slab. The sample of a build decides that, so a build's choice stays as long as nothing moves.
    #[inline(always)]
    pub(super) fn refitted(&self, [first, second]: [[i16; 3]; 2]) -> [Interval; 2] {
        let sample = Sample::of(self);
        let mean = unit(self.normal).unwrap_or_default();
        let mut n = [[0.0; 8]; 3];
        for k in 0..3 {
            (n[k][0], n[k][1]) = (f32::from(first[k]) / NORMAL, mean[k]);
        }
        let [old, new, ..] = lanes(sample.widths(&loaded(&n)));
        let size = self.half[0].max(self.half[1]).max(self.half[2]);
        // A thin slab is good enough. The normals' sum may be 0, which is no direction.
        let is_thinner = old > FLAT * size && new < THINNER * old && mean != [0.0; 3];
        self.intervals(&sample, [if is_thinner { stored(mean) } else { first }, second])
    }

    #[inline(always)]
    fn thinnest_axis(&self) -> NarrowestDirection<Vector32> {
        let mut best = NarrowestDirection { n: [1.0, 0.0, 0.0], width: self.sides[0] };
        for k in 1..3 {
            if self.sides[k] < best.width {
                let mut n = [0.0; 3];
                n[k] = 1.0;
                best = NarrowestDirection { n, width: self.sides[k] };
            }
        }
        best
    }

    /// The bound on an interval's rounding: see the head.
    #[inline(always)]
    fn slack(&self) -> f64 {
        let (mut far, mut size) = (0.0_f32, 0.0_f32);
        for k in 0..3 {
            far = far.max(self.centre[k].abs() + self.half[k]);
            size = size.max(self.half[k]);
        }
        2.2 * crate::vector::UNIT_F32 * (f64::from(far) + 4.0 * f64::from(size)) + 4.0 * super::TREE_ERROR
    }

    /// The slabs across two directions.
    #[inline(always)]
    fn intervals(&self, sample: &Sample, n: [[i16; 3]; 2]) -> [Interval; 2] {
        let extents = if sample.len == self.points[0].len() {
            let mut extents = Extents::new(&n);
            // The sample is all corners.
            for at in (0..sample.len).step_by(8) {
                extents.add(sample.v.each_ref().map(|x| Portable.load_pairs(&x[at..])));
            }
            extents.ends()
        } else {
            self.extents(&n)
        };
        let slack = self.slack();
        std::array::from_fn(|k| Interval {
            n: n[k],
            lo: f64::from(extents[k][0]) - slack,
            hi: f64::from(extents[k][1]) + slack,
        })
    }

    /// The least and the greatest products of all corners, less the centre, with some directions.
    #[inline(always)]
    fn extents<const N: usize>(&self, n: &[[i16; 3]; N]) -> [[f32; 2]; N] {
        let simd = Portable;
        let mut extents = Extents::new(n);
        let c = self.centre.map(|x| simd.eight(x));
        let [x, y, z] = self.points;
        let ((x, u), (y, v), (z, w)) = (x.as_chunks::<8>(), y.as_chunks::<8>(), z.as_chunks::<8>());
        for ((x, y), z) in x.iter().zip(y).zip(z) {
            extents.add([simd.load_pairs(x) - c[0], simd.load_pairs(y) - c[1], simd.load_pairs(z) - c[2]]);
        }
        if let (&[.., x], &[.., y], &[.., z]) = (u, v, w) {
            let mut rest = [[x; 8], [y; 8], [z; 8]];
            for (to, from) in rest.iter_mut().zip([u, v, w]) {
                to[..from.len()].copy_from_slice(from);
            }
            let rest = loaded(&rest);
            extents.add([rest[0] - c[0], rest[1] - c[1], rest[2] - c[2]]);
        }
        extents.ends()
    }
}

/// Least and greatest products of corners with some directions, eight corners at a time.
struct Extents<const N: usize> {
    n: [[PortableEight; 3]; N],
    low: [PortableEight; N],
    high: [PortableEight; N],
}

impl<const N: usize> Extents<N> {
    #[inline(always)]
    fn new(n: &[[i16; 3]; N]) -> Self {
        Self {
            n: n.map(|n| n.map(|x| Portable.eight(f32::from(x) / NORMAL))),
            low: [Portable.eight(f32::INFINITY); N],
            high: [Portable.eight(f32::NEG_INFINITY); N],
        }
    }
    #[inline(always)]
    fn add(&mut self, d: [PortableEight; 3]) {
        for k in 0..N {
            let n = &self.n[k];
            let x = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
            self.low[k] = x.min(self.low[k]);
            self.high[k] = x.max(self.high[k]);
        }
    }
    #[inline(always)]
    fn ends(self) -> [[f32; 2]; N] {
        std::array::from_fn(|k| {
            let (low, high) = (lanes(self.low[k]), lanes(self.high[k]));
            [
                low.into_iter().fold(f32::INFINITY, |m, x| if x < m { x } else { m }),
                high.into_iter().fold(f32::NEG_INFINITY, |m, x| if x > m { x } else { m }),
            ]
        })
    }
}

#[inline(always)]
fn longest([a, b, c]: [Vector32; 3]) -> Vector32 {
    let [p, q, r] = [dot(a, a), dot(b, b), dot(c, c)];
    if p >= q && p >= r {
        a
    } else if q >= r {
        b
    } else {
        c
    }
}
