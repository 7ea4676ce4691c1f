//! A binary tree by the surface area heuristic over bins (Wald 2007, "On fast construction of SAH-based bounding
//! volume hierarchies"), down to single items.
//!
//! Nodes lie in preorder: a node over n items takes 2n - 1 places, its left child is the next one, its right child comes
//! after all that is left. So a node needs no links, and halves can be built at once in slices of their own.
use super::{
    four::{Four, Span},
    small,
};

/// Bins on each axis.
const BINS: usize = 16;
/// Ranges up to this size are swept, not binned.
pub(super) const SWEPT: usize = 8;
/// From this depth on ranges are halved by count, so that no input makes a deep tree.
const MAX_DEPTH: u32 = 64;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Half the surface of the box.
    pub(super) area: f32,
    /// Items below; 1 is a leaf of this tree.
    pub(super) items: u32,
    /// Triangles below.
    pub(super) triangles: u32,
}

impl Node {
    const NONE: Self = Self { area: 0.0, items: 0, triangles: 0 };
}

/// A range of items that becomes the subtree at `node`.
struct Task {
    start: usize,
    len: usize,
    node: usize,
    depth: u32,
    area: f32,
}

/// Reorders the items; in the tree's leaf order they are what they are in the end.
pub(super) fn build(items: &mut [Span]) -> Vec<Node> {
    if items.is_empty() {
        return Vec::new();
    }
    let mut nodes = vec![Node::NONE; 2 * items.len() - 1];
    let mut spare = vec![Span::EMPTY; items.len()];
    let area = Span::of(items).area();
    grow(items, &mut spare, &mut nodes, area, 0);
    nodes
}

fn grow(items: &mut [Span], spare: &mut [Span], nodes: &mut [Node], area: f32, depth: u32) {
    let mut todo = vec![Task { start: 0, len: items.len(), node: 0, depth, area }];
    while let Some(Task { start, len, node, depth, area }) = todo.pop() {
        let range = &mut items[start..start + len];
        if len <= SWEPT {
            small::build(range, &mut nodes[node..node + 2 * len - 1], area);
            continue;
        }
        let cut = cut(range, &mut spare[..len], depth);
        nodes[node] = Node { area, items: len as u32, triangles: cut.triangles };
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
    triangles: u32,
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
    fn new(lo: Four, hi: Four) -> Self {
        // Centres map to [-0.5, BINS - 0.5), which rounds to 0..BINS: 1e-6 is more than the roundings make.
        let scale = hi.zip(lo, |hi, lo| {
            let scale = (BINS as f32) * (1.0 - 1e-6) / (hi - lo);
            // Centres (nearly) in one place: all to one bin.
            if scale < 1e30 { scale } else { 0.0 }
        });
        Self { start: lo, scale }
    }
    #[inline(always)]
    fn bins(&self, centre: Four) -> [usize; 3] {
        let Four([x, y, z, _]) =
            centre.zip(self.start, |c, s| c - s).zip(self.scale, |c, s| c * s - 0.5 + SHIFT);
        [x, y, z].map(|x| x.to_bits() as usize % BINS)
    }
    /// The same for one axis.
    #[inline(always)]
    fn bin(&self, item: &Span, axis: usize) -> usize {
        let c = item.lo.0[axis] + item.hi.0[axis];
        ((c - self.start.0[axis]) * self.scale.0[axis] - 0.5 + SHIFT).to_bits() as usize % BINS
    }
}

fn cut(items: &mut [Span], spare: &mut [Span], depth: u32) -> Cut {
    let (mut lo, mut hi) = (Four::all(f32::INFINITY), Four::all(f32::NEG_INFINITY));
    for item in items.iter() {
        let c = item.centre();
        lo = c.min(lo);
        hi = c.max(hi);
    }
    let grid = Grid::new(lo, hi);
    let mut bins = [[Span::EMPTY; 3]; BINS];
    let mut counts = [[0u32; 3]; BINS];
    for item in items.iter() {
        let count = item.count();
        let at = grid.bins(item.centre());
        for axis in 0..3 {
            let bin = &mut bins[at[axis]][axis];
            *bin = bin.and(item);
            counts[at[axis]][axis] += count;
        }
    }
    // What lies from a bin on costs this much, and weighs that.
    let mut after = [[(0.0f32, 0u32); 3]; BINS];
    let mut sum = [Span::EMPTY; 3];
    let mut weight = [0u32; 3];
    for i in (1..BINS).rev() {
        for axis in 0..3 {
            sum[axis] = sum[axis].and(&bins[i][axis]);
            weight[axis] += counts[i][axis];
            after[i][axis] = (sum[axis].area(), weight[axis]);
        }
    }
    let mut sum = [Span::EMPTY; 3];
    let mut weight = [0u32; 3];
    let mut best = (f32::INFINITY, 0, 0, [0.0; 2]);
    for i in 1..BINS {
        for axis in 0..3 {
            sum[axis] = sum[axis].and(&bins[i - 1][axis]);
            weight[axis] += counts[i - 1][axis];
            let (left, (right, rest)) = (sum[axis].area(), after[i][axis]);
            let cost = left * weight[axis] as f32 + right * rest as f32;
            if cost < best.0 && weight[axis] > 0 && rest > 0 {
                best = (cost, axis, i, [left, right]);
            }
        }
    }
    let triangles = weight[0] + counts[BINS - 1][0];
    let (cost, axis, bin, areas) = best;
    if cost == f32::INFINITY || depth >= MAX_DEPTH {
        let at = items.len() / 2;
        return Cut { at, areas: [&items[..at], &items[at..]].map(|half| Span::of(half).area()), triangles };
    }
    Cut { at: partition(items, spare, |item| grid.bin(item, axis) < bin), areas, triangles }
}

/// Moves the items that belong to the left to the front, each side in its old order; says how many they are. Every item is
/// written to both sides, since a branch would be mispredicted half of the time.
#[inline(always)]
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
