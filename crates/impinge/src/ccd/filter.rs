//! Swept boxes and Bernstein coefficients in f64, with error bounds: most queries end here.
//!
//! **Polynomials.** Of the differences u, v, w of the points, n = u x v and f = n.w are a quadratic and a
//! cubic polynomial, in Bernstein form on [0, 1]. Contact needs f = 0, and g >= 0 for
//!
//! * a point p and a triangle (a, b, c): the three g = n.((y - x) x (p - x)), for its edges (x, y);
//! * two edges (a, b) and (c, d), w = c - a: s = (w x v).n, n.n - s, t = (w x u).n and n.n - t.
//!
//! Where all g > 0, f = 0 is enough: n is not 0, and the point (the crossing of the lines) is inside.
//!
//! **Decision.** A polynomial in Bernstein form lies between the least and the greatest of its coefficients.
//! An interval is free if f is certainly not 0 there or some g is certainly negative. It has a contact if all
//! g are certainly positive and f certainly has opposite signs at its ends. Else it is halved (de Casteljau),
//! the first half first. The integers decide queries that need more than [`PIECES`] intervals, and those
//! where f is within its error.
//!
//! **Errors.** u = 2^-53. The differences are scaled by one power of two, so that none exceeds 4, and bx is
//! the largest component of x. All bounds are sums over the real numbers of first order; the last digits of
//! the constants leave room for the higher ones.
//!
//! 1. A difference is off by u of itself. Scaling is exact but for underflow.
//! 2. A cross product of two, at one time: at most C = 2 bx by, off by 2 u C (factors) + u C (products) + u C
//!    (difference) = 4 u C. The middle coefficient, half of a sum of two, is off by 4 u C + u C. The code
//!    takes 6 u C.
//! 3. f: a dot product is at most F = 3 C bw, off by 6 u F (n) + u F (w) + u F (products) + 2 u F (sums) = 10
//!    u F. A coefficient is a mean of those with weights over 3: two more roundings, 12 u F. The code takes
//!    16 u F.
//! 4. g: a dot product of two cross products of sizes C and D is at most G = 3 C D, off by 12 u G + u G + 2 u
//!    G = 15 u G. A coefficient is a mean with weights over 6: three more roundings, 18 u G. The code takes
//!    24 u G. A difference of two is off by both errors, and one rounding, which the rest of 24 covers.
//! 5. A halving takes at most four means one of another, each off by u of the largest coefficient.
//! 6. Underflow: each operation loses less than 2^-1074 and all factors are at most 8, so that some thousand
//!    of them lose less than [`UNDERFLOW`].
//!
//! Infinite differences (overflow) are left to the integers.
#[cfg(test)]
mod tests;

use super::feature_kind::FeatureKind;
use crate::vector::{UNIT, Vector, cross, dot, extent, shrinking, sub};

/// More than all underflows can lose.
const UNDERFLOW: f64 = f64::MIN_POSITIVE * (1_u64 << 40) as f64;
/// Intervals that are tried at most.
const PIECES: u32 = 256;

/// Result of the filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Filtered {
    /// No contact.
    Free,
    /// The first contact is in [m, m + 1] / 2^k, and is the first time in it at which the points lie in a
    /// plane.
    Contact { m: u64, k: u32 },
    /// Not decided.
    Unsure,
}

/// A polynomial in Bernstein form on an interval, of at most five coefficients, each off by at most `error`.
#[derive(Clone, Copy)]
struct Bernstein {
    c: [f64; 5],
    len: usize,
    error: f64,
}

