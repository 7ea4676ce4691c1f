//! A binary tree by the surface area heuristic over bins (Wald 2007, "On fast construction of SAH-based
//! bounding volume hierarchies"), down to single items.
//!
//! Nodes are in preorder. A subtree over n items has 2n - 1 nodes; its left child is the next node, and its
//! right child follows all of the left subtree. So nodes need no links, and two threads can build the halves
//! in slices of their own.
use super::{
    binary::{BinaryNode, SWEPT, least},
    four::{FloatQuad, TaggedBox, ThreeBoxes},
    small::CutSweep,
};
use crate::{
    pool::Executor,
    simd::{Simd, Work},
    wide::for_builds,
};

/// Bins on each axis.
const BINS: usize = 16;
/// Ranges of this many items or more are binned two items at a time.
const MANY: usize = 128;
/// Below this depth ranges are halved by count, so that no input makes a deep tree.
const MAX_DEPTH: u32 = 64;

/// A range of items that is to become the subtree at `node`.
struct SubtreeTask {
    start: usize,
    len: usize,
    node: usize,
    depth: u32,
    area: f32,
}

/// Ranges of up to this many items are left to one thread.
const SERIAL: usize = 4096;
/// Ranges of this many items or more are binned in two halves, by two threads.
const HUGE: usize = 1 << 14;

/// Builds the tree and sorts the items into the order of its leaves. For `block` see [`CutSweep::new`].
pub(super) fn build(items: &mut [TaggedBox], block: usize, executor: Executor) -> Vec<BinaryNode> {
    if items.is_empty() {
        return Vec::new();
    }
    let mut nodes = vec![BinaryNode::NONE; 2 * items.len() - 1];
    let mut spare = vec![TaggedBox::EMPTY; items.len()];
    let area = TaggedBox::of(items).area();
    build_parallel(items, &mut spare, &mut nodes, area, 0, block, executor);
    nodes
}

/// Does what [`build_serial`] does, on several threads.
fn build_parallel(
    items: &mut [TaggedBox],
    spare: &mut [TaggedBox],
    nodes: &mut [BinaryNode],
    area: f32,
    depth: u32,
    block: usize,
    executor: Executor,
) {
    let len = items.len();
    if executor == Executor::Serial || len <= SERIAL {
        return build_serial(items, spare, nodes, area, depth, block);
    }
    let grid = BinGrid::over(ends_parallel(items, executor));
    let bins = Bins::parallel(items, &grid, executor);
    let Cut { at, areas } = for_builds().call(CutWork { items, spare, grid: &grid, bins: &bins, depth });
    nodes[0] = BinaryNode { area, items: len as u32 };
    let (items, spare) = (items.split_at_mut(at), spare.split_at_mut(at));
    let nodes = nodes[1..].split_at_mut(2 * at - 1);
    executor.join(
        || build_parallel(items.0, spare.0, nodes.0, areas[0], depth + 1, block, executor),
        || build_parallel(items.1, spare.1, nodes.1, areas[1], depth + 1, block, executor),
    );
}

/// Builds the `2 * items.len() - 1` nodes of a subtree, from the area and the depth of its root. `spare` is
/// memory, as long as `items`. For `block` see [`CutSweep::new`].
pub(super) fn build_serial(
    items: &mut [TaggedBox],
    spare: &mut [TaggedBox],
    nodes: &mut [BinaryNode],
    area: f32,
    depth: u32,
    block: usize,
) {
    for_builds().call(SerialBuildWork { items, spare, nodes, area, depth, block });
}

/// The arguments of [`build_serial`].
struct SerialBuildWork<'a> {
    items: &'a mut [TaggedBox],
    spare: &'a mut [TaggedBox],
    nodes: &'a mut [BinaryNode],
    area: f32,
    depth: u32,
    block: usize,
}

impl Work for SerialBuildWork<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { items, spare, nodes, area, depth, block } = self;
        let mut sweep = CutSweep::new(block);
        let mut todo = vec![SubtreeTask { start: 0, len: items.len(), node: 0, depth, area }];
        while let Some(SubtreeTask { start, len, node, depth, area }) = todo.pop() {
            let range = &mut items[start..start + len];
            if len <= SWEPT {
                sweep.build(range, &mut nodes[node..node + 2 * len - 1], area);
                continue;
            }
            let spare = &mut spare[..len];
            let grid = BinGrid::over(ends(range));
            let mut bins = Bins::EMPTY;
            bins.fill(simd, range, &grid);
            let cut = cut(range, spare, &grid, &bins, depth);
            nodes[node] = BinaryNode { area, items: len as u32 };
            let (at, [left, right]) = (cut.at, cut.areas);
            let (second, depth) = (node + 2 * at, depth + 1);
            todo.push(SubtreeTask { start: start + at, len: len - at, node: second, depth, area: right });
            todo.push(SubtreeTask { start, len: at, node: node + 1, depth, area: left });
        }
    }
}

