//! Triangles in a tree's normalized frame, the input of builder, fits and refits.
use impinge::{
    Mesh,
    hierarchy::{Bounds, NormalizedFrame, Vector},
};

/// Greatest error of a coordinate in the normalized frame, computed in f64: one rounding of a number of at
/// most 4, and some underflow. Fits that use [`Primitives::corners`] add it.
pub(crate) const NORMALIZATION_ERROR: f64 = 4.0 * f64::EPSILON;

/// A mesh in its tree's normalized frame: coordinates in [-1, 1] (in [-4, 4] at the end of f64's range), each
/// within [`NORMALIZATION_ERROR`] of the exact one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormalizedMesh<'a> {
    pub(crate) points: &'a [Vector],
    pub(crate) triangles: &'a [[u32; 3]],
}

impl NormalizedMesh<'_> {
    #[inline]
    pub(crate) fn corners(&self, triangle: u32) -> [Vector; 3] {
        self.triangles[triangle as usize].map(|k| self.points[k as usize])
    }
}

/// Some triangles of a mesh, at least one, that a volume is to enclose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Primitives<'a> {
    pub(crate) mesh: NormalizedMesh<'a>,
    pub(crate) items: &'a [Item],
    /// Box that contains every triangle exactly.
    pub(crate) bounds: Bounds,
}

impl Primitives<'_> {
    /// The corners of each triangle, within [`NORMALIZATION_ERROR`] of the exact ones.
    pub(crate) fn corners(&self) -> impl Iterator<Item = [Vector; 3]> + Clone + '_ {
        self.items.iter().map(|item| self.mesh.corners(item.triangle))
    }
    /// Every corner of every triangle; a shared corner comes once for each triangle.
    pub(crate) fn points(&self) -> impl Iterator<Item = Vector> + Clone + '_ {
        self.corners().flatten()
    }
}

/// A triangle and its box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) bounds: Bounds,
    pub(crate) triangle: u32,
}

impl Item {
    /// Twice the centre of the box along an axis.
    #[inline(always)]
    pub(crate) fn centre(&self, axis: usize) -> f32 {
        self.bounds.lo[axis] + self.bounds.hi[axis]
    }
}

pub(crate) fn bounds_of(items: &[Item]) -> Bounds {
    items.iter().fold(Bounds::EMPTY, |b, item| b.and(&item.bounds))
}

/// Some triangles with their boxes.
pub(crate) fn items(
    normalized: &NormalizedFrame,
    mesh: &Mesh,
    triangles: impl Iterator<Item = u32>,
) -> Vec<Item> {
    triangles.map(|triangle| Item { bounds: normalized.bounds_of(mesh, &[triangle]), triangle }).collect()
}
