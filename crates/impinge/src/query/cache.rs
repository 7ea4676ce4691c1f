//! State of one pair of bodies from one query to the next, so that queries of a slow motion are cheap.
//!
//! It consists of a witness, the pair of triangles that met last; the pairs of nodes that led to it; and a
//! front, which `front.rs` explains and proves.
use super::{
    Query, QueryParts, Scratch,
    front::{FrontQuery, Fronts},
};
use crate::{
    Body,
    motion::Motion,
    narrow::Narrow,
    sink::{Listed, Rest, Sink, sort},
    walk::{self, QueryContext},
    wide::{NodePair, RelativeTrees, TRAIL, WalkRange, WideTree},
};
use std::ops::ControlFlow;

/// The number of pairs of nodes that are opened near the last witness before the walk starts at the roots.
const NEAR: usize = 2;

/// Number of queries in a row with bodies apart after which they are expected to be apart at the next.
const SURELY: u32 = 3;

/// State that one pair of bodies keeps from one query to the next (temporal coherence). Use one cache a pair,
/// with [`Query::with_cache`].
///
/// For bodies that met it keeps the witness pair of triangles; if that still meets, first contact costs one
/// triangle test. For bodies that were apart, and for queries of all pairs, it keeps a front if they have the
/// fast tree: the pairs of leaves that the next steps of such a motion may bring into contact, at most
/// 96 KiB. For distances it keeps the triangles that were nearest. A cache never changes a result, only the
/// witness of a contact, and the time. A cache of other bodies does no harm.
#[derive(Clone, Debug, Default)]
pub struct QueryCache {
    /// The ids of the two models.
    models: [u64; 2],
    witness: Option<[u32; 2]>,
    /// The triangles that were nearest.
    pub(crate) nearest: Option<[u32; 2]>,
    /// Number of the last queries in a row at which the bodies were apart.
    apart: u32,
    /// The pairs of nodes that led to the witness, the latest last.
    recent_pairs: [NodePair; TRAIL],
    fronts: Fronts,
    /// A lower bound of the bodies' distance in the world at the last query. 0 without a bound, as when the
    /// first body's pose is not rigid.
    pub(crate) clearance: f64,
}

impl QueryCache {
    /// An empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a step of the motion that was decided without a query.
    pub(crate) fn skip_step(&mut self) {
        self.fronts.skip_step();
    }

    /// Notes a pair that meets, if there is one.
    fn note(&mut self, witness: Option<[u32; 2]>) {
        self.witness = witness;
        self.apart = if witness.is_some() { 0 } else { self.apart.saturating_add(1) };
    }

    /// Begins a query of two bodies; drops the state of other models.
    pub(crate) fn reset_for(&mut self, a: &Body<'_>, b: &Body<'_>) {
        let models = [a.model.id(), b.model.id()];
        if self.models != models {
            self.fronts.reset();
            (self.models, self.witness, self.recent_pairs) = (models, None, Default::default());
            self.nearest = None;
            self.apart = 0;
        }
        self.clearance = 0.0;
    }
}

/// A [`Query`] that uses a [`QueryCache`]: see [`Query::with_cache`].
#[derive(Debug)]
pub struct CachedQuery<'q> {
    pub(crate) query: &'q mut Query,
    pub(crate) cache: &'q mut QueryCache,
}

impl Query {
    /// Queries with the same results that use, and update, the state in `cache` of the last query of these
    /// bodies. They test the last witness first. For bodies that were apart, they test only the parts that
    /// may have come into contact since.
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query, query::QueryCache};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle);
    /// let (mut query, mut cache) = (Query::new(), QueryCache::new());
    /// for step in 0..10 {
    ///     let a = Body::new(&model, Pose::IDENTITY);
    ///     let b = Body::new(&model, Pose::from_translation([2.5 - 0.1 * f64::from(step), 0., 0.])?);
    ///     assert_eq!(query.with_cache(&mut cache).intersects(&a, &b), step >= 5);
    /// }
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias = "coherence")]
    pub fn with_cache<'q>(&'q mut self, cache: &'q mut QueryCache) -> CachedQuery<'q> {
        CachedQuery { query: self, cache }
    }
}

impl<'q> CachedQuery<'q> {
    /// Decides [`Query::intersects`] with this cache.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn intersects(&mut self, a: &Body<'_>, b: &Body<'_>) -> bool {
        self.first_contact(a, b).is_some()
    }

    /// Finds [`Query::first_contact`] with this cache.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn first_contact(&mut self, a: &Body<'_>, b: &Body<'_>) -> Option<[u32; 2]> {
        let QueryParts { ask, scratches, .. } = self.query.parts();
        ask.first_cached(a, b, self.cache, &mut scratches.first().scratch)
    }

    /// Finds [`Query::pairs`] with this cache.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn pairs(self, a: &Body<'_>, b: &Body<'_>) -> &'q [[u32; 2]] {
        let QueryParts { ask, scratches, pairs, .. } = self.query.parts();
        ask.pairs_cached(a, b, self.cache, &mut scratches.first().scratch, pairs);
        pairs
    }
}

