//! How far apart bodies are.
use super::{PairCount, Query, Scratch, hand_out, locate::Place, run_length};
use crate::{
    Body, Model, Pose, Threads,
    distance::{Accuracy, Decider, Gap, Pairs, Search, Shape, is_second_first},
    geometry::Tree,
    margin::Margin,
    motion::{self, Motion, Placement},
    narrow::Narrow,
    pool,
    relation::Wanted,
    sink::{Listed, Rest, Sink},
    solid::{FillRule, Location},
    visitor::{Progress, Visitor},
    walk::{self, QueryContext, sweep},
    wide::{self, NearestTask, RelativeTransforms, WalkRange, WideTree},
    world::rotated,
};
use std::{mem::take, ops::ControlFlow};

impl Query {
    /// The distance of two bodies' surfaces, as an interval that holds it, and where they are nearest; `None`
    /// if it is more than [`Accuracy::above`], which is decided exactly, or a body has no triangles.
    ///
    /// Bodies that meet are 0 apart, exactly; the choice among the places where they meet is not defined. For
    /// others the interval is at most 2^-40 wide, relative to the largest of the distance, the nearest
    /// triangles, and the longest side of the box around either body's own box. The pair of triangles, the
    /// points and both ends are the same on every machine and in either order of the bodies. With
    /// [`Accuracy::exact`] the pair attains the distance, and is the least of several: by the triangle of
    /// that body first which comes first by its pose and mesh. The distance of one body inside the other is
    /// that of their surfaces. With [`Accuracy::solids`] it is 0 for solids, and the result has a corner of
    /// the inner one and the nearest triangle of the other. [`Accuracy::rel`] and [`Accuracy::abs`] compute
    /// less, faster.
    ///
    /// It looks at the triangles that may be nearer than the nearest pair, by their boxes and by the
    /// direction in which the bodies are nearest: few where bodies are apart, most of them where surfaces run
    /// side by side. Of models of other crates' trees it compares all triangles, O(n m).
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, distance::{Margin, Accuracy}, Mesh, Model, Pose, Query};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let b = Body::new(&model, Pose::from_translation([5., 0., 0.5])?);
    /// let mut query = Query::new();
    /// let gap = query.distance(&a, &b, Accuracy::new()).expect("they have triangles");
    /// let distance = 1.25_f64.sqrt();
    /// assert!(gap.lo <= distance && distance <= gap.hi && gap.hi - gap.lo < 1e-12);
    /// assert_eq!(gap.points, [[4., 0., 0.], [5., 0., 0.5]]);
    /// // Only whether they are nearer than a margin, and how near.
    /// assert!(query.distance(&a, &b, Accuracy::new().above(Margin::new(1.0)?)).is_none());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("min_distance", "nearest_points"))]
    pub fn distance(&mut self, a: &Body<'_>, b: &Body<'_>, stop: Accuracy) -> Option<Gap> {
        let (flag, scratch) = (self.stop.clone(), &mut self.scratches.first().scratch);
        let ask = QueryContext::new(self.simd, self.counting, true, flag.as_deref());
        ask.distance([a, b], (stop, self.fill_rule), scratch)
    }

    /// [`Query::distance`] of each pair of bodies, on the threads there are.
    pub fn distance_each(&mut self, bodies: &[[Body<'_>; 2]], stop: Accuracy) -> &[Option<Gap>] {
        self.distances_of(bodies.len(), stop, |i| bodies[i])
    }

    /// [`Query::distance`] of `a` and `b` at each of many poses, on the threads there are.
    pub fn distance_at(&mut self, a: &Body<'_>, b: &Model, poses: &[Pose], stop: Accuracy) -> &[Option<Gap>] {
        self.distances_of(poses.len(), stop, |i| [*a, Body::new(b, poses[i])])
    }

    fn distances_of<'a>(
        &mut self,
        count: usize,
        stop: Accuracy,
        bodies: impl Fn(usize) -> [Body<'a>; 2] + Sync,
    ) -> &[Option<Gap>] {
        let flag = self.stop.clone();
        let ask = QueryContext::new(self.simd, self.counting, true, flag.as_deref());
        self.gaps.clear();
        self.gaps.resize(count, None);
        let shares = self.scratches.for_threads(self.threads, count);
        let (fill_rule, run) = (self.fill_rule, run_length(count, shares.len()));
        hand_out(shares, &mut self.gaps, run, &|_, share, first, slots| {
            for (i, slot) in (first..).zip(slots) {
                if ask.stop.is_set() {
                    return;
                }
                let [a, b] = bodies(i);
                *slot = ask.distance([&a, &b], (stop, fill_rule), &mut share.scratch);
            }
        });
        &self.gaps
    }

    /// Whether some point of the one body's surface is no further from one of the other's than the margin:
    /// exactly, over the real numbers. With [`Margin::ZERO`] it is [`Query::intersects`].
    ///
    /// The walk is that of [`Query::intersects`], of any volumes, loosened by the margin; it ends at the
    /// first such pair of triangles. Where it is long, it is shared out to the threads there are.
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, distance::Margin, Mesh, Model, Pose, Query};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// // 3-4-5: exactly 5 from the corner (4, 0, 0).
    /// let b = Body::new(&model, Pose::from_translation([7., 0., 4.])?);
    /// let mut query = Query::new();
    /// assert!(query.within(&a, &b, Margin::new(5.0)?));
    /// assert!(!query.within(&a, &b, Margin::new(5_f64.next_down())?));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("clearance", "security_margin", "tolerance"))]
    pub fn within(&mut self, a: &Body<'_>, b: &Body<'_>, margin: Margin) -> bool {
        if margin == Margin::ZERO || self.threads != Threads::Pool || pool::threads() == 1 {
            return self.first_within(a, b, margin).is_some();
        }
        let flag = self.stop.clone();
        let ask = QueryContext::new(self.simd, self.counting, true, flag.as_deref());
        ask.divided_is_near([a, b], margin, &mut self.scratches)
    }

    /// A pair of triangles (of `a`, of `b`) no further apart than the margin, or `None`. Of several, any.
    pub fn first_within(&mut self, a: &Body<'_>, b: &Body<'_>, margin: Margin) -> Option<[u32; 2]> {
        let (flag, scratch) = (self.stop.clone(), &mut self.scratches.first().scratch);
        let ask = QueryContext::new(self.simd, self.counting, true, flag.as_deref());
        ask.first_within([a, b], margin, scratch)
    }

    /// [`Query::within`] of `a` and `b` at each of many poses, on the threads there are.
    pub fn within_at(&mut self, a: &Body<'_>, b: &Model, poses: &[Pose], margin: Margin) -> &[bool] {
        let flag = self.stop.clone();
        let ask = QueryContext::new(self.simd, self.counting, true, flag.as_deref());
        self.flags.clear();
        self.flags.resize(poses.len(), false);
        let shares = self.scratches.for_threads(self.threads, poses.len());
        let run = run_length(poses.len(), shares.len());
        hand_out(shares, &mut self.flags, run, &|_, share, first, slots| {
            for (slot, pose) in slots.iter_mut().zip(&poses[first..]) {
                if ask.stop.is_set() {
                    return;
                }
                let b = Body::new(b, *pose);
                *slot = ask.first_within([a, &b], margin, &mut share.scratch).is_some();
            }
        });
        &self.flags
    }

    /// Every pair of triangles (of `a`, of `b`) no further apart than the margin, sorted. With
    /// [`Margin::ZERO`] these are [`Query::pairs`].
    ///
    /// Each is decided for itself: it takes longest where many are near. A long walk is shared out to the
    /// threads there are.
    ///
    /// # Panics
    /// If the list does not fit in memory: [`Query::pairs_within_at_most`] limits it.
    pub fn pairs_within(&mut self, a: &Body<'_>, b: &Body<'_>, margin: Margin) -> &[[u32; 2]] {
        let mut pairs = std::mem::take(&mut self.pairs);
        self.pairs_within_at_most((a, b), margin, usize::MAX, &mut pairs);
        self.pairs = pairs;
        &self.pairs
    }

    /// Counts the pairs that [`pairs_within`](Self::pairs_within) lists, and lists them if they are not more
    /// than `most`.
    ///
    /// `pairs` is cleared first. It contains all pairs, sorted, if the count is at most `most`, and is empty
    /// otherwise. Each thread takes memory for at most `most` pairs.
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, distance::Margin, Mesh, Model, Pose, Query};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]; 8])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let b = Body::new(&model, Pose::from_translation([0., 0., 1.])?);
    /// let (mut query, mut pairs) = (Query::new(), Vec::new());
    /// let found = query.pairs_within_at_most((&a, &b), Margin::new(1.0)?, 10, &mut pairs);
    /// assert_eq!((found.count, found.first, pairs.len()), (64, Some([0, 0]), 0));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn pairs_within_at_most(
        &mut self,
        (a, b): (&Body<'_>, &Body<'_>),
        margin: Margin,
        most: usize,
        pairs: &mut Vec<[u32; 2]>,
    ) -> PairCount {
        let flag = self.stop.clone();
        let ask = QueryContext::new(self.simd, self.counting, true, flag.as_deref());
        pairs.clear();
        let (scratches, bodies, listed) = (&mut self.scratches, [a, b], (&mut *pairs, most));
        let rest = match (margin == Margin::ZERO, self.threads == Threads::Pool && pool::threads() > 1) {
            (true, true) => ask.divided_at_most(bodies, scratches, listed),
            (true, false) => {
                ask.append_at_most([a.placed(), b.placed()], &mut scratches.first().scratch.walk, listed)
            }
            (false, true) => ask.divided_near(bodies, margin, scratches, listed),
            (false, false) => ask.append_near(bodies, margin, &mut scratches.first().scratch, listed),
        };
        PairCount::of(pairs, rest)
    }
}

