//! A body that rays are sent at, and walks along them.
use super::{Cast, Ray, handedness};
use crate::{
    Body,
    query::Scratch,
    walk::QueryContext,
    wide::{self, Flights, Near, PlacedTree, RaySource, RayTask, RayVisitor, Slope, WaitingStack},
};

/// A body, and what many rays share.
pub(crate) struct Target<'a> {
    pub(crate) body: &'a Body<'a>,
    pub(crate) handedness: i8,
    /// `None` if there is no fast tree.
    placed: Option<PlacedTree>,
}

impl<'a> Target<'a> {
    pub(crate) fn new(body: &'a Body<'a>) -> Self {
        Self::with(body, body.model.wide().map(|tree| PlacedTree::new(tree, &body.pose)))
    }
    pub(crate) fn with(body: &'a Body<'a>, placed: Option<PlacedTree>) -> Self {
        Self { body, handedness: handedness(body), placed }
    }
    /// Data that rays in the direction of this one share; `None` if there is no fast tree.
    pub(crate) fn slope(&self, cast: &Cast<'_>) -> Option<Slope> {
        let placed = self.placed.as_ref()?;
        Some(Slope::new(&placed.from_world.direction(cast.direction())))
    }
    /// Where a ray begins; `None` if there is no fast tree.
    pub(crate) fn start(
        &self,
        cast: &Cast<'_>,
        slope: Option<Slope>,
        ray: &Ray,
    ) -> Option<(Near, Slope, f64)> {
        let placed = self.placed.as_ref()?;
        let slope = slope.or_else(|| self.slope(cast))?;
        Some((placed.from_world.point(&ray.origin()), slope, cast.scaled(ray.end())))
    }
    /// Whether not all triangles have to be looked at.
    pub(crate) fn is_fast(&self) -> bool {
        self.placed.is_some()
    }
}

impl QueryContext<'_> {
    /// Along several rays at a time, if there is a fast tree.
    pub(crate) fn along_rays(&self, target: &Target<'_>, rays: &mut dyn RaySource, scratch: &mut Scratch) {
        let Some(tree) = target.body.model.wide() else { return };
        let Scratch { walk, own } = scratch;
        let (counters, flights) = (&mut walk.counters, own.get::<Flights>());
        let model = target.body.model;
        wide::along_rays(
            self.simd,
            (tree.view(), model.mesh(), self.stop),
            flights,
            &mut counters.count,
            rays,
        );
    }

    pub(crate) fn along_ray(
        &self,
        target: &Target<'_>,
        (ray, cast, slope): (&Ray, &Cast<'_>, Option<&Slope>),
        look: &mut dyn FnMut(u32, &mut f64),
        scratch: &mut Scratch,
    ) {
        let mut visitor = RayVisitor::new(cast.scaled(ray.end()), look);
        let model = target.body.model;
        if let (Some(tree), Some(PlacedTree { from_world, .. }), Some(slope)) =
            (model.wide(), &target.placed, slope)
        {
            let task = RayTask {
                tree: tree.view(),
                origin: from_world.point(&ray.origin()),
                slope,
                stop: self.stop,
            };
            let Scratch { walk, own } = scratch;
            let (counters, waiting) = (&mut walk.counters, own.get::<WaitingStack>());
            wide::along_ray(self.simd, task, waiting, &mut counters.count, &mut visitor);
            return;
        }
        for triangle in 0..model.mesh().len() as u32 {
            if self.stop.is_set() {
                return;
            }
            visitor.take(triangle);
        }
    }
}
