//! A binary tree by the surface area heuristic over bins (Wald 2007, "On fast construction of SAH-based
//! bounding volume hierarchies"), down to single items.
//!
//! Nodes are in preorder. A subtree over n items has 2n - 1 nodes; its left child is the next node, and its
//! right child follows all of the left subtree. So nodes need no links, and two threads can build the halves
//! in slices of their own.
use super::{
    four::{Four, TaggedBox, ThreeBoxes},
    small,
};
use crate::pool::Executor;

/// Bins on each axis.
const BINS: usize = 16;
/// Ranges of this many items or more are binned two items at a time.
const MANY: usize = 128;
/// Ranges of up to this many items are swept (`small.rs`), not binned.
pub(super) const SWEPT: usize = 16;
/// Below this depth ranges are halved by count, so that no input makes a deep tree.
const MAX_DEPTH: u32 = 64;

/// A node of the binary tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct BinaryNode {
    /// Half the surface of the box.
    pub(super) area: f32,
    /// How many items are below; a node of 1 is a leaf.
    pub(super) items: u32,
}

impl BinaryNode {
    pub(super) const NONE: Self = Self { area: 0.0, items: 0 };
}

/// A range of items that is to become the subtree at `node`.
struct Task {
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

/// Builds the tree and sorts the items into the order of its leaves. For `block` see [`small::build`].
pub(super) fn build(items: &mut [TaggedBox], block: usize, executor: Executor) -> Vec<BinaryNode> {
    if items.is_empty() {
        return Vec::new();
    }
    let mut nodes = vec![BinaryNode::NONE; 2 * items.len() - 1];
    let mut spare = vec![TaggedBox::EMPTY; items.len()];
    let area = TaggedBox::of(items).area();
    build_parallel(items, &mut spare, &mut nodes, (area, 0), (block, executor));
    nodes
}

/// Does what [`build_serial`] does, on several threads.
fn build_parallel(
    items: &mut [TaggedBox],
    spare: &mut [TaggedBox],
    nodes: &mut [BinaryNode],
    (area, depth): (f32, u32),
    (block, executor): (usize, Executor),
) {
    let len = items.len();
    if executor == Executor::Serial || len <= SERIAL {
        return build_serial(items, spare, nodes, (area, depth), block);
    }
    let Cut { at, areas } = cut(items, spare, depth, executor);
    nodes[0] = BinaryNode { area, items: len as u32 };
    let (items, spare) = (items.split_at_mut(at), spare.split_at_mut(at));
    let nodes = nodes[1..].split_at_mut(2 * at - 1);
    executor.join(
        || build_parallel(items.0, spare.0, nodes.0, (areas[0], depth + 1), (block, executor)),
        || build_parallel(items.1, spare.1, nodes.1, (areas[1], depth + 1), (block, executor)),
    );
}

/// Builds the `2 * items.len() - 1` nodes of a subtree. `spare` is memory, as long as `items`. For `block`
/// see [`small::build`].
pub(super) fn build_serial(
    items: &mut [TaggedBox],
    spare: &mut [TaggedBox],
    nodes: &mut [BinaryNode],
    (area, depth): (f32, u32),
    block: usize,
) {
    let mut todo = vec![Task { start: 0, len: items.len(), node: 0, depth, area }];
    while let Some(Task { start, len, node, depth, area }) = todo.pop() {
        let range = &mut items[start..start + len];
        if len <= SWEPT {
            small::build(range, &mut nodes[node..node + 2 * len - 1], area, block);
            continue;
        }
        let cut = cut(range, &mut spare[..len], depth, Executor::Serial);
        nodes[node] = BinaryNode { area, items: len as u32 };
        let (at, [left, right]) = (cut.at, cut.areas);
        let (second, depth) = (node + 2 * at, depth + 1);
        todo.push(Task { start: start + at, len: len - at, node: second, depth, area: right });
        todo.push(Task { start, len: at, node: node + 1, depth, area: left });
    }
}

/// How a range is cut in two.
struct Cut {
    /// How many items are on the left, in `1..len`.
    at: usize,
    /// Of both sides.
    areas: [f32; 2],
}

/// The least and the greatest centre on each axis.
fn ends(items: &[TaggedBox], executor: Executor) -> [Four; 2] {
    if executor == Executor::Pool && items.len() >= HUGE {
        let (left, right) = items.split_at(items.len() / 2);
        let ([a, b], [c, d]) = executor.join(|| ends(left, executor), || ends(right, executor));
        return [c.min(a), d.max(b)];
    }
    // Four minima and maxima by turns: each waits for its own last result only.
    let (mut lo, mut hi) = ([Four::all(f32::INFINITY); 4], [Four::all(f32::NEG_INFINITY); 4]);
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
struct Grid {
    start: Four,
    scale: Four,
}

/// 1.5 * 2^23: adding it to x in [0, 2^22) leaves the nearest integer in the low bits.
const SHIFT: f32 = 12_582_912.0;

impl Grid {
    fn over(items: &[TaggedBox], executor: Executor) -> Self {
        let [lo, hi] = ends(items, executor);
        // Maps centres to [0, BINS - 1], of which the nearest integer is the bin.
        let scale = hi.zip(lo, |hi, lo| {
            let scale = (BINS - 1) as f32 / (hi - lo);
            // Where all centres are (nearly) the same, all go to one bin.
            if scale < 1e30 { scale } else { 0.0 }
        });
        Self { start: lo, scale }
    }
    /// The bins of a centre on the three axes; the fourth number is some bin, too.
    #[inline(always)]
    fn bins(&self, centre: Four) -> [u32; 4] {
        let Four(x) = centre.zip(self.start, |c, s| c - s).zip(self.scale, |c, s| c * s + SHIFT);
        x.map(|x| x.to_bits() % BINS as u32)
    }
    /// The bin of an item on one axis.
    #[inline(always)]
    fn bin(&self, item: &TaggedBox, axis: usize) -> usize {
        let c = item.lo.0[axis] + item.hi.0[axis];
        ((c - self.start.0[axis]) * self.scale.0[axis] + SHIFT).to_bits() as usize % BINS
    }
}

/// For each bin of each axis, the items whose centres fall into it: their box, and how many they are.
struct Bins {
    spans: [[TaggedBox; 3]; BINS],
    counts: [[i32; 4]; BINS],
}

/// A plane to cut at: before a bin of an axis.
struct Plane {
    axis: usize,
    bin: usize,
    areas: [f32; 2],
}

fn cut(items: &mut [TaggedBox], spare: &mut [TaggedBox], depth: u32, executor: Executor) -> Cut {
    let grid = Grid::over(items, executor);
    let bins = Bins::of(items, &grid, executor);
    match bins.best() {
        Some(Plane { axis, bin, areas }) if depth < MAX_DEPTH => {
            Cut { at: partition(items, spare, |item| grid.bin(item, axis) < bin), areas }
        }
        _ => {
            let at = items.len() / 2;
            Cut { at, areas: [&items[..at], &items[at..]].map(|half| TaggedBox::of(half).area()) }
        }
    }
}

impl Bins {
    const EMPTY: Self = Self { spans: [[TaggedBox::EMPTY; 3]; BINS], counts: [[0; 4]; BINS] };

    fn of(items: &[TaggedBox], grid: &Grid, executor: Executor) -> Self {
        if executor == Executor::Pool && items.len() >= HUGE {
            let (left, right) = items.split_at(items.len() / 2);
            let (mut both, other) =
                executor.join(|| Self::of(left, grid, executor), || Self::of(right, grid, executor));
            both.merge(&other);
            return both;
        }
        let mut bins = Self::EMPTY;
        if items.len() < MANY {
            bins.fill(items, grid);
        } else {
            bins.fill_by_two(items, grid);
        }
        bins
    }

    fn merge(&mut self, other: &Self) {
        for i in 0..BINS {
            for axis in 0..3 {
                self.spans[i][axis] = self.spans[i][axis].and(&other.spans[i][axis]);
            }
            self.counts[i] = added(self.counts[i], other.counts[i]);
        }
    }

    fn fill(&mut self, items: &[TaggedBox], grid: &Grid) {
        for item in items {
            self.add(item, grid);
        }
    }

    #[inline(always)]
    fn add(&mut self, item: &TaggedBox, grid: &Grid) {
        let at = grid.bins(item.centre()).map(|at| at as usize % BINS);
        for (axis, &at) in at[..3].iter().enumerate() {
            let bin = &mut self.spans[at][axis];
            *bin = bin.and(item);
            self.counts[at][axis] += 1;
        }
        // Never read. But if only three of the four lanes are used the compiler gives up SIMD.
        self.counts[at[3]][3] += 1;
    }

    /// Does what [`Self::fill`] does, for many items. Neighbours often fall into the same bin, where the
    /// second would wait for the first to be stored. So every other item goes to a second set of bins.
    fn fill_by_two(&mut self, items: &[TaggedBox], grid: &Grid) {
        let mut odd = Self::EMPTY;
        let (pairs, rest) = items.as_chunks::<2>();
        for [a, b] in pairs {
            self.add(a, grid);
            odd.add(b, grid);
        }
        for item in rest {
            self.add(item, grid);
        }
        self.merge(&odd);
    }

    /// The plane of least SAH cost with items on both sides, if there is one.
    fn best(&self) -> Option<Plane> {
        // From here on lanes are axes. Each loop stores whole vectors, for if it took lanes apart the
        // compiler would make it scalar.
        let mut spans = [ThreeBoxes::EMPTY; BINS];
        for (three, [x, y, z]) in spans.iter_mut().zip(&self.spans) {
            *three = ThreeBoxes::new([x, y, z]);
        }
        let (mut rights, mut lefts) = ([Four::all(0.0); BINS], [Four::all(0.0); BINS]);
        let (mut sum, mut weight) = (ThreeBoxes::EMPTY, [0; 4]);
        let mut costs = [Four::all(0.0); BINS];
        for i in (1..BINS).rev() {
            sum = sum.and(&spans[i]);
            weight = added(weight, self.counts[i]);
            rights[i] = sum.areas();
            costs[i] = rights[i].times(weight);
        }
        let (mut sum, mut weight) = (ThreeBoxes::EMPTY, [0; 4]);
        for i in 1..BINS {
            sum = sum.and(&spans[i - 1]);
            weight = added(weight, self.counts[i - 1]);
            lefts[i] = sum.areas();
            costs[i] = lefts[i].times(weight).zip(costs[i], |a, b| a + b);
        }
        let mut best = (f32::INFINITY, 0, 0);
        for bin in middle_first(BINS) {
            for axis in 0..3 {
                // Where a side is empty its area is infinite and its count 0, so the cost is NaN, which is
                // not less.
                if costs[bin].0[axis] < best.0 {
                    best = (costs[bin].0[axis], axis, bin);
                }
            }
        }
        let (cost, axis, bin) = best;
        let areas = [lefts[bin].0[axis], rights[bin].0[axis]];
        (cost < f32::INFINITY).then_some(Plane { axis, bin, areas })
    }
}

/// All cuts in `1..len`, those near the middle first. The first of equally good cuts is taken, so the tree
/// stays balanced where all boxes are equal, or have no surface.
#[inline(always)]
pub(super) fn middle_first(len: usize) -> impl Iterator<Item = usize> {
    (1..len).map(move |i| if i % 2 == 0 { len / 2 + i / 2 } else { len / 2 - i / 2 })
}

#[inline(always)]
fn added(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
    std::array::from_fn(|k| a[k] + b[k])
}

/// Moves the items that belong on the left to the front and returns how many they are; each side keeps its
/// order. Every item is written to both sides, since a branch would be mispredicted half of the time.
fn partition(items: &mut [TaggedBox], spare: &mut [TaggedBox], left: impl Fn(&TaggedBox) -> bool) -> usize {
    let (mut kept, mut gone) = (0, 0);
    for i in 0..items.len() {
        let item = items[i];
        let is_left = left(&item);
        items[kept] = item;
        spare[gone] = item;
        kept += usize::from(is_left);
        gone += usize::from(!is_left);
    }
    items[kept..].copy_from_slice(&spare[..gone]);
    kept
}
