//! Vertices that move while the triangles stay.
use super::{Geometry, reach_of};
use crate::{
    Error, ErrorKind, exact,
    mesh::{self, extent_of},
    pool::Executor,
    refit::Cost,
    vector::extent,
};
use std::sync::Arc;

/// Share of the vertices, one in this number, up to which moved ones are refitted alone.
const FEW: usize = 4;
/// Largest moved coordinate with which a normalized frame is kept; error bounds are derived for 4.
const FRAME_REACH: f64 = 2.0;

impl Geometry {
    /// See [`Model::refit`](crate::Model::refit).
    pub(crate) fn refit(&mut self, points: &[[f64; 3]]) -> Result<(), Error> {
        self.check(points)?;
        self.built_cost();
        Arc::make_mut(&mut self.mesh).points_mut().copy_from_slice(points);
        self.refit_all(Executor::of(self.options.threads));
        Ok(())
    }
    /// See [`Model::refit_some`](crate::Model::refit_some).
    pub(crate) fn refit_some(&mut self, moved: &[(u32, [f64; 3])]) -> Result<(), Error> {
        let count = self.mesh.points().len();
        for &(i, v) in moved {
            if i as usize >= count {
                return Err(ErrorKind::MovedVertexOutOfRange { index: i, vertices: count }.into());
            }
            if v.iter().any(|c| !c.is_finite()) {
                return Err(ErrorKind::VertexNotFinite { vertex: i as usize, value: v }.into());
            }
        }
        self.built_cost();
        let points = Arc::make_mut(&mut self.mesh).points_mut();
        for &(i, v) in moved {
            points[i as usize] = v;
        }
        let few = FEW * moved.len() <= count;
        if !few || !self.is_climbable() || !self.is_near(moved) {
            self.refit_all(Executor::Serial);
            return Ok(());
        }
        for (i, v) in moved.iter().flat_map(|(_, v)| v.iter().enumerate()) {
            self.reach[i] = self.reach[i].max(v.abs());
            let [lo, hi] = &mut self.extent;
            (lo[i], hi[i]) = (lo[i].min(*v), hi[i].max(*v));
        }
        self.in_safe_range &= moved.iter().all(|(_, v)| exact::are_in_safe_range(&[*v]));
        self.warm.touched.by(moved.iter().map(|&(i, _)| i));
        let [built, mut now] = self.built_cost();
        self.tree.refit_some(&self.mesh, &mut self.warm, &mut now);
        self.warm.cost = Some([built, now]);
        Ok(())
    }
    /// Moves all vertices, and leaves the tree as it was. The caller rebuilds it.
    pub(crate) fn move_points(&mut self, points: &[[f64; 3]]) -> Result<(), Error> {
        self.check(points)?;
        Arc::make_mut(&mut self.mesh).points_mut().copy_from_slice(points);
        Ok(())
    }
    /// See [`Model::decay`](crate::Model::decay).
    pub(crate) fn decay(&self) -> f64 {
        self.warm.cost.map_or(1.0, |[built, now]| now.over(&built))
    }

    fn check(&self, points: &[[f64; 3]]) -> Result<(), Error> {
        let count = self.mesh.points().len();
        if points.len() != count {
            return Err(ErrorKind::WrongPointCount { points: points.len(), vertices: count }.into());
        }
        mesh::check(points)
    }
    /// The cost of the tree when it was built, computed before the first refit, and its cost now.
    fn built_cost(&mut self) -> [Cost; 2] {
        // A tree that was not built yet had the cost 0.
        let known = self.warm.cost.filter(|[built, _]| built.sum > 0.0);
        *self.warm.cost.insert(known.unwrap_or_else(|| [self.tree.cost(&self.mesh); 2]))
    }
    fn refit_all(&mut self, executor: Executor) {
        let [built, _] = self.built_cost();
        let extent = if self.warm.all_used(&self.mesh) && !self.mesh.is_empty() {
            extent(self.mesh.points())
        } else {
            extent_of(&self.mesh)
        };
        let now = self.tree.refit(&self.mesh, &extent, &mut self.warm, executor);
        self.warm.cost = Some([built, now]);
        (self.reach, self.extent) = (reach_of(&extent), extent);
        self.in_safe_range = exact::are_in_safe_range(self.mesh.points());
    }
    /// True if positions lie in the tree's normalized frame, or near it; false for NaN.
    fn is_near(&self, moved: &[(u32, [f64; 3])]) -> bool {
        let normalized = self.normalized_frame();
        moved.iter().all(|(_, v)| normalized.apply(v).iter().all(|x| x.abs() <= FRAME_REACH))
    }
    /// True if a part of the tree can be refitted by itself.
    fn is_climbable(&mut self) -> bool {
        if !self.warm.touched.is_ready() {
            let Some((links, order)) = self.tree.links() else { return false };
            self.warm.touched.prepare(&self.mesh, order, links);
        }
        true
    }
}
