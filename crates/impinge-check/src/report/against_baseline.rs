//! [`AgainstBaseline`]: the comparison of a report with a baseline.
use crate::baseline::{Baseline, Comparison, Delivery, Worse};
use std::sync::Arc;

/// A delivery and its comparison with a baseline.
pub(crate) struct AgainstBaseline {
    pub(crate) baseline: Arc<Baseline>,
    pub(crate) worse: Worse,
    pub(crate) delivery: Delivery,
    pub(crate) comparison: Comparison,
    /// For each clash, true if a finding about it is new or reopened.
    pub(crate) of_clashes: Vec<bool>,
}
