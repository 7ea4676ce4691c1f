//! A face cut into convex cells by the planes of all triangles that meet it: the winding numbers on both
//! sides of each.
//!
//! This is the result where a mesh meets itself: winding numbers are then not the same all over a face. On a
//! cell they are, as no triangle enters it. The lines are those in which the face's plane meets the planes of
//! other triangles, and, of triangles in its plane, their edges. Each cell has a corner, where two lines
//! cross; a probe there, a little along the one and then aside, lies in one of the cells around it, and all
//! cells are seen so. The sides of all lines on which cells lie distinguish them.
//!
//! Cells beside lines of the other body come first.
use super::{
    Placed,
    winding::{BothWays, Near},
};
use crate::{
    Mesh, Pose,
    exact::wide::Wide,
    motion::Motion,
    posed::probe::{self, Exact, Meeting, Place, Plane, Probe, Rounded, Side, Space, world_axis},
    stop::StopFlag,
    vector::{UNIT, largest},
};
use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet},
    ops::ControlFlow,
};

/// Two placed meshes, or one as both.
pub(crate) struct Meshes<'a> {
    pub(crate) meshes: [&'a Mesh; 2],
    pub(crate) poses: [&'a Pose; 2],
    pub(crate) space: &'a Space,
    /// Those that winding numbers are wanted of.
    pub(crate) placed: [Option<Placed<'a>>; 2],
    pub(crate) stop: StopFlag<'a>,
}

/// Winding numbers in front of a cell and behind it, of the one mesh and of the other.
pub(crate) type Windings = [[Option<i32>; 2]; 2];

/// Takes the cells of a face.
pub(crate) trait Visitor {
    /// `is_covered` finds out whether the cell lies in a triangle of the other mesh.
    fn take(&mut self, windings: Windings, is_covered: &dyn Fn() -> bool) -> ControlFlow<()>;
    /// Whether, when all cells beside the other mesh's lines are taken, the others are wanted, too.
    fn wants_others(&mut self) -> bool;
}

/// Where a line comes from: a triangle of a mesh, as a whole or one of its edges.
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
pub(crate) struct Cells<'a, const N: usize> {
    meshes: &'a Meshes<'a>,
    /// The face's mesh.
    own: usize,
    near: probe::Near,
    place: Exact<'a, N>,
    plane: (Plane<Rounded>, Plane<Wide<N>>),
    axis: usize,
    lines: Vec<Line<N>>,
    /// The change of the winding number from the face's front to its back: 1, unless its mesh has it twice.
    jump: i32,
    /// Triangles of the other mesh in the face's plane: the lines of their edges.
    covers: Vec<(u32, [usize; 3])>,
}

/// A point where two lines cross. The widest integers of one take 70 KB: not on the stack.
struct Corner<const N: usize> {
    lines: [usize; 2],
    rounded: Option<Probe<Rounded>>,
    exact: OnceCell<Box<Probe<Wide<N>>>>,
}

/// Whether two lines need no test: the first one's cells have all been seen, or both ones'.
#[derive(Clone, Copy, PartialEq)]
enum Looked {
    No,
    /// Where they cross all cells beside the first one have been seen.
    Once,
    /// They do not cross in the face, or no other line runs through the point: then from there both ones'
    /// cells have been seen.
    Both,
}

/// A corner in one of the cells around it, on one side of the face.
struct Turned<'c, 'a, const N: usize> {
    cells: &'c Cells<'a, N>,
    corner: &'c Corner<N>,
    signs: [i32; 3],
}

impl<const N: usize> BothWays<N> for Turned<'_, '_, N> {
    fn signs(&self) -> [i32; 3] {
        self.signs
    }
    fn rounded(&self) -> Option<(&probe::Near, &Probe<Rounded>)> {
        Some((&self.cells.near, self.corner.rounded.as_ref()?))
    }
    fn exact(&self) -> (&Exact<'_, N>, &Probe<Wide<N>>) {
        (&self.cells.place, self.cells.exactly(self.corner))
    }
}

impl<'a, const N: usize> Cells<'a, N> {
    /// The cells of face t of mesh `own`, and the triangles that meet it, of either.
    pub(crate) fn new(
        meshes: &'a Meshes<'a>,
        (own, t): (usize, u32),
        partners: &[(usize, u32)],
    ) -> Option<Self> {
        let corners = meshes.meshes[own].corners(t);
        let near = probe::Near::new(meshes.poses, own, &corners[0]);
        let place = Exact::<N>(meshes.space);
        let exact = Plane::of(&place.corners(own, &corners));
        let rounded = Plane::of(&near.corners(own, &corners));
        let axis = exact.axis()?;
        let jump = meshes.placed[own].as_ref().map_or(0, |placed| placed.jump(t));
        let (lines, covers) = (Vec::new(), Vec::new());
        let mut all = Self { meshes, own, near, place, plane: (rounded, exact), axis, lines, jump, covers };
        for edge in 0..3 {
            all.push(Source { body: own, triangle: t, edge: Some(edge) });
        }
        let mut known = HashMap::new();
        for &(body, triangle) in partners {
            let corners = all.corners(body, triangle);
            let is_coplanar = corners.iter().all(|v| all.side_of_face(body, v) == 0);
            if is_coplanar {
                let edges = [0, 1, 2].map(|edge| {
                    let key = (body, key(&[corners[edge], corners[(edge + 1) % 3]]));
                    *known.entry(key).or_insert_with(|| all.push(Source { body, triangle, edge: Some(edge) }))
                });
                if body != own {
                    all.covers.push((triangle, edges));
                }
            } else {
                let key = (body, plane_key(&corners));
                known.entry(key).or_insert_with(|| all.push(Source { body, triangle, edge: None }));
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
        self.meshes.meshes[body].corners(t)
    }
    fn plane<P: Place>(&self, place: &P, source: Source) -> Plane<P::Number> {
        let p = place.corners(source.body, &self.corners(source.body, source.triangle));
        match source.edge {
            Some(k) => Plane::along(&p[k], &p[(k + 1) % 3], &world_axis(self.axis), &p[k]),
            None => Plane::of(&p),
        }
    }
    fn push(&mut self, source: Source) -> usize {
        let rounded = self.plane(&self.near, source);
        self.lines.push(Line { source, rounded, exact: OnceCell::new() });
        self.lines.len() - 1
    }
    /// Whether a triangle of a mesh lies in the face's plane, and meets it elsewhere than in its own edges.
    pub(crate) fn is_any_coplanar(&self, body: usize) -> bool {
        self.lines[3..].iter().any(|line| line.source.edge.is_some() && line.source.body == body)
    }
    /// On which side of a line a corner of a triangle of a mesh lies.
    fn side_of(&self, line: usize, body: usize, corner: &[f64; 3]) -> i32 {
        let side = self.lines[line].rounded.side(&self.near.point(body, corner));
        side.or_else(|| self.exact(line).side(&self.place.point(body, corner))).unwrap_or(0)
    }
    /// Whether a cell, by the sides of lines on which it lies, is in a triangle of the other mesh.
    fn is_covered(&self, side: impl Fn(usize) -> i32) -> bool {
        let body = 1 - self.own;
        self.covers.iter().any(|&(triangle, edges)| {
            let corners = self.corners(body, triangle);
            let mut thirds = (0..3).map(|k| (edges[k], corners[(k + 2) % 3]));
            thirds.all(|(line, third)| side(line) == self.side_of(line, body, &third))
        })
    }
    fn exact(&self, line: usize) -> &Plane<Wide<N>> {
        let line = &self.lines[line];
        line.exact.get_or_init(|| self.plane(&self.place, line.source))
    }

    /// Where two lines cross.
    fn crossing(&self, i: usize, j: usize) -> Option<Corner<N>> {
        let (lines, exact) = ([i, j], OnceCell::new());
        match Probe::where_meet(&self.plane.0, &self.lines[i].rounded, &self.lines[j].rounded) {
            Meeting::At(probe) => Some(Corner { lines, rounded: Some(probe), exact }),
            Meeting::Nowhere => None,
            Meeting::Unsure => {
                let probe = self.crossing_exactly(lines)?;
                Some(Corner { lines, rounded: None, exact: probe.into() })
            }
        }
    }
    #[inline(never)]
    fn crossing_exactly(&self, [i, j]: [usize; 2]) -> Option<Box<Probe<Wide<N>>>> {
        match Probe::where_meet(&self.plane.1, self.exact(i), self.exact(j)) {
            Meeting::At(probe) => Some(Box::new(probe)),
            Meeting::Nowhere | Meeting::Unsure => None,
        }
    }
    /// The probe of a corner, in integers.
    fn exactly<'c>(&self, corner: &'c Corner<N>) -> &'c Probe<Wide<N>> {
        corner.exact.get_or_init(|| match self.crossing_exactly(corner.lines) {
            Some(probe) => probe,
            None => unreachable!("rounded numbers were certain of it"),
        })
    }
    /// On which side of a line a corner lies.
    fn beside(&self, corner: &Corner<N>, line: usize) -> Side {
        let own = corner.lines.iter().position(|&own| own == line);
        if let Some(probe) = &corner.rounded {
            let side = match own {
                Some(which) => Some(probe.beside_own(which == 1)),
                None => probe.beside(&self.lines[line].rounded, [false; 2]),
            };
            if let Some(side) = side {
                return side;
            }
        }
        let probe = self.exactly(corner);
        match own {
            Some(which) => probe.beside_own(which == 1),
            // Integers are certain.
            None => {
                let side = probe.beside(self.exact(line), [false; 2]);
                side.unwrap_or(Side { direction: None, sign: 0 })
            }
        }
    }
    /// Finds on which sides of all lines a corner of the face lies; false if it lies outside of the face.
    fn beside_all(&self, corner: &Corner<N>, within: &[i32; 3], sides: &mut Vec<Side>) -> bool {
        sides.clear();
        for (line, &inner) in within.iter().enumerate() {
            let side = self.beside(corner, line);
            if side.direction.is_none() && side.sign != inner {
                return false;
            }
            sides.push(side);
        }
        sides.extend((3..self.lines.len()).map(|line| self.beside(corner, line)));
        true
    }

    /// Visits the cells, each once, until the visitor has enough. Breaks if it is stopped.
    pub(crate) fn visit(&self, visitor: &mut impl Visitor) -> ControlFlow<()> {
        // The side of each edge on which the face is.
        let within = [0, 1, 2].map(|k| {
            let source = self.lines[k].source;
            let opposite = self.corners(source.body, source.triangle)[(k + 2) % 3];
            self.side_of(k, source.body, &opposite)
        });
        let coplanar = [0, 1].map(|body| self.is_any_coplanar(body));
        let same = self.meshes.poses[0] == self.meshes.poses[1];
        let maps = self.meshes.poses.map(|pose| {
            let pose = if same { &Pose::IDENTITY } else { pose };
            Motion::between(&Pose::IDENTITY, pose)
        });
        // Cells differ by the sides of lines, as bits.
        let (mut known, mut sides, count) = (HashSet::new(), Vec::new(), self.lines.len());
        // Where rounded numbers know a point exactly they know which lines run through it: these first.
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&line| !self.lines[line].rounded.is_exact());
        // The pairs of lines that need no test, for lines in the order in which their turn comes.
        let (mut looked, mut is_done) = (vec![Vec::new(); count], vec![false; count]);
        let is_others = |line: usize| self.lines[line].source.body != self.own;
        for others in [true, false] {
            if !others && !visitor.wants_others() {
                break;
            }
            for &i in order.iter().filter(|&&i| is_others(i) == others) {
                if is_done[i] {
                    continue;
                }
                looked[i].resize(count, Looked::No);
                for &j in order.iter().filter(|&&j| j != i) {
                    if looked[i][j] != Looked::No || looked[j].get(i) == Some(&Looked::Both) {
                        continue;
                    }
                    self.meshes.stop.check()?;
                    let corner = self.crossing(i, j);
                    let Some(corner) = corner.filter(|corner| self.beside_all(corner, &within, &mut sides))
                    else {
                        looked[i][j] = Looked::Both;
                        continue;
                    };
                    let mut is_simple = true;
                    for k in (0..count).filter(|&k| k != i && k != j) {
                        match sides[k].direction {
                            // It runs through the corner, from which all cells beside line i are seen now.
                            Some(0) => looked[i][k] = Looked::Once,
                            // It is line i.
                            Some(1) => is_done[k] = true,
                            _ => continue,
                        }
                        is_simple = false;
                    }
                    if is_simple {
                        looked[i][j] = Looked::Both;
                    }
                    for way in 0..4 {
                        let signs = [1 - (way & 1) * 2, 1 - (way & 2), 1];
                        if sides.iter().zip(within).any(|(side, inner)| side.turned(signs) != inner) {
                            continue;
                        }
                        let bit = |(at, side): (usize, &Side)| u64::from(side.turned(signs) > 0) << at;
                        let bits = |run: &[Side]| run.iter().enumerate().map(bit).sum::<u64>();
                        if known.insert(sides[3..].chunks(64).map(bits).collect::<Vec<u64>>()) {
                            let windings = self.windings(&corner, signs, &maps, coplanar);
                            let is_covered = || self.is_covered(|line| sides[line].turned(signs));
                            if visitor.take(windings, &is_covered).is_break() {
                                return ControlFlow::Continue(());
                            }
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn windings(
        &self,
        corner: &Corner<N>,
        signs: [i32; 3],
        maps: &[Motion; 2],
        coplanar: [bool; 2],
    ) -> Windings {
        let place = match &corner.rounded {
            Some(probe) => {
                let (x, off) = probe.place();
                // Relative to the origin, which it is added to.
                let x = [0, 1, 2].map(|k| x[k] + self.near.origin[k]);
                (x, off + 2.0 * UNIT * largest(x.map(f64::abs)))
            }
            None => self.exactly(corner).place(self.place.0.unit()),
        };
        let mut windings = [[None; 2]; 2];
        for body in 0..2 {
            let Some(placed) = &self.meshes.placed[body] else { continue };
            let near = Near::of(&maps[body], place);
            let winding = |side: i32| {
                let signs = [signs[0], signs[1], side];
                placed.winding(near, &Turned { cells: self, corner, signs })
            };
            let front = winding(1);
            // Without triangles in the face's plane, only the face lies between its two sides.
            let back = if coplanar[body] {
                winding(-1)
            } else if body == self.own {
                front + placed.handedness * self.jump
            } else {
                front
            };
            (windings[0][body], windings[1][body]) = (Some(front), Some(back));
        }
        windings
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

/// The same for triangles of one plane that is perpendicular to an axis of its mesh, else by points.
fn plane_key(points: &[[f64; 3]; 3]) -> [[u64; 3]; 3] {
    match (0..3).find(|&k| points[0][k] == points[1][k] && points[0][k] == points[2][k]) {
        Some(k) => [[u64::MAX, k as u64, (points[0][k] + 0.0).to_bits()], [u64::MAX; 3], [u64::MAX; 3]],
        None => key(points),
    }
}

#[cfg(test)]
mod tests {
    use crate::samples::rng::Rng;
    use crate::{Body, BuildOptions, Mesh, Model, Pose, Query, relation::RelationKind};

    /// Corners of boxes of a grid.
    type Boxes = Vec<[[i32; 3]; 2]>;

    fn model(boxes: &Boxes) -> Model {
        let (mut points, mut faces) = (Vec::new(), Vec::new());
        for corners in boxes {
            let first = points.len() as u32;
            // Products of tenths are rounded.
            let at = |i: usize, k: usize| f64::from(corners[i >> k & 1][k]) * 0.1;
            points.extend((0..8).map(|i| [at(i, 0), at(i, 1), at(i, 2)]));
            for (axis, way) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
                let (u, v, w) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3), way << axis);
                let (u, v) = if way == 1 { (u, v) } else { (v, u) };
                for t in [[w, w + u, w + u + v], [w, w + u + v, w + v]] {
                    faces.push(t.map(|i: u32| first + i));
                }
            }
        }
        Model::new(Mesh::new(points, faces).unwrap(), &BuildOptions::default())
    }

    #[test]
    fn boxes_that_meet_each_other_are_their_union() {
        let (mut rng, mut query, mut found) = (Rng::new(77), Query::new(), [0; 3]);
        for round in 0..300 {
            let mut boxes = || -> Boxes {
                let mut side = || {
                    let lo = rng.int(0, 3) as i32;
                    [lo, lo + rng.int(1, 3) as i32]
                };
                (0..1 + round % 4)
                    .map(|_| {
                        let sides = [side(), side(), side()];
                        [sides.map(|s| s[0]), sides.map(|s| s[1])]
                    })
                    .collect()
            };
            let bodies = [boxes(), boxes()];
            let has = |boxes: &Boxes, cell: [i32; 3]| {
                boxes.iter().any(|[lo, hi]| (0..3).all(|k| lo[k] <= cell[k] && cell[k] < hi[k]))
            };
            let cells = (0..216).map(|i| [i % 6, i / 6 % 6, i / 36]);
            let mut seen = [false; 4];
            cells.for_each(|cell| {
                seen[usize::from(has(&bodies[0], cell)) + 2 * usize::from(has(&bodies[1], cell))] = true;
            });
            let models = bodies.each_ref().map(model);
            let [a, b] = models.each_ref().map(|model| Body::new(model, Pose::IDENTITY));
            let kind = query.relation(&a, &b).kind;
            let fits = match (seen[3], seen[1], seen[2]) {
                (false, ..) => matches!(kind, RelationKind::Apart | RelationKind::Touch),
                (true, true, true) => kind == RelationKind::Overlap,
                (true, false, true) => kind == RelationKind::AInB,
                (true, true, false) => kind == RelationKind::BInA,
                (true, false, false) => kind == RelationKind::Same,
            };
            assert!(fits, "{round}: {kind:?} of {bodies:?}");
            found[usize::from(seen[3]) + usize::from(seen[3] && !(seen[1] && seen[2]))] += 1;
        }
        assert!(found.iter().all(|&count| count > 2), "{found:?}");
    }
}
