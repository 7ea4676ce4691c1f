//! Points where a segment, or a side of another polygon, crosses a side of a polygon in its plane.
//!
//! # Definition
//! A segment, or a side of another polygon, may lie in a polygon's plane and cross a side of the polygon, inside
//! of both. These points are nodes, too. Each piece between nodes then lies in the polygon, or has no more than
//! its ends in common with it.
//!
//! # Which features meet there
//! The side lies on an edge e of a body x. What crosses it is s, which lies in a simplex f of x and in a simplex
//! g of the other body.
//!
//! 1. If s is a side on an edge of the other body, both edges cross in one plane. Their triangles have the
//!    point as a vertex of their intersection: it is a node already.
//! 2. If s is a side on an edge of x, both edges meet in this point alone.
//! 3. Let s be a segment. If f is an edge, or a triangle whose plane does not contain e, then e and f meet in
//!    this point alone.
//! 4. If f's plane contains e, it is the polygon's plane: another one would have only e's line in common with
//!    it, and s would run along e. If g is in this plane, too, s lies on edges of both, as in 1. If it is
//!    not, e and g meet in this point alone, and it is a vertex of the intersection of e's triangle and g.
//!
//! So each such point is a node already, or it is one of 2 or 3, where two features of one body meet. A
//! triangle that does not meet its own mesh elsewhere has no such point: only dirty pairs are searched.
use super::{
    common::{CommonPart, PolygonSide},
    feature::{NONE, Vertices, chosen},
    node::Node,
    nodes::Nodes,
    off_line::are_apart,
    placed::PlacedBodies,
    spot::{OwnMeeting, Spot},
};
use crate::{
    posed::homogeneous::FeatureCorners,
    vector::{Vector, extent},
};
use std::ops::ControlFlow;

/// A crossing that rounded coordinates do not rule out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SideCandidate {
    own: OwnMeeting,
    /// The simplices of the other body in which the polygon and what crosses it lie.
    other: [Vertices; 2],
    /// The pair that crosses the polygon.
    pair: [u32; 2],
}

/// A dirty segment or polygon.
#[derive(Clone, Copy, Debug)]
struct Item {
    number: u32,
    bounds: [Vector; 2],
}

#[derive(Debug, Default)]
pub(super) struct Crossings {
    polygons: Vec<Item>,
    candidates: Vec<SideCandidate>,
}

/// Intersections of pairs of triangles, and their nodes.
#[derive(Clone, Copy)]
pub(super) struct Commons<'a> {
    pub(super) commons: &'a [CommonPart],
    pub(super) ring: &'a [u32],
    pub(super) sides: &'a [PolygonSide],
    pub(super) nodes: &'a [Node],
}

impl Commons<'_> {
    fn item(&self, number: u32, common: &CommonPart) -> Item {
        let points = self.ring[common.range()].iter().map(|&node| &self.nodes[node as usize].point);
        Item { number, bounds: extent(points) }
    }
    fn side(&self, common: &CommonPart, k: usize) -> ([u32; 2], &PolygonSide) {
        let ring = &self.ring[common.range()];
        ([ring[k], ring[(k + 1) % ring.len()]], &self.sides[common.range()][k])
    }
    fn are_apart(&self, ends: [[u32; 2]; 2]) -> bool {
        are_apart(ends.map(|ends| ends.map(|node| self.nodes[node as usize].point)))
    }
}

