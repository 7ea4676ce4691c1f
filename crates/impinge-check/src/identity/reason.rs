//! [`MatchReason`]: the reason of a match of two parts.
use std::fmt;

/// The reason why a part of a delivery is the same as a part of an earlier one; the strongest reason comes
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MatchReason {
    /// The same GUID, unique in both deliveries.
    Guid,
    /// The same instance path, unique in both deliveries.
    Path,
    /// The same name and file, unique in both deliveries.
    NameAndFile,
    /// The same shape at the same place.
    ShapeAndPlace,
    /// A shape with the same measures but other triangles, at the same place.
    AlikeAndPlace,
    /// The same name and type at about the same place; the shape differs.
    NameAndPlace,
    /// The same name, type and shape; it moved.
    NameAndShape,
}

impl MatchReason {
    /// All reasons, the strongest first.
    pub const ALL: [Self; 7] = [
        Self::Guid,
        Self::Path,
        Self::NameAndFile,
        Self::ShapeAndPlace,
        Self::AlikeAndPlace,
        Self::NameAndPlace,
        Self::NameAndShape,
    ];
    /// Its name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::Guid => "guid",
            Self::Path => "path",
            Self::NameAndFile => "name_and_file",
            Self::ShapeAndPlace => "shape_and_place",
            Self::AlikeAndPlace => "alike_and_place",
            Self::NameAndPlace => "name_and_place",
            Self::NameAndShape => "name_and_shape",
        }
    }
}

/// Writes the reason for people.
impl fmt::Display for MatchReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Guid => "same GUID",
            Self::Path => "same path",
            Self::NameAndFile => "same name and file",
            Self::ShapeAndPlace => "same shape and place",
            Self::AlikeAndPlace => "same place, other triangles",
            Self::NameAndPlace => "same name and place, other shape",
            Self::NameAndShape => "same name and shape, moved",
        })
    }
}
