//! [`RobotPart`]: a link, a body that a link carries, or an obstacle.
use super::shape::RobotShape;

/// Shapes that move as one: a link, a body attached to a link, or an obstacle.
#[derive(Clone, Debug)]
pub struct RobotPart {
    pub(super) name: String,
    pub(super) kind: PartKind,
    pub(super) shapes: Vec<RobotShape>,
    pub(super) padding: f64,
}

/// The frame of a [`RobotPart`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// The link of this index.
    Link(usize),
    /// A body that the link of this index carries.
    Attached(usize),
    /// A body that rests in the frame of the robot's root.
    Obstacle,
    /// A part that was removed. Its index is not given again.
    Removed,
}

impl RobotPart {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Its frame.
    pub fn kind(&self) -> PartKind {
        self.kind
    }
    /// Its shapes.
    pub fn shapes(&self) -> &[RobotShape] {
        &self.shapes
    }
    /// The length that is added to the radius of each of its shapes.
    pub fn padding(&self) -> f64 {
        self.padding
    }
    /// The link that moves it.
    pub(crate) fn link(&self) -> Option<usize> {
        match self.kind {
            PartKind::Link(link) | PartKind::Attached(link) => Some(link),
            PartKind::Obstacle | PartKind::Removed => None,
        }
    }
}
