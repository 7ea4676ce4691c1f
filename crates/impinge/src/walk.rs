//! Walks of two placed geometries: every pair of triangles that meet, by the trees that both have.
pub(crate) mod context;
pub(crate) mod memory;
pub(crate) mod sweep;

pub(crate) use self::{context::QueryContext, memory::Memory};
