//! Pairs of triangles that meet, without a tree.
use crate::{Body, Model, Pose, counters::Count, motion::Motion, narrow::Narrow, sink::Sink, walk::sweep};

/// Decides [`Query::intersects`](crate::Query::intersects) without a tree.
pub fn intersects(a: &Body<'_>, b: &Body<'_>) -> bool {
    first_contact(a, b).is_some()
}

/// Finds the least pair of [`Query::first_contact`](crate::Query::first_contact) without a tree.
pub fn first_contact(a: &Body<'_>, b: &Body<'_>) -> Option<[u32; 2]> {
    pairs(a, b).first().copied()
}

/// Finds [`Query::pairs`](crate::Query::pairs) without a tree.
pub fn pairs(a: &Body<'_>, b: &Body<'_>) -> Vec<[u32; 2]> {
    counted_pairs(a, b).0
}

/// Finds [`pairs`], with counters of the work.
pub fn counted_pairs(a: &Body<'_>, b: &Body<'_>) -> (Vec<[u32; 2]>, Count) {
    let (mut pairs, mut count) = (Vec::new(), Count::default());
    let narrow = Narrow::new(a.mesh(), b.mesh(), &Motion::between(&b.pose, &a.pose));
    let sink = &mut Sink::All(&mut pairs);
    let _ = sweep::run([a.model.mesh(), b.model.mesh()], &narrow, &mut Default::default(), &mut count, sink);
    pairs.sort_unstable();
    (pairs, count)
}

/// Finds the least pair of [`Query::self_first_contact`](crate::Query::self_first_contact) without a tree.
pub fn self_first_contact(model: &Model) -> Option<[u32; 2]> {
    self_pairs(model).first().copied()
}

/// Finds [`Query::self_pairs`](crate::Query::self_pairs) without a tree.
pub fn self_pairs(model: &Model) -> Vec<[u32; 2]> {
    let body = Body::new(model, Pose::IDENTITY);
    let (mut pairs, mut count) = (Vec::new(), Count::default());
    let sink = &mut Sink::All(&mut pairs);
    let _ = sweep::run(
        [model.mesh(); 2],
        &Narrow::within(body.mesh(), model.welded()),
        &mut Default::default(),
        &mut count,
        sink,
    );
    pairs.sort_unstable();
    pairs
}
