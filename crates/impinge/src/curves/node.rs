//! Points where two surfaces meet.
use super::feature::Feature;

/// A point where two surfaces meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Node {
    /// In the world. Each coordinate is the nearest f64 to that of the point over the real numbers (ties to
    /// even; infinite where it is beyond f64), so that it is off by half of a last place at most.
    pub point: [f64; 3],
    /// In whose relative interior it lies, of either mesh. Of a mesh that meets itself there are more of
    /// them, and one is named.
    pub features: [Feature; 2],
    /// Which coordinates are not rounded.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) exact: [bool; 3],
}
