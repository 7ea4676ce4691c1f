//! The point of a body that is nearest to a point.
use crate::{
    AnyBody, Body, Pose, Query,
    distance::{Accuracy, AccurateQuery, Candidates, ClosestPoint, DistanceBounds, MeshAt, Search},
    geometry::AnyTree,
    hierarchy::Hierarchy,
    margin::Margin,
    mesh::Mesh,
    motion::{self, Motion, Placement},
    query::{QueryParts, Scratch},
    simd::MOST_DOUBLES,
    visitor::{SearchBounds, Visitor},
    walk::QueryContext,
    wide::{self, LastPlaced, PlacedTree, WaitingStack, WidePointTask},
};
use std::mem::take;

impl Query {
    /// The point of a body's surface that is nearest to a point of the world, and its distance as an interval
    /// that contains it; `None` if that is more than [`Accuracy::above`], which is decided exactly, or the
    /// body has no triangles, or a coordinate is infinite or NaN.
    ///
    /// The distance is 0 if and only if the point is on the surface, and then the triangle is the least that
    /// contains it. Else the interval is at most 2^-40 wide, relative to the largest of the distance, the
    /// nearest triangle, and the longest side of the box around the body's own box. With [`Accuracy::exact`]
    /// it is as narrow as f64 allows, and the triangle is the least of the nearest ones. Otherwise it is the
    /// least of those that share the computed corner or edge. The result is the same on every machine.
    ///
    /// The query tests the triangles that may be nearer than the nearest so far, by their boxes and slabs:
    /// few if the point is near the surface, most of them at the centre of a sphere. Models of other crates'
    /// trees have walks of their own.
    ///
    /// [`Query::locate`] returns the side of the surface; both together give a signed distance.
    ///
    /// ```
    /// use impinge::{Body, solid::Location, Mesh, Model, Pose, Query};
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// let mut query = Query::new();
    /// let found = query.closest_point(&body, [1., 1., -2.]).expect("there are triangles");
    /// assert!(found.lo <= 2.0 && 2.0 <= found.hi && found.hi - found.lo < 1e-11);
    /// assert_eq!((found.triangle, found.point), (0, [1., 1., 0.]));
    ///
    /// // Negative inside of the solid.
    /// let mut signed = |point| {
    ///     let found = query.closest_point(&body, point).expect("there are triangles");
    ///     let distance = found.hi;
    ///     if query.locate(&body, &[point]) == [Location::Inside] { -distance } else { distance }
    /// };
    /// assert!(signed([1., 1., 0.5]) < -0.49 && signed([1., 1., -0.5]) > 0.49);
    /// assert_eq!(signed([1., 1., 0.]), 0.0);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("project_point", "signed_distance", "rtcPointQuery"))]
    pub fn closest_point(&mut self, body: &impl AnyBody, point: [f64; 3]) -> Option<ClosestPoint> {
        self.with_accuracy(Accuracy::new()).closest_point(body, point)
    }

    /// Finds the [`Query::closest_point`] of each point, on the threads of the query.
    pub fn closest_points(&mut self, body: &impl AnyBody, points: &[[f64; 3]]) -> &[Option<ClosestPoint>] {
        self.with_accuracy(Accuracy::new()).closest_points(body, points)
    }
}

impl<'q> AccurateQuery<'q> {
    /// Finds the [`Query::closest_point`] with this accuracy.
    pub fn closest_point(self, body: &impl AnyBody, point: [f64; 3]) -> Option<ClosestPoint> {
        let QueryParts { ask, scratches, .. } = self.query.parts();
        let (radius, body, scratch) = (body.any_radius(), body.any_body(), &mut scratches.first().scratch);
        if radius == 0.0 {
            return ask.near_point(body, point, self.accuracy, scratch);
        }
        ask.rounded_point(body, radius, point, self.accuracy, scratch)
    }

