//! Linear algebra that several files share. Operations are in the written order.

/// Unit roundoff of f64.
pub const UNIT: f64 = f64::EPSILON / 2.0;
/// Unit roundoff of f32.
pub(crate) const UNIT_F32: f64 = 1.0 / (1 << 24) as f64;

/// Three coordinates.
pub type Vector = [f64; 3];
/// A matrix, row by row.
pub(crate) type Matrix = [Vector; 3];
/// The corners of a triangle.
pub(crate) type Triangle = [Vector; 3];

/// Difference a - b.
#[inline(always)]
pub fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Scalar product a . b, summed from the first product on.
#[inline(always)]
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Cross product a x b.
#[inline(always)]
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The length of a vector, off by 2.5 u of itself where no square over- or underflows.
#[inline(always)]
pub(crate) fn length(v: Vector) -> f64 {
    dot(v, v).sqrt()
}

/// a b - product, exactly, where `product` is a b rounded: Dekker 1971, with factors in two halves of 26
/// bits, whose products are exact. Not exact after overflow or underflow.
#[inline]
pub(crate) fn product_error(a: f64, b: f64, product: f64) -> f64 {
    let halves = |x: f64| {
        let big = x * 134_217_729.0; // 2^27 + 1
        let high = big - (big - x);
        [high, x - high]
    };
    let ([a, c], [b, d]) = (halves(a), halves(b));
    ((a * b - product) + a * d + c * b) + c * d
}

/// The box that holds no point.
pub(crate) const NO_EXTENT: [Vector; 2] = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];

/// Makes a box hold a point.
#[inline(always)]
pub(crate) fn grow([lo, hi]: &mut [Vector; 2], v: &Vector) {
    for k in 0..3 {
        lo[k] = if v[k] < lo[k] { v[k] } else { lo[k] };
        hi[k] = if v[k] > hi[k] { v[k] } else { hi[k] };
    }
}

/// The least and the greatest coordinates of points; [`NO_EXTENT`] if there are none.
#[inline(always)]
pub(crate) fn extent<'a>(points: impl IntoIterator<Item = &'a Vector>) -> [Vector; 2] {
    let mut extent = NO_EXTENT;
    points.into_iter().for_each(|v| grow(&mut extent, v));
    extent
}

/// The largest of 0 and the values, or NaN if a value is NaN (unlike `f64::max`).
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |m: f64, x| if m.is_nan() || x <= m { m } else { x })
}

/// The power of two that takes a positive number into [1/2, 1), clamped to [2^-1022, 2^1000]. Numbers below
/// 2^-1001 stay below 1/2, and numbers from 2^1022 on come to less than 4.
#[inline]
pub fn shrinking(x: f64) -> f64 {
    let exponent = ((x.to_bits() >> 52) as i64 - 1022).clamp(-1000, 1022);
    f64::from_bits(((1023 - exponent) as u64) << 52)
}
