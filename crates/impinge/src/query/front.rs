//! The front of two fast trees: the pairs of leaves that the next steps of a slow motion can bring into
//! contact.
//!
//! A *front* (of the bounding volume test tree, Klosowski 1998) is the list of all pairs of leaves that a
//! walk with volumes enlarged by a margin cannot separate. It does for bodies what Verlet's neighbour lists
//! (1967) do for particles: as long as the bodies move by less than the margin, a query tests no other pairs.
//!
//! # Proof
//! Let M0 be the exact map from the moving to the resting tree's coordinates when the front was made, L0 its
//! linear part, and M the map of a later query. Let |M y - M0 y| <= margin, axis by axis, for every y of the
//! moving tree.
//!
//! 1. Let x be a point in which the two trees meet at the later query: x = M y. So x = M0 y + w, where
//!    |w_i| <= margin, and y = M0^-1 x - L0^-1 w.
//! 2. Therefore any statement that holds for the two maps with errors larger by margin and by |L0^-1| margin
//!    holds for M as well.
//! 3. Tests of volumes use nothing of a motion but these maps and errors ([`Placement::with_margin`]). So
//!    pairs of leaves that they separated for the front are apart now.
//!
//! [`Motion::distance`] bounds |M y - M0 y| from above, both maps' errors included.
//!
//! If the front is empty, no two points x of the resting and y of the moving tree have |x - M0 y| <= margin
//! on all axes: a translation by x - M0 y would be such an M. So their distance in the tree's coordinates
//! exceeds the smallest margin, and [`WideTree::least_length`] turns that into a lower bound of the distance
//! in the world. From then on the distances that the bodies travel bound the time that they stay apart,
//! without any of these maps.
use super::Scratch;
use crate::{
    SimdLevel,
    motion::{Motion, Placement},
    task::Task,
    vector::largest,
    wide::{LeafRef, RelativeTrees, WideTree},
};

/// The margin in steps of the present motion: at first, at least, at most. It doubles after an empty front,
/// and halves after a front that was given up.
const AHEAD: [f64; 3] = [4.0, 2.0, 64.0];
/// The smallest margin of an axis, as a part of the largest one: the distance that an empty front proves is
/// the smallest margin.
const EVEN: f64 = 0.7;
/// The largest number of pairs of leaves in a front: 96 KiB. A front that would have more is given up.
const MOST: usize = 4096;
/// Largest number of pairs of nodes that the making of a front opens, as a multiple of those of the last walk
/// from the roots. A front that takes more is given up.
const EFFORT: usize = 2;
/// Share of the pairs of nodes of walks from the roots, one in this number, that fronts may open in vain.
const SHARE: i64 = 16;
/// The largest margin, for trees that reach from about -1 to 1: bodies that move faster have no front.
const FAR: f64 = 0.1;
/// The number of queries without a new front after one was given up: at first, and at most. It doubles with
/// each.
const BACKOFF: [u32; 2] = [8, 1024];

/// A front, which is empty or has its leaves in [`Fronts`].
#[derive(Clone, Copy, Debug)]
struct Front {
    /// The map from the moving to the resting tree when the front was made.
    made: Motion,
    margin: [f64; 3],
}

impl Front {
    /// The remaining margin on each axis.
    fn left(&self, now: &Motion, reach: f64) -> [f64; 3] {
        let gone = self.made.distance(now, reach);
        [0, 1, 2].map(|k| self.margin[k] - gone[k])
    }
    fn holds(&self, now: &Motion, reach: f64) -> bool {
        self.left(now, reach).iter().all(|&x| x >= 0.0)
    }
}

/// Exponential back-off: the number of queries until the next try of a front, and the length of the last
/// wait.
#[derive(Clone, Copy, Debug, Default)]
struct FrontBackoff {
    left: u32,
    last: u32,
}

/// The front of two bodies from query to query, and the state that decides when to make a new one.
#[derive(Clone, Debug)]
pub(super) struct Fronts {
    front: Option<Front>,
    /// The pairs of leaves of the front; memory for the next one if there is none.
    leaves: Vec<[LeafRef; 2]>,
    /// The motion at the last query, unless that did not need it.
    last: Option<Motion>,
    /// Steps of the motion since then that were decided without a query.
    skipped: u32,
    /// Pairs of nodes that the last walk from the roots opened, and pairs of leaves that it tested.
    effort: [usize; 2],
    /// Pairs of nodes that fronts may still open: a share of all that walks from the roots opened, plus those
    /// that fronts have saved, less those that making fronts opened.
    balance: i64,
    /// The margin of the next front, in steps.
    ahead: f64,
    backoff: FrontBackoff,
}

impl Default for Fronts {
    fn default() -> Self {
        Self {
            front: None,
            leaves: Vec::new(),
            last: None,
            skipped: 0,
            effort: [0; 2],
            balance: 0,
            ahead: AHEAD[0],
            backoff: FrontBackoff::default(),
        }
    }
}

