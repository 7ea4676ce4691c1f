//! The reference: the questions of a [`Query`](crate::Query), answered without a tree.
//!
//! Every triangle of one body is compared with every triangle of the other whose box, in the first body's
//! frame, it meets on the x axis: O(n m), for tests of your own.
//!
//! ```
//! use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query, brute_force};
//! let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
//! let model = Model::new(triangle, &BuildOptions::default());
//! let (a, b) = (Body::new(&model, Pose::IDENTITY), Body::new(&model, Pose::IDENTITY));
//! assert_eq!(Query::new().pairs(&a, &b), brute_force::pairs(&a, &b));
//! # Ok::<(), impinge::Error>(())
//! ```
use crate::{
    Body, Model, Pose, SimdLevel,
    counters::Count,
    curves::{self, Curves},
    distance::{Accuracy, Candidates, ClosestPoint, Gap, Pairs, Search, Shape},
    margin::Margin,
    motion::Motion,
    narrow::Narrow,
    plane::Plane,
    rays::{Cast, Ray, RayHit, handedness},
    regions::{self, InRegion},
    relation::{Question, Relation, Wanted},
    sink::Sink,
    solid::FillRule,
    visitor::{Progress, Visitor},
    walk::sweep,
};
use std::ops::ControlFlow;

/// As [`Query::intersects`](crate::Query::intersects), without a tree.
pub fn intersects(a: &Body<'_>, b: &Body<'_>) -> bool {
    first_contact(a, b).is_some()
}

/// As [`Query::first_contact`](crate::Query::first_contact), without a tree: the least pair.
pub fn first_contact(a: &Body<'_>, b: &Body<'_>) -> Option<[u32; 2]> {
    pairs(a, b).first().copied()
}

/// As [`Query::pairs`](crate::Query::pairs), without a tree.
pub fn pairs(a: &Body<'_>, b: &Body<'_>) -> Vec<[u32; 2]> {
    counted_pairs(a, b).0
}

/// As [`Query::distance`](crate::Query::distance), without a tree: of every pair of triangles, O(n m).
pub fn distance(a: &Body<'_>, b: &Body<'_>, stop: Accuracy) -> Option<Gap> {
    if let Some(pair) = first_contact(a, b) {
        return Some(Gap::meeting([a, b], pair));
    }
    let mut candidates = Candidates::default();
    let mut search = Search::new([a, b].map(Shape::of), stop, &mut candidates);
    let limit = search.limit(f64::INFINITY);
    let mut look = |pairs: &[[u32; 2]], progress: &mut Progress| {
        search.take(SimdLevel::Portable, pairs, progress);
        ControlFlow::Continue(())
    };
    let _ = Visitor::new(limit, &mut look)
        .take_all([a, b].map(|body| body.model.mesh().len() as u32), crate::stop::StopFlag(None));
    search.finish()
}

/// As [`Query::closest_point`](crate::Query::closest_point), without a tree: of every triangle, O(n).
pub fn closest_point(body: &Body<'_>, point: [f64; 3], stop: Accuracy) -> Option<ClosestPoint> {
    if !point.iter().all(|x| x.is_finite()) {
        return None;
    }
    let (mut candidates, at) = (Candidates::default(), Pose::at(point));
    let shapes = [Shape::point(&at), Shape::of(body)];
    let mut search = Search::new(shapes, stop, &mut candidates);
    let limit = search.limit(f64::INFINITY);
    let mut look = |pairs: &[[u32; 2]], progress: &mut Progress| {
        search.take(SimdLevel::Portable, pairs, progress);
        ControlFlow::Continue(())
    };
    let _ = Visitor::new(limit, &mut look)
        .take_all([1, body.model.mesh().len() as u32], crate::stop::StopFlag(None));
    search.finish_point()
}

/// As [`Query::ray_first`](crate::Query::ray_first), without a tree: of every triangle, O(n).
pub fn ray_first(body: &Body<'_>, ray: &Ray) -> Option<RayHit> {
    ray_all(body, ray).first().copied()
}

/// As [`Query::ray_all`](crate::Query::ray_all), without a tree and without the filter: integers decide every
/// triangle, O(n).
pub fn ray_all(body: &Body<'_>, ray: &Ray) -> Vec<RayHit> {
    let cast = Cast::new(ray, body, handedness(body));
    let all = 0..body.model.mesh().len() as u32;
    let mut hits: Vec<RayHit> = all.filter_map(|i| cast.hit_by_integers(i)).collect();
    cast.sort_by_integers(&mut hits);
    hits
}

/// As [`Query::triangles_in`](crate::Query::triangles_in), without a tree and without the filter: integers
/// decide every triangle, O(n).
pub fn triangles_in(body: &Body<'_>, planes: &[Plane], which: InRegion) -> Vec<u32> {
    let all = 0..body.model.mesh().len() as u32;
    all.filter(|&i| regions::is_in_by_integers(body, i, planes, which)).collect()
}

/// As [`Query::pairs_within`](crate::Query::pairs_within), without a tree: every pair of triangles, O(n m).
pub fn pairs_within(a: &Body<'_>, b: &Body<'_>, margin: Margin) -> Vec<[u32; 2]> {
    let (mut pairs, all) = (Vec::new(), Pairs::new([a, b].map(Shape::of)));
    let mut look = |some: &[[u32; 2]], _: &mut Progress| {
        pairs.extend(some.iter().filter(|&&pair| all.are_within(pair, margin.get())));
        ControlFlow::Continue(())
    };
    let _ = Visitor::new(margin.get(), &mut look)
        .take_all([a, b].map(|body| body.model.mesh().len() as u32), crate::stop::StopFlag(None));
    pairs
}

/// As [`Query::curves`](crate::Query::curves), without a tree, and without relying on which features of
/// meshes have points in common: all nodes are compared with all that could hold them, exactly.
pub fn curves(a: &Body<'_>, b: &Body<'_>) -> Curves {
    curves::by_brute_force(a, b, &pairs(a, b))
}

/// As [`pairs`], with the work that it was.
pub fn counted_pairs(a: &Body<'_>, b: &Body<'_>) -> (Vec<[u32; 2]>, Count) {
    let (mut pairs, mut count) = (Vec::new(), Count::default());
    let narrow = Narrow::new(a.mesh(), b.mesh(), &Motion::between(&b.pose, &a.pose));
    let sink = &mut Sink::All(&mut pairs);
    let _ = sweep::run([a.model.mesh(), b.model.mesh()], &narrow, &mut Default::default(), &mut count, sink);
    pairs.sort_unstable();
    (pairs, count)
}

/// As [`Query::relation`](crate::Query::relation), found in another way: the planes of all triangles that
/// meet a face cut every face of both bodies into convex cells, and a ray through all triangles locates a
/// point on either side of each cell. Hours for large meshes that meet much.
pub fn relation(a: &Body<'_>, b: &Body<'_>, fill_rule: FillRule) -> Relation {
    let narrow = Narrow::new(a.mesh(), b.mesh(), &Motion::between(&b.pose, &a.pose));
    let mut memory = Default::default();
    let wanted = (Wanted::Relation, crate::stop::StopFlag(None));
    Question::new([a, b], fill_rule, &narrow, &mut memory, wanted).by_cells(&pairs(a, b))
}

/// As [`Query::self_first_contact`](crate::Query::self_first_contact), without a tree: the least pair.
pub fn self_first_contact(model: &Model) -> Option<[u32; 2]> {
    self_pairs(model).first().copied()
}

/// As [`Query::self_pairs`](crate::Query::self_pairs), without a tree.
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
