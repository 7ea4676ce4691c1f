//! The solid that a mesh bounds: which side of each triangle is inside.
//!
//! # Definition
//! A mesh is a set of oriented triangles T. What it is to other bodies depends on two things alone: the
//! points |T| of its triangles, and the *chain* c, the sum of its triangles with orientation. In each plane c
//! counts for almost every point how many triangles there face one way, less those that face the other way:
//! areas cancel, however they are cut into triangles. Triangles without area add nothing to c.
//!
//! * c is *closed* if its boundary is 0: on each line, edges cancel for almost every point. Then each point
//!   off |T| has a winding number w, 0 far out; across a face w changes by what c counts there. w is 0
//!   everywhere if and only if c is 0 in every plane.
//! * **Closed**: c is closed, and not 0. **NoInterior**: c is closed, and 0. If c is not closed, all the same
//!   with c modulo 2: **ClosedByParity** if it is closed and not 0, **NoInterior** if it is closed and 0,
//!   else
//!   **Open**. By parity w is known modulo 2, and the rule is [`FillRule::EvenOdd`] whatever is asked for.
//! * The *inside* I is the interior of the closure of the points off |T| whose w the rule takes: walls with
//!   the inside on both sides are within I, not on its border. Of an open mesh, and one without interior, I
//!   is empty.
//! * The *surface* S is the union of the triangles with area, whether they cancel or not. A point of S that
//!   is outside of the closure of I is of a *fin*: no side of the triangles there is inside. All of a mesh
//!   without an inside is fins. By [`FillRule::Positive`] so is all round which the mesh winds backwards.
//! * The *body* is the closure of I and S. Triangles without area are no part of it: they are where bodies
//!   touch, and nothing else.
//!
//! So a sheet of two sides is a surface, whatever its diagonals; and beside a solid in one mesh it is a fin,
//! which is outside of nothing and has points in other bodies as the solid does. [`crate::relation::RelationKind`] says what
//! two bodies are to each other.
mod balance;
mod boundary;
mod boxes;
mod cells;
mod chain;
mod components;
mod convex;
mod keys;
mod levels;
mod partners;
mod planes;
mod thin;
mod volume;
mod winding;

pub use self::boundary::Boundary;
pub(crate) use self::{
    cells::{Cells, Meshes, Visitor, Windings},
    chain::NONE,
    components::NO_COMPONENT,
    levels::Levels,
    partners::partners,
    winding::{BothWays, CornerProbe, Near, Placed, away},
};

use self::{
    boxes::Boxes,
    chain::{Chain, Closed, Role},
    components::Components,
    partners::{Dirty, dirty},
};
use crate::{
    Mesh, Pose, exact,
    geometry::{self, Geometry},
    motion::Motion,
    posed::probe::{CoordinateBits, Rounded, Space, at_limbs},
    sink::Sink,
    stop::StopFlag,
    triangle::decide::Poses,
    vector::Vector,
    walk::QueryContext,
};
use std::{
    ops::ControlFlow,
    sync::{
        OnceLock,
        atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering},
    },
};

/// Which points are inside, by the winding number w: how often the mesh winds round a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FillRule {
    /// w is not 0. Shells of one part that overlap stay full, cavities are empty, and a part whose triangles
    /// all face inwards is still a part.
    #[default]
    NonZero,
    /// w > 0, as solid modellers define it. What faces inwards is nothing.
    Positive,
    /// w is odd. Needs no orientation; two shells of one part that overlap leave a hole where they do.
    EvenOdd,
}

impl FillRule {
    pub(crate) fn holds(self, winding: i32) -> bool {
        match self {
            Self::NonZero => winding != 0,
            Self::Positive => winding > 0,
            Self::EvenOdd => winding % 2 != 0,
        }
    }
}

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Location {
    /// Inside of a solid, on no triangle of it.
    Inside,
    /// Outside.
    Outside,
    /// On a triangle.
    OnSurface,
    /// On no triangle of a mesh that does not bound a solid.
    Undefined,
}

/// Whether a mesh bounds a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Closedness {
    /// It does: every edge balances.
    Closed,
    /// It does, by parity alone: triangles do not agree about which side is the front, but their number at
    /// each edge is even. [`FillRule::EvenOdd`] is used whatever is asked for.
    ClosedByParity,
    /// Some edges do not balance, so that inside is not defined: it is a surface.
    Open,
    /// All areas cancel those that face the other way: a surface, which winds round nothing.
    NoInterior,
}