/// The cut of a range in two.
struct Cut {
    /// Number of items on the left, in `1..len`.
    at: usize,
    /// The areas of both sides.
    areas: [f32; 2],
}

/// Does what [`ends`] does, on several threads.
fn ends_parallel(items: &[TaggedBox], executor: Executor) -> [FloatQuad; 2] {
    if items.len() >= HUGE {
        let (left, right) = items.split_at(items.len() / 2);
        let ([a, b], [c, d]) =
            executor.join(|| ends_parallel(left, executor), || ends_parallel(right, executor));
        return [c.min(a), d.max(b)];
    }
    ends(items)
}

/// The least and the greatest centre on each axis.
#[inline(always)]
fn ends(items: &[TaggedBox]) -> [FloatQuad; 2] {
    // Four minima and maxima by turns: each waits for its own last result only.
    let (mut lo, mut hi) = ([FloatQuad::all(f32::INFINITY); 4], [FloatQuad::all(f32::NEG_INFINITY); 4]);
    let (chunks, rest) = items.as_chunks::<4>();
    for chunk in chunks {
        for k in 0..4 {
            let c = chunk[k].centre();
            lo[k] = c.min(lo[k]);
            hi[k] = c.max(hi[k]);
        }
    }
    for item in rest {
        let c = item.centre();
        lo[0] = c.min(lo[0]);
        hi[0] = c.max(hi[0]);
    }
    let lo = lo[0].min(lo[1]).min(lo[2].min(lo[3]));
    let hi = hi[0].max(hi[1]).max(hi[2].max(hi[3]));
    [lo, hi]
}

/// The bins' places on each axis.
#[derive(Clone, Copy)]
struct BinGrid {
    start: FloatQuad,
    scale: FloatQuad,
}

/// 1.5 * 2^23: adding it to x in [0, 2^22) leaves the nearest integer in the low bits.
const SHIFT: f32 = 12_582_912.0;

impl BinGrid {
    /// Over all centres, from their ends.
    #[inline(always)]
    fn over([lo, hi]: [FloatQuad; 2]) -> Self {
        // Maps centres to [0, BINS - 1]; the nearest integer is the bin.
        let scale = hi.zip(lo, |hi, lo| {
            let scale = (BINS - 1) as f32 / (hi - lo);
            // Where all centres are (nearly) the same, all go to one bin.
            if scale < 1e30 { scale } else { 0.0 }
        });
        Self { start: lo, scale }
    }
    /// The bins of a centre on the three axes; the fourth number is some bin, too.
    #[inline(always)]
    fn bins(&self, centre: FloatQuad) -> [u32; 4] {
        let FloatQuad(x) = centre.zip(self.start, |c, s| c - s).zip(self.scale, |c, s| c * s + SHIFT);
        x.map(|x| x.to_bits() % BINS as u32)
    }
    /// True if an item's bin on an axis is less than `bin`.
    #[inline(always)]
    fn is_below(&self, bin: usize, item: &TaggedBox, axis: usize) -> bool {
        let c = item.centre_on(axis);
        // Bins are less than 16, so these floats are in the order of the bins.
        (c - self.start.0[axis]) * self.scale.0[axis] + SHIFT < SHIFT + bin as f32
    }
}

/// The items whose centres fall into a bin, for each axis: their box, and their number. It takes exactly 128
/// bytes, since places are then found without a product.
#[derive(Clone, Copy)]
#[repr(align(128))]
struct Bin {
    spans: [TaggedBox; 3],
    counts: [i32; 4],
}

/// The bins of all axes.
struct Bins([Bin; BINS]);

/// A plane to cut at: before a bin of an axis.
struct BinPlane {
    axis: usize,
    bin: usize,
    areas: [f32; 2],
}

/// Moves the items to both sides of the best plane.
#[inline(always)]
fn cut(items: &mut [TaggedBox], spare: &mut [TaggedBox], grid: &BinGrid, bins: &Bins, depth: u32) -> Cut {
    match bins.best() {
        Some(BinPlane { axis, bin, areas }) if depth < MAX_DEPTH => {
            Cut { at: partition(items, spare, |item| grid.is_below(bin, item, axis)), areas }
        }
        _ => {
            let at = items.len() / 2;
            Cut { at, areas: [&items[..at], &items[at..]].map(|half| TaggedBox::of(half).area()) }
        }
    }
}

/// The arguments of [`cut`].
struct CutWork<'a> {
    items: &'a mut [TaggedBox],
    spare: &'a mut [TaggedBox],
    grid: &'a BinGrid,
    bins: &'a Bins,
    depth: u32,
}

impl Work for CutWork<'_> {
    type Out = Cut;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Cut {
        cut(self.items, self.spare, self.grid, self.bins, self.depth)
    }
}

/// The arguments of [`Bins::fill`].
struct FillWork<'a>(&'a [TaggedBox], &'a BinGrid);

