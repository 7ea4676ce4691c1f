//! The triangles' boxes.
use super::four::{FloatQuad, TaggedBox};
use crate::simd::Simd;

/// The triangles' boxes, as a builder needs them.
pub(crate) trait BoxSource: Sync {
    fn count(&self) -> usize;
    /// The box of a triangle, tagged with its number and a count of 1.
    fn of(&self, triangle: usize) -> TaggedBox;
    /// Hints that the box of a triangle will be needed soon.
    fn prefetch<S: Simd>(&self, simd: S, triangle: usize);
    /// The least and greatest corners of a box in which all centres lie, but for rounding.
    fn ends(&self) -> [FloatQuad; 2];
}