impl Closedness {
    /// Whether there is an inside.
    pub fn is_closed(self) -> bool {
        matches!(self, Self::Closed | Self::ClosedByParity)
    }
}

/// The solid that a mesh bounds: see [`Model::solid`](crate::Model::solid).
#[derive(Debug)]
pub struct Solid {
    chain: Chain,
    components: Components,
    bits: CoordinateBits,
    boundaries: Vec<Boundary>,
    sides: OnceLock<Sides>,
    /// Made once it has been asked so often that they pay: see [`BEFORE_BOXES`].
    boxes: OnceLock<Boxes>,
    asked: AtomicU32,
    few: FewSides,
    levels: OnceLock<Option<Levels>>,
    /// See [`Solid::six_volumes`].
    six_volumes: OnceLock<Rounded>,
    meets_itself: OnceLock<Vec<bool>>,
    /// See [`Solid::fins`]: for each rule.
    fins: [OnceLock<Vec<u32>>; 3],
}

/// Which sides of triangles are inside.
#[derive(Debug)]
pub(crate) struct Sides {
    /// Of each triangle whether it is a face with partners: other faces of its mesh that it meets elsewhere
    /// than in common corners and edges. Empty if there is none. Who they are is found out when it is asked:
    /// a mesh of n triangles may have n^2 such pairs.
    is_dirty: Vec<bool>,
    /// Connected faces without partners.
    clean: Components,
    /// The winding number in front of each of these components.
    fronts: Vec<i32>,
    /// Of each component of the whole chain, whether all its faces are clean.
    is_clean: Vec<bool>,
    /// The one sign of the volumes of all components, if each is closed and does not meet itself, though it
    /// may meet others; else 0.
    shells: i32,
    /// For each face with partners that was asked about, what [`Sides::occurring`] found: four bits for each
    /// rule. Empty if there is none.
    occurring: Vec<AtomicU16>,
}

/// Of meshes up to this size all triangles are looked at: it is faster than building a tree.
const SMALL: usize = 256;

/// How often all triangles of a larger mesh are looked at before boxes are made around them.
const BEFORE_BOXES: u32 = 8;

/// Of what part of the faces of a larger mesh the sides are found out one by one before they are of all:
/// bodies that cross are told by one pair of faces, and whether a mesh meets itself anywhere takes far
/// longer. To find out one alone takes as long as some ten of all.
const BEFORE_SIDES: usize = 32;

/// The sides of a few faces alone: what [`Sides::windings`] says of them.
#[derive(Debug, Default)]
struct FewSides {
    asked: AtomicUsize,
    /// Of each triangle: 0 if it was not asked about, 1 if it has partners, else the winding number in front
    /// of it, shifted up, and 2.
    known: OnceLock<Box<[AtomicU64]>>,
}

