//! Assemblies to try impinge with, made by formula: no file is needed.
//!
//! ```
//! let scene = impinge_demo::gearbox();
//! let bolt = scene.expected.iter().find(|clash| clash.a == "bolt_07").expect("a fault that was built in");
//! assert_eq!(bolt.b, "housing_lower");
//! assert!(scene.triangles() > 90_000);
//! ```
//!
//! Coordinates and poses are the same bits on every machine: [`circle`] and [`rng`], with which they are
//! made, use only operations that IEEE 754 rounds correctly.
#![forbid(unsafe_code)]

pub mod circle;
mod gearbox;
mod icosphere;
mod lattice;
pub mod rng;

pub use self::{
    gearbox::{ExpectedClash, Scene, ScenePart, gearbox},
    icosphere::icosphere,
    lattice::{SITE, lattice},
};
