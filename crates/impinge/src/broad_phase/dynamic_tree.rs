//! A tree of boxes with margins, and the pairs of those (as in Bullet's `btDbvt` and Box2D v3).
//!
//! A box that moves is given a *fat box* with room for some updates. While it stays within, nothing is to be done for it but to test the pairs whose fat boxes meet. Of boxes that leave theirs, few are put elsewhere
//! in the tree one by one; where they are many, it costs less to give all boxes new fat boxes and have a [`Grid`] find the pairs, and then the tree is not made before it is needed again. Margins come from how a box
//! has moved: what stands still has none.
mod nodes;

use self::nodes::Tree;
use super::{Aabb, BroadPhase, Grid, kept::Kept};

/// Keeps a tree of boxes with margins, and the pairs of these: O(changed + pairs + l log n) where l boxes leave their margins, n + pairs in memory. For many boxes of which few move, or all by little in one update.
/// Where boxes move by more than margins of some part of their size allow, a [`Grid`] does all.
#[derive(Clone, Debug, Default)]
pub struct DynamicTree {
    /// The fat boxes, empty for what is not there.
    fat: Vec<Aabb>,
    /// What each box was, and when, as its fat box was made.
    since: Vec<(Aabb, u32)>,
    /// The pairs whose fat boxes meet; of each it is noted whether the boxes did at the last update.
    kept: Kept,
    tree: Tree,
    /// Whether the tree is there, of the fat boxes.
    planted: bool,
    grid: Grid,
    /// Those that have left their fat boxes.
    left: Vec<u32>,
    /// Which those are, or have changed; all false in between.
    marks: Vec<bool>,
    /// Counts updates.
    now: u32,
    /// About how many have left their fat boxes in the last [`AHEAD`] updates.
    leaving: f64,
    /// When all fat boxes were made anew.
    anew: u32,
    /// How often margins have been halved, as they made too many pairs.
    halved: i32,
    /// Whether fat boxes are those of the last update.
    fresh: bool,
    /// Updates to come that the grid does alone, and how many that will be next time.
    rest: u32,
    pause: u32,
}

/// Updates for which a margin is to last.
const AHEAD: f64 = 32.0;
/// The least and the greatest margin of a box that moves, against its side.
const MARGINS: [f64; 2] = [0.1, 0.3];
/// Margins on sides that did not move outwards, against those that would last.
const BACK: f64 = 0.25;
/// Of so many boxes one may leave its fat box in [`AHEAD`] updates; if more do, all are made anew. One costs about as much to put elsewhere as so many cost to do in bulk.
const BULK: f64 = 16.0;
/// Fat boxes that are made anew after fewer updates than this were not worth it.
const SHORT: u32 = 3;
/// Updates at most that the grid does alone, while motion is fast.
const LONGEST_PAUSE: u32 = 32;
/// Pairs of fat boxes, against boxes and pairs that meet, that are too many.
const TOO_MANY: usize = 4;

/// If fewer boxes than one in so many changed, only their pairs are tested.
const FEW: usize = 4;

impl DynamicTree {
    /// Empty; allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a box a fat one: on each side as far as it will come in some updates, if it goes on as it did.
    fn fatten(&mut self, index: u32, b: &Aabb) {
        let at = index as usize;
        let (was, when) = self.since[at];
        self.since[at] = (*b, self.now);
        self.fat[at] = if b.is_empty() {
            Aabb::EMPTY
        } else if was.is_empty() || was == *b {
            *b
        } else {
            let scale = 0.5_f64.powi(self.halved);
            let ahead = scale * AHEAD / f64::from(self.now.wrapping_sub(when).max(1));
            fat(b, &was, ahead, scale)
        };
    }

    /// New fat boxes for all, and their pairs.
    fn renew(&mut self, boxes: &[Aabb]) {
        self.fat.resize(boxes.len(), Aabb::EMPTY);
        self.since.resize(boxes.len(), (Aabb::EMPTY, self.now));
        for (index, b) in (0..).zip(boxes) {
            self.fatten(index, b);
        }
        self.kept.clear();
        self.grid.update(&self.fat, &[], self.kept.found());
        self.kept.merge(boxes.len(), |_| true);
        self.planted = false;
        self.fresh = true;
        self.leaving = 0.0;
        self.anew = self.now;
    }

    /// New fat boxes for those that have left theirs, and their pairs.
    fn move_those_that_left(&mut self, boxes: &[Aabb]) {
        let left = std::mem::take(&mut self.left);
        left.iter().for_each(|&index| self.fatten(index, &boxes[index as usize]));
        mark(&mut self.marks, boxes.len(), &left, true);
        if self.planted {
            left.iter().for_each(|&index| self.tree.set(index, &self.fat[index as usize]));
        } else {
            self.tree.plant(&self.fat);
            self.planted = true;
        }
        let (fat, has_left, found) = (&self.fat, &self.marks, self.kept.found());
        for &i in &left {
            let b = &fat[i as usize];
            if b.is_empty() {
                continue;
            }
            // Two that have left find each other: once is enough.
            self.tree.meeting(b, |j| {
                if i < j || (j < i && !has_left[j as usize]) {
                    found.push([i.min(j), i.max(j)]);
                }
            });
        }
        self.kept.merge(boxes.len(), |[i, j]| {
            let (i, j) = (i as usize, j as usize);
            // Whatever still meets was found.
            !(has_left[i] | has_left[j])
        });
        mark(&mut self.marks, boxes.len(), &left, false);
        self.left = left;
    }

