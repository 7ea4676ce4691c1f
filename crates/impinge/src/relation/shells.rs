//! Bodies made of shells that meet each other: a test for common points of their insides, shell by shell.
//!
//! If all components of a mesh are closed, do not meet themselves, and are oriented alike, its inside is the
//! union of theirs, but for surfaces. So the insides of two such bodies have a point in common if and only if
//! those of two shells do, one of each. Contacts decide two shells that are in contact, with the sides that
//! faces have as parts of their shells. Two others are apart, or one is inside of the other. Then a point
//! just inside of the inner one is inside of both. This spares the cells of bodies that only touch.
use super::{
    Question,
    state::{BOTH, ONLY_A, ONLY_B},
};
use crate::{
    posed::probe::at_limbs,
    solid::{CornerProbe, FillRule},
};
use std::ops::ControlFlow;

impl Question<'_> {
    /// Decides whether insides meet, for bodies made of shells, and records it if they do. True if they do
    /// not: then faces show no more cells, as no face of a shell is a fin. Breaks if it is stopped.
    pub(super) fn ask_shells(&mut self) -> ControlFlow<(), bool> {
        if self.state.found & BOTH != 0 || self.memory.dirty.iter().all(Vec::is_empty) {
            return ControlFlow::Continue(false);
        }
        let is_union = |x: usize| self.is_solid(x) && self.rules[x] != FillRule::EvenOdd;
        if !is_union(0) || !is_union(1) {
            return ControlFlow::Continue(false);
        }
        let Some(of_a) = self.shells_of(0)? else { return ControlFlow::Continue(false) };
        let Some(of_b) = self.shells_of(1)? else { return ControlFlow::Continue(false) };
        let shells = [of_a, of_b];
        let known = std::mem::take(&mut self.state);
        self.shells = Some(shells);
        let contacts = std::mem::take(&mut self.memory.contacts);
        let mut is_told = true;
        for &[i, j] in &contacts {
            self.stop.check()?;
            if self.state.found & BOTH != 0 {
                break;
            }
            let corners = [self.bodies[0].model.mesh().corners(i), self.bodies[1].model.mesh().corners(j)];
            let contact = self.contact(&corners, j);
            // Sides are available, but an edge may be one of four faces.
            is_told &= self.beside(contact, [i, j], &corners).is_some();
        }
        self.memory.contacts = contacts;
        let seen = std::mem::replace(&mut self.state, known);
        self.shells = None;
        let mut meet = seen.found & BOTH != 0;
        for (x, sides) in shells.into_iter().enumerate() {
            meet = meet || self.is_any_shell_inside(x, sides)?;
        }
        if meet {
            self.state.found |= BOTH;
        } else if is_told {
            self.state.found |= ONLY_A | ONLY_B;
        }
        ControlFlow::Continue(!meet && is_told)
    }

    /// The sides of a body's faces that are inside of their shells, if it is the union of these.
    fn shells_of(&self, x: usize) -> ControlFlow<(), Option<[bool; 2]>> {
        let Some(sides) = self.all_sides(x)? else { return ControlFlow::Continue(None) };
        let shells = match sides.of_shells() {
            // One shell, or shells that do not meet each other.
            None if sides.are_clean() => {
                let mut fronts = self.solids[x].components().iter().filter_map(|&t| sides.windings(t));
                let first = fronts.next();
                // Cavities are none.
                first
                    .filter(|first| matches!(first, [0, 1] | [-1, 0]) && fronts.all(|other| other == *first))
                    .map(|first| if first == [0, 1] { [false, true] } else { [true, false] })
            }
            shells => shells,
        };
        ControlFlow::Continue(
            shells.filter(|sides| self.rules[x] == FillRule::NonZero || *sides == [false, true]),
        )
    }

    /// True if a point just inside of any shell, near a corner, is inside of the other body.
    fn is_any_shell_inside(&self, x: usize, [front, _]: [bool; 2]) -> ControlFlow<(), bool> {
        let (other, of) = (1 - x, self.bodies[1 - x]);
        let placed = self.solids[other].placed(of.model.geometry(), other, self.handedness[other]);
        let (space, poses) = (self.space(), self.bodies.map(|body| &body.pose));
        // The front of a placed triangle, by its corners, is the back of the stored one if it is mirrored.
        let is_below = (self.handedness[x] > 0) != front;
        for &t in self.solids[x].components() {
            self.stop.check()?;
            let corners = self.bodies[x].model.mesh().corners(t);
            let near = self.near(x, corners[0]);
            let is_inside = !placed.is_beyond(near)
                && at_limbs!(space.limbs, N => {
                    let probe = CornerProbe::<N>::new(space, poses, x, corners);
                    let probe = if is_below { probe.below() } else { probe };
                    self.rules[other].holds(placed.winding(near, &probe))
                });
            if is_inside {
                return ControlFlow::Continue(true);
            }
        }
        ControlFlow::Continue(false)
    }
}
