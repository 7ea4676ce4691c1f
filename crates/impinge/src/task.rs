//! One query of two trees, as a walk needs it.
use crate::{motion::Placement, narrow::Narrow, stop::StopFlag};

/// One query of two trees, or of one and itself.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// How the moving tree's normalized frame lies to the resting one's.
    pub placement: &'a Placement,
    /// Decides pairs of triangles.
    pub narrow: &'a Narrow<'a>,
    /// Whether volume tests are to be counted, too.
    pub counting: bool,
    /// A walk breaks once this is set.
    pub stop: StopFlag<'a>,
}
