//! Whether a mesh bounds a solid.

/// Whether a mesh bounds a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Closedness {
    /// It does: every edge balances.
    Closed,
    /// It does, by parity alone: triangles do not agree about which side is the front, but their number at
    /// each edge is even. The rule is always [`FillRule::EvenOdd`](super::FillRule::EvenOdd).
    ClosedByEvenOdd,
    /// Some edges do not balance, so that inside is not defined: it is a surface.
    Open,
    /// All areas cancel those that face the other way: a surface, which winds round nothing.
    NoInterior,
}

impl Closedness {
    /// Whether there is an inside.
    pub fn is_closed(self) -> bool {
        matches!(self, Self::Closed | Self::ClosedByEvenOdd)
    }
}
