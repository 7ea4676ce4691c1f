//! The query for the farthest point of a surface from another one.
use super::{
    Farthest, FarthestPoint, SolidSide,
    frame::FarthestFrame,
    search::{FarthestBounds, FarthestMemory, FarthestQuestion, FarthestSearch},
};
use crate::{
    Body, Query,
    contact::contact_point,
    distance::{Accuracy, AccurateQuery},
    query::{QueryParts, Scratch},
    relation::RelationDetail,
    solid::{FillRule, Location, locate_at},
    walk::QueryContext,
};
use std::mem::take;

impl Query {
    /// Finds the greatest distance from `b`'s surface of points of `a`'s surface that are on a side of the
    /// solid `b`: the directed Hausdorff distance. With [`SolidSide::Inside`] it is the depth to which `a`
    /// reaches into `b`. The greater one of this depth and that of exchanged bodies is the *interference
    /// depth* of a fit, half the difference of the diameters of a pin and its hole.
    ///
    /// The interval contains the distance over the real numbers. Its width is at most the greatest of the
    /// [relative](Accuracy::rel) accuracy, the [absolute](Accuracy::abs) one, 2^-36 of the extent of both
    /// bodies, and the rounding of f64 at their coordinates. [`Accuracy::above`], `exact` and `solids` have
    /// no effect. The interval is wider if the search ends after 32,768 divisions plus 4 for each triangle of
    /// `a`, or at a part of a triangle that is the result of 64 divisions. Points on `b`'s surface are on
    /// both sides: touching bodies are 0 deep at least. [`Query::fill_rule`] decides which points are inside.
    /// The result is the same on every machine.
    ///
    /// The search divides triangles of `a` where two triangles of `b` are equally near, those that may be
    /// farthest first. A part of any size is final if one triangle of `b` lies across it. This takes some
    /// microseconds for each corner of `a` that may be farthest, and for each division.
    ///
    /// ```
    /// use impinge::{Body, distance::Accuracy, farthest::SolidSide, Mesh, Model, Pose, Query};
    /// let [hole, pin] = [[10., 10., 4.], [2., 2., 9.]].map(Mesh::cuboid);
    /// let [block, pin] = [hole?, pin?].map(Model::new);
    /// let b = Body::new(&block, Pose::IDENTITY);
    /// // A bar on end in a block, 1 from its edge: the middle of the bar's far side is deepest.
    /// let a = Body::new(&pin, Pose::from_translation([3., 0., 0.])?);
    /// let accuracy = Accuracy::new().rel(0.001)?;
    /// let found = Query::new().with_accuracy(accuracy).farthest_distance(&a, &b, SolidSide::Inside).point().unwrap();
    /// assert!(found.lo <= 2.0 && 2.0 <= found.hi && found.hi - found.lo <= 0.002);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("hausdorff", "hausdorff_distance", "deviation", "penetration depth", "interference depth"))]
    pub fn farthest_distance(&mut self, a: &Body<'_>, b: &Body<'_>, side: SolidSide) -> Farthest {
        self.with_accuracy(Accuracy::new()).farthest_distance(a, b, side)
    }
}

impl AccurateQuery<'_> {
    /// Computes [`Query::farthest_distance`] with this accuracy.
    pub fn farthest_distance(self, a: &Body<'_>, b: &Body<'_>, side: SolidSide) -> Farthest {
        let QueryParts { ask, fill_rule, scratches, .. } = self.query.parts();
        let scratch = &mut scratches.first().scratch;
        ask.mixed().farthest_distance([a, b], side, fill_rule, self.accuracy, scratch)
    }
}

/// Memory of queries: of the search, and pairs of triangles that meet.
#[derive(Debug, Default)]
pub(super) struct Own {
    pub(super) search: FarthestMemory,
    pub(super) pairs: Vec<[u32; 2]>,
}

