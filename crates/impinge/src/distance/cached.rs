//! Distance queries that begin with the triangles that the last query of the same bodies found.
use super::{Accuracy, DistanceBounds, Margin, Pairs, Shape};
#[cfg(doc)]
use crate::Query;
use crate::{
    Body,
    query::{CachedQuery, QueryParts},
};

impl CachedQuery<'_> {
    /// [`Query::distance`]; it first tests the triangles that were nearest in the last query.
    pub fn distance(&mut self, a: &Body<'_>, b: &Body<'_>, stop: Accuracy) -> Option<DistanceBounds> {
        let QueryParts { ask, fill_rule, scratches, .. } = self.query.parts();
        let (ask, cache, scratch) = (ask.mixed(), &mut *self.cache, &mut scratches.first().scratch);
        let met = ask.first_cached(a, b, cache, scratch);
        let gap = ask.distance_if([a, b], (stop, fill_rule), met, cache.nearest, scratch);
        cache.nearest = gap.map(|gap| gap.triangles).or(cache.nearest);
        gap
    }

    /// [`Query::within`]; it first tests triangles that were within the margin in the last query.
    pub fn within(&mut self, a: &Body<'_>, b: &Body<'_>, margin: Margin) -> bool {
        let QueryParts { ask, scratches, .. } = self.query.parts();
        let (ask, cache, scratch) = (ask.mixed(), &mut *self.cache, &mut scratches.first().scratch);
        cache.reset_for(a, b);
        let are_still = |pair| Pairs::new([a, b].map(Shape::of)).are_within(pair, margin.get());
        if cache.nearest.is_some_and(are_still) {
            return true;
        }
        let found = ask.first_within([a, b], margin, scratch);
        cache.nearest = found.or(cache.nearest);
        found.is_some()
    }
}
