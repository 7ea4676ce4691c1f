//! Nearest points without a tree.
use crate::{
    Body, Pose, SimdLevel,
    distance::{Accuracy, Candidates, ClosestPoint, MeshAt, Search},
    stop::StopFlag,
    visitor::{SearchBounds, Visitor},
};
use std::ops::ControlFlow;

/// Finds [`Query::closest_point`](crate::Query::closest_point) without a tree, by tests of every triangle,
/// O(n).
pub fn closest_point(body: &Body<'_>, point: [f64; 3], stop: Accuracy) -> Option<ClosestPoint> {
    if !point.iter().all(|x| x.is_finite()) {
        return None;
    }
    let (mut candidates, at) = (Candidates::default(), Pose::at(point));
    let shapes = [MeshAt::point(&at), MeshAt::of(body)];
    let mut search = Search::new(shapes, stop, &mut candidates);
    let limit = search.limit(f64::INFINITY);
    let mut look = |pairs: &[[u32; 2]], progress: &mut SearchBounds| {
        search.take(SimdLevel::Portable, pairs, progress);
        ControlFlow::Continue(())
    };
    let _ = Visitor::new(limit, &mut look).take_all([1, body.model.mesh().len() as u32], StopFlag(None));
    search.finish_point()
}
