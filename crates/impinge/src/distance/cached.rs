//! Distance queries that begin with the triangles that the last query of the same bodies found.
use super::{Accuracy, DistanceBounds, Margin, MeshAt, TrianglePairDistances};
#[cfg(doc)]
use crate::Query;
use crate::{
    AnyBody, Body,
    query::{CachedQuery, QueryCache, QueryParts, Scratch},
    solid::FillRule,
    walk::QueryContext,
};

impl QueryContext<'_> {
    /// The distance, and the triangles that the next query tests first.
    pub(super) fn distance_cached(
        &self,
        [a, b]: [&Body<'_>; 2],
        accuracy: Accuracy,
        fill_rule: FillRule,
        cache: &mut QueryCache,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        cache.reset_for(a, b);
        let separation = self.separation([a, b], cache.nearest, scratch);
        let gap = if separation.is_some() {
            self.gap_along([a, b], separation, accuracy, cache.nearest, scratch)
        } else {
            let met = self.first_cached(a, b, cache, scratch);
            self.distance_if([a, b], accuracy, fill_rule, met, cache.nearest, scratch)
        };
        cache.nearest = gap.map(|gap| gap.triangles).or(cache.nearest);
        gap
    }
}

impl CachedQuery<'_> {
    /// Computes [`Query::distance`]. The query first tests the triangles that were nearest in the last query.
    pub fn distance(&mut self, a: &impl AnyBody, b: &impl AnyBody) -> Option<DistanceBounds> {
        let Self { query, cache } = self;
        CachedQuery { query, cache }.with_accuracy(Accuracy::new()).distance(a, b)
    }

    /// Decides [`Query::within`]. The query first tests triangles that were within the margin in the last
    /// query.
    pub fn within(&mut self, a: &impl AnyBody, b: &impl AnyBody, margin: Margin) -> bool {
        let margin = margin.with_radii([a.any_radius(), b.any_radius()]);
        let (a, b) = (a.any_body(), b.any_body());
        let QueryParts { ask, scratches, .. } = self.query.parts();
        let (ask, cache, scratch) = (ask.mixed(), &mut *self.cache, &mut scratches.first().scratch);
        cache.reset_for(a, b);
        let are_still = |pair| TrianglePairDistances::new([a, b].map(MeshAt::of)).are_within(pair, &margin);
        if cache.nearest.is_some_and(are_still) {
            return true;
        }
        let found = ask.first_within([a, b], margin, scratch);
        cache.nearest = found.or(cache.nearest);
        found.is_some()
    }
}
