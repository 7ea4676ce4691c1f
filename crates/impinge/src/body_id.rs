//! Names of a scene's bodies.

/// The id of a body, valid as long as the scene has the body. An id is never given twice: a reused slot gets
/// a new generation. Ids are ordered by slot.
///
/// An id belongs to the scene that gave it; another scene may have given the same one. With the feature
/// `serde` an id can be written and read: it is checked where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl BodyId {
    /// The body's index: an index into tables that you keep beside the scene. Bodies that are in the scene
    /// at the same time have different indices. Indices are reused, so they stay below the largest number of
    /// bodies that the scene has held at once.
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}
