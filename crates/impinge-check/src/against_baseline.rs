//! [`AgainstBaseline`]: what a report keeps of its comparison with a baseline.
use crate::baseline::{Comparison, Delivery};

/// A delivery and its comparison with a baseline.
pub(crate) struct AgainstBaseline {
    pub(crate) delivery: Delivery,
    pub(crate) comparison: Comparison,
    /// For each clash whether a finding about it is new or reopened.
    pub(crate) of_clashes: Vec<bool>,
}
