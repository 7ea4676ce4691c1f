//! The plane of a face, and the lines in which other triangles meet it.
//!
//! These are the lines in which the face's plane meets the planes of other triangles, and the edges of
//! triangles in its plane. Equal lines are kept once: those of one flat face, of the faces at an edge, or of
//! both meshes.
use super::PlacedChain;
use crate::{
    Mesh, Pose,
    exact::wide::Wide,
    posed::probe::{
        self, Exact, PlacedPoints, PlaneIntersection, PlaneSide, Probe, ProbePlane, RoundedNumber, Space,
        world_axis,
    },
    stop::StopFlag,
};
use std::{cell::OnceCell, cmp::Ordering, collections::HashMap, ops::ControlFlow};

/// Two placed meshes, or one as both.
pub(crate) struct Meshes<'a> {
    pub(crate) meshes: [&'a Mesh; 2],
    pub(crate) poses: [&'a Pose; 2],
    pub(crate) space: &'a Space,
    /// The meshes whose winding numbers are needed.
    pub(crate) placed: [Option<PlacedChain<'a>>; 2],
    pub(crate) stop: StopFlag<'a>,
}

/// Source of a line: a triangle of a mesh, as a whole or one of its edges.
#[derive(Clone, Copy)]
struct LineSource {
    body: usize,
    triangle: u32,
    edge: Option<usize>,
}

/// A line as a plane through it, in rounded numbers and, on first use, in integers.
struct CuttingLine<const N: usize> {
    /// The first of the sources that have this line.
    source: LineSource,
    /// True if one of the sources is of the other mesh.
    is_others: bool,
    /// The triangles off the face's plane that have this line.
    triangles: Vec<(usize, u32)>,
    rounded: ProbePlane<RoundedNumber>,
    exact: OnceCell<ProbePlane<Wide<N>>>,
    /// Point at which it crosses the line of an edge of the face; equal lines are found by it.
    anchor: Option<Corner<N>>,
}

/// The plane of the face, and all lines in it. The first three are the face's own edges.
pub(super) struct Lines<'a, const N: usize> {
    pub(super) meshes: &'a Meshes<'a>,
    /// The face's mesh, and the face.
    pub(super) own: usize,
    pub(super) face: u32,
    pub(super) near: probe::RoundedPoints,
    pub(super) place: Exact<'a, N>,
    plane: (ProbePlane<RoundedNumber>, ProbePlane<Wide<N>>),
    axis: usize,
    /// No two are equal, though several triangles may have one line.
    lines: Vec<CuttingLine<N>>,
    /// For each mesh, true if triangles of it lie in the face's plane.
    pub(super) coplanar: [bool; 2],
    /// The change of the winding number from the face's front to its back: 1, or 0 if an equal triangle
    /// cancels it.
    pub(super) jump: i32,
    /// Triangles of the other mesh in the face's plane: the lines of their edges.
    covers: Vec<(u32, [usize; 3])>,
}

/// A point where two lines cross. The widest integers of one take 70 KB: not on the stack.
pub(super) struct Corner<const N: usize> {
    pub(super) lines: [usize; 2],
    pub(super) rounded: Option<Probe<RoundedNumber>>,
    exact: OnceCell<Box<Probe<Wide<N>>>>,
}

impl<'a, const N: usize> Lines<'a, N> {
    /// The lines of face t of mesh `own`, and of the triangles of both meshes that meet it.
    pub(super) fn new(meshes: &'a Meshes<'a>, own: usize, t: u32, partners: &[(usize, u32)]) -> Option<Self> {
        let corners = meshes.meshes[own].corners(t);
        let near = probe::RoundedPoints::new(meshes.poses, own, &corners[0]);
        let place = Exact::<N>(meshes.space);
        let exact = ProbePlane::of(&place.corners(own, &corners));
        let rounded = ProbePlane::of(&near.corners(own, &corners));
        let axis = exact.axis()?;
        let jump = meshes.placed[own].as_ref().map_or(0, |placed| placed.jump(t));
        let (lines, coplanar, covers) = (Vec::new(), [false; 2], Vec::new());
        let plane = (rounded, exact);
        let mut all = Self { meshes, own, face: t, near, place, plane, axis, lines, coplanar, jump, covers };
        for edge in 0..3 {
            all.push(LineSource { body: own, triangle: t, edge: Some(edge) });
        }
        for edge in 0..3 {
            all.lines[edge].anchor = all.crossing(edge, (edge + 1) % 3);
        }
        let mut known = HashMap::new();
        for &(body, triangle) in partners {
            let corners = all.corners(body, triangle);
            let is_coplanar = corners.iter().all(|v| all.side_of_face(body, v) == 0);
            if is_coplanar {
                let edges = [0, 1, 2].map(|edge| {
                    let key = (body, key(&[corners[edge], corners[(edge + 1) % 3]]));
                    let source = LineSource { body, triangle, edge: Some(edge) };
                    *known.entry(key).or_insert_with(|| all.add(source))
                });
                all.coplanar[body] = true;
                if body != own {
                    all.covers.push((triangle, edges));
                }
            } else {
                let source = LineSource { body, triangle, edge: None };
                let line = match all.common_edge(body, &corners) {
                    Some(edge) => edge,
                    None => *known.entry((body, plane_key(&corners))).or_insert_with(|| all.add(source)),
                };
                all.lines[line].is_others |= body != own;
                all.lines[line].triangles.push((body, triangle));
            }
        }
        Some(all)
    }
    /// Side of the face's plane on which a point lies.
    pub(super) fn side_of_face(&self, body: usize, v: &[f64; 3]) -> i32 {
        let (rounded, exact) = &self.plane;
        let side = rounded.side(&self.near.point(body, v));
        side.or_else(|| exact.side(&self.place.point(body, v))).unwrap_or(0)
    }
    pub(super) fn corners(&self, body: usize, t: u32) -> [[f64; 3]; 3] {
        self.meshes.meshes[body].corners(t)
    }
    fn plane<P: PlacedPoints>(&self, place: &P, source: LineSource) -> ProbePlane<P::Number> {
        let p = place.corners(source.body, &self.corners(source.body, source.triangle));
        match source.edge {
            Some(k) => ProbePlane::along(&p[k], &p[(k + 1) % 3], &world_axis(self.axis), &p[k]),
            None => ProbePlane::of(&p),
        }
    }
    fn push(&mut self, source: LineSource) -> usize {
        let rounded = self.plane(&self.near, source);
        let (is_others, triangles) = (source.body != self.own, Vec::new());
        let exact = OnceCell::new();
        self.lines.push(CuttingLine { source, is_others, triangles, rounded, exact, anchor: None });
        self.lines.len() - 1
    }
    /// The edge of the face that a triangle has, too: it is the triangle's line, without a sign to compute.
    fn common_edge(&self, body: usize, corners: &[[f64; 3]; 3]) -> Option<usize> {
        let own = self.corners(self.own, self.face);
        let same = body == self.own || self.meshes.poses[0] == self.meshes.poses[1];
        (0..3).find(|&k| same && corners.contains(&own[k]) && corners.contains(&own[(k + 1) % 3]))
    }
    /// Index of a triangle's line. Adds the line, unless another triangle has it.
    fn add(&mut self, source: LineSource) -> usize {
        let added = self.push(source);
        let is_added = |anchor: &Corner<N>| self.beside(anchor, added).direction == Some(1);
        if let Some(same) =
            self.lines[..added].iter().position(|line| line.anchor.as_ref().is_some_and(is_added))
        {
            self.lines.pop();
            self.lines[same].is_others |= source.body != self.own;
            return same;
        }
        self.lines[added].anchor = (0..3).find_map(|edge| self.crossing(added, edge));
        added
    }
    /// The triangles off the face's plane that have a line.
    pub(super) fn triangles(&self, line: usize) -> &[(usize, u32)] {
        &self.lines[line].triangles
    }
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }
    /// True if a triangle of the other mesh has a line.
    pub(super) fn is_others(&self, line: usize) -> bool {
        self.lines[line].is_others
    }
    /// True if the plane through a line is not rounded.
    pub(super) fn is_exact(&self, line: usize) -> bool {
        self.lines[line].rounded.is_exact()
    }
    /// The side of each of the face's edges on which the face is.
    pub(super) fn within(&self) -> [i32; 3] {
        let corners = self.corners(self.own, self.face);
        [0, 1, 2].map(|k| self.side_of(k, self.own, &corners[(k + 2) % 3]))
    }
    /// Side of a line on which a corner of a mesh lies.
    pub(super) fn side_of(&self, line: usize, body: usize, corner: &[f64; 3]) -> i32 {
        let side = self.lines[line].rounded.side(&self.near.point(body, corner));
        side.or_else(|| self.exact(line).side(&self.place.point(body, corner))).unwrap_or(0)
    }
    /// True if a cell, given by its sides of the lines, is in a triangle of the other mesh.
    pub(super) fn is_covered(&self, side: impl Fn(usize) -> i32) -> bool {
        let body = 1 - self.own;
        self.covers.iter().any(|&(triangle, edges)| {
            let corners = self.corners(body, triangle);
            let mut thirds = (0..3).map(|k| (edges[k], corners[(k + 2) % 3]));
            thirds.all(|(line, third)| side(line) == self.side_of(line, body, &third))
        })
    }
    fn exact(&self, line: usize) -> &ProbePlane<Wide<N>> {
        let line = &self.lines[line];
        line.exact.get_or_init(|| self.plane(&self.place, line.source))
    }

    pub(super) fn crossing(&self, i: usize, j: usize) -> Option<Corner<N>> {
        let (lines, exact) = ([i, j], OnceCell::new());
        match Probe::where_meet(&self.plane.0, &self.lines[i].rounded, &self.lines[j].rounded) {
            PlaneIntersection::At(probe) => Some(Corner { lines, rounded: Some(probe), exact }),
            PlaneIntersection::Nowhere => None,
            PlaneIntersection::Unsure => {
                let probe = self.crossing_exactly(lines)?;
                Some(Corner { lines, rounded: None, exact: probe.into() })
            }
        }
    }
    #[inline(never)]
    fn crossing_exactly(&self, [i, j]: [usize; 2]) -> Option<Box<Probe<Wide<N>>>> {
        match Probe::where_meet(&self.plane.1, self.exact(i), self.exact(j)) {
            PlaneIntersection::At(probe) => Some(Box::new(probe)),
            PlaneIntersection::Nowhere | PlaneIntersection::Unsure => None,
        }
    }
    /// The probe of a corner, in integers.
    pub(super) fn exactly<'c>(&self, corner: &'c Corner<N>) -> &'c Probe<Wide<N>> {
        corner.exact.get_or_init(|| match self.crossing_exactly(corner.lines) {
            Some(probe) => probe,
            None => unreachable!("rounded numbers were certain of it"),
        })
    }
    /// Side of a line on which a corner lies.
    pub(super) fn beside(&self, corner: &Corner<N>, line: usize) -> PlaneSide {
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
                side.unwrap_or(PlaneSide { direction: None, sign: 0 })
            }
        }
    }
    /// Points in the face at which a line crosses others, in the order along the line; those at one point in
    /// the order of `order`.
    pub(super) fn along(
        &self,
        i: usize,
        order: &[usize],
        within: &[i32; 3],
    ) -> ControlFlow<(), Vec<Corner<N>>> {
        let mut corners = Vec::new();
        for &j in order.iter().filter(|&&j| j != i) {
            self.meshes.stop.check()?;
            let is_inside = |corner: &Corner<N>| {
                within.iter().enumerate().all(|(edge, &inner)| {
                    let side = self.beside(corner, edge);
                    side.direction.is_some() || side.sign == inner
                })
            };
            corners.extend(self.crossing(i, j).filter(is_inside));
        }
        corners.sort_by(|a, b| self.order_along(a, b));
        ControlFlow::Continue(corners)
    }
    /// The order of two corners along their first line.
    pub(super) fn order_along(&self, a: &Corner<N>, b: &Corner<N>) -> Ordering {
        let crossed = b.lines[1];
        let (side, beyond) = (self.beside(a, crossed), self.beside(b, crossed));
        match side.direction {
            Some(_) => Ordering::Equal,
            None if side.sign == beyond.sign => Ordering::Greater,
            None => Ordering::Less,
        }
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

/// Key of a triangle's plane, if that is perpendicular to an axis of its mesh; else of its points.
fn plane_key(points: &[[f64; 3]; 3]) -> [[u64; 3]; 3] {
    match (0..3).find(|&k| points[0][k] == points[1][k] && points[0][k] == points[2][k]) {
        Some(k) => [[u64::MAX, k as u64, (points[0][k] + 0.0).to_bits()], [u64::MAX; 3], [u64::MAX; 3]],
        None => key(points),
    }
}
