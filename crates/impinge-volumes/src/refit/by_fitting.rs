//! Refits of volumes that are fitted to triangles, or stored relative to their parents: each is fitted again
//! to all triangles below it, parents first, as the builder does it. O(n depth), like a build without its
//! cuts.
use crate::{
    build::Item, tree::Link, tree::Target, tree::Tree, volume::Fit, volume::NodeLayout,
    volume::NormalizedMesh, volume::Primitives,
};
use impinge::{
    Mesh,
    hierarchy::{Bounds, Cost},
};
use std::ops::Range;

/// The triangles below a node: a range of the leaf order, and their box.
#[derive(Clone)]
struct ItemRange {
    range: Range<usize>,
    bounds: Bounds,
}

impl ItemRange {
    fn of(link: Link, items: &[Item], below: &[Self]) -> Self {
        match link.target() {
            Target::Inner(child) => below[child as usize].clone(),
            Target::Leaf { first, count } => {
                let range = first as usize..(first + count) as usize;
                let bounds = items[range.clone()].iter().fold(Bounds::EMPTY, |b, item| b.and(&item.bounds));
                Self { range, bounds }
            }
        }
    }
}

/// The triangles below each node, and the cost of the boxes. The builder cuts ranges of triangles, so the
/// triangles below a node are a range.
fn ranges<V: NodeLayout>(tree: &Tree<V>, items: &[Item]) -> (Vec<ItemRange>, Cost) {
    let mut ranges = vec![ItemRange { range: 0..0, bounds: Bounds::EMPTY }; tree.nodes.len()];
    let mut cost = Cost::default();
    for (i, node) in tree.nodes.iter().enumerate().rev() {
        let (mut start, mut end, mut bounds) = (usize::MAX, 0, Bounds::EMPTY);
        for &link in node.links.as_ref().iter().filter(|&&link| link != Link::NONE) {
            let part = ItemRange::of(link, items, &ranges);
            cost.sum += f64::from(part.bounds.half_area());
            (start, end) = (start.min(part.range.start), end.max(part.range.end));
            bounds = bounds.and(&part.bounds);
        }
        cost.root = f64::from(bounds.half_area());
        ranges[i] = ItemRange { range: start..end, bounds };
    }
    (ranges, cost)
}

fn items<V: NodeLayout>(tree: &Tree<V>, mesh: &Mesh) -> Vec<Item> {
    let item = |&triangle: &u32| {
        let bounds = mesh.corners(triangle).iter().fold(Bounds::EMPTY, |b, v| {
            let [lo, hi] = tree.normalized.bounds(v);
            b.and(&Bounds::outward(&lo, &hi))
        });
        Item { bounds, triangle }
    };
    tree.order.iter().map(item).collect()
}

/// The cost of the tree by the boxes of its triangles, whatever its volume. O(n).
pub(crate) fn cost<V: NodeLayout>(tree: &Tree<V>, mesh: &Mesh) -> Cost {
    ranges(tree, &items(tree, mesh)).1
}

/// Refits all volumes to the mesh's new points, in the tree's normalized frame.
pub(crate) fn all<V: NodeLayout>(tree: &mut Tree<V>, mesh: &Mesh, fit: Fit) -> Cost {
    let fit = if V::FITS.contains(&fit) { fit } else { V::FITS[0] };
    let items = items(tree, mesh);
    let (ranges, cost) = ranges(tree, &items);
    if items.is_empty() {
        return cost;
    }
    let points: Vec<_> = mesh.points().iter().map(|v| tree.normalized.apply(v)).collect();
    let normalized_mesh = NormalizedMesh { points: &points, triangles: mesh.triangles() };
    let primitives = |run: &ItemRange| Primitives {
        mesh: normalized_mesh,
        items: &items[run.range.clone()],
        bounds: run.bounds,
    };
    let root = V::enclose(&primitives(&ItemRange::of(tree.top, &items, &ranges)), fit);
    tree.root = Some(root);
    // The decoded volumes of nodes whose parents are done: parents come first.
    let mut decoded_nodes = vec![root; tree.nodes.len()];
    let mut keep = |decoded: &V::Decoded, run: Range<usize>| {
        for (to, item) in tree.leaves[run.clone()].iter_mut().zip(&items[run]) {
            *to = V::leaf(decoded, &normalized_mesh.corners(item.triangle));
        }
    };
    if let Target::Leaf { .. } = tree.top.target() {
        keep(&root, 0..items.len());
    }
    for i in 0..tree.nodes.len() {
        let (decoded, node) = (decoded_nodes[i], &mut tree.nodes[i]);
        let links = node.links;
        let links = || links.as_ref().iter().filter(|&&link| link != Link::NONE);
        let below: Vec<ItemRange> = links().map(|&link| ItemRange::of(link, &items, &ranges)).collect();
        let children: Vec<_> = below.iter().map(primitives).collect();
        node.child_bounds = V::encode(&decoded, &children, fit);
        for (slot, (&link, run)) in links().zip(below).enumerate() {
            let child = V::decode(&decoded, &node.child_bounds, slot);
            match link.target() {
                Target::Inner(child_at) => decoded_nodes[child_at as usize] = child,
                Target::Leaf { .. } => keep(&child, run.range),
            }
        }
    }
    cost
}
