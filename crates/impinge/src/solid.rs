//! The solid that a mesh bounds.
//!
//! # Definition
//! A mesh is a set of oriented triangles T. Its relation to other bodies depends on two things alone: the
//! points |T| of its triangles, and the *chain* c, the sum of its triangles with orientation. In each plane c
//! has a count for almost every point: the triangles there that face one way, less those that face the other
//! way. So areas cancel, however they are cut into triangles. Triangles without area add nothing to c.
//!
//! * c is *closed* if its boundary is 0: on each line, edges cancel for almost every point. Then each point
//!   off |T| has a winding number w, 0 far out; across a face w changes by the count of c there. w is 0
//!   everywhere if and only if c is 0 in every plane.
//! * **Closed**: c is closed, and not 0. **NoInterior**: c is closed, and 0. If c is not closed, c modulo 2
//!   decides: **ClosedByEvenOdd** if it is closed and not 0, **NoInterior** if it is closed and 0, else
//!   **Open**. Then w is determined modulo 2 alone, and the rule is always [`FillRule::EvenOdd`].
//! * The *inside* I is the interior of the closure of the points off |T| whose w the rule accepts. So walls
//!   with the inside on both sides are within I, not on its border. I is empty for an open mesh and for one
//!   without interior.
//! * The *surface* S is the union of the triangles with area, whether they cancel or not. A point of S that
//!   is outside of the closure of I belongs to a *fin*: no side of the triangles there is inside. A mesh
//!   without an inside consists of fins. With [`FillRule::Positive`] so does every part round which the mesh
//!   winds backwards.
//! * The *body* is the closure of I and S. Triangles without area are no part of it: they only count as
//!   places where bodies touch.
//!
//! So a two-sided sheet is a surface, whatever its diagonals. Beside a solid in one mesh it is a fin: a part
//! of the body, whose points may lie in other bodies as those of the solid do.
//! [`crate::relation::RelationKind`] lists the relations of two bodies.
mod balance;
mod border;
mod boundary;
mod boxes;
mod cells;
mod chain;
mod closedness;
mod components;
mod convex;
mod corner;
mod crossings;
mod fill_rule;
mod fronts;
mod keys;
mod levels;
mod lines;
mod location;
mod multiplicity;
mod occurring;
mod once;
mod partners;
mod planes;
mod sides;
mod star;
mod thin;
mod volume;
mod winding;

pub use self::{boundary::Boundary, closedness::Closedness, fill_rule::FillRule, location::Location};
pub(crate) use self::{
    cells::{CellVisitor, FaceCells},
    chain::NONE,
    components::NO_COMPONENT,
    convex::{Convexity, convexity},
    corner::{at_corner, near_corner},
    crossings::Windings,
    levels::{Levels, WindingRegion},
    lines::Meshes,
    location::{locate, locate_at},
    occurring::Occurring,
    partners::partners,
    sides::FaceSides,
    winding::{BothWays, CornerProbe, PlacedChain, ProbePosition, away},
};

use self::{
    boxes::CurveBoxes,
    chain::{Chain, Closed, Role},
    components::Components,
    sides::FewSides,
};
use crate::{
    Mesh,
    geometry::Geometry,
    posed::probe::{CoordinateBits, RoundedNumber},
};
use std::sync::{
    OnceLock,
    atomic::{AtomicU32, Ordering},
};

/// The solid that a mesh bounds: see [`Model::solid`](crate::Model::solid).
#[derive(Debug)]
pub struct Solid {
    chain: Chain,
    components: Components,
    bits: CoordinateBits,
    boundaries: Vec<Boundary>,
    sides: OnceLock<FaceSides>,
    /// Built after so many queries that they pay: see [`BEFORE_BOXES`].
    boxes: OnceLock<CurveBoxes>,
    asked: AtomicU32,
    few: FewSides,
    levels: OnceLock<Option<Levels>>,
    /// See [`Solid::is_star`].
    star: OnceLock<bool>,
    /// See [`Solid::six_volumes`].
    six_volumes: OnceLock<RoundedNumber>,
    meets_itself: OnceLock<Vec<bool>>,
    /// For each rule: see [`Solid::fins`] and [`Solid::is_border`].
    fins: [OnceLock<Vec<u32>>; 3],
    border: [OnceLock<bool>; 3],
}

/// Number of triangles up to which all are tested, which is faster than building a tree.
const SMALL: usize = 256;

/// Number of queries that test all triangles of a larger mesh before boxes are built around them.
const BEFORE_BOXES: u32 = 8;

