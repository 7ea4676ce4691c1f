//! An inner node: eight children, each with a quantized box and two quantized slabs, in 256 bytes.
//!
//! A child's box is [c - e, c + e] with c = origin + (lo + hi) h and e = (hi - lo) h on each axis. The
//! integers lo and hi are bytes, and the step h, half a cell of the node's grid, is a bfloat16, of 8 bits. So
//! both products are exact: c is rounded once, with or without fused multiply-add, and e is not rounded at
//! all. *The box is what these formulas give in f32*: the encoder decodes what it wrote, and widens the grid
//! until every decoded box contains what it must.
//!
//! A child's slab is { x : n . (x - c) in [mid - half, mid + half] }. Its normal n is a vector of integers
//! divided by 2^15; mid and half are integers times one unit of the node. All of these decode exactly.
use super::leaf::{CornerPrecision, LeafRef};
use crate::{
    bounds::Bounds,
    simd::{Lanes, Simd},
};
use bytemuck::{Pod, Zeroable};

/// The most children of a node.
pub(crate) const WIDTH: usize = 8;
/// The integers of a normal are divided by this.
pub(crate) const NORMAL: f32 = 32768.0;

/// One slab of every child, quantized.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct QuantizedSlabs {
    n: [[i16; WIDTH]; 3],
    mid: [i16; WIDTH],
    half: [u16; WIDTH],
}

/// An inner node. A *lane* is the place of a child, 0 to 7. The inner children are consecutive in the tree's
/// `nodes`, the leaves in its `words`, and their triangles in its `order`, each in the order of the lanes. So
/// one link of each sort is enough.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct QuantizedNode {
    /// The grid's least corner.
    origin: [f32; 3],
    /// The first inner child, as an index into `nodes`.
    pub(crate) inner: u32,
    /// The first leaf's first word, as an index into `words`.
    pub(crate) words: u32,
    /// The index in `order` of the first leaf's first triangle.
    pub(crate) first: u32,
    /// Half a cell of the grid on each axis: the head's h, as a bfloat16.
    half_step: [u16; 3],
    /// The unit of the slabs' intervals, as a bfloat16.
    unit: u16,
    /// Number of triangles of each leaf; 0 for lanes that are not leaves.
    pub(crate) counts: [u8; WIDTH],
    /// The lanes that hold leaves, as bits.
    pub(crate) leaves: u8,
    /// The lanes in use, as bits: always the lowest ones.
    pub(crate) used: u8,
    /// Number of slabs of each child that are worth testing: 0 to 2.
    pub(crate) slabs: u8,
    lo: [[u8; WIDTH]; 3],
    hi: [[u8; WIDTH]; 3],
    /// Every byte of a node has a value, as in a file: this one is 0, as are the last four.
    unused: u8,
    slab: [QuantizedSlabs; 2],
    unused_end: [u8; 4],
}
const _: () = assert!(size_of::<QuantizedNode>() == 256);

/// A positive number as a bfloat16, the upper half of an f32, rounded up.
#[inline(always)]
fn to_bfloat16(x: f32) -> u16 {
    let bits = x.to_bits();
    // At most 0x7f80, infinity: nothing is lost.
    ((bits >> 16) + u32::from(bits & 0xffff != 0)) as u16
}
#[inline(always)]
fn from_bfloat16(x: u16) -> f32 {
    f32::from_bits(u32::from(x) << 16)
}

/// The boxes of eight children, decoded: centres and half sides.
#[derive(Clone, Copy)]
pub(crate) struct ChildBoxes<L> {
    pub(crate) c: [L; 3],
    pub(crate) e: [L; 3],
}

/// A node, and the boxes of its children.
#[derive(Clone, Copy)]
pub(super) struct DecodedNode<'a, L> {
    pub(super) node: &'a QuantizedNode,
    pub(super) boxes: &'a ChildBoxes<L>,
}

/// One slab of each of eight children, decoded: normals, and the middles and half widths of the intervals
/// along them, relative to the boxes' centres.
#[derive(Clone, Copy)]
pub(crate) struct DecodedSlabs<L> {
    pub(crate) n: [L; 3],
    pub(crate) mid: L,
    pub(crate) half: L,
}

