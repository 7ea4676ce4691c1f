//! Winding numbers carried from cell to cell of a face, across the lines between them (`cells.rs`).
//!
//! The numbers of two cells on either side of a line differ by the triangles that meet the face's plane in
//! the line, and that cover the place where the line is crossed. Such a triangle's part of the line ends
//! where edges of the triangle run through the plane. A place is covered if it lies on the inner sides of
//! these edges. A triangle with an edge in the plane reaches to one side of the plane only: it counts for the
//! numbers in front of the face if it lies above the plane, and for the numbers behind the face if below.
use super::lines::{Corner, Lines};
use crate::{
    exact::wide::Wide,
    posed::probe::{PlacedPoints, PlaneSide, ProbePlane, RoundedNumber, world_axis},
};
use std::{cell::OnceCell, collections::HashMap};

/// A triangle that meets the face's plane in a line.
pub(super) struct Crossing<const N: usize> {
    body: usize,
    /// Change of its body's winding number from the negative side of the line to the positive one.
    change: i32,
    /// True if it reaches above the face's plane, and true if below.
    reaches: [bool; 2],
    ends: Vec<End<N>>,
}

/// A plane through an edge of a triangle and along an axis, which is not the triangle's plane.
#[derive(Clone, Copy)]
struct EdgePlane {
    body: usize,
    triangle: u32,
    edge: usize,
    axis: usize,
}

/// An edge of a triangle that runs through the face's plane.
struct End<const N: usize> {
    plane: EdgePlane,
    /// Side of that plane on which the triangle is.
    inner: i32,
    rounded: ProbePlane<RoundedNumber>,
    exact: OnceCell<ProbePlane<Wide<N>>>,
}

/// Winding numbers in front of a cell and behind it, of the one mesh and of the other.
pub(crate) type Windings = [[Option<i32>; 2]; 2];

/// The winding numbers of cells, by the sides of lines on which they lie, as bits.
pub(super) struct CellWindings<const N: usize> {
    pub(super) windings: HashMap<Vec<u64>, Windings>,
    /// The triangles that are crossed at each line, found on first use.
    crossings: Vec<OnceCell<Vec<Crossing<N>>>>,
}

impl<const N: usize> CellWindings<N> {
    pub(super) fn new(lines: usize) -> Self {
        Self { windings: HashMap::new(), crossings: (0..lines).map(|_| OnceCell::new()).collect() }
    }
    /// The key of a cell that is not known yet: the sides of all lines but the face's own edges.
    pub(super) fn key_of_new(&self, sides: &[PlaneSide], signs: [i32; 3]) -> Option<Vec<u64>> {
        let bit = |(at, side): (usize, &PlaneSide)| u64::from(side.turned(signs) > 0) << at;
        let bits = |run: &[PlaneSide]| run.iter().enumerate().map(bit).sum::<u64>();
        let key: Vec<u64> = sides.chunks(64).map(bits).collect();
        (!self.windings.contains_key(&key)).then_some(key)
    }
    /// The winding numbers of a cell beside a corner, from those of a neighbour. `count` lines cross the
    /// corner's first line there. `None` if there are no numbers of a neighbour.
    pub(super) fn carried(
        &self,
        lines: &Lines<'_, N>,
        corner: &Corner<N>,
        signs: [i32; 3],
        sides: &[PlaneSide],
        key: &[u64],
        count: usize,
    ) -> Option<Windings> {
        // Across the first line or the second one. Where several lines cross the first, other cells lie
        // between.
        let across = corner.lines.iter().enumerate().take(if count == 1 { 2 } else { 1 });
        across.filter(|(_, line)| **line >= 3).find_map(|(second, &line)| {
            let mut other = key.to_vec();
            other[(line - 3) / 64] ^= 1 << ((line - 3) % 64);
            let mut windings = *self.windings.get(&other)?;
            let all = self.crossings[line].get_or_init(|| {
                let triangles = lines.triangles(line).iter();
                triangles.filter_map(|&(body, t)| Crossing::new(lines, line, body, t)).collect()
            });
            for crossing in all.iter().filter(|crossing| crossing.is_at(lines, corner, second == 1, signs)) {
                for (half, reaches) in windings.iter_mut().zip(crossing.reaches) {
                    if reaches && let Some(winding) = &mut half[crossing.body] {
                        *winding += crossing.change * sides[line].turned(signs);
                    }
                }
            }
            Some(windings)
        })
    }
}

