//! Which triangles lie in which leaf, and which leaves and nodes below which node: geometry is fitted later.
//!
//! `High` is a binned SAH tree (`binned`, `small`), collapsed at least cost (`collapse`). `Fast` is the same over clusters of
//! up to 8 neighbours in Morton order (`morton`), in two stages (`blocks`). `measure` prints the table of both.
//!
//! Measured on a loaded 2-core machine, CPU time of one thread, dragon of 202,520 triangles (cost: expected visits of nodes,
//! leaves and 0.05 a triangle, by area; ns a triangle):
//! * High 235 to 257 ns, cost 14.17, 4.35 triangles a leaf, 7,270 nodes, 46,536 leaves. Fast 69 to 82 ns, cost 16.24, 4.72 a leaf.
//!
//! Tried:
//! * Two bins for neighbours in turn (`fill_by_two`): bins take a fifth less time, since a bin waits for its last write.
//! * Scalar sweeps with insertion sort up to 8 items took 65 of 330 ns; ranks and lanes that are axes a third less. Sweeping up
//!   to 8, 12, 16 items: 249, 250, 235 ns, the same cost within 0.1 %.
//! * Failed: bin numbers in a loop of their own over 32 items, which the compiler transposes needlessly (no gain).
//! * Failed: all levels of the top by blocks for small clusters (2 triangles, blocks of 256): 132 ns, cost still 15.70.
//! * Fast with clusters of 3: 91 ns, cost 16.41; of 2: 122 ns, 16.30; of 4 cut at any cell's end, but never before the
//!   second item: 73 ns, 18.07. That short runs may end at a cell 6 bits larger made it 16.24 at 69 ns.
//! * Clusters of 4, 6, 8 in whole builds: 217, 200, 178 ns a triangle; queries take as long as before, 1.10 to 1.16 and 1.08 to 1.15 of that time (dragon, horse, saw). Kept: 8.
//! * Fuller leaves: `collapse`.
mod binned;
mod blocks;
mod collapse;
mod four;
#[cfg(test)]
mod measure;
mod morton;
mod small;
#[cfg(test)]
mod tests;

pub(crate) use self::four::{Four, Span};
use crate::{BuildOptions, Quality, pool::Crew};

/// Most children of a node.
pub(crate) const WIDTH: usize = 8;
/// Most triangles in a leaf.
pub(crate) const LEAF: u32 = 8;

/// Most triangles in a leaf, as asked for.
fn leaf_size(wanted: usize) -> u32 {
    if wanted == 0 { LEAF } else { wanted.min(LEAF as usize) as u32 }
}

/// Where one of a node's children is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Inner(u32),
    /// `first..first + count` of `order`.
    Leaf {
        first: u32,
        count: u32,
    },
}

/// Up to `WIDTH` children: `lanes[..len]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wide {
    pub(crate) lanes: [Lane; WIDTH],
    pub(crate) len: usize,
}

/// Parents before children; a node's inner children are consecutive nodes, in lane order; the triangles of a node's
/// leaf lanes are consecutive in `order`, in lane order. Node 0 is the root: there is one unless there is no triangle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Topology {
    pub(crate) nodes: Vec<Wide>,
    pub(crate) order: Vec<u32>,
}

/// The boxes of all triangles.
pub(crate) trait Boxes: Sync {
    fn count(&self) -> usize;
    /// That of a triangle: with its number, and a count of 1.
    fn of(&self, triangle: usize) -> Span;
    /// No box has a centre outside of these corners, but for rounding.
    fn ends(&self) -> [Four; 2];
}

/// The same boxes give the same tree on every machine, whoever builds it.
pub(crate) fn build(boxes: &impl Boxes, options: &BuildOptions, crew: Crew) -> Topology {
    let leaf = leaf_size(options.leaf_size);
    match options.quality {
        Quality::High => {
            let mut items = crew.collect(boxes.count(), ALONE, &|i| boxes.of(i));
            let nodes = binned::build(&mut items, leaf as usize, crew);
            collapse::collapse((&nodes, &items), (leaf, crew), |item| (item.index(), 1), |i| i)
        }
        Quality::Fast => {
            let (order, clusters) = morton::clusters(boxes, leaf, crew);
            let (nodes, items) = blocks::build(&clusters, &order, crew);
            collapse::collapse(
                (&nodes, &items),
                (leaf, crew),
                |item| (item.index(), item.count()),
                |i| order.triangle(i),
            )
        }
    }
}

/// One thread makes so many boxes, at least.
const ALONE: usize = 8192;
