//! A face cut into convex cells by the planes of all triangles that meet it, and the winding numbers on both
//! sides of each cell.
//!
//! If a mesh meets itself, winding numbers differ within a face. They are constant on a cell, because no
//! triangle enters it. Each cell has a corner, at which two lines (`lines.rs`) cross. A probe a little along
//! one line from there, and then aside, lies in one of the cells around the corner. All cells are visited in
//! this way, line by line. The side of each line on which a cell lies identifies it. Rays give the winding
//! numbers of some cells, and those of their neighbours follow (`crossings.rs`).
//!
//! Cells beside lines of the other body are visited first.
use super::{
    crossings::{CellWindings, Windings},
    lines::{Corner, Lines, Meshes},
    winding::{BothWays, ProbePosition},
};
use crate::{
    Pose,
    exact::wide::Wide,
    motion::Motion,
    posed::probe::{self, Exact, PlaneSide, Probe, RoundedNumber},
    vector::{UNIT, largest},
};
use std::ops::ControlFlow;

/// Takes the cells of a face.
pub(crate) trait CellVisitor {
    /// Takes a cell; `is_covered` returns true if it lies in a triangle of the other mesh.
    fn take(&mut self, windings: Windings, is_covered: &dyn Fn() -> bool) -> ControlFlow<()>;
    /// True if the other cells are needed, too, after all cells beside the other mesh's lines.
    fn wants_others(&mut self) -> bool;
}

pub(crate) struct FaceCells<'a, const N: usize>(Lines<'a, N>);

/// A probe at a corner, in one of the cells around it, on one side of the face.
struct Turned<'c, 'a, const N: usize> {
    lines: &'c Lines<'a, N>,
    corner: &'c Corner<N>,
    signs: [i32; 3],
}

impl<const N: usize> BothWays<N> for Turned<'_, '_, N> {
    fn signs(&self) -> [i32; 3] {
        self.signs
    }
    fn rounded(&self) -> Option<(&probe::RoundedPoints, &Probe<RoundedNumber>)> {
        Some((&self.lines.near, self.corner.rounded.as_ref()?))
    }
    fn exact(&self) -> (&Exact<'_, N>, &Probe<Wide<N>>) {
        (&self.lines.place, self.lines.exactly(self.corner))
    }
}

