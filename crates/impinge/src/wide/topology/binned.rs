//! A binary tree by the surface area heuristic over bins (Wald 2007, "On fast construction of SAH-based bounding
//! volume hierarchies"), down to single items.
//!
//! Nodes lie in preorder: a node over n items takes 2n - 1 places, its left child is the next one, its right child comes
//! after all that is left. So a node needs no links, and halves can be built at once in slices of their own.
use super::{
    four::{Four, Span, Three},
    small,
};
use crate::pool::Crew;

/// Bins on each axis.
const BINS: usize = 16;
/// Ranges from this size on are binned two items at a time.
const MANY: usize = 128;
/// Ranges up to this size are swept, not binned.
pub(super) const SWEPT: usize = 16;
/// From this depth on ranges are halved by count, so that no input makes a deep tree.
const MAX_DEPTH: u32 = 64;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Half the surface of the box.
    pub(super) area: f32,
    /// Items below; 1 is a leaf of this tree.
    pub(super) items: u32,
}

impl Node {
    pub(super) const NONE: Self = Self { area: 0.0, items: 0 };
}

/// A range of items that becomes the subtree at `node`.
struct Task {
    start: usize,
    len: usize,
    node: usize,
    depth: u32,
    area: f32,
}

/// Ranges of up to so many items are left to one thread.
const ALONE: usize = 4096;
/// Ranges from this size on are binned in two parts.
const HUGE: usize = 1 << 14;

/// Reorders the items; in the tree's leaf order they are what they are in the end. For `block` see [`small::build`].
pub(super) fn build(items: &mut [Span], block: usize, crew: Crew) -> Vec<Node> {
    if items.is_empty() {
        return Vec::new();
    }
    let mut nodes = vec![Node::NONE; 2 * items.len() - 1];
    let mut spare = vec![Span::EMPTY; items.len()];
    let area = Span::of(items).area();
    divide(items, &mut spare, &mut nodes, (area, 0), (block, crew));
    nodes
}

/// The same as [`grow`], halves at once.
fn divide(
    items: &mut [Span],
    spare: &mut [Span],
    nodes: &mut [Node],
    (area, depth): (f32, u32),
    (block, crew): (usize, Crew),
) {
    let len = items.len();
    if crew == Crew::One || len <= ALONE {
        return grow(items, spare, nodes, (area, depth), block);
    }
    let Cut { at, areas } = cut(items, spare, depth, crew);
    nodes[0] = Node { area, items: len as u32 };
    let (items, spare) = (items.split_at_mut(at), spare.split_at_mut(at));
    let nodes = nodes[1..].split_at_mut(2 * at - 1);
    crew.join(
        || divide(items.0, spare.0, nodes.0, (areas[0], depth + 1), (block, crew)),
        || divide(items.1, spare.1, nodes.1, (areas[1], depth + 1), (block, crew)),
    );
}

/// Builds the `2 * items.len() - 1` nodes of a subtree. `spare` is as long as `items`; for `block` see [`small::build`].
pub(super) fn grow(
    items: &mut [Span],
    spare: &mut [Span],
    nodes: &mut [Node],
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
        let cut = cut(range, &mut spare[..len], depth, Crew::One);
        nodes[node] = Node { area, items: len as u32 };
        let (at, [left, right]) = (cut.at, cut.areas);
        let (second, depth) = (node + 2 * at, depth + 1);
        todo.push(Task { start: start + at, len: len - at, node: second, depth, area: right });
        todo.push(Task { start, len: at, node: node + 1, depth, area: left });
    }
}

/// Where a range is cut, in `1..len`.
struct Cut {
    at: usize,
    areas: [f32; 2],
}

