//! Squares of distances of boxes.
use crate::{
    simd::{Lanes, Simd},
    triangle::lanes::LaneVector,
};

/// The squares of the distances of boxes `lo` to `hi` from the box `low` to `high`.
#[inline(always)]
pub(super) fn squares<L: Lanes>(
    lo: &LaneVector<L>,
    hi: &LaneVector<L>,
    low: &LaneVector<L>,
    high: &LaneVector<L>,
    zero: L,
) -> L {
    let x = (lo[0] - high[0]).max(low[0] - hi[0]).max(zero);
    let y = (lo[1] - high[1]).max(low[1] - hi[1]).max(zero);
    let z = (lo[2] - high[2]).max(low[2] - hi[2]).max(zero);
    x * x + y * y + z * z
}

/// The square, or 0 where it is NaN because the motion has no bound.
#[inline(always)]
pub(super) fn known<S: Simd>(simd: S, square: S::Eight) -> S::Eight {
    square.or_else(square.gt(simd.eight(-1.0)), simd.eight(0.0))
}
