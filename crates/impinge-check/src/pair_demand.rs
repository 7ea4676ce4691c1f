//! [`PairDemand`]: the measures that tests need of a pair.
use crate::relations::Relations;
use impinge::distance::Margin;

/// The measures that all tests of a pair need.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairDemand {
    /// Relations whose depths are computed.
    pub(crate) relations: Relations,
    /// Lengths of translations that make a clash shallow, ascending.
    pub(crate) tolerances: Vec<f64>,
    /// Distances up to which the pair is near, ascending.
    pub(crate) clearances: Vec<Margin>,
}

impl PairDemand {
    /// Depths of these relations, and which of them these lengths undo.
    pub(crate) fn of_lengths(relations: Relations, lengths: impl Iterator<Item = f64>) -> Self {
        let mut tolerances: Vec<f64> = lengths.collect();
        tolerances.sort_by(f64::total_cmp);
        tolerances.dedup();
        Self { relations, tolerances, clearances: Vec::new() }
    }
}