    /// Finds the [`Query::closest_points`] with this accuracy.
    pub fn closest_points(self, body: &impl AnyBody, points: &[[f64; 3]]) -> &'q [Option<ClosestPoint>] {
        let (radius, body) = (body.any_radius(), body.any_body());
        if radius != 0.0 {
            let stop = self.accuracy;
            return self.query.each(points.len(), None, |ask, i, scratch| {
                ask.rounded_point(body, radius, points[i], stop, scratch)
            });
        }
        let (placed, stop) = (body.model.wide().map(|tree| PlacedTree::new(tree, &body.pose)), self.accuracy);
        self.query.each(points.len(), None, |ask, i, scratch| {
            ask.closest_point(body, placed.as_ref(), points[i], stop, scratch)
        })
    }
}

#[derive(Debug, Default)]
struct PointMemory {
    placed: LastPlaced,
    waiting: WaitingStack,
    candidates: Candidates,
    /// Another crate's tree of one point, the origin: built once.
    point_tree: Option<Box<dyn Hierarchy>>,
}

/// A tree of the origin alone that fits another crate's tree.
fn point_tree_of<'a>(tree: &dyn Hierarchy, memory: &'a mut Option<Box<dyn Hierarchy>>) -> &'a dyn Hierarchy {
    if memory.as_ref().is_some_and(|point| !tree.fits(&**point)) {
        *memory = None;
    }
    &**memory.get_or_insert_with(|| match Mesh::new(vec![[0.0; 3]], vec![[0; 3]]) {
        Ok(origin) => tree.rebuild(&origin),
        Err(error) => unreachable!("a triangle of one point is allowed: {error}"),
    })
}

