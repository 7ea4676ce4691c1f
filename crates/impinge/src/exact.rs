//! Exact arithmetic on placed points: no rounding, no overflow, no allocation.
//!
//! A coordinate R v + t is a sum of three products and one number, all of them dyadic rationals m 2^e. Scaled by
//! one power of two they are integers, and so are differences, minors and determinants of them. [`Lattice`]
//! finds that power and the number of bits; integers on the stack ([`Wide`]) do the rest. A few widths are
//! compiled; the largest holds whatever finite f64 numbers can make (bound at [`MAX_BITS`]), so the exact stage
//! has no failure case.
#[cfg(test)]
mod timing;
mod wide;

use self::wide::Wide;
use crate::Pose;
use std::{
    cmp::Ordering,
    ops::{Add, Mul, Sub},
};

/// x = m 2^e with m odd, or m = 0.
#[derive(Clone, Copy)]
struct Dyadic {
    m: i64,
    e: i32,
}

impl Dyadic {
    fn new(x: f64) -> Self {
        debug_assert!(x.is_finite());
        let bits = x.to_bits();
        let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
        let (m, e) = if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
        if m == 0 {
            return Self { m: 0, e: 0 };
        }
        let zeros = m.trailing_zeros();
        let m = m >> zeros;
        Self { m: if x < 0.0 { -m } else { m }, e: e + zeros as i32 }
    }
    /// One more than the exponent of the leading bit: |x| < 2^top.
    fn top(self) -> i32 {
        self.e + (64 - self.m.unsigned_abs().leading_zeros()) as i32
    }
}

/// Bits of exponents that a set of numbers spans: all are multiples of 2^lo and less than 2^hi in size.
#[derive(Clone, Copy)]
struct Span {
    lo: i32,
    hi: i32,
}

impl Span {
    const NONE: Self = Self { lo: i32::MAX, hi: i32::MIN };
    fn of(x: f64) -> Self {
        let d = Dyadic::new(x);
        if d.m == 0 { Self::NONE } else { Self { lo: d.e, hi: d.top() } }
    }
    fn and(self, o: Self) -> Self {
        Self { lo: self.lo.min(o.lo), hi: self.hi.max(o.hi) }
    }
    fn times(self, o: Self) -> Self {
        if self.lo > self.hi || o.lo > o.hi {
            Self::NONE
        } else {
            Self { lo: self.lo + o.lo, hi: self.hi + o.hi }
        }
    }
}

/// Bits of the widest determinant of three differences of placed points, sign included: a product R v reaches
/// from 2^-2148 to 2^2048, so a coordinate (four terms) has at most 4198 bits, a difference 4199, and six
/// products of three of them 3 * 4199 + 3, and one for the sign.
const MAX_BITS: usize = 3 * 4199 + 4;

/// The compiled widths, in limbs of 64 bits.
const WIDTHS: [usize; 4] = [8, 16, 64, 200];
const _: () = assert!(WIDTHS[3] * 64 >= MAX_BITS);

/// The scale on which all coordinates of some placed points are integers.
#[derive(Clone, Copy)]
struct Lattice {
    /// The unit is 2^lo.
    lo: i32,
    /// Bits of a coordinate, without sign.
    bits: usize,
}

impl Lattice {
    fn new(span: Span) -> Self {
        // Four terms: two bits more than the largest.
        if span.lo > span.hi {
            return Self { lo: 0, bits: 2 };
        }
        Self { lo: span.lo, bits: (span.hi - span.lo) as usize + 2 }
    }
    /// On which six placed points lie.
    fn of(points: &[([f64; 3], &Pose); 6]) -> Self {
        Self::new(points.iter().fold(Span::NONE, |span, (v, pose)| {
            (0..3).fold(span, |span, i| span.and(row_span(&pose.rows()[i], pose.translation()[i], v)))
        }))
    }
    /// Limbs of an integer that holds a sum of six products of `degree` differences of two coordinates.
    fn width(self, degree: usize) -> usize {
        let bits = degree * (self.bits + 1) + 4;
        WIDTHS.into_iter().find(|w| w * 64 >= bits).unwrap_or(WIDTHS[3])
    }
    fn integer<const N: usize>(self, m: i128, e: i32) -> Wide<N> {
        // Only a number that is 0 may lie below the lattice.
        if m == 0 { Wide::ZERO } else { Wide::new(m, (e - self.lo) as u32) }
    }
    /// row . v + t in units of 2^lo.
    fn coordinate<const N: usize>(self, row: &[f64; 3], t: f64, v: &[f64; 3]) -> Wide<N> {
        let t = Dyadic::new(t);
        let mut sum = self.integer(i128::from(t.m), t.e);
        for k in 0..3 {
            let (r, x) = (Dyadic::new(row[k]), Dyadic::new(v[k]));
            sum = sum + self.integer(i128::from(r.m) * i128::from(x.m), r.e + x.e);
        }
        sum
    }
}

