//! The command line, run as users run it. One binary: linking it is what takes long.
mod baseline;
mod cache;
mod check;
mod chord;
mod clearance;
mod common;
mod convert;
mod curves;
mod decided_groups;
mod demo;
#[cfg(target_os = "linux")]
mod faults;
mod findings;
mod formats;
#[cfg(target_os = "linux")]
mod former_faults;
mod help;
mod html;
mod images;
mod info;
mod invisible_names;
mod judge;
mod limits;
mod metamorphic;
mod one_part;
mod output;
mod pair;
mod plan;
mod plan_chords;
mod queries;
mod real_assemblies;
mod relations;
mod rules;
mod run_files;
mod system;
mod uncertain_volumes;
mod units;
