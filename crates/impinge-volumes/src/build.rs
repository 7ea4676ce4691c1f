//! Top-down builder for trees of every volume. It decides the topology from the triangles and their boxes;
//! the volume only encodes.
mod centroid;
mod mean;
mod midpoint;
mod restricted;
mod sah;

use crate::{
    Options, tree::Link, tree::Node, tree::Tree, volume::NodeLayout, volume::NormalizedMesh,
    volume::Primitives,
};
use impinge::{
    Mesh,
    hierarchy::{Bounds, NormalizedFrame, extent_of},
};
use std::ops::Range;

impinge::choice! {
    /// Rule by which a builder cuts a set of triangles in two.
    pub enum Split {
        /// The rule that suits the volume.
        #[default]
        Auto = "auto",
        /// The middle of the longest side of the box. The middle of a triangle's own extent along that side
        /// decides its half; if all lie on one side, two halves by count (van den Bergen 1997, section 2).
        Midpoint = "midpoint",
        /// The cheapest of 15 planes on each axis by the surface area heuristic (Wald 2007, binned).
        Sah = "sah",
        /// The middle of the longest side of the box; triangles are divided by their centroids. If this is
        /// less balanced than 10 to 90, the other sides in turn, then the median of 7 centroids chosen at
        /// random, from a fixed seed (Larsson and Akenine-Moller 2008, section 3).
        Centroid = "centroid",
        /// The mean of the centroids, along the longest side of the box that fits the triangles'
        /// area-weighted covariance, or else the next longest; if none cuts, two halves by count (Gottschalk,
        /// Lin and Manocha 1996, section 4: RAPID).
        Mean = "mean",
        /// The least sum of the children's volumes. Each child grows greedily from a seed and is its parent
        /// cut by one plane, on any axis (Zachmann 2002, section 4).
        Restricted = "restricted",
        /// [`Restricted`](Self::Restricted) on the longest axis only.
        RestrictedLongest = "restricted-longest",
        /// [`Restricted`](Self::Restricted) with the volumes of the grandchildren, by the best cuts of the
        /// children, added to the sum. Zachmann 2002 (section 6.1) estimates this cost by its first level;
        /// this rule adds the second. Builds take ten times as long.
        LookAhead = "look-ahead",
    }
}

impl Split {
    /// Reorders `items` and cuts them.
    fn cut(self, items: &mut [Item], bounds: &Bounds, mesh: NormalizedMesh<'_>) -> Cut {
        match self {
            Self::Midpoint => midpoint::cut(items, bounds),
            Self::Centroid => centroid::cut(items, bounds, mesh),
            Self::Mean => mean::cut(items, bounds, mesh),
            Self::Auto | Self::Sah => sah::cut(items, bounds),
            Self::Restricted => restricted::cut(items, bounds, &[0, 1, 2]),
            Self::RestrictedLongest => restricted::cut(items, bounds, &[bounds.longest_axis()]),
            Self::LookAhead => restricted::look_ahead(items, bounds),
        }
    }
}

/// A cut of a set of items: its index in `1..items.len()`, and the bounds of both sides.
struct Cut {
    at: usize,
    sides: [Bounds; 2],
}

impl Cut {
    fn at(at: usize, items: &[Item]) -> Self {
        Self { at, sides: [bounds_of(&items[..at]), bounds_of(&items[at..])] }
    }
}

/// A triangle and its box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) bounds: Bounds,
    pub(crate) triangle: u32,
}

impl Item {
    /// Twice the centre of the box along an axis.
    #[inline(always)]
    fn centre(&self, axis: usize) -> f32 {
        self.bounds.lo[axis] + self.bounds.hi[axis]
    }
}

pub(crate) fn bounds_of(items: &[Item]) -> Bounds {
    items.iter().fold(Bounds::EMPTY, |b, item| b.and(&item.bounds))
}

/// Cuts in two halves by count along an axis. The result is the same for every order of `items`.
fn halve(items: &mut [Item], axis: usize) -> usize {
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.centre(axis).total_cmp(&b.centre(axis)).then(a.triangle.cmp(&b.triangle))
    });
    middle
}

/// Moves the items that belong to the left to the front; returns their number.
fn partition(items: &mut [Item], left: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if left(&items[i]) {
            items.swap(i, count);
            count += 1;
        }
    }
    count
}

/// Items that wait to become a node, and the parent's slot for that node.
struct Todo<L> {
    range: Range<usize>,
    bounds: Bounds,
    decoded: L,
    parent: Option<(usize, usize)>,
}

/// Default maximum number of triangles in a leaf.
const LEAF_SIZE: usize = 4;

