//! Lengths and areas, as intervals.
//!
//! A coordinate of a node is the nearest f64: it is off by u of itself at most, or half of the least number,
//! or it is known to be exact. From there on [`Rounded`] counts.
use crate::{
    exact::probe::{Algebra, Number, Point, Rounded},
    normalized_frame::shrinking,
    vector::{UNIT, Vector, largest},
};

/// A node's coordinates with their errors.
#[inline]
pub(super) fn coordinates(point: &Vector, exact: [bool; 3]) -> Point<Rounded> {
    [0, 1, 2].map(|k| {
        let error = if exact[k] { 0.0 } else { UNIT * point[k].abs() + f64::from_bits(1) };
        Rounded::new(point[k], error)
    })
}

#[inline(always)]
fn is_zero(x: &Rounded) -> bool {
    x.value() == 0.0 && x.error() == 0.0
}

/// The length of a vector.
///
/// With q the sum of the squares, off by e at most, its root is off by e / root(q), as for t >= 0 | root(t) -
/// root(q) | = | t - q | / (root(t) + root(q)); and rounded by u.
#[inline]
pub(super) fn length(v: &Point<Rounded>) -> Rounded {
    // Written out: no calls are left.
    let [a, b, c] = v;
    match [is_zero(a), is_zero(b), is_zero(c)] {
        [true, true, true] => return Rounded::ZERO,
        [false, true, true] => return Rounded::new(a.value().abs(), a.error()),
        [true, false, true] => return Rounded::new(b.value().abs(), b.error()),
        [true, true, false] => return Rounded::new(c.value().abs(), c.error()),
        _ => {}
    }
    // So that no square over- or underflows.
    let scale = shrinking(largest([a.value().abs(), b.value().abs(), c.value().abs()]));
    let by = Rounded::new(scale, 0.0);
    let [a, b, c] = [a.times(&by), b.times(&by), c.times(&by)];
    let square = a.times(&a).plus(&b.times(&b)).plus(&c.times(&c));
    let root = square.value().sqrt();
    // Short enough to be multiplied by itself without rounding.
    let is_short = f64::from(root as f32) == root;
    let error = if square.error() == 0.0 && is_short && root * root == square.value() {
        0.0
    } else if root > 0.0 {
        (square.error() / root + UNIT * root) * (1.0 + 16.0 * UNIT)
    } else {
        square.error().sqrt() * (1.0 + 4.0 * UNIT)
    };
    Rounded::new(root, error).times(&Rounded::new(1.0 / scale, 0.0))
}

/// The area of a polygon, by its corners in order.
pub(super) fn area<'a>(corners: impl Iterator<Item = Point<Rounded>> + Clone + 'a) -> Rounded {
    let mut rest = corners.clone();
    let Some(first) = rest.next() else { return Rounded::ZERO };
    let arms = rest.map(|corner| corner.difference(&first));
    let mut sum = [Rounded::ZERO; 3];
    let mut last: Option<Point<Rounded>> = None;
    for arm in arms {
        if let Some(last) = last {
            sum = sum.sum(&last.cross(&arm));
        }
        last = Some(arm);
    }
    length(&sum).times(&Rounded::new(0.5, 0.0))
}

/// The numbers between which it lies, 0 or more; all of them where nothing is known.
pub(super) fn interval(x: &Rounded) -> [f64; 2] {
    let (value, error) = (x.value(), x.error());
    if error == 0.0 && value.is_finite() {
        return [value; 2];
    }
    let (lo, hi) = ((value - error).next_down(), (value + error).next_up());
    [if lo > 0.0 && lo.is_finite() { lo } else { 0.0 }, if hi.is_nan() { f64::INFINITY } else { hi }]
}
