//! Memory of walks.
use super::sweep::Sorted;
use crate::{counters::Counters, flat, hierarchy, wide};

/// Memory of one walk at a time. Empty until used.
#[derive(Debug, Default)]
pub(crate) struct WalkMemory {
    pub(crate) flat: flat::FlatMemory,
    pub(crate) wide: wide::TraversalStack,
    pub(crate) other: hierarchy::Memory,
    pub(crate) sorted: Sorted,
    pub(crate) counters: Counters,
}
