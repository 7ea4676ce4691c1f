//! Slabs for a lane: the direction in which its triangles are thinnest, and the thinnest one across it.
//!
//! Directions are tried eight at a time, in f32, on a sample of the corners; the two that are best get the interval of all corners. Nothing here has to be exact but that
//! interval. u = 2^-24: a corner v of the tree's frame comes rounded to f32, by u |v| on each axis and [`TREE_ERROR`](super::TREE_ERROR); the difference d to the lane's centre, an f32, rounds by u |d|;
//! the product with n, whose entries are at most 1, rounds by 3 u (|d_x| + |d_y| + |d_z|) to first order. With R the largest coordinate in the lane and E the largest of d, all that is at most
//! |n|_1 u (R + 4 E) + |n|_1 2^-46 <= 2 u (R + 4 E) + 2^-45, as |n|_1 <= 1.7321; [`Cluster::slack`] leaves a tenth more for the second order.
//!
//! Measured as 75 blocks + 60 pairs of leaves + 4 candidate pairs a frame, relative to fits in f64 on 96 corners with 37 directions (with these the whole build took 1211 ns of CPU time a triangle of the dragon):
//! * Eight directions for the first slab (mean normal, three largest triangles' normals and those across their longest edges, the least principal axis), edges from corners in f32, two rounds of
//!   tilts, steps of 22.5, 5, 1.1 and 0.25 degrees for the second slab: rods 1.19, saw-mixed 1.14, spacecraft 1.03, scans 1.00 to 1.01.
//! * The same with the product of two of the normals instead of the principal axis: rods 1.21, needles 1.02.
//! * With what the second slab tries exactly (normals, edges and principal axes turned into its plane; edges subtracted in f64), kept: rods 0.98, saw-mixed 0.99, spacecraft 0.99. Steps do not
//!   find the directions in which long thin things are thin.
//! * Of six scenes the mean is then 0.991; without tilts 0.998; with one round of tilts and without the steps of 0.25 degrees 0.994. Kept: two rounds, no 0.25 degrees (a combination
//!   not measured by itself).
use super::node::{Interval, NORMAL};
use crate::simd::{Lanes, Portable, Simd};

/// Corners that directions are tried on at most.
const SAMPLE: usize = 64;
/// Slabs that are this part of their boxes are thin enough.
const FLAT: f32 = 1e-3;
/// In a refit, the mean normal replaces a direction if the slab becomes this part as wide.
const THINNER: f32 = 0.8;
/// Triangles whose normals are tried: the largest.
pub(super) const LARGEST: usize = 3;

type Eight = <Portable as Simd>::Eight;
pub(super) type Single = [f32; 3];

/// What is known of a cluster before slabs are fitted to it.
pub(super) struct Cluster<'a> {
    /// Its corners, by axis, each at least once.
    pub(super) points: [&'a [f32]; 3],
    /// The centre and the half sides of its lane's box.
    pub(super) centre: Single,
    pub(super) half: Single,
    /// The sides of the corners' own box.
    pub(super) sides: Single,
    /// The sum of the triangles' normals, each as long as twice its area.
    pub(super) normal: Single,
    /// Edges of large triangles, in a row.
    pub(super) largest: [[Single; 3]; LARGEST],
}

