//! A face cut into convex cells by the planes of all triangles that meet it: what lies on both sides of each.
//!
//! This is the answer where a mesh meets itself: sides are then not the same all over a face. On a cell they
//! are, as no triangle enters it. The lines are those in which the face's plane meets the planes of other
//! triangles, and, of triangles in its plane, their edges. Each cell has a corner, where two lines cross; a
//! probe there, a little along the one and then aside, lies in one of the cells around it, and all cells are
//! seen so. Cells are told apart by the sides of all lines on which they lie.
//!
//! # Which cells
//! First those beside the lines of the other body, all along: there every part of the face between contacts
//! has a cell. On such a part in B is the same all over, as own triangles do not change it. So once it is
//! known which of (inside of B, outside of B) occur, the other cells can tell nothing but what the face's own
//! sides may be there; and where both are known to occur already, they need not be looked at.
use super::{Question, State};
use crate::{
    exact::{
        probe::{self, Exact, Meeting, Place, Plane, Probe, Rounded, at_limbs, world_axis},
        wide::Wide,
    },
    motion::Motion,
    solid::{self, BothWays, Near, Placed},
};
use std::{cell::OnceCell, collections::HashSet};

/// Where a line comes from: a triangle of a body, as a whole or one of its edges.
#[derive(Clone, Copy)]
struct Source {
    body: usize,
    triangle: u32,
    edge: Option<usize>,
}

/// A plane through the line, in rounded numbers and, when they are first needed, in integers.
struct Line<const N: usize> {
    source: Source,
    rounded: Plane<Rounded>,
    exact: OnceCell<Plane<Wide<N>>>,
}

/// The plane of the face, and all lines in it. The first three are the face's own edges.
struct Arrangement<'q, const N: usize> {
    question: &'q Question<'q>,
    near: probe::Near,
    place: Exact<'q, N>,
    plane: (Plane<Rounded>, Plane<Wide<N>>),
    axis: usize,
    lines: Vec<Line<N>>,
}

/// A point near where two lines cross.
struct Corner<const N: usize> {
    lines: [usize; 2],
    rounded: Option<Probe<Rounded>>,
    exact: OnceCell<Probe<Wide<N>>>,
}

/// A corner in one of the cells around it, on one side of the face.
struct Turned<'c, 'q, const N: usize> {
    cells: &'c Arrangement<'q, N>,
    corner: &'c Corner<N>,
    signs: [i32; 3],
    rounded: Option<Probe<Rounded>>,
    exact: OnceCell<Probe<Wide<N>>>,
}

impl<const N: usize> BothWays<N> for Turned<'_, '_, N> {
    fn rounded(&self) -> Option<(&probe::Near, &Probe<Rounded>)> {
        Some((&self.cells.near, self.rounded.as_ref()?))
    }
    fn exact(&self) -> (&Exact<'_, N>, &Probe<Wide<N>>) {
        let turned = || self.cells.exactly(self.corner).turned(self.signs);
        (&self.cells.place, self.exact.get_or_init(turned))
    }
}

impl Question<'_> {
    /// Cuts face t of body x, which has these contacts (t and a face of the other body).
    #[cold]
    #[inline(never)]
    pub(super) fn cut(&mut self, x: usize, t: u32, contacts: &[[u32; 2]]) {
        let own = self.all_sides(x).into_iter().flat_map(|sides| sides.partners(t)).map(|u| (x, u));
        let others = contacts.iter().map(|pair| (1 - x, pair[1]));
        let partners: Vec<(usize, u32)> = own.chain(others).collect();
        self.look_at_cells((x, t), &partners, false);
    }
    /// Of a face and the triangles that meet it: those cells that may tell something, or `all` of them.
    pub(super) fn look_at_cells(&mut self, (x, t): (usize, u32), partners: &[(usize, u32)], all: bool) {
        self.state = at_limbs!(self.space().limbs, N => {
            Arrangement::<N>::new(self, (x, t), partners).map_or(self.state, |cells| cells.look(x, all))
        });
    }
}