/// What the terms of `row . v + t` span.
fn row_span(row: &[f64; 3], t: f64, v: &[f64; 3]) -> Span {
    (0..3).fold(Span::of(t), |s, k| s.and(Span::of(row[k]).times(Span::of(v[k]))))
}

/// Runs `$body` with the constant `$n` at the smallest compiled width that is enough.
macro_rules! at_width {
    ($width:expr, $n:ident => $body:expr) => {{
        match $width {
            8 => {
                const $n: usize = WIDTHS[0];
                $body
            }
            16 => {
                const $n: usize = WIDTHS[1];
                $body
            }
            64 => {
                const $n: usize = WIDTHS[2];
                $body
            }
            _ => {
                const $n: usize = WIDTHS[3];
                $body
            }
        }
    }};
}

/// The signs that the exact triangle test asks for, of six points: 0 to 2 the first triangle's, 3 to 5 the second's.
pub(crate) trait Predicates {
    /// Sign of det(b - a, c - a, d - a), up to one fixed factor.
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32;
    /// The same in the plane that is left when coordinate `axis` is dropped.
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32;
    /// Compares coordinate `axis` of two points.
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering;
    /// On which side of the plane of three points three others lie.
    fn sides(&self, t: [usize; 3], points: [usize; 3]) -> [i32; 3] {
        points.map(|i| self.orient3d(t[0], t[1], t[2], i))
    }
    /// The axes in the order in which dropping one is likely to keep the shape of a triangle: a guess.
    fn axes(&self, _corners: [usize; 3]) -> [usize; 3] {
        [0, 1, 2]
    }
}

/// Six points whose coordinates are integers on one lattice.
///
/// Wide products are slow, and most signs are clear: so each sign is first asked of `near`, the points relative to the
/// first, subtracted exactly and only then rounded to f64 (on a scale of their own, where the largest is about 2^62).
/// With u = 2^-53 and m the largest in size, such a coordinate is off by at most 2 u m: u m for its rounding, 1 for
/// the bits shifted out. So a difference of two, at most 2 m, is off by 6 u m, and
///
/// * a 3 x 3 determinant (6 monomials) by 6 * 3 (2m)^2 6 u m = 432 u m^3, and 6 * 5 u (2m)^3 = 240 u m^3 of rounding: 672;
/// * a 2 x 2 one (2 monomials) by 2 * 2 (2m) 6 u m = 48 u m^2, and 2 * 3 u (2m)^2 = 24 u m^2 of rounding: 72.
///
/// The bounds take 1024 and 128; m^3 is about 2^186, far from overflow.
struct Placed<const N: usize> {
    points: [[Wide<N>; 3]; 6],
    near: [[f64; 3]; 6],
    /// The least size of a 3 x 3 and of a 2 x 2 determinant of `near` whose sign is certain.
    certain: (f64, f64),
}

impl<const N: usize> Placed<N> {
    fn on(lattice: Lattice, points: &[([f64; 3], &Pose); 6]) -> Self {
        Self::new(points.map(|(v, pose)| {
            std::array::from_fn(|i| lattice.coordinate(&pose.rows()[i], pose.translation()[i], &v))
        }))
    }
    fn new(points: [[Wide<N>; 3]; 6]) -> Self {
        let relative = points.map(|p| -> [Wide<N>; 3] { std::array::from_fn(|k| p[k] - points[0][k]) });
        let bits = relative.iter().flatten().map(Wide::bits).max().unwrap_or(0);
        let shift = bits.saturating_sub(62);
        let near = relative.map(|p| p.map(|x| f64::from(x.sign()) * x.shifted_down(shift) as f64));
        let m = near.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs())) + 1.0;
        let u = f64::EPSILON / 2.0;
        Self { points, near, certain: (1024.0 * u * m * m * m, 128.0 * u * m * m) }
    }
    fn minus(&self, a: usize, b: usize) -> [Wide<N>; 3] {
        std::array::from_fn(|k| self.points[a][k] - self.points[b][k])
    }
}

