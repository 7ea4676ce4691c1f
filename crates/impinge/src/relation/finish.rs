//! The end of a query, after all contacts are found: faces to cut into cells, and faces without contact.
use super::{Question, Relation, RelationMemory, state::PIERCED};
use crate::{
    posed::probe::at_limbs,
    solid::{CornerProbe, FaceSides, NONE, Occurring, at_corner, partners},
};
use std::ops::ControlFlow;

/// The work for faces without contact that meet their own mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    /// None: they are left.
    Clean,
    /// Their sides near a corner.
    Corners,
    /// Their sides everywhere.
    Cells,
}

impl Question<'_> {
    /// Finds the cells that contacts have not shown. Breaks if it is stopped.
    pub(crate) fn finish(mut self) -> ControlFlow<(), Relation> {
        self.stop.check()?;
        if (self.is_solid(0) || self.is_solid(1)) && !self.is_parted && !self.state.is_complete() {
            self.ask_sheets()?;
            // Bodies without contact are mostly apart: then sides are not needed.
            let meet = self.witness.is_some() || self.state.found & PIERCED != 0;
            let mut is_asked = [false; 2];
            for (x, is_asked) in is_asked.iter_mut().enumerate().filter(|&(x, _)| self.is_solid(1 - x)) {
                *is_asked = meet || self.is_any_inside(x)?;
            }
            // First the quick results for both bodies.
            for effort in [Effort::Clean, Effort::Corners, Effort::Cells] {
                for x in [0, 1].into_iter().filter(|&x| is_asked[x]) {
                    if !self.state.is_complete() {
                        self.ask_components(x, effort)?;
                    }
                }
            }
            let are_shells_parted = !self.state.is_complete() && self.ask_shells()?;
            // Last, as that is the most work.
            if !are_shells_parted {
                self.cut_dirty_faces()?;
            }
        }
        ControlFlow::Continue(self.relation())
    }

    /// True if the least face of any component is inside of the other body.
    fn is_any_inside(&self, x: usize) -> ControlFlow<(), bool> {
        for &first in self.solids[x].components() {
            self.stop.check()?;
            if self.is_inside(x, first) {
                return ControlFlow::Continue(true);
            }
        }
        ControlFlow::Continue(false)
    }

    /// The relation by the cells of all faces alone, for the reference. `pairs` are all that meet.
    pub(crate) fn by_cells(mut self, pairs: &[[u32; 2]]) -> Relation {
        self.witness = pairs.first().copied();
        for x in 0..2 {
            // The place of a surface is decided on the surface.
            if !self.is_solid(1 - x) {
                continue;
            }
            let (solid, other) = (self.solids[x], self.solids[1 - x]);
            for t in (0..self.bodies[x].model.mesh().len() as u32).filter(|&t| solid.has_area(t)) {
                let is_other = |pair: &&[u32; 2]| pair[x] == t && other.has_area(pair[1 - x]);
                let own = if self.is_solid(x) {
                    partners(solid, self.bodies[x].model.geometry(), t)
                } else {
                    Vec::new()
                };
                let of_own = own.into_iter().map(|u| (x, u));
                let of_other = pairs.iter().filter(is_other).map(|pair| (1 - x, pair[1 - x]));
                let all: Vec<(usize, u32)> = of_own.chain(of_other).collect();
                // Nothing stops it.
                let _ = self.look_at_cells(x, t, &all, true);
            }
        }
        self.relation()
    }

    fn cut_dirty_faces(&mut self) -> ControlFlow<()> {
        let mut contacts = std::mem::take(&mut self.memory.contacts);
        for x in 0..2 {
            let mut dirty = std::mem::take(&mut self.memory.dirty[x]);
            if self.is_solid(x) && !self.is_solid(1 - x) {
                // The place of a surface is decided on the surface.
                dirty.clear();
            }
            dirty.sort_unstable();
            dirty.dedup();
            if x == 1 && !dirty.is_empty() {
                contacts.iter_mut().for_each(|pair| pair.reverse());
            }
            contacts.sort_unstable();
            self.cut_faces(x, &dirty, &contacts)?;
            self.memory.dirty[x] = dirty;
        }
        self.memory.contacts = contacts;
        ControlFlow::Continue(())
    }

    /// Decides the faces of a body that have no contact.
    fn ask_components(&mut self, x: usize, effort: Effort) -> ControlFlow<()> {
        let sides = self.all_sides(x)?;
        let are_clean = sides.is_none_or(FaceSides::are_clean) && !self.on_sheets[x];
        if are_clean && effort != Effort::Clean {
            return ControlFlow::Continue(());
        }
        let mut memory = std::mem::take(self.memory);
        let done = self.ask_components_in(x, sides, are_clean, effort, &mut memory);
        *self.memory = memory;
        done
    }

    fn ask_components_in(
        &mut self,
        x: usize,
        sides: Option<&FaceSides>,
        are_clean: bool,
        effort: Effort,
        memory: &mut RelationMemory,
    ) -> ControlFlow<()> {
        let RelationMemory { covered, seen, open, question, connected, touched, .. } = memory;
        let (covered, seen, question) = (&covered[x], &mut seen[x], *question);
        let now = 4 * question + effort as u64;
        let is_covered = |t: u32| covered[t as usize] == question;
        let (solid, n) = (self.solids[x], self.bodies[x].model.mesh().len() as u32);
        touched.clear();
        touched.resize(solid.components().len(), false);
        for t in (0..n).filter(|&t| is_covered(t)) {
            touched[solid.component(t) as usize] = true;
        }
        // True if sides are the same all over a component; those of a surface do not count.
        let on_sheets = self.on_sheets[x];
        let is_clean = |component: u32| !on_sheets && sides.is_none_or(|sides| sides.is_clean(component));
        for (component, &first) in (0_u32..).zip(solid.components()) {
            // A contact anywhere on it has shown the cells beside the rest: sides are alike.
            let is_left = effort == Effort::Clean && !touched[component as usize];
            if is_left && !self.state.is_complete() && is_clean(component) {
                self.ask_faces(x, &[first], effort)?;
            }
        }
        for start in (0..if are_clean { 0 } else { n }).filter(|&t| solid.is_face(t)) {
            if is_covered(start)
                || seen[start as usize] == now
                || self.state.is_complete()
                || is_clean(solid.component(start))
            {
                continue;
            }
            // Faces without contact that are connected across edges.
            connected.clear();
            seen[start as usize] = now;
            open.push(start);
            while let Some(t) = open.pop() {
                connected.push(t);
                for edge in 3 * t..3 * t + 3 {
                    let twin = solid.twin(edge);
                    if twin != NONE && !is_covered(twin / 3) && seen[twin as usize / 3] != now {
                        seen[twin as usize / 3] = now;
                        open.push(twin / 3);
                    }
                }
            }
            self.ask_faces(x, connected, effort)?;
        }
        ControlFlow::Continue(())
    }

    /// Decides connected faces without contact: all are inside of the other body, or none is.
    fn ask_faces(&mut self, x: usize, faces: &[u32], effort: Effort) -> ControlFlow<()> {
        let inside = self.is_inside(x, faces[0]);
        for &t in faces {
            self.stop.check()?;
            if self.state.is_told(x, inside) {
                break;
            }
            let sides = match (self.sides(x, t), effort) {
                (Some(sides), _) => sides,
                (None, Effort::Clean) => continue,
                (None, Effort::Corners) => {
                    let (solid, model) = (self.solids[x], self.bodies[x].model);
                    [false, true]
                        .map(|behind| self.rules[x].holds(at_corner(solid, model.geometry(), t, behind)))
                }
                (None, Effort::Cells) => {
                    let occurring = self.occurring_sides(x, t)?;
                    for side in [true, false].into_iter().filter(|&side| occurring.has(side)) {
                        self.state.note(x, side, inside);
                    }
                    if occurring.fin {
                        self.state.note_fin(x, inside, || false);
                    }
                    continue;
                }
            };
            self.state.note_face(x, sides, [inside; 2], || false);
        }
        ControlFlow::Continue(())
    }

    /// The sides that occur somewhere on a face that meets its own mesh.
    fn occurring_sides(&self, x: usize, t: u32) -> ControlFlow<(), Occurring> {
        let model = self.bodies[x].model;
        match self.all_sides(x)? {
            Some(sides) => sides.occurring(self.solids[x], model.geometry(), t, self.rules[x], self.stop),
            None => ControlFlow::Continue(Occurring::FIN),
        }
    }

    /// True if a face, which has no contact with the other body, is inside of it.
    pub(super) fn is_inside(&self, x: usize, t: u32) -> bool {
        let other = 1 - x;
        let corners = self.bodies[x].model.mesh().corners(t);
        let near = self.near(x, corners[0]);
        let of = self.bodies[other];
        let placed = self.solids[other].placed(of.model.geometry(), other, self.handedness[other]);
        if placed.is_beyond(near) {
            return false;
        }
        let (space, poses) = (self.space(), self.bodies.map(|body| &body.pose));
        at_limbs!(space.limbs, N => {
            let probe = CornerProbe::<N>::new(space, poses, x, corners);
            self.rules[other].holds(placed.winding(near, &probe))
        })
    }
}
