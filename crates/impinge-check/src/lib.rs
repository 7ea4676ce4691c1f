//! Checks an assembly of meshes for clashes, exactly: parts in, typed findings out.
//!
//! Features, both on by default: `files` for caches, tasks of many machines and files of baselines, and
//! `rayon` for threads. Without them the crate opens no file, reads no clock, starts no thread, and compiles
//! for `wasm32-unknown-unknown`. No result depends on a feature.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]
// Only caches and tasks call some functions.
#![cfg_attr(not(feature = "files"), allow(dead_code))]

pub mod baseline;
#[cfg(feature = "files")]
mod cache;
mod check;
#[cfg(feature = "files")]
pub mod files;
pub mod identity;
pub mod parts;
mod pool;
mod question;
pub mod records;
pub mod report;
pub mod rules;
pub mod sources;
#[cfg(feature = "files")]
pub mod tasks;
pub mod values;
mod watch;

#[cfg(feature = "files")]
pub use self::cache::Cache;
pub use self::{
    check::Check,
    pool::Pool,
    question::pairs::Pairs,
    records::clash::Clash,
    report::{Report, finding::Finding, groups::Groups},
    rules::Rules,
    values::{
        date::Date,
        error::Error,
        finding_kind::FindingKind,
        length::Length,
        relations::{self, Relations},
    },
    watch::{Listener, Watch},
};
pub use impinge_io::{Assembly, Part, Unit};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
