//! Checks an assembly of meshes for clashes, exactly: parts in, typed findings out.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod baseline;
mod cache;
mod check;
pub mod files;
pub mod identity;
pub mod parts;
mod pool;
mod question;
pub mod records;
pub mod report;
pub mod rules;
pub mod sources;
pub mod tasks;
pub mod values;
mod watch;

pub use self::{
    cache::Cache,
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
