//! The intersection of two triangles, and the sides of polygons.
use super::feature::Vertices;

/// The intersection of a pair of triangles, or of a degenerate one's legs, if it is more than a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    pub(super) pair: [u32; 2],
    /// The simplices, by their vertices.
    pub(super) of: [Vertices; 2],
    /// Its nodes are `ring[first..first + len]`.
    pub(super) first: u32,
    pub(super) len: u32,
    /// Whether a segment runs along no edge.
    pub(super) crossing: bool,
    pub(super) dirty: bool,
}

impl Common {
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
    pub(super) fn is_polygon(&self) -> bool {
        self.len > 2
    }
}

/// A side of a polygon, from a node of a ring to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    /// The vertices of the edge on which it lies.
    pub(super) edge: [u32; 2],
    /// Whose edge it is.
    pub(super) body: usize,
    /// Whether the polygon lies on the left of it, as it runs from the lesser to the greater node.
    pub(super) left: bool,
}
