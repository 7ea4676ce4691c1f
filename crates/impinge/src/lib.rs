//! Which triangles of two meshes intersect: decided exactly, and fast.
//!
//! ```
//! use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query};
//!
//! // A tetrahedron: its points, and three of their indices for each triangle.
//! let points = vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 2.]];
//! let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
//! // A model is a mesh with its tree: built once, used by any number of bodies.
//! let model = Model::new(mesh, &BuildOptions::default());
//!
//! // A body is a model at a pose. The second one is shifted by a quarter along x.
//! let a = Body::new(&model, Pose::IDENTITY);
//! let b = Body::new(&model, Pose::from_translation([0.25, 0., 0.])?);
//!
//! // Keep the query: it owns the memory that queries work with.
//! let mut query = Query::new();
//! assert!(query.intersects(&a, &b));
//! for &[i, j] in query.pairs(&a, &b) {
//!     let contact = impinge::contact_point(&a, &b, [i, j]);
//!     println!("triangle {i} of a meets triangle {j} of b at {:?}", contact.point);
//! }
//!
//! // Three units away they are apart.
//! let b = Body::new(&model, Pose::from_translation([3., 0., 0.])?);
//! assert_eq!(query.first_contact(&a, &b), None);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! The answer is that of the real numbers, for coordinates and poses as they are in f64: no intersecting pair
//! is missed and none is invented, touching counts, and degenerate triangles are the segments or points that
//! they are. It does not depend on options, threads, instruction sets or machines. Input is checked where it
//! enters, and an [`Error`] says what is wrong; the library reads no files, prints nothing and starts no
//! threads.
//!
//! # What to use
//!
//! | you have | use |
//! |---|---|
//! | two bodies | [`Query::intersects`], [`Query::first_contact`], [`Query::pairs`] |
//! | two solids: apart, touching, overlapping, inside | [`Query::relation`], [`Query::interiors_meet`] |
//! | how far apart, or whether within a margin | [`Query::distance`], [`Query::within`] |
//! | two surfaces, and the lines and patches where they meet | [`Query::curves`] |
//! | a solid and points | [`Query::locate`] |
//! | points, and how far from a body | [`Query::closest_point`], [`Query::closest_points`] |
//! | rays | [`Query::ray_first`], [`Query::ray_all`], [`Query::ray_first_each`] |
//! | a box, a frustum, a section | [`Query::triangles_in`] |
//! | a body at many poses, or many pairs of bodies | [`Query::pairs_at`], [`Query::pairs_each`] and so on |
//! | two bodies that move little between queries | [`Query::with_cache`] |
//! | many bodies that move | [`Scene`], with filters, margins and what began and ended |
//! | a mesh that may cross itself | [`Query::self_pairs`] |
//! | vertices that move | [`Model::deform`], [`Scene::deform`] |
//! | a pair of triangles, and the question where | [`contact_point`]: a point and two normals |
//! | boxes alone | [`broad_phase`], [`WorldBox`], [`WorldBoxes`] of one mesh at many poses |
//! | doubts | [`brute_force`]: the same questions without a tree |
//!
//! # Meshes from files
//!
//! The crate [`impinge-io`](https://docs.rs/impinge-io) reads STL, OBJ, PLY, OFF, glTF and 3MF into parts,
//! each with a name, a mesh and a pose. The command `impinge` (`cargo install impinge-cli`) checks such files
//! without a program.
//!
//! # Debug builds
//!
//! Without optimisation queries take some 75 times as long. In the `Cargo.toml` of your program this helps,
//! and leaves your own code as it is to debug:
//!
//! ```toml
//! [profile.dev.package.impinge]
//! opt-level = 3
//! ```
//!
//! # Features
//!
//! * `rayon`: what is asked for with [`Threads::Pool`] uses the rayon pool in which it is called. Without the
//!   feature it is done on the calling thread; results are the same.
//! * `serde`: options and results can be written and read, and so can [`Mesh`] and [`Pose`], which are
//!   checked when they are read.
//!
//! Neither is on by default. Instruction sets (AVX-512, AVX2, NEON) are chosen at run time: see
//! [`SimdLevel`].
//!
//! # Other trees
//!
//! A [`Model`] has the *fast tree*, a bounding volume hierarchy of eight boxes a node, each cut by up to two
//! slabs. The bounding volumes of the literature (boxes, spheres, oriented boxes, k-DOPs, boxtrees, slab cut
//! balls) are in the crate [`impinge-volumes`](https://docs.rs/impinge-volumes): slower, and there to be
//! compared. [`hierarchy`] is what they implement.
//!
//! # Vocabulary
//!
//! * [`Mesh`]: a list of triangles, with no assumption about how they are connected. Triangles are closed
//!   sets; a *degenerate* one is the segment or the point that its corners span.
//! * [`Pose`]: x = R v + t. Its twelve f64 numbers are taken as exact.
//! * *Pair*: a triangle of the first body and one of the second. The *intersecting pairs* are the answer.
//! * *First contact*: one intersecting pair, whichever is found first.
//! * *Solid*: the points that a closed mesh winds round. *Relation*: what two of them are to each other.
//! * [`Ray`]: o + t d for 0 <= t <= t_max. *Crossing*: where it leaves through a triangle's front, or enters.
//! * [`Plane`]: the half-space n.x <= d; a *region* is what several have in common.
//! * *Broad phase*: finds the pairs of bodies whose boxes overlap. *Narrow phase*: decides pairs of
//!   triangles.
//! * *Filter*: a floating-point test with an error bound, that answers "meet", "apart" or "unsure". *Exact
//!   stage*: decides what the filter is unsure of, in integers.
#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

