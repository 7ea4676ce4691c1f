//! The library's tests from outside, all in one binary: what is linked once is compiled once.
//!
//! Everything here tests the fast tree; the same of the papers' volumes is in `impinge-volumes`. Common tests
//! are in the testkit's `cases`. With `IMPINGE_FULL=1` the heavy tests have ten times as many cases
//! (`IMPINGE_PAIRS` names any number). With `CI` set none may skip because a shared model is missing.
#![allow(clippy::print_stdout, missing_docs)] // What was counted, with --nocapture.
mod adversary;
mod agreement;
mod allocator;
mod api;
mod at_most;
mod batch;
mod broad_phase;
mod cache;
mod certainty;
mod closest;
mod counters;
mod curves;
mod distance;
mod extremes;
mod farthest;
mod fins;
mod golden;
mod interference;
mod locate;
mod metamorphic;
mod on_demand;
mod oracle;
mod penetration;
mod ray;
mod real;
mod refit;
mod region;
mod relation;
mod saved;
mod scales;
mod scene;
mod scene_near;
mod scene_nearest;
mod self_meet;
mod shapes;
mod sizes;
mod soak;
mod solids;
mod stack;
mod stop;
mod threads;
mod warm;
mod wide;
