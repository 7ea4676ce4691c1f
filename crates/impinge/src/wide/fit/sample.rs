//! A sample of a cluster's corners: its widths along directions that are tried, and its principal axes.
use super::{
    cluster::{Cluster, SAMPLE},
    vector::{PortableEight, Vector32, lanes},
};
use crate::simd::{Lanes, Portable, Simd};

/// Corners relative to the centre of the child's box. The last one is repeated up to a multiple of 8.
pub(super) struct Sample {
    pub(super) v: [[f32; SAMPLE]; 3],
    pub(super) len: usize,
}

impl Sample {
    #[inline(always)]
    pub(super) fn of(cluster: &Cluster<'_>) -> Self {
        let all = cluster.points[0].len();
        let stride = all.div_ceil(SAMPLE).max(1);
        let len = all.div_ceil(stride);
        let mut sample = Self { v: [[0.0; SAMPLE]; 3], len };
        for k in 0..3 {
            let (to, c) = (&mut sample.v[k], cluster.centre[k]);
            if stride == 1 {
                for (to, x) in to.iter_mut().zip(cluster.points[k]) {
                    *to = x - c;
                }
            } else {
                for (to, x) in to.iter_mut().zip(cluster.points[k].iter().step_by(stride)) {
                    *to = x - c;
                }
            }
            let last = to[(len - 1) % SAMPLE];
            to[len..len.next_multiple_of(8).min(SAMPLE)].fill(last);
        }
        sample
    }

    /// Approximate principal axes: those of the least and of the largest variance, of any length.
    #[inline(always)]
    pub(super) fn principal_axes(&self) -> [Vector32; 2] {
        let simd = Portable;
        let zero = simd.eight(0.0);
        let (mut sum, mut square) = ([zero; 3], [zero; 6]);
        let end = self.len.next_multiple_of(8).min(SAMPLE);
        for at in (0..end).step_by(8) {
            let [x, y, z] = self.v.each_ref().map(|v| simd.load_pairs(&v[at..]));
            sum = [sum[0] + x, sum[1] + y, sum[2] + z];
            let [a, b, c, d, e, f] = square;
            square = [a + x * x, b + y * y, c + z * z, d + x * y, e + y * z, f + z * x];
        }
        let total = |x: PortableEight| lanes(x).into_iter().sum::<f32>();
        let n = end as f32;
        let [x, y, z] = sum.map(|x| total(x) / n);
        let [a, b, c, d, e, f] = square.map(|x| total(x) / n);
        let m = scaled([a - x * x, b - y * y, c - z * z, d - x * y, e - y * z, f - z * x]);
        let [a, b, c, d, e, f] = m;
        // The covariance's adjugate has the same axes; its eigenvalues are the inverse ones times the
        // determinant.
        let adjugate =
            [b * c - e * e, a * c - f * f, a * b - d * d, e * f - c * d, d * f - a * e, d * e - b * f];
        [dominant(adjugate), dominant(m)]
    }

    /// Widths of the sample in eight directions.
    #[inline(always)]
    pub(super) fn widths(&self, n: &[PortableEight; 3]) -> PortableEight {
        let simd = Portable;
        let (mut low, mut high) = (simd.eight(f32::INFINITY), simd.eight(f32::NEG_INFINITY));
        let [x, y, z] = &self.v;
        for ((&x, &y), &z) in x[..self.len].iter().zip(&y[..self.len]).zip(&z[..self.len]) {
            let d = n[0] * simd.eight(x) + n[1] * simd.eight(y) + n[2] * simd.eight(z);
            low = d.min(low);
            high = d.max(high);
        }
        high - low
    }
}

/// The best direction so far, and the sample's width along it.
#[derive(Clone, Copy)]
pub(super) struct NarrowestDirection<T> {
    pub(super) n: T,
    pub(super) width: f32,
}

impl NarrowestDirection<Vector32> {
    /// Takes the best of eight directions, if it is better.
    #[inline(always)]
    pub(super) fn among(&mut self, n: &[[f32; 8]; 3], widths: [f32; 8]) {
        for (k, width) in widths.into_iter().enumerate() {
            if width < self.width {
                *self = Self { n: [n[0][k], n[1][k], n[2][k]], width };
            }
        }
    }
}

/// A symmetric matrix: xx, yy, zz, xy, yz, zx.
type Symmetric = [f32; 6];

/// The matrix divided by its trace; zero if the trace is (nearly).
#[inline(always)]
fn scaled(m: Symmetric) -> Symmetric {
    let trace = m[0] + m[1] + m[2];
    if trace > 1e-30 { m.map(|x| x / trace) } else { [0.0; 6] }
}

/// Approximates the eigenvector of m's largest eigenvalue: a column of m's eighth power.
#[inline(always)]
fn dominant(m: Symmetric) -> Vector32 {
    let mut m = scaled(m);
    for _ in 0..3 {
        let [a, b, c, d, e, f] = m;
        m = scaled([
            a * a + d * d + f * f,
            d * d + b * b + e * e,
            f * f + e * e + c * c,
            d * (a + b) + e * f,
            e * (b + c) + d * f,
            f * (a + c) + d * e,
        ]);
    }
    let [a, b, c, d, e, f] = m;
    if a >= b && a >= c {
        [a, d, f]
    } else if b >= c {
        [d, b, e]
    } else {
        [f, e, c]
    }
}
