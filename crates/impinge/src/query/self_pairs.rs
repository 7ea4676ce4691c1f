//! Queries of one mesh and itself: the triangles that cross or touch each other.
use super::{PairCount, Query, QueryParts};
use crate::{Model, Threads, pool, sink::Sink};
use std::ops::ControlFlow;

impl Query {
    /// True if triangles of one mesh meet elsewhere than in common vertices and edges: see
    /// [`self_pairs`](Self::self_pairs).
    #[doc(alias = "does_self_intersect")]
    pub fn self_intersects(&mut self, model: &Model) -> bool {
        self.self_first_contact(model).is_some()
    }

    /// Any pair of triangles of one mesh, the smaller index first, that meet elsewhere than in common
    /// vertices and edges; `None` if there is none. See [`self_pairs`](Self::self_pairs).
    pub fn self_first_contact(&mut self, model: &Model) -> Option<[u32; 2]> {
        let QueryParts { ask, scratches, .. } = self.parts();
        let memory = &mut scratches.first().scratch.walk;
        let mut first = None;
        let mut found = |pair| {
            first = Some(pair);
            ControlFlow::Break(())
        };
        let _ = ask.walk_within(model.geometry(), model.welded(), memory, &mut Sink::Each(&mut found));
        first
    }

    /// Every pair of triangles i < j of one mesh that meet elsewhere than in common vertices and edges,
    /// sorted.
    ///
    /// Let C be the points that are corners of both triangles (equal coordinates, not equal indices). The
    /// pair counts if the intersection of the two closed triangles is more than the points of C and the
    /// segments between them. So neighbours count if they cross or are folded flat onto each other, a
    /// triangle that occurs twice counts, and triangles without common corners count if they meet. The result
    /// does not depend on a pose, so this takes a model.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Query};
    /// // Two triangles with a common edge, and one through both.
    /// let points = vec![
    ///     [0., 0., 0.], [2., 0., 0.], [2., 2., 0.], [0., 2., 0.], [1., 1., -1.], [1., 1., 1.], [3., 3., 1.],
    /// ];
    /// let mesh = Mesh::new(points, vec![[0, 1, 2], [0, 2, 3], [4, 5, 6]])?;
    /// let model = Model::new(mesh);
    /// assert_eq!(Query::new().self_pairs(&model), [[0, 2], [1, 2]]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the list does not fit in memory: [`Query::self_pairs_at_most`] limits it.
    #[doc(alias = "self_intersections")]
    pub fn self_pairs(&mut self, model: &Model) -> &[[u32; 2]] {
        let mut pairs = std::mem::take(&mut self.pairs);
        self.self_pairs_into(model, &mut pairs);
        self.pairs = pairs;
        &self.pairs
    }

    /// Writes all pairs into `pairs`, which it clears first: see [`Query::self_pairs`].
    ///
    /// # Panics
    /// If the list does not fit in memory: [`Query::self_pairs_at_most`] limits it.
    pub fn self_pairs_into(&mut self, model: &Model, pairs: &mut Vec<[u32; 2]>) {
        self.self_pairs_at_most(model, usize::MAX, pairs);
    }

    /// Counts the pairs that [`self_pairs`](Self::self_pairs) lists, and lists them if they are not more than
    /// `most`.
    ///
    /// A mesh of n triangles has up to n (n - 1) / 2 such pairs, 8 bytes each. `pairs` is cleared first. It
    /// contains all pairs, sorted, if the count is at most `most`, and is empty otherwise. Each thread takes
    /// memory for at most `most` pairs.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Query};
    /// let mesh = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]; 8])?;
    /// let model = Model::new(mesh);
    /// let (mut query, mut pairs) = (Query::new(), Vec::new());
    /// let found = query.self_pairs_at_most(&model, 10, &mut pairs);
    /// assert_eq!((found.count, found.first, pairs.len()), (28, Some([0, 1]), 0));
    /// query.self_pairs_at_most(&model, 28, &mut pairs);
    /// assert_eq!(pairs.len(), 28);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn self_pairs_at_most(&mut self, model: &Model, most: usize, pairs: &mut Vec<[u32; 2]>) -> PairCount {
        let QueryParts { ask, threads, scratches, .. } = self.parts();
        pairs.clear();
        let rest = if threads == Threads::Pool && pool::threads() > 1 {
            ask.divided_within(model, scratches, pairs, most)
        } else {
            let memory = &mut scratches.first().scratch.walk;
            ask.append_within(model.geometry(), model.welded(), memory, pairs, most)
        };
        PairCount::of(pairs, rest)
    }
}
