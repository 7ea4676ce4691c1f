//! The relation of two solids: apart, touching, overlapping, one inside the other, or the same.
//!
//! Space without both surfaces falls into cells. Let F be the set of the pairs (in A, in B) that occur among
//! these cells. As surfaces have no volume, the insides have a point in common if and only if (yes, yes) is
//! in F, and A is a subset of B if and only if (yes, no) is not.
//!
//! # How F is found
//! Call a face *clean* if it meets other faces of its own mesh in common corners and edges alone. Each of its
//! sides is then inside everywhere on the face, or nowhere. Every bounded cell has a piece of some face t,
//! say of A, on its boundary: a region r of t between the curves in which t meets |B|.
//!
//! 1. If the closure of r has a segment of |B|, that is a contact of t with a face of B in more than points.
//!    The sides of all faces there determine the cells beside it (`fan.rs`).
//! 2. If not, r is the whole of t but for points. "In B" is then the same for t and for the faces across its
//!    edges, and so on up to a face with a contact. If there is none, one point decides.
//!
//! Faces that are not clean and have contacts are cut into convex cells by all planes that meet them, and
//! decided one by one (`cut.rs`).
//!
//! # Fins
//! A piece of a face with the outside of its own body on both sides is a *fin*; a surface is all fins. A fin
//! inside of the other body pierces it. If a fin is outside, on no face of the other, its body has a point
//! that the other has not. Most equal triangles that cancel are walls of solids: `sheets.rs` decides them
//! alone.
//!
//! No point is rounded, and no case is degenerate: see `posed/probe.rs`.
mod contact;
mod cut;
mod fan;
mod finish;
mod halves;
mod query;
pub(crate) mod reference;
mod sheets;
mod shells;
mod state;

use self::{
    contact::{TriangleContact, contact},
    fan::{Fan, HalfPlane, around, of_plane},
    state::{BOTH, ONLY, ONLY_A, ONLY_B, PIERCED, RelationState},
};
use crate::{
    Body,
    exact::{
        self, ExactPoint, Fixed, Integer, IntegerPoints, Lattice, Predicates, TwoTriangles, WIDTHS, Wide,
        at_size, at_width, on_lattice,
    },
    motion::Motion,
    narrow::Narrow,
    posed::{
        exact_frame::{ExactFrame, in_exact_frame},
        probe::{Space, SpacePoints, at_limbs},
    },
    solid::{Closedness, FaceSides, FillRule, NONE, Solid},
    stop::StopFlag,
    vector::{Triangle, Vector},
};
use std::{cell::OnceCell, ops::ControlFlow};

/// Kinds of relations of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RelationKind {
    /// No point in common.
    Apart,
    /// Triangles that meet, and no inside that has a point of the other body.
    Touch,
    /// Insides with points in common, and points of each body outside of the other.
    Overlap,
    /// First body that is a part of the second, and smaller.
    Inside,
    /// Second body that is a part of the first, and smaller.
    Contains,
    /// Equal sets of points, whatever the triangles.
    Duplicate,
    /// Insides without a point in common. A surface without an inside, or a fin of a body (a sheet beside its
    /// solid), has points inside of the other body. Each body has points outside of the other.
    Pierce,
    /// A surface without an inside that has points inside of a solid, and none outside of it.
    SurfaceInside,
    /// Two surfaces without an inside that meet.
    Meet,
}

/// Relation of two bodies: the result of [`Query::relation`](crate::Query::relation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Relation {
    /// Kind of the relation.
    pub kind: RelationKind,
    /// True if their surfaces meet.
    pub touching: bool,
    /// Any pair of triangles that meet, if there is one.
    pub witness: Option<[u32; 2]>,
    /// Closedness of each mesh: whether it bounds a solid.
    pub status: [Closedness; 2],
    /// Fill rule of each: the points that are inside.
    pub rules: [FillRule; 2],
}

impl Relation {
    /// True if their insides have a point in common, or a surface or fin of one has a point inside of the
    /// other.
    pub fn overlaps(&self) -> bool {
        !matches!(self.kind, RelationKind::Apart | RelationKind::Touch | RelationKind::Meet)
    }
}

/// The result that a query computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RelationDetail {
    Relation,
    /// Only whether interiors meet.
    Interiors,
}

