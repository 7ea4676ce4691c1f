//! Equal triangles that cancel. They are no faces, but points of their bodies, if nothing around is inside.
use super::{Question, contact::TriangleContact};
use crate::vector::Vector;
use std::ops::ControlFlow;

impl Question<'_> {
    /// Takes a pair of triangles that meet and are not both faces.
    #[cold]
    pub(super) fn take_sheet(&mut self, pair: [u32; 2], corners: &[[Vector; 3]; 2]) {
        if (0..2).any(|x| !self.solids[x].has_area(pair[x])) {
            return;
        }
        let contact = self.contact(corners, pair[1]);
        // A sheet without points is as connected as before. If it meets the other body only in points, one
        // point of it decides for all, as if it met nothing.
        if contact == TriangleContact::Point {
            return;
        }
        self.memory.sheets.push(pair);
        // A fin that lies on a sheet is outside of no body.
        let Some(x) = (0..2).find(|&x| self.solids[x].is_face(pair[x])) else { return };
        let t = pair[x];
        if matches!(contact, TriangleContact::Area { .. })
            && self.sides(x, t).is_none_or(|sides| sides == [false; 2])
        {
            self.on_sheets[x] = true;
            self.memory.covered[x][t as usize] = self.memory.question;
            self.memory.dirty[x].push(t);
        }
    }

    /// Decides the fins among the sheets of two solids.
    pub(super) fn ask_sheets(&mut self) -> ControlFlow<()> {
        if self.is_solid != [true; 2] {
            // A solid has points that a surface has not, and a surface is in nothing.
            return ControlFlow::Continue(());
        }
        for x in 0..2 {
            let (solid, model) = (self.solids[x], self.bodies[x].model);
            if self.state.is_complete() || !solid.has_sheets() {
                continue;
            }
            let mut contacts: Vec<[u32; 2]> =
                self.memory.sheets.iter().map(|pair| [pair[x], pair[1 - x]]).collect();
            contacts.sort_unstable();
            for &t in solid.fins(model.geometry(), self.rules[x], self.stop)? {
                self.stop.check()?;
                if self.state.is_complete() {
                    break;
                }
                let start = contacts.partition_point(|pair| pair[0] < t);
                let end = contacts.partition_point(|pair| pair[0] <= t);
                if start < end {
                    self.cut(x, t, &contacts[start..end])?;
                } else if self.state.found & super::ONLY[x] == 0 || self.state.found & super::BOTH == 0 {
                    let inside = self.is_inside(x, t);
                    self.state.note_face(x, [false; 2], [inside; 2], || false);
                }
            }
        }
        ControlFlow::Continue(())
    }
}
