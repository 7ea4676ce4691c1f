//! A face cut into convex cells by the planes of all triangles that meet it: what lies on both sides of each.
//!
//! This is the answer where a mesh meets itself: sides are then not the same all over a face. On a cell they
//! are, as no triangle enters it. The lines are those in which the face's plane meets the planes of other
//! triangles, and, of triangles in its plane, their edges. Each cell has a corner, where two lines cross; a
//! probe there, a little along the one and then aside, lies in one of the cells around it, and all cells are
//! seen so. Cells are told apart by the sides of all lines on which they lie.
use super::Question;
use crate::{
    exact::probe::{Plane, Probe, Space, at_limbs},
    solid::{self, Near},
};
use std::collections::HashSet;

impl Question<'_> {
    /// Cuts face t of body x, which has these contacts (t and a face of the other body).
    #[cold]
    #[inline(never)]
    pub(super) fn cut(&mut self, x: usize, t: u32, contacts: &[[u32; 2]]) {
        let own = self.sides[x].into_iter().flat_map(|sides| sides.partners(t)).map(|u| (x, u));
        let others = contacts.iter().map(|pair| (1 - x, pair[1]));
        let partners: Vec<(usize, u32)> = own.chain(others).collect();
        at_limbs!(self.space().limbs, N => self.cut_by::<N>(x, t, &partners));
    }

    fn cut_by<const N: usize>(&mut self, x: usize, t: u32, partners: &[(usize, u32)]) {
        let space = self.space();
        let corners = |x: usize, t: u32| {
            let corners = self.bodies[x].model.mesh().corners(t);
            corners.map(|v| space.point::<N>(x, &v))
        };
        let face = corners(x, t);
        let plane = Plane::of(&face);
        let Some(axis) = plane.axis() else { return };
        let up = Space::world_axis::<N>(axis);
        let edge = |p: &[_; 3], k: usize| Plane::along(&p[k], &p[(k + 1) % 3], &up);
        let mut lines: Vec<Plane<N>> = (0..3).map(|k| edge(&face, k)).collect();
        // The side of each edge on which the face is.
        let within: Vec<i32> = (0..3).map(|k| lines[k].side(&face[(k + 2) % 3])).collect();
        for &(y, u) in partners {
            let p = corners(y, u);
            if p.iter().all(|p| plane.side(p) == 0) {
                lines.extend((0..3).map(|k| edge(&p, k)));
            } else {
                lines.push(Plane::of(&p));
            }
        }
        let mut known = HashSet::new();
        let mut cells = Vec::new();
        for i in 0..lines.len() {
            for j in (0..lines.len()).filter(|&j| j != i) {
                let Some(mut probe) = Probe::where_meet(&plane, &lines[i], &lines[j]) else { continue };
                for way in 0..4 {
                    let [u, v] = [1 - (way & 1) * 2, 1 - (way & 2)];
                    probe.turn([u, v, 1]);
                    if (0..3).any(|k| probe.side(&lines[k]) != within[k]) {
                        continue;
                    }
                    let cell: Vec<bool> = lines.iter().map(|line| probe.side(line) > 0).collect();
                    if known.insert(cell) {
                        cells.push((i, j, [u, v]));
                    }
                }
            }
        }
        let same = self.same;
        let maps = self.bodies.map(|body| solid::to_own_frame(&body.pose, same));
        let mut state = self.state;
        for (i, j, [u, v]) in cells {
            let Some(mut probe) = Probe::where_meet(&plane, &lines[i], &lines[j]) else { continue };
            let place = probe.approximate(space.unit());
            let inside = [1, -1].map(|side| {
                probe.turn([u, v, side]);
                [0, 1].map(|y| {
                    if self.sides[y].is_none() {
                        return None;
                    }
                    let body = self.bodies[y];
                    let placed = self.solids[y].placed(body.model, y, &body.pose);
                    let near = Near::of(&maps[y], place);
                    Some(self.rules[y].holds(placed.winding(space, &probe, near)))
                })
            });
            match [inside[0][x], inside[1][x]] {
                [Some(front), Some(back)] => {
                    for (own, other) in [(front, inside[0][1 - x]), (back, inside[1][1 - x])] {
                        if let Some(other) = other {
                            state.note(x, own, other);
                        }
                    }
                }
                // A surface: where it lies on a face it is neither inside nor outside.
                _ => {
                    if let [Some(front), Some(back)] = [inside[0][1 - x], inside[1][1 - x]]
                        && front == back
                    {
                        state.note(x, true, front);
                    }
                }
            }
            if state.is_complete() {
                break;
            }
        }
        self.state = state;
    }
}
