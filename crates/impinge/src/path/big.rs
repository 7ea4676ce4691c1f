//! Rotations in fixed-point numbers of any size, for tests: no floating-point arithmetic, and sine and cosine
//! by another series and another reduction than `circle.rs` has.
use crate::vector::Vector;
use num_bigint::BigInt;
use std::ops::{Add, Mul, Neg, Sub};

/// Bits behind the point. All errors below are some units of the last place, times 2^80 at most.
const BITS: u32 = 700;

/// A number of units of 2^-700.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) struct LongFloat(BigInt);

impl LongFloat {
    /// The number, or the next one towards 0 if it has more bits.
    pub(crate) fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let (field, part) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let (mantissa, exponent) = if field == 0 { (part, -1074) } else { (part | 1 << 52, field - 1075) };
        let shift = exponent + BITS as i32;
        let size = BigInt::from(mantissa);
        let size = if shift < 0 { size >> shift.unsigned_abs() } else { size << shift.unsigned_abs() };
        Self(if x < 0.0 { -size } else { size })
    }
    pub(crate) fn zero() -> Self {
        Self(BigInt::ZERO)
    }
    pub(crate) fn one() -> Self {
        Self(BigInt::from(1) << BITS)
    }
    fn over(&self, n: u64) -> Self {
        Self(&self.0 / n)
    }
    pub(crate) fn divided_by(&self, other: &Self) -> Self {
        Self((&self.0 << BITS) / &other.0)
    }
    /// The number, up to a few roundings of f64.
    pub(crate) fn approximate(&self) -> f64 {
        let shift = self.0.bits().saturating_sub(60) as i32;
        let top = i64::try_from(&self.0 >> shift as u32).expect("60 bits") as f64;
        // In two factors, which are not subnormal.
        let exponent = shift - BITS as i32;
        top * 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2)
    }
    pub(crate) fn root(&self) -> Self {
        Self((&self.0 << BITS).sqrt())
    }
}

impl Add for &LongFloat {
    type Output = LongFloat;
    fn add(self, other: Self) -> LongFloat {
        LongFloat(&self.0 + &other.0)
    }
}
impl Sub for &LongFloat {
    type Output = LongFloat;
    fn sub(self, other: Self) -> LongFloat {
        LongFloat(&self.0 - &other.0)
    }
}
impl Mul for &LongFloat {
    type Output = LongFloat;
    fn mul(self, other: Self) -> LongFloat {
        LongFloat((&self.0 * &other.0) >> BITS)
    }
}
impl Neg for &LongFloat {
    type Output = LongFloat;
    fn neg(self) -> LongFloat {
        LongFloat(-&self.0)
    }
}

pub(crate) type LongVector = [LongFloat; 3];

pub(crate) fn vector(v: &Vector) -> LongVector {
    v.map(LongFloat::of)
}
pub(crate) fn sum(a: &LongVector, b: &LongVector) -> LongVector {
    [0, 1, 2].map(|k| &a[k] + &b[k])
}
pub(crate) fn difference(a: &LongVector, b: &LongVector) -> LongVector {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}
pub(crate) fn times(a: &LongVector, by: &LongFloat) -> LongVector {
    [0, 1, 2].map(|k| &a[k] * by)
}
pub(crate) fn dot(a: &LongVector, b: &LongVector) -> LongFloat {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}
fn cross(a: &LongVector, b: &LongVector) -> LongVector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}
/// Rows of a matrix times a vector.
pub(crate) fn image(rows: &[Vector; 3], v: &LongVector) -> LongVector {
    rows.map(|row| dot(&vector(&row), v))
}
/// The x with `rows` x = v, by Cramer's rule.
pub(crate) fn solve(rows: &[Vector; 3], v: &LongVector) -> LongVector {
    let columns = [0, 1, 2].map(|j| vector(&[rows[0][j], rows[1][j], rows[2][j]]));
    let [a, b, c] = &columns;
    let all = dot(a, &cross(b, c));
    [dot(v, &cross(b, c)), dot(a, &cross(v, c)), dot(a, &cross(b, v))].map(|x| x.divided_by(&all))
}

