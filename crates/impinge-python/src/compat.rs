//! Base of `impinge.compat`: placed shapes. Convex shapes are full, round ones included.
mod apart;
mod contact;
mod convex;
mod deep;
mod hull;
mod many;
mod meet;
mod pairs;
mod shape;
mod vector;

pub(crate) use self::{apart::*, contact::*, deep::*, many::*, meet::*, pairs::*, shape::PySolid};
