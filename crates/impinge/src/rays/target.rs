//! Target body of rays, and walks along them.
use super::{Cast, Ray, handedness};
use crate::{
    Body, Pose,
    from_world::{FromWorld, RoundedVector},
    geometry::AnyTree,
    motion::Rotation,
    query::Scratch,
    task::RayTask,
    visitor::RayVisitor,
    walk::QueryContext,
    wide::{self, Flights, PlacedTree, RaySource, Slope, WaitingStack},
};

/// A body with the data that many rays share.
pub(crate) struct Target<'a> {
    pub(crate) body: &'a Body<'a>,
    pub(crate) handedness: i8,
    /// Map from the world to the frame of the tree.
    from_world: FromWorld,
    is_fast: bool,
}

impl<'a> Target<'a> {
    pub(crate) fn new(body: &'a Body<'a>) -> Self {
        Self::with(body, body.model.wide().map(|tree| PlacedTree::new(tree, &body.pose)))
    }
    pub(crate) fn with(body: &'a Body<'a>, placed: Option<PlacedTree>) -> Self {
        let is_fast = placed.is_some();
        let from_world = placed.map_or_else(
            || {
                let frame = body.model.geometry().normalized_frame();
                FromWorld::new(frame, &Rotation::new(*Pose::IDENTITY.rows()), &body.pose)
            },
            |placed| placed.from_world,
        );
        Self { body, handedness: handedness(body), from_world, is_fast }
    }
    /// Data that rays in the direction of this one share; `None` if there is no fast tree.
    pub(crate) fn slope(&self, cast: &Cast<'_>) -> Option<Slope> {
        self.is_fast.then(|| Slope::new(&self.from_world.direction(cast.direction())))
    }
    /// Origin, slope and scaled end of a ray; `None` if there is no fast tree.
    pub(crate) fn start(
        &self,
        cast: &Cast<'_>,
        slope: Option<Slope>,
        ray: &Ray,
    ) -> Option<(RoundedVector, Slope, f64)> {
        let slope = slope.or_else(|| self.slope(cast))?;
        Some((self.from_world.point(&ray.origin()), slope, cast.scaled(ray.end())))
    }
    /// True if there is a fast tree, which several rays walk at a time.
    pub(crate) fn is_fast(&self) -> bool {
        self.is_fast
    }
}

impl QueryContext<'_> {
    /// Walks along several rays at a time, if there is a fast tree.
    pub(crate) fn along_rays(&self, target: &Target<'_>, rays: &mut dyn RaySource, scratch: &mut Scratch) {
        let Some(tree) = target.body.model.wide() else { return };
        let Scratch { walk, own } = scratch;
        let (mesh, flights) = (target.body.model.mesh(), own.get::<Flights>());
        wide::along_rays(self.simd, tree.view(), mesh, self.stop, flights, &mut walk.counters.count, rays);
    }

    pub(crate) fn along_ray(
        &self,
        target: &Target<'_>,
        ray: &Ray,
        cast: &Cast<'_>,
        slope: Option<&Slope>,
        look: &mut dyn FnMut(u32, &mut f64),
        scratch: &mut Scratch,
    ) {
        let mut visitor = RayVisitor::new(cast.scaled(ray.end()), look);
        let (model, origin) = (target.body.model, target.from_world.point(&ray.origin()));
        let Scratch { walk, own } = scratch;
        if let AnyTree::Other(tree) = model.tree() {
            let direction = target.from_world.direction(cast.direction());
            let task = RayTask { origin, direction, counting: self.counting, stop: self.stop };
            tree.along_ray(&task, &mut walk.other, &mut walk.counters, &mut visitor);
            return;
        }
        let (Some(tree), Some(slope)) = (model.wide(), slope) else {
            unreachable!("a model without another crate's tree has the fast one")
        };
        let task = wide::WideRayTask { tree: tree.view(), origin, slope, stop: self.stop };
        let (waiting, count) = (own.get::<WaitingStack>(), &mut walk.counters.count);
        wide::along_ray(self.simd, task, waiting, count, &mut visitor);
    }
}
