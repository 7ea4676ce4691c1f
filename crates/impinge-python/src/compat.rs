//! What `impinge.compat` is built on: placed shapes of which convex ones are full, round ones included.
mod convex;
mod decide;
mod hull;
mod many;
mod pairs;
mod shape;
mod vector;

pub(crate) use self::{decide::*, many::*, pairs::*, shape::PySolid};