impl Solid {
    pub(crate) fn new(geometry: &Geometry) -> Self {
        let chain = Chain::new(geometry.mesh());
        let components = Components::new(geometry.mesh(), &chain, |_| true);
        let boundaries = boundary::boundaries(geometry.mesh(), &chain.unbalanced);
        let bits = CoordinateBits::of(geometry.mesh());
        let (sides, boxes, levels) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (asked, few) = (AtomicU32::new(0), FewSides::default());
        let (six_volumes, meets_itself) = (OnceLock::new(), OnceLock::new());
        Self {
            chain,
            components,
            bits,
            boundaries,
            sides,
            boxes,
            asked,
            few,
            levels,
            six_volumes,
            meets_itself,
            fins: Default::default(),
        }
    }
    /// Whether it is one.
    pub fn status(&self) -> Closedness {
        match self.chain.closed {
            _ if self.chain.is_sheet => Closedness::NoInterior,
            Closed::Oriented => Closedness::Closed,
            Closed::Parity => Closedness::ClosedByParity,
            Closed::No => Closedness::Open,
        }
    }
    /// How many edges do not balance: boundaries, and edges at which more triangles go one way than the
    /// other; none of a closed mesh.
    pub fn open_edges(&self) -> usize {
        self.chain.unbalanced.len()
    }
    /// What they make up, the widest first: where the surface has holes, and how wide they are.
    ///
    /// ```
    /// # use impinge::{BuildOptions, Mesh, Model, solid::Closedness};
    /// // A tetrahedron without its base.
    /// let points = vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let mesh = Mesh::new(points, vec![[0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh, &BuildOptions::default());
    /// let [hole] = model.solid().boundaries() else { panic!("one hole") };
    /// assert_eq!((model.solid().status(), hole.edges, hole.width()), (Closedness::Open, 3, 2.0));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn boundaries(&self) -> &[Boundary] {
        &self.boundaries
    }
    /// Into how many sets the triangles fall that are connected across edges with one triangle on either
    /// side; 0 where nothing is left of them.
    pub fn shells(&self) -> usize {
        // What cancels is connected with nothing.
        if self.chain.is_sheet { 0 } else { self.components.first.len() - self.chain.sheets }
    }

    pub(crate) fn bits(&self) -> &CoordinateBits {
        &self.bits
    }
    /// For each point of the mesh, the first one that is equal.
    pub(crate) fn vertices(&self) -> &[u32] {
        &self.chain.vertices
    }
    /// Of each triangle, degenerate ones and sheets too, whether it meets its own mesh elsewhere than in
    /// common corners and edges, or has a corner of a degenerate one inside of an edge. Empty if none does.
    /// Breaks, and keeps nothing, if it is stopped.
    pub(crate) fn meets_itself(&self, geometry: &Geometry, stop: StopFlag<'_>) -> ControlFlow<(), &[bool]> {
        unless_stopped(&self.meets_itself, || {
            let mut meets = Vec::new();
            let mut mark = |pair: [u32; 2]| {
                meets.resize(geometry.mesh().len(), false);
                pair.iter().for_each(|&t| meets[t as usize] = true);
            };
            thin::in_edges(geometry.mesh(), &self.chain, &mut mark);
            let mut found = |pair: [u32; 2]| {
                mark(pair);
                ControlFlow::Continue(())
            };
            let ask = QueryContext::new(Default::default(), false, true, stop.0);
            ask.walk_within_once(
                geometry,
                Some(self.vertices()),
                &mut Default::default(),
                &mut Sink::Each(&mut found),
            )?;
            ControlFlow::Continue(meets)
        })
        .map_continue(Vec::as_slice)
    }
    /// Whether a triangle is one of the chain: not degenerate, and not cancelled by another.
    pub(crate) fn is_face(&self, t: u32) -> bool {
        self.chain.roles[t as usize] == Role::Face
    }
    /// Whether a triangle is not degenerate.
    pub(crate) fn has_area(&self, t: u32) -> bool {
        self.chain.roles[t as usize] != Role::Degenerate
    }
    /// Whether a mesh with an inside has triangles that equal ones cancel.
    pub(crate) fn has_sheets(&self) -> bool {
        self.chain.has_sheets
    }
    /// Of triangles that equal ones cancel, those that are somewhere outside of the mesh's own inside. Found
    /// out once. Breaks, and keeps nothing, if it is stopped.
    pub(crate) fn fins(
        &self,
        geometry: &Geometry,
        rule: FillRule,
        stop: StopFlag<'_>,
    ) -> ControlFlow<(), &[u32]> {
        unless_stopped(&self.fins[rule as usize], || {
            let mut fins = Vec::new();
            for t in
                (0..geometry.mesh().len() as u32).filter(|&t| self.chain.roles[t as usize] == Role::Sheet)
            {
                if occurring(self, geometry, t, (rule, stop))?.fin {
                    fins.push(t);
                }
            }
            ControlFlow::Continue(fins)
        })
        .map_continue(Vec::as_slice)
    }
    /// The edge across edge k of triangle t, as 3 t + k; [`NONE`] if there is not exactly one.
    pub(crate) fn twin(&self, edge: u32) -> u32 {
        self.chain.twins[edge as usize]
    }
    /// Whether two edges with the same ends run the same way.
    pub(crate) fn runs_alike(&self, mesh: &Mesh, a: u32, b: u32) -> bool {
        self.chain.runs_alike(mesh, a, b)
    }
    /// The number of the face's component.
    pub(crate) fn component(&self, t: u32) -> u32 {
        self.components.of[t as usize]
    }
    /// The least face of each component.
    pub(crate) fn components(&self) -> &[u32] {
        &self.components.first
    }
    /// The rule that is used where `wanted` is asked for.
    pub(crate) fn rule(&self, wanted: FillRule) -> FillRule {
        if self.chain.closed == Closed::Parity { FillRule::EvenOdd } else { wanted }
    }
    /// As body number `body` of a space; `handedness` is -1 where that mirrors it, else 1.
    pub(crate) fn placed<'a>(&'a self, geometry: &'a Geometry, body: usize, handedness: i32) -> Placed<'a> {
        let (mesh, extent) = (geometry.mesh(), geometry.extent());
        let boxes = if mesh.len() <= SMALL { None } else { self.boxes(geometry) };
        Placed { mesh, chain: &self.chain, body, handedness, extent, boxes }
    }
    /// If it is asked often.
    fn boxes(&self, geometry: &Geometry) -> Option<&Boxes> {
        let is_due = self.asked.load(Ordering::Relaxed) >= BEFORE_BOXES;
        if !is_due {
            self.asked.fetch_add(1, Ordering::Relaxed);
            return self.boxes.get();
        }
        Some(self.boxes.get_or_init(|| Boxes::new(geometry.mesh(), geometry.extent())))
    }
    /// Found out once. Breaks, and keeps nothing, if it is stopped.
    pub(crate) fn sides(&self, geometry: &Geometry, stop: StopFlag<'_>) -> ControlFlow<(), &Sides> {
        unless_stopped(&self.sides, || Sides::new(self, geometry, stop))
    }
    /// [`Sides::windings`] of one face, without those of all if few are asked for. `None` if it is stopped,
    /// too.
    pub(crate) fn windings(&self, geometry: &Geometry, t: u32, stop: StopFlag<'_>) -> Option<[i32; 2]> {
        if geometry.mesh().len() <= SMALL || self.sides.get().is_some() {
            return self.sides(geometry, stop).continue_value()?.windings(t);
        }
        let count = geometry.mesh().len();
        let all = self.few.known.get_or_init(|| (0..count).map(|_| AtomicU64::new(0)).collect());
        let known = &all[t as usize];
        let mut bits = known.load(Ordering::Relaxed);
        if bits == 0 {
            if self.few.asked.fetch_add(1, Ordering::Relaxed) >= count / BEFORE_SIDES {
                return self.sides(geometry, stop).continue_value()?.windings(t);
            }
            let front = || u64::from(at_corner(self, geometry, t, false).cast_unsigned()) << 2 | 2;
            bits = if partners(self, geometry, t).is_empty() { front() } else { 1 };
            known.store(bits, Ordering::Relaxed);
        }
        let front = ((bits >> 2) as u32).cast_signed();
        (bits != 1).then_some([front, front + 1])
    }
    /// Which winding numbers there are, if they are of one sign, of a mesh that is closed with orientation;
    /// `otherwise` says what is known of a mesh that meets itself. Breaks, and keeps nothing, if it is stopped.
    pub(crate) fn levels(
        &self,
        geometry: &Geometry,
        stop: StopFlag<'_>,
        otherwise: impl FnOnce() -> ControlFlow<(), Option<Levels>>,
    ) -> ControlFlow<(), Option<Levels>> {
        if self.status() != Closedness::Closed {
            return ControlFlow::Continue(None);
        }
        unless_stopped(&self.levels, || {
            let sides = self.sides(geometry, stop)?;
            if sides.are_clean() {
                return ControlFlow::Continue(levels::of_clean(self, geometry, sides));
            }
            match levels::of_copies(self, geometry, stop)? {
                None => otherwise(),
                levels => ControlFlow::Continue(levels),
            }
        })
        .map_continue(|levels| *levels)
    }
}