impl<'q, const N: usize> Arrangement<'q, N> {
    fn new(question: &'q Question<'q>, (x, t): (usize, u32), partners: &[(usize, u32)]) -> Option<Self> {
        let corners = question.bodies[x].model.mesh().corners(t);
        let near = probe::Near::new(question.bodies.map(|body| &body.pose), x, &corners[0]);
        let place = Exact::<N>(question.space());
        let exact = Plane::of(&corners.each_ref().map(|v| place.point(x, v)));
        let rounded = Plane::of(&corners.each_ref().map(|v| near.point(x, v)));
        let axis = exact.axis()?;
        let mut all = Self { question, near, place, plane: (rounded, exact), axis, lines: Vec::new() };
        for edge in 0..3 {
            all.push(Source { body: x, triangle: t, edge: Some(edge) });
        }
        let mut known = HashSet::new();
        for &(body, triangle) in partners {
            let corners = all.corners(body, triangle);
            let is_coplanar = corners.iter().all(|v| all.side_of_face(body, v) == 0);
            let edges = if is_coplanar { 3 } else { 0 };
            for edge in 0..edges {
                if known.insert((body, key(&[corners[edge], corners[(edge + 1) % 3]]))) {
                    all.push(Source { body, triangle, edge: Some(edge) });
                }
            }
            if edges == 0 && known.insert((body, plane_key(&corners))) {
                all.push(Source { body, triangle, edge: None });
            }
        }
        Some(all)
    }
    /// On which side of the face's plane a point lies.
    fn side_of_face(&self, body: usize, v: &[f64; 3]) -> i32 {
        let (rounded, exact) = &self.plane;
        let side = rounded.side(&self.near.point(body, v));
        side.or_else(|| exact.side(&self.place.point(body, v))).unwrap_or(0)
    }
    fn corners(&self, body: usize, t: u32) -> [[f64; 3]; 3] {
        self.question.bodies[body].model.mesh().corners(t)
    }
    fn plane<P: Place>(&self, place: &P, source: Source) -> Plane<P::Number> {
        let p = self.corners(source.body, source.triangle).map(|v| place.point(source.body, &v));
        match source.edge {
            Some(k) => Plane::along(&p[k], &p[(k + 1) % 3], &world_axis(self.axis)),
            None => Plane::of(&p),
        }
    }
    fn push(&mut self, source: Source) {
        let rounded = self.plane(&self.near, source);
        self.lines.push(Line { source, rounded, exact: OnceCell::new() });
    }
    fn exact(&self, line: usize) -> &Plane<Wide<N>> {
        let line = &self.lines[line];
        line.exact.get_or_init(|| self.plane(&self.place, line.source))
    }