// The shared sources of the unit tests name this crate as its users do.
#[cfg(test)]
extern crate self as impinge;

mod array;
mod body_id;
mod bounds;
pub mod broad_phase;
pub mod brute_force;
mod certainty;
#[doc(hidden)]
pub mod choice;
mod contact;
mod counters;
pub mod curves;
mod distance;
mod empty_space;
mod error;
mod exact;
mod flat;
mod geometry;
pub mod hierarchy;
mod margin;
mod mesh;
mod model;
mod motion;
mod narrow;
mod normalized_frame;
mod options;
mod penetration;
mod plane;
mod pool;
pub mod pose;
mod posed;
mod query;
mod ray;
mod refit;
mod region;
mod relation;
#[cfg(test)]
#[allow(dead_code, missing_docs, unreachable_pub, unused_imports)]
mod samples;
mod saved;
mod scene;
mod simd;
mod sink;
mod solid;
mod stop;
mod task;
mod tree_stats;
mod triangle;
mod vector;
mod visitor;
mod walk;
mod wide;
mod world;

pub use self::{
    body_id::BodyId,
    certainty::Certainty,
    contact::{ContactPoint, contact_point},
    counters::{Count, Counters},
    curves::Curves,
    distance::{Accuracy, ClosestPoint, Gap},
    error::Error,
    margin::Margin,
    mesh::Mesh,
    model::{Body, Deformed, Model, Rebuild},
    options::{BuildOptions, Quality, Threads},
    penetration::{Depth, Penetration, PenetrationParts},
    plane::Plane,
    pose::Pose,
    query::{CachedQuery, ContactPairs, PairCount, PairLists, Query, QueryCache, intersects, pairs},
    ray::{Ray, RayHit},
    region::InRegion,
    relation::{Relation, RelationKind},
    scene::{
        Contact, Detail, Enclosure, Filter, Near, NearestBody, Progress, Scene, SceneOptions, SceneStats,
        Stage, Watch,
    },
    simd::SimdLevel,
    solid::{Boundary, Closedness, FillRule, Location, Solid},
    tree_stats::TreeStats,
    world::{WorldBox, WorldBoxes},
};

/// Tests the example on the crate's first page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