fn cross(a: Single, b: Single) -> Single {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn dot(a: Single, b: Single) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn unit(v: Single) -> Option<Single> {
    let size = v[0].abs().max(v[1].abs()).max(v[2].abs());
    if size <= 1e-30 {
        return None;
    }
    let v = v.map(|x| x / size);
    let length = dot(v, v).sqrt();
    Some(v.map(|x| x / length))
}

/// A direction as it is stored.
fn stored(n: Single) -> [i16; 3] {
    // Adding and subtracting it leaves the nearest integer.
    const SHIFT: f32 = 12_582_912.0;
    n.map(|x| ((x * 32767.0 + SHIFT) - SHIFT) as i16)
}

/// The cosine and the sine of the angle whose half has the tangent t: the same on every machine.
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
/// Every 22.5 degrees of the half circle.
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
/// Four steps to either side, of 5 and 1.1 degrees.
const FINE: [[[f32; 8]; 2]; 2] = [fine(0.0437), fine(0.0097)];
const fn fine(t: f32) -> [[f32; 8]; 2] {
    turns([-4.0 * t, -3.0 * t, -2.0 * t, -t, t, 2.0 * t, 3.0 * t, 4.0 * t])
}
/// Eight directions around the circle.
const ROUND: [[f32; 8]; 2] = {
    const H: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [[1.0, H, 0.0, -H, -1.0, -H, 0.0, H], [0.0, H, 1.0, H, 0.0, -H, -1.0, -H]]
};
/// Tangents by which the first direction is tilted.
const TILTS: [f32; 2] = [0.12, 0.04];

/// Corners relative to a centre; the last stands once more in all places up to a multiple of 8.
struct Sample {
    v: [[f32; SAMPLE]; 3],
    len: usize,
}

impl Sample {
    #[inline(always)]
    fn of(cluster: &Cluster<'_>) -> Self {
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

    /// Principal axes, more or less: of the least and of the largest spread. Not as long as 1.
    #[inline(always)]
    fn principal_axes(&self) -> [Single; 2] {
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
        let total = |x: Eight| lanes(x).into_iter().sum::<f32>();
        let n = end as f32;
        let [x, y, z] = sum.map(|x| total(x) / n);
        let [a, b, c, d, e, f] = square.map(|x| total(x) / n);
        let m = scaled([a - x * x, b - y * y, c - z * z, d - x * y, e - y * z, f - z * x]);
        let [a, b, c, d, e, f] = m;
        // The adjugate has the same axes, and the inverse eigenvalues times the determinant.
        let adjugate =
            [b * c - e * e, a * c - f * f, a * b - d * d, e * f - c * d, d * f - a * e, d * e - b * f];
        [dominant(adjugate), dominant(m)]
    }

    /// How wide the sample is in eight directions.
    #[inline(always)]
    fn widths(&self, n: &[Eight; 3]) -> Eight {
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

/// A direction, and how wide something is along it.
#[derive(Clone, Copy)]
struct Best<T> {
    n: T,
    width: f32,
}

#[inline(always)]
fn lanes(x: Eight) -> [f32; 8] {
    let mut to = [0.0; 8];
    Portable.store(x, &mut to);
    to
}

/// Eight directions, made as long as 1; and infinity for those that have no length.
#[inline(always)]
fn units(mut n: [[f32; 8]; 3]) -> ([[f32; 8]; 3], [f32; 8]) {
    let mut none = [0.0; 8];
    for k in 0..8 {
        let [x, y, z] = [n[0][k], n[1][k], n[2][k]];
        let (a, b, c) = (x.abs(), y.abs(), z.abs());
        let size = if a > b { a } else { b };
        let size = if size > c { size } else { c };
        let scale = if size > 1e-30 { 1.0 / size } else { 0.0 };
        let [x, y, z] = [x * scale, y * scale, z * scale];
        let square = x * x + y * y + z * z;
        let scale = 1.0 / square.sqrt();
        none[k] = if square > 0.5 { 0.0 } else { f32::INFINITY };
        let scale = if square > 0.5 { scale } else { 0.0 };
        [n[0][k], n[1][k], n[2][k]] = [x * scale, y * scale, z * scale];
    }
    (n, none)
}

#[inline(always)]
fn loaded(n: &[[f32; 8]; 3]) -> [Eight; 3] {
    [Portable.load_pairs(&n[0]), Portable.load_pairs(&n[1]), Portable.load_pairs(&n[2])]
}

impl Best<Single> {
    #[inline(always)]
    fn among(&mut self, n: &[[f32; 8]; 3], widths: [f32; 8]) {
        for (k, width) in widths.into_iter().enumerate() {
            if width < self.width {
                *self = Self { n: [n[0][k], n[1][k], n[2][k]], width };
            }
        }
    }
}

/// A symmetric matrix: xx, yy, zz, xy, yz, zx.
type Symmetric = [f32; 6];

/// Divided by its trace; nothing where that is nothing.
fn scaled(m: Symmetric) -> Symmetric {
    let trace = m[0] + m[1] + m[2];
    if trace > 1e-30 { m.map(|x| x / trace) } else { [0.0; 6] }
}

/// The axis of the largest eigenvalue of m, more or less: a column of its eighth power.
fn dominant(m: Symmetric) -> Single {
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

/// Two directions across n and each other.
fn basis(n: Single) -> [Single; 2] {
    let helper = if n[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let u = unit(cross(n, helper)).unwrap_or([0.0, 1.0, 0.0]);
    [u, cross(n, u)]
}

impl Cluster<'_> {
    /// Both slabs, relative to the centre.
    pub(super) fn slabs(&self) -> [Interval; 2] {
        let sample = Sample::of(self);
        let mut first = self.thinnest_axis();
        let normals = self.largest.map(|e| cross(e[0], e[1]));
        let longest = self.largest.map(longest);
        let mut n = [[0.0; 8]; 3];
        let mut put = |k: usize, v: Single| (0..3).for_each(|i| n[i][k] = v[i]);
        put(0, self.normal);
        for k in 0..LARGEST {
            put(1 + k, normals[k]);
            put(4 + k, cross(normals[k], longest[k]));
        }
        let [least, most] = sample.principal_axes();
        put(7, least);
        let (n, none) = units(n);
        first.among(&n, lanes(sample.widths(&loaded(&n)) + Portable.load_pairs(&none)));
        // Flat ones cannot become much thinner.
        let size = self.half[0].max(self.half[1]).max(self.half[2]);
        if first.width > FLAT * size {
            for tilt in TILTS {
                let [u, v] = basis(first.n);
                let scale = 1.0 / (1.0 + tilt * tilt).sqrt();
                let n: [[f32; 8]; 3] = std::array::from_fn(|i| {
                    std::array::from_fn(|k| {
                        (first.n[i] + tilt * (ROUND[0][k] * u[i] + ROUND[1][k] * v[i])) * scale
                    })
                });
                first.among(&n, lanes(sample.widths(&loaded(&n))));
            }
        }
        let (n, [a, b, c], [e, f, g]) = (first.n, normals, longest);
        let tries = [a, b, c, cross(n, e), cross(n, f), cross(n, g), cross(n, least), cross(n, most)];
        let second = across(&sample, n, &tries);
        self.intervals(&sample, [first.n, second].map(stored))
    }

    /// The mean normal, or the thinnest axis where there is none; no second slab.
    pub(super) fn one_slab(&self) -> [Interval; 2] {
        let n = stored(unit(self.normal).unwrap_or_else(|| self.thinnest_axis().n));
        let [low, high] = self.extents(&[n])[0];
        let slack = self.slack();
        // It holds whatever there is, errors included.
        let nothing = Interval { n: [0; 3], lo: -slack, hi: slack };
        [Interval { n, lo: f64::from(low) - slack, hi: f64::from(high) + slack }, nothing]
    }

    /// In a refit: slabs of the directions that there are, the first replaced by the mean normal where that is much thinner. On the corners that the build looked at: what it has found stays while
    /// nothing changes.
    pub(super) fn about(&self, [first, second]: [[i16; 3]; 2]) -> [Interval; 2] {
        let sample = Sample::of(self);
        let mean = unit(self.normal).unwrap_or_default();
        let mut n = [[0.0; 8]; 3];
        for k in 0..3 {
            (n[k][0], n[k][1]) = (f32::from(first[k]) / NORMAL, mean[k]);
        }
        let [old, new, ..] = lanes(sample.widths(&loaded(&n)));
        let size = self.half[0].max(self.half[1]).max(self.half[2]);
        // Flat ones cannot become much thinner; no normal makes nothing thin.
        let is_thinner = old > FLAT * size && new < THINNER * old && mean != [0.0; 3];
        self.intervals(&sample, [if is_thinner { stored(mean) } else { first }, second])
    }

    fn thinnest_axis(&self) -> Best<Single> {
        let mut best = Best { n: [1.0, 0.0, 0.0], width: self.sides[0] };
        for k in 1..3 {
            if self.sides[k] < best.width {
                let mut n = [0.0; 3];
                n[k] = 1.0;
                best = Best { n, width: self.sides[k] };
            }
        }
        best
    }

    /// What an interval that is computed in f32 may lack: see the head.
    fn slack(&self) -> f64 {
        let (mut far, mut size) = (0.0_f32, 0.0_f32);
        for k in 0..3 {
            far = far.max(self.centre[k].abs() + self.half[k]);
            size = size.max(self.half[k]);
        }
        2.2 * super::frame::U * (f64::from(far) + 4.0 * f64::from(size)) + 4.0 * super::TREE_ERROR
    }

    #[inline(always)]
    fn intervals(&self, sample: &Sample, n: [[i16; 3]; 2]) -> [Interval; 2] {
        let extents = if sample.len == self.points[0].len() {
            let mut extents = Extents::new(&n);
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

    /// Least and greatest products of all corners with directions.
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

/// Products of eight corners at a time with some directions.
struct Extents<const N: usize> {
    n: [[Eight; 3]; N],
    low: [Eight; N],
    high: [Eight; N],
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
    fn add(&mut self, d: [Eight; 3]) {
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

fn longest([a, b, c]: [Single; 3]) -> Single {
    let [p, q, r] = [dot(a, a), dot(b, b), dot(c, c)];
    if p >= q && p >= r {
        a
    } else if q >= r {
        b
    } else {
        c
    }
}

/// The thinnest direction across n that was found; what `tries` has of that plane is tried, too.
#[inline(always)]
fn across(sample: &Sample, n: Single, tries: &[Single; 8]) -> Single {
    let simd = Portable;
    let [u, v] = basis(n);
    let (mut flat, len) = ([[0.0; SAMPLE]; 2], sample.len);
    let end = len.next_multiple_of(8).min(SAMPLE);
    for (to, n) in flat.iter_mut().zip([u, v]) {
        let [x, y, z] = sample.v.each_ref();
        for (((to, x), y), z) in to[..end].iter_mut().zip(x).zip(y).zip(z) {
            *to = n[0] * x + n[1] * y + n[2] * z;
        }
    }
    let widths = |c: &[f32; 8], s: &[f32; 8]| {
        let (c, s) = (simd.load_pairs(c), simd.load_pairs(s));
        let (mut low, mut high) = (simd.eight(f32::INFINITY), simd.eight(f32::NEG_INFINITY));
        for (&x, &y) in flat[0][..len].iter().zip(&flat[1][..len]) {
            let d = c * simd.eight(x) + s * simd.eight(y);
            low = d.min(low);
            high = d.max(high);
        }
        lanes(high - low)
    };
    let mut best = Best { n: [1.0, 0.0], width: f32::INFINITY };
    let among = |best: &mut Best<[f32; 2]>, c: &[f32; 8], s: &[f32; 8]| {
        for (k, width) in widths(c, s).into_iter().enumerate() {
            if width < best.width {
                *best = Best { n: [c[k], s[k]], width };
            }
        }
    };
    among(&mut best, &COARSE[0], &COARSE[1]);
    // Slabs of long thin things must be exact to be thin: steps would not find them.
    let flat_tries = tries.map(|t| [dot(t, u), dot(t, v), 0.0]);
    let transposed = std::array::from_fn(|i| std::array::from_fn(|k| flat_tries[k][i]));
    let ([c, s, _], none) = units(transposed);
    for (k, (width, none)) in widths(&c, &s).into_iter().zip(none).enumerate() {
        if width + none < best.width {
            best = Best { n: [c[k], s[k]], width };
        }
    }
    for [c, s] in &FINE {
        let [x, y] = best.n;
        let cosines = std::array::from_fn(|k| x * c[k] - y * s[k]);
        let sines = std::array::from_fn(|k| y * c[k] + x * s[k]);
        among(&mut best, &cosines, &sines);
    }
    let [c, s] = best.n;
    std::array::from_fn(|k| c * u[k] + s * v[k])
}
