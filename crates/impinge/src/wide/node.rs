//! Eight children's boxes and slabs in 252 bytes.
//!
//! A child's box is [c - e, c + e] with c = origin + (lo + hi) h and e = (hi - lo) h on each axis: lo and hi are bytes, h has 8 bits of
//! mantissa, so that the products are exact, c is rounded once, with or without fused instructions, and e not at all. *These computed f32 numbers are the
//! box*: the encoder computes them the same way and looks whether they hold what they must.
//!
//! A child's slab is { x : n . (x - c) in [mid - half, mid + half] }, where n is exactly a vector of integers divided by 2^15, mid and half exactly
//! integers times one unit of the node.
use super::leaf::{Grain, LeafRef};
use crate::{
    bounds::Bounds,
    simd::{Lanes, Simd},
};

/// Children of a node.
pub(crate) const WIDTH: usize = 8;
/// n's integers are divided by it.
pub(crate) const NORMAL: f32 = 32768.0;

/// A lane's slab, for all lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Slabs {
    n: [[i16; WIDTH]; 3],
    mid: [i16; WIDTH],
    half: [u16; WIDTH],
}

/// An inner node. Its inner children are neighbours in `nodes`, its leaves neighbours in `words`, their triangles neighbours in `order`, each in the order of
/// the lanes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Node {
    origin: [f32; 3],
    /// The first inner child.
    pub(crate) inner: u32,
    /// Where the first leaf begins.
    pub(crate) words: u32,
    /// The first triangle's place in `order`.
    pub(crate) first: u32,
    /// The upper halves of f32: see [`coarse`].
    half_step: [u16; 3],
    unit: u16,
    /// Triangles of a leaf; 0 otherwise.
    pub(crate) counts: [u8; WIDTH],
    /// Which lanes are leaves.
    pub(crate) leaves: u8,
    /// Which lanes are used: the first ones.
    pub(crate) used: u8,
    /// How many slabs a lane it pays to test.
    pub(crate) slabs: u8,
    lo: [[u8; WIDTH]; 3],
    hi: [[u8; WIDTH]; 3],
    slab: [Slabs; 2],
}
const _: () = assert!(size_of::<Node>() == 256);

/// The least f32 with 8 bits of mantissa that is not less than a positive x, as its upper half.
fn coarse(x: f32) -> u16 {
    let bits = x.to_bits();
    ((bits >> 16) + u32::from(bits & 0xffff != 0)) as u16
}
#[inline(always)]
fn fine(x: u16) -> f32 {
    f32::from_bits(u32::from(x) << 16)
}

/// Boxes as centres and half sides.
#[derive(Clone, Copy)]
pub(crate) struct Boxes<L> {
    pub(crate) c: [L; 3],
    pub(crate) e: [L; 3],
}

/// Slabs: normals, and intervals along them relative to the boxes' centres.
#[derive(Clone, Copy)]
pub(crate) struct LiveSlabs<L> {
    pub(crate) n: [L; 3],
    pub(crate) mid: L,
    pub(crate) half: L,
}

impl Node {
    /// All lanes; those that are not used hold nothing of meaning.
    #[inline(always)]
    pub(crate) fn boxes<S: Simd>(&self, simd: S) -> Boxes<S::Eight> {
        let [(x, a), (y, b), (z, c)] = [self.axis(simd, 0), self.axis(simd, 1), self.axis(simd, 2)];
        Boxes { c: [x, y, z], e: [a, b, c] }
    }
    #[inline(always)]
    fn axis<S: Simd>(&self, simd: S, k: usize) -> (S::Eight, S::Eight) {
        let (lo, hi) = (simd.bytes(&self.lo[k]), simd.bytes(&self.hi[k]));
        let h = simd.eight(fine(self.half_step[k]));
        ((lo + hi).mul_add(h, simd.eight(self.origin[k])), (hi - lo) * h)
    }
    #[inline(always)]
    pub(crate) fn slabs<S: Simd>(&self, simd: S, which: usize) -> LiveSlabs<S::Eight> {
        let Slabs { n, mid, half } = &self.slab[which];
        let (to_one, unit) = (simd.eight(1.0 / NORMAL), simd.eight(fine(self.unit)));
        LiveSlabs {
            n: [simd.signed(&n[0]) * to_one, simd.signed(&n[1]) * to_one, simd.signed(&n[2]) * to_one],
            mid: simd.signed(mid) * unit,
            half: simd.unsigned(half) * unit,
        }
    }
    /// A box, but for its rounding, around those of all lanes: its least corner and its sides.
    #[inline(always)]
    pub(crate) fn frame(&self) -> ([f32; 3], [f32; 3]) {
        let [x, y, z] = self.half_step;
        (self.origin, [fine(x) * 510.0, fine(y) * 510.0, fine(z) * 510.0])
    }
    /// The sum of that box's half sides.
    #[inline(always)]
    pub(crate) fn half_sides(&self) -> f32 {
        let [x, y, z] = self.frame().1;
        0.5 * (x + y + z)
    }

