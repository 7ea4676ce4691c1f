//! The topology of a tree: the triangles of each leaf, and the leaves and nodes below each node. Geometry is
//! fitted later.
//!
//! Both qualities build a binary tree by the surface area heuristic (SAH), then collapse it into nodes of up
//! to eight children and leaves of up to eight triangles at the least expected cost (`collapse.rs`).
//! * `High`: over all triangles, with binned splits and, for few triangles, full sweeps (`binned.rs`,
//!   `small.rs`).
//! * `Fast`: over clusters of up to 8 neighbours in Morton order (`morton.rs`), in two stages (`blocks.rs`).
mod binary;
mod binned;
mod blocks;
mod boxes;
mod collapse;
mod four;
mod morton;
mod nodes;
mod small;
#[cfg(test)]
mod tests;

// Triangles, items and nodes are counted in u32: even a binary tree has fewer than 2^28 nodes.
const _: () = assert!(2 * (MAX_TRIANGLES as u64) < 1 << 32);

pub(crate) use self::{
    boxes::BoxSource,
    four::{FloatQuad, TaggedBox},
    nodes::{LEAF, Lane, Topology, WideNode},
};
use crate::{BuildOptions, Quality, mesh::MAX_TRIANGLES, pool::Executor};

/// The most triangles in a leaf, from an option: 0 is the default.
fn leaf_size(wanted: usize) -> u32 {
    if wanted == 0 { LEAF } else { wanted.min(LEAF as usize) as u32 }
}

/// Builds a topology. The same boxes give the same one on every machine and on any number of threads.
pub(crate) fn build(boxes: &impl BoxSource, options: &BuildOptions, executor: Executor) -> Topology {
    let leaf = leaf_size(options.leaf_size);
    match options.quality {
        Quality::High | Quality::OnDemand => {
            let mut items = executor.collect(boxes.count(), SERIAL, &|i| boxes.of(i));
            let nodes = binned::build(&mut items, leaf as usize, executor);
            collapse::collapse(&nodes, &items, leaf, executor, |item| (item.index(), 1), |i| i)
        }
        Quality::Fast => {
            let (order, clusters) = morton::clusters(boxes, leaf, executor);
            let (nodes, items) = blocks::build(&clusters, &order, executor);
            let part = |item: &TaggedBox| (item.index(), item.count());
            collapse::collapse(&nodes, &items, leaf, executor, part, |i| order.triangle(i))
        }
    }
}

/// Up to this many boxes are made by one thread.
const SERIAL: usize = 8192;
