//! The intersection of two triangles, and the sides of polygons.
use super::feature::Vertices;

/// An intersection of two triangles, or of a degenerate triangle's legs, that is more than a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommonPart {
    pub(super) pair: [u32; 2],
    /// The simplices, by their vertices.
    pub(super) of: [Vertices; 2],
    /// Its nodes are `ring[first..first + len]`.
    pub(super) first: u32,
    pub(super) len: u32,
    /// True if a segment runs along no edge.
    pub(super) crossing: bool,
    pub(super) dirty: bool,
}

impl CommonPart {
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
    pub(super) fn is_polygon(&self) -> bool {
        self.len > 2
    }
}

/// A side of a polygon, from a node of a ring to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PolygonSide {
    /// The vertices of the edge on which it lies.
    pub(super) edge: [u32; 2],
    /// The body that has the edge.
    pub(super) body: usize,
    /// True if the polygon lies on the left of the side, as it runs from the lesser to the greater node.
    pub(super) left: bool,
}
