//! Queries for the distance of bodies.
use super::{
    Accuracy, AccurateQuery, Candidates, DistanceBounds, Margin, MeshAt, Search,
    hulls::{HullMemory, HullSeparation},
    pairs::is_second_first,
};
use crate::{
    AnyBody, Body, Model, Obstacle, Pose, Query,
    geometry::AnyTree,
    motion::{self, Motion},
    obstacle::ObstacleRef,
    points::PointLocator,
    query::{QueryParts, Scratch},
    relation::RelationDetail,
    solid::{FillRule, Location},
    visitor::{SearchBounds, Visitor},
    walk::{self, QueryContext},
    wide::{self, NearestStack, WideNearestTask, WideTree},
    world::rotated,
};
use std::{mem::take, ops::ControlFlow};

impl Query {
    /// Finds an interval that contains the distance of two bodies' surfaces, and nearest points. `None` if
    /// the distance is more than [`Accuracy::above`], which is decided exactly, or a body has no triangles.
    ///
    /// If `b` is a [half-space](crate::HalfSpace), the interval is as wide as the rounding of a placed corner
    /// and n.x - d. The second triangle is 0, and the points are a lowest corner and the one below it on the
    /// plane.
    ///
    /// Bodies that meet are 0 apart, exactly; the choice among the places where they meet is not defined. For
    /// others the width of the interval is at most 2^-40 of the largest of these lengths: the distance, the
    /// size of the nearest triangles, and the longest side of the box around either body's own box. The pair
    /// of triangles, the points and both ends are the same on every machine and in either order of the
    /// bodies. With [`Accuracy::exact`] the pair attains the distance. Of several such pairs it is the least,
    /// compared first by the triangle of the body that comes first by its pose and mesh. If one body is
    /// inside the other, the distance is that of their surfaces. With [`Accuracy::solids`] it is 0 for
    /// solids, and the result has a corner of the inner one and the nearest triangle of the other.
    /// [`Accuracy::rel`] and [`Accuracy::abs`] compute less, faster.
    ///
    /// The query tests the triangles that may be nearer than the nearest pair so far, by their boxes and by
    /// the direction in which the bodies are nearest. These are few where bodies are apart, and most of them
    /// where surfaces run side by side. Models with other crates' trees have walks of their own. Bodies whose
    /// trees do not fit together are compared triangle by triangle, O(n m).
    ///
    /// ```
    /// use impinge::{Body, distance::{Margin, Accuracy}, Mesh, Model, Pose, Query};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle);
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let b = Body::new(&model, Pose::from_translation([5., 0., 0.5])?);
    /// let mut query = Query::new();
    /// let gap = query.distance(&a, &b).expect("they have triangles");
    /// let distance = 1.25_f64.sqrt();
    /// assert!(gap.lo <= distance && distance <= gap.hi && gap.hi - gap.lo < 1e-12);
    /// assert_eq!(gap.points, [[4., 0., 0.], [5., 0., 0.5]]);
    /// // Only whether they are nearer than a margin, and how near.
    /// let near = Accuracy::new().above(Margin::new(1.0)?);
    /// assert!(query.with_accuracy(near).distance(&a, &b).is_none());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("min_distance", "nearest_points"))]
    pub fn distance(&mut self, a: &impl AnyBody, b: &(impl Obstacle + ?Sized)) -> Option<DistanceBounds> {
        self.with_accuracy(Accuracy::new()).distance(a, b)
    }

    /// Computes [`Query::distance`] for each pair of bodies, on the threads of the query.
    pub fn distance_each(&mut self, bodies: &[[impl AnyBody; 2]]) -> &[Option<DistanceBounds>] {
        self.with_accuracy(Accuracy::new()).distance_each(bodies)
    }

    /// Computes [`Query::distance`] for `a` and `b` at each of many poses, on the threads of the query.
    pub fn distance_at(
        &mut self,
        a: &(impl Obstacle + ?Sized),
        b: &Model,
        poses: &[Pose],
    ) -> &[Option<DistanceBounds>] {
        self.with_accuracy(Accuracy::new()).distance_at(a, b, poses)
    }
}

impl<'q> AccurateQuery<'q> {
    /// Computes [`Query::distance`] with this accuracy.
    pub fn distance(self, a: &impl AnyBody, b: &(impl Obstacle + ?Sized)) -> Option<DistanceBounds> {
        let QueryParts { ask, fill_rule, scratches, .. } = self.query.parts();
        let (ask, scratch) = (ask.mixed(), &mut scratches.first().scratch);
        let Self { cache, accuracy, .. } = self;
        match (cache, a.any_radius(), b.obstacle()) {
            (Some(cache), 0.0, ObstacleRef::Body(b, 0.0)) => {
                ask.distance_cached([a.any_body(), b], accuracy, fill_rule, cache, scratch)
            }
            _ => ask.distance_of(a, b, accuracy, fill_rule, scratch),
        }
    }

