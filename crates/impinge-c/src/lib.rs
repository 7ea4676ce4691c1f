//! The C interface of impinge: the functions of `include/impinge.h`.
//!
//! C programs include that header, C++ programs `impinge.hpp`; [docs/c.md] shows how. The comments here
//! become the header's, so they are written for C. Types have the names of C.
//!
//! No panic crosses into C: each function catches it and returns a status. `unsafe` blocks rely on what the
//! header asks of its caller, which `border` states.
//!
//! [docs/c.md]: https://github.com/impinge/impinge/blob/main/docs/c.md
// The names and promises are those of the header.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]
// Each block relies on the header's promises, and on nothing else.
#![allow(clippy::undocumented_unsafe_blocks)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod assembly;
mod body;
mod border;
mod check;
mod coverage;
mod curves;
mod each;
mod handle;
mod mesh;
mod model;
mod motion;
mod near;
mod number;
mod pairs;
mod points;
mod pose;
mod query;
mod report;
mod scene;
mod scene_bodies;
mod scene_sweep;
mod solids;
mod status;
mod stop;

pub use self::{
    assembly::*, body::*, check::*, coverage::*, curves::*, each::*, mesh::*, model::*, motion::*, near::*,
    pairs::*, points::*, pose::*, query::*, report::*, scene::*, scene_bodies::*, scene_sweep::*, solids::*,
    status::*, stop::*,
};
