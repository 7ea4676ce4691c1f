//! Checks an assembly of meshes for clashes, exactly: parts in, typed findings out.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod against_baseline;
mod asked;
pub mod baseline;
mod bodies;
mod boxes;
mod build_options;
mod cache;
mod candidates;
mod check;
mod chord;
mod clash;
mod clearance;
mod compared;
mod contact;
mod coverage;
mod date;
mod decide;
mod depth;
mod depth_of;
mod digest;
mod disjoint;
mod error;
mod explanation;
mod file_units;
pub mod files;
mod finding;
mod finding_kind;
mod first_depths;
mod floating;
mod fragile;
mod graph;
mod groups;
mod guid;
mod hull;
pub mod identity;
mod length;
mod mesh_file;
mod meshes;
mod motion_gaps;
mod named;
mod near;
pub mod numbers;
mod offsets;
mod omission;
mod pair_limit;
mod pairs;
mod parts;
mod placed_shapes;
mod plan;
mod pool;
mod pose_numbers;
mod question;
mod ranking;
mod reach;
mod records;
pub mod relations;
mod report;
pub mod rules;
mod run;
mod self_intersections;
mod settings;
mod shapes;
mod shells;
mod slight;
mod stored;
mod test_plan;
mod test_summary;
pub mod text;
mod units;
mod verdict;
mod warning;
mod watch;
mod what_if;

pub use self::{
    cache::Cache,
    candidates::extent_of,
    check::Check,
    chord::{ChordOf, Chords, Sure},
    clash::Clash,
    contact::{Contact, Dimension},
    coverage::{Coverage, Distances, RelationCounts, SelfIntersecting, Solids},
    date::Date,
    depth::{Depth, pair_limit},
    depth_of::DepthOf,
    error::Error,
    explanation::{Explanation, PairDecision},
    file_units::{CoordinateUnit, FileUnits},
    finding::Finding,
    finding_kind::FindingKind,
    floating::{Floating, Neighbour},
    graph::{ContactGraph, Edge},
    groups::{Connected, Explained, Group, GroupBy, Groups},
    guid::Guid,
    hull::{Hull, rounded_box},
    length::Length,
    meshes::distinct_meshes,
    motion_gaps::MotionGap,
    near::Near,
    offsets::{FileOffset, offset_warnings},
    omission::Omission,
    pairs::Pairs,
    parts::SolidFacts,
    plan::{
        Plan, PlanOptions, PlanWriter, Planned, TaskDistances, TaskDone, Worker, remove_unfinished_plans,
    },
    pool::Pool,
    relations::Relations,
    report::{Report, part_facts::PartFacts, saved::Origin},
    rules::{Rules, Severity},
    self_intersections::SelfIntersections,
    settings::MOST_PAIRS,
    shells::split_shells,
    slight::Slight,
    test_summary::{DEFAULT_TEST, IgnoreSummary, SELF_INTERSECTIONS_TEST, TestSummary},
    units::unit_warnings,
    warning::Warning,
    watch::{Listener, Watch},
    what_if::{WhatIf, WhatIfTolerance},
};
pub use impinge_io::{Assembly, Axis, OmissionKind, Part, Source, Unit};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
