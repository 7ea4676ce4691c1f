//! Which triangles of two meshes meet: decided over the real numbers, and fast.
//!
//! # Vocabulary
//! * [`Mesh`]: a soup of closed triangles. *Degenerate* triangles are the segments or points that they are.
//! * [`Pose`]: x = R v + t, its twelve numbers exact. [`Model`]: a mesh with its tree. [`Body`]: a model at a pose.
//! * *Pair*: a triangle of the first body and one of the second. The set of *intersecting pairs* is THE answer: it depends on
//!   nothing but the two bodies.
//! * *Volume*: a bounding volume; its [`Kind`] names it. *Chart*: a tree's own coordinates, in which its mesh fills [-1, 1]^3.
//! * *Resting* body: the first, in whose frame a query works. *Moving* body: the second.
//! * *Family*: what one node stores about all its children. *Live*: a volume decoded. *Placed*: a volume with its
//!   image in the other's chart. *Cluster*: triangles that a volume is to enclose.
//! * *Apart*: proved disjoint. *Filter*: a floating-point test that may say "unsure". *Exact stage*: what decides then.
#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod any;
mod batch;
mod bounds;
pub mod broad_phase;
pub mod brute_force;
mod build;
mod cache;
mod choice;
mod contact;
mod error;
mod exact;
mod fit;
mod mesh;
mod model;
mod motion;
mod narrow;
mod parallel;
mod pool;
pub mod pose;
mod probe;
mod query;
mod refit;
mod scene;
mod simd;
mod traverse;
mod tree;
mod triangle;
mod vector;
mod volume;
mod wide;
mod within;
mod world;

pub use self::{
    any::{About, Kind},
    batch::{PairLists, Scratches},
    build::Split,
    cache::QueryCache,
    contact::{ContactPoint, contact_point},
    error::Error,
    mesh::Mesh,
    model::{Body, BuildOptions, Deformed, Model, Quality, Rebuild},
    pose::Pose,
    probe::{Count, Probe, Separations},
    query::{Overlap, Query, Scratch, intersecting_pairs, intersects},
    scene::{BodyId, Contact, Detail, Enclosure, Filter, Scene, SceneOptions, SceneStats},
    simd::SimdLevel,
    tree::TreeStats,
    volume::Fit,
    world::WorldBox,
};
