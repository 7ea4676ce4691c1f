//! The traversal for distances. It opens the node pair with the nearest boxes first, as long as that may
//! matter. Pairs of leaves are tested as soon as they are found: in a heap with the node pairs they took more
//! time than that saved (docs/notebook.md, "Distances").
//!
//! # Lower bounds
//! Let one of two boxes in one frame hold the contents of the other tree's box. Their distance is the length
//! of g, with g_k = max(0, lo' - hi, lo - hi') on each axis. It is computed in both trees' frames, and the
//! larger counts. `pad` covers all rounding up to the last difference. Each of these, the squares and their
//! sums round by u of themselves: less than 8 u in all, which [`limit`] allows for. A length of 1 in the
//! frame of a tree is at least `length` in the world ([`WideTree::unit_length`]). Squares are compared, in
//! units of the longer of the two lengths ([`SquareUnits`]). A square in a frame of that unit may overflow:
//! it is then larger than any limit that does not. A square in the other frame is multiplied with a number
//! below 1 first, so none may overflow there, or that frame is not used.
//!
//! A second bound takes any unit vector w. The distance of two volumes is at least min w.x of the moving one
//! less max w.x of the resting one. If w runs from one nearest point to the other, by their best estimates,
//! this is exact to first order for everything behind these points; the bound by boxes is not. So w is a
//! guess, and the bound is true of any w. For a box cut by a slab n, max w.x is at most w.c + al mid + |al|
//! half + |w - al n|.e, for every al, as in `relative.rs`; al = w.n is taken, or 0. Errors:
//!
//! * The resting end, with H >= |c| + e on each axis: 3 roundings of w.c, 2 of the rest of w, 3 of its
//!   product with e, 3 of mid and half, which are 2 |e|_1 together, 4 of sums. That is 34 u H, 10 lengths of
//!   the 2 u H that `pad` has on each axis.
//! * The moving end, with I the length of |t| + |L| H': the same, 4 for L^T w and 5 for p. That is 37 u I, 4
//!   lengths of the 11 u I in `pad`. Together with the resting end it is less than 11 lengths of `pad`, whose
//!   parts add up as squares, and the motion's own error is one more: 16 are taken.
//! * Corners of leaves: off by `error` on each axis, so by 1.74 times that along w. A resting w.x, of
//!   products with a corner and an edge, rounds by 18 u of its sizes, a moving one by 7 u of its own. As
//!   `error` has 4 u of all sizes, 5 times it is enough.
//!
//! The guess is right only near the nearest points. Elsewhere the slabs of the nodes give better bounds. As
//! soon as there is a limit, the slabs of both volumes exclude pairs that are further apart, as in queries
//! with a margin (`relative.rs`). For a sphere inside of another one this leaves a third of the pairs.
mod direction;
mod leaves;
mod nodes;
mod squares;
mod stack;
mod task;
mod units;

pub(super) use self::units::{is_further, limit};
pub(crate) use self::{stack::NearestStack, task::WideNearestTask};

use self::{
    direction::Direction,
    leaves::meet,
    nodes::{NearestLimit, open},
    stack::WaitingEntry,
    units::SquareUnits,
};
use super::{relative::RelativeTransforms, tree_pair::NodePair};
use crate::{
    SimdLevel,
    counters::Count,
    simd::{Simd, Work, detect},
    visitor::Visitor,
};

/// Shows the visitor all pairs of triangles that may be as near as its limit, until it breaks or the stop
/// flag is set; some of them twice.
pub(crate) fn walk(
    level: SimdLevel,
    task: WideNearestTask<'_>,
    stack: &mut NearestStack,
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) {
    stack.node_pairs.clear();
    stack.leaves.clear();
    if task.trees.iter().all(|tree| !tree.nodes.is_empty()) {
        detect(level).call(NearestWalk { task, stack, count, visitor });
    }
}

struct NearestWalk<'a, 's, 'v> {
    task: WideNearestTask<'a>,
    stack: &'s mut NearestStack,
    count: &'s mut Count,
    visitor: &'s mut Visitor<'v>,
}

impl Work for NearestWalk<'_, '_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { task, stack, count, visitor } = self;
        let [a, b] = task.trees;
        let units = SquareUnits::of(&task);
        let mut most = limit(visitor.progress.limit, units.length);
        let root = NodePair { a: 0, b: 0, rows: a.nodes[0].used, columns: b.nodes[0].used };
        let mut direction = Direction::of(visitor.progress.direction, &task);
        let mut prepared = None;
        let mut slabs = SlabsWithin::default();
        // First straight down to two leaves, for a direction and a distance to start with, if there is none.
        let mut next = visitor.progress.direction.is_none().then_some(root);
        // The pair of leaves found there: all its triangles that may matter have been tested.
        let mut met = None;
        while let Some(node_pair) = next {
            open(simd, &task, node_pair, NearestLimit { units, most, within: None }, direction, stack, count);
            let near = |waiting: Option<f32>| waiting.unwrap_or(f32::INFINITY);
            let to_node_pair = near(stack.node_pairs.peek().map(|waiting| waiting.near));
            next = stack.node_pairs.pop().map(|waiting| waiting.what);
            if let Some(WaitingEntry { near, what }) = stack.leaves.pop()
                && near <= to_node_pair
            {
                (next, met) = (None, Some(what));
                if meet(simd, &task, what, &mut prepared, &mut direction, count, visitor).is_break() {
                    return;
                }
                most = limit(visitor.progress.limit, units.length);
            }
            stack.node_pairs.clear();
            stack.leaves.clear();
        }
        stack.node_pairs.push(WaitingEntry { near: 0.0, what: root });
        let mut steps = 0_usize;
        while let Some(WaitingEntry { near, what }) = stack.node_pairs.pop() {
            if is_further(near, most) {
                return;
            }
            if steps & 15 == 0 && task.stop.is_set() {
                return;
            }
            steps += 1;
            let within = slabs.within(visitor.progress.limit, &task);
            open(simd, &task, what, NearestLimit { units, most, within }, direction, stack, count);
            while let Some(WaitingEntry { near, what }) = stack.leaves.pop() {
                if is_further(near, most) || met == Some(what) {
                    continue;
                }
                if meet(simd, &task, what, &mut prepared, &mut direction, count, visitor).is_break() {
                    return;
                }
                most = limit(visitor.progress.limit, units.length);
            }
        }
    }
}

/// The transforms for slabs of volumes that may be as near as the limit.
#[derive(Default)]
struct SlabsWithin {
    of: Option<(f64, RelativeTransforms)>,
}

impl SlabsWithin {
    /// The transforms for this limit, in the world; `None` without a limit.
    #[inline(always)]
    fn within(&mut self, limit: f64, task: &WideNearestTask<'_>) -> Option<&RelativeTransforms> {
        if self.of.as_ref().is_none_or(|(own, _)| *own != limit) {
            let margins = task.lengths.map(|length| limit / length);
            let is_known = margins.iter().all(|margin| margin.is_finite());
            self.of = is_known.then(|| (limit, task.transforms.loosened(margins)));
        }
        self.of.as_ref().map(|(_, transforms)| transforms)
    }
}