/// What is found out once: kept, unless it was stopped.
fn unless_stopped<T>(known: &OnceLock<T>, find: impl FnOnce() -> ControlFlow<(), T>) -> ControlFlow<(), &T> {
    if let Some(known) = known.get() {
        return ControlFlow::Continue(known);
    }
    let found = find()?;
    // Another thread may have found the same meanwhile.
    ControlFlow::Continue(known.get_or_init(|| found))
}

impl Sides {
    fn new(solid: &Solid, geometry: &Geometry, stop: StopFlag<'_>) -> ControlFlow<(), Self> {
        let Dirty { is_dirty, within } = dirty(solid, geometry, stop)?;
        let clean = if is_dirty.is_empty() {
            solid.components.clone()
        } else {
            Components::new(geometry.mesh(), &solid.chain, |t| !is_dirty[t as usize])
        };
        let mut is_clean = vec![true; solid.components.first.len()];
        for (t, _) in (0..).zip(&is_dirty).filter(|(_, is_dirty)| **is_dirty) {
            is_clean[solid.component(t) as usize] = false;
        }
        let whole =
            if is_dirty.is_empty() && clean.first.len() == 1 { volume::sign(solid, geometry) } else { 0 };
        let fronts = match whole {
            0 => {
                let mut fronts = Vec::with_capacity(clean.first.len());
                for &t in &clean.first {
                    stop.check()?;
                    fronts.push(at_corner(solid, geometry, t, false));
                }
                fronts
            }
            // One surface that does not meet itself: outside of it the winding number is 0, inside it has the
            // sign of the volume.
            sign => vec![if sign > 0 { 0 } else { -1 }],
        };
        let mut occurring = Vec::new();
        occurring.resize_with(is_dirty.len(), AtomicU16::default);
        let shells = if is_dirty.is_empty() || within { 0 } else { volume::sign_of_shells(solid, geometry) };
        ControlFlow::Continue(Self { is_dirty, clean, fronts, is_clean, shells, occurring })
    }
    /// Of a face that meets no other face of its mesh but in common corners and edges, the winding numbers in
    /// front of it and behind it: everywhere on it the same. `None` of others.
    pub(crate) fn windings(&self, t: u32) -> Option<[i32; 2]> {
        match self.clean.of[t as usize] {
            NO_COMPONENT => None,
            component => {
                let front = self.fronts[component as usize];
                // Of a chain closed by parity the numbers are odd or even, and no more.
                Some(if self.clean.is_reversed(t) { [front + 1, front] } else { [front, front + 1] })
            }
        }
    }
    /// Where each component by itself bounds a solid, and none cancels another: whether the front and the
    /// back of its faces are inside of it, by itself.
    pub(crate) fn of_shells(&self) -> Option<[bool; 2]> {
        (self.shells != 0).then_some([self.shells < 0, self.shells > 0])
    }
    /// Whether no face meets another one of its mesh.
    pub(crate) fn are_clean(&self) -> bool {
        self.is_dirty.is_empty()
    }
    /// Whether all faces of a component have [`windings`](Self::windings).
    pub(crate) fn is_clean(&self, component: u32) -> bool {
        self.is_clean[component as usize]
    }
    /// Of a face with partners. Found out once. Breaks, and keeps nothing, if it is stopped.
    pub(crate) fn occurring(
        &self,
        solid: &Solid,
        geometry: &Geometry,
        t: u32,
        (rule, stop): (FillRule, StopFlag<'_>),
    ) -> ControlFlow<(), Occurring> {
        let shift = 4 * rule as u32;
        let known = self.occurring[t as usize].load(Ordering::Relaxed) >> shift & 15;
        if known != 0 {
            let [inside, outside, fin] = [2, 4, 8].map(|bit| known & bit != 0);
            return ControlFlow::Continue(Occurring { inside, outside, fin });
        }
        let found = occurring(solid, geometry, t, (rule, stop))?;
        let bits =
            1 | u16::from(found.inside) << 1 | u16::from(found.outside) << 2 | u16::from(found.fin) << 3;
        self.occurring[t as usize].fetch_or(bits << shift, Ordering::Relaxed);
        ControlFlow::Continue(found)
    }
}

/// Looks for what occurs on a triangle, of a mesh that has an inside.
fn occurring(
    solid: &Solid,
    geometry: &Geometry,
    t: u32,
    (rule, stop): (FillRule, StopFlag<'_>),
) -> ControlFlow<(), Occurring> {
    stop.check()?;
    let (pose, mut looking) =
        (&Pose::IDENTITY, Looking { rule, found: Occurring::NOTHING, may_be_fin: true });
    let space = Space::new([pose; 2], [&solid.bits; 2]);
    let placed = [Some(solid.placed(geometry, 0, 1)), None];
    let meshes = Meshes { meshes: [geometry.mesh(); 2], poses: [pose; 2], space: &space, placed, stop };
    let partners: Vec<(usize, u32)> = partners(solid, geometry, t).into_iter().map(|u| (0, u)).collect();
    at_limbs!(space.limbs, N => {
        match Cells::<N>::new(&meshes, (0, t), &partners) {
            Some(cells) => {
                looking.may_be_fin =
                    rule == FillRule::Positive || !solid.is_face(t) || cells.is_any_coplanar(0);
                cells.visit(&mut looking)
            }
            None => ControlFlow::Continue(()),
        }
    })?;
    ControlFlow::Continue(looking.found)
}

/// The winding number in front of a face, near its first corner, or behind it.
pub(crate) fn at_corner(solid: &Solid, geometry: &Geometry, t: u32, behind: bool) -> i32 {
    near_corner(solid, geometry, (t, 0), behind)
}

/// The same near any of its corners.
pub(crate) fn near_corner(
    solid: &Solid,
    geometry: &Geometry,
    (t, corner): (u32, usize),
    behind: bool,
) -> i32 {
    let (pose, mut corners) = (&Pose::IDENTITY, geometry.mesh().corners(t));
    corners.rotate_left(corner);
    let space = Space::new([pose; 2], [&solid.bits; 2]);
    let near = Near { point: corners[0], error: 0.0 };
    at_limbs!(space.limbs, N => {
        let probe = CornerProbe::<N>::new(&space, [pose; 2], 0, corners);
        let probe = if behind { probe.below() } else { probe };
        solid.placed(geometry, 0, 1).winding(near, &probe)
    })
}

/// What occurs somewhere on a face: a side that is inside, one that is outside, a piece with both sides
/// outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurring {
    inside: bool,
    outside: bool,
    pub(crate) fin: bool,
}

impl Occurring {
    const NOTHING: Self = Self { inside: false, outside: false, fin: false };
    /// Of a surface.
    pub(crate) const FIN: Self = Self { inside: false, outside: true, fin: true };
    pub(crate) fn has(self, inside: bool) -> bool {
        if inside { self.inside } else { self.outside }
    }
}

struct Looking {
    rule: FillRule,
    found: Occurring,
    may_be_fin: bool,
}

impl Visitor for Looking {
    fn take(&mut self, windings: Windings, _: &dyn Fn() -> bool) -> ControlFlow<()> {
        let sides = windings.map(|side| side[0].is_some_and(|winding| self.rule.holds(winding)));
        let Occurring { inside, outside, fin } = &mut self.found;
        *inside |= sides.contains(&true);
        *outside |= sides.contains(&false);
        *fin |= sides == [false; 2];
        let is_all = *inside && *outside && (*fin || !self.may_be_fin);
        if is_all { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn wants_others(&mut self) -> bool {
        true
    }
}

/// Where a point of the world lies, of a placed mesh: exact. O(n) until boxes are made.
pub(crate) fn locate(
    solid: &Solid,
    at: geometry::Placed<'_>,
    point: Vector,
    fill_rule: FillRule,
) -> Location {
    let placed = solid.placed(at.geometry, 1, exact::handedness(at.pose.rows()));
    let near = Near::of(&Motion::between(&Pose::IDENTITY, at.pose), (point, 0.0));
    if placed.is_beyond(near) {
        return if solid.status() == Closedness::Open { Location::Undefined } else { Location::Outside };
    }
    let poses = Poses::new(&Pose::IDENTITY, at.pose);
    if placed.is_any_at(near, |t| poses.meet(&[point; 3], &at.geometry.mesh().corners(t))) {
        return Location::OnSurface;
    }
    if solid.status() == Closedness::Open {
        return Location::Undefined;
    }
    let space =
        Space::new([&Pose::IDENTITY, at.pose], [&CoordinateBits::of_points(&[point, [1.0; 3]]), &solid.bits]);
    // A triangle with the point as a corner.
    let aside = |k: usize| {
        let mut corner = point;
        corner[k] = if corner[k] == 0.0 { 1.0 } else { 0.0 };
        corner
    };
    let poses = [&Pose::IDENTITY, at.pose];
    let winding = at_limbs!(space.limbs, N => {
        placed.winding(near, &CornerProbe::<N>::new(&space, poses, 0, [point, aside(0), aside(1)]))
    });
    if solid.rule(fill_rule).holds(winding) { Location::Inside } else { Location::Outside }
}