#[derive(Debug, Default)]
pub(crate) struct RelationMemory {
    /// For each face, the number of the last query in which a contact covered it.
    covered: [Vec<u64>; 2],
    /// For each face, the mark of the last search that visited it (`finish.rs`).
    seen: [Vec<u64>; 2],
    question: u64,
    /// Pairs of faces in contact in more than points.
    contacts: Vec<[u32; 2]>,
    /// Pairs of triangles that meet, where an equal one cancels one or both.
    sheets: Vec<[u32; 2]>,
    /// Faces of either body that have to be cut into cells.
    dirty: [Vec<u32>; 2],
    open: Vec<u32>,
    /// Connected faces, and for each component of a body whether it has a contact.
    connected: Vec<u32>,
    touched: Vec<bool>,
}

pub(crate) struct Question<'a> {
    bodies: [&'a Body<'a>; 2],
    stop: StopFlag<'a>,
    solids: [&'a Solid; 2],
    is_solid: [bool; 2],
    rules: [FillRule; 2],
    handedness: [i32; 2],
    frame: ExactFrame,
    space: OnceCell<Space>,
    narrow: &'a Narrow<'a>,
    memory: &'a mut RelationMemory,
    state: RelationState,
    witness: Option<[u32; 2]>,
    /// Number of planes of faces that may still be tried as planes between the bodies.
    planes_left: u32,
    /// Number of pairs that met in a point since the last such try.
    points_met: usize,
    /// For each body, whether a stored face's front and back are inside, if faces count as parts of their
    /// shells alone (`shells.rs`).
    shells: Option<[[bool; 2]; 2]>,
    /// True if some plane parts the bodies.
    is_parted: bool,
    /// True if a face of each body may lie on a sheet of the other.
    on_sheets: [bool; 2],
}

/// Largest number of planes of faces in contact that are tried: each takes a sign for every point.
const MOST_PLANES: u32 = 4;

impl<'a> Question<'a> {
    pub(crate) fn new(
        [a, b]: [&'a Body<'a>; 2],
        wanted: FillRule,
        narrow: &'a Narrow<'a>,
        memory: &'a mut RelationMemory,
        goal: RelationDetail,
        stop: StopFlag<'a>,
    ) -> Self {
        let bodies = [a, b];
        let solids = bodies.map(|body| body.model.solid());
        let is_solid = solids.map(|solid| solid.status().is_closed());
        let same = a.pose == b.pose;
        memory.question += 1;
        memory.contacts.clear();
        memory.sheets.clear();
        memory.dirty.iter_mut().for_each(Vec::clear);
        for (x, body) in bodies.into_iter().enumerate() {
            let n = body.model.mesh().len();
            for list in [&mut memory.covered[x], &mut memory.seen[x]] {
                list.resize(list.len().max(n), 0);
            }
        }
        let wanted_cells = match (goal, is_solid) {
            (RelationDetail::Interiors, _) => BOTH | PIERCED,
            (RelationDetail::Relation, [true, true]) => BOTH | ONLY_A | ONLY_B,
            (RelationDetail::Relation, [false, true]) => PIERCED | ONLY_A,
            (RelationDetail::Relation, [true, false]) => PIERCED | ONLY_B,
            (RelationDetail::Relation, [false, false]) => u8::MAX,
        };
        Self {
            bodies,
            stop,
            solids,
            is_solid,
            rules: solids.map(|solid| solid.rule(wanted)),
            // Two bodies at one pose are compared as stored.
            handedness: bodies.map(|body| if same { 1 } else { exact::handedness(body.pose.rows()) }),
            frame: *narrow.frame(),
            space: OnceCell::new(),
            narrow,
            memory,
            state: RelationState { found: 0, wanted: wanted_cells, any: goal == RelationDetail::Interiors },
            witness: None,
            planes_left: MOST_PLANES,
            points_met: 0,
            shells: None,
            is_parted: false,
            on_sheets: [false; 2],
        }
    }

