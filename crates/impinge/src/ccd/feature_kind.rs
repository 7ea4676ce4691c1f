//! The kinds of queries.

/// What the four points are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FeatureKind {
    /// A point and the corners of a triangle.
    PointTriangle,
    /// The end points of two segments.
    EdgeEdge,
}
