//! Certainty of clashes of curved bodies, by triangles that approximate them.
use super::{Certainty, Limits, in_both};
use crate::{
    Body, Query,
    contact::contact_point,
    distance::{Accuracy, is_second_first},
    margin::Margin,
    penetration::PenetrationParts,
    points::PointLocator,
    query::{ContactPairs, QueryParts},
    relation::{Relation, RelationKind},
    solid::Location,
};

/// Largest number of pairs of triangles that are tested.
const MOST_PAIRS: usize = 8;
/// Largest product of tested pairs and triangles of both meshes.
const MOST_TRIANGLES: usize = 1 << 20;

impl Query {
    /// Decides whether the true bodies, approximated by the triangles, are at most `clearance` apart or
    /// overlap: certainly, certainly not, or possibly. With [`Margin::ZERO`] it decides whether they clash.
    ///
    /// Each of the bodies has a chord tolerance c: the triangles and the true surface are within c of each
    /// other, both ways, and the one can be deformed into the other within that distance, as the tessellation
    /// of a curved surface can. Let C be the sum of both tolerances, and d the clearance. Then the result is
    ///
    /// * [`Clear`](Certainty::Clear) if the triangles are farther than d + C apart and neither body is inside
    ///   the other;
    /// * [`Definite`](Certainty::Definite) if they are at most d - C apart; if one body is inside the other
    ///   and their triangles are farther than C apart; if a corner of one is inside of the other, and deeper
    ///   than C by [`Penetration::depth_at_least`](crate::penetration::Penetration::depth_at_least); or if a
    ///   point is found, near where they cross, that is inside of both and deeper in each than its own
    ///   tolerance;
    /// * [`Possible`](Certainty::Possible) in all other cases.
    ///
    /// Distances are compared exactly, with d + C rounded up and d - C rounded down. If the bodies touch, the
    /// result is possible, unless d is at least C. Surfaces without an inside have no depth: the result is
    /// possible if one of them crosses something, but definite if it is inside a solid, farther than C from
    /// the solid's surface. Without tolerances the result is never possible: it is definite if and only if
    /// the distance of the bodies, as sets of points, is at most d.
    ///
    /// A clear pair takes as long as [`Query::within`] and [`Query::relation`], a clash at most as long as
    /// these and [`Query::penetration`] with the depth alone. The query allocates no more than they do. The
    /// result does not depend on the order of the bodies.
    ///
    /// ```
    /// use impinge::{Body, certainty::Certainty, distance::Margin, Mesh, Model, Pose, Query};
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let chords = [Margin::new(0.25)?; 2];
    /// let mut query = Query::new();
    /// // Two corners are side by side along x, so far apart.
    /// let mut at = |gap: f64, clearance: f64| {
    ///     let b = Body::new(&model, Pose::from_translation([4. + gap, 0., 0.])?);
    ///     Ok::<_, impinge::Error>(query.certainty(&a, &b, chords, Margin::new(clearance)?))
    /// };
    /// assert_eq!(at(0.625, 0.)?, Certainty::Clear);
    /// // Both true surfaces may be 0.25 further out.
    /// assert_eq!(at(0.5, 0.)?, Certainty::Possible);
    /// assert_eq!(at(0.0, 0.)?, Certainty::Possible);
    /// // Or 0.25 further in: no more than 1 apart.
    /// assert_eq!(at(0.5, 1.)?, Certainty::Definite);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn certainty(
        &mut self,
        a: &Body<'_>,
        b: &Body<'_>,
        chords: [Margin; 2],
        clearance: Margin,
    ) -> Certainty {
        let limits = Limits::new(chords, clearance);
        // The points to try depend on the order of the bodies; the result must not.
        let ([a, b], chords) = match is_second_first([a, b].map(|body| (&body.pose, body.model.mesh()))) {
            true => ([b, a], [chords[1], chords[0]]),
            false => ([a, b], chords),
        };
        if limits.as_near.is_some_and(|margin| self.within(a, b, margin)) {
            return Certainty::Definite;
        }
        let relation = self.relation(a, b);
        self.certainty_of_relation([a, b], &limits, &relation).unwrap_or_else(|| {
            let depth = self.penetration(a, b, &PenetrationParts::new().depth_at_least(true)).depth_at_least;
            // The query has the pairs of triangles: it computed the depth last.
            let is_definite = limits.are_less_than(depth) || self.have_a_common_point([a, b], chords);
            if is_definite { Certainty::Definite } else { Certainty::Possible }
        })
    }

    /// Computes [`certainty`](Self::certainty), given all pairs of triangles that meet.
    pub fn certainty_of_pairs(
        &mut self,
        pairs: &ContactPairs<'_>,
        chords: [Margin; 2],
        clearance: Margin,
    ) -> Certainty {
        let [a, b] = pairs.bodies();
        let Some(whole) = pairs.whole() else { return self.certainty(&a, &b, chords, clearance) };
        let limits = Limits::new(chords, clearance);
        if limits.as_near.is_some_and(|margin| self.within(&a, &b, margin)) {
            return Certainty::Definite;
        }
        let relation = self.relation_of_pairs(pairs);
        if let Some(certainty) = self.certainty_of_relation([&a, &b], &limits, &relation) {
            return certainty;
        }
        // As above: the result must not depend on the order.
        let is_exchanged = is_second_first([&a, &b].map(|body| (&body.pose, body.model.mesh())));
        let wanted = PenetrationParts::new().depth_at_least(true);
        let depth = match self.last_depth(pairs) {
            Some((depth, is_of_all)) if is_of_all || !is_exchanged => depth,
            _ if is_exchanged => self.penetration(&b, &a, &wanted).depth_at_least,
            _ => self.penetration_of_pairs(pairs, &wanted).depth_at_least,
        };
        if limits.are_less_than(depth) {
            return Certainty::Definite;
        }
        let list = self.parts().pairs;
        list.clear();
        let is_definite = if is_exchanged {
            list.extend(whole.iter().map(|&[i, j]| [j, i]));
            list.sort_unstable();
            self.have_a_common_point([&b, &a], [chords[1], chords[0]])
        } else {
            list.extend_from_slice(whole);
            self.have_a_common_point([&a, &b], chords)
        };
        if is_definite { Certainty::Definite } else { Certainty::Possible }
    }

    /// The certainty of bodies that are farther apart than [`Limits::as_near`], if their relation determines
    /// it.
    fn certainty_of_relation(
        &mut self,
        [a, b]: [&Body<'_>; 2],
        limits: &Limits,
        relation: &Relation,
    ) -> Option<Certainty> {
        let is_beyond = |query: &mut Self, margin: Option<Margin>| {
            margin.is_some_and(|margin| !query.within(a, b, margin))
        };
        if relation.kind == RelationKind::Apart {
            let is_clear = is_beyond(self, limits.farther);
            return Some(if is_clear { Certainty::Clear } else { Certainty::Possible });
        }
        if !relation.overlaps() {
            return Some(Certainty::Possible);
        }
        // No parts of the surfaces are near each other, so whole components are inside.
        (!relation.touching && is_beyond(self, limits.both)).then_some(Certainty::Definite)
    }

    /// True if a point near one of the query's last pairs of triangles is proved to be inside of both true
    /// bodies. It tests a few of the pairs.
    fn have_a_common_point(&mut self, bodies: [&Body<'_>; 2], chords: [Margin; 2]) -> bool {
        let QueryParts { ask, fill_rule, scratches, pairs, .. } = self.parts();
        let scratch = &mut scratches.first().scratch;
        let (mut places, mut slopes) = ([None, None], [[None; 6]; 2]);
        let triangles: usize = bodies.iter().map(|body| body.model.mesh().len()).sum();
        let most = (MOST_TRIANGLES / triangles.max(1)).clamp(1, MOST_PAIRS);
        // `most` pairs, evenly spaced, each from the middle of its share: the first and last are at ends.
        let step = pairs.len().div_ceil(most).max(1);
        pairs.iter().skip(step / 2).step_by(step).any(|&pair| {
            let contact = contact_point(bodies[0], bodies[1], pair);
            let Some(point) = in_both(&contact, bodies.map(|body| &body.pose), chords) else { return false };
            // The point is a guess, but its location and distance are certain.
            (0..2).all(|k| {
                let place = places[k].get_or_insert_with(|| PointLocator::new(bodies[k], fill_rule));
                ask.locate(place, point, &mut slopes[k], scratch) == Location::Inside
                    && ask.near_point(bodies[k], point, Accuracy::new().above(chords[k]), scratch).is_none()
            })
        })
    }
}
