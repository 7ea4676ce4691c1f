//! The library's tests from outside, all in one binary: what is linked once is compiled once.
//!
//! All of them test the fast tree; `impinge-volumes` tests the papers' volumes in the same way. Common tests
//! are in the testkit's `cases`. With `IMPINGE_FULL=1` the heavy tests have many more cases (`IMPINGE_PAIRS`
//! sets the number of random pairs). With `CI` set none may skip because a shared model is missing.
#![allow(clippy::print_stdout, missing_docs)] // Counts, which --nocapture shows.
mod adversary;
mod agreement;
mod allocator;
mod api;
mod at_most;
mod batch;
mod broad_phase;
mod cache;
mod ccd;
mod certainty;
mod closest;
mod convex;
mod counters;
mod coverage;
mod curved;
mod curves;
mod distance;
mod extremes;
mod farthest;
mod fins;
mod golden;
mod half_space;
mod hull;
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
mod rounded;
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
mod sweep;
mod threads;
mod warm;
mod wide;
