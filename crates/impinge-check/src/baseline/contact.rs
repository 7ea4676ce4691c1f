//! [`KnownContact`] of a baseline and [`ObservedContact`] of a delivery.
use std::sync::Arc;

/// Two parts that had a point in common in some delivery, for a test of lost contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownContact {
    /// Name of the test.
    pub test: Arc<str>,
    /// Indices of its parts in [`Baseline::parts`](super::Baseline::parts), in the order of their keys.
    pub(super) pair: [u32; 2],
}

impl KnownContact {
    /// Indices of its parts in [`Baseline::parts`](super::Baseline::parts).
    pub fn parts(&self) -> [u32; 2] {
        self.pair
    }
}

/// Two parts of a delivery that have a point in common, for a test of lost contacts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObservedContact {
    /// Name of the test.
    pub test: Arc<str>,
    /// Indices of its parts, the smaller first.
    pub parts: [u32; 2],
}
