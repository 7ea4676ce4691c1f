//! Refits of volumes that are fitted to triangles, or stored relative to their parents. Each volume is fitted
//! again to all triangles below it, parents first, as the builder does. O(n depth), like a build without its
//! cuts.
use crate::{
    Fit,
    link::{Link, Target, run, used},
    primitives::{Item, NormalizedMesh, Primitives, bounds_of, items},
    topology::Topology,
    tree::Tree,
    volume::NodeLayout,
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
                let range = run(first, count);
                let bounds = bounds_of(&items[range.clone()]);
                Self { range, bounds }
            }
        }
    }

    fn primitives<'a>(&self, mesh: NormalizedMesh<'a>, items: &'a [Item]) -> Primitives<'a> {
        Primitives { mesh, items: &items[self.range.clone()], bounds: self.bounds }
    }
}

/// The triangles below each node, and the cost of the boxes. The builder cuts ranges of triangles, so the
/// triangles below a node are a range.
fn ranges(tree: &dyn Topology, items: &[Item]) -> (Vec<ItemRange>, Cost) {
    let mut ranges = vec![ItemRange { range: 0..0, bounds: Bounds::EMPTY }; tree.node_count()];
    let mut cost = Cost::default();
    for node in (0..ranges.len()).rev() {
        let (mut start, mut end, mut bounds) = (usize::MAX, 0, Bounds::EMPTY);
        for &link in tree.links_of(node) {
            let part = ItemRange::of(link, items, &ranges);
            cost.sum += f64::from(part.bounds.half_area());
            (start, end) = (start.min(part.range.start), end.max(part.range.end));
            bounds = bounds.and(&part.bounds);
        }
        cost.root = f64::from(bounds.half_area());
        ranges[node] = ItemRange { range: start..end, bounds };
    }
    (ranges, cost)
}

/// The cost of the tree by the boxes of its triangles, independent of its volume. O(n).
pub(crate) fn cost(tree: &dyn Topology, mesh: &Mesh) -> Cost {
    ranges(tree, &items(tree.normalized(), mesh, tree.order().iter().copied())).1
}

/// Refits all volumes to the mesh's new points, in the tree's normalized frame.
pub(crate) fn all<V: NodeLayout>(tree: &mut Tree<V>, mesh: &Mesh, fit: Fit) -> Cost {
    let fit = if V::FITS.contains(&fit) { fit } else { V::FITS[0] };
    let items = items(&tree.normalized, mesh, tree.order.iter().copied());
    let (ranges, cost) = ranges(tree, &items);
    if items.is_empty() {
        return cost;
    }
    let points = tree.normalized.points_of(mesh);
    let mesh = NormalizedMesh { points: &points, triangles: mesh.triangles() };
    let root = V::enclose(&ItemRange::of(tree.top, &items, &ranges).primitives(mesh, &items), fit);
    tree.root = Some(root);
    // Decoded volumes of nodes whose parents are done: parents come first.
    let mut decoded_nodes = vec![root; tree.nodes.len()];
    if let Target::Leaf { first, count } = tree.top.target() {
        keep::<V>(&mut tree.leaves, &root, mesh, &items, run(first, count));
    }
    for i in 0..tree.nodes.len() {
        let (decoded, node) = (decoded_nodes[i], &mut tree.nodes[i]);
        let links = node.links;
        let links = &links.as_ref()[..used(links.as_ref())];
        node.child_bounds = V::encode(&decoded, &children(links, mesh, &items, &ranges), fit);
        for (slot, link) in links.iter().enumerate() {
            let child = V::decode(&decoded, &node.child_bounds, slot);
            match link.target() {
                Target::Inner(below) => decoded_nodes[below as usize] = child,
                Target::Leaf { first, count } => {
                    keep::<V>(&mut tree.leaves, &child, mesh, &items, run(first, count));
                }
            }
        }
    }
    cost
}

/// The primitives to which each child of a node is fitted.
fn children<'a>(
    links: &[Link],
    mesh: NormalizedMesh<'a>,
    items: &'a [Item],
    ranges: &[ItemRange],
) -> Vec<Primitives<'a>> {
    links.iter().map(|&link| ItemRange::of(link, items, ranges).primitives(mesh, items)).collect()
}

/// Writes the leaf data of a leaf's triangles.
fn keep<V: NodeLayout>(
    leaves: &mut [V::Leaf],
    decoded: &V::Decoded,
    mesh: NormalizedMesh<'_>,
    items: &[Item],
    run: Range<usize>,
) {
    for (to, item) in leaves[run.clone()].iter_mut().zip(&items[run]) {
        *to = V::leaf(decoded, &mesh.corners(item.triangle));
    }
}
