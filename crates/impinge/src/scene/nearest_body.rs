//! The body nearest to a point.
use crate::{body_id::BodyId, distance::ClosestPoint};

/// The body of a scene that is nearest to a point, and the nearest point of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NearestBody {
    /// The nearest body; of several equally near ones, the one with the least id.
    pub body: BodyId,
    /// The result of [`Query::closest_point`](crate::Query::closest_point) for that body; no other body is
    /// nearer than its `lo`.
    pub closest: ClosestPoint,
}
