//! Exact interference detection for triangle meshes and assemblies.
//!
//! ```
//! use impinge::{Body, Mesh, Model, Pose, Query};
//!
//! // A tetrahedron: its points, and three of their indices for each triangle.
//! let points = vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 2.]];
//! let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
//! // A model is a mesh with its tree: built once, used by any number of bodies.
//! let model = Model::new(mesh);
//!
//! // A body is a model at a pose. The second one is shifted by a quarter along x.
//! let a = Body::new(&model, Pose::IDENTITY);
//! let b = Body::new(&model, Pose::from_translation([0.25, 0., 0.])?);
//!
//! // Keep the query: it owns the memory that queries work with.
//! let mut query = Query::new();
//! assert!(query.intersects(&a, &b));
//! for &[i, j] in query.pairs(&a, &b) {
//!     let contact = impinge::contact::contact_point(&a, &b, [i, j]);
//!     println!("triangle {i} of a meets triangle {j} of b at {:?}", contact.point);
//! }
//!
//! // Three units away they are apart.
//! let b = Body::new(&model, Pose::from_translation([3., 0., 0.])?);
//! assert_eq!(query.first_contact(&a, &b), None);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! Every result is that of the real numbers, for coordinates and poses as they are in f64. No intersecting
//! pair is missed and none is invented. Touching triangles intersect, and a degenerate triangle is the
//! segment or point that its corners span. Results do not depend on options, threads, instruction sets or
//! machines. Input is checked where it enters, and an [`Error`] names the defect. The library reads no files,
//! prints nothing and starts no threads.
//!
//! # What to use
//!
//! | You have | Use | Types in |
//! |---|---|---|
//! | two bodies | [`Query::intersects`], [`Query::first_contact`], [`Query::pairs`] | [`query`] |
//! | two solids: apart, touching, inside, ... | [`Query::relation`], [`Query::overlaps`] | [`relation`] |
//! | two solids that overlap, and how deep | [`Query::penetration`] | [`penetration`] |
//! | two bodies in motion: first contact, or proof that there is none | [`Query::sweep`] | [`sweep`], [`path`] |
//! | two bodies: their distance, or a margin | [`Query::distance`], [`Query::within`] | [`distance`] |
//! | a surface in a solid: how deep; two surfaces: how far they deviate | [`Query::farthest_distance`] | [`farthest`] |
//! | two surfaces: the lines and patches where they meet | [`Query::curves`] | [`curves`] |
//! | meshes that approximate curved bodies | [`Query::certainty`] | [`certainty`] |
//! | a solid and points | [`Query::locate`] | [`solid`] |
//! | points, and the nearest of a body | [`Query::closest_point`], [`Query::closest_points`] | [`distance`] |
//! | rays | [`Query::ray_first`], [`Query::ray_meets`], [`Query::ray_all`], [`Query::ray_first_each`] | [`rays`] |
//! | a box, a frustum, a section | a region of half-spaces | [`regions`] |
//! | a body at many poses, many pairs | [`Query::pairs_at`], [`Query::pairs_each`] and so on | [`query`] |
//! | two bodies that move little between queries | [`Query::with_cache`] | [`query`] |
//! | many bodies that move | [`Scene`]: filters, margins, contacts that began or ended | [`scene`] |
//! | a mesh that may intersect itself | [`Query::self_pairs`] | |
//! | vertices that move | [`Model::deform`], [`Scene::deform`] | [`model`] |
//! | a moving point and triangle, or two edges: first contact | [`ccd::point_triangle`], [`ccd::edge_edge`] | [`ccd`] |
//! | a pair of triangles that meet | [`contact::contact_point`]: a point and two normals | [`contact`] |
//! | boxes only | [`broad_phase::pairs`], [`broad_phase`], [`world::WorldBox`], [`world::WorldBoxes`] | |
//! | a reference to test against | [`brute_force`]: the same queries without a tree | |
//!
//! All queries are on the page of [`Query`].
//!
//! # Meshes from files
//!
//! The crate [`impinge-io`](https://docs.rs/impinge-io) reads STL, OBJ, PLY, OFF, glTF, 3MF and DAE into parts,
//! each with a name, a mesh and a pose. The command `impinge` (`cargo install impinge-cli`) checks such files
//! without a program.
//!
//! # Debug builds
//!
//! Without optimisation queries take some 75 times as long. These lines in the `Cargo.toml` of your program
//! optimise this crate alone:
//!
//! ```toml
//! [profile.dev.package.impinge]
//! opt-level = 3
//! ```
//!
//! # Features
//!
//! * `rayon`: queries with [`Threads::Pool`] use the rayon pool in which they are called. Without the feature
//!   they run on the calling thread; results are the same.
//! * `serde`: options and results can be written and read, and so can [`Mesh`] and [`Pose`], which are
//!   checked when they are read.
//!
//! Neither is on by default. Instruction sets (AVX-512, AVX2, SSE2, NEON, SIMD128 of WebAssembly) are chosen
//! at run time: see [`SimdLevel`].
//!
//! # Other trees
//!
//! A [`Model`] has the *fast tree*, a bounding volume hierarchy of eight boxes a node, each cut by up to two
//! slabs. The bounding volumes of the literature (boxes, spheres, oriented boxes, k-DOPs, boxtrees, slab cut
//! balls) are in the crate [`impinge-volumes`](https://docs.rs/impinge-volumes): slower, for comparisons.
//! They implement [`hierarchy`].
//!
//! # Vocabulary
//!
//! * [`Mesh`]: a list of triangles, connected in any way or not at all. Triangles are closed sets.
//! * [`Pose`]: x = R v + t. Its twelve f64 numbers are taken as exact.
//! * *Pair*: a triangle of the first body and a triangle of the second.
//! * *First contact*: an intersecting pair; which one is unspecified.
//! * *Solid*: the points that a closed mesh winds around, by a [fill rule](solid::FillRule). *Relation*: how
//!   two solids lie to each other.
//! * [`rays::Ray`]: o + t d for 0 <= t <= t_max.
//! * [`HalfSpace`]: the points x with n.x <= d. A *region* is the intersection of half-spaces.
//! * *Broad phase*: finds the pairs of bodies whose boxes overlap. *Narrow phase*: decides pairs of
//!   triangles.
//! * *Filter*: a floating-point test with an error bound, that returns "meet", "apart" or "unsure". *Exact
//!   stage*: decides the pairs that the filter is unsure of, in integers.
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
pub mod ccd;
pub mod certainty;
#[doc(hidden)]
pub mod choice;
#[doc(hidden)]
pub mod circle;
pub mod contact;
mod counters;
pub mod coverage;
pub mod curves;
pub mod distance;
mod drift;
mod error;
mod exact;
pub mod farthest;
mod flat;
mod from_world;
mod geometry;
mod graph;
mod half_space;
mod heights;
pub mod hierarchy;
mod margin;
mod mesh;
pub mod model;
mod motion;
mod narrow;
mod normalized_frame;
mod obstacle;
mod options;
pub mod path;
pub mod penetration;
mod points;
mod pool;
pub mod pose;
mod posed;
pub mod query;
pub mod rays;
mod refit;
pub mod regions;
pub mod relation;
#[cfg(test)]
#[allow(dead_code, missing_docs, unreachable_pub, unused_imports)]
mod samples;
mod saved;
pub mod scene;
mod simd;
mod sink;
pub mod solid;
mod stop;
pub mod sweep;
mod task;
mod tree_stats;
mod triangle;
mod typed_memory;
mod vector;
mod visitor;
mod walk;
mod wide;
pub mod world;

pub use self::{
    error::{Error, ErrorKind},
    half_space::HalfSpace,
    mesh::{Mesh, Side},
    model::{AnyBody, Body, Model, Rounded},
    obstacle::Obstacle,
    options::{BuildOptions, Quality, Threads},
    pose::Pose,
    query::{Query, intersects, pairs},
    scene::Scene,
    simd::SimdLevel,
};

/// Tests the example on the crate's first page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
