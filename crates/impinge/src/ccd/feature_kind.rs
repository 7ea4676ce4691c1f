//! The kinds of queries.

/// The features that the four points make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FeatureKind {
    /// A point and the corners of a triangle.
    PointTriangle,
    /// The end points of two segments.
    EdgeEdge,
}