    fn is_solid(&self, x: usize) -> bool {
        self.is_solid[x]
    }
    /// All sides of a solid; computed when they are first needed. Breaks if it is stopped.
    fn all_sides(&self, x: usize) -> ControlFlow<(), Option<&'a FaceSides>> {
        if !self.is_solid[x] {
            return ControlFlow::Continue(None);
        }
        self.solids[x].sides(self.bodies[x].model.geometry(), self.stop).map_continue(Some)
    }
    fn space(&self) -> &Space {
        let poses = self.bodies.map(|body| &body.pose);
        self.space.get_or_init(|| Space::new(poses, self.solids.map(Solid::bits)))
    }
    /// The sides of a placed face, front and back, that are inside; `None` if they differ within the face.
    fn sides(&self, x: usize, t: u32) -> Option<[bool; 2]> {
        if !self.is_solid[x] {
            return Some([false; 2]);
        }
        let (solid, model) = (self.solids[x], self.bodies[x].model);
        let [front, back] = match self.shells {
            Some(shells) => shells[x],
            None => {
                solid.windings(model.geometry(), t, self.stop)?.map(|winding| self.rules[x].holds(winding))
            }
        };
        // The front of a placed triangle, by its corners, is the back of the stored one if it is mirrored.
        Some(if self.handedness[x] < 0 { [back, front] } else { [front, back] })
    }

    /// Takes a pair of triangles that meet. Breaks once the result is determined, or it is stopped.
    pub(crate) fn take(&mut self, [i, j]: [u32; 2]) -> ControlFlow<()> {
        self.stop.check()?;
        self.witness.get_or_insert([i, j]);
        if !self.is_solid(0) && !self.is_solid(1) {
            return ControlFlow::Break(());
        }
        let corners = [self.bodies[0].model.mesh().corners(i), self.bodies[1].model.mesh().corners(j)];
        if !self.solids[0].is_face(i) || !self.solids[1].is_face(j) {
            self.take_sheet([i, j], &corners);
            return ControlFlow::Continue(());
        }
        let contact = self.contact(&corners, j);
        if contact == TriangleContact::Point {
            return self.take_point(&corners);
        }
        if let TriangleContact::Area { same: false } = contact
            && self.planes_left > 0
            && self.state.found & BOTH == 0
        {
            self.planes_left -= 1;
            if self.is_between(0, &corners[0]) {
                // Neither has a point inside of the other.
                self.is_parted = true;
                return ControlFlow::Break(());
            }
        }
        let question = self.memory.question;
        self.memory.covered[0][i as usize] = question;
        self.memory.covered[1][j as usize] = question;
        self.memory.contacts.push([i, j]);
        if self.beside(contact, [i, j], &corners).is_none() {
            self.memory.dirty[0].push(i);
            self.memory.dirty[1].push(j);
        }
        if self.state.is_complete() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Takes a pair of faces that meet in a point. There may be n^2 of them, where n faces have one corner.
    /// The first one, and then each after as many as both meshes have points, starts a try to part the bodies
    /// by a plane. So tries cost no more than the pairs.
    fn take_point(&mut self, corners: &[Triangle; 2]) -> ControlFlow<()> {
        self.points_met += 1;
        if self.state.found & BOTH != 0 {
            return ControlFlow::Continue(());
        }
        let [a, b] = self.bodies.map(|body| body.model);
        if self.points_met == 1 {
            self.is_parted = self.are_parted_by_boxes();
        } else if self.points_met > a.mesh().points().len() + b.mesh().points().len() && self.planes_left > 0
        {
            self.points_met = 1;
            self.planes_left -= 1;
            self.is_parted = (0..2).any(|x| self.is_between(x, &corners[x]));
        }
        if self.is_parted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn contact(&self, corners: &[Triangle; 2], j: u32) -> TriangleContact {
        let [p, q] = corners;
        if !self.frame.is_stored() && self.narrow.certainly_cross(p, j) {
            return TriangleContact::Crossing;
        }
        let six = [(0, p[0]), (0, p[1]), (0, p[2]), (1, q[0]), (1, q[1]), (1, q[2])];
        if let Some(contact) = in_exact_frame!(self.frame, six, g => contact(g)) {
            return contact;
        }
        // In integers of the size that these coordinates need.
        let six = TwoTriangles::new(self.space().maps(), [p, q]);
        on_lattice!(at_size, &six, 3, TriangleContact, g => contact(g))
    }

    /// True if the bodies' boxes have no inside in common.
    fn are_parted_by_boxes(&self) -> bool {
        fn apart<P: ExactPoint>([a, b]: [&[P; 2]; 2]) -> bool {
            (0..3).any(|k| a[1].compare(&b[0], k).is_le() || b[1].compare(&a[0], k).is_le())
        }
        let [a, b] = self.bodies.map(|body| body.model.extent());
        match &self.frame {
            ExactFrame::Stored => apart([a, b]),
            ExactFrame::Sums(places) => apart([&places[0].extent(a), &places[1].extent(b)]),
            ExactFrame::Integers => false,
        }
    }

    /// True if the plane of a triangle of body `x` has all points of one body on one side or on it, and all
    /// of the other's on the other side or on it; false where no quick test decides that.
    fn is_between(&self, x: usize, t: &Triangle) -> bool {
        match &self.frame {
            ExactFrame::Stored => {
                let [a, b] = self.bodies.map(|body| body.model);
                parts(t, [a.extent(), b.extent()], [a, b].map(|model| model.mesh().points().iter().copied()))
            }
            ExactFrame::Sums(places) => {
                let extents = [0, 1].map(|x| places[x].extent(self.bodies[x].model.extent()));
                let points = [0, 1]
                    .map(|x| self.bodies[x].model.mesh().points().iter().map(move |v| places[x].point(v)));
                parts(&places[x].corners(t), [&extents[0], &extents[1]], points)
            }
            ExactFrame::Integers => false,
        }
    }

    /// Notes the cells beside a contact; `None` if the sides of the faces there are not determined.
    fn beside(&mut self, contact: TriangleContact, [i, j]: [u32; 2], corners: &[Triangle; 2]) -> Option<()> {
        let (of_a, of_b) = (self.sides(0, i)?, self.sides(1, j)?);
        match contact {
            TriangleContact::Point => {}
            TriangleContact::Crossing => {
                for (a, b) in of_a.into_iter().zip(of_b) {
                    self.state.note_face(0, of_a, [b; 2], || false);
                    self.state.note_face(1, of_b, [a; 2], || false);
                }
            }
            TriangleContact::Area { same } => {
                let of_b = if same { of_b } else { [of_b[1], of_b[0]] };
                self.state.note_face(0, of_a, of_b, || true);
                self.state.note_face(1, of_b, of_a, || true);
            }
            TriangleContact::Line(edges) => self.around_line(edges, [i, j], corners, [of_a, of_b])?,
        }
        Some(())
    }

    fn around_line(
        &mut self,
        edges: [Option<usize>; 2],
        faces: [u32; 2],
        corners: &[Triangle; 2],
        sides: [[bool; 2]; 2],
    ) -> Option<()> {
        // The line lies along an edge of one of them.
        let of = usize::from(edges[0].is_none());
        let k = edges[of]?;
        let [p, q] = [corners[of][k], corners[of][(k + 1) % 3]];
        let mut points = [(of, p), (of, q), (of, p), (of, p), (of, p), (of, p)];
        let mut fans: [Fan; 2] = [[None; 2]; 2];
        let other = edges[1 - of];
        let against = other.is_some_and(|_| {
            // Both edges lie on the line. True if they run in opposite directions.
            let l = other.unwrap_or(0);
            let [r, s] = [corners[1 - of][l], corners[1 - of][(l + 1) % 3]];
            let four = [(of, p), (of, q), (1 - of, r), (1 - of, s), (of, p), (of, q)];
            !self.run_alike(&four)
        });
        for x in 0..2 {
            let (first, second) = (2 + 2 * x, 3 + 2 * x);
            match edges[x] {
                Some(k) => {
                    let edge = 3 * faces[x] + k as u32;
                    points[first] = (x, corners[x][(k + 2) % 3]);
                    // With its edge along the line, a triangle has its front where angles grow.
                    let turned = |[front, back]: [bool; 2], alike: bool| {
                        if alike { [front, back] } else { [back, front] }
                    };
                    let alike = x == of || !against;
                    fans[x][0] = Some(HalfPlane { point: first, sides: turned(sides[x], alike) });
                    if self.is_solid(x) {
                        let twin = self.solids[x].twin(edge);
                        if twin == NONE {
                            return None;
                        }
                        let mesh = self.bodies[x].model.mesh();
                        let of_twin = self.sides(x, twin / 3)?;
                        points[second] = (x, mesh.corners(twin / 3)[(twin as usize + 2) % 3]);
                        let twin_alike = alike == self.solids[x].runs_alike(mesh, edge, twin);
                        fans[x][1] = Some(HalfPlane { point: second, sides: turned(of_twin, twin_alike) });
                    }
                }
                None => {
                    let t = corners[x];
                    let five = [(of, p), (of, q), (x, t[0]), (x, t[1]), (x, t[2]), (of, p)];
                    let fan = self.fan_of_plane(&five, sides[x]);
                    for (half, at) in fan.into_iter().zip([first, second]) {
                        let half = half?;
                        points[at] = five[half.point];
                        fans[x][at - first] = Some(HalfPlane { point: at, sides: half.sides });
                    }
                }
            }
        }
        let solid = self.is_solid;
        let known = in_exact_frame!(self.frame, points, g => around(g, fans, solid, self.state));
        self.state = known.unwrap_or_else(|| {
            at_limbs!(self.space().limbs, N => {
                around(&*SpacePoints::<Wide<N>>::new(self.space(), &points), fans, solid, self.state)
            })
        });
        Some(())
    }

    /// True if the directions from point 0 to 1 and from 2 to 3, on one line, are the same.
    fn run_alike(&self, points: &[(usize, Vector); 6]) -> bool {
        fn alike(g: &impl Predicates) -> bool {
            let ways = |axis| (g.compare(axis, 0, 1), g.compare(axis, 2, 3));
            (0..3).map(ways).find(|(way, _)| way.is_ne()).is_some_and(|(a, b)| a == b)
        }
        in_exact_frame!(self.frame, points, g => alike(g)).unwrap_or_else(
            || at_limbs!(self.space().limbs, N => alike(&*SpacePoints::<Wide<N>>::new(self.space(), points))),
        )
    }
    /// The half-planes of triangle 2, 3, 4 on both sides of the line from 0 to 1.
    fn fan_of_plane(&self, points: &[(usize, Vector); 6], sides: [bool; 2]) -> Fan {
        in_exact_frame!(self.frame, points, g => of_plane(g, [2, 3, 4], sides)).unwrap_or_else(|| {
            at_limbs!(self.space().limbs, N => {
                of_plane(&*SpacePoints::<Wide<N>>::new(self.space(), points), [2, 3, 4], sides)
            })
        })
    }

    /// The relation that follows from the cells found.
    fn relation(&self) -> Relation {
        let touching = self.witness.is_some();
        let found = |bit: u8| self.state.found & bit != 0;
        // A solid has points that a surface has not.
        let [only_a, only_b] = [0, 1].map(|x| found(ONLY[x]) || !self.is_solid[1 - x]);
        let kind = if self.is_parted || !found(BOTH | PIERCED) {
            match self.is_solid {
                _ if !touching => RelationKind::Apart,
                [false, false] => RelationKind::Meet,
                _ => RelationKind::Touch,
            }
        } else if found(BOTH) {
            match (only_a, only_b) {
                (true, true) => RelationKind::Overlap,
                (false, true) => RelationKind::Inside,
                (true, false) => RelationKind::Contains,
                (false, false) => RelationKind::Duplicate,
            }
        } else if only_a && only_b {
            RelationKind::Pierce
        } else {
            RelationKind::SurfaceInside
        };
        let status = self.solids.map(Solid::status);
        Relation { kind, touching, witness: self.witness, status, rules: self.rules }
    }

    /// A point of one body in the other's own frame, and how far it may be off.
    fn near(&self, from: usize, v: Vector) -> crate::solid::ProbePosition {
        let motion = Motion::between(&self.bodies[from].pose, &self.bodies[1 - from].pose);
        let error = motion.error(&v.map(f64::abs));
        crate::solid::ProbePosition { point: motion.apply(v), error }
    }
}

/// True if the plane of a triangle parts two bodies, given their extents and points: see
/// [`Question::is_between`].
fn parts<P: ExactPoint>(
    t: &[P; 3],
    [a, b]: [&[P; 2]; 2],
    points: [impl Iterator<Item = P> + Clone; 2],
) -> bool {
    let is_across = |k: usize| t[0].compare(&t[1], k).is_eq() && t[0].compare(&t[2], k).is_eq();
    if let Some(k) = (0..3).find(|&k| is_across(k)) {
        let are_beside = |below: &[P; 2], above: &[P; 2]| {
            below[1].compare(&t[0], k).is_le() && above[0].compare(&t[0], k).is_ge()
        };
        return are_beside(a, b) || are_beside(b, a);
    }
    let plane = exact::OrientationPlane::new([&t[0], &t[1], &t[2]]);
    let sides =
        |x: usize, sign: i32| points[x].clone().all(|v| plane.side(&v).is_some_and(|side| side != sign));
    sides(0, 1) && sides(1, -1) || sides(0, -1) && sides(1, 1)
}