impl Bernstein {
    fn cubic([a, b, c, d]: [f64; 4], size: f64) -> Self {
        Self { c: [a, b, c, d, 0.0], len: 4, error: 16.0 * UNIT * size + UNDERFLOW }
    }
    fn quartic(c: [f64; 5], size: f64) -> Self {
        Self { c, len: 5, error: 24.0 * UNIT * size + UNDERFLOW }
    }
    fn minus(&self, o: &Self) -> Self {
        let c = std::array::from_fn(|i| self.c[i] - o.c[i]);
        Self { c, len: self.len, error: (self.error + o.error) * (1.0 + 4.0 * UNIT) }
    }
    fn coefficients(&self) -> &[f64] {
        &self.c[..self.len]
    }
    fn is_positive(&self) -> bool {
        self.coefficients().iter().all(|c| *c > self.error)
    }
    fn is_negative(&self) -> bool {
        self.coefficients().iter().all(|c| *c < -self.error)
    }
    /// True if the signs at the ends are certain and opposite.
    fn changes_sign(&self) -> bool {
        let (a, b) = (self.c[0], self.c[self.len - 1]);
        a.abs() > self.error && b.abs() > self.error && (a > 0.0) != (b > 0.0)
    }
    /// True if no further halving is of use.
    fn is_lost(&self) -> bool {
        !self.coefficients().iter().any(|c| c.abs() > 2.0 * self.error)
    }
    fn halves(&self) -> [Self; 2] {
        let (mut left, mut right, mut c, n) = (*self, *self, self.c, self.len);
        let mut largest: f64 = 0.0;
        for k in 0..n {
            largest = largest.max(self.c[k].abs());
            left.c[k] = c[0];
            right.c[n - 1 - k] = c[n - 1 - k];
            for i in 0..n - 1 - k {
                c[i] = 0.5 * (c[i] + c[i + 1]);
            }
        }
        let error = (self.error + 4.0 * UNIT * largest) * (1.0 + 4.0 * UNIT);
        (left.error, right.error) = (error, error);
        [left, right]
    }
}

/// A vector that moves linearly: at the times 0 and 1.
type LinearVector = [Vector; 2];
/// A quadratic vector in Bernstein form, and the bound C of its components.
type Quadratic = ([Vector; 3], f64);

fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The largest component.
fn size(a: &LinearVector) -> f64 {
    a.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn product(a: &LinearVector, b: &LinearVector) -> Quadratic {
    let middle = add(cross(a[0], b[1]), cross(a[1], b[0])).map(|x| 0.5 * x);
    ([cross(a[0], b[0]), middle, cross(a[1], b[1])], 2.0 * size(a) * size(b))
}

fn determinant((n, bound): &Quadratic, w: &LinearVector) -> Bernstein {
    let c = [
        dot(n[0], w[0]),
        (dot(n[0], w[1]) + 2.0 * dot(n[1], w[0])) / 3.0,
        (2.0 * dot(n[1], w[1]) + dot(n[2], w[0])) / 3.0,
        dot(n[2], w[1]),
    ];
    Bernstein::cubic(c, 3.0 * bound * size(w))
}

fn scalar_product((a, bound): &Quadratic, (b, other): &Quadratic) -> Bernstein {
    let c = [
        dot(a[0], b[0]),
        0.5 * (dot(a[0], b[1]) + dot(a[1], b[0])),
        (dot(a[0], b[2]) + 4.0 * dot(a[1], b[1]) + dot(a[2], b[0])) / 6.0,
        0.5 * (dot(a[1], b[2]) + dot(a[2], b[1])),
        dot(a[2], b[2]),
    ];
    Bernstein::quartic(c, 3.0 * bound * other)
}

/// True if the boxes of the swept features are apart.
fn boxes_are_apart(kind: FeatureKind, [start, end]: &[[Vector; 4]; 2]) -> bool {
    let first = if kind == FeatureKind::EdgeEdge { 2 } else { 1 };
    let [lo, hi] = extent(start[..first].iter().chain(&end[..first]));
    let [low, high] = extent(start[first..].iter().chain(&end[first..]));
    (0..3).any(|k| hi[k] < low[k] || high[k] < lo[k])
}

/// Decides most queries. All positions are finite.
pub(super) fn decide(kind: FeatureKind, points: &[[Vector; 4]; 2]) -> Filtered {
    if boxes_are_apart(kind, points) {
        return Filtered::Free;
    }
    let difference = |i: usize, j: usize| [sub(points[0][i], points[0][j]), sub(points[1][i], points[1][j])];
    // b - a, d - c, c - a; or c - b, d - b, a - b, and then d - c, a - c and a - d.
    let mut all = match kind {
        FeatureKind::EdgeEdge => [difference(1, 0), difference(3, 2), difference(2, 0), [[0.0; 3]; 2]],
        FeatureKind::PointTriangle => {
            [difference(2, 1), difference(3, 1), difference(0, 1), difference(3, 2)]
        }
    };
    let largest = all.iter().map(size).fold(0.0, f64::max);
    if largest == 0.0 || !all.as_flattened().as_flattened().iter().all(|x| x.is_finite()) {
        return Filtered::Unsure;
    }
    let scale = shrinking(largest);
    all.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|x| *x *= scale);
    let [u, v, w, e] = &all;
    let n = product(u, v);
    let f = determinant(&n, w);
    if f.is_positive() || f.is_negative() {
        return Filtered::Free;
    }
    let mut inside = [f; 4];
    let used = match kind {
        FeatureKind::EdgeEdge => {
            let whole = scalar_product(&n, &n);
            let [s, t] = [v, u].map(|x| scalar_product(&product(w, x), &n));
            inside = [s, whole.minus(&s), t, whole.minus(&t)];
            4
        }
        FeatureKind::PointTriangle => {
            let scaled = |i, j| difference(i, j).map(|x| x.map(|x| x * scale));
            let (from_c, from_d, back) = (scaled(0, 2), scaled(0, 3), v.map(|x| x.map(|x| -x)));
            for (to, [x, y]) in inside.iter_mut().zip([[u, w], [e, &from_c], [&back, &from_d]]) {
                *to = scalar_product(&product(x, y), &n);
            }
            3
        }
    };
    let mut pieces = Halving { used, left: PIECES };
    pieces.decide(&f, &inside, 0, 0)
}

/// Halves an interval in which f changes sign, as long as the half with its first root is certain.
fn narrow(f: &Bernstein, mut m: u64, mut k: u32) -> Filtered {
    let mut f = *f;
    while k < 62 {
        let [left, right] = f.halves();
        let is_left = left.changes_sign();
        if !is_left && !(right.changes_sign() && (left.is_positive() || left.is_negative())) {
            break;
        }
        (m, k, f) = if is_left { (2 * m, k + 1, left) } else { (2 * m + 1, k + 1, right) };
    }
    Filtered::Contact { m, k }
}

/// The halving of intervals.
struct Halving {
    /// The number of inside tests.
    used: usize,
    /// Intervals that may still be tried.
    left: u32,
}

impl Halving {
    fn decide(&mut self, f: &Bernstein, inside: &[Bernstein; 4], m: u64, k: u32) -> Filtered {
        let tests = &inside[..self.used];
        if f.is_positive() || f.is_negative() || tests.iter().any(Bernstein::is_negative) {
            return Filtered::Free;
        }
        if f.changes_sign() && tests.iter().all(Bernstein::is_positive) {
            return narrow(f, m, k);
        }
        if self.left == 0 || k == 52 || f.is_lost() {
            return Filtered::Unsure;
        }
        self.left -= 1;
        let mut halves = [*inside; 2];
        for (i, test) in tests.iter().enumerate() {
            let [left, right] = test.halves();
            (halves[0][i], halves[1][i]) = (left, right);
        }
        let [left, right] = f.halves();
        match self.decide(&left, &halves[0], 2 * m, k + 1) {
            Filtered::Free => self.decide(&right, &halves[1], 2 * m + 1, k + 1),
            decided => decided,
        }
    }
}