impl<const N: usize> Crossing<N> {
    /// A triangle of a placed mesh, if it has more than a point of the line.
    pub(super) fn new(lines: &Lines<'_, N>, line: usize, body: usize, t: u32) -> Option<Self> {
        let placed = lines.meshes.placed[body].as_ref()?;
        let (corners, jump) = (lines.corners(body, t), placed.jump(t));
        let sides = corners.map(|v| lines.side_of_face(body, &v));
        let reaches = [sides.contains(&1), sides.contains(&-1)];
        let in_plane = sides.iter().filter(|side| **side == 0).count();
        if jump == 0 || in_plane < 2 && reaches != [true; 2] {
            return None;
        }
        let rounded = ProbePlane::of(&lines.near.corners(body, &corners));
        let exact = OnceCell::new();
        let exactly = || exact.get_or_init(|| ProbePlane::of(&lines.place.corners(body, &corners)));
        let axis = rounded.axis().or_else(|| exactly().axis())?;
        let ends = (0..3).filter(|&k| {
            let [a, b] = [sides[k], sides[(k + 1) % 3]];
            a * b <= 0 && [a, b] != [0, 0]
        });
        let ends = ends.map(|edge| End::new(lines, EdgePlane { body, triangle: t, edge, axis })).collect();
        // A corner of the face off the line is on the same sides of both planes, or on opposite ones.
        let own = lines.corners(lines.own, lines.face);
        let (of_line, corner) =
            own.iter().map(|v| (lines.side_of(line, lines.own, v), v)).find(|(s, _)| *s != 0)?;
        let side = rounded.side(&lines.near.point(lines.own, corner));
        let side = side.or_else(|| exactly().side(&lines.place.point(lines.own, corner)))?;
        // Behind a triangle the number is greater; if its mesh is mirrored, less.
        Some(Self { body, change: -side * of_line * placed.handedness * jump, reaches, ends })
    }
    /// True if the triangle covers places beside a corner, along its first line or its second one, in a
    /// direction.
    fn is_at(&self, lines: &Lines<'_, N>, corner: &Corner<N>, second: bool, signs: [i32; 3]) -> bool {
        self.ends.iter().all(|end| {
            let rounded =
                corner.rounded.as_ref().and_then(|probe| probe.beside(&end.rounded, [second, false]));
            let side = rounded.or_else(|| {
                let plane = end.exact.get_or_init(|| end.plane.at(lines, &lines.place));
                lines.exactly(corner).beside(plane, [second, false])
            });
            side.is_some_and(|side| side.turned(signs) == end.inner)
        })
    }
}

impl<const N: usize> End<N> {
    fn new(lines: &Lines<'_, N>, plane: EdgePlane) -> Self {
        let EdgePlane { body, triangle, edge, .. } = plane;
        let third = lines.corners(body, triangle)[(edge + 2) % 3];
        let rounded = plane.at(lines, &lines.near);
        let mut end = Self { plane, inner: 0, rounded, exact: OnceCell::new() };
        let side = end.rounded.side(&lines.near.point(body, &third));
        end.inner = side.unwrap_or_else(|| {
            let exact = end.exact.get_or_init(|| end.plane.at(lines, &lines.place));
            exact.side(&lines.place.point(body, &third)).unwrap_or(0)
        });
        end
    }
}

impl EdgePlane {
    /// The plane in rounded numbers, or in integers.
    fn at<const N: usize, P: PlacedPoints>(self, lines: &Lines<'_, N>, place: &P) -> ProbePlane<P::Number> {
        let p = place.corners(self.body, &lines.corners(self.body, self.triangle));
        ProbePlane::along(&p[self.edge], &p[(self.edge + 1) % 3], &world_axis(self.axis), &p[self.edge])
    }
}