/// u . (v x w), written once for integers and for their approximations.
fn determinant<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>>(
    u: [T; 3],
    v: [T; 3],
    w: [T; 3],
) -> T {
    u[0] * (v[1] * w[2] - v[2] * w[1])
        + u[1] * (v[2] * w[0] - v[0] * w[2])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
}

impl<const N: usize> Predicates for Placed<N> {
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32 {
        let near = |i: usize| -> [f64; 3] { std::array::from_fn(|k| self.near[i][k] - self.near[a][k]) };
        let det = determinant(near(b), near(c), near(d));
        if det.abs() > self.certain.0 {
            return float_sign(det);
        }
        determinant(self.minus(b, a), self.minus(c, a), self.minus(d, a)).sign()
    }
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32 {
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let near = |i: usize, k: usize| self.near[i][k] - self.near[a][k];
        let det = near(b, x) * near(c, y) - near(b, y) * near(c, x);
        if det.abs() > self.certain.1 {
            return float_sign(det);
        }
        let (u, v) = (self.minus(b, a), self.minus(c, a));
        (u[x] * v[y] - u[y] * v[x]).sign()
    }
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering {
        self.points[a][axis].cmp(&self.points[b][axis])
    }
}

/// Six points as they are, both triangles being at the same pose: Shewchuk's adaptive predicates (crate `robust`).
///
/// These are exact as long as nothing over- or underflows, which [`is_tame`] sees to.
struct Raw<'a>(&'a [[f64; 3]; 6]);

impl Predicates for Raw<'_> {
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32 {
        // CAD is full of faces across an axis: four points of one are not worth an expansion.
        let same = |k: usize, i: usize| self.0[a][k] == self.0[i][k];
        if (0..3).any(|k| same(k, b) && same(k, c) && same(k, d)) {
            return 0;
        }
        let p = |i: usize| {
            let [x, y, z] = self.0[i];
            robust::Coord3D { x, y, z }
        };
        float_sign(robust::orient3d(p(a), p(b), p(c), p(d)))
    }
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32 {
        let p = |i: usize| robust::Coord { x: self.0[i][(axis + 1) % 3], y: self.0[i][(axis + 2) % 3] };
        float_sign(robust::orient2d(p(a), p(b), p(c)))
    }
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering {
        // Finite by construction of the mesh; `partial_cmp` because -0.0 and 0.0 are the same number.
        self.0[a][axis].partial_cmp(&self.0[b][axis]).unwrap_or(Ordering::Equal)
    }
}

fn float_sign(x: f64) -> i32 {
    i32::from(x > 0.0) - i32::from(x < 0.0)
}

/// Whether Shewchuk's predicates neither overflow nor underflow on coordinates like `x`.
///
/// Every |x| that is not 0 lies in [2^-298, 2^300], so each is a multiple of 2^-350; every term of every expansion
/// is then a multiple of 2^-1050, hence representable, and is less than 2^910, far from overflow.
pub(crate) fn is_tame(x: f64) -> bool {
    const LEAST: f64 = f64::from_bits((1023 - 298) << 52);
    const MOST: f64 = f64::from_bits((1023 + 300) << 52);
    x == 0.0 || (LEAST..=MOST).contains(&x.abs())
}

/// Whether two placed triangles share a point, decided over the real numbers.
pub(crate) fn meet(p: &[[f64; 3]; 3], pose_p: &Pose, q: &[[f64; 3]; 3], pose_q: &Pose) -> bool {
    if pose_p == pose_q {
        // One injective map moves both: it changes nothing about the answer.
        let six = [p[0], p[1], p[2], q[0], q[1], q[2]];
        if six.iter().flatten().all(|&x| is_tame(x)) {
            return crate::triangle::exact::meet(&Raw(&six));
        }
        return meet_placed(p, &Pose::IDENTITY, q, &Pose::IDENTITY);
    }
    meet_placed(p, pose_p, q, pose_q)
}

fn meet_placed(p: &[[f64; 3]; 3], pose_p: &Pose, q: &[[f64; 3]; 3], pose_q: &Pose) -> bool {
    let points =
        [(p[0], pose_p), (p[1], pose_p), (p[2], pose_p), (q[0], pose_q), (q[1], pose_q), (q[2], pose_q)];
    let lattice = Lattice::of(&points);
    at_width!(lattice.width(3), N => crate::triangle::exact::meet(&Placed::<N>::on(lattice, &points)))
}

