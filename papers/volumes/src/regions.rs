//! Walk of a tree for the triangles in a convex region, for every volume. A volume beyond a plane is
//! excluded, and one inside all planes is taken whole. The walk contains no geometry.
use crate::{
    link::{Link, Target, run, used},
    tree::{Node, Tree},
    volume::{
        NodeLayout,
        shape::{ROUNDING, Shape},
    },
};
use impinge::{
    hierarchy::{RegionTask, RegionVisitor, RoundedPlane},
    query::Count,
};
use std::ops::Range;

/// A subtree that may have triangles in the region, and a bit for each of the first 64 planes that may cut
/// it.
#[derive(Clone, Copy, Debug)]
struct CutSubtree<D> {
    link: Link,
    decoded: D,
    planes: u64,
}

/// Memory of the walk.
pub(crate) struct RegionMemory<D: Shape> {
    directions: Vec<D::Direction>,
    stack: Vec<CutSubtree<D>>,
}

impl<D: Shape> Default for RegionMemory<D> {
    fn default() -> Self {
        Self { directions: Vec::new(), stack: Vec::new() }
    }
}

/// Position of a volume's contents relative to the region.
enum Side {
    Outside,
    Inside,
    /// A bit for each of the first 64 planes that may cut it.
    Cut(u64),
}

/// Side of a volume. `cutting` has the planes that may cut the parent's volume: the others need no test.
#[inline(always)]
fn side<D: Shape>(decoded: &D, planes: &[RoundedPlane], directions: &[D::Direction], cutting: u64) -> Side {
    let (mut cut, mut is_inside) = (0, true);
    for (i, (plane, direction)) in planes.iter().zip(directions).enumerate() {
        if i < 64 && cutting >> i & 1 == 0 {
            continue;
        }
        let [low, high] = decoded.range(direction);
        let error = plane.error + ROUNDING;
        if low + plane.b > error {
            return Side::Outside;
        }
        // NaN and infinity prove nothing.
        let holds_all = high + plane.b < -error;
        if !holds_all {
            is_inside = false;
            cut |= if i < 64 { 1 << i } else { 0 };
        }
    }
    if is_inside { Side::Inside } else { Side::Cut(cut) }
}

/// The triangles below a link: a range of the leaf order, in the order of the slots.
fn below<V: NodeLayout>(tree: &Tree<V>, link: Link) -> Range<usize> {
    let leaf = |is_last: bool| {
        let mut link = link;
        loop {
            match link.target() {
                Target::Leaf { first, count } => return run(first, count),
                Target::Inner(i) => {
                    let links = tree.nodes[i as usize].links.as_ref();
                    link = links[if is_last { used(links) - 1 } else { 0 }];
                }
            }
        }
    };
    leaf(false).start..leaf(true).end
}

/// Shows the visitor the triangles of all leaves that may have a point in the region, each once, unless the
/// stop flag is set.
#[inline(never)]
pub(crate) fn in_region<V: NodeLayout>(
    tree: &Tree<V>,
    task: &RegionTask<'_>,
    memory: &mut RegionMemory<V::Decoded>,
    count: &mut Count,
    visitor: &mut RegionVisitor<'_>,
) {
    let Some(root) = tree.root else { return };
    let RegionMemory { directions, stack } = memory;
    directions.clear();
    directions.extend(task.planes.iter().map(|plane| V::Decoded::direction(&plane.a)));
    stack.clear();
    let (mut tests, mut reached) = (0, 0);
    let mut keep = |decoded: V::Decoded, link: Link, cutting, stack: &mut Vec<_>| {
        tests += 1;
        match side(&decoded, task.planes, directions, cutting) {
            Side::Outside => (),
            Side::Cut(planes) if matches!(link.target(), Target::Inner(_)) => {
                stack.push(CutSubtree { link, decoded, planes });
            }
            side => {
                let triangles = &tree.order[below(tree, link)];
                reached += triangles.len() as u64;
                visitor.take(triangles, matches!(side, Side::Inside));
            }
        }
    };
    keep(root, tree.top, u64::MAX, stack);
    while let Some(CutSubtree { link, decoded, planes }) = stack.pop() {
        if task.stop.is_set() {
            break;
        }
        let Target::Inner(i) = link.target() else { continue };
        let Node { child_bounds, links } = &tree.nodes[i as usize];
        let links = links.as_ref();
        for (slot, &link) in links[..used(links)].iter().enumerate() {
            keep(V::decode(&decoded, child_bounds, slot), link, planes, stack);
        }
    }
    count.leaf_pairs += reached;
    if task.counting {
        count.volume_tests += tests;
    }
}