impl QueryContext<'_> {
    /// [`Query::closest_point`] of one point.
    pub(crate) fn near_point(
        &self,
        body: &Body<'_>,
        point: [f64; 3],
        stop: Accuracy,
        scratch: &mut Scratch,
    ) -> Option<ClosestPoint> {
        let placed =
            body.model.wide().map(|tree| scratch.own.get::<PointMemory>().placed.of(tree, &body.pose));
        self.closest_point(body, placed.as_ref(), point, stop, scratch)
    }

    /// Bounds of a point's distance. Unlike [`Self::near_point`] it does not decide whether the point is on
    /// the surface: then the bounds are 0 and a rounding, and the triangle is any that may contain it. The
    /// search begins with the triangle `seed`.
    pub(crate) fn point_bounds(
        &self,
        body: &Body<'_>,
        point: [f64; 3],
        seed: Option<u32>,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        let placed =
            body.model.wide().map(|tree| scratch.own.get::<PointMemory>().placed.of(tree, &body.pose));
        let mut all = take(&mut scratch.own.get::<PointMemory>().candidates);
        let at = Pose::at(point);
        let shapes = [MeshAt::point(&at), MeshAt::of(body)];
        let mut search = Search::new(shapes, Accuracy::new(), &mut all);
        self.visit_near_point(body, placed.as_ref(), &at, &mut search, (f64::NEG_INFINITY, seed), scratch);
        // The caller drops the result of a stopped query.
        let found = if self.stop.is_set() { None } else { search.finish() };
        scratch.own.get::<PointMemory>().candidates = all;
        found
    }

    /// A triangle of a body no farther than the margin from a point, exactly; `None` if there is none. Of
    /// several, any.
    pub(crate) fn point_within(
        &self,
        body: &Body<'_>,
        point: [f64; 3],
        margin: Margin,
        scratch: &mut Scratch,
    ) -> Option<u32> {
        let placed =
            body.model.wide().map(|tree| scratch.own.get::<PointMemory>().placed.of(tree, &body.pose));
        let mut all = take(&mut scratch.own.get::<PointMemory>().candidates);
        let at = Pose::at(point);
        let shapes = [MeshAt::point(&at), MeshAt::of(body)];
        let mut search = Search::new(shapes, Accuracy::new().above(margin), &mut all);
        let enough = margin.down();
        self.visit_near_point(body, placed.as_ref(), &at, &mut search, (enough, None), scratch);
        let near = search.is_within(enough).or_else(|| Some(search.finish_point()?.triangle));
        scratch.own.get::<PointMemory>().candidates = all;
        // The caller drops the result of a stopped query.
        if self.stop.is_set() { None } else { near }
    }

    fn closest_point(
        &self,
        body: &Body<'_>,
        placed: Option<&PlacedTree>,
        point: [f64; 3],
        stop: Accuracy,
        scratch: &mut Scratch,
    ) -> Option<ClosestPoint> {
        if !point.iter().all(|x| x.is_finite()) {
            return None;
        }
        let at = Pose::at(point);
        let shapes = [MeshAt::point(&at), MeshAt::of(body)];
        let mut all = take(&mut scratch.own.get::<PointMemory>().candidates);
        let mut search = Search::new(shapes, stop, &mut all);
        self.visit_near_point(body, placed, &at, &mut search, (f64::NEG_INFINITY, None), scratch);
        // The caller drops the result of a stopped query.
        let found = if self.stop.is_set() { None } else { search.finish_point() };
        scratch.own.get::<PointMemory>().candidates = all;
        found
    }

    /// Shows a search the triangles that may be nearest to the point `at`, until it has one that is certainly
    /// no farther than `enough`. It begins with the triangle `seed`.
    fn visit_near_point(
        &self,
        body: &Body<'_>,
        placed: Option<&PlacedTree>,
        at: &Pose,
        search: &mut Search<'_>,
        (enough, seed): (f64, Option<u32>),
        scratch: &mut Scratch,
    ) {
        let Scratch { walk, own } = scratch;
        let PointMemory { waiting, point_tree, .. } = own.get();
        let limit = search.limit(f64::INFINITY);
        let mut look = |pairs: &[[u32; 2]], progress: &mut SearchBounds| {
            search.take(self.simd, pairs, progress);
            search.or_break(enough)
        };
        let mut visitor = Visitor::new(limit, &mut look);
        // The walk may visit this triangle again; the result does not depend on the order.
        let _ = seed.map(|seed| visitor.take([0, seed]));
        if let (Some(tree), Some(PlacedTree { from_world, length })) = (body.model.wide(), placed) {
            let (tree, point) = (tree.view(), from_world.point(at.translation()));
            let task = WidePointTask {
                tree,
                point,
                length: *length,
                is_rigid: body.pose.is_rigid(),
                stop: self.stop,
            };
            wide::near_point(self.simd, task, waiting, &mut walk.counters.count, &mut visitor);
        } else if let AnyTree::Other(tree) = body.model.tree() {
            let limit = visitor.limit();
            // In this walk the point is the second body.
            let mut look = |pairs: &[[u32; 2]], progress: &mut SearchBounds| {
                for pairs in pairs.chunks(MOST_DOUBLES) {
                    let mut own = [[0; 2]; MOST_DOUBLES];
                    own.iter_mut().zip(pairs).for_each(|(own, &[triangle, _])| *own = [0, triangle]);
                    search.take(self.simd, &own[..pairs.len()], progress);
                }
                search.or_break(enough)
            };
            let mut visitor = Visitor::new(limit, &mut look);
            let point = point_tree_of(&**tree, point_tree);
            let [frame, of_point] = [tree.normalized_frame(), point.normalized_frame()];
            let placement = Placement {
                to_resting: Motion::between(at, &body.pose).in_normalized_frames(of_point, frame),
                to_moving: Motion::between(&body.pose, at).in_normalized_frames(frame, of_point),
            };
            let length = frame.unit_length(motion::inverse_norm(&body.pose));
            let task = self.nearest_task(&placement, length);
            // It ends early only if it is stopped, or has enough.
            let _ = tree.nearest(point, &task, &mut walk.other, &mut walk.counters, &mut visitor);
        } else {
            unreachable!("a model has the fast tree, which the caller places, or another crate's");
        }
    }
}
