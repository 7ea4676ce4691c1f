//! Names of changes.

/// A change of one body or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Change {
    /// Triangles in another order.
    Permute,
    /// Triangles start at another corner.
    RotateCorners,
    /// Two triangles of a flat convex quadrilateral are cut along the other diagonal.
    OtherDiagonals,
    /// Halves an edge, in one triangle (a T-junction) or in all that share it.
    SplitEdges,
    /// A triangle becomes three around a point of it.
    SplitFaces,
    /// A surface gets a back, of equal triangles or of others.
    DoubleSheets,
    /// A wall with two sides inside a solid.
    InnerWalls,
    /// Degenerate triangles on edges and corners.
    Degenerate,
    /// Every triangle of a solid occurs twice.
    Repeat,
    /// All triangles of a body are reversed.
    Reverse,
    /// Equal corners share one point of the mesh. Without this change each has its own.
    Merge,
    /// Both bodies are mirrored.
    Mirror,
    /// Axes are permuted cyclically.
    Turn,
    /// Both bodies are moved by integers.
    Translate,
    /// Both bodies are scaled by a power of two.
    Scale,
    /// The bodies are exchanged.
    Swap,
    /// One body gets a pose that its mesh undoes.
    Pose,
}

impl Change {
    /// All changes.
    pub const ALL: [Self; 17] = [
        Self::Permute,
        Self::RotateCorners,
        Self::OtherDiagonals,
        Self::SplitEdges,
        Self::SplitFaces,
        Self::DoubleSheets,
        Self::InnerWalls,
        Self::Degenerate,
        Self::Repeat,
        Self::Reverse,
        Self::Merge,
        Self::Mirror,
        Self::Turn,
        Self::Translate,
        Self::Scale,
        Self::Swap,
        Self::Pose,
    ];
}
