//! Refits of volumes that are fitted to triangles, or stored relative to their parents: each is fitted again to all that lies beneath it, parents first, as
//! the builder does it. O(n depth), like a build without its cuts.
use crate::{
    build::Item, tree::Link, tree::Target, tree::Tree, volume::Cluster, volume::Fit, volume::NormalizedMesh,
    volume::Volume,
};
use impinge::{
    Mesh,
    hierarchy::{Bounds, Cost},
};
use std::ops::Range;

/// What lies below a node: a run of the order, and its box.
#[derive(Clone)]
struct Run {
    range: Range<usize>,
    bounds: Bounds,
}

impl Run {
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

/// What lies below each node, and what the boxes cost. The builder cuts runs of triangles, so what lies below a node is one.
fn runs<V: Volume>(tree: &Tree<V>, items: &[Item]) -> (Vec<Run>, Cost) {
    let mut runs = vec![Run { range: 0..0, bounds: Bounds::EMPTY }; tree.nodes.len()];
    let mut cost = Cost::default();
    for (i, node) in tree.nodes.iter().enumerate().rev() {
        let (mut start, mut end, mut bounds) = (usize::MAX, 0, Bounds::EMPTY);
        for &link in node.links.as_ref().iter().filter(|&&link| link != Link::NONE) {
            let part = Run::of(link, items, &runs);
            cost.sum += f64::from(part.bounds.half_area());
            (start, end) = (start.min(part.range.start), end.max(part.range.end));
            bounds = bounds.and(&part.bounds);
        }
        cost.root = f64::from(bounds.half_area());
        runs[i] = Run { range: start..end, bounds };
    }
    (runs, cost)
}

fn items<V: Volume>(tree: &Tree<V>, mesh: &Mesh) -> Vec<Item> {
    let item = |&triangle: &u32| {
        let bounds = mesh.corners(triangle).iter().fold(Bounds::EMPTY, |b, v| {
            let [lo, hi] = tree.normalized.bounds(v);
            b.and(&Bounds::outward(&lo, &hi))
        });
        Item { bounds, triangle }
    };
    tree.order.iter().map(item).collect()
}

/// The cost of the triangles' boxes, whatever the volume. O(n).
pub(crate) fn cost<V: Volume>(tree: &Tree<V>, mesh: &Mesh) -> Cost {
    runs(tree, &items(tree, mesh)).1
}

/// A tree's volumes for its mesh's new points, in the normalized frame that it has.
pub(crate) fn all<V: Volume>(tree: &mut Tree<V>, mesh: &Mesh, fit: Fit) -> Cost {
    let fit = if V::FITS.contains(&fit) { fit } else { V::FITS[0] };
    let items = items(tree, mesh);
    let (runs, cost) = runs(tree, &items);
    if items.is_empty() {
        return cost;
    }
    let points: Vec<_> = mesh.points().iter().map(|v| tree.normalized.apply(v)).collect();
    let normalized_mesh = NormalizedMesh { points: &points, triangles: mesh.triangles() };
    let cluster =
        |run: &Run| Cluster { mesh: normalized_mesh, items: &items[run.range.clone()], bounds: run.bounds };
    let root = V::enclose(&cluster(&Run::of(tree.top, &items, &runs)), fit);
    tree.root = Some(root);
    // The volumes of nodes whose parents were met: parents come first.
    let mut lives = vec![root; tree.nodes.len()];
    let mut keep = |live: &V::Live, run: Range<usize>| {
        for (to, item) in tree.leaves[run.clone()].iter_mut().zip(&items[run]) {
            *to = V::leaf(live, &normalized_mesh.corners(item.triangle));
        }
    };
    if let Target::Leaf { .. } = tree.top.target() {
        keep(&root, 0..items.len());
    }
    for i in 0..tree.nodes.len() {
        let (live, node) = (lives[i], &mut tree.nodes[i]);
        let links = node.links;
        let links = || links.as_ref().iter().filter(|&&link| link != Link::NONE);
        let below: Vec<Run> = links().map(|&link| Run::of(link, &items, &runs)).collect();
        let clusters: Vec<_> = below.iter().map(cluster).collect();
        node.family = V::seal(&live, &clusters, fit);
        for (slot, (&link, run)) in links().zip(below).enumerate() {
            let child = V::live(&live, &node.family, slot);
            match link.target() {
                Target::Inner(child_at) => lives[child_at as usize] = child,
                Target::Leaf { .. } => keep(&child, run.range),
            }
        }
    }
    cost
}
