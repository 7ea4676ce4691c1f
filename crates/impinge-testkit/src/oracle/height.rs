//! Heights of triangles over a plane, in integers.
use super::Term;
use impinge::Pose;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// A number times 2^`exponent`.
#[derive(Clone)]
struct Binary {
    number: BigInt,
    exponent: i32,
}

impl Binary {
    fn of(x: f64) -> Self {
        let Term { mantissa, exponent } = Term::of(x);
        Self { number: BigInt::from(mantissa), exponent }
    }
    fn times(&self, o: &Self) -> Self {
        Self { number: &self.number * &o.number, exponent: self.exponent + o.exponent }
    }
    /// Both numbers, in the lesser of their units.
    fn aligned(&self, o: &Self) -> [BigInt; 2] {
        let unit = self.exponent.min(o.exponent);
        [self, o].map(|x| &x.number << (x.exponent - unit) as u32)
    }
    fn plus(&self, o: &Self) -> Self {
        let [x, y] = self.aligned(o);
        Self { number: x + y, exponent: self.exponent.min(o.exponent) }
    }
}

/// Compares the height (n.x - d) / |n| of a placed triangle's lowest point with the sum of numbers that are
/// not negative.
pub fn compare_height(
    triangle: &[[f64; 3]; 3],
    pose: &Pose,
    (n, d): ([f64; 3], f64),
    sum: &[f64],
) -> Ordering {
    let total = |all: Vec<Binary>| all.iter().fold(Binary::of(0.0), |total, x| total.plus(x));
    let normal = n.map(Binary::of);
    let sum = total(sum.iter().copied().map(Binary::of).collect());
    let square = total(normal.iter().map(|x| x.times(x)).collect());
    let limit = sum.times(&sum).times(&square);
    let order = |v: &[f64; 3]| {
        let mut value = Binary::of(-d);
        for ((n, row), t) in normal.iter().zip(pose.rows()).zip(pose.translation()) {
            let mut x = Binary::of(*t);
            for (r, v) in row.iter().zip(v) {
                x = x.plus(&Binary::of(*r).times(&Binary::of(*v)));
            }
            value = value.plus(&n.times(&x));
        }
        if value.number < BigInt::ZERO {
            return Ordering::Less;
        }
        let [value, limit] = value.times(&value).aligned(&limit);
        value.cmp(&limit)
    };
    triangle.iter().map(order).min().unwrap_or(Ordering::Greater)
}
