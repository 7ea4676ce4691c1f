//! Cuts segments and sides of polygons at nodes. Finds segments in polygons, and nodes in both.
//!
//! Where no triangle meets its own mesh, a point lies in one feature of each mesh. All points inside of a
//! segment lie in the same two features, which meet in the segment; so no other node is among them, and any
//! two segments are equal or have at most ends in common. The same is true of sides of polygons, and a
//! segment in a polygon is one of its sides. So only triangles that meet their own mesh, *dirty* ones, and
//! their nodes are tested, by the features in which a node lies, found exactly.
//!
//! Nodes are sorted by their coordinates, over the real numbers: those inside of a segment have numbers
//! between those of its ends, in the order in which they lie on it. Rounding keeps order: rounded
//! coordinates of points of a box lie between the rounded ones of its corners.
use super::{
    chains::CurveSegment,
    common::{CommonPart, PolygonSide},
    feature::{NONE, Vertices},
    node::Node,
    nodes::Nodes,
    off_line::is_off_line,
    placed::PlacedBodies,
    trust::Trust,
};
use crate::{
    posed::homogeneous::FeatureCorners,
    stop::StopFlag,
    vector::{Vector, extent},
};
use std::ops::ControlFlow;

/// A piece of a polygon's side, between nodes that follow each other on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    /// The lesser first.
    pub(super) ends: [u32; 2],
    /// The polygon's number.
    pub(super) of: u32,
    pub(super) left: bool,
}

/// A dirty node in the intersection of a dirty pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Within {
    common: u32,
    node: u32,
    /// The features of both simplices in which it lies.
    of: [Vertices; 2],
}

#[derive(Debug, Default)]
pub(super) struct Cuts {
    /// The pieces of polygons.
    pub(super) pieces: Vec<Piece>,
    /// Nodes of dirty pairs, sorted.
    nodes: Vec<u32>,
    /// Their points.
    points: Vec<Vector>,
    /// Sorted by `common`, then by node.
    within: Vec<Within>,
    /// The start of each common's entries in `within`; only dirty ones have any.
    starts: Vec<u32>,
    between: Vec<u32>,
    /// Dirty polygons.
    polygons: Vec<u32>,
}

impl Cuts {
    pub(super) fn prepare(
        &mut self,
        nodes: &Nodes,
        all: &[Node],
        commons: &[CommonPart],
        ring: &[u32],
        sides: &[PolygonSide],
        placed: &PlacedBodies<'_>,
    ) -> ControlFlow<()> {
        self.nodes.clear();
        self.within.clear();
        self.starts.clear();
        self.polygons.clear();
        self.pieces.clear();
        let is_dirty = |node: &u32| nodes.spots[nodes.first[*node as usize] as usize].dirty;
        self.nodes.extend((0..all.len() as u32).filter(is_dirty));
        self.points.clear();
        self.points.extend(self.nodes.iter().map(|&node| all[node as usize].point));
        for (number, common) in (0..).zip(commons) {
            placed.stop.check()?;
            self.starts.push(self.within.len() as u32);
            if common.dirty {
                self.look_within(number, common, &ring[common.range()], nodes, all, placed)?;
                if common.is_polygon() {
                    self.polygons.push(number);
                }
            }
        }
        self.starts.push(self.within.len() as u32);
        for (number, common) in (0..).zip(commons).filter(|(_, common)| common.is_polygon()) {
            placed.stop.check()?;
            let ring = &ring[common.range()];
            for (i, side) in sides[common.range()].iter().enumerate() {
                self.cut_side(number, common, [ring[i], ring[(i + 1) % ring.len()]], side);
            }
        }
        self.pieces.sort_unstable();
        ControlFlow::Continue(())
    }

    /// Finds the dirty nodes in the intersection of two triangles.
    fn look_within(
        &mut self,
        number: u32,
        common: &CommonPart,
        ring: &[u32],
        nodes: &Nodes,
        all: &[Node],
        placed: &PlacedBodies<'_>,
    ) -> ControlFlow<()> {
        let point = |node: u32| all[node as usize].point;
        let [lo, hi] = extent(ring.iter().map(|&node| &all[node as usize].point));
        let (least, most) = ring.iter().fold((u32::MAX, 0), |(lo, hi), &node| (lo.min(node), hi.max(node)));
        // A segment needs the nodes between its ends; its ends lie in it anyhow.
        let ends = if let [p, q] = *ring { Some([p, q]) } else { None };
        let is_left_out = |node: u32| {
            ends.is_some_and(|[p, q]| node == p || node == q || is_off_line(point(p), point(q), point(node)))
        };
        // Nodes are sorted by x: those with numbers between the least and the greatest have x between theirs.
        let [from, to] = [least, most + 1].map(|number| self.nodes.partition_point(|&node| node < number));
        let some = self.nodes[from..to].iter().zip(&self.points[from..to]);
        for (&node, &[_, y, z]) in some {
            placed.stop.check()?;
            let is_beside = y < lo[1] || hi[1] < y || z < lo[2] || hi[2] < z;
            if is_beside || is_left_out(node) {
                continue;
            }
            let spot = &nodes.spots[nodes.first[node as usize] as usize];
            let key = &spot.key;
            // A feature of this very simplex needs no test.
            let is_own = |x: usize| {
                placed.trust == Trust::Features
                    && key[x].iter().all(|&vertex| vertex == NONE || common.of[x].contains(&vertex))
            };
            let feature = |x: usize| {
                if is_own(x) {
                    return Some(key[x]);
                }
                let corners: FeatureCorners = placed.corners(x, &common.of[x]);
                let carrier = placed.space.locate(&placed.meeting(spot), &corners)?;
                let mut feature = [NONE; 3];
                let kept = (0..3).filter(|k| carrier >> k & 1 == 1).map(|k| common.of[x][k]);
                feature.iter_mut().zip(kept).for_each(|(to, vertex)| *to = vertex);
                Some(feature)
            };
            if let (Some(a), Some(b)) = (feature(0), feature(1)) {
                self.within.push(Within { common: number, node, of: [a, b] });
            }
        }
        ControlFlow::Continue(())
    }
    fn within(&self, common: u32) -> &[Within] {
        let range = self.starts[common as usize] as usize..self.starts[common as usize + 1] as usize;
        &self.within[range]
    }