    /// The child in an inner lane.
    #[inline(always)]
    pub(crate) fn child(&self, lane: usize) -> u32 {
        let before = (1_u32 << lane) - 1;
        self.inner + (u32::from(!self.leaves & self.used) & before).count_ones()
    }
    /// The leaf in a lane.
    #[inline(always)]
    pub(crate) fn leaf(&self, lane: usize, grain: Grain) -> LeafRef {
        // Of the lanes below: the sum of their counts, how many are leaves, and how many have an odd count.
        const ONES: u64 = 0x0101_0101_0101_0101;
        let counts = u64::from_le_bytes(self.counts) & ((1_u64 << (8 * lane)) - 1);
        let triangles = (counts.wrapping_mul(ONES) >> 56) as u32;
        let leaves = (u32::from(self.leaves) & ((1 << lane) - 1)).count_ones();
        LeafRef {
            words: self.words + grain.words(leaves, triangles, (counts & ONES).count_ones()),
            first: self.first + triangles,
            count: u32::from(self.counts[lane]),
        }
    }
}

/// A direction that is stored exactly, and the interval of a cluster along it, relative to a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub(crate) n: [i16; 3],
    pub(crate) lo: f64,
    pub(crate) hi: f64,
}

impl Interval {
    /// Of no direction: nothing is ever apart by it.
    pub(crate) const NONE: Self = Self { n: [0; 3], lo: 0.0, hi: 0.0 };
}

impl Node {
    /// A node with these boxes; links and slabs are still missing.
    pub(crate) fn around(contents: &[Bounds]) -> Self {
        let mut node = Self {
            origin: [0.0; 3],
            inner: 0,
            words: 0,
            first: 0,
            half_step: [0; 3],
            unit: 0,
            counts: [0; WIDTH],
            leaves: 0,
            used: ((1_u32 << contents.len()) - 1) as u8,
            slabs: 0,
            lo: [[0; WIDTH]; 3],
            hi: [[0; WIDTH]; 3],
            slab: [Slabs::default(); 2],
        };
        for k in 0..3 {
            node.encode_axis(k, contents);
        }
        node
    }

    /// Widens the step until every lane's interval is held.
    pub(super) fn encode_axis(&mut self, k: usize, contents: &[Bounds]) {
        let lo = f64::from(contents.iter().fold(f32::INFINITY, |m, c| if c.lo[k] < m { c.lo[k] } else { m }));
        let hi =
            f64::from(contents.iter().fold(f32::NEG_INFINITY, |m, c| if c.hi[k] > m { c.hi[k] } else { m }));
        let [mut side, slack] = Self::room(lo, hi);
        loop {
            self.origin[k] = (lo - slack) as f32;
            self.half_step[k] = coarse((side / 510.0) as f32);
            let fits = |(lane, content): (usize, &Bounds)| self.put(k, lane, content);
            let held = contents.iter().enumerate().all(fits);
            if held {
                return;
            }
            side *= 1.25;
        }
    }

    /// What a grid from one number to another needs, and what of it is at either end: for the origin's rounding and that of the centres.
    pub(super) fn room(lo: f64, hi: f64) -> [f64; 2] {
        let slack = (lo.abs() + hi.abs()) * 2e-7;
        [(hi - lo) + 2.0 * slack + 1e-30, slack]
    }

