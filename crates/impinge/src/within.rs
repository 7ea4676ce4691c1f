//! One mesh and itself: where it crosses or touches itself.
use crate::{
    Body, Model, Pose, Probe, Query, Scratch, any::Way, motion::Motion, narrow::Narrow, query::sort,
};
use std::ops::ControlFlow;

impl Query {
    /// A pair of triangles of one mesh, the lesser first, that meet elsewhere than in common vertices and edges; `None` if there is none. See
    /// [`self_intersecting_pairs`](Self::self_intersecting_pairs). Which of many pairs comes first is not defined.
    pub fn self_intersects(
        &self,
        model: &Model,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> Option<[u32; 2]> {
        self.run_within(model, true, scratch, probe, ControlFlow::Break).break_value()
    }

    /// Every pair of triangles i < j of one mesh that meet elsewhere than in common vertices and edges, sorted, into `pairs`, which is cleared first.
    ///
    /// Let C be the points that are corners of both triangles: by their coordinates, so that a soup without shared indices is as good. The pair is one of these if the intersection of the two closed
    /// triangles is not a subset of the points of C and the segments between two of them. So neighbours count if they cross, or lie on each other folded flat; the same triangle twice counts; and without common corners
    /// they count if they meet. Degenerate triangles are the segments or points that they are. This does not depend on where a body stands, so it takes a model.
    /// For large meshes see [`par_self_intersecting_pairs`](Self::par_self_intersecting_pairs).
    ///
    /// ```
    /// use impinge::{BuildOptions, Mesh, Model, Query, Scratch};
    /// // Two triangles with a common edge, and one through both.
    /// let points = vec![[0., 0., 0.], [2., 0., 0.], [2., 2., 0.], [0., 2., 0.], [1., 1., -1.], [1., 1., 1.], [3., 3., 1.]];
    /// let mesh = Mesh::new(points, vec![[0, 1, 2], [0, 2, 3], [4, 5, 6]])?;
    /// let model = Model::new(mesh, &BuildOptions::default());
    /// let mut pairs = Vec::new();
    /// Query::default().self_intersecting_pairs(&model, &mut Scratch::new(), &mut pairs, &mut ());
    /// assert_eq!(pairs, [[0, 2], [1, 2]]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn self_intersecting_pairs(
        &self,
        model: &Model,
        scratch: &mut Scratch,
        pairs: &mut Vec<[u32; 2]>,
        probe: &mut impl Probe,
    ) {
        pairs.clear();
        let _: ControlFlow<()> = self.run_within(model, false, scratch, probe, |pair| {
            pairs.push(pair);
            ControlFlow::Continue(())
        });
        sort(pairs);
    }

    fn run_within<B>(
        &self,
        model: &Model,
        first: bool,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
        mut found: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let body = Body::new(model, Pose::IDENTITY);
        let narrow = Narrow::within(&body);
        let placement = body.placement(&body, &Motion::between(&body.pose, &body.pose));
        let way = Way { query: *self, first, placement: &placement };
        model.tree().pairs_within(way, &narrow, &mut scratch.stacks, probe, &mut |[i, j]: [u32; 2]| {
            found([i.min(j), i.max(j)])
        })
    }
}
