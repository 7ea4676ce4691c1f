//! Distances without a tree.
use super::{Accuracy, Candidates, DistanceBounds, Margin, MeshAt, Search, TrianglePairDistances};
use crate::{
    Body, SimdLevel,
    query::reference::first_contact,
    stop::StopFlag,
    visitor::{SearchBounds, Visitor},
};
use std::ops::ControlFlow;

/// Distance as [`Query::distance`](crate::Query::distance) finds it, from all pairs of triangles, O(n m).
pub fn distance(a: &Body<'_>, b: &Body<'_>, stop: Accuracy) -> Option<DistanceBounds> {
    if let Some(pair) = first_contact(a, b) {
        return Some(DistanceBounds::meeting([a, b], pair));
    }
    let mut candidates = Candidates::default();
    let mut search = Search::new([a, b].map(MeshAt::of), stop, &mut candidates);
    let limit = search.limit(f64::INFINITY);
    let mut look = |pairs: &[[u32; 2]], progress: &mut SearchBounds| {
        search.take(SimdLevel::Portable, pairs, progress);
        ControlFlow::Continue(())
    };
    let _ = Visitor::new(limit, &mut look)
        .take_all([a, b].map(|body| body.model.mesh().len() as u32), StopFlag(None));
    search.finish()
}

/// Pairs as [`Query::pairs_within`](crate::Query::pairs_within) finds them, from all pairs, O(n m).
pub fn pairs_within(a: &Body<'_>, b: &Body<'_>, margin: Margin) -> Vec<[u32; 2]> {
    let (mut pairs, all) = (Vec::new(), TrianglePairDistances::new([a, b].map(MeshAt::of)));
    let mut look = |some: &[[u32; 2]], _: &mut SearchBounds| {
        pairs.extend(some.iter().filter(|&&pair| all.are_within(pair, &margin)));
        ControlFlow::Continue(())
    };
    let _ = Visitor::new(margin.get(), &mut look)
        .take_all([a, b].map(|body| body.model.mesh().len() as u32), StopFlag(None));
    pairs
}
