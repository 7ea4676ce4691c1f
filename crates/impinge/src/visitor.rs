//! The functions that walks for distances, rays and regions call with triangles, and the limits that they
//! lower.
use crate::{stop::StopFlag, vector::Vector};
use std::ops::ControlFlow;

/// The bounds found while pairs of triangles are visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchBounds {
    /// Distance beyond which pairs do not matter.
    pub(crate) limit: f64,
    /// Direction from the first body to the second where they are nearest so far, in the world: a guess,
    /// along which walks project.
    pub(crate) direction: Option<Vector>,
}

/// Function that takes some pairs of triangles.
type Look<'a> = dyn FnMut(&[[u32; 2]], &mut SearchBounds) -> ControlFlow<()> + 'a;

/// Consumer of a walk for distances: takes pairs of triangles until it breaks.
pub struct Visitor<'a> {
    pub(crate) progress: SearchBounds,
    look: &'a mut Look<'a>,
}

impl std::fmt::Debug for Visitor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visitor").field("progress", &self.progress).finish_non_exhaustive()
    }
}

impl<'a> Visitor<'a> {
    pub(crate) fn new(limit: f64, look: &'a mut Look<'a>) -> Self {
        Self { progress: SearchBounds { limit, direction: None }, look }
    }
    /// The distance in the world beyond which pairs do not matter. It never grows.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.progress.limit
    }
    #[inline(always)]
    pub(crate) fn take(&mut self, pair: [u32; 2]) -> ControlFlow<()> {
        (self.look)(&[pair], &mut self.progress)
    }
    /// Takes some pairs together, if all of them are likely to matter.
    ///
    /// # Errors
    /// Breaks if no more pairs are needed.
    #[inline(always)]
    pub fn take_some(&mut self, pairs: &[[u32; 2]]) -> ControlFlow<()> {
        (self.look)(pairs, &mut self.progress)
    }
    /// Takes all pairs of triangles of two bodies, given their numbers of triangles.
    pub(crate) fn take_all(&mut self, [a, b]: [u32; 2], stop: StopFlag<'_>) -> ControlFlow<()> {
        for i in 0..a {
            stop.check()?;
            for j in 0..b {
                self.take([i, j])?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Consumer of a walk for rays: takes triangles along a ray. It may lower the greatest t that matters, in
/// lengths of the task's direction.
pub struct RayVisitor<'a> {
    pub(crate) limit: f64,
    look: &'a mut dyn FnMut(u32, &mut f64),
}

impl std::fmt::Debug for RayVisitor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RayVisitor").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl<'a> RayVisitor<'a> {
    pub(crate) fn new(limit: f64, look: &'a mut dyn FnMut(u32, &mut f64)) -> Self {
        Self { limit, look }
    }
    /// The greatest t that matters. It never grows.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.limit
    }
    /// Takes a triangle that the ray may meet.
    #[inline(always)]
    pub fn take(&mut self, triangle: u32) {
        (self.look)(triangle, &mut self.limit);
    }
}

/// Consumer of a walk for regions: takes triangles that may be in a region.
pub struct RegionVisitor<'a>(&'a mut dyn FnMut(u32, bool));

impl std::fmt::Debug for RegionVisitor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegionVisitor").finish_non_exhaustive()
    }
}

impl<'a> RegionVisitor<'a> {
    pub(crate) fn new(look: &'a mut dyn FnMut(u32, bool)) -> Self {
        Self(look)
    }
    /// Takes some triangles. `are_inside` is true if all of them certainly lie in the region, wholly.
    pub fn take(&mut self, triangles: &[u32], are_inside: bool) {
        triangles.iter().for_each(|&triangle| (self.0)(triangle, are_inside));
    }
}
