//! Segments and sides of polygons that have nodes inside of them, segments in polygons, nodes on segments and
//! in polygons.
//!
//! Where no triangle meets its own mesh, a point lies in one feature of each mesh. All points inside of a
//! segment lie in the same two features, which meet in the segment; so no other node is among them, and any
//! two segments are equal or have at most ends in common. The same is true of sides of polygons, and a
//! segment in a polygon is one of its sides. So all of this is tested only for triangles that do meet their
//! own mesh, *dirty* ones, and nodes of such; by the features in which a node lies, found exactly.
//!
//! Nodes are sorted by their coordinates, over the real numbers: those inside of a segment have numbers
//! between those of its ends, in the order in which they lie on it. Rounding keeps order: rounded
//! coordinates of points of a box lie between the rounded ones of its corners.
use super::{
    chains::Segment,
    common::{Common, Side},
    feature::{NONE, Vertices},
    node::Node,
    nodes::Nodes,
    placed::Placed,
    trust::Trust,
};
use crate::{
    posed::homogeneous::Corners,
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

/// What a dirty node is to what a dirty pair has in common.
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
    /// Where these are.
    points: Vec<Vector>,
    /// By what a pair has in common, then by node.
    within: Vec<Within>,
    /// Where the entries of each common begin; for dirty ones alone.
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
        commons: &[Common],
        ring: &[u32],
        sides: &[Side],
        placed: &Placed<'_>,
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
                self.look_within((number, common), &ring[common.range()], nodes, all, placed)?;
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
                self.cut_side((number, common), [ring[i], ring[(i + 1) % ring.len()]], side);
            }
        }
        self.pieces.sort_unstable();
        ControlFlow::Continue(())
    }

    /// Finds dirty nodes in what two triangles have in common.
    fn look_within(
        &mut self,
        (number, common): (u32, &Common),
        ring: &[u32],
        nodes: &Nodes,
        all: &[Node],
        placed: &Placed<'_>,
    ) -> ControlFlow<()> {
        let point = |node: u32| all[node as usize].point;
        let [lo, hi] = extent(ring.iter().map(|&node| &all[node as usize].point));
        let (least, most) = ring.iter().fold((u32::MAX, 0), |(lo, hi), &node| (lo.min(node), hi.max(node)));
        // A segment needs the nodes between its ends; its ends lie in it anyhow.
        let ends = if let [p, q] = *ring { Some([p, q]) } else { None };
        let is_left_out = |node: u32| {
            ends.is_some_and(|[p, q]| node == p || node == q || is_off_line(point(p), point(q), point(node)))
        };
        // Between the least and the greatest number x is between theirs.
        let [from, to] = [least, most + 1].map(|number| self.nodes.partition_point(|&node| node < number));
        let some = self.nodes[from..to].iter().zip(&self.points[from..to]);
        for (&node, &[_, y, z]) in some {
            placed.stop.check()?;
            let is_beside = y < lo[1] || hi[1] < y || z < lo[2] || hi[2] < z;
            if is_beside || is_left_out(node) {
                continue;
            }
            let key = &nodes.spots[nodes.first[node as usize] as usize].key;
            // A feature of this very simplex needs no test.
            let is_own = |x: usize| {
                placed.trust == Trust::Features
                    && key[x].iter().all(|&vertex| vertex == NONE || common.of[x].contains(&vertex))
            };
            let feature = |x: usize| {
                if is_own(x) {
                    return Some(key[x]);
                }
                let corners: Corners = placed.corners(x, &common.of[x]);
                let carrier = placed.space.locate(&placed.both(key), x, &corners)?;
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

    fn cut_side(&mut self, (number, common): (u32, &Common), [p, q]: [u32; 2], side: &Side) {
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

    /// Hands on the pieces of a dirty segment.
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

    /// Leaves out segments that lie in polygons. Segments are sorted. Breaks if it is stopped.
    pub(super) fn leave_out(&self, segments: &mut Vec<Segment>, stop: StopFlag<'_>) -> ControlFlow<()> {
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
    /// Whether a segment runs through the inside of a dirty polygon, and not on its boundary.
    pub(super) fn runs_inside(&self, polygon: u32, ends: [u32; 2], of: &[Vertices; 2]) -> bool {
        self.holds(polygon, ends).is_some_and(|[p, q]| {
            // All three corners of both triangles.
            (0..2).all(|x| of[x].iter().all(|vertex| p[x].contains(vertex) || q[x].contains(vertex)))
        })
    }
    /// Marks the dirty nodes that lie in more than a point of some pair.
    pub(super) fn cover(&self, is_covered: &mut [bool]) {
        self.within.iter().for_each(|within| is_covered[within.node as usize] = true);
    }
}

/// Whether a point is surely not on the line of two others, all three known by the nearest f64 of each
/// coordinate, where it lies in the box of these two as they are rounded.
///
/// Let u = 2^-53, m the greatest absolute coordinate, and d the box's longest side as it is worked out. A
/// rounded coordinate is off by u m at most, and a difference of two of them, rounded, by
/// 2 u m + u 2 m = 4 u m; it is at most d (rounding keeps order). So a product of two differences is off by
/// 2 d 4 u m + 16 u^2 m^2 + u d^2, and what is subtracted from another by twice that and 2 u d^2 for its own
/// rounding: 16 u m d + 4 u d^2 + 32 u^2 m^2, which is at most 24 u m d + 32 u^2 m^2, as d is at most
/// 2 m (1 + u). The bound is twice that, for its own rounding and terms of a higher order. Where m is from
/// 1e-120 to 1e120 nothing overflows, and what underflows is less than 2^-1022, far below the second term.
fn is_off_line(p: Vector, q: Vector, node: Vector) -> bool {
    const U: f64 = f64::EPSILON / 2.0;
    let m = [p, q].as_flattened().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let (along, to) = ([0, 1, 2].map(|k| q[k] - p[k]), [0, 1, 2].map(|k| node[k] - p[k]));
    let d = along.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let bound = 48.0 * U * m * d + 64.0 * (U * m) * (U * m);
    let is_apart = |i: usize, j: usize| (along[i] * to[j] - along[j] * to[i]).abs() > bound;
    (1e-120..=1e120).contains(&m) && (is_apart(0, 1) || is_apart(1, 2) || is_apart(2, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on lines between rounded ends, rounded themselves, are never told to be off; others are.
    #[test]
    fn what_is_on_a_line_is_never_off_it() {
        let mut rng = crate::samples::rng::Rng::new(8);
        let mut off = 0;
        for case in 0..100_000 {
            let far = [0.0, 1.0, 1e6, 1e300][case % 4];
            let near = [1.0, 1e-3, 1e-9][case % 3] * if far > 1e9 { 1e-300 } else { 1.0 };
            let [p, way] = [rng.point(far), rng.point(near)];
            let q = [0, 1, 2].map(|k| p[k] + way[k]);
            // Off by a few roundings more than a node is.
            let s = rng.below(65) as f64 / 64.0;
            let on = [0, 1, 2].map(|k| p[k] + (q[k] - p[k]) * s);
            assert!(!is_off_line(p, q, on), "{p:?} {q:?} {on:?}");
            let beside = [p[0], q[1], q[2]];
            off += usize::from(is_off_line(p, q, beside));
        }
        assert!(off > 40_000, "{off}");
    }
}
