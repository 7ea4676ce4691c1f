//! Results of an update.
use crate::{body_id::BodyId, relation::Relation};

/// The detail that an update computes for bodies that meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Detail {
    /// Only the fact that bodies meet.
    #[default]
    Bodies,
    /// The number of intersecting pairs of triangles, and the smallest such pair. They are not listed: two
    /// meshes of n triangles may have n^2 of them.
    Counts,
    /// All intersecting pairs of triangles, 8 bytes each.
    Triangles,
    /// All intersecting pairs of triangles, and the relation of the bodies as solids: see
    /// [`Query::relation`](crate::Query::relation). Bodies then meet as sets of points: a body inside another
    /// is a contact, though no triangles meet.
    Relations,
}

/// Two bodies that meet, as found by one update of a scene.
///
/// Two contacts are equal if their public fields are; the update that found them does not count. With the
/// feature `serde` the fields are written. A contact that is read belongs to no update:
/// [`Scene::triangle_pairs`](crate::Scene::triangle_pairs) refuses it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Contact {
    /// The two bodies, the smaller id first.
    pub bodies: [BodyId; 2],
    /// True if the bodies did not meet at the update before.
    pub began: bool,
    /// A pair of triangles that meet, or that are as near as the radii: any one for [`Detail::Bodies`], else
    /// the smallest. The triangle of a half-space is 0. `None` if one body is inside the other and touches
    /// nothing of it ([`Detail::Relations`]).
    pub witness: Option<[u32; 2]>,
    /// The number of such pairs of triangles; `None` for [`Detail::Bodies`].
    pub triangle_pairs: Option<u64>,
    /// The relation of both, the body with the smaller id being the first; for [`Detail::Relations`], unless
    /// one of them has a radius or is a half-space.
    pub relation: Option<Relation>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) source: ContactSource,
}

impl PartialEq for Contact {
    fn eq(&self, other: &Self) -> bool {
        let said = |c: &Self| (c.bodies, c.began, c.witness, c.triangle_pairs, c.relation);
        said(self) == said(other)
    }
}

impl Eq for Contact {}

/// Source of a contact. The default belongs to no update: they are numbered from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ContactSource {
    /// The number of the update.
    pub(super) update: u64,
    /// The pair's index in the scene's list of pairs.
    pub(super) pair: usize,
}

/// Work of an update. Of the `near` pairs, `decided` had their triangles tested. The others kept their last
/// result, or have a separating plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SceneStats {
    /// Bodies in the scene.
    pub bodies: usize,
    /// Bodies that were added, removed, moved or reshaped since the update before.
    pub changed: usize,
    /// Pairs of bodies whose boxes meet and that are neither filtered out nor allowed to intersect.
    pub near: usize,
    /// Pairs of bodies whose triangles were tested in this update.
    pub decided: usize,
    /// Pairs of bodies that meet.
    pub meet: usize,
}
