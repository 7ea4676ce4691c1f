//! Checks an assembly of meshes for clashes, exactly: parts in, typed findings out.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod boxes;
mod cache;
mod candidates;
mod check;
mod chord;
mod clash;
mod contact;
mod coverage;
mod decide;
mod depth;
mod digest;
mod error;
mod file_units;
pub mod files;
mod first_depths;
mod floating;
mod graph;
mod groups;
mod hull;
mod length;
mod mesh_file;
mod meshes;
mod named;
mod near;
pub mod numbers;
mod pairs;
mod parts;
mod plan;
mod pool;
mod pose_numbers;
mod records;
pub mod relations;
mod report;
mod self_intersections;
mod settings;
mod shapes;
mod shells;
mod stored;
pub mod text;
mod units;
mod warning;
mod watch;

pub use self::{
    cache::Cache,
    candidates::extent_of,
    check::Check,
    chord::{ChordOf, Chords, Sure},
    clash::Clash,
    contact::{Contact, Dimension},
    coverage::{Coverage, Distances, RelationCounts, SelfIntersecting, Solids},
    depth::{Depth, DepthOf, pair_limit},
    error::Error,
    file_units::{CoordinateUnit, FileUnits},
    floating::{Floating, Neighbour},
    graph::{ContactGraph, Edge},
    groups::{Connected, Explained, Groups, Pattern},
    hull::{Hull, rounded_box},
    length::Length,
    meshes::distinct_meshes,
    near::Near,
    pairs::Pairs,
    parts::SolidFacts,
    plan::{
        Plan, PlanOptions, PlanWriter, Planned, TaskDistances, TaskDone, Worker, remove_unfinished_plans,
    },
    pool::Pool,
    relations::Relations,
    report::{PartFacts, Report, WhatIf},
    self_intersections::SelfIntersections,
    settings::MOST_PAIRS,
    shells::split_shells,
    units::unit_warnings,
    warning::Warning,
    watch::{Listener, Watch},
};
pub use impinge_io::{Assembly, Part, Source, Unit};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
