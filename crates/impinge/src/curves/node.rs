//! Points where two surfaces meet.
use super::feature::Feature;

/// A point where two surfaces meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Node {
    /// The point in the world. Each coordinate is the nearest f64 to that of the point over the real numbers
    /// (ties to even; infinite where it is beyond f64), so that it is off by half of a last place at most.
    pub point: [f64; 3],
    /// The feature of each mesh in whose relative interior the point lies. A mesh that meets itself there has
    /// several, and this is one of them.
    pub features: [Feature; 2],
    /// True for each coordinate that is not rounded.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) exact: [bool; 3],
}
