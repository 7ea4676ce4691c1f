//! Test kit of impinge: generators, an oracle, the benchmarks' scenes.
#![forbid(unsafe_code)]

pub mod cases;
pub mod curve_bounds;
#[cfg(feature = "volumes")]
pub mod fuzz;
pub mod meshes;
pub mod metamorphic;
pub mod near_degenerate;
pub mod oracle;
pub mod polycubes;
pub mod reference;
pub mod saved;
pub mod scenes;
pub mod sweeps;
pub mod topology;
pub mod ways;

/// The built-in assemblies, and their generators.
pub use impinge_demo::{circle, rng};

#[doc(hidden)]
pub mod icosphere {
    pub use impinge_demo::icosphere;
}

/// A large assembly.
pub mod lattice {
    pub use impinge_demo::{SITE, lattice};
}

/// Runs the Rust of pages, which use several crates.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/coming-from.md")]
struct ComingFrom;
