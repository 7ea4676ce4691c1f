//! Queries of bodies, their settings, memory and results.
mod batch;
mod cache;
mod certainty;
mod closest;
mod contact_pairs;
mod curves;
mod distance;
mod front;
mod locate;
mod pair_lists;
mod parallel;
mod penetration;
mod ray;
mod region;
mod relation;
mod scratch;
#[cfg(test)]
mod stopped;
mod within;

pub(crate) use self::{
    batch::{hand_out, run_length},
    scratch::{Scratch, Scratches},
};
pub use self::{
    cache::{CachedQuery, QueryCache},
    contact_pairs::ContactPairs,
    pair_lists::PairLists,
};
pub use crate::counters::{Count, Counters};

use crate::{
    Body, Error, SimdLevel, Threads,
    curves::Curves,
    distance::{ClosestPoint, Gap},
    pool,
    rays::RayHit,
    relation::Relation,
    sink::{Rest, sort},
    solid::{FillRule, Location},
    walk::QueryContext,
};
use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A query for the triangles that meet. It holds settings and memory: make one a thread and keep it, for once
/// it is warm queries do not allocate. Settings change how long a query takes, never its result.
///
/// | which triangles | two bodies | many poses, many pairs | one mesh and itself |
/// |---|---|---|---|
/// | any? | [`intersects`] | [`intersects_at`], [`intersects_each`] | [`self_intersects`] |
/// | one pair | [`first_contact`] | [`first_contact_at`], [`first_contact_each`] | [`self_first_contact`] |
/// | all pairs | [`pairs`] | [`pairs_at`], [`pairs_each`] | [`self_pairs`] |
/// | relation as solids | [`relation`], [`interiors_meet`] | [`relation_each`] | |
/// | how deep | [`penetration`] | | |
/// | where their surfaces meet: lines, patches | [`curves`] | | |
/// | how far apart | [`distance`] | [`distance_at`], [`distance_each`] | |
/// | as near as a margin? | [`within`], [`first_within`], [`pairs_within`] | [`within_at`] | |
/// | of curved bodies: certain? | [`certainty`] | | |
///
/// Queries of one body:
///
/// | | one | many |
/// |---|---|---|
/// | its point that is nearest to a point | [`closest_point`] | [`closest_points`] |
/// | where points lie, as of a solid | | [`locate`] |
/// | what a ray meets | [`ray_first`], [`ray_all`] | [`ray_first_each`] |
/// | its triangles in a convex region | [`triangles_in`] | |
///
/// Pairs one by one come from [`find_pairs`](Self::find_pairs), and all pairs for several queries of two
/// bodies from [`contact_pairs`](Self::contact_pairs); queries of bodies that move little from one query to
/// the next take a cache, [`with_cache`](Self::with_cache); many bodies that move are a
/// [`Scene`](crate::Scene).
///
/// ```
/// use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query};
/// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let model = Model::new(triangle, &BuildOptions::default());
/// let a = Body::new(&model, Pose::IDENTITY);
/// let b = Body::new(&model, Pose::from_translation([2., 0., 0.])?);
/// let mut query = Query::new();
/// // They share the point (2, 0, 0), and closed triangles include their corners.
/// assert!(query.intersects(&a, &b));
/// assert_eq!(query.pairs(&a, &b), [[0, 0]]);
/// # Ok::<(), impinge::Error>(())
/// ```
///
/// [`intersects`]: Self::intersects
/// [`intersects_at`]: Self::intersects_at
/// [`intersects_each`]: Self::intersects_each
/// [`self_intersects`]: Self::self_intersects
/// [`first_contact`]: Self::first_contact
/// [`first_contact_at`]: Self::first_contact_at
/// [`first_contact_each`]: Self::first_contact_each
/// [`self_first_contact`]: Self::self_first_contact
/// [`pairs`]: Self::pairs
/// [`pairs_at`]: Self::pairs_at
/// [`pairs_each`]: Self::pairs_each
/// [`self_pairs`]: Self::self_pairs
/// [`relation`]: Self::relation
/// [`interiors_meet`]: Self::interiors_meet
/// [`relation_each`]: Self::relation_each
/// [`penetration`]: Self::penetration
/// [`curves`]: Self::curves
/// [`distance`]: Self::distance
/// [`distance_at`]: Self::distance_at
/// [`distance_each`]: Self::distance_each
/// [`within`]: Self::within
/// [`first_within`]: Self::first_within
/// [`pairs_within`]: Self::pairs_within
/// [`within_at`]: Self::within_at
/// [`closest_point`]: Self::closest_point
/// [`closest_points`]: Self::closest_points
/// [`locate`]: Self::locate
/// [`ray_first`]: Self::ray_first
/// [`ray_all`]: Self::ray_all
/// [`ray_first_each`]: Self::ray_first_each
/// [`triangles_in`]: Self::triangles_in
/// [`certainty`]: Self::certainty
#[derive(Debug, Default)]
pub struct Query {
    simd: SimdLevel,
    threads: Threads,
    counting: bool,
    mixed: bool,
    fill_rule: FillRule,
    stop: Option<Arc<AtomicBool>>,
    scratches: Scratches,
    pairs: Vec<[u32; 2]>,
    lists: PairLists,
    contacts: Vec<Option<[u32; 2]>>,
    flags: Vec<bool>,
    relations: Vec<Relation>,
    locations: Vec<Location>,
    gaps: Vec<Option<Gap>>,
    curves: Curves,
    closest: Vec<Option<ClosestPoint>>,
    hits: Vec<RayHit>,
    first_hits: Vec<Option<RayHit>>,
    triangles: Vec<u32>,
}