/// (sin f / f, cos f) of a number whose square is given, below 2^42.
fn sine_part_and_cosine(square: &LongFloat) -> (LongFloat, LongFloat) {
    // f / 2^40 has a square below 2^-38; the series have 16 terms, the first omitted below 2^-600. Then the
    // angle is doubled, where errors grow by 4 at most.
    const DOUBLINGS: u32 = 40;
    let z = LongFloat(-(&square.0 >> (2 * DOUBLINGS)));
    let (mut sine, mut cosine) = (LongFloat::one(), LongFloat::one());
    for k in (1..=17_u64).rev() {
        sine = &LongFloat::one() + &(&sine * &z).over(2 * k * (2 * k + 1));
        cosine = &LongFloat::one() + &(&cosine * &z).over(2 * k * (2 * k - 1));
    }
    for _ in 0..DOUBLINGS {
        sine = &sine * &cosine;
        let twice = &cosine * &cosine;
        cosine = &(&twice + &twice) - &LongFloat::one();
    }
    (sine, cosine)
}

/// x, turned by the rotation vector w.
pub(crate) fn turned(w: &LongVector, x: &LongVector) -> LongVector {
    let square = dot(w, w);
    let (sine, _) = sine_part_and_cosine(&square);
    // 1 - cos f is half of f^2 (sin(f / 2) / (f / 2))^2.
    let (half, _) = sine_part_and_cosine(&LongFloat(&square.0 >> 2));
    let versine = LongFloat((&half.0 * &half.0) >> (BITS + 1));
    let across = cross(w, x);
    let back = cross(w, &across);
    [0, 1, 2].map(|k| &x[k] + &(&(&sine * &across[k]) + &(&versine * &back[k])))
}

/// True if the vector is no longer than `length`.
pub(crate) fn is_within(v: &LongVector, length: f64) -> bool {
    let length = LongFloat::of(length);
    dot(v, v) <= &length * &length
}

/// The length of a vector, up to some roundings of f64.
pub(crate) fn length(v: &LongVector) -> f64 {
    dot(v, v).root().approximate()
}

#[test]
fn turns_by_known_angles() {
    // A third of a turn about (1, 1, 1) exchanges the axes: 2 pi / 3 to 53 bits, and the rest.
    let third = 2.0 * std::f64::consts::PI / 3.0;
    let w = [third / 3_f64.sqrt(); 3];
    let y = turned(&vector(&w), &vector(&[1.0, 0.0, 0.0]));
    assert!(is_within(&difference(&y, &vector(&[0.0, 1.0, 0.0])), 1e-15));
    // A rotation keeps lengths, and one after another is one by the sum.
    let x = vector(&[0.3, -0.7, 2.0]);
    for size in [1e-30, 1e-3, 1.0, 100.0, 1e6] {
        let w = vector(&[0.48 * size, -0.6 * size, 0.64 * size]);
        let (once, twice) = (turned(&w, &x), turned(&times(&w, &LongFloat::of(2.0)), &x));
        assert!(is_within(&difference(&turned(&w, &once), &twice), 1e-100));
        let change = &dot(&once, &once) - &dot(&x, &x);
        assert!(change < LongFloat::of(1e-100) && change > LongFloat::of(-1e-100));
        let sine = dot(&cross(&x, &once), &w);
        let plain = (size.sin(), dot(&cross(&x, &cross(&w, &x)), &w));
        let off = &sine - &(&LongFloat::of(plain.0 / size) * &plain.1);
        assert!(is_within(&[off, LongFloat::zero(), LongFloat::zero()], 1e-13 * size.max(1.0)), "{size}");
    }
    let root = LongFloat::of(2.0).root();
    assert!(is_within(
        &[&(&root * &root) - &LongFloat::of(2.0), LongFloat::zero(), LongFloat::zero()],
        1e-200
    ));
    for x in [1.0, -3.7, 1e-100, -1e100, 0.0, 2_f64.powi(-600)] {
        assert!((LongFloat::of(x).approximate() - x).abs() <= 1e-15 * x.abs(), "{x}");
    }
    let rows = [[2.0, 1.0, 0.0], [0.5, -3.0, 1.0], [0.0, 0.25, 1.5]];
    assert!(is_within(&difference(&image(&rows, &solve(&rows, &x)), &x), 1e-200));
}