    /// Reports those of the pairs kept that meet. All are tested if it is not said which boxes changed.
    fn report(&mut self, boxes: &[Aabb], changed: Option<&[u32]>, pairs: &mut Vec<[u32; 2]>) {
        let changed = changed.filter(|changed| changed.len() < boxes.len() / FEW);
        if let Some(changed) = changed {
            mark(&mut self.marks, boxes.len(), changed, true);
        }
        let (kept, notes) = self.kept.noted();
        pairs.clear();
        pairs.resize(kept.len(), [0; 2]);
        let mut count = 0;
        for (&[i, j], meets) in kept.iter().zip(notes) {
            if changed.is_none() || self.marks[i as usize] | self.marks[j as usize] {
                // Neither is empty.
                *meets = boxes[i as usize].meets(&boxes[j as usize]);
            }
            // No branch, as it goes either way.
            pairs[count] = [i, j];
            count += usize::from(*meets);
        }
        let kept = kept.len();
        if let Some(changed) = changed {
            mark(&mut self.marks, boxes.len(), changed, false);
        }
        pairs.truncate(count);
        if kept > TOO_MANY * (count + boxes.len()) {
            self.halved += 1;
            self.fresh = false;
        }
    }
}

/// Marks some of so many boxes, or takes their marks away.
fn mark(marks: &mut Vec<bool>, boxes: usize, some: &[u32], marked: bool) {
    marks.resize(boxes, false);
    some.iter().for_each(|&index| marks[index as usize] = marked);
}

/// `b` with margins, having come from `was`, `ahead` times as far as that on.
fn fat(b: &Aabb, was: &Aabb, ahead: f64, scale: f64) -> Aabb {
    let sides = [0, 1, 2].map(|k| b.hi[k] - b.lo[k]);
    let finite = |x: f64| if x < f64::INFINITY { x } else { 0.0 };
    let longest = sides.iter().fold(0.0, |most, &side| f64::max(most, finite(side)));
    // Outwards on each side; not finite, or NaN, where there is no end.
    let out = [0, 1, 2].map(|k| [was.lo[k] - b.lo[k], b.hi[k] - was.hi[k]]);
    let most = out.iter().flatten().fold(0.0, |most, x| f64::max(most, finite(x.abs())));
    let mut fat = *b;
    for k in 0..3 {
        // Thin sides have some room, too, and those without end need none.
        let side = f64::max(finite(sides[k]), 0.125 * longest);
        let margin = |out: f64| {
            let wanted = f64::max(out, BACK * most) * ahead;
            // Neither `max` nor `min` returns a NaN here.
            wanted.max(scale * MARGINS[0] * side).min(scale * MARGINS[1] * side)
        };
        fat.lo[k] -= margin(out[k][0]);
        fat.hi[k] += margin(out[k][1]);
    }
    fat
}

impl BroadPhase for DynamicTree {
    fn update(&mut self, boxes: &[Aabb], changed: &[u32], pairs: &mut Vec<[u32; 2]>) {
        self.now = self.now.wrapping_add(1);
        if self.rest > 0 {
            self.rest -= 1;
            self.fresh = false;
            return self.grid.update(boxes, changed, pairs);
        }
        if !self.fresh {
            self.renew(boxes);
            return self.report(boxes, None, pairs);
        }
        self.fat.resize(boxes.len(), Aabb::EMPTY);
        self.since.resize(boxes.len(), (Aabb::EMPTY, self.now));
        self.left.clear();
        for &index in changed {
            let (b, fat) = (&boxes[index as usize], &self.fat[index as usize]);
            let stays = if b.is_empty() { fat.is_empty() } else { fat.holds(b) };
            if !stays {
                self.left.push(index);
            }
        }
        self.leaving += self.left.len() as f64 - self.leaving / AHEAD;
        if self.leaving * BULK > boxes.len() as f64 {
            if self.now.wrapping_sub(self.anew) >= SHORT {
                self.pause /= 2;
            } else if self.pause > 0 {
                self.rest = self.pause - 1;
                self.pause = (2 * self.pause).min(LONGEST_PAUSE);
                self.fresh = false;
                return self.grid.update(boxes, changed, pairs);
            } else {
                self.pause = 1;
            }
            self.renew(boxes);
            return self.report(boxes, None, pairs);
        }
        if !self.left.is_empty() {
            self.move_those_that_left(boxes);
        }
        self.report(boxes, Some(changed), pairs);
    }
}
