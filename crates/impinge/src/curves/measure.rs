//! Lengths and areas, as intervals.
//!
//! A coordinate of a node is the nearest f64: it is off by u of itself at most, or half of the least number,
//! or it is exact for certain. [`RoundedNumber`] bounds the errors of all later steps.
use crate::{
    posed::probe::{Algebra, Coordinates, Number, RoundedNumber},
    vector::{UNIT, Vector, largest, shrinking},
};

/// A node's coordinates with their errors.
#[inline]
pub(super) fn coordinates(point: &Vector, exact: [bool; 3]) -> Coordinates<RoundedNumber> {
    [0, 1, 2].map(|k| {
        let error = if exact[k] { 0.0 } else { UNIT * point[k].abs() + f64::from_bits(1) };
        RoundedNumber::new(point[k], error)
    })
}

#[inline(always)]
fn is_zero(x: &RoundedNumber) -> bool {
    x.value() == 0.0 && x.error() == 0.0
}

/// The length of a vector.
///
/// Let t be the sum of the squares and q its calculated value, off by e at most. Then
/// |root(t) - root(q)| = |t - q| / (root(t) + root(q)) is at most e / root(q), and at most root(e), because
/// |root(t) - root(q)| <= root(t) + root(q). The second bound is the smaller one where q < e: the value may
/// be 0, or far below its error, where the coordinates of two nodes round to the same numbers. The root
/// itself rounds by u.
#[inline]
pub(super) fn length(v: &Coordinates<RoundedNumber>) -> RoundedNumber {
    // Written out, so that no calls remain.
    let [a, b, c] = v;
    match [is_zero(a), is_zero(b), is_zero(c)] {
        [true, true, true] => return RoundedNumber::ZERO,
        [false, true, true] => return RoundedNumber::new(a.value().abs(), a.error()),
        [true, false, true] => return RoundedNumber::new(b.value().abs(), b.error()),
        [true, true, false] => return RoundedNumber::new(c.value().abs(), c.error()),
        _ => {}
    }
    // Values and errors come to less than 1, so that no square overflows, and an underflow is far below the
    // largest of the squares.
    let scale = shrinking(largest([reach(a), reach(b), reach(c)]));
    let by = RoundedNumber::new(scale, 0.0);
    let [a, b, c] = [a.times(&by), b.times(&by), c.times(&by)];
    let square = a.times(&a).plus(&b.times(&b)).plus(&c.times(&c));
    let root = square.value().sqrt();
    // Short enough to be multiplied by itself without rounding.
    let is_short = f64::from(root as f32) == root;
    let error = if square.error() == 0.0 && is_short && root * root == square.value() {
        0.0
    } else if square.value() > square.error() {
        (square.error() / root + UNIT * root) * (1.0 + 16.0 * UNIT)
    } else {
        (square.error().sqrt() + UNIT * root) * (1.0 + 16.0 * UNIT)
    };
    RoundedNumber::new(root, error).times(&RoundedNumber::new(1.0 / scale, 0.0))
}

/// The largest absolute value that a number may have.
#[inline(always)]
fn reach(x: &RoundedNumber) -> f64 {
    x.value().abs() + x.error()
}

/// The area of a polygon, by its corners in order.
pub(super) fn area<'a>(
    corners: impl Iterator<Item = Coordinates<RoundedNumber>> + Clone + 'a,
) -> RoundedNumber {
    let mut rest = corners.clone();
    let Some(first) = rest.next() else { return RoundedNumber::ZERO };
    let arms = rest.map(|corner| corner.difference(&first));
    let scale = shrinking(largest(arms.clone().flat_map(|arm| arm.map(|x| reach(&x)))));
    let mut sum = [RoundedNumber::ZERO; 3];
    let mut last: Option<Coordinates<RoundedNumber>> = None;
    for arm in arms {
        let arm = arm.map(|x| shifted(&x, scale));
        if let Some(last) = last {
            sum = sum.sum(&last.cross(&arm));
        }
        last = Some(arm);
    }
    half(&sum, scale)
}

/// The area of a plane region with these sides: it is on the left of all, or on the right of all. Sides that
/// end at the given point of the plane may be missing.
pub(super) fn enclosed<'a>(
    point: &Coordinates<RoundedNumber>,
    sides: impl Iterator<Item = [Coordinates<RoundedNumber>; 2]> + Clone + 'a,
) -> RoundedNumber {
    let arms = sides.map(|ends| ends.map(|end| end.difference(point)));
    let scale = shrinking(largest(arms.clone().flatten().flat_map(|arm| arm.map(|x| reach(&x)))));
    let mut sum = [RoundedNumber::ZERO; 3];
    for arms in arms {
        let [p, q] = arms.map(|arm| arm.map(|x| shifted(&x, scale)));
        sum = sum.sum(&p.cross(&q));
    }
    half(&sum, scale)
}

/// Half of the length of a sum of products of scaled numbers, scaled back. Without the scale, the products of
/// a thin polygon may overflow where its area does not.
fn half(sum: &Coordinates<RoundedNumber>, scale: f64) -> RoundedNumber {
    let half = length(sum).times(&RoundedNumber::new(0.5, 0.0));
    shifted(&shifted(&half, 1.0 / scale), 1.0 / scale)
}

/// A number times a power of two, which rounds only what underflows: by half of the least number.
fn shifted(x: &RoundedNumber, power: f64) -> RoundedNumber {
    let (value, error) = (x.value() * power, x.error() * power);
    let is_kept = |from: f64, to: f64| from == 0.0 || to.abs() >= f64::MIN_POSITIVE;
    if is_kept(x.value(), value) && is_kept(x.error(), error) {
        return RoundedNumber::new(value, error);
    }
    RoundedNumber::new(value, (error + f64::MIN_POSITIVE) * (1.0 + 4.0 * UNIT))
}

/// The numbers between which a length or an area lies: 0 and infinity where it has no bound.
pub(super) fn interval(x: &RoundedNumber) -> [f64; 2] {
    let (value, error) = (x.value(), x.error());
    if error == 0.0 && value.is_finite() {
        return [value; 2];
    }
    let (lo, hi) = ((value - error).next_down(), (value + error).next_up());
    [if lo > 0.0 && lo.is_finite() { lo } else { 0.0 }, if hi.is_nan() { f64::INFINITY } else { hi }]
}
