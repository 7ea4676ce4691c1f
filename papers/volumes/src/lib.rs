//! The bounding volumes of the collision detection literature, as hierarchies for [`impinge::Model`]:
//! axis-aligned boxes, spheres, k-DOPs, oriented boxes, restricted boxtrees, hybrid trees and slab cut balls,
//! with one builder and one traversal for all.
//!
//! For speed use [`impinge::Model::new`], the core's own tree, which is several times as fast as any of
//! these. The trees of this crate serve comparisons: with each other, with the papers, and with the fast
//! tree.
//!
//! ```
//! use impinge::{Body, Mesh, Pose, Query};
//! use impinge_volumes::{Kind, Options};
//! let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
//! for &kind in Kind::ALL {
//!     let model = Options::new(kind).build(triangle.clone())?;
//!     let body = Body::new(&model, Pose::IDENTITY);
//!     assert_eq!(Query::new().pairs(&body, &body), [[0, 0]], "{}: {}", kind.name(), kind.about().paper);
//! }
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! # Vocabulary
//! * *Resting* body: the first of a query, in whose coordinates the query works. *Moving* body: the second.
//! * *Normalized frame*: a tree's own coordinates, in which its mesh fills [-1, 1]^3.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod any_tree;
mod build;
mod empty_space;
mod fit;
mod gap;
mod kind;
mod line;
mod link;
mod models;
mod nearest;
mod options;
mod overlap;
mod primitives;
mod rays;
mod refit;
mod regions;
mod split;
mod topology;
mod traverse;
mod tree;
mod volume;
mod volume_tree;

#[doc(hidden)]
pub use self::fit::experiments;
pub use self::{
    empty_space::empty_space,
    fit::Fit,
    kind::{About, Kind},
    models::{kind_of, options_of, set_overlap},
    options::Options,
    overlap::Overlap,
    split::Split,
};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
