//! The tests of the papers' volumes from outside, all in one binary, most of them over all kinds.
//!
//! What they share with the library's own, of the fast tree, is in the testkit's `cases`. With `IMPINGE_FULL`
//! set the heavy tests ask for ten times as many cases (`IMPINGE_PAIRS` names any number). With `CI` set
//! none may skip because a shared model is missing.
#![allow(clippy::print_stdout, missing_docs)] // What was counted, with --nocapture.
mod adversary;
mod agreement;
#[path = "../../../impinge-testkit/tests/impinge/allocator.rs"]
mod allocator;
mod corpus;
mod effort;
mod extremes;
mod locate;
mod mixed;
mod options;
mod oracle;
mod queries;
mod real;
mod refit;
mod scene;
mod self_meet;
#[cfg(feature = "serde")]
mod serde;
