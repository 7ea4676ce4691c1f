//! Integration tests of the papers' volumes, all in one binary, most of them over all kinds.
//!
//! The cases shared with the library's own tests of the fast tree are in the testkit's `cases`. With
//! `IMPINGE_FULL` set the heavy tests run 2 to 50 times as many cases (`IMPINGE_PAIRS` sets any number). With
//! `CI` set none may skip because a shared model is missing.
#![allow(clippy::print_stdout, missing_docs)] // Counts, shown by --nocapture.
mod adversary;
mod agreement;
#[path = "../../../../crates/impinge-testkit/tests/impinge/allocator.rs"]
mod allocator;
mod corpus;
mod distances;
mod effort;
mod extremes;
mod locate;
mod mixed;
mod options;
mod oracle;
mod queries;
mod rays_and_regions;
mod real;
mod refit;
mod scene;
mod self_meet;
#[cfg(feature = "serde")]
mod serde;
