//! What a pair of bodies remembers, so that slow motion need not start at the roots.
//!
//! A *front* is all pairs of leaves that a walk with volumes loosened by a margin cannot separate. Let M0 be the exact map from the moving to the resting tree's coordinates when it was cast, M
//! that of a later query, and |M y - M0 y| <= margin, axis by axis, for every y of the moving tree. A point x = M y in which the two meet then is M0 y + w with |w_i| <= margin; and
//! y = M0^-1 x - L0^-1 w. So whatever would be true if the two maps' errors were larger by margin and by |L0^-1| margin holds for M, too, and that is all that volumes know of a motion: pairs of
//! leaves that they separated then are apart now. [`Motion::distance`] bounds |M y - M0 y| from above, both maps' errors included.
//!
//! If the front is empty, then no two points x of the resting tree and y of the moving one have |x - M0 y| <= margin on all axes (a translation by x - M0 y would be such an M): their distance there exceeds the least margin,
//! and so that in the world is known ([`WideTree::least_length`]). What bodies have moved since, at most, then says how long they stay apart, without any of these maps.
//!
//! So the list plays the part that Verlet's neighbour lists (1967) play for particles.
use super::{Ask, Query, Scratch};
use crate::{
    Body,
    hierarchy::Task,
    model::Tree,
    motion::{Motion, Placement, largest},
    narrow::Narrow,
    sink::{Sink, sort},
    wide::{Block, LeafRef, Part, TRAIL, WideTree},
};
use std::ops::ControlFlow;

/// A front's margin, in steps of the motion so far: at first, least, and at most. Where nothing is near it is doubled, where too much is, halved.
const AHEAD: [f64; 3] = [4.0, 2.0, 64.0];
/// The least margin of an axis, as a part of the greatest: the clearance that an empty front tells of is no more than the least.
const EVEN: f64 = 0.7;
/// Pairs of leaves that a front may have: 96 KiB. One that would have more is given up, and what was done for it is lost.
const MOST: usize = 4096;
/// How many times more blocks a front may take than the last walk from the roots.
const EFFORT: usize = 2;
/// The largest margin, of trees that reach about 1: bodies that jump have no front.
const FAR: f64 = 0.5;
/// Blocks that are opened near the last witness before the walk starts at the roots.
const NEAR: usize = 2;
/// Queries without one after a front that was given up: that many, and twice as many after each that follows, up to the second.
const REST: [u32; 2] = [8, 1024];

/// Temporal coherence: what one pair of bodies keeps from one query to the next. Use one cache a pair, with
/// [`Query::with_cache`].
///
/// For bodies that met it keeps the pair of triangles that showed it; if these still meet, first contact costs
/// one triangle test. For bodies that were apart, and for all pairs, it keeps with the fast tree a front: the
/// pairs of leaves that the next steps of such a motion may bring into contact, at most 96 KiB. A cache never
/// changes the answer, only which first contact is returned and how soon; one that belongs to other bodies does
/// no harm.
#[derive(Clone, Debug)]
pub struct QueryCache {
    /// The models, by their identities.
    of: [u64; 2],
    witness: Option<[u32; 2]>,
    /// The blocks that led to it.
    trail: [Block; TRAIL],
    /// The motion of the last query, if that needed it.
    last: Option<Motion>,
    front: Option<Front>,
    /// The front's, whether there is one or not.
    leaves: Vec<[LeafRef; 2]>,
    /// Blocks that the last walk from the roots opened, and pairs of leaves that it met.
    effort: [usize; 2],
    ahead: f64,
    /// How many queries go by before a front is tried again, and how many did the last time.
    rest: [u32; 2],
    /// Steps of the motion since the last query for which the answer was known without asking.
    pub(crate) skipped: u32,
    /// The bodies of the last query were further from each other than this, in the world; 0 if that is not known, as where the first is not rigid.
    pub(crate) clearance: f64,
}

