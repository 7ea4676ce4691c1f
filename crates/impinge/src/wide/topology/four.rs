//! Boxes as two vectors of four numbers, which the compiler keeps in SIMD registers.
#[cfg(test)]
use crate::bounds::Bounds;
use crate::{
    mesh::MAX_TRIANGLES,
    simd::{Lanes, Simd},
};
use std::array::from_fn;

/// Three coordinates and a fourth number.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(crate) struct FloatQuad(pub(crate) [f32; 4]);

impl FloatQuad {
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
    pub(super) fn scaled(self, x: f32) -> Self {
        let [a, b, c, d] = self.0;
        Self([a * x, b * x, c * x, d * x])
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

/// Eight numbers: the least coordinates of a box and the greatest ones *with their signs changed*, each with
/// a fourth number. So the union of two boxes is one minimum of eight lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Ends([f32; 8]);

impl Ends {
    const EMPTY: Self = Self([f32::INFINITY; 8]);

    #[inline(always)]
    fn min(&self, o: &Self) -> Self {
        let (a, b) = (&self.0, &o.0);
        Self(from_fn(|k| if a[k] < b[k] { a[k] } else { b[k] }))
    }
    #[inline(always)]
    fn lo(&self) -> FloatQuad {
        let [a, b, c, d, ..] = self.0;
        FloatQuad([a, b, c, d])
    }
    /// The greatest coordinates, with their signs changed.
    #[inline(always)]
    fn negated_hi(&self) -> FloatQuad {
        let [.., a, b, c, d] = self.0;
        FloatQuad([a, b, c, d])
    }
}

/// A box of one or more triangles, tagged with an index and a count in the fourth numbers. The tags of a
/// union of two boxes mean nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaggedBox(Ends);

impl Default for TaggedBox {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl TaggedBox {
    pub(super) const EMPTY: Self = Self(Ends::EMPTY);

    #[cfg(test)]
    pub(super) fn new(b: &Bounds, index: u32, count: u32) -> Self {
        let ([a, c, d], [e, f, g]) = (b.lo, b.hi);
        Self(Ends([a, c, d, 0.0, -e, -f, -g, 0.0])).tagged(index, count)
    }
    /// The box of one triangle; the fourth numbers do not matter.
    #[inline(always)]
    pub(crate) fn of_triangle(lo: FloatQuad, hi: FloatQuad, index: u32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (lo.0, hi.0);
        Self(Ends([a, b, c, d, -e, -f, -g, -h])).tagged(index, 1)
    }
    #[inline(always)]
    pub(super) fn index(&self) -> u32 {
        self.0.0[3].to_bits() - TAG_ZERO
    }
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        self.0.0[7].to_bits() - TAG_ZERO
    }
    /// The same box with other tags.
    #[inline(always)]
    pub(super) fn tagged(mut self, index: u32, count: u32) -> Self {
        self.0.0[3] = tag(index);
        self.0.0[7] = tag(count);
        self
    }
    #[inline(always)]
    pub(super) fn and(&self, o: &Self) -> Self {
        Self(o.0.min(&self.0))
    }
    /// Makes this the union of it and another box.
    #[inline(always)]
    pub(super) fn add<S: Simd>(&mut self, simd: S, o: &Self) {
        // A plain minimum is compiled to a store of those lanes that are less, which takes some processors
        // twenty times as long.
        let least = simd.load(&o.0.0).min(simd.load(&self.0.0));
        simd.store(least, &mut self.0.0);
    }
    /// Twice the box's centre; its fourth number means nothing.
    #[inline(always)]
    pub(super) fn centre(&self) -> FloatQuad {
        self.0.lo().zip(self.0.negated_hi(), |a, b| a - b)
    }
    /// Twice the centre on one axis.
    #[inline(always)]
    pub(super) fn centre_on(&self, axis: usize) -> f32 {
        self.0.0[axis] - self.0.0[4 + axis]
    }
    /// Half the box's surface; infinite for [`Self::EMPTY`].
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        // Sides with their signs changed.
        let [x, y, z, _] = self.0.lo().zip(self.0.negated_hi(), |a, b| a + b).0;
        x * y + y * z + z * x
    }
    /// The box of many boxes.
    #[inline(always)]
    pub(super) fn of(items: &[Self]) -> Self {
        items.iter().fold(Self::EMPTY, |b, item| b.and(item))
    }
}

/// Three boxes, one in each lane: their areas cost no more than one. Each axis has the three least
/// coordinates and the three greatest ones.
#[derive(Clone, Copy)]
pub(super) struct ThreeBoxes([Ends; 3]);

impl ThreeBoxes {
    pub(super) const EMPTY: Self = Self([Ends::EMPTY; 3]);

    #[inline(always)]
    pub(super) fn new([a, b, c]: [&TaggedBox; 3]) -> Self {
        let ([a, b, c, _, d, e, f, _], [g, h, i, _, j, k, l, _], [m, n, o, _, p, q, r, _]) =
            (a.0.0, b.0.0, c.0.0);
        // The fourth numbers do not matter.
        Self([Ends([a, g, m, m, d, j, p, p]), Ends([b, h, n, n, e, k, q, q]), Ends([c, i, o, o, f, l, r, r])])
    }
    #[inline(always)]
    pub(super) fn and(&self, o: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (&self.0, &o.0);
        Self([d.min(a), e.min(b), f.min(c)])
    }
    /// Half the surface of each box; infinite for an empty one.
    #[inline(always)]
    pub(super) fn areas(&self) -> FloatQuad {
        // Sides with their signs changed.
        let side = |ends: &Ends| ends.lo().zip(ends.negated_hi(), |a, b| a + b);
        let [x, y, z] = [side(&self.0[0]), side(&self.0[1]), side(&self.0[2])];
        let times = |a: FloatQuad, b: FloatQuad| a.zip(b, |a, b| a * b);
        times(x, y).zip(times(y, z), |a, b| a + b).zip(times(z, x), |a, b| a + b)
    }
}
