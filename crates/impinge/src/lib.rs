//! Which triangles of two meshes meet: decided over the real numbers, and fast.
//!
//! # Vocabulary
//! * [`Mesh`]: a soup of closed triangles. *Degenerate* triangles are the segments or points that they are.
//! * [`Pose`]: x = R v + t, its twelve numbers exact. [`Model`]: a mesh with its tree. [`Body`]: a model at a pose.
//! * *Pair*: a triangle of the first body and one of the second. The set of *intersecting pairs* is THE answer: it depends on
//!   nothing but the two bodies.
//! * *Volume*: a bounding volume; its [`Kind`] names it. *NormalizedFrame*: a tree's own coordinates, in which its mesh fills [-1, 1]^3.
//! * *Resting* body: the first, in whose frame a query works. *Moving* body: the second.
//! * *Family*: what one node stores about all its children. *Live*: a volume decoded. *Placed*: a volume with its
//!   image in the other's normalized frame. *Cluster*: triangles that a volume is to enclose.
//! * *Apart*: proved disjoint. *Filter*: a floating-point test that may say "unsure". *Exact stage*: what decides then.
#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod bounds;
pub mod broad_phase;
pub mod brute_force;
#[doc(hidden)]
pub mod choice;
mod contact;
mod counters;
mod error;
mod exact;
pub mod hierarchy;
mod mesh;
mod model;
mod motion;
mod narrow;
mod pool;
pub mod pose;
mod query;
mod refit;
mod scene;
mod simd;
mod sink;
mod triangle;
mod vector;
mod wide;
mod world;

pub use self::{
    contact::{ContactPoint, contact_point},
    counters::{Count, Counters},
    error::Error,
    hierarchy::TreeStats,
    mesh::Mesh,
    model::{Body, BuildOptions, Deformed, Model, Quality, Rebuild, Threads},
    pose::Pose,
    query::{CachedQuery, PairLists, Query, QueryCache, intersects, pairs},
    scene::{
        BodyId, Contact, Detail, Enclosure, Filter, Progress, Scene, SceneOptions, SceneStats, Stage, Watch,
    },
    simd::SimdLevel,
    world::WorldBox,
};
