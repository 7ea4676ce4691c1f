//! [`Delivery`]: the parts and findings of one check.
use super::{contact::ObservedContact, measures::Measures};
use crate::identity::PartIdentity;
use impinge_io::Unit;
use std::sync::Arc;

/// The parts of an assembly and the findings of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delivery {
    /// All examined parts, with findings or without.
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
    /// Its parts.
    pub parts: ObservedParts,
    /// Relation and sizes. The relation is that of the first part to the second.
    pub measures: Measures,
}

/// One part or two, as indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObservedParts([u32; 2]);

impl ObservedParts {
    /// The part of a finding about one part.
    pub fn one(part: u32) -> Self {
        Self([part; 2])
    }
    /// The parts of a finding about two parts.
    pub fn two(a: u32, b: u32) -> Self {
        Self([a, b])
    }
    /// One or two indices, in the given order.
    pub fn as_slice(&self) -> &[u32] {
        if self.0[0] == self.0[1] { &self.0[..1] } else { &self.0 }
    }
}