impl QuantizedNode {
    /// The boxes of all lanes; those of lanes that are not in use mean nothing.
    #[inline(always)]
    pub(crate) fn boxes<S: Simd>(&self, simd: S) -> ChildBoxes<S::Eight> {
        let [(x, a), (y, b), (z, c)] = [self.axis(simd, 0), self.axis(simd, 1), self.axis(simd, 2)];
        ChildBoxes { c: [x, y, z], e: [a, b, c] }
    }
    #[inline(always)]
    fn axis<S: Simd>(&self, simd: S, k: usize) -> (S::Eight, S::Eight) {
        let (lo, hi) = (simd.bytes(&self.lo[k]), simd.bytes(&self.hi[k]));
        let h = simd.eight(from_bfloat16(self.half_step[k]));
        ((lo + hi).mul_add(h, simd.eight(self.origin[k])), (hi - lo) * h)
    }
    /// The first or second slabs of all lanes; those of lanes that are not in use mean nothing.
    #[inline(always)]
    pub(crate) fn slabs<S: Simd>(&self, simd: S, which: usize) -> DecodedSlabs<S::Eight> {
        let QuantizedSlabs { n, mid, half } = &self.slab[which];
        let (to_one, unit) = (simd.eight(1.0 / NORMAL), simd.eight(from_bfloat16(self.unit)));
        DecodedSlabs {
            n: [simd.signed(&n[0]) * to_one, simd.signed(&n[1]) * to_one, simd.signed(&n[2]) * to_one],
            mid: simd.signed(mid) * unit,
            half: simd.unsigned(half) * unit,
        }
    }
    /// The grid as a box, its least corner and its sides. But for rounding it contains the boxes of all
    /// lanes.
    #[inline(always)]
    pub(crate) fn frame(&self) -> ([f32; 3], [f32; 3]) {
        let [x, y, z] = self.half_step;
        (self.origin, [from_bfloat16(x) * 510.0, from_bfloat16(y) * 510.0, from_bfloat16(z) * 510.0])
    }
    /// The sum of the grid's half sides.
    #[inline(always)]
    pub(crate) fn half_sides(&self) -> f32 {
        let [x, y, z] = self.frame().1;
        0.5 * (x + y + z)
    }

    /// True if a build can give the numbers that decode boxes and slabs: none is larger than `most`, steps
    /// are not negative, and unused bytes are 0.
    pub(super) fn has_sound_numbers(&self, most: f32) -> bool {
        let [x, y, z] = self.half_step;
        let positive = [x, y, z, self.unit].iter().all(|&x| (0.0..=most).contains(&from_bfloat16(x)));
        let unused = self.unused == 0 && self.unused_end == [0; 4];
        positive && unused && self.origin.iter().all(|x| x.abs() <= most)
    }

    /// The index of the child in a lane that is not a leaf.
    #[inline(always)]
    pub(crate) fn child(&self, lane: usize) -> u32 {
        let before = (1_u32 << lane) - 1;
        self.inner + (u32::from(!self.leaves & self.used) & before).count_ones()
    }
    #[inline(always)]
    pub(crate) fn leaf(&self, lane: usize, precision: CornerPrecision) -> LeafRef {
        // Three sums over the lanes below this one: triangles, leaves, and leaves of an odd number of
        // triangles. The first fits its byte: 7 lanes of at most 8.
        const ONES: u64 = 0x0101_0101_0101_0101;
        let counts = u64::from_le_bytes(self.counts) & ((1_u64 << (8 * lane)) - 1);
        let triangles = (counts.wrapping_mul(ONES) >> 56) as u32;
        let leaves = (u32::from(self.leaves) & ((1 << lane) - 1)).count_ones();
        LeafRef {
            words: self.words + precision.words(leaves, triangles, (counts & ONES).count_ones()),
            first: self.first + triangles,
            count: u32::from(self.counts[lane]),
        }
    }
}

/// A direction, as it is stored, and the interval of a set of points along it, relative to some centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub(crate) n: [i16; 3],
    pub(crate) lo: f64,
    pub(crate) hi: f64,
}

impl Interval {
    /// No direction: such a slab separates nothing.
    pub(crate) const NONE: Self = Self { n: [0; 3], lo: 0.0, hi: 0.0 };
}

