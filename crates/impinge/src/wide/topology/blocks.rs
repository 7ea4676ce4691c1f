//! The same binary tree in two stages: over blocks of neighbours, then inside of each. Most of the levels then see a
//! sixty-fourth of the items (the way of HLBVH, Pantaleoni and Luebke 2010, with the surface area heuristic in both).
use super::{
    binned::{self, Node},
    four::Span,
    morton::{Sorted, runs},
};
use crate::pool::Crew;

/// Most items of a block.
const BLOCK: usize = 64;

/// Lists of up to so many blocks are left to one thread.
const ALONE: usize = 64;

/// A subtree over a block: its clusters and the areas of its nodes, to be filled in.
struct Part<'a> {
    clusters: &'a [Span],
    area: f32,
    items: &'a mut [Span],
    nodes: &'a mut [Node],
}

/// `clusters` follow each other in Morton order, each with its first place. Returns them in the tree's order, too.
pub(super) fn build(clusters: &[Span], order: &Sorted, crew: Crew) -> (Vec<Node>, Vec<Span>) {
    let mut blocks = Vec::with_capacity(clusters.len() / (BLOCK / 2) + 1);
    for run in runs(clusters, BLOCK, |cluster| order.code(cluster.index())) {
        let bounds = clusters[run.clone()].iter().fold(Span::EMPTY, |b, cluster| b.and(cluster));
        blocks.push(bounds.tagged(run.start as u32, run.len() as u32));
    }
    let top = binned::build(&mut blocks, 1, crew);
    let mut items = vec![Span::EMPTY; clusters.len()];
    let mut nodes = vec![Node::NONE; (2 * clusters.len()).saturating_sub(1)];
    let mut parts = Vec::with_capacity(blocks.len());
    let (mut free_items, mut free_nodes, mut blocks) = (&mut items[..], &mut nodes[..], blocks.iter());
    // Where the top's nodes came to lie.
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
                parts.push(Part { clusters: &clusters[first..first + len], area: node.area, items, nodes });
            }
            place += 2 * len - 1;
        }
    }
    fill(&mut parts, crew);
    drop(parts);
    // The top counted blocks where items are meant; backwards, children come before their parents.
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

fn fill(parts: &mut [Part<'_>], crew: Crew) {
    if crew == Crew::All && parts.len() > ALONE {
        let (left, right) = parts.split_at_mut(parts.len() / 2);
        crew.join(|| fill(left, crew), || fill(right, crew));
        return;
    }
    let mut spare = [Span::EMPTY; BLOCK];
    for Part { clusters, area, items, nodes } in parts {
        items.copy_from_slice(clusters);
        binned::grow(items, &mut spare[..items.len()], nodes, (*area, 0), 1);
    }
}
