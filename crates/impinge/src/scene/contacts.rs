//! What an update finds.
use super::bodies::BodyId;

/// How much is asked about bodies that meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    /// That they do.
    #[default]
    Bodies,
    /// How many pairs of triangles do, and which is the least.
    Counts,
    /// All these pairs.
    Triangles,
}

/// Two bodies that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contact {
    /// The smaller id first.
    pub bodies: [BodyId; 2],
    /// Whether they did not meet at the update before.
    pub began: bool,
    /// Triangles of theirs that meet: the least such pair, but for [`Detail::Bodies`], where it is any.
    pub witness: [u32; 2],
    /// How many there are; `None` if that was not asked for.
    pub triangle_pairs: Option<u64>,
    /// Where the scene keeps the pair.
    pub(super) pair: usize,
}

/// What an update had to do: of the pairs that are asked about at all, `near` have boxes that meet; the triangles of `decided` of them were compared now, and the others are as they were, or a plane was found between them; `meet`
/// of them meet, and no other pair does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SceneStats {
    /// Bodies in the scene.
    pub bodies: usize,
    /// Bodies that were added, removed, moved or reshaped since the update before.
    pub changed: usize,
    /// Pairs of bodies whose boxes meet, without those that a filter or an allowance excludes.
    pub near: usize,
    /// Pairs of bodies whose triangles were compared.
    pub decided: usize,
    /// Pairs of bodies that meet.
    pub meet: usize,
}
