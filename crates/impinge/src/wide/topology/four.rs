//! Boxes in two vectors of four, which the compiler keeps in registers.
#[cfg(test)]
use crate::bounds::Bounds;

/// Three coordinates and a passenger.
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

/// Passengers ride as the bits of numbers from 2 on: arithmetic on subnormal ones takes a hundred times as long.
const PASSENGER: u32 = 0x4000_0000;

fn passenger(x: u32) -> f32 {
    debug_assert!(x < 0x3f80_0000, "not a finite number");
    f32::from_bits(PASSENGER + x)
}

/// A box of one or more triangles. Its fourth lanes carry an index and a count, which the union of two boxes loses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(super) lo: Four,
    pub(super) hi: Four,
}

impl Default for Span {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Span {
    pub(super) const EMPTY: Self = Self { lo: Four([f32::INFINITY; 4]), hi: Four([f32::NEG_INFINITY; 4]) };

    #[cfg(test)]
    pub(super) fn new(b: &Bounds, index: u32, count: u32) -> Self {
        let ([a, c, d], [e, f, g]) = (b.lo, b.hi);
        Self { lo: Four([a, c, d, passenger(index)]), hi: Four([e, f, g, passenger(count)]) }
    }
    /// The box of one triangle; the fourth lanes do not matter.
    #[inline(always)]
    pub(crate) fn around(lo: Four, hi: Four, index: u32) -> Self {
        Self { lo, hi }.tagged(index, 1)
    }
    #[inline(always)]
    pub(super) fn index(&self) -> u32 {
        self.lo.0[3].to_bits() - PASSENGER
    }
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        self.hi.0[3].to_bits() - PASSENGER
    }
    /// The same box with other passengers.
    #[inline(always)]
    pub(super) fn tagged(mut self, index: u32, count: u32) -> Self {
        self.lo.0[3] = passenger(index);
        self.hi.0[3] = passenger(count);
        self
    }
    #[inline(always)]
    pub(super) fn and(&self, o: &Self) -> Self {
        Self { lo: o.lo.min(self.lo), hi: o.hi.max(self.hi) }
    }
    /// Twice the middle; its fourth lane means nothing.
    #[inline(always)]
    pub(super) fn centre(&self) -> Four {
        self.lo.zip(self.hi, |a, b| a + b)
    }
    /// Half the surface; infinite for [`Self::EMPTY`].
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let [x, y, z, _] = self.hi.zip(self.lo, |a, b| a - b).0;
        x * y + y * z + z * x
    }
    pub(super) fn of(items: &[Self]) -> Self {
        items.iter().fold(Self::EMPTY, |b, item| b.and(item))
    }
}

/// Three boxes side by side, lanes being boxes: their areas cost no more than one.
#[derive(Clone, Copy)]
pub(super) struct Three {
    lo: [Four; 3],
    hi: [Four; 3],
}

impl Three {
    pub(super) const EMPTY: Self =
        Self { lo: [Four([f32::INFINITY; 4]); 3], hi: [Four([f32::NEG_INFINITY; 4]); 3] };

    #[inline(always)]
    pub(super) fn new([a, b, c]: [&Span; 3]) -> Self {
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
    /// Half their surfaces; infinite where one is empty.
    #[inline(always)]
    pub(super) fn areas(&self) -> Four {
        let [x, y, z] = std::array::from_fn(|k| self.hi[k].zip(self.lo[k], |a, b| a - b));
        let times = |a: Four, b: Four| a.zip(b, |a, b| a * b);
        times(x, y).zip(times(y, z), |a, b| a + b).zip(times(z, x), |a, b| a + b)
    }
}