impl QueryContext<'_> {
    fn distance(
        &self,
        [a, b]: [&Body<'_>; 2],
        (stop, fill_rule): (Accuracy, FillRule),
        scratch: &mut Scratch,
    ) -> Option<Gap> {
        // Where their boxes are apart, no walk is needed for that.
        let [box_a, box_b] = [a, b].map(|body| rotated(body.model, &body.pose));
        let met = if box_a.apart_from(&box_b) > 0.0 {
            None
        } else {
            self.first([a.placed(), b.placed()], &mut scratch.walk)
        };
        self.distance_if([a, b], (stop, fill_rule), met, None, scratch)
    }

    /// The distance of bodies, if the caller has a pair of triangles that meet, or a proof that there is
    /// none. `seed`: triangles that may be near each other.
    pub(super) fn distance_if(
        &self,
        [a, b]: [&Body<'_>; 2],
        (stop, fill_rule): (Accuracy, FillRule),
        met: Option<[u32; 2]>,
        seed: Option<[u32; 2]>,
        scratch: &mut Scratch,
    ) -> Option<Gap> {
        if let Some(triangles) = met {
            return Some(Gap::meeting([a, b], triangles));
        }
        let wanted = (fill_rule, Wanted::Interiors);
        if stop.solids && self.relation([a, b], Some(&[]), wanted, scratch).interiors_meet() {
            return self.one_inside([a, b], fill_rule, scratch);
        }
        self.gap([a, b], stop, seed, scratch)
    }

    /// A place where a part of one body is inside of the other, for bodies whose surfaces do not meet.
    fn one_inside(&self, bodies: [&Body<'_>; 2], fill_rule: FillRule, scratch: &mut Scratch) -> Option<Gap> {
        let exchanged = is_second_first(bodies.map(|body| (&body.pose, body.model.mesh())));
        // If a part is inside, all its corners are, but for rounding: this takes the first one located
        // inside.
        let places = if exchanged { [1, 0] } else { [0, 1] };
        let corners = places.into_iter().flat_map(|inner| {
            let Body { model, pose } = bodies[inner];
            (0..model.mesh().len() as u32).map(move |t| (inner, t, pose.place(model.mesh().corners(t)[0])))
        });
        // Of each, that it is the outer one; most often only of the second.
        let (mut outer, mut slopes) = ([None, None], [[None; 6]; 2]);
        let mut found = None;
        for (inner, t, corner) in corners {
            if self.stop.is_set() {
                return None;
            }
            // If rounding takes every corner out of the other, the first one.
            found = found.or(Some((inner, t, corner)));
            let place = outer[inner].get_or_insert_with(|| Place::new(bodies[1 - inner], fill_rule));
            if self.locate(place, corner, &mut slopes[inner], scratch) == Location::Inside {
                found = Some((inner, t, corner));
                break;
            }
        }
        let (inner, t, corner) = found?;
        let near = self.near_point(bodies[1 - inner], corner, Accuracy::new(), scratch)?;
        let mut triangles = [t; 2];
        triangles[1 - inner] = near.triangle;
        Some(Gap { lo: 0.0, hi: 0.0, triangles, points: [corner; 2] })
    }

    /// The distance of bodies that do not meet. `seed`: triangles that may be near each other.
    pub(crate) fn gap(
        &self,
        [a, b]: [&Body<'_>; 2],
        stop: Accuracy,
        seed: Option<[u32; 2]>,
        scratch: &mut Scratch,
    ) -> Option<Gap> {
        let mut candidates = take(&mut scratch.candidates);
        let mut search = Search::new([a, b].map(Shape::of), stop, &mut candidates);
        let limit = search.limit(f64::INFINITY);
        let mut look = |pairs: &[[u32; 2]], progress: &mut Progress| {
            search.take(self.simd, pairs, progress);
            ControlFlow::Continue(())
        };
        let mut visitor = Visitor::new(limit, &mut look);
        // It is not left out: whatever is found first, the answer is the same.
        let _ = seed.map(|seed| visitor.take(seed));
        self.visit([a, b], &mut visitor, scratch);
        // The caller drops the result of a stopped query.
        let gap = if self.stop.is_set() { None } else { search.finish() };
        scratch.candidates = candidates;
        gap
    }

    pub(crate) fn first_within(
        &self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        scratch: &mut Scratch,
    ) -> Option<[u32; 2]> {
        if margin == Margin::ZERO {
            return self.first([a.placed(), b.placed()], &mut scratch.walk);
        }
        let mut candidates = take(&mut scratch.candidates);
        let mut decider = Decider::new(Pairs::new([a, b].map(Shape::of)), margin.get(), &mut candidates);
        let mut found = None;
        let mut look = |pair| {
            if decider.is_within(pair) {
                found = Some(pair);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let _ = self.near([a, b], margin, scratch, &mut Sink::Each(&mut look));
        scratch.candidates = candidates;
        found
    }

    /// Every pair of triangles no further apart than the margin, in any order, behind what `pairs` holds, up
    /// to a limit; the rest is counted.
    pub(super) fn append_near(
        &self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        scratch: &mut Scratch,
        (pairs, most): (&mut Vec<[u32; 2]>, usize),
    ) -> Rest {
        let mut rest = Rest::default();
        let all = Pairs::new([a, b].map(Shape::of));
        let is_within = |pair| all.are_within(pair, margin.get());
        // It ends early only if it is stopped, which the caller checks.
        let is_fast = |body: &Body<'_>| !matches!(body.model.tree(), Tree::Other(_));
        if most == usize::MAX && is_fast(a) && is_fast(b) {
            // Nearly all that it sends is within.
            let before = pairs.len();
            let _ = self.near([a, b], margin, scratch, &mut Sink::All(pairs));
            self.keep(pairs, before, is_within);
            return rest;
        }
        let mut listed = Listed { pairs, most, rest: &mut rest };
        let mut look = |pair| {
            if is_within(pair) {
                listed.take(pair);
            }
            ControlFlow::Continue(())
        };
        let _ = self.near([a, b], margin, scratch, &mut Sink::Each(&mut look));
        rest
    }

    /// Every pair of triangles that may be within the margin, the likeliest first, until the sink breaks.
    fn near(
        &self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        if !may_be_near([a, b], margin) {
            return ControlFlow::Continue(());
        }
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let own = margin_of(a, margin);
        let narrow = Narrow::near(a.mesh(), b.mesh(), &b_to_a, own);
        let walk::Memory { wide, other, sorted, counters, .. } = &mut scratch.walk;
        let placement = a.placement(b, &b_to_a);
        if let (Some(of_a), Some(of_b)) = (a.model.wide(), b.model.wide()) {
            let transforms = loosened([a, b], (of_a, of_b), &placement, margin);
            let part = (self.simd, WalkRange::All);
            let task = self.task(&placement, &narrow);
            return of_a.walk((of_b, &transforms), part, &task, wide, &mut counters.count, sink);
        }
        if let (Tree::Other(of_a), Tree::Other(of_b)) = (a.model.tree(), b.model.tree())
            && of_a.fits(&**of_b)
        {
            let placement = placement.with_margin(&[own * a.model.normalized_frame().scale; 3]);
            return of_a.walk(&**of_b, &self.task(&placement, &narrow), other, counters, sink);
        }
        sweep::run([a.model.mesh(), b.model.mesh()], &narrow, sorted, &mut counters.count, sink)
    }

    /// Pairs of triangles, the nearest first by their boxes.
    fn visit(&self, [a, b]: [&Body<'_>; 2], visitor: &mut Visitor<'_>, scratch: &mut Scratch) {
        let (Some(of_a), Some(of_b)) = (a.model.wide(), b.model.wide()) else {
            // It ends early only if it is stopped, or has its result.
            let _ = visitor.take_all([a, b].map(|body| body.model.mesh().len() as u32), self.stop);
            return;
        };
        let placement = a.placement(b, &Motion::between(&b.pose, &a.pose));
        let transforms = of_a.relative_transforms(of_b, &of_a.placement(of_b, &placement));
        let length = |tree: &WideTree, body: &Body<'_>| tree.unit_length(motion::inverse_norm(&body.pose));
        let task = NearestTask {
            trees: [of_a.view(), of_b.view()],
            transforms: &transforms,
            lengths: [length(of_a, a), length(of_b, b)],
            pose: &a.pose,
            stop: self.stop,
        };
        let Scratch { nearest, walk, .. } = scratch;
        let counters = &mut walk.counters;
        wide::nearest(self.simd, task, nearest, &mut counters.count, visitor);
    }
}

/// Whether bodies may be within the margin: by their boxes in the world, which takes no tree.
pub(super) fn may_be_near([a, b]: [&Body<'_>; 2], margin: Margin) -> bool {
    let [box_a, box_b] = [a, b].map(|body| rotated(body.model, &body.pose));
    // Nothing is further apart than NaN.
    let is_beyond = box_a.apart_from(&box_b) > margin.get();
    !is_beyond
}

/// A margin in a body's own coordinates: pairs within `margin` in the world are within it.
pub(super) fn margin_of(body: &Body<'_>, margin: Margin) -> f64 {
    // The last term covers underflow.
    margin.get() * motion::inverse_norm(&body.pose) * (1.0 + 1e-9) + f64::MIN_POSITIVE
}

/// The transforms of a walk that leaves nothing out which is within the margin.
pub(super) fn loosened(
    bodies: [&Body<'_>; 2],
    (of_a, of_b): (&WideTree, &WideTree),
    placement: &Placement,
    margin: Margin,
) -> RelativeTransforms {
    let [a, b] = bodies.map(|body| motion::inverse_norm(&body.pose));
    let margins = [margin.get() / of_a.unit_length(a), margin.get() / of_b.unit_length(b)];
    of_a.relative_transforms(of_b, &of_a.placement(of_b, placement)).loosened(margins)
}
