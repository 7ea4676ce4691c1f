//! Which triangles of two meshes meet: exactly, and fast.
#![forbid(unsafe_code)]

mod error;
mod exact;
mod mesh;
mod model;
pub mod pose;
mod probe;
mod query;

pub use self::{
    error::Error,
    mesh::Mesh,
    model::{BuildOptions, Kind, Model, Split, TreeStats},
    pose::Pose,
    probe::{Count, Probe},
    query::{Body, Overlap, Query, Scratch, brute_force, contact_point, intersecting_pairs, intersects},
    query::boxes_meet, query::world_box
};