    /// Computes [`Query::distance_each`] with this accuracy.
    pub fn distance_each(self, bodies: &[[impl AnyBody; 2]]) -> &'q [Option<DistanceBounds>] {
        let (accuracy, fill_rule) = (self.accuracy, self.query.parts().fill_rule);
        self.query.each(bodies.len(), None, |ask, i, scratch| {
            let [a, b] = &bodies[i];
            ask.mixed().distance_of(a, b, accuracy, fill_rule, scratch)
        })
    }

    /// Computes [`Query::distance_at`] with this accuracy.
    pub fn distance_at(
        self,
        a: &(impl Obstacle + ?Sized),
        b: &Model,
        poses: &[Pose],
    ) -> &'q [Option<DistanceBounds>] {
        let (accuracy, fill_rule) = (self.accuracy, self.query.parts().fill_rule);
        self.query.each(poses.len(), None, |ask, i, scratch| {
            let (ask, b) = (ask.mixed(), &Body::new(b, poses[i]));
            match a.obstacle() {
                ObstacleRef::Body(a, radius) => {
                    ask.body_distance([a, b], [radius, 0.0], accuracy, fill_rule, scratch)
                }
                ObstacleRef::HalfSpace(a) => {
                    let mut found = ask.half_space_distance(b, a, accuracy, scratch)?;
                    found.triangles.reverse();
                    found.points.reverse();
                    Some(found)
                }
            }
        })
    }
}

