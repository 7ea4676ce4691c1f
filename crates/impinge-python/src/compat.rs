//! What `impinge.compat` is built on: placed shapes of which convex ones are full, round ones included.
mod contact;
mod convex;
mod decide;
mod deep;
mod hull;
mod many;
mod pairs;
mod shape;
mod vector;

pub(crate) use self::{contact::*, decide::*, deep::*, many::*, pairs::*, shape::PySolid};
