//! Faces that have contacts and meet their own mesh, and the sides of their cells (`solid/cells.rs`).
//!
//! Let B be the other body. If no triangle of B meets a part of the face, the whole part is inside of B or
//! outside, as triangles of the face's own mesh do not change that. Each such part has a cell beside a line
//! of B. So the cells beside lines of B show whether the inside and the outside of B occur. The other cells
//! can only show what the face's own sides are there. They are tested only if that may be new.
use super::{Question, state::RelationState};
use crate::{
    posed::probe::at_limbs,
    solid::{CellVisitor, FaceCells, FillRule, Meshes, Windings, partners},
};
use std::ops::ControlFlow;

/// A face with this number of triangles that meet it may have several hundred cells.
const MANY: usize = 16;

/// Records the cells of a face.
struct Note {
    x: usize,
    rules: [FillRule; 2],
    state: RelationState,
    /// True if the inside of the other body occurs on the face; true if its outside does.
    seen: [bool; 2],
    /// True if all cells are tested, for the reference.
    all: bool,
}

impl CellVisitor for Note {
    fn take(&mut self, windings: Windings, is_covered: &dyn Fn() -> bool) -> ControlFlow<()> {
        let x = self.x;
        // A surface has no inside.
        let sides = |y: usize| windings.map(|side| side[y].is_some_and(|w| self.rules[y].holds(w)));
        let of_other = sides(1 - x);
        self.state.note_face(x, sides(x), of_other, is_covered);
        of_other.into_iter().for_each(|inside| self.seen[usize::from(!inside)] = true);
        if !self.all && self.state.is_complete() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn wants_others(&mut self) -> bool {
        let may_tell = |inside: bool| !self.state.is_told(self.x, inside);
        self.all || self.seen[0] && may_tell(true) || self.seen[1] && may_tell(false)
    }
}

impl Question<'_> {
    /// Cuts face t of body x, which has these contacts (t and a face of the other body).
    #[cold]
    #[inline(never)]
    pub(super) fn cut(&mut self, x: usize, t: u32, contacts: &[[u32; 2]]) -> ControlFlow<()> {
        let partners = self.partners_of(x, t, contacts)?;
        if partners.len() >= MANY && (self.note_halves(x, t, &partners)? || self.state.is_complete()) {
            return ControlFlow::Continue(());
        }
        self.look_at_cells(x, t, &partners, false)
    }
    /// Cuts faces of body x until the state is complete. Those that need few cells, or none, come first.
    #[cold]
    #[inline(never)]
    pub(super) fn cut_faces(&mut self, x: usize, faces: &[u32], contacts: &[[u32; 2]]) -> ControlFlow<()> {
        let of_face = |t: u32| {
            let start = contacts.partition_point(|pair| pair[0] < t);
            &contacts[start..][..contacts[start..].partition_point(|pair| pair[0] <= t)]
        };
        let mut left = Vec::new();
        for &t in faces {
            if self.state.is_complete() {
                return ControlFlow::Continue(());
            }
            let partners = self.partners_of(x, t, of_face(t))?;
            if partners.len() < MANY {
                self.look_at_cells(x, t, &partners, false)?;
            } else if !self.note_halves(x, t, &partners)? {
                left.push(t);
            }
        }
        for t in left {
            if self.state.is_complete() {
                break;
            }
            self.cut(x, t, of_face(t))?;
        }
        ControlFlow::Continue(())
    }
    /// The triangles of both bodies that meet a face elsewhere than in common corners and edges.
    fn partners_of(&self, x: usize, t: u32, contacts: &[[u32; 2]]) -> ControlFlow<(), Vec<(usize, u32)>> {
        self.stop.check()?;
        let (solid, model) = (self.solids[x], self.bodies[x].model);
        let own = if self.is_solid(x) { partners(solid, model.geometry(), t) } else { Vec::new() };
        let others = contacts.iter().map(|pair| (1 - x, pair[1]));
        // A fin may lie on sheets of the other body.
        let sheets = self.memory.sheets.iter().filter(|pair| self.on_sheets[x] && pair[x] == t);
        let mut others: Vec<(usize, u32)> = others.chain(sheets.map(|pair| (1 - x, pair[1 - x]))).collect();
        // The contacts of a fin are among the sheets: each triangle is crossed once.
        others.sort_unstable();
        others.dedup();
        ControlFlow::Continue(own.into_iter().map(|u| (x, u)).chain(others).collect())
    }
    /// Tests the cells into which triangles that meet it cut a face: those that may matter, or `all` of them.
    pub(super) fn look_at_cells(
        &mut self,
        x: usize,
        t: u32,
        partners: &[(usize, u32)],
        all: bool,
    ) -> ControlFlow<()> {
        let meshes = Meshes {
            meshes: self.bodies.map(|body| body.model.mesh()),
            poses: self.bodies.map(|body| &body.pose),
            space: self.space(),
            placed: [0, 1].map(|y| {
                let model = self.bodies[y].model;
                self.is_solid[y].then(|| self.solids[y].placed(model.geometry(), y, self.handedness[y]))
            }),
            stop: self.stop,
        };
        let mut note = Note { x, rules: self.rules, state: self.state, seen: [false; 2], all };
        at_limbs!(meshes.space.limbs, N => {
            match FaceCells::<N>::new(&meshes, x, t, partners) {
                Some(cells) => cells.visit(&mut note),
                None => ControlFlow::Continue(()),
            }
        })?;
        self.state = note.state;
        ControlFlow::Continue(())
    }
}
