//! The binary tree of `binned.rs` in two stages: over blocks of neighbours in Morton order, then inside of
//! each block. So most levels see a sixty-fourth of the items. It is the idea of HLBVH (Pantaleoni and Luebke
//! 2010), with the surface area heuristic in both stages.
use super::{
    binary::BinaryNode,
    binned,
    four::TaggedBox,
    morton::{MortonOrder, runs},
};
use crate::pool::Executor;

/// The most items of a block.
const BLOCK: usize = 64;

/// Up to this many blocks are left to one thread.
const SERIAL: usize = 64;

/// The subtree over a block, and the slices of the result for it.
struct BlockTree<'a> {
    clusters: &'a [TaggedBox],
    area: f32,
    items: &'a mut [TaggedBox],
    nodes: &'a mut [BinaryNode],
}

/// Builds the tree over clusters, which follow each other in Morton order, each tagged with its first place
/// in it. Returns also the clusters in the order of the tree's leaves.
pub(super) fn build(
    clusters: &[TaggedBox],
    order: &MortonOrder,
    executor: Executor,
) -> (Vec<BinaryNode>, Vec<TaggedBox>) {
    let mut blocks = Vec::with_capacity(clusters.len() / (BLOCK / 2) + 1);
    for run in runs(clusters, BLOCK, |cluster| order.code(cluster.index())) {
        let bounds = clusters[run.clone()].iter().fold(TaggedBox::EMPTY, |b, cluster| b.and(cluster));
        blocks.push(bounds.tagged(run.start as u32, run.len() as u32));
    }
    let top = binned::build(&mut blocks, 1, executor);
    let mut items = vec![TaggedBox::EMPTY; clusters.len()];
    let mut nodes = vec![BinaryNode::NONE; (2 * clusters.len()).saturating_sub(1)];
    let mut parts = Vec::with_capacity(blocks.len());
    let (mut free_items, mut free_nodes, mut blocks) = (&mut items[..], &mut nodes[..], blocks.iter());
    // The places of the top's nodes in the whole tree.
    let mut places = Vec::with_capacity(top.len());
    let mut place = 0;
    for node in &top {
        places.push(place);
        if node.items > 1 {
            if let Some(own) = free_nodes.split_off_first_mut() {
                *own = *node;
            }
            place += 1;
        } else if let Some(block) = blocks.next() {
            let (first, len) = (block.index() as usize, block.count() as usize);
            if let (Some(items), Some(nodes)) =
                (free_items.split_off_mut(..len), free_nodes.split_off_mut(..2 * len - 1))
            {
                parts.push(BlockTree {
                    clusters: &clusters[first..first + len],
                    area: node.area,
                    items,
                    nodes,
                });
            }
            place += 2 * len - 1;
        }
    }
    fill(&mut parts, executor);
    drop(parts);
    // The top's nodes count blocks so far; now they get the numbers of items. Backwards, children come before
    // their parents.
    let mut counted = Vec::new();
    for (node, &place) in top.iter().zip(&places).rev() {
        if node.items > 1
            && let (Some(left), Some(right)) = (counted.pop(), counted.pop())
        {
            let both: u32 = left + right;
            nodes[place].items = both;
        }
        counted.push(nodes[place].items);
    }
    (nodes, items)
}

fn fill(parts: &mut [BlockTree<'_>], executor: Executor) {
    if executor == Executor::Pool && parts.len() > SERIAL {
        let (left, right) = parts.split_at_mut(parts.len() / 2);
        executor.join(|| fill(left, executor), || fill(right, executor));
        return;
    }
    let mut spare = [TaggedBox::EMPTY; BLOCK];
    for BlockTree { clusters, area, items, nodes } in parts {
        items.copy_from_slice(clusters);
        binned::build_serial(items, &mut spare[..items.len()], nodes, *area, 0, 1);
    }
}
