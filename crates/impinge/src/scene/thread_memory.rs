//! The memory of one thread of an update.
use crate::query::Scratches;

#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct ThreadMemory {
    pub(super) scratches: Scratches,
    pub(super) order: Order,
    /// True if the update runs on this thread alone, so that queries are not divided.
    pub(super) alone: bool,
}

/// Indices among the bodies with triangles, with lower bounds of their distances.
pub(super) type Order = Vec<(f64, u32)>;