/// Builds a tree. The same mesh and options give the same tree on every machine.
pub(crate) fn build<V: NodeLayout>(mesh: &Mesh, options: &Options) -> Tree<V> {
    let leaf_size = if options.leaf_size == 0 { LEAF_SIZE } else { options.leaf_size };
    let split = if options.split == Split::Auto { V::SPLIT } else { options.split };
    let fit = if V::FITS.contains(&options.fit) { options.fit } else { V::FITS[0] };
    let (normalized, mut items, points) = prepare(mesh);
    let normalized_mesh = NormalizedMesh { points: &points, triangles: mesh.triangles() };
    let mut tree: Tree<V> = Tree {
        normalized,
        top: Link::NONE,
        root: None,
        nodes: Vec::new(),
        order: Vec::new(),
        leaves: Vec::new(),
    };
    // The leaf data of triangles, in leaf order: leaves are made in any order.
    let mut kept: Vec<Option<V::Leaf>> = vec![None; items.len()];
    let mut todo = Vec::new();
    if !items.is_empty() {
        let bounds = bounds_of(&items);
        let root = V::enclose(&Primitives { mesh: normalized_mesh, items: &items, bounds }, fit);
        tree.root = Some(root);
        todo.push(Todo { range: 0..items.len(), bounds, decoded: root, parent: None });
    }
    let mut parts: Vec<(Range<usize>, Bounds)> = Vec::new();
    while let Some(Todo { range, bounds, decoded, parent }) = todo.pop() {
        let trim = V::is_loose(&decoded, &bounds);
        let link = if range.len() <= leaf_size && !trim {
            for (kept, item) in kept[range.clone()].iter_mut().zip(&items[range.clone()]) {
                *kept = Some(V::leaf(&decoded, &normalized_mesh.corners(item.triangle)));
            }
            Link::leaf(range.start, range.len())
        } else {
            let index = tree.nodes.len();
            parts.clear();
            parts.push((range, bounds));
            if !trim {
                widen(&mut parts, V::ARITY, leaf_size, split, normalized_mesh, &mut items);
            }
            let child_bounds = V::encode(&decoded, &children(&parts, normalized_mesh, &items), fit);
            for (slot, (range, bounds)) in parts.drain(..).enumerate().rev() {
                let decoded = V::decode(&decoded, &child_bounds, slot);
                todo.push(Todo { range, bounds, decoded, parent: Some((index, slot)) });
            }
            tree.nodes.push(Node { child_bounds, links: V::NO_LINKS });
            Link::inner(index)
        };
        match parent {
            Some((node, slot)) => tree.nodes[node].links.as_mut()[slot] = link,
            None => tree.top = link,
        }
    }
    tree.nodes.shrink_to_fit();
    tree.order = order(&items);
    tree.leaves = kept.into_iter().flatten().collect();
    debug_assert_eq!(tree.leaves.len(), tree.order.len(), "a triangle in no leaf");
    tree
}

/// Cuts the part with the most triangles until there are `arity` parts or all are leaves.
fn widen(
    parts: &mut Vec<(Range<usize>, Bounds)>,
    arity: usize,
    leaf_size: usize,
    split: Split,
    mesh: NormalizedMesh<'_>,
    items: &mut [Item],
) {
    while parts.len() < arity {
        let largest =
            (0..parts.len()).filter(|&i| parts[i].0.len() > leaf_size).max_by_key(|&i| parts[i].0.len());
        let Some(i) = largest else { return };
        let (range, bounds) = parts[i].clone();
        let Cut { at, sides: [left, right] } = split.cut(&mut items[range.clone()], &bounds, mesh);
        let at = range.start + at;
        debug_assert!(range.start < at && at < range.end, "an empty side would be cut for ever");
        parts[i] = (range.start..at, left);
        parts.insert(i + 1, (at..range.end, right));
    }
}

/// Makes items of triangles: their numbers and boxes.
pub(crate) fn items(
    normalized: &NormalizedFrame,
    mesh: &Mesh,
    triangles: impl Iterator<Item = u32>,
) -> Vec<Item> {
    triangles.map(|triangle| Item { bounds: normalized.bounds_of(mesh, &[triangle]), triangle }).collect()
}

/// The frame of a mesh, its triangles, and its points in that frame.
fn prepare(mesh: &Mesh) -> (NormalizedFrame, Vec<Item>, Vec<[f64; 3]>) {
    let [lo, hi] = extent_of(mesh);
    let normalized = NormalizedFrame::new(lo, hi);
    let items = items(&normalized, mesh, 0..mesh.len() as u32);
    (normalized, items, normalized.points_of(mesh))
}

/// The primitives to which each child of a node is fitted.
fn children<'a>(
    parts: &[(Range<usize>, Bounds)],
    mesh: NormalizedMesh<'a>,
    items: &'a [Item],
) -> Vec<Primitives<'a>> {
    let part = |(part, bounds): &(Range<usize>, Bounds)| Primitives {
        mesh,
        items: &items[part.clone()],
        bounds: *bounds,
    };
    parts.iter().map(part).collect()
}

/// The triangles in the order of the items.
fn order(items: &[Item]) -> Vec<u32> {
    items.iter().map(|item| item.triangle).collect()
}
