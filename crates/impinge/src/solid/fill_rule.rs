//! Rules for the inside of a mesh, by winding numbers.

/// Rule for the inside of a mesh, by the winding number w: how often the mesh winds round a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FillRule {
    /// Inside where w is not 0. Shells of one part that overlap stay full, cavities are empty, and a part
    /// whose triangles all face inwards is still a part.
    #[default]
    NonZero,
    /// Inside where w > 0, as solid modellers define it. Shells that face inwards have no inside.
    Positive,
    /// Inside where w is odd. This rule needs no orientation. Two shells of one part that overlap leave a
    /// hole where they do.
    EvenOdd,
}

impl FillRule {
    pub(crate) fn holds(self, winding: i32) -> bool {
        match self {
            Self::NonZero => winding != 0,
            Self::Positive => winding > 0,
            Self::EvenOdd => winding % 2 != 0,
        }
    }
}