impl QuantizedNode {
    /// A node with these boxes; links and slabs are still missing.
    #[inline(always)]
    pub(crate) fn with_boxes(contents: &[Bounds]) -> Self {
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
            unused: 0,
            slab: [QuantizedSlabs::default(); 2],
            unused_end: [0; 4],
        };
        for k in 0..3 {
            node.encode_axis(k, contents);
        }
        node
    }

    /// Encodes an axis of all boxes, on a grid that is widened until each decoded box contains the original.
    #[inline(always)]
    pub(super) fn encode_axis(&mut self, k: usize, contents: &[Bounds]) {
        let lo = f64::from(contents.iter().fold(f32::INFINITY, |m, c| if c.lo[k] < m { c.lo[k] } else { m }));
        let hi =
            f64::from(contents.iter().fold(f32::NEG_INFINITY, |m, c| if c.hi[k] > m { c.hi[k] } else { m }));
        let [mut side, slack] = Self::grid_side(lo, hi);
        loop {
            self.origin[k] = (lo - slack) as f32;
            self.half_step[k] = to_bfloat16((side / 510.0) as f32);
            let mut all_fit = true;
            for (lane, content) in contents.iter().enumerate() {
                all_fit = all_fit && self.encode_side(k, lane, content);
            }
            if all_fit {
                return;
            }
            side *= 1.25;
        }
    }

    /// The side of a grid for boxes from `lo` to `hi`, and its margin at either end, for the rounding of the
    /// origin and of the boxes' centres.
    #[inline(always)]
    pub(super) fn grid_side(lo: f64, hi: f64) -> [f64; 2] {
        let slack = (lo.abs() + hi.abs()) * 2e-7;
        [(hi - lo) + 2.0 * slack + 1e-30, slack]
    }

    /// Encodes an axis of a lane's box on the grid as it is; false if the box does not fit.
    #[inline(always)]
    pub(super) fn encode_side(&mut self, k: usize, lane: usize, content: &Bounds) -> bool {
        let per_step = 0.5 / f64::from(from_bfloat16(self.half_step[k]));
        let origin = f64::from(self.origin[k]);
        let (low, high) = (f64::from(content.lo[k]), f64::from(content.hi[k]));
        // 256 is beyond the grid. On a flat grid a box may be more steps away than an i32 counts, so the end
        // is cut off there.
        let end = ((high - origin) * per_step).min(256.0);
        // Rounded down and up. Numbers below the grid may be rounded the wrong way: what is decoded is
        // compared below.
        let mut l = ((low - origin) * per_step) as i32;
        let mut h = end as i32 + i32::from(f64::from(end as i32) < end);
        // Decoding rounds the centre, which may take a step more on either side.
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

    /// The interval of a lane's box on an axis, exactly as it decodes.
    #[inline(always)]
    pub(crate) fn side(&self, k: usize, lane: usize) -> [f64; 2] {
        let (c, e) = self.centre_and_half(k, lane);
        [f64::from(c) - f64::from(e), f64::from(c) + f64::from(e)]
    }
    /// The centre and the half side of a lane's box on an axis.
    #[inline(always)]
    pub(crate) fn centre_and_half(&self, k: usize, lane: usize) -> (f32, f32) {
        let (lo, hi) = (f32::from(self.lo[k][lane]), f32::from(self.hi[k][lane]));
        let h = from_bfloat16(self.half_step[k]);
        ((lo + hi) * h + self.origin[k], (hi - lo) * h)
    }

    /// Encodes the slabs of all lanes, with a unit that fits them; intervals are relative to the centres of
    /// the lanes' boxes.
    #[inline(always)]
    pub(crate) fn set_slabs(&mut self, intervals: &[[Interval; 2]]) {
        let most = intervals.iter().flatten().flat_map(|i| [-i.lo, i.hi]).fold(1e-30, f64::max);
        self.unit = to_bfloat16((most / 32700.0) as f32);
        for (lane, pair) in intervals.iter().enumerate() {
            self.encode_slabs(lane, pair);
        }
    }
    /// Encodes the slabs of a lane with the unit as it is. No end of an interval may be further off than
    /// [`Self::slab_reach`].
    #[inline(always)]
    pub(super) fn encode_slabs(&mut self, lane: usize, pair: &[Interval; 2]) {
        let unit = f64::from(from_bfloat16(self.unit));
        // 1.5 * 2^52: adding and subtracting it rounds to the nearest integer.
        const SHIFT: f64 = 6_755_399_441_055_744.0;
        for (slabs, interval) in self.slab.iter_mut().zip(pair) {
            let mid = (((interval.lo / 2.0 + interval.hi / 2.0) / unit) + SHIFT) - SHIFT;
            let half = (interval.hi / unit - mid).max(mid - interval.lo / unit);
            for k in 0..3 {
                slabs.n[k][lane] = interval.n[k];
            }
            // Within 32,700 by the unit.
            slabs.mid[lane] = mid as i16;
            // Rounded up, and one more for the rounding of these lines. At most 32,703: the ends are within
            // 32,700, and `mid` is in their middle but for half a unit.
            slabs.half[lane] = half as u16 + 2;
        }
    }
    /// Bound of the distance of the intervals' ends from the centres: 2^15 units, less what rounding needs.
    pub(super) fn slab_reach(&self) -> f64 {
        32700.0 * f64::from(from_bfloat16(self.unit))
    }
    /// The normal of a lane's slab, as it is stored.
    #[inline(always)]
    pub(crate) fn normal(&self, which: usize, lane: usize) -> [i16; 3] {
        self.slab[which].n.map(|n| n[lane])
    }
    /// A lane's slab exactly: n, mid and half.
    #[inline(always)]
    pub(crate) fn slab(&self, which: usize, lane: usize) -> ([f64; 3], f64, f64) {
        let QuantizedSlabs { n, mid, half } = &self.slab[which];
        let unit = f64::from(from_bfloat16(self.unit));
        (
            [0, 1, 2].map(|k| f64::from(n[k][lane]) / f64::from(NORMAL)),
            f64::from(mid[lane]) * unit,
            f64::from(half[lane]) * unit,
        )
    }
}
