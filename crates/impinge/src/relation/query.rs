//! Queries for the relation of two bodies as solids.
use super::{Question, Relation, RelationDetail, RelationKind, RelationMemory};
use crate::{
    Body, Model, Pose, Query,
    motion::Motion,
    narrow::Narrow,
    query::{ContactPairs, QueryParts, Scratch},
    sink::Sink,
    solid::{Closedness, FillRule},
    walk::QueryContext,
};
use std::ops::ControlFlow;

impl Query {
    /// Relation of two bodies as sets of points: apart, touching, overlapping, one in the other, equal; see
    /// [`RelationKind`].
    ///
    /// A mesh whose edges balance bounds a solid ([`Model::solid`](crate::Model::solid)): the closure of the
    /// points that are inside by the [rule](Self::fill_rule). The result is that of the real numbers for the
    /// poses as they are, mirrors and shears too. It depends on the two sets alone: not on the triangles of
    /// faces, on overlaps or common walls within one mesh, or on orientation. A mesh with open edges is a
    /// surface; its relation is limited to claims that need no inside.
    ///
    /// Bodies that cross are decided at one pair of triangles, bodies that touch at all of them, or by a
    /// plane between them. The first query of a mesh also computes its solid. Meshes that meet
    /// themselves where they are in contact take longer. Where floating point does not decide, and for such
    /// meshes, a warm query may allocate memory.
    ///
    /// ```
    /// use impinge::{Body, relation::RelationKind, Mesh, Model, Pose, Query};
    /// // A tetrahedron, and the same at half the size.
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let small = points.iter().map(|p: &[f64; 3]| p.map(|x| x / 2.)).collect();
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let model = |points| Ok::<_, impinge::Error>(
    ///     Model::new(Mesh::new(points, faces.clone())?));
    /// let (large, small) = (model(points)?, model(small)?);
    /// let a = Body::new(&large, Pose::IDENTITY);
    /// let at = |t| Ok::<_, impinge::Error>(Body::new(&small, Pose::from_translation(t)?));
    /// let mut query = Query::new();
    /// // Inside, touching three faces of the large one from within.
    /// let relation = query.relation(&a, &at([0.; 3])?);
    /// assert_eq!((relation.kind, relation.touching), (RelationKind::Contains, true));
    /// // Behind a face.
    /// assert_eq!(query.relation(&a, &at([-2., 0., 0.])?).kind, RelationKind::Touch);
    /// assert_eq!(query.relation(&a, &at([-1., 0., 0.])?).kind, RelationKind::Overlap);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Panics
    /// As [`Query::intersects`].
    #[doc(alias("containment", "inclusion"))]
    pub fn relation(&mut self, a: &Body<'_>, b: &Body<'_>) -> Relation {
        self.ask_relation([a, b], None, RelationDetail::Relation)
    }

    /// Computes [`Query::relation`] from all pairs of triangles that meet.
    pub fn relation_of_pairs(&mut self, pairs: &ContactPairs<'_>) -> Relation {
        let [a, b] = pairs.bodies();
        let QueryParts { ask, fill_rule, scratches, .. } = self.parts();
        let scratch = &mut scratches.first().scratch;
        let key = (pairs.number(), Some(fill_rule));
        let last = scratch.own.get::<Last>();
        if last.key == key {
            return last.relation;
        }
        let wanted = RelationDetail::Relation;
        let found = ask.relation_unless_stopped([&a, &b], pairs.whole(), fill_rule, wanted, scratch);
        // The caller drops the result of a stopped query.
        let ControlFlow::Continue(relation) = found else { return Relation::NONE };
        *scratch.own.get() = Last { key, relation };
        relation
    }

    /// Computes [`Query::relation`] of each pair of bodies.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn relation_each(&mut self, bodies: &[[Body<'_>; 2]]) -> &[Relation] {
        let (fill_rule, wanted) = (self.parts().fill_rule, RelationDetail::Relation);
        self.each(bodies.len(), Relation::NONE, |ask, i, scratch| {
            ask.relation(bodies[i].each_ref(), None, fill_rule, wanted, scratch)
        })
    }

