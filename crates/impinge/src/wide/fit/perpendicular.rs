//! The thinnest direction perpendicular to another: a search on the half circle, in the plane across that
//! one.
use super::{
    cluster::SAMPLE,
    sample::{NarrowestDirection, Sample},
    vector::{PortableEight, Vector32, basis, dot, lanes, units},
};
use crate::simd::{Lanes, Portable, Simd};

/// The cosine and the sine of the angle whose half has the tangent t. By arithmetic alone they are the same
/// on every machine.
const fn turn(t: f32) -> [f32; 2] {
    let square = t * t;
    [(1.0 - square) / (1.0 + square), 2.0 * t / (1.0 + square)]
}
const fn turns(t: [f32; 8]) -> [[f32; 8]; 2] {
    let mut both = [[0.0; 8]; 2];
    let mut k = 0;
    while k < 8 {
        [both[0][k], both[1][k]] = turn(t[k]);
        k += 1;
    }
    both
}
/// Cosines and sines of every 22.5 degrees of the half circle.
const COARSE: [[f32; 8]; 2] = turns([
    0.0,
    0.098_491_4,
    0.198_912_37,
    0.303_346_7,
    0.414_213_57,
    0.534_511_15,
    0.668_178_6,
    0.820_678_8,
]);
/// Cosines and sines of four steps to either side, of 5 and of 1.1 degrees.
const FINE: [[[f32; 8]; 2]; 2] = [fine(0.0437), fine(0.0097)];
const fn fine(t: f32) -> [[f32; 8]; 2] {
    turns([-4.0 * t, -3.0 * t, -2.0 * t, -t, t, 2.0 * t, 3.0 * t, 4.0 * t])
}

/// The thinnest direction perpendicular to n among steps and the projections of `tries`.
#[inline(always)]
pub(super) fn perpendicular(sample: &Sample, n: Vector32, tries: &[Vector32; 8]) -> Vector32 {
    let [u, v] = basis(n);
    let mut flat = Flat { v: [[0.0; SAMPLE]; 2], len: sample.len };
    let end = flat.len.next_multiple_of(8).min(SAMPLE);
    for (to, n) in flat.v.iter_mut().zip([u, v]) {
        let [x, y, z] = sample.v.each_ref();
        for (((to, x), y), z) in to[..end].iter_mut().zip(x).zip(y).zip(z) {
            *to = n[0] * x + n[1] * y + n[2] * z;
        }
    }
    let mut best = NarrowestDirection { n: [1.0, 0.0], width: f32::INFINITY };
    best.among_turns(&flat, &COARSE[0], &COARSE[1]);
    // A long thin cluster has a thin slab in nearly one direction only, which steps would not find.
    let flat_tries = tries.map(|t| [dot(t, u), dot(t, v), 0.0]);
    let transposed = std::array::from_fn(|i| std::array::from_fn(|k| flat_tries[k][i]));
    let ([c, s, _], none) = units(transposed);
    for (k, (width, none)) in lanes(flat.widths(&c, &s)).into_iter().zip(none).enumerate() {
        if width + none < best.width {
            best = NarrowestDirection { n: [c[k], s[k]], width };
        }
    }
    for [c, s] in &FINE {
        let [x, y] = best.n;
        let cosines = std::array::from_fn(|k| x * c[k] - y * s[k]);
        let sines = std::array::from_fn(|k| y * c[k] + x * s[k]);
        best.among_turns(&flat, &cosines, &sines);
    }
    let [c, s] = best.n;
    std::array::from_fn(|k| c * u[k] + s * v[k])
}

/// The sample in the basis of the plane.
struct Flat {
    v: [[f32; SAMPLE]; 2],
    len: usize,
}

// No closures: compiled by themselves they would lack the instructions that builds use.
impl Flat {
    /// Widths in eight directions, given by cosines and sines.
    #[inline(always)]
    fn widths(&self, c: &[f32; 8], s: &[f32; 8]) -> PortableEight {
        let simd = Portable;
        let (c, s) = (simd.load(c), simd.load(s));
        let (mut low, mut high) = (simd.eight(f32::INFINITY), simd.eight(f32::NEG_INFINITY));
        let [x, y] = &self.v;
        for (&x, &y) in x[..self.len].iter().zip(&y[..self.len]) {
            let d = c * simd.eight(x) + s * simd.eight(y);
            low = d.min(low);
            high = d.max(high);
        }
        high - low
    }
}

impl NarrowestDirection<[f32; 2]> {
    /// Takes the best of eight directions, if it is better.
    #[inline(always)]
    fn among_turns(&mut self, flat: &Flat, c: &[f32; 8], s: &[f32; 8]) {
        for (k, width) in lanes(flat.widths(c, s)).into_iter().enumerate() {
            if width < self.width {
                *self = Self { n: [c[k], s[k]], width };
            }
        }
    }
}