impl Default for QueryCache {
    fn default() -> Self {
        Self {
            of: [0; 2],
            witness: None,
            trail: Default::default(),
            last: None,
            front: None,
            leaves: Vec::new(),
            effort: [0; 2],
            ahead: AHEAD[0],
            rest: [0; 2],
            skipped: 0,
            clearance: 0.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Front {
    cast: Motion,
    margin: [f64; 3],
}

impl Front {
    /// How much further each axis may go.
    fn left(&self, now: &Motion, reach: f64) -> [f64; 3] {
        let gone = self.cast.distance(now, reach);
        [0, 1, 2].map(|k| self.margin[k] - gone[k])
    }
    fn holds(&self, now: &Motion, reach: f64) -> bool {
        self.left(now, reach).iter().all(|&x| x >= 0.0)
    }
}

impl QueryCache {
    /// Remembers nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets what other models left.
    fn claim(&mut self, a: &Body<'_>, b: &Body<'_>) {
        let of = [a.model.id(), b.model.id()];
        if self.of != of {
            *self = Self { of, leaves: std::mem::take(&mut self.leaves), ..Self::default() };
        }
    }

    /// Sees to it that the front holds now, if that is worth while.
    fn advance(
        &mut self,
        (a, b): (&WideTree, &WideTree),
        placement: &Placement,
        (ask, task): (&Ask<'_>, &Task<'_>),
        scratch: &mut Scratch,
    ) -> bool {
        let now = &placement.to_resting;
        if self.front.is_some_and(|front| front.holds(now, b.reach())) {
            return true;
        }
        self.front = None;
        if self.rest[0] > 0 {
            self.rest[0] -= 1;
            self.last = None;
            return false;
        }
        let steps = 1.0 + f64::from(std::mem::take(&mut self.skipped));
        let last = self.last.replace(*now);
        let Some(step) = last.map(|last| last.distance(now, b.reach())) else { return false };
        let largest = largest(step) / steps;
        // Not so of NaN, which `min` would pass over.
        let slow = AHEAD[1] * largest <= FAR;
        if !slow {
            self.rest = [REST[0]; 2];
            return false;
        }
        let ahead = self.ahead.min(FAR / largest);
        let margin = step.map(|x| ahead * (x / steps).max(EVEN * largest));
        let loose = a.frame(b, &placement.loosened(&margin));
        let (stack, count) = (&mut scratch.wide, &mut scratch.counters.count);
        let [blocks, leaves] = self.effort;
        // Leaves cost about as much to meet as blocks to open: a front saves the blocks of a walk from the roots, and adds leaves.
        let most = [MOST.min(leaves + blocks / 2), EFFORT * blocks];
        if !a.gather((b, &loose), (ask.simd, most), task, stack, count) {
            if self.ahead > AHEAD[1] {
                self.ahead /= 2.0;
                return false;
            }
            let rest = (2 * self.rest[1]).clamp(REST[0], REST[1]);
            self.rest = [rest, rest];
            return false;
        }
        self.rest = [0, 0];
        self.leaves.clear();
        self.leaves.extend_from_slice(&stack.leaves);
        self.front = Some(Front { cast: *now, margin });
        if self.leaves.is_empty() && self.ahead < AHEAD[2] {
            self.ahead *= 2.0;
        }
        true
    }
}

/// A query with what the last one about the same bodies left: see [`Query::with_cache`].
#[derive(Debug)]
pub struct CachedQuery<'q> {
    query: &'q mut Query,
    cache: &'q mut QueryCache,
}

impl Query {
    /// The same questions with what the last one left in `cache`: the last witness is tried first, and of bodies that
    /// were apart only what may have come together since. The answers are the same.
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query, QueryCache};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// let (mut query, mut cache) = (Query::new(), QueryCache::new());
    /// for step in 0..10 {
    ///     let a = Body::new(&model, Pose::IDENTITY);
    ///     let b = Body::new(&model, Pose::from_translation([2.5 - 0.1 * f64::from(step), 0., 0.])?);
    ///     assert_eq!(query.with_cache(&mut cache).intersects(&a, &b), step >= 5);
    /// }
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn with_cache<'q>(&'q mut self, cache: &'q mut QueryCache) -> CachedQuery<'q> {
        CachedQuery { query: self, cache }
    }
}

impl<'q> CachedQuery<'q> {
    /// See [`Query::intersects`].
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn intersects(&mut self, a: &Body<'_>, b: &Body<'_>) -> bool {
        self.first_contact(a, b).is_some()
    }

