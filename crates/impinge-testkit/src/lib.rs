//! What impinge's tests are made with: generators, an oracle, the benchmarks' scenes. Not published.
#![forbid(unsafe_code)]

pub mod cases;
pub mod circle;
#[cfg(feature = "volumes")]
pub mod fuzz;
pub mod gearbox;
pub mod lattice;
pub mod meshes;
pub mod near_degenerate;
pub mod oracle;
pub mod rng;
pub mod scenes;
pub mod topology;
pub mod ways;