impl Query {
    /// With the defaults: the best instructions there are, one thread.
    pub fn new() -> Self {
        Self::default()
    }
    /// On this instruction set, or the best that the processor has of those below it. By default the best of
    /// all.
    #[must_use]
    pub fn simd(self, simd: SimdLevel) -> Self {
        Self { simd, ..self }
    }
    /// On these threads: batches are shared out, and large single queries for all pairs, or for what is
    /// within a margin, divided. By default on one.
    #[must_use]
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }
    /// Counting its work: see [`Query::counters`].
    #[must_use]
    pub fn counting(self, counting: bool) -> Self {
        Self { counting, ..self }
    }
    /// Comparing bodies whose trees do not fit together ([`Model::fits`](crate::Model::fits)) by brute force,
    /// in time O(n m). Without this setting, queries of such bodies panic.
    #[must_use]
    pub fn mixed_by_brute_force(self, mixed: bool) -> Self {
        Self { mixed, ..self }
    }

    /// With these points inside of a body whose mesh is closed: see [`Query::relation`].
    #[must_use]
    pub fn fill_rule(self, fill_rule: FillRule) -> Self {
        Self { fill_rule, ..self }
    }

    /// The work of all queries since the last [`Query::reset_counters`], those
    /// [`with_cache`](Self::with_cache) included; `None` if it is not [`counting`](Self::counting).
    pub fn counters(&self) -> Option<Counters> {
        self.counting.then(|| self.scratches.counters())
    }
    /// Counts from zero.
    pub fn reset_counters(&mut self) {
        self.scratches.reset_counters();
    }

    /// Runs `questions` until the flag is set: by another thread, a signal handler. The flag must stay set
    /// until this has returned. Long work looks at it at least once a pair of triangles, a face or a corner
    /// where lines cross. The parts that a mesh computes once in O(n log n), its tree and which edges close,
    /// finish first.
    ///
    /// # Errors
    /// The flag was set before the questions ended, so that what they returned is worthless, and dropped:
    /// [`Error::is_stopped`].
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query};
    /// use std::sync::{Arc, atomic::{AtomicBool, Ordering}};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// let (mut query, flag) = (Query::new(), Arc::new(AtomicBool::new(false)));
    /// assert_eq!(query.until(&flag, |query| query.pairs(&body, &body).len())?, 1);
    /// flag.store(true, Ordering::Relaxed);
    /// assert!(query.until(&flag, |query| query.pairs(&body, &body).len()).unwrap_err().is_stopped());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn until<T>(
        &mut self,
        flag: &Arc<AtomicBool>,
        questions: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, Error> {
        /// Gives the query its own flag back, also if the questions panic.
        struct Restore<'a>(&'a mut Query, Option<Arc<AtomicBool>>);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                self.0.stop = self.1.take();
            }
        }
        let before = self.stop.replace(Arc::clone(flag));
        let until = Restore(self, before);
        let answers = questions(&mut *until.0);
        drop(until);
        if flag.load(Ordering::Relaxed) { Err(Error::stopped()) } else { Ok(answers) }
    }

    /// Whether any of their triangles meet.
    ///
    /// # Panics
    /// If their trees do not fit together: [`Model::fits`](crate::Model::fits).
    #[doc(alias("intersection_test", "do_intersect", "collision", "collide"))]
    pub fn intersects(&mut self, a: &Body<'_>, b: &Body<'_>) -> bool {
        self.first_contact(a, b).is_some()
    }

    /// First contact: a pair of triangles (of `a`, of `b`) that meet, or `None` if no two do.
    ///
    /// Whether there is one is defined by the two bodies alone; which one of many comes first is not.
    /// [`contact_point`](crate::contact::contact_point) returns a common point.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    #[doc(alias = "any_intersected_primitive")]
    pub fn first_contact(&mut self, a: &Body<'_>, b: &Body<'_>) -> Option<[u32; 2]> {
        self.find_pairs(a, b, ControlFlow::Break).break_value()
    }

    /// A query that can be stopped and resumed: calls `found` with each pair of triangles that meet, once,
    /// until `found` breaks. The traversal pauses while `found` looks at a pair and continues if it requests
    /// more. With the fast tree pairs come first from where the bodies cross deepest.
    ///
    /// Use it for the first ten contacts, or for the first one that a rule of yours accepts.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query};
    /// use std::ops::ControlFlow;
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]; 8])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// // The first pair of which the second triangle is not the first one: of 64.
    /// let second = Query::new().find_pairs(&body, &body, |[i, j]| {
    ///     if i == j { ControlFlow::Continue(()) } else { ControlFlow::Break([i, j]) }
    /// });
    /// assert!(second.is_break());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn find_pairs<B>(
        &mut self,
        a: &Body<'_>,
        b: &Body<'_>,
        found: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (stop, scratch) = (self.stop.clone(), &mut self.scratches.first().scratch);
        let ask = QueryContext::new(self.simd, self.counting, self.mixed, stop.as_deref());
        ask.find([a.placed(), b.placed()], &mut scratch.walk, found)
    }

    /// Every pair of triangles (of `a`, of `b`) that meet, sorted.
    ///
    /// # Panics
    /// As [`Query::intersects`], and if the list does not fit in memory: [`Query::pairs_at_most`] limits it.
    #[doc(alias("collide", "all_intersected_primitives", "rtcCollide"))]
    pub fn pairs(&mut self, a: &Body<'_>, b: &Body<'_>) -> &[[u32; 2]] {
        let mut pairs = std::mem::take(&mut self.pairs);
        self.pairs_into(a, b, &mut pairs);
        self.pairs = pairs;
        &self.pairs
    }

    /// Writes all pairs into `pairs`, which it clears first: see [`Query::pairs`].
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn pairs_into(&mut self, a: &Body<'_>, b: &Body<'_>, pairs: &mut Vec<[u32; 2]>) {
        self.pairs_at_most(a, b, usize::MAX, pairs);
    }

    /// Counts the pairs of triangles that meet, and lists them if they are not more than `most`.
    ///
    /// Two meshes of n triangles have up to n^2 such pairs, 8 bytes each. `pairs` is cleared first. It
    /// contains all pairs, sorted, if the count is at most `most`, and is empty otherwise. Each thread takes
    /// memory for at most `most` pairs.
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]; 8])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// let (mut query, mut pairs) = (Query::new(), Vec::new());
    /// let found = query.pairs_at_most(&body, &body, 10, &mut pairs);
    /// assert_eq!((found.count, found.first, pairs.len()), (64, Some([0, 0]), 0));
    /// query.pairs_at_most(&body, &body, 64, &mut pairs);
    /// assert_eq!(pairs.len(), 64);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn pairs_at_most(
        &mut self,
        a: &Body<'_>,
        b: &Body<'_>,
        most: usize,
        pairs: &mut Vec<[u32; 2]>,
    ) -> PairCount {
        let stop = self.stop.clone();
        let ask = QueryContext::new(self.simd, self.counting, self.mixed, stop.as_deref());
        pairs.clear();
        let rest = if self.threads == Threads::Pool && pool::threads() > 1 {
            ask.divided_at_most([a, b], &mut self.scratches, (pairs, most))
        } else {
            ask.append_at_most(
                [a.placed(), b.placed()],
                &mut self.scratches.first().scratch.walk,
                (pairs, most),
            )
        };
        PairCount::of(pairs, rest)
    }
}