/// The query that uses a front.
pub(super) struct FrontQuery<'a> {
    /// The resting tree, whose coordinates are used, and the moving one.
    pub(super) trees: [&'a WideTree; 2],
    pub(super) placement: &'a Placement,
    pub(super) simd: SimdLevel,
    pub(super) task: &'a Task<'a>,
}

impl Fronts {
    /// Resets all for other bodies. Keeps the memory.
    pub(super) fn reset(&mut self) {
        *self = Self { leaves: std::mem::take(&mut self.leaves), ..Self::default() };
    }
    /// Notes a step of the motion without a query.
    pub(super) fn skip_step(&mut self) {
        self.skipped = self.skipped.saturating_add(1);
    }
    /// Notes a query that did not need the motion: the next one has no step to measure.
    pub(super) fn forget_motion(&mut self) {
        self.last = None;
    }
    /// Notes the work of a walk from the roots: pairs of nodes opened, pairs of leaves tested.
    pub(super) fn note_effort(&mut self, opened: usize, tested: usize) {
        self.effort = [opened, tested];
        // At least 1, so that no pair of bodies waits for ever.
        self.balance += 1 + opened as i64 / SHARE;
    }
    /// The pairs of leaves of the front, if there is one.
    pub(super) fn leaves(&self) -> &[[LeafRef; 2]] {
        &self.leaves
    }
    /// The least remaining margin of all axes; 0 without a front.
    pub(super) fn margin_left(&self, now: &Motion, reach: f64) -> f64 {
        let left = |front: &Front| front.left(now, reach).into_iter().fold(f64::INFINITY, f64::min);
        self.front.as_ref().map_or(0.0, left)
    }

    /// Keeps or makes a front that is valid for this placement, and returns true if there is one. Keeps the
    /// old one if the motion since it was made is within its margin. Otherwise makes a new one, unless that
    /// does not pay: if the bodies move too fast, or during a wait after a front that was given up.
    pub(super) fn ensure_front(&mut self, query: &FrontQuery<'_>, scratch: &mut Scratch) -> bool {
        let ([_, b], now) = (query.trees, &query.placement.to_resting);
        if self.front.is_some_and(|front| front.holds(now, b.reach())) {
            let [opened, tested] = self.effort;
            self.balance += (opened + tested).saturating_sub(self.leaves.len()) as i64;
            return true;
        }
        self.front = None;
        if self.backoff.left > 0 {
            self.backoff.left -= 1;
            self.last = None;
            return false;
        }
        let steps = 1.0 + f64::from(std::mem::take(&mut self.skipped));
        let last = self.last.replace(*now);
        let Some(moved) = last.map(|last| last.distance(now, b.reach())) else { return false };
        let largest = largest(moved) / steps;
        if self.balance < 0 {
            return false;
        }
        // False for NaN, which `min` below would hide.
        let is_slow = AHEAD[1] * largest <= FAR;
        if !is_slow {
            self.backoff = FrontBackoff { left: BACKOFF[0], last: BACKOFF[0] };
            return false;
        }
        let ahead = self.ahead.min(FAR / largest);
        let margin = moved.map(|x| ahead * (x / steps).max(EVEN * largest));
        if !self.make_front(query, &margin, scratch) {
            self.give_up();
            return false;
        }
        self.backoff = FrontBackoff::default();
        self.front = Some(Front { made: *now, margin });
        if self.leaves.is_empty() && self.ahead < AHEAD[2] {
            self.ahead *= 2.0;
        }
        true
    }

    /// Fills `leaves`; false if there are too many, or it takes too long.
    fn make_front(&mut self, query: &FrontQuery<'_>, margin: &[f64; 3], scratch: &mut Scratch) -> bool {
        let [a, b] = query.trees;
        let transforms = &a.relative_transforms(b, &query.placement.with_margin(margin));
        let trees = RelativeTrees { a, b, transforms };
        let (stack, count) = (&mut scratch.walk.wide, &mut scratch.walk.counters.count);
        let [opened, tested] = self.effort;
        // To test a pair of leaves costs about as much as to open a pair of nodes. A front saves the pairs of
        // nodes of a walk from the roots, but has more pairs of leaves.
        let most = [MOST.min(tested + opened / 2), EFFORT * opened];
        let is_made = trees.gather(query.simd, most, query.task, stack, count);
        self.balance -= stack.opened as i64;
        if !is_made {
            return false;
        }
        self.leaves.clear();
        self.leaves.extend_from_slice(&stack.leaves);
        true
    }

    /// Notes that a front was given up: the next one has a smaller margin, or comes later.
    fn give_up(&mut self) {
        if self.ahead > AHEAD[1] {
            self.ahead /= 2.0;
            return;
        }
        let wait = (2 * self.backoff.last).clamp(BACKOFF[0], BACKOFF[1]);
        self.backoff = FrontBackoff { left: wait, last: wait };
    }
}
