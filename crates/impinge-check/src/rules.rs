//! The rules language, which defines sets of parts, tests of pairs, and findings that are designed.
//!
//! [`Rules::EXAMPLE`] shows the whole language.
mod column;
mod condition;
mod condition_reader;
mod glob;
mod ignore;
mod ignore_reader;
mod item;
mod measure;
mod members;
mod model;
mod names;
mod parse;
mod place;
mod placement;
mod quantity;
mod quick;
mod set;
mod severity;
mod test;
mod test_reader;
mod warnings;

pub use self::{
    glob::Glob,
    ignore::{Between, Findings, Ignore},
    members::Members,
    model::Rules,
    names::{FieldValue, Fields, NamePattern},
    placement::Placement,
    quantity::VolumeSize,
    set::{Set, SetRef},
    severity::Severity,
    test::{Find, Test},
};

#[cfg(test)]
mod tests;
