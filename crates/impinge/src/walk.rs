//! Walks of two placed geometries: find every pair of triangles that meet, by both trees.
pub(crate) mod context;
pub(crate) mod memory;
pub(crate) mod sweep;

pub(crate) use self::{context::QueryContext, memory::WalkMemory};