/// Whether three points lie on one line.
pub(crate) fn are_collinear(p: &[[f64; 3]; 3]) -> bool {
    fn flat(g: &impl Predicates) -> bool {
        (0..3).all(|axis| g.orient2d(axis, 0, 1, 2) == 0)
    }
    let six = [p[0], p[1], p[2], p[0], p[1], p[2]];
    if six.iter().flatten().all(|&x| is_tame(x)) {
        return flat(&Raw(&six));
    }
    let points = six.map(|v| (v, &Pose::IDENTITY));
    let lattice = Lattice::of(&points);
    at_width!(lattice.width(2), N => flat(&Placed::<N>::on(lattice, &points)))
}

/// Whether the linear map with these rows is singular.
pub(crate) fn is_singular(rows: &[[f64; 3]; 3]) -> bool {
    let points = [[0.0; 3], rows[0], rows[1], rows[2], [0.0; 3], [0.0; 3]].map(|v| (v, &Pose::IDENTITY));
    let lattice = Lattice::of(&points);
    at_width!(lattice.width(3), N => Placed::<N>::on(lattice, &points).orient3d(0, 1, 2, 3) == 0)
}

/// One exact coordinate of a placed point: `row . v + t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coordinate {
    pub(crate) row: [f64; 3],
    pub(crate) t: f64,
    pub(crate) v: [f64; 3],
}

impl Coordinate {
    fn span(&self) -> Span {
        row_span(&self.row, self.t, &self.v)
    }
    /// Compares two coordinates over the real numbers.
    pub(crate) fn compare(&self, o: &Self) -> Ordering {
        let lattice = Lattice::new(self.span().and(o.span()));
        at_width!(lattice.width(1), N => {
            let a = lattice.coordinate::<N>(&self.row, self.t, &self.v);
            a.cmp(&lattice.coordinate::<N>(&o.row, o.t, &o.v))
        })
    }
    /// The nearest f64, ties to even.
    pub(crate) fn round(&self) -> f64 {
        let lattice = Lattice::new(self.span());
        at_width!(lattice.width(1), N => round::<N>(lattice.coordinate(&self.row, self.t, &self.v), lattice.lo))
    }
}

/// n 2^lo, rounded to the nearest f64, ties to even.
fn round<const N: usize>(n: Wide<N>, lo: i32) -> f64 {
    if n.sign() == 0 {
        return 0.0;
    }
    let bits = n.bits() as i32;
    // The last place that the result can have, as an exponent: 52 below the leading bit, or the subnormals' one.
    let ulp = (bits - 53 + lo).max(-1074);
    let drop = ulp - lo;
    let whole = if drop <= 0 {
        // At most 53 bits, shifted up to the last place: exact.
        n.shifted_down(0) << -drop
    } else if drop > bits {
        0 // Less than half of the last place.
    } else {
        let (kept, drop) = (n.shifted_down(drop as u32), drop as u32);
        let half = n.shifted_down(drop - 1) & 1 == 1;
        kept + u64::from(half && (n.any_below(drop - 1) || kept & 1 == 1))
    };
    // `whole` has at most 54 bits, of which 53 count, and `ulp` >= -1074: both products are exact, or overflow as they should.
    let size = scale(whole as f64, ulp);
    f64::from(n.sign()) * size
}

