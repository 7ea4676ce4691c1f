//! A set of corners that slabs are fitted to.
use super::vector::Vector32;

/// Number of largest triangles whose normals are tried.
pub(crate) const LARGEST: usize = 3;

/// The input of a slab fit.
pub(crate) struct Cluster<'a> {
    /// All corners, by axis; some may occur more than once.
    pub(crate) points: [&'a [f32]; 3],
    /// The centre of the child's box, as it decodes.
    pub(crate) centre: Vector32,
    /// The half sides of that box.
    pub(crate) half: Vector32,
    /// The sides of the corners' box, before it was quantized.
    pub(crate) sides: Vector32,
    /// The sum of the triangles' normals, each as long as twice the triangle's area.
    pub(crate) normal: Vector32,
    /// The edges of the largest triangles, each beginning where the one before ends.
    pub(crate) largest: [[Vector32; 3]; LARGEST],
}

/// Directions are tried on at most this many corners.
pub(crate) const SAMPLE: usize = 64;
