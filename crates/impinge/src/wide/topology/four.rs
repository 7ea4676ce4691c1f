//! Boxes as two vectors of four numbers, which the compiler keeps in SIMD registers.
#[cfg(test)]
use crate::bounds::Bounds;
use crate::mesh::MAX_TRIANGLES;

/// Three coordinates and a fourth number.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(crate) struct Four(pub(crate) [f32; 4]);

impl Four {
    #[inline(always)]
    pub(crate) fn all(x: f32) -> Self {
        Self([x; 4])
    }
    #[inline(always)]
    pub(crate) fn zip(self, o: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, o.0);
        Self([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
    #[inline(always)]
    pub(crate) fn times(self, weights: [i32; 4]) -> Self {
        self.zip(Self(weights.map(|w| w as f32)), |a, w| a * w)
    }
    #[inline(always)]
    pub(crate) fn min(self, o: Self) -> Self {
        self.zip(o, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    pub(crate) fn max(self, o: Self) -> Self {
        self.zip(o, |a, b| if a > b { a } else { b })
    }
}

/// Tags are integers x that are stored as the float with the bits `TAG_ZERO` + x: as floats from 2 on. SIMD
/// arithmetic is done on the fourth number, too, and would take a hundred times as long if it were subnormal,
/// as the float with the bits x is.
const TAG_ZERO: u32 = 0x4000_0000;
/// From this tag on floats are not finite.
const TAGS: u32 = 0x3f80_0000;
// Tags are numbers of triangles and of clusters of them, and counts.
const _: () = assert!(MAX_TRIANGLES < TAGS as usize);

fn tag(x: u32) -> f32 {
    debug_assert!(x < TAGS, "not a finite number");
    f32::from_bits(TAG_ZERO + x)
}

/// A box of one or more triangles, tagged with an index and a count in the fourth numbers. The tags of a
/// union of two boxes mean nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaggedBox {
    pub(super) lo: Four,
    pub(super) hi: Four,
}

impl Default for TaggedBox {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl TaggedBox {
    pub(super) const EMPTY: Self = Self { lo: Four([f32::INFINITY; 4]), hi: Four([f32::NEG_INFINITY; 4]) };

    #[cfg(test)]
    pub(super) fn new(b: &Bounds, index: u32, count: u32) -> Self {
        let ([a, c, d], [e, f, g]) = (b.lo, b.hi);
        Self { lo: Four([a, c, d, tag(index)]), hi: Four([e, f, g, tag(count)]) }
    }
    /// The box of one triangle; the fourth numbers do not matter.
    #[inline(always)]
    pub(crate) fn of_triangle(lo: Four, hi: Four, index: u32) -> Self {
        Self { lo, hi }.tagged(index, 1)
    }
    #[inline(always)]
    pub(super) fn index(&self) -> u32 {
        self.lo.0[3].to_bits() - TAG_ZERO
    }
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        self.hi.0[3].to_bits() - TAG_ZERO
    }
    /// The same box with other tags.
    #[inline(always)]
    pub(super) fn tagged(mut self, index: u32, count: u32) -> Self {
        self.lo.0[3] = tag(index);
        self.hi.0[3] = tag(count);
        self
    }
    #[inline(always)]
    pub(super) fn and(&self, o: &Self) -> Self {
        Self { lo: o.lo.min(self.lo), hi: o.hi.max(self.hi) }
    }
    /// Twice the box's centre; its fourth number means nothing.
    #[inline(always)]
    pub(super) fn centre(&self) -> Four {
        self.lo.zip(self.hi, |a, b| a + b)
    }
    /// Half the box's surface; infinite for [`Self::EMPTY`].
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let [x, y, z, _] = self.hi.zip(self.lo, |a, b| a - b).0;
        x * y + y * z + z * x
    }
    /// The box of many boxes.
    pub(super) fn of(items: &[Self]) -> Self {
        items.iter().fold(Self::EMPTY, |b, item| b.and(item))
    }
}

/// Three boxes, one in each lane: to compute their areas costs no more than to compute one.
#[derive(Clone, Copy)]
pub(super) struct ThreeBoxes {
    lo: [Four; 3],
    hi: [Four; 3],
}

impl ThreeBoxes {
    pub(super) const EMPTY: Self =
        Self { lo: [Four([f32::INFINITY; 4]); 3], hi: [Four([f32::NEG_INFINITY; 4]); 3] };

    #[inline(always)]
    pub(super) fn new([a, b, c]: [&TaggedBox; 3]) -> Self {
        let lane = |k: usize| {
            (Four([a.lo.0[k], b.lo.0[k], c.lo.0[k], 0.0]), Four([a.hi.0[k], b.hi.0[k], c.hi.0[k], 0.0]))
        };
        let [x, y, z] = [lane(0), lane(1), lane(2)];
        Self { lo: [x.0, y.0, z.0], hi: [x.1, y.1, z.1] }
    }
    #[inline(always)]
    pub(super) fn and(&self, o: &Self) -> Self {
        Self {
            lo: std::array::from_fn(|k| o.lo[k].min(self.lo[k])),
            hi: std::array::from_fn(|k| o.hi[k].max(self.hi[k])),
        }
    }
    /// Half the surface of each box; infinite for an empty one.
    #[inline(always)]
    pub(super) fn areas(&self) -> Four {
        let [x, y, z] = std::array::from_fn(|k| self.hi[k].zip(self.lo[k], |a, b| a - b));
        let times = |a: Four, b: Four| a.zip(b, |a, b| a * b);
        times(x, y).zip(times(y, z), |a, b| a + b).zip(times(z, x), |a, b| a + b)
    }
}
