//! The parts of the intersection of two solids that sums over it need: on each face the segments in which it
//! meets the other body, on each edge the points where it enters and leaves, and the other body's winding
//! number at each corner.
//!
//! Nothing is sorted and nothing connected. A winding number changes along an edge by 1 where the edge runs
//! through a face, so that one point decides for all corners that edges connect: one that lies outside of the
//! other body's box, or else one that a query locates. All signs are those of the second body moved a little
//! (`pierce.rs`), so that they are consistent.
use super::{
    BodyPoints, OverlayPoints,
    pierce::{CommonSegment, ExactCorners, Exactly, Six},
};
use crate::{
    Body, Mesh, Pose,
    exact::{self, Fixed, WIDTHS, Wide, at_size, at_width},
    motion::Motion,
    posed::{
        exact_frame::ExactFrame,
        probe::{
            self, Algebra, Coordinates, Exact, Number, PlacedPoints, Probe, RoundedNumber, Space,
            SpacePoints, at_limbs,
        },
    },
    solid::{BothWays, Closedness, NONE, ProbePosition, Solid},
    stop::StopFlag,
    vector::{NO_EXTENT, Vector, grow},
};
use std::{cell::OnceCell, ops::ControlFlow};

/// The points where an edge, in its face's direction, enters and leaves the other body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossed {
    /// The growth of the other body's winding number along the edge.
    pub(super) jump: i32,
    /// The sum of the points, each times the fall of the winding number there.
    pub(super) sum: Coordinates<RoundedNumber>,
    /// One of these points.
    pub(super) point: Option<Coordinates<RoundedNumber>>,
}

/// A face that the other body's surface meets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) edges: [Crossed; 3],
    /// Sum of y x z over the segments from y to z in which it meets the other body, the other's inside on the
    /// left.
    pub(super) along: Coordinates<RoundedNumber>,
    /// One of their ends.
    pub(super) point: Coordinates<RoundedNumber>,
}

const ORIGIN: Coordinates<RoundedNumber> = [RoundedNumber::ZERO; 3];
const NOWHERE: Crossed = Crossed { jump: 0, sum: ORIGIN, point: None };
/// A winding number that is not known.
const UNKNOWN: i32 = i32::MIN;

/// Memory of one overlay.
#[derive(Debug, Default)]
pub(super) struct OverlayMemory {
    pub(super) points: OverlayPoints,
    /// The points of the triangles with an area of either body: those of faces first.
    pub(super) used: [Vec<u32>; 2],
    /// The number of these that are points of faces. Only these have winding numbers.
    of_faces: [usize; 2],
    is_used: Vec<bool>,
    /// For each face, 1 more than its place in `met`; 0 if it has none.
    places: [Vec<u32>; 2],
    pub(super) met: Vec<Met>,
    /// For each of these a box around its segments, relative to the origin; empty unless components are laid
    /// over each other.
    met_boxes: Vec<[Vector; 2]>,
    /// The other body's winding number at each point, in the orientation that it has where it is placed.
    pub(super) windings: [Vec<i32>; 2],
    seen: Vec<bool>,
    open: Vec<u32>,
    /// Ends of segments and corners inside, relative to the origin.
    pub(super) events: Vec<Vector>,
    /// A box around each run of triangles of the body that the other one's corners are measured against.
    pub(super) runs: Vec<[Vector; 2]>,
    /// For each point of a mesh whether it is a corner of its solid's border.
    pub(super) borders: Vec<bool>,
}

impl OverlayMemory {
    /// The points of a body's faces.
    pub(super) fn face_points(&self, x: usize) -> &[u32] {
        &self.used[x][..self.of_faces[x]]
    }
    /// Grows the boxes of two faces by a segment.
    fn box_segment(&mut self, pair: &[u32; 2], ends: &[super::pierce::Piercing; 2]) {
        self.met_boxes.resize(self.met.len(), NO_EXTENT);
        for (x, &face) in pair.iter().enumerate() {
            let bounds = &mut self.met_boxes[self.places[x][face as usize] as usize - 1];
            ends.iter().for_each(|end| grow_point(bounds, &end.at));
        }
    }
    fn use_points(&mut self, x: usize, mesh: &Mesh, triangles: impl Iterator<Item = u32>) {
        for t in triangles {
            for v in mesh.triangles()[t as usize] {
                if !std::mem::replace(&mut self.is_used[v as usize], true) {
                    self.used[x].push(v);
                }
            }
        }
    }
}

