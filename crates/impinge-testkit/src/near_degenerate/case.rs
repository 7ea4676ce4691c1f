//! Two placed triangles.
use impinge::Pose;

/// Two placed triangles to be tested for intersection.
#[derive(Clone, Debug, PartialEq)]
pub struct PairCase {
    /// The first triangle.
    pub p: [[f64; 3]; 3],
    /// Its pose.
    pub pose_p: Pose,
    /// The second triangle.
    pub q: [[f64; 3]; 3],
    /// Its pose.
    pub pose_q: Pose,
    /// The family, one of [`FAMILIES`](super::FAMILIES).
    pub family: &'static str,
}