    /// Computes [`Query::relation`] of `a` and `b` at each of many poses.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn relation_at(&mut self, a: &Body<'_>, b: &Model, poses: &[Pose]) -> &[Relation] {
        let (fill_rule, wanted) = (self.parts().fill_rule, RelationDetail::Relation);
        self.each(poses.len(), Relation::NONE, |ask, i, scratch| {
            ask.relation([a, &Body::new(b, poses[i])], None, fill_rule, wanted, scratch)
        })
    }

    /// True if the insides of two solids have a point in common, or if a surface has a point inside of a
    /// solid. Touching does not count; containment does.
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query};
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let b = Body::new(&model, Pose::from_translation([4., 0., 0.])?);
    /// let mut query = Query::new();
    /// assert!(query.intersects(&a, &b) && !query.overlaps(&a, &b));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Panics
    /// As [`Query::intersects`].
    #[doc(alias("overlap", "interiors_meet", "intersects"))]
    pub fn overlaps(&mut self, a: &Body<'_>, b: &Body<'_>) -> bool {
        self.ask_relation([a, b], None, RelationDetail::Interiors).overlaps()
    }

    fn ask_relation(
        &mut self,
        bodies: [&Body<'_>; 2],
        pairs: Option<&[[u32; 2]]>,
        wanted: RelationDetail,
    ) -> Relation {
        let QueryParts { ask, fill_rule, scratches, .. } = self.parts();
        ask.relation(bodies, pairs, fill_rule, wanted, &mut scratches.first().scratch)
    }
}

/// The relation that was computed last for a list of pairs. `key` is the list's number, and the rule.
#[derive(Debug)]
struct Last {
    key: (u64, Option<FillRule>),
    relation: Relation,
}

impl Default for Last {
    fn default() -> Self {
        Self { key: (0, None), relation: Relation::NONE }
    }
}

impl QueryContext<'_> {
    pub(crate) fn relation(
        &self,
        bodies: [&Body<'_>; 2],
        pairs: Option<&[[u32; 2]]>,
        fill_rule: FillRule,
        wanted: RelationDetail,
        scratch: &mut Scratch,
    ) -> Relation {
        // The caller drops the result of a stopped query.
        let found = self.relation_unless_stopped(bodies, pairs, fill_rule, wanted, scratch);
        found.continue_value().unwrap_or(Relation::NONE)
    }

    fn relation_unless_stopped(
        &self,
        [a, b]: [&Body<'_>; 2],
        pairs: Option<&[[u32; 2]]>,
        fill_rule: FillRule,
        wanted: RelationDetail,
        scratch: &mut Scratch,
    ) -> ControlFlow<(), Relation> {
        if let Some(relation) = same(a, b, pairs, fill_rule) {
            return ControlFlow::Continue(relation);
        }
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a.mesh(), b.mesh(), &b_to_a);
        // Boxed, as it is moved.
        let mut memory = scratch.own.get::<Option<Box<RelationMemory>>>().take().unwrap_or_default();
        let mut question = Question::new([a, b], fill_rule, &narrow, &mut memory, wanted, self.stop);
        let _ = match pairs {
            Some(pairs) => pairs.iter().try_for_each(|&pair| question.take(pair)),
            None => {
                let mut take = |pair| question.take(pair);
                let each = &mut Sink::Each(&mut take);
                self.walk_trees([a.placed(), b.placed()], &b_to_a, &narrow, &mut scratch.walk, each)
            }
        };
        let relation = question.finish();
        *scratch.own.get() = Some(memory);
        relation
    }
}

/// The relation of equal meshes at equal poses, without further tests: if they wind round any point, both do.
fn same(a: &Body<'_>, b: &Body<'_>, pairs: Option<&[[u32; 2]]>, fill_rule: FillRule) -> Option<Relation> {
    if a.pose != b.pose || a.model.mesh() != b.model.mesh() {
        return None;
    }
    let (status, rule) = (a.model.solid().status(), a.model.solid().rule(fill_rule));
    // By another rule nothing at all may be inside.
    (status == Closedness::Closed && rule == FillRule::NonZero).then(|| Relation {
        kind: RelationKind::Duplicate,
        touching: true,
        // A triangle meets itself.
        witness: pairs.map_or(Some([0; 2]), |pairs| pairs.first().copied()),
        status: [status; 2],
        rules: [rule; 2],
    })
}

impl Relation {
    const NONE: Self = Self {
        kind: RelationKind::Apart,
        touching: false,
        witness: None,
        status: [Closedness::NoInterior; 2],
        rules: [FillRule::NonZero; 2],
    };
}
