//! Queries of bodies, their settings, memory and results.
mod batch;
mod cache;
mod contact_pairs;
mod front;
mod pair_count;
mod pair_lists;
mod parallel;
pub(crate) mod reference;
mod scratch;
mod self_pairs;
#[cfg(all(test, feature = "rayon"))]
pub(crate) mod sheet;
#[cfg(test)]
mod stopped;

pub(crate) use self::{
    batch::{hand_out, run_length},
    parallel::{LARGE, PairFilter, RUNS},
    scratch::{Scratch, Scratches, Share},
};
pub use self::{
    cache::{CachedQuery, QueryCache},
    contact_pairs::ContactPairs,
    pair_count::PairCount,
    pair_lists::PairLists,
};
pub use crate::counters::{Count, Counters};

use crate::{
    AnyBody, Error, ErrorKind, Obstacle, SimdLevel, Threads,
    margin::Margin,
    obstacle::{Operands, operands},
    pool,
    solid::FillRule,
    typed_memory::Memory,
    walk::QueryContext,
};
use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Settings and memory of queries. Make one for each thread and keep it: once it is warm, queries do not
/// allocate. Settings change the time that a query takes; only the [fill rule](Self::fill_rule) changes
/// results.
///
/// All queries, and their names in Python, for the command and on many machines:
///
#[doc = include_str!("../queries.md")]
///
/// A body may have a radius, [`Rounded`](crate::Rounded): a sphere, a capsule, a mesh with a skin. Queries
/// that take an [`AnyBody`] accept it. For the others a radius is not defined, and the compiler refuses it.
/// Queries whose second operand is an [`Obstacle`] accept a [`HalfSpace`](crate::HalfSpace), too: its pairs
/// are those of a triangle and 0.
///
/// [`for_each_pair`](Self::for_each_pair) returns pairs one by one. [`contact_pairs`](Self::contact_pairs)
/// finds all pairs once for several queries of two bodies. [`with_accuracy`](Self::with_accuracy) sets the
/// accuracy of distances. For bodies that move little from one query to the
/// next there is a cache, [`with_cache`](Self::with_cache), and for many bodies that move a
/// [`Scene`](crate::Scene).
///
/// ```
/// use impinge::{Body, Mesh, Model, Pose, Query};
/// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let model = Model::new(triangle);
/// let a = Body::new(&model, Pose::IDENTITY);
/// let b = Body::new(&model, Pose::from_translation([2., 0., 0.])?);
/// let mut query = Query::new();
/// // They share the point (2, 0, 0), and closed triangles include their corners.
/// assert!(query.intersects(&a, &b));
/// assert_eq!(query.pairs(&a, &b), [[0, 0]]);
/// # Ok::<(), impinge::Error>(())
/// ```
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
    /// Results of the other queries, by their type.
    results: Memory,
}

/// Settings and memory of a query, each to be borrowed by itself.
pub(crate) struct QueryParts<'q> {
    pub(crate) ask: QueryContext<'q>,
    pub(crate) threads: Threads,
    pub(crate) fill_rule: FillRule,
    pub(crate) scratches: &'q mut Scratches,
    /// The last pairs of triangles.
    pub(crate) pairs: &'q mut Vec<[u32; 2]>,
    pub(crate) results: &'q mut Memory,
}