impl PairCount {
    /// The count of all pairs that a walk listed, which are sorted, if no others remain; else of these and
    /// the rest, and the list is cleared.
    pub(crate) fn of(pairs: &mut Vec<[u32; 2]>, mut rest: Rest) -> Self {
        if rest.count == 0 {
            sort(pairs);
            return Self { count: pairs.len() as u64, first: pairs.first().copied() };
        }
        rest.add(&Rest { count: pairs.len() as u64, first: pairs.iter().min().copied() });
        pairs.clear();
        Self { count: rest.count, first: rest.first }
    }
}

/// The number of pairs of triangles that meet, or are near: [`Query::pairs_at_most`],
/// [`Query::self_pairs_at_most`], [`Query::pairs_within_at_most`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PairCount {
    /// How many pairs meet.
    pub count: u64,
    /// The least pair: of the first triangle, then the second.
    pub first: Option<[u32; 2]>,
}

/// Whether any triangles of two bodies meet: one question, by a new [`Query`].
///
/// # Panics
/// As [`Query::intersects`].
pub fn intersects(a: &Body<'_>, b: &Body<'_>) -> bool {
    Query::new().intersects(a, b)
}

/// Every pair of triangles (of `a`, of `b`) that meet, sorted: one question, by a new [`Query`].
///
/// # Panics
/// As [`Query::intersects`].
pub fn pairs(a: &Body<'_>, b: &Body<'_>) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    Query::new().pairs_into(a, b, &mut pairs);
    pairs
}
