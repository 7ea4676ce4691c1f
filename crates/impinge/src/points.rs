//! Queries about points and one body: the nearest point of its surface, and whether points are inside.
//!
//! The types of their results are where others need them: [`ClosestPoint`](crate::distance::ClosestPoint) is
//! a distance, and solids return a [`Location`](crate::solid::Location), too.
mod closest;
mod locate;
pub(crate) mod reference;

pub(crate) use self::locate::PointLocator;
