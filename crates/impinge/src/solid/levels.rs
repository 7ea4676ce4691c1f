//! The winding numbers of a mesh.
use super::fill_rule::FillRule;

/// Bounds of the winding numbers w of a mesh: with their sign turned to be positive, they are 0 or from
/// `least` to `most`, but for a part of space over which the integral of w (w - 1) is at most `excess`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Levels {
    pub(crate) sign: i32,
    pub(crate) least: i32,
    pub(crate) most: i32,
    /// In the mesh's own frame.
    pub(crate) excess: f64,
}

impl Levels {
    /// Whether all points with these winding numbers are inside, or none; `None` if some are.
    pub(crate) fn are_inside(&self, rule: FillRule) -> Option<bool> {
        match rule {
            FillRule::NonZero => Some(true),
            FillRule::Positive if self.excess > 0.0 => (self.sign > 0).then_some(true),
            FillRule::Positive => Some(self.sign > 0),
            // One number alone, or it is not known which part has which.
            FillRule::EvenOdd if self.excess > 0.0 => (self.most == 1).then_some(true),
            FillRule::EvenOdd => (self.most == self.least).then_some(self.most % 2 == 1),
        }
    }
}
