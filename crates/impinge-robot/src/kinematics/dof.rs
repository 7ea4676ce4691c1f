//! [`Dof`]: a degree of freedom of a robot.
use crate::urdf::{Joint, JointKind};

/// A degree of freedom: a joint that moves and follows no other.
#[derive(Clone, Debug, PartialEq)]
pub struct Dof {
    /// Name of the joint.
    pub name: String,
    /// Index of the joint among the [joints](crate::Urdf::joints).
    pub joint: usize,
    /// Lowest position in radians or metres; minus infinity without a limit, as for continuous joints.
    pub lower: f64,
    /// Highest position; infinity without a limit.
    pub upper: f64,
    /// True if it turns without limits, so that full turns change nothing.
    pub is_continuous: bool,
}

impl Dof {
    pub(super) fn new(index: usize, joint: &Joint) -> Self {
        let is_continuous = joint.kind == JointKind::Continuous;
        let limit = joint.limit.filter(|_| !is_continuous);
        let [lower, upper] =
            limit.map_or([f64::NEG_INFINITY, f64::INFINITY], |limit| [limit.lower, limit.upper]);
        Self { name: joint.name.clone(), joint: index, lower, upper, is_continuous }
    }
}
