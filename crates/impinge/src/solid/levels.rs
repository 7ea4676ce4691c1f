//! Which winding numbers a mesh has.
use super::{Sides, Solid};
use crate::{Inside, Model};

/// What is known of the winding numbers w of a mesh: with their sign turned to be positive, they are 0 or
/// from `least` to `most`, but for a part of space over which the integral of w (w - 1) is at most `excess`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Levels {
    pub(crate) sign: i32,
    pub(crate) least: i32,
    pub(crate) most: i32,
    /// In the mesh's own frame.
    pub(crate) excess: f64,
}

impl Levels {
    /// Whether all points that the mesh winds round so are inside, or none; `None` if some are.
    pub(crate) fn are_inside(&self, rule: Inside) -> Option<bool> {
        match rule {
            Inside::NonZero => Some(true),
            Inside::Positive if self.excess > 0.0 => (self.sign > 0).then_some(true),
            Inside::Positive => Some(self.sign > 0),
            Inside::EvenOdd => (self.most == 1).then_some(true),
        }
    }
}

/// Of an oriented closed mesh no face of which meets another but in common corners and edges; `None` if there
/// are numbers of both signs. Every cell of space has a face on its boundary, so the sides of all faces tell.
pub(super) fn of_clean(solid: &Solid, model: &Model, sides: &Sides) -> Option<Levels> {
    let (mut lo, mut hi, mut least) = (0, 0, i32::MAX);
    for t in (0..model.mesh().len() as u32).filter(|&t| solid.is_face(t)) {
        for w in sides.windings(t).into_iter().flatten().filter(|&w| w != 0) {
            (lo, hi, least) = (lo.min(w), hi.max(w), least.min(w.abs()));
        }
    }
    let sign = if hi > 0 { 1 } else { -1 };
    (lo == 0 || hi == 0).then_some(Levels { sign, least, most: hi.max(-lo), excess: 0.0 })
}
