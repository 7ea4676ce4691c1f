//! Identity of parts: the properties of a part that persist from one delivery of an assembly to the next, and
//! the matching of the parts of two deliveries.
//!
//! 1. A part's key is the first of GUID, instance path, and name with file that is unique within each
//!    delivery and present in both ([`MatchReason::Guid`], [`Path`](MatchReason::Path),
//!    [`NameAndFile`](MatchReason::NameAndFile)).
//! 2. Other parts are matched by shape, place, name and type, as assignments with the least sum of costs.
//!    Parts that stayed in place come first, so that the groups stay small.
//! 3. Other parts are missing or new.
mod assignment;
mod canonical;
mod matching;
mod part;
mod place;
mod reason;
mod regions;
mod shape;
mod shape_classes;
mod stages;

pub(crate) use self::canonical::canonical_order;
pub use self::{
    matching::{Match, Matching},
    part::{PartIdentity, PartNames},
    place::Place,
    reason::MatchReason,
    shape::ShapeMeasures,
};

#[cfg(test)]
mod tests;
