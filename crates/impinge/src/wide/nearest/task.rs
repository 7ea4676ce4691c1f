//! Two trees that are compared.
use super::super::{relative::RelativeTransforms, tree::TreeView};
use crate::{Pose, stop::StopFlag};

/// Two trees, and the world lengths of their frames' units.
#[derive(Clone, Copy)]
pub(crate) struct WideNearestTask<'a> {
    pub(crate) trees: [TreeView<'a>; 2],
    pub(crate) transforms: &'a RelativeTransforms,
    /// Lower bounds of the world length of a unit in each tree's frame.
    pub(crate) lengths: [f64; 2],
    /// The pose of the resting body.
    pub(crate) pose: &'a Pose,
    pub(crate) stop: StopFlag<'a>,
}
