//! [`Delivery`]: the parts and findings of one check.
use super::{contact::ObservedContact, measures::Measures};
use crate::identity::PartIdentity;
use impinge_io::Unit;
use std::sync::Arc;

/// The parts of an assembly and what a check found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delivery {
    /// All parts that were examined, with findings or without.
    pub parts: Vec<PartIdentity>,
    /// All findings.
    pub findings: Vec<Observed>,
    /// The pairs of tests of lost contacts that have a point in common.
    pub contacts: Vec<ObservedContact>,
    /// Unit of the coordinates, if the files state one.
    pub unit: Option<Unit>,
}

/// One finding of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// Name of the test.
    pub test: Arc<str>,
    /// Parts that it is about.
    pub parts: ObservedParts,
    /// Relation and sizes; in the relation, a is the first part.
    pub measures: Measures,
}

/// One part or two, as indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObservedParts([u32; 2]);

impl ObservedParts {
    /// A finding about one part.
    pub fn one(part: u32) -> Self {
        Self([part; 2])
    }
    /// A finding about two parts.
    pub fn two(a: u32, b: u32) -> Self {
        Self([a, b])
    }
    /// One or two indices, as they were given.
    pub fn as_slice(&self) -> &[u32] {
        if self.0[0] == self.0[1] { &self.0[..1] } else { &self.0 }
    }
}