/// Two bodies in one frame: the world's, or that of both meshes if they have the same pose.
pub(super) struct Overlay<'a> {
    pub(super) bodies: [&'a Body<'a>; 2],
    /// Every computation of the overlay breaks once this is set.
    pub(super) stop: StopFlag<'a>,
    pub(super) solids: [&'a Solid; 2],
    /// The poses in this frame.
    pub(super) poses: [Pose; 2],
    /// -1 if a pose mirrors, otherwise 1.
    pub(super) handedness: [i32; 2],
    frame: ExactFrame,
    space: OnceCell<Space>,
    /// True if both are one mesh, and each component is laid over the others alone.
    by_components: bool,
    /// True for faces that are laid over the other body; `None` if all are.
    only: Option<&'a [bool]>,
}

/// A point of a body, moved a little against the other one.
struct MovedPoint<'a, const N: usize> {
    point: Vector,
    body: usize,
    rounded: (probe::RoundedPoints, Probe<RoundedNumber>),
    place: Exact<'a, N>,
    exact: OnceCell<Box<Probe<Wide<N>>>>,
}

impl<const N: usize> BothWays<N> for MovedPoint<'_, N> {
    fn signs(&self) -> [i32; 3] {
        // Seen from the second body the points of the first move the other way.
        if self.body == 0 { [-1; 3] } else { [1; 3] }
    }
    fn rounded(&self) -> Option<(&probe::RoundedPoints, &Probe<RoundedNumber>)> {
        Some((&self.rounded.0, &self.rounded.1))
    }
    fn exact(&self) -> (&Exact<'_, N>, &Probe<Wide<N>>) {
        let make = || Box::new(Probe::along_axes(&self.place.point(self.body, &self.point)));
        (&self.place, self.exact.get_or_init(make))
    }
}

