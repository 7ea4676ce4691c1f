//! A tree of enlarged boxes, and the pairs of those that meet (as in Bullet's `btDbvt` and Box2D v3).
//!
//! A box that moves has a *fat box*, enlarged by a margin that lasts for some updates. While the box stays
//! inside it, an update only tests the pairs whose fat boxes meet.
//!
//! If few boxes leave their fat boxes, each is moved in the tree. If many do, it costs less to rebuild all
//! fat boxes and find their pairs by a [`Grid`]; the tree is then built when it is next needed.
mod fat_boxes;
mod nodes;

use self::{fat_boxes::FatBoxes, nodes::BoxTree};
use super::{aabb::Aabb, backoff::Backoff, grid::Grid, interface::BroadPhase, pair_list::PairList};

/// Keeps a tree of enlarged boxes and their pairs: O(changed + pairs + l log n) where l boxes leave their
/// enlarged boxes; memory O(n + pairs).
///
/// It suits many boxes if few of them move, or all of them move by little in one update. While boxes move by
/// more than their margins, which are a part of their size, it uses a [`Grid`].
#[doc(alias("btDbvt", "DynamicAABBTreeCollisionManager"))]
#[derive(Clone, Debug, Default)]
pub struct DynamicTree {
    fat: FatBoxes,
    /// The pairs of fat boxes that meet. A flag marks the pairs whose boxes met at the last update.
    pairs: PairList,
    /// The tree of the fat boxes, if `tree_is_current`.
    tree: BoxTree,
    tree_is_current: bool,
    grid: Grid,
    /// Boxes that have left their fat boxes in this update.
    left: Vec<u32>,
    /// Marks of some boxes; all false when not in use.
    marks: Vec<bool>,
    /// About how many boxes have left their fat boxes in the last [`AHEAD`](fat_boxes::AHEAD) updates.
    leaving: f64,
    /// The update that last rebuilt all fat boxes.
    renewed: u32,
    /// True if fat boxes and pairs are those of the last update.
    is_current: bool,
    /// Wait before fat boxes are tried again after motion that was too fast for them.
    backoff: Backoff,
}

/// Share of all boxes, one in this number: if more leave their fat boxes in [`AHEAD`](fat_boxes::AHEAD)
/// updates, all fat boxes are rebuilt. To move one box in the tree costs about as much as to rebuild this
/// number.
const BULK: f64 = 16.0;
/// Least number of updates between two rebuilds of fat boxes that pay.
const SHORT: u32 = 3;
/// Largest number of pairs of fat boxes for each box and pair that meets; with more, margins are too large.
const TOO_MANY: usize = 4;
/// Share of boxes, one in this number: if fewer have changed, only their pairs are tested.
const FEW: usize = 4;

impl DynamicTree {
    /// An empty tree; allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Rebuilds all fat boxes, and finds their pairs.
    fn renew(&mut self, boxes: &[Aabb]) {
        self.fat.resize(boxes.len());
        for (index, b) in (0..).zip(boxes) {
            self.fat.fatten(index, b);
        }
        self.pairs.clear();
        self.grid.update(self.fat.boxes(), &[], self.pairs.found());
        self.pairs.merge(boxes.len(), |_| true);
        self.tree_is_current = false;
        self.is_current = true;
        self.leaving = 0.0;
        self.renewed = self.fat.now();
    }

    /// Makes new fat boxes for the boxes that have left theirs, and finds their pairs.
    fn refatten_left(&mut self, boxes: &[Aabb]) {
        let left = std::mem::take(&mut self.left);
        left.iter().for_each(|&index| self.fat.fatten(index, &boxes[index as usize]));
        mark(&mut self.marks, boxes.len(), &left, true);
        let fat = self.fat.boxes();
        if self.tree_is_current {
            left.iter().for_each(|&index| self.tree.set(index, &fat[index as usize]));
        } else {
            self.tree.build(fat);
            self.tree_is_current = true;
        }
        let (has_left, found) = (&self.marks, self.pairs.found());
        for &i in &left {
            let b = &fat[i as usize];
            if b.is_empty() {
                continue;
            }
            // Two boxes that have both left find each other: once is enough.
            self.tree.overlapping(b, |j| {
                if i < j || (j < i && !has_left[j as usize]) {
                    found.push([i.min(j), i.max(j)]);
                }
            });
        }
        self.pairs.merge(boxes.len(), |[i, j]| {
            let (i, j) = (i as usize, j as usize);
            // Every pair that meets with a box that has left has just been found.
            !(has_left[i] | has_left[j])
        });
        mark(&mut self.marks, boxes.len(), &left, false);
        self.left = left;
    }

    /// Lists the pairs whose boxes meet. Without `changed` all pairs of fat boxes are tested.
    fn report(&mut self, boxes: &[Aabb], changed: Option<&[u32]>, pairs: &mut Vec<[u32; 2]>) {
        let changed = changed.filter(|changed| changed.len() < boxes.len() / FEW);
        if let Some(changed) = changed {
            mark(&mut self.marks, boxes.len(), changed, true);
        }
        let (kept, flags) = self.pairs.pairs_and_flags();
        pairs.clear();
        pairs.resize(kept.len(), [0; 2]);
        let mut count = 0;
        for (&[i, j], meets) in kept.iter().zip(flags) {
            if changed.is_none() || self.marks[i as usize] | self.marks[j as usize] {
                // Neither box is empty: empty ones have empty fat boxes.
                *meets = boxes[i as usize].meets(&boxes[j as usize]);
            }
            // No branch: it would be unpredictable.
            pairs[count] = [i, j];
            count += usize::from(*meets);
        }
        let kept = kept.len();
        if let Some(changed) = changed {
            mark(&mut self.marks, boxes.len(), changed, false);
        }
        pairs.truncate(count);
        if kept > TOO_MANY * (count + boxes.len()) {
            self.fat.halve_margins();
            self.is_current = false;
        }
    }
}

/// Sets the marks of some boxes. `boxes` is the number of all.
fn mark(marks: &mut Vec<bool>, boxes: usize, some: &[u32], to: bool) {
    marks.resize(boxes, false);
    some.iter().for_each(|&index| marks[index as usize] = to);
}

impl BroadPhase for DynamicTree {
    fn update(&mut self, boxes: &[Aabb], changed: &[u32], pairs: &mut Vec<[u32; 2]>) {
        self.fat.tick();
        if self.backoff.waits() {
            self.is_current = false;
            return self.grid.update(boxes, changed, pairs);
        }
        if !self.is_current {
            self.renew(boxes);
            return self.report(boxes, None, pairs);
        }
        self.fat.resize(boxes.len());
        self.left.clear();
        let has_left = |&index: &u32| !self.fat.holds(index, &boxes[index as usize]);
        self.left.extend(changed.iter().copied().filter(has_left));
        self.leaving += self.left.len() as f64 - self.leaving / fat_boxes::AHEAD;
        if self.leaving * BULK > boxes.len() as f64 {
            if self.fat.now().wrapping_sub(self.renewed) >= SHORT {
                self.backoff.succeeded();
            } else if self.backoff.failed() {
                // This update is the first one of the wait.
                self.backoff.waits();
                self.is_current = false;
                return self.grid.update(boxes, changed, pairs);
            }
            self.renew(boxes);
            return self.report(boxes, None, pairs);
        }
        if !self.left.is_empty() {
            self.refatten_left(boxes);
        }
        self.report(boxes, Some(changed), pairs);
    }
}
