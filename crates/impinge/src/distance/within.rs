//! Queries for bodies and triangles within a margin.
use super::{
    Candidates, Decider, Margin, MeshAt, TrianglePairDistances,
    margins::{loosened, margin_of, may_be_near, origin},
};
use crate::{
    AnyBody, Body, Model, Obstacle, Pose, Query, Threads,
    geometry::AnyTree,
    motion::Motion,
    narrow::Narrow,
    obstacle::{ObstacleRef, Operands, operands},
    pool,
    query::{PairCount, QueryParts, Scratch},
    sink::{Listed, Rest, Sink},
    walk::{self, QueryContext, sweep},
    wide::{RelativeTrees, WalkRange},
};
use std::{mem::take, ops::ControlFlow};

impl Query {
    /// True if the bodies' surfaces are no further apart than the margin: exactly, over the real numbers.
    /// With [`Margin::ZERO`] it is [`Query::intersects`].
    ///
    /// The walk is that of [`Query::intersects`], of any volumes, loosened by the margin; it ends at the
    /// first such pair of triangles. Threads share a long walk.
    ///
    /// ```
    /// use impinge::{Body, distance::Margin, Mesh, Model, Pose, Query};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle);
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// // 3-4-5: exactly 5 from the corner (4, 0, 0).
    /// let b = Body::new(&model, Pose::from_translation([7., 0., 4.])?);
    /// let mut query = Query::new();
    /// assert!(query.within(&a, &b, Margin::new(5.0)?));
    /// assert!(!query.within(&a, &b, Margin::new(5_f64.next_down())?));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("clearance", "security_margin", "tolerance"))]
    pub fn within(&mut self, a: &impl AnyBody, b: &(impl Obstacle + ?Sized), margin: Margin) -> bool {
        let (bodies, margin) = match operands(a, b, margin) {
            Operands::Bodies(bodies, margin) => (bodies, margin),
            Operands::HalfSpace(..) => return self.first_within(a, b, margin).is_some(),
        };
        let QueryParts { ask, threads, scratches, .. } = self.parts();
        if margin.is_zero() || threads != Threads::Pool || pool::threads() == 1 {
            return ask.mixed().first_within(bodies, margin, &mut scratches.first().scratch).is_some();
        }
        ask.mixed().divided_is_near(bodies, margin, scratches)
    }

    /// A pair of triangles (of `a`, of `b`) no further apart than the margin, or `None`. Of several, any.
    pub fn first_within(
        &mut self,
        a: &impl AnyBody,
        b: &(impl Obstacle + ?Sized),
        margin: Margin,
    ) -> Option<[u32; 2]> {
        let operands = operands(a, b, margin);
        let QueryParts { ask, scratches, .. } = self.parts();
        ask.mixed().first_of_operands(operands, &mut scratches.first().scratch)
    }

    /// Decides [`Query::within`] for `a` and `b` at each of many poses, on the threads of the query. A radius
    /// of `b` is a part of the margin: [`Margin::sum`].
    pub fn within_at(
        &mut self,
        a: &(impl Obstacle + ?Sized),
        b: &Model,
        poses: &[Pose],
        margin: Margin,
    ) -> &[bool] {
        self.each(poses.len(), false, |ask, i, scratch| {
            let b = &Body::new(b, poses[i]);
            let operands = match a.obstacle() {
                ObstacleRef::Body(a, radius) => Operands::Bodies([a, b], margin.with_radii([radius, 0.0])),
                ObstacleRef::HalfSpace(a) => Operands::HalfSpace(b, a, margin),
            };
            ask.mixed().first_of_operands(operands, scratch).is_some()
        })
    }

    /// Every pair of triangles (of `a`, of `b`) no further apart than the margin, sorted. With
    /// [`Margin::ZERO`] these are [`Query::pairs`].
    ///
    /// Each pair is decided for itself, which takes long where many are near. Threads share a long walk.
    ///
    /// # Panics
    /// If the list does not fit in memory: [`Query::pairs_within_at_most`] limits it.
    pub fn pairs_within(
        &mut self,
        a: &impl AnyBody,
        b: &(impl Obstacle + ?Sized),
        margin: Margin,
    ) -> &[[u32; 2]] {
        let mut pairs = take(self.parts().pairs);
        self.pairs_within_at_most(a, b, margin, usize::MAX, &mut pairs);
        let kept = self.parts().pairs;
        *kept = pairs;
        kept
    }

