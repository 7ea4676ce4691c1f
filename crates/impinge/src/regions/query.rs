//! Queries for the triangles in a convex region.
use super::{InRegion, is_in};
use crate::{
    Body, HalfSpace, Pose, Query,
    from_world::RoundedPlane,
    geometry::AnyTree,
    motion::Motion,
    normalized_frame::NormalizedFrame,
    query::{QueryParts, Scratch},
    task::RegionTask,
    visitor::RegionVisitor,
    walk::QueryContext,
    wide::{self, RegionMemory},
};

impl Query {
    /// The triangles of a body that have a point in a convex region, or lie in it wholly, sorted: for box
    /// selections, view frusta and sections.
    ///
    /// The region is the intersection of all half-spaces, with their boundaries. Six make a box, two that
    /// face each other make a plane, and none make the whole space. It may be unbounded or empty. A triangle
    /// whose corners are all outside may still meet it in an edge or in its interior: this is decided over
    /// the real numbers.
    ///
    /// The query skips volumes of the tree that lie beyond a plane, and takes all triangles of those within
    /// all planes.
    ///
    /// ```
    /// use impinge::{Body, HalfSpace, Mesh, Model, Pose, Query, regions::InRegion};
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// let mut query = Query::new();
    /// // x >= 1 and y >= 1.
    /// let corner = [HalfSpace::new([-1., 0., 0.], -1.)?, HalfSpace::new([0., -1., 0.], -1.)?];
    /// assert_eq!(query.triangles_in(&body, &corner, InRegion::Partly), [0, 2]);
    /// // z <= 0.
    /// let below = [HalfSpace::new([0., 0., 1.], 0.)?];
    /// assert_eq!(query.triangles_in(&body, &below, InRegion::Wholly), [0]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("intersect_aabb", "frustum", "slice"))]
    pub fn triangles_in(&mut self, body: &Body<'_>, planes: &[HalfSpace], which: InRegion) -> &[u32] {
        let QueryParts { ask, scratches, results, .. } = self.parts();
        let found = results.get::<Vec<u32>>();
        found.clear();
        ask.triangles_in(body, planes, which, &mut scratches.first().scratch, found);
        found.sort_unstable();
        found
    }
}

impl QueryContext<'_> {
    fn triangles_in(
        &self,
        body: &Body<'_>,
        planes: &[HalfSpace],
        which: InRegion,
        scratch: &mut Scratch,
        found: &mut Vec<u32>,
    ) {
        let Scratch { walk, own } = scratch;
        let mut tested = 0;
        let mut take = |triangle: u32, is_certain: bool| {
            tested += u64::from(!is_certain);
            if is_certain || is_in(body, triangle, planes, which) {
                found.push(triangle);
            }
        };
        if let Some(tree) = body.model.wide() {
            let task = wide::WideRegionTask { tree, pose: &body.pose, planes, stop: self.stop };
            let memory = own.get::<RegionMemory>();
            wide::in_region(self.simd, task, memory, &mut walk.counters.count, &mut take);
        } else if let AnyTree::Other(tree) = body.model.tree() {
            let to_world = Motion::between(&body.pose, &Pose::IDENTITY)
                .in_normalized_frames(tree.normalized_frame(), &NormalizedFrame::WORLD);
            let placed = own.get::<Vec<RoundedPlane>>();
            placed.clear();
            placed.extend(
                planes.iter().map(|plane| RoundedPlane::new(&to_world, plane, NormalizedFrame::REACH)),
            );
            let task = RegionTask { planes: placed, counting: self.counting, stop: self.stop };
            let visitor = &mut RegionVisitor::new(&mut take);
            tree.in_region(&task, &mut walk.other, &mut walk.counters, visitor);
        }
        walk.counters.count.triangles_tested(tested);
    }
}