impl<'a, const N: usize> FaceCells<'a, N> {
    /// The cells of face t of mesh `own` among the triangles of both meshes that meet it.
    pub(crate) fn new(meshes: &'a Meshes<'a>, own: usize, t: u32, partners: &[(usize, u32)]) -> Option<Self> {
        Lines::new(meshes, own, t, partners).map(Self)
    }
    /// True if a triangle of a mesh lies in the face's plane, and meets it elsewhere than in its own edges.
    pub(crate) fn is_any_coplanar(&self, body: usize) -> bool {
        self.0.coplanar[body]
    }
    /// Visits each cell once, until the visitor breaks. Breaks if it is stopped.
    pub(crate) fn visit(&self, visitor: &mut impl CellVisitor) -> ControlFlow<()> {
        let (lines, meshes) = (&self.0, self.0.meshes);
        let (within, count) = (lines.within(), lines.len());
        let same = meshes.poses[0] == meshes.poses[1];
        let maps = meshes.poses.map(|pose| {
            let pose = if same { &Pose::IDENTITY } else { pose };
            Motion::between(&Pose::IDENTITY, pose)
        });
        if count == 3 {
            return self.visit_whole(visitor, &maps);
        }
        let mut known = CellWindings::new(count);
        // At a point that rounded numbers represent exactly, they decide which lines run through it: these
        // first.
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&line| !lines.is_exact(line));
        let mut is_done = vec![false; count];
        for others in [true, false] {
            if !others && !visitor.wants_others() {
                break;
            }
            for &i in order.iter().filter(|&&i| lines.is_others(i) == others) {
                let corners = lines.along(i, &order, &within)?;
                // The side of each line on which a corner lies. Along line i it changes at the lines crossed.
                let mut sides: Vec<PlaneSide> = Vec::new();
                for group in corners.chunk_by(|a, b| lines.order_along(a, b).is_eq()) {
                    meshes.stop.check()?;
                    let corner = &group[0];
                    if sides.is_empty() {
                        sides.extend((0..count).map(|line| lines.beside(corner, line)));
                    } else {
                        let crossed = group.iter().map(|corner| corner.lines[1]);
                        crossed.chain([i]).for_each(|line| sides[line] = lines.beside(corner, line));
                    }
                    // Where only two lines cross, all cells were visited from the first one.
                    if group.len() > 1 || !is_done[corner.lines[1]] {
                        for way in 0..4 {
                            let signs = [1 - (way & 1) * 2, 1 - (way & 2), 1];
                            if sides.iter().zip(within).any(|(side, inner)| side.turned(signs) != inner) {
                                continue;
                            }
                            let Some(key) = known.key_of_new(&sides[3..], signs) else { continue };
                            let carried = known.carried(lines, corner, signs, &sides, &key, group.len());
                            let windings = carried.unwrap_or_else(|| self.windings(corner, signs, &maps));
                            debug_assert!(
                                self.are_same(windings, self.windings(corner, signs, &maps)),
                                "carried numbers are those of rays"
                            );
                            known.windings.insert(key, windings);
                            let is_covered = || lines.is_covered(|line| sides[line].turned(signs));
                            if visitor.take(windings, &is_covered).is_break() {
                                return ControlFlow::Continue(());
                            }
                        }
                    }
                    for corner in group {
                        let crossed = corner.lines[1];
                        sides[crossed] =
                            PlaneSide { direction: None, sign: lines.beside(corner, crossed).sign };
                    }
                }
                is_done[i] = true;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the one cell of a face that others meet at its edges alone. The ray starts at the corner with
    /// the fewest of them, which takes the least time: n triangles may share an edge, or lie on either side
    /// of it.
    fn visit_whole(&self, visitor: &mut impl CellVisitor, maps: &[Motion; 2]) -> ControlFlow<()> {
        let (lines, within) = (&self.0, self.0.within());
        if !(0..3).any(|edge| lines.is_others(edge)) && !visitor.wants_others() {
            return ControlFlow::Continue(());
        }
        let count = |edge: usize| lines.triangles(edge % 3).len();
        let edge = (0..3).min_by_key(|&edge| count(edge) + count(edge + 1));
        let Some(corner) = edge.and_then(|edge| lines.crossing(edge, (edge + 1) % 3)) else {
            unreachable!("edges of a face are not parallel")
        };
        let sides = [0, 1, 2].map(|line| lines.beside(&corner, line));
        let is_within = |signs: &[i32; 3]| (0..3).all(|k| sides[k].turned(*signs) == within[k]);
        let ways = [[1, 1, 1], [1, -1, 1], [-1, 1, 1], [-1, -1, 1]];
        if let Some(signs) = ways.into_iter().find(is_within) {
            let windings = self.windings(&corner, signs, maps);
            // This is the last cell, whether the visitor breaks or not.
            let _ = visitor.take(windings, &|| lines.is_covered(|line| within[line]));
        }
        ControlFlow::Continue(())
    }

    fn are_same(&self, a: Windings, b: Windings) -> bool {
        let placed = &self.0.meshes.placed;
        (0..2).all(|half| {
            (0..2).all(|body| match (a[half][body], b[half][body], &placed[body]) {
                (Some(a), Some(b), Some(placed)) => placed.is_same(a, b),
                (a, b, _) => a == b,
            })
        })
    }

    /// The winding numbers beside a corner, by rays.
    fn windings(&self, corner: &Corner<N>, signs: [i32; 3], maps: &[Motion; 2]) -> Windings {
        let lines = &self.0;
        let (x, off) = match &corner.rounded {
            Some(probe) => {
                let (x, off) = probe.place();
                // The place is relative to the origin.
                let x = [0, 1, 2].map(|k| x[k] + lines.near.origin[k]);
                (x, off + 2.0 * UNIT * largest(x.map(f64::abs)))
            }
            None => lines.exactly(corner).place(lines.place.0.unit()),
        };
        let mut windings = [[None; 2]; 2];
        for body in 0..2 {
            let Some(placed) = &lines.meshes.placed[body] else { continue };
            let near = ProbePosition::of(&maps[body], x, off);
            let winding = |side: i32| {
                let signs = [signs[0], signs[1], side];
                placed.winding(near, &Turned { lines, corner, signs })
            };
            let front = winding(1);
            // Without triangles in the face's plane, only the face lies between its two sides.
            let back = if lines.coplanar[body] {
                winding(-1)
            } else if body == lines.own {
                front + placed.handedness * lines.jump
            } else {
                front
            };
            (windings[0][body], windings[1][body]) = (Some(front), Some(back));
        }
        windings
    }
}

#[cfg(test)]
mod tests {
    use crate::samples::rng::Rng;
    use crate::{Body, Mesh, Model, Pose, Query, relation::RelationKind};

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
        Model::new(Mesh::new(points, faces).unwrap())
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
                (true, false, true) => kind == RelationKind::Inside,
                (true, true, false) => kind == RelationKind::Contains,
                (true, false, false) => kind == RelationKind::Duplicate,
            };
            assert!(fits, "{round}: {kind:?} of {bodies:?}");
            found[usize::from(seen[3]) + usize::from(seen[3] && !(seen[1] && seen[2]))] += 1;
        }
        assert!(found.iter().all(|&count| count > 2), "{found:?}");
    }
}