impl<'a> Overlay<'a> {
    pub(super) fn new(bodies: [&'a Body<'a>; 2], stop: StopFlag<'a>) -> Self {
        let same = bodies[0].pose == bodies[1].pose;
        let poses = bodies.map(|body| if same { Pose::IDENTITY } else { body.pose });
        Self {
            bodies,
            stop,
            solids: bodies.map(|body| body.model.solid()),
            handedness: poses.each_ref().map(|pose| exact::handedness(pose.rows())),
            poses,
            // The small move has its direction in the world.
            frame: ExactFrame::in_world(
                bodies.map(|body| &body.pose),
                bodies.iter().all(|body| body.model.in_safe_range()),
            ),
            space: OnceCell::new(),
            by_components: false,
            only: None,
        }
    }
    /// Some faces of a body over itself. With `by_components`, each component of its mesh over the others
    /// alone: then no point may be of two components.
    pub(super) fn within(
        body: &'a Body<'a>,
        only: &'a [bool],
        by_components: bool,
        stop: StopFlag<'a>,
    ) -> Self {
        Self { by_components, only: Some(only), ..Self::new([body; 2], stop) }
    }
    fn space(&self) -> &Space {
        let poses = self.bodies.map(|body| &body.pose);
        self.space.get_or_init(|| Space::new(poses, self.solids.map(Solid::bits)))
    }
    fn faces(&self, x: usize) -> impl Iterator<Item = u32> + use<'a> {
        let solid = self.solids[x];
        (0..self.bodies[x].model.mesh().len() as u32).filter(|&t| solid.is_face(t))
    }

    fn is_laid(&self, t: u32) -> bool {
        self.only.is_none_or(|only| only[t as usize])
    }
    /// The faces that are laid over the other body: the overlay is complete for these alone.
    pub(super) fn laid(&self, x: usize) -> impl Iterator<Item = u32> + use<'_, 'a> {
        self.faces(x).filter(|&t| self.is_laid(t))
    }

    /// Places the points of both bodies, in this frame or in another.
    pub(super) fn place(&self, poses: [&Pose; 2], memory: &mut OverlayMemory) -> ControlFlow<()> {
        for x in 0..2 {
            let mesh = self.bodies[x].model.mesh();
            memory.used[x].clear();
            memory.is_used.clear();
            memory.is_used.resize(mesh.points().len(), false);
            memory.use_points(x, mesh, self.faces(x));
            memory.of_faces[x] = memory.used[x].len();
            if self.solids[x].has_sheets() {
                let count = mesh.len() as u32;
                memory.use_points(x, mesh, (0..count).filter(|&t| self.solids[x].has_area(t)));
            }
        }
        let OverlayMemory { points, used, .. } = memory;
        let sources = [0, 1].map(|x| {
            let model = self.bodies[x].model;
            BodyPoints { points: model.mesh().points(), used: &used[x], pose: poses[x], reach: model.reach() }
        });
        points.place(sources, self.stop)
    }

    /// Lays the bodies over each other, from all pairs of triangles that meet, in their order. Pairs of two
    /// faces that are not laid are not needed. Points are placed.
    pub(super) fn lay(&self, pairs: &[[u32; 2]], memory: &mut OverlayMemory) -> ControlFlow<()> {
        memory.met.clear();
        memory.met_boxes.clear();
        memory.events.clear();
        for (x, places) in memory.places.iter_mut().enumerate() {
            places.clear();
            places.resize(self.bodies[x].model.mesh().len(), 0);
        }
        let [lo, hi] = memory.points.common_box();
        let sides = [hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]];
        // Relative to the box's sides, but no finer for a flat side than matters for the others.
        let part = |side: f64, most: f64| side.max(most * 2.0_f64.powi(-20)) * 2.0_f64.powi(-40);
        let most = sides[0].max(sides[1]).max(sides[2]);
        let tolerance = sides.map(|side| part(side, most));
        for pair in pairs {
            self.stop.check()?;
            if self.solids[0].is_face(pair[0])
                && self.solids[1].is_face(pair[1])
                && !(self.by_components && self.component(0, pair[0]) == self.component(1, pair[1]))
                && let Some(ends) = self.segment(*pair, tolerance, &memory.points)
            {
                note(pair, &ends, memory);
                if self.by_components {
                    memory.box_segment(pair, &ends);
                }
            }
        }
        for x in 0..2 {
            self.wind(x, memory)?;
        }
        ControlFlow::Continue(())
    }

    fn component(&self, x: usize, t: u32) -> u32 {
        self.solids[x].component(t)
    }

    fn segment(&self, pair: [u32; 2], tolerance: Vector, points: &OverlayPoints) -> CommonSegment {
        let meshes = self.bodies.map(|body| body.model.mesh());
        let [p, q] = [0, 1].map(|x| meshes[x].triangles()[pair[x] as usize]);
        let at = |x: usize, v: u32| points.point(x, v);
        let placed = [at(0, p[0]), at(0, p[1]), at(0, p[2]), at(1, q[0]), at(1, q[1]), at(1, q[2])];
        let [a, b] = [0, 1].map(|x| meshes[x].corners(pair[x]));
        let stored = [a[0], a[1], a[2], b[0], b[1], b[2]];
        let known = match &self.frame {
            ExactFrame::Stored => ExactCorners::Stored(stored),
            ExactFrame::Sums(places) => {
                let ([p, q, r], [s, t, u]) = (places[0].corners(&a), places[1].corners(&b));
                ExactCorners::Sums([p, q, r, s, t, u])
            }
            ExactFrame::Integers => ExactCorners::Nothing,
        };
        let six = Six::new(placed, &known, tolerance);
        six.segment(None).unwrap_or_else(|| self.segment_exactly(&six, &stored))
    }
    #[cold]
    #[inline(never)]
    fn segment_exactly(&self, six: &Six<'_>, stored: &[Vector; 6]) -> CommonSegment {
        let [a, b, c, d, e, f] = *stored;
        let points = [(0, a), (0, b), (0, c), (1, d), (1, e), (1, f)];
        let space = self.space();
        let exact: Box<dyn Exactly> = at_size!(space.bits(), 3, I => SpacePoints::<I>::new(space, &points));
        six.segment(Some(&*exact)).flatten()
    }

    /// Finds the winding numbers of the other body round all corners of one.
    fn wind(&self, x: usize, memory: &mut OverlayMemory) -> ControlFlow<()> {
        let (mesh, solid) = (self.bodies[x].model.mesh(), self.solids[x]);
        // By parity alone, only odd and even numbers differ.
        let is_oriented = self.solids[1 - x].status() == Closedness::Closed;
        let used = &memory.used[x][..memory.of_faces[x]];
        let OverlayMemory { points, places, met, windings, seen, open, events, .. } = memory;
        let (windings, places) = (&mut windings[x], &places[x]);
        windings.clear();
        windings.resize(mesh.points().len(), UNKNOWN);
        seen.clear();
        seen.resize(mesh.len(), false);
        for &v in used {
            if points.is_beyond(x, v) {
                windings[v as usize] = 0;
            }
        }
        // Outside of the other body's box nothing changes: corners of such faces' neighbours have numbers.
        for t in self.laid(x) {
            let corners = mesh.triangles()[t as usize];
            seen[t as usize] = places[t as usize] == 0 && corners.iter().all(|&v| windings[v as usize] == 0);
        }
        // First from the corners that have a number, then those that are not connected with them.
        for ask in [false, true] {
            for start in self.laid(x) {
                self.stop.check()?;
                let corners = mesh.triangles()[start as usize];
                if seen[start as usize] {
                    continue;
                }
                if corners.iter().all(|&v| windings[v as usize] == UNKNOWN) {
                    if !ask {
                        continue;
                    }
                    windings[corners[0] as usize] = self.winding(x, start);
                }
                open.clear();
                open.push(start);
                seen[start as usize] = true;
                while let Some(t) = open.pop() {
                    self.stop.check()?;
                    let jumps = match places[t as usize] {
                        0 => [0; 3],
                        place => met[place as usize - 1].edges.map(|edge| edge.jump),
                    };
                    let corners = mesh.triangles()[t as usize];
                    spread(corners, jumps, is_oriented, windings);
                    for (k, &v) in (0..).zip(&corners) {
                        let edge = 3 * t + k;
                        let twin = solid.twin(edge);
                        if twin == NONE || seen[twin as usize / 3] || !self.is_laid(twin / 3) {
                            continue;
                        }
                        // The corner is the same point, whatever its number there.
                        let other = mesh.triangles()[twin as usize / 3];
                        let alike = solid.runs_alike(mesh, edge, twin);
                        let at = other[(twin as usize % 3 + usize::from(!alike)) % 3] as usize;
                        debug_assert!(mesh.points()[at] == mesh.points()[v as usize]);
                        windings[at] = windings[v as usize];
                        seen[twin as usize / 3] = true;
                        open.push(twin / 3);
                    }
                }
            }
        }
        for &v in used {
            if !matches!(windings[v as usize], 0 | UNKNOWN) {
                events.push(points.at[x][v as usize]);
            }
        }
        ControlFlow::Continue(())
    }

    /// The other body's winding number at a face's first corner, as it is placed.
    fn winding(&self, x: usize, t: u32) -> i32 {
        let other = 1 - x;
        let [point, ..] = self.bodies[x].model.mesh().corners(t);
        let motion = Motion::between(&self.bodies[x].pose, &self.bodies[other].pose);
        let near = ProbePosition { point: motion.apply(point), error: motion.error(&point.map(f64::abs)) };
        let handedness = self.handedness[other];
        let placed = self.solids[other].placed(self.bodies[other].model.geometry(), other, handedness);
        if placed.is_beyond(near) {
            return 0;
        }
        let (space, poses) = (self.space(), self.bodies.map(|body| &body.pose));
        at_limbs!(space.limbs, N => {
            let nearby = probe::RoundedPoints::new(poses, x, &point);
            let rounded = Probe::along_axes(&nearby.point(x, &point));
            let (rounded, exact) = ((nearby, rounded), OnceCell::new());
            let probe = MovedPoint::<N> { point, body: x, rounded, place: Exact(space), exact };
            if self.by_components {
                let own = self.component(x, t);
                return handedness * placed.winding_of(near, &probe, |u| self.component(other, u) != own);
            }
            handedness * placed.winding(near, &probe)
        })
    }

    /// A box around the part of a laid face that the other body winds round, in the frame of the overlay. If
    /// components are not laid over each other, it is around all of the face.
    pub(super) fn bounds_inside(&self, x: usize, t: u32, memory: &OverlayMemory) -> [Vector; 2] {
        let mut bounds = NO_EXTENT;
        let place = (memory.places[x][t as usize] as usize).checked_sub(1);
        let met = place.and_then(|place| memory.met_boxes.get(place));
        if let Some(met) = met {
            bounds = *met;
        }
        for v in self.bodies[x].model.mesh().triangles()[t as usize] {
            // Such a part is a polygon: its corners are ends of segments, or the face's.
            if met.is_none() || memory.windings[x][v as usize] != 0 {
                grow_point(&mut bounds, &memory.points.point(x, v));
            }
        }
        let origin = &memory.points.origin;
        let [lo, hi] = bounds;
        [[0, 1, 2].map(|k| (lo[k] + origin[k]).next_down()), [0, 1, 2].map(|k| (hi[k] + origin[k]).next_up())]
    }
    /// The [`Met`] of a face, if the other body's surface meets it.
    pub(super) fn met<'m>(&self, x: usize, t: u32, memory: &'m OverlayMemory) -> Option<&'m Met> {
        (memory.places[x][t as usize] as usize).checked_sub(1).map(|place| &memory.met[place])
    }
}