impl QueryContext<'_> {
    /// [`QueryContext::first`] with a cache.
    pub(crate) fn first_cached(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        cache: &mut QueryCache,
        scratch: &mut Scratch,
    ) -> Option<[u32; 2]> {
        cache.reset_for(a, b);
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a.mesh(), b.mesh(), &b_to_a);
        let known = cache.witness;
        if let Some([i, j]) = known
            && narrow.meet(i, j, &narrow.moved(j), &mut scratch.walk.counters.count)
        {
            cache.fronts.forget_motion();
            return known;
        }
        // After a contact there is likely another one, and the walk finds it faster than it makes a front.
        let may_make_front = known.is_none();
        let mut first = None;
        let mut found = |pair| {
            first = Some(pair);
            ControlFlow::Break(())
        };
        let sink = &mut Sink::Each(&mut found);
        let _ = self.walk_cached([a, b], (&b_to_a, &narrow), cache, may_make_front, scratch, sink);
        cache.note(first);
        first
    }

    /// All pairs, sorted, with a cache.
    pub(crate) fn pairs_cached(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        cache: &mut QueryCache,
        scratch: &mut Scratch,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        cache.reset_for(a, b);
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a.mesh(), b.mesh(), &b_to_a);
        pairs.clear();
        let sink = &mut Sink::All(pairs);
        let _ = self.walk_cached([a, b], (&b_to_a, &narrow), cache, true, scratch, sink);
        sort(pairs);
        cache.note(pairs.first().copied());
    }

    /// The number of all pairs and the least one, with a cache. Nothing is listed.
    pub(crate) fn count_cached(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        cache: &mut QueryCache,
        scratch: &mut Scratch,
    ) -> Rest {
        cache.reset_for(a, b);
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a.mesh(), b.mesh(), &b_to_a);
        let mut all = Rest::default();
        let mut nothing = Listed { pairs: &mut Vec::new(), most: 0, rest: &mut all };
        let sink = &mut Sink::AtMost(&mut nothing);
        let _ = self.walk_cached([a, b], (&b_to_a, &narrow), cache, true, scratch, sink);
        cache.note(all.first);
        all
    }

    /// Walks with the cache's front. `may_make_front` is true if it may make a new one.
    fn walk_cached(
        &self,
        [a, b]: [&Body<'_>; 2],
        (b_to_a, narrow): (&Motion, &Narrow<'_>),
        cache: &mut QueryCache,
        may_make_front: bool,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let walk::WalkMemory { flat, counters, .. } = &mut scratch.walk;
        if let Some(done) =
            self.walk_lists([a.placed(), b.placed()], b_to_a, narrow, flat, &mut counters.count, sink)
        {
            return done;
        }
        let (Some(tree_a), Some(tree_b)) = (a.model.wide(), b.model.wide()) else {
            return self.walk_trees([a.placed(), b.placed()], b_to_a, narrow, &mut scratch.walk, sink);
        };
        let normalized = a.placement(b, b_to_a);
        let task = self.task(&normalized, narrow);
        let placement = tree_a.placement(tree_b, &normalized);
        let trees: [&WideTree; 2] = [tree_a, tree_b];
        let query = FrontQuery { trees, placement: &placement, simd: self.simd, task: &task };
        let has_front = may_make_front && cache.fronts.ensure_front(&query, scratch);
        if has_front && cache.fronts.leaves().is_empty() {
            if a.pose.is_rigid() {
                let left = cache.fronts.margin_left(&placement.to_resting, tree_b.reach());
                cache.clearance = left * tree_a.least_length();
            }
            return ControlFlow::Continue(());
        }
        let transforms = &tree_a.relative_transforms(tree_b, &placement);
        let trees = RelativeTrees { a: tree_a, b: tree_b, transforms };
        let (stack, count) = (&mut scratch.walk.wide, &mut scratch.walk.counters.count);
        if matches!(sink, Sink::Each(_)) && !may_make_front {
            let part = WalkRange::Near(&cache.recent_pairs, NEAR);
            let near = trees.walk(self.simd, part, &task, stack, count, sink);
            if near.is_break() {
                cache.recent_pairs = stack.trail;
                return near;
            }
        }
        let part = if has_front {
            WalkRange::Leaves(cache.fronts.leaves())
        } else if cache.apart >= SURELY {
            WalkRange::AllOfApart
        } else {
            WalkRange::All
        };
        let done = trees.walk(self.simd, part, &task, stack, count, sink);
        cache.recent_pairs = stack.trail;
        if !has_front {
            cache.fronts.note_effort(stack.opened, stack.met);
        }
        done
    }
}
