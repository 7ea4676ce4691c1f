//! Intersection of the surfaces of two bodies: lines where they cross or touch along edges, patches where
//! faces coincide, and single points.
//!
//! # Definition
//! Let X be the set of points that both bodies' triangles have: |A| n |B|, over the real numbers. A
//! degenerate triangle is the segment or point that its corners span. X is a finite union of the
//! intersections of pairs of triangles. Each intersection is a convex polygon, a segment or a point.
//!
//! * A *node* is a vertex of the intersection of some pair of triangles. A point is a node, too, where a
//!   segment or a side of a polygon crosses a side of another polygon, in that polygon's plane. Points that
//!   are equal are one node, whichever pairs have them.
//! * *Segments* are those of pairs of triangles, cut at nodes that lie within; equal ones are one. Segments
//!   that lie in a polygon do not count. A *line* is a maximal chain of segments through nodes at which
//!   exactly two of them end. It is closed, or runs from a node to another.
//! * A *patch* is a maximal set of polygons in one plane that are connected across sides, or overlap. Its
//!   *border* consists of lines: of the sides, cut at nodes, that have the patch on one side alone.
//! * A *point* is a node that lies on no segment and in no polygon.
//!
//! So X is the union of lines, patches and points. X and the edges of both meshes determine the nodes and
//! lines, but for one case: where triangles of one mesh cross each other, lines of different pairs may cross
//! between nodes. [`Curves::self_crossing`] returns whether that may be so.
mod chains;
mod common;
mod crossings;
mod cut;
mod feature;
mod find;
mod line;
mod measure;
mod nearest;
mod node;
mod nodes;
mod off_line;
mod patches;
mod pierce;
mod placed;
mod query;
pub(crate) mod reference;
mod spot;
mod trust;

pub use self::{
    feature::Feature,
    line::{Line, LineKind},
    node::Node,
};
use self::{line::LineData, trust::Trust};
use std::ops::Range;

/// A plane part of both surfaces.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Patch<'a> {
    curves: &'a Curves,
    data: &'a PatchData,
}

#[derive(Clone, Debug, PartialEq)]
struct PatchData {
    pairs: Range<usize>,
    border: Range<usize>,
    normal: [f64; 3],
    area: [f64; 2],
}

/// Intersection of the surfaces of two bodies: the result of [`Query::curves`](crate::Query::curves).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    nodes: Vec<Node>,
    /// Nodes of lines, one after the other.
    along: Vec<u32>,
    lines: Vec<LineData>,
    patches: Vec<PatchData>,
    pairs: Vec<[u32; 2]>,
    borders: Vec<LineData>,
    points: Vec<u32>,
    length: [f64; 2],
    area: [f64; 2],
    self_crossing: bool,
}

impl Curves {
    /// An empty intersection.
    pub fn new() -> Self {
        Self::default()
    }
    /// True if the surfaces have no point in common.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// All nodes, sorted by x, then y, then z as they are rounded; nodes that are rounded to one point are
    /// sorted by x, y and z over the real numbers.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }
    /// The lines: first those that begin at a node where lines end, then the other closed ones, each in the
    /// order of their first nodes. A line begins with the lesser of its ends. A closed line begins with a
    /// node at which other lines end, or else with its least node, and continues to the lesser neighbour.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line<'_>> + Clone {
        self.lines.iter().map(|line| self.line(line))
    }
    /// The patches, in the order of their nodes.
    pub fn patches(&self) -> impl ExactSizeIterator<Item = Patch<'_>> + Clone {
        self.patches.iter().map(|data| Patch { curves: self, data })
    }
    /// The isolated nodes: near each of them, the surfaces meet in this point alone.
    pub fn points(&self) -> &[u32] {
        &self.points
    }
    /// Lower and upper bound of the length of all lines. Borders of patches do not count. The upper one is
    /// infinite only if a coordinate or the length is beyond the range of f64.
    pub fn length(&self) -> [f64; 2] {
        self.length
    }
    /// Lower and upper bound of the area of all patches. An area that several pairs share counts once.
    pub fn area(&self) -> [f64; 2] {
        self.area
    }
    /// True if a triangle that meets the other body meets its own mesh, too, elsewhere than in common corners
    /// and edges. Then lines may cross between nodes. T-junctions and equal triangles do no harm.
    pub fn self_crossing(&self) -> bool {
        self.self_crossing
    }
    fn line(&self, line: &LineData) -> Line<'_> {
        let LineData { ref nodes, closed, kind, length, bounds } = *line;
        Line { nodes: &self.along[nodes.clone()], closed, kind, length, bounds }
    }
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.along.clear();
        self.lines.clear();
        self.patches.clear();
        self.pairs.clear();
        self.borders.clear();
        self.points.clear();
        (self.length, self.area, self.self_crossing) = ([0.0; 2], [0.0; 2], false);
    }
}

impl<'a> Patch<'a> {
    /// The pairs of triangles whose common polygons make up the patch, sorted.
    pub fn pairs(&self) -> &'a [[u32; 2]] {
        &self.curves.pairs[self.data.pairs.clone()]
    }
    /// The unit normal of its first pair's triangle of the first body, right-handed by the order of the
    /// corners as they are placed; each component is off by at most 2^-50.
    pub fn normal(&self) -> [f64; 3] {
        self.data.normal
    }
    /// Lower and upper bound of the area.
    pub fn area(&self) -> [f64; 2] {
        self.data.area
    }
    /// The border: the outer one and those of holes, in no special order. All are [`LineKind::Edge`].
    pub fn border(&self) -> impl ExactSizeIterator<Item = Line<'a>> + Clone + use<'a> {
        let curves = self.curves;
        curves.borders[self.data.border.clone()].iter().map(move |line| curves.line(line))
    }
}
