//! [`PairDemand`]: the measures that tests need of a pair.
use crate::relations::Relations;
use impinge::distance::Margin;

/// The measures that all tests of a pair need.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairDemand {
    /// Relations whose depths are computed.
    pub(crate) relations: Relations,
    /// Distances up to which the pair is near, ascending.
    pub(crate) clearances: Vec<Margin>,
}
