//! Faces that have contacts and meet their own mesh: what lies beside their cells (`solid/cells.rs`).
//!
//! Where the other body, B, has no triangle, in B is the same all over a part of the face, as own triangles
//! do not change it; and each part between contacts has a cell beside a line of B. So once these cells have
//! told which of (inside of B, outside of B) occur, the others can tell nothing but what the face's own
//! sides may be there; where both are known to occur already, they need not be looked at.
use super::{Question, State};
use crate::{
    Inside,
    exact::probe::at_limbs,
    solid::{Cells, Meshes, Visitor, Windings, partners},
};
use std::ops::ControlFlow;

/// Notes what cells tell.
struct Note {
    x: usize,
    rules: [Inside; 2],
    state: State,
    /// Which of inside and outside of the other body occur on the face.
    seen: [bool; 2],
    /// Whether all cells are wanted, whatever they may tell.
    all: bool,
}

impl Visitor for Note {
    fn take(&mut self, windings: Windings) -> ControlFlow<()> {
        let x = self.x;
        let [front, back] =
            windings.map(|side| [0, 1].map(|y| side[y].map(|winding| self.rules[y].holds(winding))));
        match ([front[x], back[x]], [front[1 - x], back[1 - x]]) {
            ([Some(own_front), Some(own_back)], [Some(front), Some(back)]) => {
                self.state.note(x, own_front, front);
                self.state.note(x, own_back, back);
                self.seen[usize::from(!front)] = true;
                self.seen[usize::from(!back)] = true;
            }
            // A surface: where it lies on a face it is neither inside nor outside.
            (_, [Some(front), Some(back)]) if front == back => {
                self.state.note(x, true, front);
                self.seen[usize::from(!front)] = true;
            }
            _ => {}
        }
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
    pub(super) fn cut(&mut self, x: usize, t: u32, contacts: &[[u32; 2]]) {
        let (solid, model) = (self.solids[x], self.bodies[x].model);
        let own = if self.is_solid(x) { partners(solid, model, t) } else { Vec::new() };
        let others = contacts.iter().map(|pair| (1 - x, pair[1]));
        let partners: Vec<(usize, u32)> = own.into_iter().map(|u| (x, u)).chain(others).collect();
        self.look_at_cells((x, t), &partners, false);
    }
    /// Of a face and the triangles that meet it: those cells that may tell something, or `all` of them.
    pub(super) fn look_at_cells(&mut self, (x, t): (usize, u32), partners: &[(usize, u32)], all: bool) {
        let meshes = Meshes {
            models: self.bodies.map(|body| body.model),
            poses: self.bodies.map(|body| &body.pose),
            space: self.space(),
            placed: [0, 1].map(|y| {
                let model = self.bodies[y].model;
                self.is_solid[y].then(|| self.solids[y].placed(model, y, self.handedness[y]))
            }),
        };
        let mut note = Note { x, rules: self.rules, state: self.state, seen: [false; 2], all };
        at_limbs!(meshes.space.limbs, N => {
            if let Some(cells) = Cells::<N>::new(&meshes, (x, t), partners) {
                cells.visit(&mut note);
            }
        });
        self.state = note.state;
    }
}
