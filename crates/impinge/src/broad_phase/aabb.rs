//! Axis-aligned boxes.

/// A closed axis-aligned box { x : lo <= x <= hi } in world coordinates. Empty if lo > hi on some axis. Sides
/// may be infinite; NaN is not allowed.
#[doc(alias("bounding box", "Bbox_3"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The smallest coordinate on each axis.
    pub lo: [f64; 3],
    /// The largest coordinate on each axis.
    pub hi: [f64; 3],
}

/// Sums of squares below this may have lost digits to underflow.
const LEAST_SQUARE: f64 = 1e-280;

impl Aabb {
    /// The empty box: it meets nothing. A removed body has it.
    pub const EMPTY: Self = Self { lo: [f64::INFINITY; 3], hi: [f64::NEG_INFINITY; 3] };

    /// True if two boxes that are not empty share a point.
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lo[k] <= other.hi[k] && other.lo[k] <= self.hi[k])
    }
    /// True if the box has no points.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|k| self.lo[k] > self.hi[k])
    }
    /// True if the box contains another one that is not empty.
    #[inline(always)]
    pub fn holds(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lo[k] <= other.lo[k] && other.hi[k] <= self.hi[k])
    }
    /// A lower bound of the distance of two boxes; infinite if one is empty.
    ///
    /// Three differences, their squares, two sums and a root are each off by half a unit in the last place.
    /// Where squares overflow or underflow, the longest side is enough.
    pub(crate) fn apart_from(&self, other: &Self) -> f64 {
        let sides = [0, 1, 2].map(|k| (self.lo[k] - other.hi[k]).max(other.lo[k] - self.hi[k]).max(0.0));
        let longest = sides[0].max(sides[1]).max(sides[2]);
        let square = sides[0] * sides[0] + sides[1] * sides[1] + sides[2] * sides[2];
        // Not after underflow or overflow of a square.
        let is_known = LEAST_SQUARE < square && square < f64::INFINITY;
        let length = if is_known { square.sqrt().max(longest) } else { longest };
        length * (1.0 - 8.0 * f64::EPSILON)
    }
    /// The smallest box around two boxes.
    #[inline(always)]
    pub fn and(&self, other: &Self) -> Self {
        let mut all = *self;
        for k in 0..3 {
            // Comparisons instead of `f64::min`: there is no NaN here, and these compile to one instruction
            // each.
            all.lo[k] = if other.lo[k] < all.lo[k] { other.lo[k] } else { all.lo[k] };
            all.hi[k] = if other.hi[k] > all.hi[k] { other.hi[k] } else { all.hi[k] };
        }
        all
    }
}

impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}
