//! Base of `impinge.compat`: placed shapes, and what the core computes of two or many.
mod apart;
mod contact;
mod cores;
mod depth;
mod inside;
mod many;
mod meet;
mod moving;
mod overlap;
mod pairs;
mod shape;
mod vector;

pub(crate) use self::{
    apart::*, contact::*, inside::*, many::*, meet::*, moving::*, overlap::*, pairs::*, shape::PySolid,
};