impl QueryContext<'_> {
    fn distance_of(
        &self,
        a: &impl AnyBody,
        b: &(impl Obstacle + ?Sized),
        stop: Accuracy,
        fill_rule: FillRule,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        match b.obstacle() {
            ObstacleRef::Body(b, radius) => {
                let radii = [a.any_radius(), radius];
                self.body_distance([a.any_body(), b], radii, stop, fill_rule, scratch)
            }
            ObstacleRef::HalfSpace(b) => self.half_space_distance(a, b, stop, scratch),
        }
    }

    /// The distance of bodies with these radii.
    fn body_distance(
        &self,
        bodies: [&Body<'_>; 2],
        radii: [f64; 2],
        stop: Accuracy,
        fill_rule: FillRule,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        if radii == [0.0; 2] {
            return self.distance(bodies, stop, fill_rule, scratch);
        }
        self.rounded_distance(bodies, radii, stop, fill_rule, scratch)
    }

    fn distance(
        &self,
        [a, b]: [&Body<'_>; 2],
        stop: Accuracy,
        fill_rule: FillRule,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        let separation = self.separation([a, b], None, scratch);
        if separation.is_some() {
            return self.gap_along([a, b], separation, stop, None, scratch);
        }
        // If their boxes are apart, no triangles meet.
        let [box_a, box_b] = [a, b].map(|body| rotated(body.model, &body.pose));
        let met = if box_a.apart_from(&box_b) > 0.0 {
            None
        } else {
            self.first([a.placed(), b.placed()], &mut scratch.walk)
        };
        self.distance_if([a, b], stop, fill_rule, met, None, scratch)
    }

    /// The distance of bodies. `met` is a pair of triangles that meet; `None` is a proof that there is none.
    /// `seed` are triangles that may be near each other.
    pub(crate) fn distance_if(
        &self,
        [a, b]: [&Body<'_>; 2],
        stop: Accuracy,
        fill_rule: FillRule,
        met: Option<[u32; 2]>,
        seed: Option<[u32; 2]>,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        if let Some(triangles) = met {
            return Some(DistanceBounds::meeting([a, b], triangles));
        }
        let detail = RelationDetail::Interiors;
        if stop.solids && self.relation([a, b], Some(&[]), fill_rule, detail, scratch).overlaps() {
            return self.one_inside([a, b], fill_rule, scratch);
        }
        if stop.above == Some(Margin::ZERO) {
            // They do not meet.
            return None;
        }
        self.gap_along([a, b], None, stop, seed, scratch)
    }

    /// A place where a part of one body is inside of the other, for bodies whose surfaces do not meet.
    pub(super) fn one_inside(
        &self,
        bodies: [&Body<'_>; 2],
        fill_rule: FillRule,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        let exchanged = is_second_first(bodies.map(|body| (&body.pose, body.model.mesh())));
        // If a part is inside, all its corners are, but for rounding: this takes the first one located
        // inside.
        let places = if exchanged { [1, 0] } else { [0, 1] };
        let corners = places.into_iter().flat_map(|inner| {
            let Body { model, pose } = bodies[inner];
            (0..model.mesh().len() as u32).map(move |t| (inner, t, pose.place(model.mesh().corners(t)[0])))
        });
        // Made at first use: mostly for one outer body alone.
        let (mut outer, mut slopes) = ([None, None], [[None; 6]; 2]);
        let mut found = None;
        for (inner, t, corner) in corners {
            if self.stop.is_set() {
                return None;
            }
            // The first corner counts if rounding takes every corner out of the other body.
            found = found.or(Some((inner, t, corner)));
            let place = outer[inner].get_or_insert_with(|| PointLocator::new(bodies[1 - inner], fill_rule));
            if self.locate(place, corner, &mut slopes[inner], scratch) == Location::Inside {
                found = Some((inner, t, corner));
                break;
            }
        }
        let (inner, t, corner) = found?;
        let near = self.near_point(bodies[1 - inner], corner, Accuracy::new(), scratch)?;
        let mut triangles = [t; 2];
        triangles[1 - inner] = near.triangle;
        Some(DistanceBounds { lo: 0.0, hi: 0.0, triangles, points: [corner; 2] })
    }

    /// The distance of bodies that do not meet. `seed` are triangles that may be near each other.
    pub(crate) fn gap(
        &self,
        bodies: [&Body<'_>; 2],
        stop: Accuracy,
        seed: Option<[u32; 2]>,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        let separation = self.separation(bodies, seed, scratch);
        self.gap_along(bodies, separation, stop, seed, scratch)
    }

    /// A direction along which the bodies are certainly apart, if they have few points. The next query uses
    /// the memory for it.
    pub(super) fn separation(
        &self,
        bodies: [&Body<'_>; 2],
        seed: Option<[u32; 2]>,
        scratch: &mut Scratch,
    ) -> Option<HullSeparation> {
        scratch.own.get::<HullMemory>().separation(bodies, seed, self.simd)
    }

    /// The distance of bodies that do not meet, and are apart along a direction if one is given.
    pub(super) fn gap_along(
        &self,
        [a, b]: [&Body<'_>; 2],
        separation: Option<HullSeparation>,
        stop: Accuracy,
        seed: Option<[u32; 2]>,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        if stop.above == Some(Margin::ZERO) && separation.is_some() {
            return None;
        }
        let mut candidates = take(scratch.own.get::<Candidates>());
        let mut search = Search::new([a, b].map(MeshAt::of), stop, &mut candidates);
        search.at_least = separation.map_or(0.0, |separation| separation.gap);
        let limit = search.limit(f64::INFINITY);
        let mut look = |pairs: &[[u32; 2]], progress: &mut SearchBounds| {
            search.take(self.simd, pairs, progress);
            ControlFlow::Continue(())
        };
        let mut visitor = Visitor::new(limit, &mut look);
        // The walk visits it again. The result does not depend on what is tested first.
        let is_done = separation.is_some_and(|separation| {
            let mut memory = take(scratch.own.get::<HullMemory>());
            let count = &mut scratch.walk.counters.count;
            let is_done = memory.visit(&separation, [a, b], self.simd, count, &mut visitor);
            *scratch.own.get() = memory;
            is_done
        });
        if !is_done {
            let _ = seed.map(|seed| visitor.take(seed));
            self.visit([a, b], &mut visitor, scratch);
        }
        // The caller drops the result of a stopped query.
        let gap = if self.stop.is_set() { None } else { search.finish() };
        *scratch.own.get() = candidates;
        gap
    }

    /// Visits pairs of triangles, the nearest by their boxes first.
    fn visit(&self, [a, b]: [&Body<'_>; 2], visitor: &mut Visitor<'_>, scratch: &mut Scratch) {
        let (Some(of_a), Some(of_b)) = (a.model.wide(), b.model.wide()) else {
            if let (AnyTree::Other(of_a), AnyTree::Other(of_b)) = (a.model.tree(), b.model.tree())
                && of_a.fits(&**of_b)
            {
                let placement = a.placement(b, &Motion::between(&b.pose, &a.pose));
                let length = of_a.normalized_frame().unit_length(motion::inverse_norm(&a.pose));
                let task = self.nearest_task(&placement, length);
                let walk::WalkMemory { other, counters, .. } = &mut scratch.walk;
                // It ends early only if it is stopped.
                let _ = of_a.nearest(&**of_b, &task, other, counters, visitor);
                return;
            }
            // It ends early only if it is stopped, or has its result.
            let _ = visitor.take_all([a, b].map(|body| body.model.mesh().len() as u32), self.stop);
            return;
        };
        let placement = a.placement(b, &Motion::between(&b.pose, &a.pose));
        let transforms = of_a.relative_transforms(of_b, &of_a.placement(of_b, &placement));
        let length = |tree: &WideTree, body: &Body<'_>| tree.unit_length(motion::inverse_norm(&body.pose));
        let task = WideNearestTask {
            trees: [of_a.view(), of_b.view()],
            transforms: &transforms,
            lengths: [length(of_a, a), length(of_b, b)],
            pose: &a.pose,
            stop: self.stop,
        };
        let Scratch { walk, own } = scratch;
        let (counters, stack) = (&mut walk.counters, own.get::<NearestStack>());
        wide::nearest(self.simd, task, stack, &mut counters.count, visitor);
    }
}