impl Work for FillWork<'_> {
    type Out = Bins;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Bins {
        let mut bins = Bins::EMPTY;
        bins.fill(simd, self.0, self.1);
        bins
    }
}

impl Bins {
    const EMPTY: Self = Self([Bin { spans: [TaggedBox::EMPTY; 3], counts: [0; 4] }; BINS]);

    /// Does what [`Self::fill`] does, on several threads.
    fn parallel(items: &[TaggedBox], grid: &BinGrid, executor: Executor) -> Self {
        if items.len() >= HUGE {
            let (left, right) = items.split_at(items.len() / 2);
            let (mut both, other) = executor
                .join(|| Self::parallel(left, grid, executor), || Self::parallel(right, grid, executor));
            both.merge(&other);
            return both;
        }
        for_builds().call(FillWork(items, grid))
    }

    #[inline(always)]
    fn merge(&mut self, other: &Self) {
        for (bin, other) in self.0.iter_mut().zip(&other.0) {
            for axis in 0..3 {
                bin.spans[axis] = bin.spans[axis].and(&other.spans[axis]);
            }
            bin.counts = added(bin.counts, other.counts);
        }
    }

    /// Puts items into the bins, which are empty.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, items: &[TaggedBox], grid: &BinGrid) {
        if items.len() < MANY {
            for item in items {
                self.add(simd, item, grid);
            }
        } else {
            self.fill_by_two(simd, items, grid);
        }
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, item: &TaggedBox, grid: &BinGrid) {
        let at = grid.bins(item.centre()).map(|at| at as usize % BINS);
        for (axis, &at) in at[..3].iter().enumerate() {
            let bin = &mut self.0[at];
            bin.spans[axis].add(simd, item);
            bin.counts[axis] += 1;
        }
        // Never read. But if only three of the four lanes are used the compiler gives up SIMD.
        self.0[at[3]].counts[3] += 1;
    }

    /// Does what [`Self::fill`] does, for many items. Neighbours often fall into the same bin, where the
    /// second would wait for the first to be stored. So every other item goes to a second set of bins.
    #[inline(always)]
    fn fill_by_two<S: Simd>(&mut self, simd: S, items: &[TaggedBox], grid: &BinGrid) {
        let mut odd = Self::EMPTY;
        let (pairs, rest) = items.as_chunks::<2>();
        for [a, b] in pairs {
            self.add(simd, a, grid);
            odd.add(simd, b, grid);
        }
        for item in rest {
            self.add(simd, item, grid);
        }
        self.merge(&odd);
    }

    /// The plane of least SAH cost with items on both sides, if there is one.
    #[inline(always)]
    fn best(&self) -> Option<BinPlane> {
        // From here on lanes are axes. Each loop stores whole vectors, for if it took lanes apart the
        // compiler would make it scalar.
        let mut spans = [ThreeBoxes::EMPTY; BINS];
        for (three, Bin { spans: [x, y, z], .. }) in spans.iter_mut().zip(&self.0) {
            *three = ThreeBoxes::new([x, y, z]);
        }
        let (mut rights, mut lefts) = ([FloatQuad::all(0.0); BINS], [FloatQuad::all(0.0); BINS]);
        let (mut sum, mut weight) = (ThreeBoxes::EMPTY, [0; 4]);
        let mut costs = [FloatQuad::all(0.0); BINS];
        for i in (1..BINS).rev() {
            sum = spans[i].and(&sum);
            weight = added(weight, self.0[i].counts);
            rights[i] = sum.areas();
            costs[i] = rights[i].times(weight);
        }
        let (mut sum, mut weight) = (ThreeBoxes::EMPTY, [0; 4]);
        for i in 1..BINS {
            sum = spans[i - 1].and(&sum);
            weight = added(weight, self.0[i - 1].counts);
            lefts[i] = sum.areas();
            // Where a side is empty its area is infinite and its count 0, so the cost is NaN.
            costs[i] = lefts[i].times(weight).zip(costs[i], |a, b| a + b);
        }
        let (axis, bin) = least(&costs)?;
        let areas = [lefts[bin].0[axis], rights[bin].0[axis]];
        Some(BinPlane { axis, bin, areas })
    }
}

#[inline(always)]
fn added(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
    std::array::from_fn(|k| a[k] + b[k])
}

/// Moves the items that belong on the left to the front and returns their number; each side keeps its order.
/// Every item is written to both sides, since a branch would be mispredicted half of the time.
#[inline(always)]
fn partition(items: &mut [TaggedBox], spare: &mut [TaggedBox], left: impl Fn(&TaggedBox) -> bool) -> usize {
    let spare = &mut spare[..items.len()];
    let mut kept = 0;
    for i in 0..items.len() {
        let is_left = left(&items[i]);
        // Twice from memory: a variable would be one.
        spare[i - kept] = items[i];
        items[kept] = items[i];
        kept += usize::from(is_left);
    }
    let gone = items.len() - kept;
    items[kept..].copy_from_slice(&spare[..gone]);
    kept
}