/// x 2^e for an x that is 0 or at least 1, and e >= -1074.
fn scale(x: f64, e: i32) -> f64 {
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    if e > 1023 {
        x * power(1023) * power((e - 1023).min(1023))
    } else if e >= -1022 {
        x * power(e)
    } else {
        // The first product is exact: x >= 1 has room for 52 more halvings.
        x * power(e + 100) * power(-100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(row: [f64; 3], t: f64, v: [f64; 3]) -> f64 {
        Coordinate { row, t, v }.round()
    }

    #[test]
    fn rounds_once_to_the_nearest() {
        let e = f64::EPSILON;
        assert_eq!(one([1.0, 0.0, 0.0], 0.0, [0.1, 5.0, 7.0]), 0.1);
        // 1 + e/2 is a tie, to even; a little more is not.
        assert_eq!(one([1.0, 1.0, 0.0], 0.0, [1.0, e / 2.0, 0.0]), 1.0);
        assert_eq!(one([1.0, 1.0, 1.0], 0.0, [1.0, e / 2.0, 1e-300]), 1.0 + e);
        assert_eq!(one([1.0, 1.0, 1.0], 0.0, [1.0, e / 2.0, -1e-300]), 1.0);
        assert_eq!(one([1.0, 1.0, 0.0], 0.0, [1.0 + e, e / 2.0, 0.0]), 1.0 + 2.0 * e);
        // Catastrophic cancellation leaves what is truly there.
        assert_eq!(one([1e200, 1.0, -1e200], 0.0, [1e100, 3.5, 1e100]), 3.5);
        // Subnormals, and what lies below them.
        let tiny = f64::from_bits(1);
        assert_eq!(one([0.5, 0.0, 0.0], 0.0, [tiny, 0.0, 0.0]), 0.0);
        assert_eq!(one([0.5, 0.0, 0.0], 0.0, [3.0 * tiny, 0.0, 0.0]), 2.0 * tiny);
        assert_eq!(one([0.75, 0.0, 0.0], 0.0, [-tiny, 0.0, 0.0]), -tiny);
        assert_eq!(one([tiny, 0.0, 0.0], 0.0, [tiny, 0.0, 0.0]), 0.0);
        assert_eq!(one([tiny, 1.0, 0.0], 0.0, [tiny, f64::MAX, 0.0]), f64::MAX);
        // Overflow, just short of it, and the largest sum there is.
        assert_eq!(one([1.0, 1.0, 0.0], 0.0, [f64::MAX, 1e291, 0.0]), f64::MAX);
        assert_eq!(one([1.0, 1.0, 0.0], 0.0, [f64::MAX, 1e300, 0.0]), f64::INFINITY);
        assert_eq!(one([-f64::MAX; 3], -f64::MAX, [f64::MAX; 3]), f64::NEG_INFINITY);
        assert_eq!(one([0.0; 3], f64::MIN_POSITIVE, [0.0; 3]), f64::MIN_POSITIVE);
    }

    #[test]
    fn a_single_product_agrees_with_the_machine() {
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            f64::from_bits(x ^ x >> 31)
        };
        let mut checked = 0;
        while checked < 200_000 {
            let (a, b) = (next(), next());
            if a.is_finite() && b.is_finite() {
                checked += 1;
                assert_eq!(one([a, 0.0, 0.0], 0.0, [b, 1.0, 1.0]), a * b, "{a:e} * {b:e}");
                assert_eq!(one([a, 0.0, 0.0], b, [1.0, 1.0, 1.0]), a + b, "{a:e} + {b:e}");
            }
        }
    }

    #[test]
    fn compares_beyond_rounding() {
        let at = |t: f64, x: f64| Coordinate { row: [1.0, 0.0, 0.0], t, v: [x, 0.0, 0.0] };
        assert_eq!(at(1.0, 1e-300).compare(&at(1.0, 0.0)), Ordering::Greater);
        assert_eq!(at(1.0, 1e-300).compare(&at(1.0, 2e-300)), Ordering::Less);
        assert_eq!(at(0.5, 0.5).compare(&at(1.0, -0.0)), Ordering::Equal);
        let (huge, tiny) = (f64::MAX, f64::from_bits(1));
        let far = |s: f64| Coordinate { row: [huge, s * tiny, 0.0], t: 0.0, v: [huge, tiny, 0.0] };
        assert_eq!(far(1.0).compare(&far(-1.0)), Ordering::Greater);
    }

    #[test]
    fn collinear_means_exactly_collinear() {
        let on = [[1.0; 3], [2.0; 3], [0.1; 3]];
        let beside = [[1.0; 3], [2.0; 3], [0.1, 0.1, 0.1_f64.next_up()]];
        // The same at the ends of the range, where floating-point products under- and overflow.
        for scale in [1.0, 1e-300, 1e-322, 8e307] {
            assert!(are_collinear(&on.map(|p| p.map(|c| c * scale))), "{scale}");
        }
        for exponent in [0, -1000, 1022] {
            let scaled = beside.map(|p| p.map(|c| c * 2.0_f64.powi(exponent)));
            assert!(!are_collinear(&scaled), "2^{exponent}");
        }
        let tiny = f64::from_bits(1);
        assert!(!are_collinear(&[[0.0; 3], [tiny, 0.0, 0.0], [0.0, tiny, 0.0]]));
        assert!(are_collinear(&[[0.0; 3], [tiny, 0.0, 0.0], [3.0 * tiny, 0.0, 0.0]]));
        assert!(are_collinear(&[[7.0; 3]; 3]));
    }

    #[test]
    fn singular_means_exactly_singular() {
        let rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
        assert!(is_singular(&rows));
        let mut near = rows;
        near[2][2] += 2e-15;
        assert!(!is_singular(&near));
        assert!(!is_singular(&[[1e-300, 0.0, 0.0], [0.0, 1e300, 0.0], [0.0, 0.0, 5e-324]]));
    }
}