    /// Where two lines cross.
    fn crossing(&self, i: usize, j: usize) -> Option<Corner<N>> {
        let exact = OnceCell::new();
        let lines = [i, j];
        match Probe::where_meet(&self.plane.0, &self.lines[i].rounded, &self.lines[j].rounded) {
            Meeting::At(probe) => Some(Corner { lines, rounded: Some(probe), exact }),
            Meeting::Nowhere => None,
            Meeting::Unsure => match Probe::where_meet(&self.plane.1, self.exact(i), self.exact(j)) {
                Meeting::At(probe) => Some(Corner { lines, rounded: None, exact: probe.into() }),
                Meeting::Nowhere | Meeting::Unsure => None,
            },
        }
    }
    /// The same in integers.
    fn exactly<'c>(&self, corner: &'c Corner<N>) -> &'c Probe<Wide<N>> {
        corner.exact.get_or_init(|| {
            let [i, j] = corner.lines;
            match Probe::where_meet(&self.plane.1, self.exact(i), self.exact(j)) {
                Meeting::At(probe) => probe,
                Meeting::Nowhere | Meeting::Unsure => unreachable!("rounded numbers were certain of it"),
            }
        })
    }
    /// On which side of a line a corner lies.
    fn side(&self, corner: &Corner<N>, signs: [i32; 3], line: usize) -> i32 {
        let own = corner.lines.iter().position(|&own| own == line);
        if let Some(probe) = &corner.rounded {
            let side = match own {
                Some(which) => Some(probe.turned(signs).side_of_own(which == 1)),
                None => probe.turned(signs).side(&self.lines[line].rounded),
            };
            if let Some(side) = side {
                return side;
            }
        }
        let probe = self.exactly(corner);
        match own {
            Some(which) => probe.turned(signs).side_of_own(which == 1),
            None => probe.turned(signs).side(self.exact(line)).unwrap_or(0),
        }
    }

    /// What lies beside the face of body x.
    fn look(&self, x: usize, all: bool) -> State {
        let question = self.question;
        let same = question.same;
        let maps = question.bodies.map(|body| solid::to_own_frame(&body.pose, same));
        let placed = [0, 1].map(|y| {
            let body = question.bodies[y];
            question.is_solid[y].then(|| question.solids[y].placed(body.model, y, question.handedness[y]))
        });
        let within: Vec<i32> = (0..3)
            .map(|k| {
                let source = self.lines[k].source;
                let opposite = self.corners(source.body, source.triangle)[(k + 2) % 3];
                let side = self.lines[k].rounded.side(&self.near.point(source.body, &opposite));
                let exactly = || self.exact(k).side(&self.place.point(source.body, &opposite));
                side.or_else(exactly).unwrap_or(0)
            })
            .collect();
        let of_other = |line: &Line<N>| line.source.body != x;
        let coplanar = |body: usize| {
            self.lines[3..].iter().any(|line| line.source.edge.is_some() && line.source.body == body)
        };
        let coplanar = [coplanar(0), coplanar(1)];
        let mut state = question.state;
        let mut known = HashSet::new();
        // Which of inside and outside of the other body occur on the face.
        let mut seen = [false; 2];
        for others in [true, false] {
            if !others && !all && self.lines.iter().any(of_other) {
                let told = |inside: bool| [true, false].iter().all(|&own| state.has(x, own, inside));
                if (!seen[0] || told(true)) && (!seen[1] || told(false)) {
                    break;
                }
            }
            for i in (0..self.lines.len()).filter(|&i| of_other(&self.lines[i]) == others) {
                for j in (0..self.lines.len()).filter(|&j| j != i) {
                    let Some(corner) = self.crossing(i, j) else { continue };
                    for way in 0..4 {
                        let signs = [1 - (way & 1) * 2, 1 - (way & 2), 1];
                        if (0..3).any(|k| self.side(&corner, signs, k) != within[k]) {
                            continue;
                        }
                        let cell: Vec<bool> =
                            (3..self.lines.len()).map(|k| self.side(&corner, signs, k) > 0).collect();
                        if !known.insert(cell) {
                            continue;
                        }
                        let inside = self.ask(&corner, signs, (&placed, &maps), (x, coplanar));
                        note(x, inside, &mut state, &mut seen);
                        if !all && state.is_complete() {
                            return state;
                        }
                    }
                }
            }
        }
        state
    }

    /// In front of the cell and behind it, whether it is inside of the one body and the other; `None` of a
    /// surface.
    fn ask(
        &self,
        corner: &Corner<N>,
        signs: [i32; 3],
        (placed, maps): (&[Option<Placed<'_>>; 2], &[Motion; 2]),
        (x, coplanar): (usize, [bool; 2]),
    ) -> [[Option<bool>; 2]; 2] {
        let place = match &corner.rounded {
            Some(probe) => {
                let (x, off) = probe.place();
                // Relative to the origin, which it is added to.
                let x = [0, 1, 2].map(|k| x[k] + self.near.origin[k]);
                (x, off + 2.0 * crate::vector::UNIT * crate::vector::largest(x.map(f64::abs)))
            }
            None => self.exactly(corner).place(self.place.0.unit()),
        };
        let mut inside = [[None; 2]; 2];
        for y in 0..2 {
            let Some(placed) = &placed[y] else { continue };
            let near = Near::of(&maps[y], place);
            let winding = |side: i32| {
                let signs = [signs[0], signs[1], side];
                let rounded = corner.rounded.as_ref().map(|probe| probe.turned(signs));
                placed.winding(near, &Turned { cells: self, corner, signs, rounded, exact: OnceCell::new() })
            };
            let front = winding(1);
            // Without triangles in the face's plane, nothing but the face lies between its two sides.
            let back = if coplanar[y] {
                winding(-1)
            } else if x == y {
                front + placed.handedness
            } else {
                front
            };
            for (side, winding) in [front, back].into_iter().enumerate() {
                inside[side][y] = Some(self.question.rules[y].holds(winding));
            }
        }
        inside
    }
}

/// The bits of two or three points, in order: equal only for the same points.
fn key<const N: usize>(points: &[[f64; 3]; N]) -> [[u64; 3]; 3] {
    let mut key = [[u64::MAX; 3]; 3];
    for (key, point) in key.iter_mut().zip(points) {
        // -0.0 is 0.0.
        *key = point.map(|x| (x + 0.0).to_bits());
    }
    key[..N].sort_unstable();
    key
}

/// The same for triangles of one plane that is perpendicular to an axis of its body, else by points.
fn plane_key(points: &[[f64; 3]; 3]) -> [[u64; 3]; 3] {
    match (0..3).find(|&k| points[0][k] == points[1][k] && points[0][k] == points[2][k]) {
        Some(k) => [[u64::MAX, k as u64, (points[0][k] + 0.0).to_bits()], [u64::MAX; 3], [u64::MAX; 3]],
        None => key(points),
    }
}

fn note(x: usize, inside: [[Option<bool>; 2]; 2], state: &mut State, seen: &mut [bool; 2]) {
    let [front, back] = inside;
    let mut see = |inside: bool| seen[usize::from(!inside)] = true;
    match ([front[x], back[x]], [front[1 - x], back[1 - x]]) {
        ([Some(own_front), Some(own_back)], [Some(front), Some(back)]) => {
            state.note(x, own_front, front);
            state.note(x, own_back, back);
            see(front);
            see(back);
        }
        // A surface: where it lies on a face it is neither inside nor outside.
        (_, [Some(front), Some(back)]) if front == back => {
            state.note(x, true, front);
            see(front);
        }
        _ => {}
    }
}
