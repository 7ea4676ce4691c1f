//! Top-down builder for trees of every volume. It decides the topology from the triangles and their boxes;
//! the volume only encodes.
mod centroid;
mod cut;
mod mean;
mod midpoint;
mod restricted;
mod sah;

use self::cut::Cut;
use crate::{
    Fit,
    link::Link,
    primitives::{Item, NormalizedMesh, Primitives, bounds_of, items},
    split::Split,
    tree::{Node, Tree},
    volume::NodeLayout,
};
use impinge::{
    Mesh,
    hierarchy::{Bounds, NormalizedFrame, extent_of},
};
use std::ops::Range;

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
            Self::Perpendicular => restricted::perpendicular(items, bounds),
            Self::LookAhead => restricted::look_ahead(items, bounds),
        }
    }
}

/// Items that will become a node or a leaf, and its slot in the parent.
struct Todo<L> {
    range: Range<usize>,
    bounds: Bounds,
    decoded: L,
    parent: Option<(usize, usize)>,
}

/// Default maximum number of triangles in a leaf.
const LEAF_SIZE: usize = 4;

/// Settings of a build, from checked options.
pub(crate) struct BuildSettings {
    pub(crate) split: Split,
    pub(crate) fit: Fit,
    /// Maximum number of triangles in a leaf; 0 is [`LEAF_SIZE`].
    pub(crate) leaf_size: usize,
    /// Children of a node.
    pub(crate) arity: usize,
}

/// Builds a tree. The same mesh and options give the same tree on every machine.
pub(crate) fn build<V: NodeLayout>(mesh: &Mesh, settings: &BuildSettings) -> Tree<V> {
    let leaf_size = if settings.leaf_size == 0 { LEAF_SIZE } else { settings.leaf_size };
    let split = if settings.split == Split::Auto { V::SPLIT } else { settings.split };
    let fit = if V::FITS.contains(&settings.fit) { settings.fit } else { V::FITS[0] };
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
    // Leaf data of triangles, in leaf order: the leaves come in another order.
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

/// A mesh's frame, its triangles, and its points in that frame.
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
