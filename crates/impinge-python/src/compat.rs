//! What `impinge.compat` is built on: placed shapes of which convex ones are full, round ones included.
mod convex;
mod decide;
mod deep;
mod hull;
mod many;
mod pairs;
mod shape;

pub(crate) use self::{decide::*, deep::*, many::*, pairs::*, shape::PySolid};