impl Query {
    /// A query with the default settings: the best instruction set, one thread.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the instruction set: this one, or the best below it that the processor has. By default the best
    /// of all.
    #[must_use]
    pub fn simd(self, simd: SimdLevel) -> Self {
        Self { simd, ..self }
    }
    /// Sets the threads. They share batches, and divide large single queries for all pairs or for pairs
    /// within a margin. By default one thread.
    #[must_use]
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }
    /// Sets whether queries count their work: see [`Query::counters`].
    #[must_use]
    pub fn counting(self, counting: bool) -> Self {
        Self { counting, ..self }
    }
    /// Compares bodies whose trees do not fit together ([`Model::fits`](crate::Model::fits)) by brute force,
    /// in time O(n m). Without this setting, queries of such bodies panic.
    #[must_use]
    pub fn mixed_by_brute_force(self, mixed: bool) -> Self {
        Self { mixed, ..self }
    }

    /// Sets the points that are inside of a body whose mesh is closed: see [`Query::relation`].
    #[must_use]
    pub fn fill_rule(self, fill_rule: FillRule) -> Self {
        Self { fill_rule, ..self }
    }

    /// The work of all queries since the last [`Query::reset_counters`], those
    /// [`with_cache`](Self::with_cache) included; `None` if it is not [`counting`](Self::counting).
    pub fn counters(&self) -> Option<Counters> {
        self.counting.then(|| self.scratches.counters())
    }
    /// Resets the counters to zero.
    pub fn reset_counters(&mut self) {
        self.scratches.reset_counters();
    }

    /// Runs `questions` until another thread or a signal handler sets the flag. The flag must stay set until
    /// this has returned. Long work reads it at least once for each pair of triangles, face, and corner where
    /// lines cross. Structures that a model computes once in O(n log n) (its tree, its closed edges) are
    /// finished first.
    ///
    /// # Errors
    /// The flag was set before the questions ended: [`ErrorKind::Stopped`]. Their result is worthless, and
    /// dropped.
    ///
    /// ```
    /// use impinge::{Body, ErrorKind, Mesh, Model, Pose, Query};
    /// use std::sync::{Arc, atomic::{AtomicBool, Ordering}};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle);
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// let (mut query, flag) = (Query::new(), Arc::new(AtomicBool::new(false)));
    /// assert_eq!(query.with_stop(&flag, |query| query.pairs(&body, &body).len())?, 1);
    /// flag.store(true, Ordering::Relaxed);
    /// let error = query.with_stop(&flag, |query| query.pairs(&body, &body).len()).unwrap_err();
    /// assert_eq!(*error.kind(), ErrorKind::Stopped);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("until", "interrupt", "cancel"))]
    pub fn with_stop<T>(
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
        if flag.load(Ordering::Relaxed) { Err(ErrorKind::Stopped.into()) } else { Ok(answers) }
    }

    pub(crate) fn parts(&mut self) -> QueryParts<'_> {
        QueryParts {
            ask: QueryContext::new(self.simd, self.counting, self.mixed, self.stop.as_deref()),
            threads: self.threads,
            fill_rule: self.fill_rule,
            scratches: &mut self.scratches,
            pairs: &mut self.pairs,
            results: &mut self.results,
        }
    }

    /// True if any triangles of the two bodies meet, or come as near as the sum of their
    /// [radii](crate::Rounded); or if a triangle of `a`, with its radius, meets the
    /// [half-space](crate::HalfSpace) `b`.
    ///
    /// # Panics
    /// If their trees do not fit together: [`Model::fits`](crate::Model::fits).
    #[doc(alias("intersection_test", "do_intersect", "collision", "collide"))]
    pub fn intersects(&mut self, a: &impl AnyBody, b: &(impl Obstacle + ?Sized)) -> bool {
        self.first_contact(a, b).is_some()
    }

    /// First contact: a pair of triangles (of `a`, of `b`) that meet, or `None` if no two do.
    ///
    /// The first of several pairs is unspecified. [`contact_point`](crate::contact::contact_point) returns a
    /// common point.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    #[doc(alias = "any_intersected_primitive")]
    pub fn first_contact(&mut self, a: &impl AnyBody, b: &(impl Obstacle + ?Sized)) -> Option<[u32; 2]> {
        match operands(a, b, Margin::ZERO) {
            // Spheres have a walk of their own.
            Operands::Bodies(bodies, margin) if !margin.is_zero() => {
                let QueryParts { ask, scratches, .. } = self.parts();
                ask.mixed().first_within(bodies, margin, &mut scratches.first().scratch)
            }
            _ => self.for_each_pair(a, b, ControlFlow::Break).break_value(),
        }
    }

    /// Calls `found` once with each pair of triangles that meet, until `found` breaks. With the fast tree the
    /// first pairs are those where the bodies cross deepest.
    ///
    /// Use it for the first ten contacts, or for the first one that a rule of yours accepts.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query};
    /// use std::ops::ControlFlow;
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]; 8])?;
    /// let model = Model::new(triangle);
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// // The first pair of two different triangles, of 64 pairs.
    /// let second = Query::new().for_each_pair(&body, &body, |[i, j]| {
    ///     if i == j { ControlFlow::Continue(()) } else { ControlFlow::Break([i, j]) }
    /// });
    /// assert!(second.is_break());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn for_each_pair<B>(
        &mut self,
        a: &impl AnyBody,
        b: &(impl Obstacle + ?Sized),
        mut found: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let operands = operands(a, b, Margin::ZERO);
        let QueryParts { ask, scratches, .. } = self.parts();
        let scratch = &mut scratches.first().scratch;
        match operands {
            Operands::Bodies([a, b], margin) if margin.is_zero() => {
                ask.find([a.placed(), b.placed()], &mut scratch.walk, found)
            }
            Operands::Bodies(bodies, margin) => ask.mixed().find_within(bodies, margin, scratch, found),
            Operands::HalfSpace(a, b, margin) => ask.find_low(a, b, margin, scratch, |t| found([t, 0])),
        }
    }

    /// Every pair of triangles (of `a`, of `b`) that meet, sorted.
    ///
    /// # Panics
    /// As [`Query::intersects`], and if the list does not fit in memory: [`Query::pairs_at_most`] limits it.
    #[doc(alias("collide", "all_intersected_primitives", "rtcCollide"))]
    pub fn pairs(&mut self, a: &impl AnyBody, b: &(impl Obstacle + ?Sized)) -> &[[u32; 2]] {
        let mut pairs = std::mem::take(&mut self.pairs);
        self.pairs_into(a, b, &mut pairs);
        self.pairs = pairs;
        &self.pairs
    }

    /// Writes all pairs into `pairs`, which it clears first: see [`Query::pairs`].
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn pairs_into(&mut self, a: &impl AnyBody, b: &(impl Obstacle + ?Sized), pairs: &mut Vec<[u32; 2]>) {
        self.pairs_at_most(a, b, usize::MAX, pairs);
    }

    /// Counts the pairs of triangles that meet, and lists them if they are not more than `most`.
    ///
    /// Two meshes of n triangles have up to n^2 such pairs, 8 bytes each. `pairs` is cleared first. It
    /// contains all pairs, sorted, if the count is at most `most`, and is empty otherwise. Each thread takes
    /// memory for at most `most` pairs.
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]; 8])?;
    /// let model = Model::new(triangle);
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
        a: &impl AnyBody,
        b: &(impl Obstacle + ?Sized),
        most: usize,
        pairs: &mut Vec<[u32; 2]>,
    ) -> PairCount {
        let [a, b] = match operands(a, b, Margin::ZERO) {
            Operands::Bodies(bodies, margin) if margin.is_zero() => bodies,
            operands => return self.operands_within_at_most(operands, most, pairs),
        };
        let QueryParts { ask, threads, scratches, .. } = self.parts();
        pairs.clear();
        let rest = if threads == Threads::Pool && pool::threads() > 1 {
            ask.divided_at_most([a, b], scratches, pairs, most)
        } else {
            let memory = &mut scratches.first().scratch.walk;
            ask.append_at_most([a.placed(), b.placed()], memory, pairs, most)
        };
        PairCount::of(pairs, rest)
    }
}

/// True if any triangles of two bodies meet: one query, by a new [`Query`].
///
/// # Panics
/// As [`Query::intersects`].
pub fn intersects(a: &impl AnyBody, b: &(impl Obstacle + ?Sized)) -> bool {
    Query::new().intersects(a, b)
}

/// Every pair of triangles (of `a`, of `b`) that meet, sorted: one query, by a new [`Query`].
///
/// # Panics
/// As [`Query::intersects`].
pub fn pairs(a: &impl AnyBody, b: &(impl Obstacle + ?Sized)) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    Query::new().pairs_into(a, b, &mut pairs);
    pairs
}
