//! The same binary tree in two stages: over blocks of neighbours, then inside of each. Most of the levels then see a
//! sixty-fourth of the items (the way of HLBVH, Pantaleoni and Luebke 2010, with the surface area heuristic in both).
use super::{
    binned::{self, Node},
    four::Span,
    morton::runs,
};

/// Most items of a block.
const BLOCK: usize = 64;

/// `clusters` are items with their codes, sorted by these. Returns the items in the tree's order, too.
pub(super) fn build(clusters: &[(Span, u64)]) -> (Vec<Node>, Vec<Span>) {
    let mut blocks = Vec::with_capacity(clusters.len() / (BLOCK / 2) + 1);
    for run in runs(clusters, BLOCK, |cluster| cluster.1) {
        let bounds = clusters[run.clone()].iter().fold(Span::EMPTY, |b, cluster| b.and(&cluster.0));
        blocks.push(bounds.tagged(run.start as u32, run.len() as u32));
    }
    let top = binned::build(&mut blocks, 1);
    let mut items = Vec::with_capacity(clusters.len());
    let mut nodes: Vec<Node> = Vec::with_capacity(2 * clusters.len());
    let mut spare = [Span::EMPTY; BLOCK];
    let mut blocks = blocks.iter();
    // Where the top's nodes came to lie.
    let mut places = Vec::with_capacity(top.len());
    for node in &top {
        places.push(nodes.len());
        if node.items > 1 {
            nodes.push(*node);
        } else if let Some(block) = blocks.next() {
            let (first, len) = (block.index() as usize, block.count() as usize);
            let (start, place) = (items.len(), nodes.len());
            items.extend(clusters[first..first + len].iter().map(|cluster| cluster.0));
            nodes.resize(place + 2 * len - 1, Node::NONE);
            binned::grow(&mut items[start..], &mut spare[..len], &mut nodes[place..], (node.area, 0), 1);
        }
    }
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