/// The least and the greatest centre.
fn ends(items: &[Span], crew: Crew) -> [Four; 2] {
    if crew == Crew::All && items.len() >= HUGE {
        let (left, right) = items.split_at(items.len() / 2);
        let ([a, b], [c, d]) = crew.join(|| ends(left, crew), || ends(right, crew));
        return [c.min(a), d.max(b)];
    }
    // Four chains: one would wait for itself.
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

/// Which bin a centre falls into.
#[derive(Clone, Copy)]
struct Grid {
    start: Four,
    scale: Four,
}

/// Adding it to x in [0, 2^22) leaves the nearest integer in the low bits.
const SHIFT: f32 = 12_582_912.0;

impl Grid {
    fn over(items: &[Span], crew: Crew) -> Self {
        let [lo, hi] = ends(items, crew);
        // Centres map to [0, BINS - 1], which is rounded to the nearest.
        let scale = hi.zip(lo, |hi, lo| {
            let scale = (BINS - 1) as f32 / (hi - lo);
            // Centres (nearly) in one place: all to one bin.
            if scale < 1e30 { scale } else { 0.0 }
        });
        Self { start: lo, scale }
    }
    /// The bins on the three axes, and no more than that in the fourth.
    #[inline(always)]
    fn bins(&self, centre: Four) -> [u32; 4] {
        let Four(x) = centre.zip(self.start, |c, s| c - s).zip(self.scale, |c, s| c * s + SHIFT);
        x.map(|x| x.to_bits() % BINS as u32)
    }
    /// The same for one axis.
    #[inline(always)]
    fn bin(&self, item: &Span, axis: usize) -> usize {
        let c = item.lo.0[axis] + item.hi.0[axis];
        ((c - self.start.0[axis]) * self.scale.0[axis] + SHIFT).to_bits() as usize % BINS
    }
}

/// The boxes and the number of the items whose centres fall into each bin of each axis.
struct Bins {
    spans: [[Span; 3]; BINS],
    counts: [[i32; 4]; BINS],
}

/// Where to cut: before a bin of an axis.
struct Plane {
    axis: usize,
    bin: usize,
    areas: [f32; 2],
}

fn cut(items: &mut [Span], spare: &mut [Span], depth: u32, crew: Crew) -> Cut {
    let grid = Grid::over(items, crew);
    let bins = Bins::of(items, &grid, crew);
    match bins.best() {
        Some(Plane { axis, bin, areas }) if depth < MAX_DEPTH => {
            Cut { at: partition(items, spare, |item| grid.bin(item, axis) < bin), areas }
        }
        _ => {
            let at = items.len() / 2;
            Cut { at, areas: [&items[..at], &items[at..]].map(|half| Span::of(half).area()) }
        }
    }
}

impl Bins {
    const EMPTY: Self = Self { spans: [[Span::EMPTY; 3]; BINS], counts: [[0; 4]; BINS] };

    fn of(items: &[Span], grid: &Grid, crew: Crew) -> Self {
        if crew == Crew::All && items.len() >= HUGE {
            let (left, right) = items.split_at(items.len() / 2);
            let (mut both, other) = crew.join(|| Self::of(left, grid, crew), || Self::of(right, grid, crew));
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

    fn fill(&mut self, items: &[Span], grid: &Grid) {
        for item in items {
            self.add(item, grid);
        }
    }

    #[inline(always)]
    fn add(&mut self, item: &Span, grid: &Grid) {
        let at = grid.bins(item.centre()).map(|at| at as usize % BINS);
        for (axis, &at) in at[..3].iter().enumerate() {
            let bin = &mut self.spans[at][axis];
            *bin = bin.and(item);
            self.counts[at][axis] += 1;
        }
        // Nobody reads it; but without it only three of four lanes are used, and the compiler takes them apart.
        self.counts[at[3]][3] += 1;
    }

    /// The same as [`Self::fill`] for many items. Neighbours often fall into the same bin, and the second would wait for the
    /// first: so they go to bins of their own.
    fn fill_by_two(&mut self, items: &[Span], grid: &Grid) {
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

    /// The cheapest plane with something on both sides, if there is one.
    fn best(&self) -> Option<Plane> {
        // The lanes are the axes from here on. Each loop stores whole vectors: lanes taken apart would make it scalar.
        let mut spans = [Three::EMPTY; BINS];
        for (three, [x, y, z]) in spans.iter_mut().zip(&self.spans) {
            *three = Three::new([x, y, z]);
        }
        let (mut rights, mut lefts) = ([Four::all(0.0); BINS], [Four::all(0.0); BINS]);
        let (mut sum, mut weight) = (Three::EMPTY, [0; 4]);
        let mut costs = [Four::all(0.0); BINS];
        for i in (1..BINS).rev() {
            sum = sum.and(&spans[i]);
            weight = added(weight, self.counts[i]);
            rights[i] = sum.areas();
            costs[i] = rights[i].times(weight);
        }
        let (mut sum, mut weight) = (Three::EMPTY, [0; 4]);
        for i in 1..BINS {
            sum = sum.and(&spans[i - 1]);
            weight = added(weight, self.counts[i - 1]);
            lefts[i] = sum.areas();
            costs[i] = lefts[i].times(weight).zip(costs[i], |a, b| a + b);
        }
        let mut best = (f32::INFINITY, 0, 0);
        for bin in outwards(BINS) {
            for axis in 0..3 {
                // Nothing on one side: its area is infinite, the cost is no number.
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

/// All cuts in `1..len`, those near the middle first: of equal ones they are taken, which keeps the tree flat where boxes
/// are equal, or have no surface.
#[inline(always)]
pub(super) fn outwards(len: usize) -> impl Iterator<Item = usize> {
    (1..len).map(move |i| if i % 2 == 0 { len / 2 + i / 2 } else { len / 2 - i / 2 })
}

#[inline(always)]
fn added(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
    std::array::from_fn(|k| a[k] + b[k])
}

/// Moves the items that belong to the left to the front, each side in its old order; says how many they are. Every item is
/// written to both sides, since a branch would be mispredicted half of the time.
fn partition(items: &mut [Span], spare: &mut [Span], left: impl Fn(&Span) -> bool) -> usize {
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