impl Solid {
    pub(crate) fn new(geometry: &Geometry) -> Self {
        let chain = Chain::new(geometry.mesh());
        let components = Components::new(geometry.mesh(), &chain, |_| true);
        let boundaries = boundary::boundaries(geometry.mesh(), &chain.unbalanced);
        let bits = CoordinateBits::of(geometry.mesh());
        let (sides, boxes, levels) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (asked, few) = (AtomicU32::new(0), FewSides::default());
        let (star, six_volumes, meets_itself) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
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
            star,
            six_volumes,
            meets_itself,
            fins: Default::default(),
            border: Default::default(),
        }
    }
    /// Closedness of the mesh: whether it bounds a solid.
    pub fn status(&self) -> Closedness {
        match self.chain.closed {
            _ if self.chain.is_sheet => Closedness::NoInterior,
            Closed::Oriented => Closedness::Closed,
            Closed::Parity => Closedness::ClosedByEvenOdd,
            Closed::No => Closedness::Open,
        }
    }
    /// Number of edges that do not balance: boundary edges, and edges along which more triangles run one way
    /// than the other. It is 0 for a closed mesh.
    pub fn open_edges(&self) -> usize {
        self.chain.unbalanced.len()
    }
    /// Boundaries that the open edges form, the widest first: holes of the surface, with their widths.
    ///
    /// ```
    /// # use impinge::{Mesh, Model, solid::Closedness};
    /// // A tetrahedron without its base.
    /// let points = vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let mesh = Mesh::new(points, vec![[0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let [hole] = model.solid().boundaries() else { panic!("one hole") };
    /// assert_eq!((model.solid().status(), hole.edges, hole.width()), (Closedness::Open, 3, 2.0));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn boundaries(&self) -> &[Boundary] {
        &self.boundaries
    }
    /// Number of sets of triangles that are connected across edges with one triangle on either side; 0 if all
    /// triangles cancel.
    pub fn shells(&self) -> usize {
        // Triangles that cancel are connected with nothing.
        if self.chain.is_sheet { 0 } else { self.components.first.len() - self.chain.sheets }
    }

    pub(crate) fn bits(&self) -> &CoordinateBits {
        &self.bits
    }
    /// For each point of the mesh, the first one that is equal.
    pub(crate) fn vertices(&self) -> &[u32] {
        &self.chain.vertices
    }
    /// True if a triangle is one of the chain: not degenerate, and not cancelled by another.
    pub(crate) fn is_face(&self, t: u32) -> bool {
        self.chain.roles[t as usize] == Role::Face
    }
    pub(crate) fn has_area(&self, t: u32) -> bool {
        self.chain.roles[t as usize] != Role::Degenerate
    }
    /// True if a mesh with an inside has triangles that equal ones cancel.
    pub(crate) fn has_sheets(&self) -> bool {
        self.chain.has_sheets
    }
    /// The edge that coincides with edge k of triangle t, both as 3 t + k; [`NONE`] if there is not exactly
    /// one.
    pub(crate) fn twin(&self, edge: u32) -> u32 {
        self.chain.twins[edge as usize]
    }
    /// True if two edges with the same ends run the same way.
    pub(crate) fn runs_alike(&self, mesh: &Mesh, a: u32, b: u32) -> bool {
        self.chain.runs_alike(mesh, a, b)
    }
    pub(crate) fn component(&self, t: u32) -> u32 {
        self.components.of[t as usize]
    }
    /// The least face of each component.
    pub(crate) fn components(&self) -> &[u32] {
        &self.components.first
    }
    /// The rule that a query with `wanted` uses.
    pub(crate) fn rule(&self, wanted: FillRule) -> FillRule {
        if self.chain.closed == Closed::Parity { FillRule::EvenOdd } else { wanted }
    }
    /// The solid as body number `body` of a space; `handedness` is -1 if its pose mirrors it, else 1.
    pub(crate) fn placed<'a>(
        &'a self,
        geometry: &'a Geometry,
        body: usize,
        handedness: i32,
    ) -> PlacedChain<'a> {
        let (mesh, extent) = (geometry.mesh(), geometry.extent());
        let boxes = if mesh.len() <= SMALL { None } else { self.boxes(geometry) };
        PlacedChain { mesh, chain: &self.chain, body, handedness, extent, boxes }
    }
    /// The boxes, after enough queries.
    fn boxes(&self, geometry: &Geometry) -> Option<&CurveBoxes> {
        let is_due = self.asked.load(Ordering::Relaxed) >= BEFORE_BOXES;
        if !is_due {
            self.asked.fetch_add(1, Ordering::Relaxed);
            return self.boxes.get();
        }
        Some(self.boxes.get_or_init(|| CurveBoxes::new(geometry.mesh(), geometry.extent())))
    }
}
