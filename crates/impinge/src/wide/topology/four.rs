//! Boxes in two vectors of four, which the compiler keeps in registers.
use crate::bounds::Bounds;

/// Three coordinates and a passenger.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Four(pub(super) [f32; 4]);

impl Four {
    #[inline(always)]
    pub(super) fn all(x: f32) -> Self {
        Self([x; 4])
    }
    #[inline(always)]
    pub(super) fn zip(self, o: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, o.0);
        Self([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
    #[inline(always)]
    pub(super) fn min(self, o: Self) -> Self {
        self.zip(o, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    pub(super) fn max(self, o: Self) -> Self {
        self.zip(o, |a, b| if a > b { a } else { b })
    }
}

/// A box of one or more triangles. Its fourth lanes carry an index and a count, which the union of two boxes loses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) lo: Four,
    pub(super) hi: Four,
}

impl Span {
    pub(super) const EMPTY: Self = Self { lo: Four([f32::INFINITY; 4]), hi: Four([f32::NEG_INFINITY; 4]) };

    #[inline(always)]
    pub(super) fn new(b: &Bounds, index: u32, count: u32) -> Self {
        let ([a, c, d], [e, f, g]) = (b.lo, b.hi);
        Self { lo: Four([a, c, d, f32::from_bits(index)]), hi: Four([e, f, g, f32::from_bits(count)]) }
    }
    #[inline(always)]
    pub(super) fn index(&self) -> u32 {
        self.lo.0[3].to_bits()
    }
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        self.hi.0[3].to_bits()
    }
    pub(super) fn tagged(mut self, index: u32, count: u32) -> Self {
        self.lo.0[3] = f32::from_bits(index);
        self.hi.0[3] = f32::from_bits(count);
        self
    }
    #[inline(always)]
    pub(super) fn and(&self, o: &Self) -> Self {
        // The own side wins ties and stays where the other's passenger is NaN.
        Self { lo: o.lo.min(self.lo), hi: o.hi.max(self.hi) }
    }
    /// Twice the middle; its fourth lane means nothing.
    #[inline(always)]
    pub(super) fn centre(&self) -> Four {
        self.lo.zip(self.hi, |a, b| a + b)
    }
    /// Half the surface; meaningless for [`Self::EMPTY`].
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let [x, y, z, _] = self.hi.zip(self.lo, |a, b| a - b).0;
        x * y + y * z + z * x
    }
    pub(super) fn of(items: &[Self]) -> Self {
        items.iter().fold(Self::EMPTY, |b, item| b.and(item))
    }
}
