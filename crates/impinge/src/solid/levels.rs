//! The winding numbers of a mesh.
use super::fill_rule::FillRule;
use crate::vector::Vector;

/// Bounds of the winding numbers w of a mesh. Times `sign` they are 0 or from `least` to `most`, except in a
/// part of space over which the integral of w (w - 1) is at most `excess`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Levels {
    pub(crate) sign: i32,
    pub(crate) least: i32,
    pub(crate) most: i32,
    /// In the mesh's own frame.
    pub(crate) excess: f64,
    /// Regions with all points at which w (w - 1) is not 0; their boxes have no point in common. `None` if
    /// unknown.
    pub(crate) regions: Option<Vec<WindingRegion>>,
}

/// A part of space, with the integral of w (w - 1) over it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WindingRegion {
    /// Its box, in the mesh's own frame.
    pub(crate) bounds: [Vector; 2],
    /// Bounds of the integral, in the mesh's own frame.
    pub(crate) excess: [f64; 2],
    /// Upper bound of the absolute values of its winding numbers, if none has the sign opposite to
    /// [`Levels::sign`]; infinite if unknown.
    pub(crate) most: f64,
}

impl Levels {
    /// True if all points with these winding numbers are inside, false if none is; else `None`.
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