    fn cut_side(&mut self, number: u32, common: &CommonPart, [p, q]: [u32; 2], side: &PolygonSide) {
        let (p, q) = (p.min(q), p.max(q));
        let piece = |p: u32, q: u32| Piece { ends: [p, q], of: number, left: side.left };
        let mut last = p;
        if common.dirty {
            let mut between = std::mem::take(&mut self.between);
            between.clear();
            let on_edge = |within: &&Within| {
                let some = |vertex: &&u32| **vertex != NONE;
                within.of[side.body].iter().filter(some).all(|vertex| side.edge.contains(vertex))
            };
            let inside = self.within(number).iter().filter(|within| p < within.node && within.node < q);
            between.extend(inside.filter(on_edge).map(|within| within.node));
            for &node in &between {
                self.pieces.push(piece(last, node));
                last = node;
            }
            self.between = between;
        }
        self.pieces.push(piece(last, q));
    }

    /// Passes the pieces of a dirty segment to `each`.
    pub(super) fn cut(&self, number: u32, [p, q]: [u32; 2], each: &mut dyn FnMut(u32, u32)) {
        let (mut last, q) = (p.min(q), p.max(q));
        for within in self.within(number) {
            if last < within.node && within.node < q {
                each(last, within.node);
                last = within.node;
            }
        }
        each(last, q);
    }

    /// Removes segments that lie in polygons. Segments are sorted. Breaks if it is stopped.
    pub(super) fn leave_out(&self, segments: &mut Vec<CurveSegment>, stop: StopFlag<'_>) -> ControlFlow<()> {
        let mut done = stop.check();
        let mut pieces = self.pieces.iter().peekable();
        segments.retain(|segment| {
            if done.is_break() {
                return true;
            }
            while pieces.next_if(|piece| piece.ends < segment.ends).is_some() {}
            let is_side = pieces.peek().is_some_and(|piece| piece.ends == segment.ends);
            let holds = |polygon: &u32| {
                done = stop.check();
                done.is_break() || self.holds(*polygon, segment.ends).is_some()
            };
            !is_side && !self.polygons.iter().any(holds)
        });
        done
    }
    /// The features of both triangles in which the ends of a segment lie, if both are in a dirty polygon:
    /// then the whole segment is.
    fn holds(&self, polygon: u32, ends: [u32; 2]) -> Option<[[Vertices; 2]; 2]> {
        let within = self.within(polygon);
        let find = |node: u32| within.binary_search_by_key(&node, |within| within.node).ok();
        Some([within[find(ends[0])?].of, within[find(ends[1])?].of])
    }
    /// Passes the pieces that run through the inside of a dirty polygon, and not on its boundary, to `each`.
    pub(super) fn inside(
        &self,
        polygon: u32,
        common: &CommonPart,
        stop: StopFlag<'_>,
        each: &mut dyn FnMut(&Piece),
    ) -> ControlFlow<()> {
        for within in self.within(polygon) {
            let first = self.pieces.partition_point(|piece| piece.ends[0] < within.node);
            for piece in self.pieces[first..].iter().take_while(|piece| piece.ends[0] == within.node) {
                stop.check()?;
                if piece.of != polygon && self.runs_inside(polygon, piece.ends, &common.of) {
                    each(piece);
                }
            }
        }
        ControlFlow::Continue(())
    }
    /// True if a segment runs through the inside of a dirty polygon, and not on its boundary.
    fn runs_inside(&self, polygon: u32, ends: [u32; 2], of: &[Vertices; 2]) -> bool {
        self.holds(polygon, ends).is_some_and(|[p, q]| {
            // All three corners of both triangles.
            (0..2).all(|x| of[x].iter().all(|vertex| p[x].contains(vertex) || q[x].contains(vertex)))
        })
    }
    /// Marks the dirty nodes in intersections that are more than a point.
    pub(super) fn cover(&self, is_covered: &mut [bool]) {
        self.within.iter().for_each(|within| is_covered[within.node as usize] = true);
    }
}
