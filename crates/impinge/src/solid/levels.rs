//! Which winding numbers a mesh has.
use super::{Meshes, Sides, Solid, Visitor, Windings};
use crate::{
    Inside, Model, Pose,
    exact::probe::{Space, at_limbs},
    solid::Cells,
};
use std::ops::ControlFlow;

/// The winding numbers other than 0, of a mesh of which all have the same sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Levels {
    pub(crate) sign: i32,
    /// The least of them, in size, and the greatest.
    pub(crate) least: i32,
    pub(crate) most: i32,
}

impl Levels {
    /// Whether all points that the mesh winds round are inside, or none; `None` if some are.
    pub(crate) fn are_inside(&self, rule: Inside) -> Option<bool> {
        match rule {
            Inside::NonZero => Some(true),
            Inside::Positive => Some(self.sign > 0),
            Inside::EvenOdd if self.most == 1 => Some(true),
            Inside::EvenOdd => None,
        }
    }
}

/// Collects winding numbers.
#[derive(Default)]
struct Seen {
    lo: i32,
    hi: i32,
    least: i32,
}

impl Seen {
    fn take(&mut self, w: i32) {
        (self.lo, self.hi) = (self.lo.min(w), self.hi.max(w));
        if w != 0 && (self.least == 0 || w.abs() < self.least) {
            self.least = w.abs();
        }
    }
    fn are_both_signs(&self) -> bool {
        self.lo < 0 && self.hi > 0
    }
}

impl Visitor for Seen {
    fn take(&mut self, windings: Windings) -> ControlFlow<()> {
        windings.iter().filter_map(|side| side[0]).for_each(|w| Seen::take(self, w));
        if self.are_both_signs() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn wants_others(&mut self) -> bool {
        true
    }
}

/// Of an oriented closed mesh; `None` if there are numbers of both signs. Every cell of space has a piece of
/// a face on its boundary, so the sides of all faces tell.
pub(super) fn levels(solid: &Solid, model: &Model, sides: &Sides) -> Option<Levels> {
    let mut seen = Seen::default();
    let (pose, mut space) = (&Pose::IDENTITY, None);
    for t in (0..model.mesh().len() as u32).filter(|&t| solid.is_face(t)) {
        if let Some(windings) = sides.windings(t) {
            windings.into_iter().for_each(|w| seen.take(w));
        } else {
            let space = space.get_or_insert_with(|| Space::new([pose; 2], [solid.bits(); 2]));
            let placed = [Some(solid.placed(model, 0, 1)), None];
            let meshes = Meshes { models: [model; 2], poses: [pose; 2], space, placed };
            let partners: Vec<(usize, u32)> = sides.partners(t).map(|u| (0, u)).collect();
            at_limbs!(space.limbs, N => {
                if let Some(cells) = Cells::<N>::new(&meshes, (0, t), &partners) {
                    cells.visit(&mut seen);
                }
            });
        }
        if seen.are_both_signs() {
            return None;
        }
    }
    let sign = if seen.hi > 0 { 1 } else { -1 };
    // A mesh of which nothing is left has no numbers.
    Some(Levels { sign, least: seen.least.max(1), most: seen.hi.max(-seen.lo).max(1) })
}
