//! All setups of trees and queries.
#[cfg(feature = "volumes")]
mod kinds;

#[cfg(feature = "volumes")]
pub use self::kinds::{Way, papers, setups, splits, ways, ways_of};

use impinge::SimdLevel;

/// The instruction sets of this processor.
pub fn levels() -> Vec<SimdLevel> {
    SimdLevel::ALL.iter().copied().filter(|&level| level.in_use() == level).collect()
}
