//! Closedness of meshes.

/// Closedness of a mesh: whether it bounds a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Closedness {
    /// The mesh bounds a solid: every edge balances.
    Closed,
    /// The mesh bounds a solid by parity alone: triangles disagree about which side is the front, but their
    /// number at each edge is even. The rule is always [`FillRule::EvenOdd`](super::FillRule::EvenOdd).
    ClosedByEvenOdd,
    /// The mesh is a surface whose inside is not defined, since some edges do not balance.
    Open,
    /// The mesh is a surface that winds round nothing, since all areas cancel those that face the other way.
    NoInterior,
}

impl Closedness {
    /// True if there is an inside.
    pub fn is_closed(self) -> bool {
        matches!(self, Self::Closed | Self::ClosedByEvenOdd)
    }
}