impl QueryContext<'_> {
    fn farthest_distance(
        &self,
        bodies: [&Body<'_>; 2],
        side: SolidSide,
        fill_rule: FillRule,
        accuracy: Accuracy,
        scratch: &mut Scratch,
    ) -> Farthest {
        let [a, b] = bodies;
        if side != SolidSide::Any && !b.model.solid().status().is_closed() {
            return Farthest::NoSolid;
        }
        if a.model.mesh().is_empty() || b.model.mesh().is_empty() {
            return Farthest::NoPoint;
        }
        // All its points are points of the other.
        if a.pose == b.pose && a.model.mesh() == b.model.mesh() {
            return at_contact(bodies, [0; 2], 0.0);
        }
        let mut own = take(scratch.own.get::<Own>());
        own.pairs.clear();
        if side != SolidSide::Any {
            self.append([a.placed(), b.placed()], &mut scratch.walk, &mut own.pairs);
            own.pairs.sort_unstable();
        }
        let question = FarthestQuestion { bodies, side, fill_rule, pairs: &own.pairs, known: 0.0 };
        let found = self.farthest(question, accuracy, &mut own.search, scratch);
        *scratch.own.get() = own;
        found
    }

    fn farthest(
        &self,
        question: FarthestQuestion<'_>,
        accuracy: Accuracy,
        memory: &mut FarthestMemory,
        scratch: &mut Scratch,
    ) -> Farthest {
        let FarthestQuestion { bodies, side, pairs, .. } = question;
        if self.stop.is_set() {
            return Farthest::NoPoint;
        }
        if side == SolidSide::Inside && !pairs.is_empty() && self.are_outside(&question, scratch) {
            return at_contact(bodies, pairs[0], 0.0);
        }
        let Some(frame) = FarthestFrame::new(bodies) else { return self.beyond_f64(&question) };
        let local = Body::new(bodies[1].model, frame.poses[1]);
        let found = self.search(question, &frame, &local, accuracy, memory, scratch);
        let Some((bounds, best)) = found else { return Farthest::NoPoint };
        let [lo, hi] = frame.lengths_in_world(bounds);
        let Some((sample, face)) = best else {
            if let Some(&pair) = pairs.first() {
                return at_contact(bodies, pair, hi);
            }
            // Any point is 0 away at least.
            let corner = bodies[0].pose.place(bodies[0].model.mesh().corners(0)[0]);
            return self.near_corner(bodies, 0, corner, [lo, hi], scratch);
        };
        if sample.is_measured() {
            let near = self.near_point(&local, sample.at, Accuracy::new(), scratch);
            let Some(near) = near else { return Farthest::NoPoint };
            let points = [sample.at, near.point].map(|p| frame.in_world(p));
            return Farthest::At(FarthestPoint { lo, hi, triangles: [face, near.triangle], points });
        }
        self.near_corner(bodies, face, frame.in_world(sample.at), [lo, hi], scratch)
    }

    /// Bounds of the distance in a frame, where the second body is `local`; see [`FarthestSearch::run`].
    pub(super) fn search(
        &self,
        question: FarthestQuestion<'_>,
        frame: &FarthestFrame,
        local: &Body<'_>,
        accuracy: Accuracy,
        memory: &mut FarthestMemory,
        scratch: &mut Scratch,
    ) -> Option<FarthestBounds> {
        FarthestSearch::new(self, question, frame, local, accuracy, memory, scratch).run()
    }

    /// True if certainly no point of the first surface is inside of the second solid.
    fn are_outside(
        &self,
        FarthestQuestion { bodies, fill_rule, pairs, .. }: &FarthestQuestion<'_>,
        scratch: &mut Scratch,
    ) -> bool {
        let relation = self.relation(*bodies, Some(pairs), *fill_rule, RelationDetail::Interiors, scratch);
        // Relations do not count triangles without area.
        let [a, _] = bodies;
        !relation.overlaps() && (0..a.model.mesh().len() as u32).all(|t| a.model.solid().has_area(t))
    }

    /// The result where f64 has no frame: from 0 to infinity, if a point counts.
    fn beyond_f64(
        &self,
        FarthestQuestion { bodies: [a, b], side, fill_rule, pairs, .. }: &FarthestQuestion<'_>,
    ) -> Farthest {
        if let Some(&pair) = pairs.first() {
            return at_contact([a, b], pair, f64::INFINITY);
        }
        let wanted = if *side == SolidSide::Inside { Location::Inside } else { Location::Outside };
        let counts = |t: u32| {
            *side == SolidSide::Any || {
                let corner = a.model.mesh().corners(t)[0];
                locate_at(b.model.solid(), b.placed(), &a.pose, corner, *fill_rule) == wanted
            }
        };
        let Some(t) = (0..a.model.mesh().len() as u32).find(|&t| counts(t)) else { return Farthest::NoPoint };
        let points = [a.pose.place(a.model.mesh().corners(t)[0]), b.pose.place(b.model.mesh().corners(0)[0])];
        Farthest::At(FarthestPoint { lo: 0.0, hi: f64::INFINITY, triangles: [t, 0], points })
    }

    /// The result for a corner that was not measured.
    fn near_corner(
        &self,
        [_, b]: [&Body<'_>; 2],
        face: u32,
        corner: [f64; 3],
        [lo, hi]: [f64; 2],
        scratch: &mut Scratch,
    ) -> Farthest {
        let near = self.near_point(b, corner, Accuracy::new(), scratch);
        let (triangle, point) = near.map_or((0, corner), |near| (near.triangle, near.point));
        Farthest::At(FarthestPoint { lo, hi, triangles: [face, triangle], points: [corner, point] })
    }
}

/// The result at a contact, where no farther point was found: from 0 to `hi`.
fn at_contact([a, b]: [&Body<'_>; 2], triangles: [u32; 2], hi: f64) -> Farthest {
    let point = contact_point(a, b, triangles).point;
    Farthest::At(FarthestPoint { lo: 0.0, hi, triangles, points: [point; 2] })
}
