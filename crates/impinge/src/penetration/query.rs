//! Queries for the penetration of two bodies.
use super::{
    Depth, Penetration, PenetrationMemory, PenetrationParts, PenetrationQuestion, of_relation, penetration,
};
use crate::{
    Body, Query,
    query::{ContactPairs, QueryParts},
    relation::{Relation, RelationDetail},
    solid::FillRule,
};
use std::ops::ControlFlow;

/// The depth that was computed last for a list of pairs. `key` is the list's number, and the rule.
#[derive(Debug, Default)]
struct LastDepth {
    key: (u64, Option<FillRule>),
    depth: Option<Depth>,
    is_of_all: bool,
}

impl Query {
    /// Computes the `wanted` measures of the penetration of two bodies: the volume inside of both, the depth
    /// to which the surface of either one reaches into the other, a corner deep inside, and a translation
    /// that parts them, with bounds of the length of the shortest one, "the penetration depth". Lengths and volumes are of the world, at any poses, mirrors and shears too. Bounds hold over the real
    /// numbers, roundings included.
    ///
    /// * [`overlap_volume`](Penetration::overlap_volume) is a sum over pairs of triangles that meet and faces
    ///   inside, after Franklin's formulas for polygons (1987): the intersection is not built. All decisions
    ///   are exact, and every number carries the bound of its error.
    /// * [`interference_depth`](Penetration::interference_depth) divides triangles where two of the other
    ///   body are equally near, those that may be deepest first.
    /// * [`depth_at_least`](Penetration::depth_at_least) measures the corners inside against all faces of the
    ///   other body; if there are very many corners, some of them.
    /// * [`separating_translation`](Penetration::separating_translation) looks for a plane between both along
    ///   the axes, the line of centres and normals of faces in contact. It also tests a few shorter
    ///   translations, past one to three faces in contact, by [`Query::overlaps`].
    /// * [`separating_distance`](Penetration::separating_distance) of two convex bodies is found by a polytope
    ///   that grows in the set of differences of their points.
    ///
    /// It takes O(n + k) for n triangles and points and k pairs that meet: some 50 us for parts of a hundred
    /// triangles, and up to milliseconds for the interference depth. The first query of a mesh that meets
    /// itself also finds all pairs of its triangles that meet. Results are the same on every machine, and
    /// exchanged bodies are moved the opposite way, unless two ways out are equally long.
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, penetration::PenetrationParts, Pose, Query};
    /// // A tetrahedron, and the same 3 further along x: what both have is one of a quarter of its size.
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let b = Body::new(&model, Pose::from_translation([3., 0., 0.])?);
    /// let found = Query::new().penetration(&a, &b, &PenetrationParts::all());
    /// let [lo, hi] = found.overlap_volume.unwrap();
    /// assert!(lo <= 1. / 6. && 1. / 6. <= hi && hi - lo < 1e-12);
    /// // Across the slope it is not far.
    /// let t = found.separating_translation.unwrap();
    /// let length = t.iter().map(|x| x * x).sum::<f64>().sqrt();
    /// assert!((length - 1. / 3_f64.sqrt()).abs() < 1e-12);
    /// // No corner is inside of the other: they lie on faces.
    /// assert!(found.depth_at_least.is_none());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Panics
    /// As [`Query::intersects`].
    #[doc(alias("penetration depth", "penetration_depth", "EPA"))]
    pub fn penetration(&mut self, a: &Body<'_>, b: &Body<'_>, wanted: &PenetrationParts) -> Penetration {
        let relation = self.relation(a, b);
        // The relation is mostly enough, without all pairs of triangles.
        if let Some(found) = self.penetration_of_relation([a, b], &relation, wanted) {
            return found;
        }
        let mut pairs = std::mem::take(self.parts().pairs);
        self.pairs_into(a, b, &mut pairs);
        let found = self.ask_penetration([a, b], &relation, wanted, &pairs);
        *self.parts().pairs = pairs;
        found.continue_value().unwrap_or_default()
    }

    /// Computes [`Query::penetration`] from all pairs of triangles that meet.
    pub fn penetration_of_pairs(
        &mut self,
        pairs: &ContactPairs<'_>,
        wanted: &PenetrationParts,
    ) -> Penetration {
        let [a, b] = pairs.bodies();
        let Some(whole) = pairs.whole() else { return self.penetration(&a, &b, wanted) };
        let relation = self.relation_of_pairs(pairs);
        if let Some(found) = self.penetration_of_relation([&a, &b], &relation, wanted) {
            return found;
        }
        let found = self.ask_penetration([&a, &b], &relation, wanted, whole);
        // The caller drops the result of a stopped query.
        let ControlFlow::Continue(found) = found else { return Penetration::default() };
        if wanted.depth_at_least {
            let QueryParts { fill_rule, scratches, .. } = self.parts();
            let own = &mut scratches.first().scratch.own;
            let is_of_all = own.get::<PenetrationMemory>().is_depth_of_all;
            let key = (pairs.number(), Some(fill_rule));
            *own.get() = LastDepth { key, depth: found.depth_at_least, is_of_all };
        }
        found
    }

    /// [`Penetration::depth_at_least`] of a list of pairs, if this query computed it for this list last; and
    /// true if it is that of all corners inside.
    pub(crate) fn last_depth(&mut self, pairs: &ContactPairs<'_>) -> Option<(Option<Depth>, bool)> {
        let QueryParts { fill_rule, scratches, .. } = self.parts();
        let last = scratches.first().scratch.own.get::<LastDepth>();
        (last.key == (pairs.number(), Some(fill_rule))).then_some((last.depth, last.is_of_all))
    }

    /// The penetration that follows from the relation alone. Empty if the query is stopped.
    fn penetration_of_relation(
        &mut self,
        bodies: [&Body<'_>; 2],
        relation: &Relation,
        wanted: &PenetrationParts,
    ) -> Option<Penetration> {
        let QueryParts { ask, fill_rule, .. } = self.parts();
        let stop = ask.stop;
        match of_relation(PenetrationQuestion { bodies, relation, fill_rule, wanted, stop }) {
            ControlFlow::Continue(found) => found,
            ControlFlow::Break(()) => Some(Penetration::default()),
        }
    }

    fn ask_penetration(
        &mut self,
        bodies: [&Body<'_>; 2],
        relation: &Relation,
        wanted: &PenetrationParts,
        pairs: &[[u32; 2]],
    ) -> ControlFlow<(), Penetration> {
        let QueryParts { ask, fill_rule, scratches, .. } = self.parts();
        let scratch = &mut scratches.first().scratch;
        let mut memory = std::mem::take(scratch.own.get::<PenetrationMemory>());
        let mut meet = |moved: &Body<'_>| {
            let wanted = RelationDetail::Interiors;
            let relation = ask.relation([bodies[0], moved], None, fill_rule, wanted, scratch);
            ask.stop.check()?;
            ControlFlow::Continue(relation.overlaps())
        };
        let question = PenetrationQuestion { bodies, relation, fill_rule, wanted, stop: ask.stop };
        let found = penetration(question, pairs, &mut memory, &mut meet);
        *scratch.own.get() = memory;
        let mut found = found?;
        if wanted.interference_depth {
            found.interference_depth = ask.interference_depth(bodies, relation, pairs, fill_rule, scratch)?;
            if let (Some([deep, _]), Some([lo, _])) =
                (found.interference_depth, &mut found.separating_distance)
            {
                *lo = lo.max(deep);
            }
        }
        ControlFlow::Continue(found)
    }
}