/// Grows a box by a point, wherever it is within its error.
fn grow_point(bounds: &mut [Vector; 2], point: &Coordinates<RoundedNumber>) {
    let off = |end: f64| point.each_ref().map(|c| c.value() + end * c.error());
    grow(bounds, &off(-1.0).map(f64::next_down));
    grow(bounds, &off(1.0).map(f64::next_up));
}

/// Spreads the winding number of a corner to the others, along edges.
fn spread(corners: [u32; 3], jumps: [i32; 3], is_oriented: bool, windings: &mut [i32]) {
    let Some(first) = (0..3).find(|&k| windings[corners[k] as usize] != UNKNOWN) else { return };
    let mut w = windings[corners[first] as usize];
    for i in first..first + 3 {
        w += jumps[i % 3];
        let there = &mut windings[corners[(i + 1) % 3] as usize];
        let is_like = |other: i32| if is_oriented { other == w } else { (other - w) % 2 == 0 };
        debug_assert!(*there == UNKNOWN || is_like(*there), "it depends on the way: {there}, {w}");
        *there = w;
    }
}

/// Records a segment in which two faces meet.
fn note(pair: &[u32; 2], ends: &[super::pierce::Piercing; 2], memory: &mut OverlayMemory) {
    let [from, to] = ends;
    // This equals y x z, with shorter vectors.
    let along = from.at.cross(&to.at.difference(&from.at));
    for (x, &face) in pair.iter().enumerate() {
        let place = &mut memory.places[x][face as usize];
        if *place == 0 {
            memory.met.push(Met { edges: [NOWHERE; 3], along: ORIGIN, point: from.at });
            *place = memory.met.len() as u32;
        }
        let met = &mut memory.met[*place as usize - 1];
        // Seen from the second face the segment runs the other way.
        met.along = if x == 0 { met.along.sum(&along) } else { met.along.difference(&along) };
        for end in ends.iter().filter(|end| (end.edge < 3) == (x == 0)) {
            let edge = &mut met.edges[end.edge % 3];
            if end.up {
                edge.jump -= 1;
                edge.sum = edge.sum.sum(&end.at);
            } else {
                edge.jump += 1;
                edge.sum = edge.sum.difference(&end.at);
            }
            edge.point.get_or_insert(end.at);
        }
    }
    for end in ends {
        memory.events.push(end.at.each_ref().map(RoundedNumber::value));
    }
}