    /// Counts the pairs that [`pairs_within`](Self::pairs_within) lists, and lists them if they are not more
    /// than `most`.
    ///
    /// `pairs` is cleared first. It contains all pairs, sorted, if the count is at most `most`, and is empty
    /// otherwise. Each thread takes memory for at most `most` pairs.
    ///
    /// ```
    /// use impinge::{Body, distance::Margin, Mesh, Model, Pose, Query};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]; 8])?;
    /// let model = Model::new(triangle);
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let b = Body::new(&model, Pose::from_translation([0., 0., 1.])?);
    /// let (mut query, mut pairs) = (Query::new(), Vec::new());
    /// let found = query.pairs_within_at_most(&a, &b, Margin::new(1.0)?, 10, &mut pairs);
    /// assert_eq!((found.count, found.first, pairs.len()), (64, Some([0, 0]), 0));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn pairs_within_at_most(
        &mut self,
        a: &impl AnyBody,
        b: &(impl Obstacle + ?Sized),
        margin: Margin,
        most: usize,
        pairs: &mut Vec<[u32; 2]>,
    ) -> PairCount {
        self.operands_within_at_most(operands(a, b, margin), most, pairs)
    }

    /// [`Query::pairs_within_at_most`] of operands, with their margin.
    pub(crate) fn operands_within_at_most(
        &mut self,
        operands: Operands<'_>,
        most: usize,
        pairs: &mut Vec<[u32; 2]>,
    ) -> PairCount {
        let QueryParts { ask, threads, scratches, .. } = self.parts();
        pairs.clear();
        let ask = ask.mixed();
        let (bodies, margin) = match operands {
            Operands::Bodies(bodies, margin) => (bodies, margin),
            Operands::HalfSpace(a, b, margin) => {
                let mut rest = Rest::default();
                let mut listed = Listed { pairs, most, rest: &mut rest };
                let _ = ask.find_low::<()>(a, b, margin, &mut scratches.first().scratch, |t| {
                    listed.take([t, 0]);
                    ControlFlow::Continue(())
                });
                return PairCount::of(pairs, rest);
            }
        };
        let [a, b] = bodies;
        let rest = match (margin.is_zero(), threads == Threads::Pool && pool::threads() > 1) {
            (true, true) => ask.divided_at_most(bodies, scratches, pairs, most),
            (true, false) => {
                let memory = &mut scratches.first().scratch.walk;
                ask.append_at_most([a.placed(), b.placed()], memory, pairs, most)
            }
            (false, true) => ask.divided_near(bodies, margin, scratches, pairs, most),
            (false, false) => ask.append_near(bodies, margin, &mut scratches.first().scratch, pairs, most),
        };
        PairCount::of(pairs, rest)
    }
}

impl QueryContext<'_> {
    /// A pair of triangles of operands that are within their margin.
    pub(crate) fn first_of_operands(
        &self,
        operands: Operands<'_>,
        scratch: &mut Scratch,
    ) -> Option<[u32; 2]> {
        match operands {
            Operands::Bodies(bodies, margin) => self.first_within(bodies, margin, scratch),
            Operands::HalfSpace(a, b, margin) => self.first_low(a, b, margin, scratch).map(|t| [t, 0]),
        }
    }

    pub(crate) fn first_within(
        &self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        scratch: &mut Scratch,
    ) -> Option<[u32; 2]> {
        if margin.is_zero() {
            return self.first([a.placed(), b.placed()], &mut scratch.walk);
        }
        if !may_be_near([a, b], margin) {
            return None;
        }
        // The boxes of a point, loosened by the margin, are far larger than the sphere.
        if let Some(centre) = origin(a) {
            return self.point_within(b, centre, margin, scratch).map(|triangle| [0, triangle]);
        }
        if let Some(centre) = origin(b) {
            return self.point_within(a, centre, margin, scratch).map(|triangle| [triangle, 0]);
        }
        self.find_within([a, b], margin, scratch, ControlFlow::Break).break_value()
    }

    /// Calls `found` with each pair of triangles no further apart than the margin, until it breaks.
    pub(crate) fn find_within<B>(
        &self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        scratch: &mut Scratch,
        mut found: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut candidates = take(scratch.own.get::<Candidates>());
        let mut decider =
            Decider::new(TrianglePairDistances::new([a, b].map(MeshAt::of)), margin, &mut candidates);
        let mut result = ControlFlow::Continue(());
        let mut look = |pair| {
            if decider.is_within(pair)
                && let ControlFlow::Break(broken) = found(pair)
            {
                result = ControlFlow::Break(broken);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let _ = self.near([a, b], margin, scratch, &mut Sink::Each(&mut look));
        *scratch.own.get() = candidates;
        result
    }

    /// Appends every pair of triangles no further apart than the margin, in any order, up to a limit. Counts
    /// the rest.
    pub(crate) fn append_near(
        &self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        scratch: &mut Scratch,
        pairs: &mut Vec<[u32; 2]>,
        most: usize,
    ) -> Rest {
        let mut rest = Rest::default();
        let all = TrianglePairDistances::new([a, b].map(MeshAt::of));
        let is_within = |pair| all.are_within(pair, &margin);
        // It ends early only if it is stopped, which the caller checks.
        let is_fast = |body: &Body<'_>| !matches!(body.model.tree(), AnyTree::Other(_));
        if most == usize::MAX && is_fast(a) && is_fast(b) {
            // Nearly all pairs of the walk are within.
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

    /// Passes all pairs that may be within the margin to the sink, the likeliest first, until it breaks.
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
        let walk::WalkMemory { wide, other, sorted, counters, .. } = &mut scratch.walk;
        let placement = a.placement(b, &b_to_a);
        if let (Some(of_a), Some(of_b)) = (a.model.wide(), b.model.wide()) {
            let transforms = loosened([a, b], of_a, of_b, &placement, margin);
            let trees = RelativeTrees { a: of_a, b: of_b, transforms: &transforms };
            let task = self.task(&placement, &narrow);
            return trees.walk(self.simd, WalkRange::All, &task, wide, &mut counters.count, sink);
        }
        if let (AnyTree::Other(of_a), AnyTree::Other(of_b)) = (a.model.tree(), b.model.tree())
            && of_a.fits(&**of_b)
        {
            let placement = placement.with_margin(&[own * a.model.normalized_frame().scale; 3]);
            return of_a.walk(&**of_b, &self.task(&placement, &narrow), other, counters, sink);
        }
        sweep::run([a.model.mesh(), b.model.mesh()], &narrow, sorted, &mut counters.count, sink)
    }
}