impl Crossings {
    /// Adds a spot for each crossing. `of.nodes` are the nodes without crossings. Breaks if it is stopped.
    pub(super) fn find(
        &mut self,
        placed: &PlacedBodies<'_>,
        of: Commons<'_>,
        nodes: &mut Nodes,
    ) -> ControlFlow<()> {
        let Self { polygons, candidates } = self;
        polygons.clear();
        candidates.clear();
        let dirty = || (0..).zip(of.commons).filter(|(_, common)| common.dirty);
        polygons.extend(
            dirty().filter(|(_, common)| common.is_polygon()).map(|(number, common)| of.item(number, common)),
        );
        if polygons.is_empty() {
            return ControlFlow::Continue(());
        }
        polygons.sort_unstable_by(|p, q| p.bounds[0][0].total_cmp(&q.bounds[0][0]));
        for (number, common) in dirty() {
            let item = of.item(number, common);
            for polygon in polygons.iter() {
                placed.stop.check()?;
                if polygon.bounds[0][0] > item.bounds[1][0] {
                    break;
                }
                // Each pair of polygons once.
                let is_first = !common.is_polygon() || polygon.number < number;
                if is_first && meet(&polygon.bounds, &item.bounds) {
                    cross(placed, of, nodes, [polygon.number, number], candidates);
                }
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        for same in candidates.chunk_by(|p, q| p.own == q.own) {
            for candidate in same {
                placed.stop.check()?;
                if let Some(spot) = spot(placed, candidate) {
                    nodes.spots.push(spot);
                    break;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

fn meet(p: &[Vector; 2], q: &[Vector; 2]) -> bool {
    (0..3).all(|k| p[0][k] <= q[1][k] && q[0][k] <= p[1][k])
}

/// Lists where a segment or sides of a polygon may cross sides of another polygon.
fn cross(
    placed: &PlacedBodies<'_>,
    of: Commons<'_>,
    nodes: &Nodes,
    numbers: [u32; 2],
    candidates: &mut Vec<SideCandidate>,
) {
    let both = numbers.map(|number| &of.commons[number as usize]);
    let [polygon, item] = both;
    let mut in_plane = None;
    for k in 0..polygon.len as usize {
        let (side_ends, side) = of.side(polygon, k);
        let edge: Vertices = [side.edge[0], side.edge[1], NONE];
        let (x, y) = (side.body, 1 - side.body);
        for i in 0..if item.is_polygon() { item.len as usize } else { 1 } {
            let (ends, other) = of.side(item, i);
            if item.is_polygon() && other.body != x {
                continue;
            }
            let feature = if item.is_polygon() { [other.edge[0], other.edge[1], NONE] } else { item.of[x] };
            // If they have a node or a vertex in common and are not in line, they meet there.
            let is_known = ends.iter().any(|node| side_ends.contains(node))
                || side.edge.iter().any(|vertex| feature.contains(vertex));
            if is_known || of.are_apart([side_ends, ends]) {
                continue;
            }
            if !*in_plane.get_or_insert_with(|| are_in_one_plane(placed, of, nodes, both)) {
                return;
            }
            let mut features = [edge, feature];
            if item.is_polygon() {
                features.sort_unstable();
            }
            let own = OwnMeeting { body: x, features };
            candidates.push(SideCandidate { own, other: [polygon.of[y], item.of[y]], pair: item.pair });
        }
    }
}

/// True if a segment or a polygon lies in the plane of a polygon.
fn are_in_one_plane(
    placed: &PlacedBodies<'_>,
    of: Commons<'_>,
    nodes: &Nodes,
    both: [&CommonPart; 2],
) -> bool {
    let [polygon, item] = both;
    let corners = placed.corners(0, &polygon.of[0]);
    let is_in_plane = |node: &u32| {
        let spot = &nodes.spots[nodes.first[*node as usize] as usize];
        placed.space.is_in_plane(&placed.meeting(spot), &corners)
    };
    // Three corners of a polygon are not in line.
    of.ring[item.range()].iter().take(3).all(is_in_plane)
}

/// The crossing, if it lies in both features and in both simplices of the other body.
fn spot(placed: &PlacedBodies<'_>, candidate: &SideCandidate) -> Option<Spot> {
    let SideCandidate { own, other, pair } = *candidate;
    let (x, y) = (own.body, 1 - own.body);
    let at: [FeatureCorners; 2] = own.features.each_ref().map(|feature| placed.corners(x, feature));
    let carrier = placed.space.locate(&at, &at[0])?;
    placed.space.locate(&at, &at[1])?;
    placed.space.locate(&at, &placed.corners(y, &other[0]))?;
    let of_other = placed.space.locate(&at, &placed.corners(y, &other[1]))?;
    let mut key = [[NONE; 3]; 2];
    key[x] = chosen(&own.features[0], carrier);
    key[y] = chosen(&other[1], of_other);
    Some(Spot { key, own: Some(own), pair, point: [0.0; 3], exact: [false; 3], dirty: true })
}