    /// See [`Query::first_contact`].
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn first_contact(&mut self, a: &Body<'_>, b: &Body<'_>) -> Option<[u32; 2]> {
        let Query { simd, counting, mixed, stop, scratches, .. } = &mut *self.query;
        let ask = Ask::new(*simd, *counting, *mixed, stop.as_deref());
        ask.first_cached(a, b, self.cache, &mut scratches.first().scratch)
    }

    /// See [`Query::pairs`].
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn pairs(self, a: &Body<'_>, b: &Body<'_>) -> &'q [[u32; 2]] {
        let Query { simd, counting, mixed, stop, scratches, pairs, .. } = self.query;
        let ask = Ask::new(*simd, *counting, *mixed, stop.as_deref());
        ask.pairs_cached(a, b, self.cache, &mut scratches.first().scratch, pairs);
        pairs
    }
}

impl Ask<'_> {
    /// [`Ask::first`] with what the last query left.
    pub(crate) fn first_cached(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        cache: &mut QueryCache,
        scratch: &mut Scratch,
    ) -> Option<[u32; 2]> {
        cache.claim(a, b);
        cache.clearance = 0.0;
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a, b, &b_to_a);
        let known = cache.witness;
        if let Some([i, j]) = known
            && narrow.meet(i, j, &narrow.moved(j), &mut scratch.counters.count)
        {
            cache.last = None;
            return known;
        }
        // Where there was a contact, another is likely, and soon found.
        let may_cast = known.is_none();
        let mut first = None;
        let mut found = |pair| {
            first = Some(pair);
            ControlFlow::Break(())
        };
        let sink = &mut Sink::Each(&mut found);
        let _ = self.walk_cached([a, b], (&b_to_a, &narrow), cache, may_cast, scratch, sink);
        cache.witness = first;
        first
    }

    /// All pairs, sorted, with what the last query left.
    pub(crate) fn pairs_cached(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        cache: &mut QueryCache,
        scratch: &mut Scratch,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        cache.claim(a, b);
        cache.clearance = 0.0;
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a, b, &b_to_a);
        pairs.clear();
        let sink = &mut Sink::All(pairs);
        let _ = self.walk_cached([a, b], (&b_to_a, &narrow), cache, true, scratch, sink);
        sort(pairs);
    }

    /// `may_cast`: whether a front may be made.
    fn walk_cached(
        &self,
        [a, b]: [&Body<'_>; 2],
        (b_to_a, narrow): (&Motion, &Narrow<'_>),
        cache: &mut QueryCache,
        may_cast: bool,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let (Tree::Wide(tree_a), Tree::Wide(tree_b)) = (a.model.tree(), b.model.tree()) else {
            return self.walk_trees([a, b], (b_to_a, narrow), scratch, sink);
        };
        let normalized = a.placement(b, b_to_a);
        let task = self.task(&normalized, narrow);
        let placement = tree_a.placement(tree_b, &normalized);
        let ready = may_cast && cache.advance((tree_a, tree_b), &placement, (self, &task), scratch);
        if let (true, Some(front), []) = (ready, &cache.front, &*cache.leaves) {
            let left =
                front.left(&placement.to_resting, tree_b.reach()).into_iter().fold(f64::INFINITY, f64::min);
            if a.pose.is_rigid() {
                cache.clearance = left * tree_a.least_length();
            }
            return ControlFlow::Continue(());
        }
        let frame = tree_a.frame(tree_b, &placement);
        let (stack, count) = (&mut scratch.wide, &mut scratch.counters.count);
        if matches!(sink, Sink::Each(_)) && !may_cast {
            let part = (self.simd, Part::Near(&cache.trail, NEAR));
            let near = tree_a.walk((tree_b, &frame), part, &task, stack, count, sink);
            if near.is_break() {
                cache.trail = stack.trail;
                return near;
            }
        }
        let part = (self.simd, if ready { Part::Leaves(&cache.leaves) } else { Part::All });
        let done = tree_a.walk((tree_b, &frame), part, &task, stack, count, sink);
        cache.trail = stack.trail;
        if !ready {
            cache.effort = [stack.opened, stack.met];
        }
        done
    }
}