    /// Encodes an axis of a lane's box with the step that there is; false if it does not fit.
    #[inline(always)]
    pub(super) fn put(&mut self, k: usize, lane: usize, content: &Bounds) -> bool {
        let per_step = 0.5 / f64::from(fine(self.half_step[k]));
        let origin = f64::from(self.origin[k]);
        let (low, high) = (f64::from(content.lo[k]), f64::from(content.hi[k]));
        // 256 is beyond the grid. On a flat grid a box may be more steps away than an i32 counts, so it ends there.
        let end = ((high - origin) * per_step).min(256.0);
        // Nothing is negative unless there is no room; what is rounded here is looked at below.
        let mut l = ((low - origin) * per_step) as i32;
        let mut h = end as i32 + i32::from(f64::from(end as i32) < end);
        // Centres are rounded: one step more where that matters.
        for _ in 0..3 {
            if !(0 <= l && l <= h && h <= 255) {
                return false;
            }
            (self.lo[k][lane], self.hi[k][lane]) = (l as u8, h as u8);
            let [least, most] = self.side(k, lane);
            if least <= low && high <= most {
                return true;
            }
            l -= i32::from(least > low);
            h += i32::from(high > most);
        }
        false
    }

    /// The interval of a lane's box on an axis: exact, as decoded.
    pub(crate) fn side(&self, k: usize, lane: usize) -> [f64; 2] {
        let (c, e) = self.centre_and_half(k, lane);
        [f64::from(c) - f64::from(e), f64::from(c) + f64::from(e)]
    }
    pub(crate) fn centre_and_half(&self, k: usize, lane: usize) -> (f32, f32) {
        let (lo, hi) = (f32::from(self.lo[k][lane]), f32::from(self.hi[k][lane]));
        let h = fine(self.half_step[k]);
        ((lo + hi) * h + self.origin[k], (hi - lo) * h)
    }

    /// Stores the slabs of all lanes; intervals are relative to the lanes' centres.
    pub(crate) fn set_slabs(&mut self, intervals: &[[Interval; 2]]) {
        let most = intervals.iter().flatten().flat_map(|i| [-i.lo, i.hi]).fold(1e-30, f64::max);
        self.unit = coarse((most / 32700.0) as f32);
        for (lane, pair) in intervals.iter().enumerate() {
            self.put_slabs(lane, pair);
        }
    }
    /// The same of a lane, if no end is further off than [`Self::slab_reach`].
    pub(super) fn put_slabs(&mut self, lane: usize, pair: &[Interval; 2]) {
        let unit = f64::from(fine(self.unit));
        // Adding and subtracting it leaves the nearest integer.
        const SHIFT: f64 = 6_755_399_441_055_744.0;
        for (slabs, interval) in self.slab.iter_mut().zip(pair) {
            let mid = (((interval.lo / 2.0 + interval.hi / 2.0) / unit) + SHIFT) - SHIFT;
            let half = (interval.hi / unit - mid).max(mid - interval.lo / unit);
            for k in 0..3 {
                slabs.n[k][lane] = interval.n[k];
            }
            slabs.mid[lane] = mid as i16;
            // Rounded up, and one more covers the rounding of these lines.
            slabs.half[lane] = half as u16 + 2;
        }
    }
    /// No end of an interval may be further from its centre: 2^15 units, with room for roundings.
    pub(super) fn slab_reach(&self) -> f64 {
        32700.0 * f64::from(fine(self.unit))
    }
    /// The direction of a lane's slab, as it is stored.
    pub(crate) fn normal(&self, which: usize, lane: usize) -> [i16; 3] {
        self.slab[which].n.map(|n| n[lane])
    }
    /// A lane's slab, exactly: n, mid and half.
    pub(crate) fn slab(&self, which: usize, lane: usize) -> ([f64; 3], f64, f64) {
        let Slabs { n, mid, half } = &self.slab[which];
        let unit = f64::from(fine(self.unit));
        (
            [0, 1, 2].map(|k| f64::from(n[k][lane]) / f64::from(NORMAL)),
            f64::from(mid[lane]) * unit,
            f64::from(half[lane]) * unit,
        )
    }
}
