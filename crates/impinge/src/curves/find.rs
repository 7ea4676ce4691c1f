//! Finds the nodes, segments and polygons of pairs of triangles, and from these lines, patches and points.
use super::{
    Curves,
    chains::{Chains, CurveSegment},
    common::{CommonPart, PolygonSide},
    crossings::{Commons, Crossings},
    cut::Cuts,
    feature::chosen,
    line::line,
    measure,
    nodes::Nodes,
    patches::Patches,
    pierce::{self, Pierce},
    placed::PlacedBodies,
    trust::Trust,
};
use crate::{
    Body,
    exact::{ExactPoint, OrientationPlane},
    posed::{
        exact_frame::ExactFrame,
        probe::{Number, RoundedNumber},
    },
    simd::{SimdLevel, detect},
    stop::StopFlag,
    triangle::intersection::{self, Carriers, Intersection},
    vector::Vector,
};
use std::ops::ControlFlow;

/// Memory of a query.
#[derive(Debug, Default)]
pub(crate) struct CurveMemory {
    pub(super) nodes: Nodes,
    pub(super) commons: Vec<CommonPart>,
    pub(super) ring: Vec<u32>,
    /// For each entry of `ring`, the polygon's side that begins there. Entries of segments are not used.
    pub(super) sides: Vec<PolygonSide>,
    segments: Vec<CurveSegment>,
    pub(super) is_covered: Vec<bool>,
    chains: Chains,
    crossings: Crossings,
    pub(super) cuts: Cuts,
    patches: Patches,
    /// The result of [`Pierce`] for each pair.
    pierced: Vec<u8>,
    /// The number of pairs that integers decided.
    #[cfg(test)]
    asked: usize,
}

/// Finds the curves of two bodies from all pairs of triangles that meet, sorted. Breaks if it is stopped:
/// then the curves are incomplete.
pub(crate) fn find(
    bodies: [&Body<'_>; 2],
    pairs: &[[u32; 2]],
    trust: Trust,
    level: SimdLevel,
    stop: StopFlag<'_>,
    memory: &mut CurveMemory,
    curves: &mut Curves,
) -> ControlFlow<()> {
    curves.clear();
    stop.check()?;
    if pairs.is_empty() {
        return ControlFlow::Continue(());
    }
    let placed = PlacedBodies::new(bodies, trust, stop);
    let mut meets_itself = [&[] as &[bool]; 2];
    for (x, meets_itself) in meets_itself.iter_mut().enumerate() {
        *meets_itself = placed.solids[x].meets_itself(bodies[x].model.geometry(), stop)?;
    }
    memory.nodes.clear(2 * pairs.len());
    memory.commons.clear();
    memory.ring.clear();
    memory.sides.clear();
    let simd = detect(level);
    memory.pierced.clear();
    if trust == Trust::Features {
        simd.call(Pierce { bodies, pairs, pierced: &mut memory.pierced, stop })?;
    }
    for (number, &pair) in pairs.iter().enumerate() {
        stop.check()?;
        let dirty = (0..2).any(|x| meets_itself[x].get(pair[x] as usize).is_some_and(|&meets| meets));
        curves.self_crossing |= dirty;
        let known = memory.pierced.get(number).and_then(|&pierced| pierce::ends(pierced));
        take(&placed, pair, known, dirty || trust == Trust::Nothing, memory);
    }
    let CurveMemory { nodes, ring, commons, sides, crossings, .. } = memory;
    nodes.arrange(0, &placed, simd, &mut curves.nodes)?;
    ring.iter_mut().for_each(|node| *node = nodes.ranks[*node as usize]);
    if curves.self_crossing || trust == Trust::Nothing {
        let known = nodes.spots.len();
        crossings.find(&placed, Commons { commons, ring, sides, nodes: &curves.nodes }, nodes)?;
        if nodes.spots.len() > known {
            ring.iter_mut().for_each(|node| *node = nodes.first[*node as usize]);
            nodes.arrange(known, &placed, simd, &mut curves.nodes)?;
            ring.iter_mut().for_each(|node| *node = nodes.ranks[*node as usize]);
        }
    }
    memory.is_covered.clear();
    memory.is_covered.resize(curves.nodes.len(), false);

    memory.collect(&placed, curves)?;
    memory.join(curves, stop)?;
    let CurveMemory { commons, ring, patches, chains, cuts, .. } = memory;
    patches.find(&placed, commons, ring, cuts, chains, curves)
}

/// Records the intersection of a pair of triangles; `known` are its ends, if the caller has them.
fn take(
    placed: &PlacedBodies<'_>,
    pair: [u32; 2],
    known: Option<[Carriers; 2]>,
    dirty: bool,
    memory: &mut CurveMemory,
) {
    if let Some(ends) = known {
        let CurveMemory { nodes, commons, ring, sides, .. } = memory;
        let first = ring.len() as u32;
        let corners = [placed.vertices(0, pair[0]), placed.vertices(1, pair[1])];
        let feature =
            |carriers: [u8; 2]| [chosen(&corners[0], carriers[0]), chosen(&corners[1], carriers[1])];
        for end in ends {
            ring.push(nodes.spot(feature(end), pair, dirty));
            sides.push(PolygonSide::default());
        }
        commons.push(CommonPart { pair, of: feature([7, 7]), first, len: 2, crossing: true, dirty });
        return;
    }
    let [p, q] = [0, 1].map(|x| placed.bodies[x].model.mesh().corners(pair[x]));
    if let Some(corners) = placed.common_corner(&p, &q) {
        let feature = [0, 1].map(|x| placed.feature(x, pair[x], 1 << corners[x]));
        memory.nodes.spot(feature, pair, dirty);
        return;
    }
    #[cfg(test)]
    {
        memory.asked += 1;
    }
    placed.space.ask_triangles([0, 1], [&p, &q], &mut |g| {
        intersection::each(g, &mut |cell| note(placed, pair, dirty, cell, memory));
    });
}

impl PlacedBodies<'_> {
    /// The corners of two triangles that are one point, if the triangles certainly have nothing else in
    /// common: one of them has its other corners on one side of the other's plane. Without this test,
    /// integers would decide n^2 pairs where n triangles of each body have one apex.
    fn common_corner(&self, p: &[Vector; 3], q: &[Vector; 3]) -> Option<[usize; 2]> {
        if self.trust == Trust::Nothing {
            return None;
        }
        match &self.frame {
            ExactFrame::Stored => common_corner(p, q),
            ExactFrame::Sums([a, b]) => common_corner(&a.corners(p), &b.corners(q)),
            ExactFrame::Integers => None,
        }
    }
}

/// See [`PlacedBodies::common_corner`].
fn common_corner<P: ExactPoint>(p: &[P; 3], q: &[P; 3]) -> Option<[usize; 2]> {
    let i = (0..3).find(|&i| q.contains(&p[i]))?;
    let j = (0..3).find(|&j| q[j] == p[i])?;
    let is_beside = |[a, b, c]: &[P; 3], t: &[P; 3], at: usize| {
        let plane = OrientationPlane::new([a, b, c]);
        let sides = [1, 2].map(|k| plane.side(&t[(at + k) % 3]));
        sides[0] == sides[1] && matches!(sides[0], Some(1 | -1))
    };
    (is_beside(p, q, j) || is_beside(q, p, i)).then_some([i, j])
}

fn note(
    placed: &PlacedBodies<'_>,
    pair: [u32; 2],
    dirty: bool,
    cell: &Intersection,
    memory: &mut CurveMemory,
) {
    let CurveMemory { nodes, commons, ring, sides, .. } = memory;
    let first = ring.len() as u32;
    let feature = |carriers: [u8; 2]| [0, 1].map(|x| placed.feature(x, pair[x], carriers[x]));
    for (carriers, (across, left)) in cell.vertices.iter().zip(cell.sides).take(cell.len) {
        ring.push(nodes.spot(feature(*carriers), pair, dirty));
        let (body, corner) = (usize::from(across / 3), across % 3);
        let [v, w, _] = placed.feature(body, pair[body], 7 & !(1 << corner));
        sides.push(PolygonSide { edge: [v, w], body, left });
    }
    if cell.len == 1 {
        ring.truncate(first as usize);
        sides.truncate(first as usize);
        return;
    }
    let crossing = cell.len == 2 && cell.is_inside();
    commons.push(CommonPart { pair, of: feature(cell.of), first, len: cell.len as u32, crossing, dirty });
}

impl CurveMemory {
    /// Cuts segments and sides at nodes, and removes duplicates and segments in polygons.
    fn collect(&mut self, placed: &PlacedBodies<'_>, curves: &Curves) -> ControlFlow<()> {
        let Self { nodes, commons, ring, sides, segments, is_covered, cuts, .. } = self;
        cuts.prepare(nodes, &curves.nodes, commons, ring, sides, placed)?;
        segments.clear();
        for (number, common) in (0..).zip(commons.iter()).filter(|(_, common)| !common.is_polygon()) {
            placed.stop.check()?;
            let [p, q] = [ring[common.first as usize], ring[common.first as usize + 1]];
            let crossing = common.crossing;
            let mut push =
                |p: u32, q: u32| segments.push(CurveSegment { ends: [p.min(q), p.max(q)], crossing });
            if common.dirty {
                cuts.cut(number, [p, q], &mut push);
            } else {
                push(p, q);
            }
        }
        // If one of two equal segments runs along an edge, that one comes first.
        segments.sort_unstable_by_key(CurveSegment::key);
        segments.dedup_by_key(|segment| segment.ends);
        cuts.leave_out(segments, placed.stop)?;
        for segment in segments.iter() {
            segment.ends.iter().for_each(|&node| is_covered[node as usize] = true);
        }
        for common in commons.iter().filter(|common| common.is_polygon()) {
            ring[common.range()].iter().for_each(|&node| is_covered[node as usize] = true);
        }
        cuts.cover(is_covered);
        ControlFlow::Continue(())
    }

    /// Makes lines of segments, and points of nodes that are alone.
    fn join(&mut self, curves: &mut Curves, stop: StopFlag<'_>) -> ControlFlow<()> {
        let Self { segments, chains, is_covered, .. } = self;
        let (nodes, lines) = (std::mem::take(&mut curves.nodes), std::mem::take(&mut curves.lines));
        let mut lines = lines;
        let mut sum = RoundedNumber::ZERO;
        let traced = chains.trace(segments, nodes.len(), stop, &mut |chain| {
            sum = sum.plus(&line(chain, &nodes, &mut curves.along, &mut lines));
        });
        (curves.nodes, curves.lines, curves.length) = (nodes, lines, measure::interval(&sum));
        let alone = (0..).zip(is_covered.iter()).filter(|(_, is_covered)| !**is_covered);
        curves.points.extend(alone.map(|(node, _)| node));
        traced
    }
}

/// Curves as [`Query::curves`](crate::Query::curves) finds them, from all pairs of triangles that meet,
/// sorted; for [`brute_force`](crate::brute_force).
pub(crate) fn by_brute_force(a: &Body<'_>, b: &Body<'_>, pairs: &[[u32; 2]]) -> Curves {
    let mut curves = Curves::new();
    let (level, memory) = (SimdLevel::Portable, &mut CurveMemory::default());
    // Nothing stops it.
    let _ = find([a, b], pairs, Trust::Nothing, level, StopFlag(None), memory, &mut curves);
    curves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mesh, Model, Pose, Query};

    /// A cone of n sides, closed, with its apex at the origin.
    fn cone(n: u32, up: f64) -> Model {
        let mut points = vec![[0.0; 3], [0.0, 0.0, up]];
        points.extend((0..n).map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
            [angle.cos(), angle.sin(), up]
        }));
        let rim = |i: u32| 2 + i % n;
        let faces = (0..n).flat_map(|i| [[0, rim(i + 1), rim(i)], [1, rim(i), rim(i + 1)]]).collect();
        Model::new(Mesh::new(points, faces).unwrap())
    }

    /// All n^2 pairs of two cones, tip to tip, have the apex and nothing else; few lie in one plane. Without
    /// [`PlacedBodies::common_corner`] integers decide each of them.
    #[test]
    fn an_apex_of_many_triangles_takes_no_integers() {
        for pose in [Pose::IDENTITY, Pose::from_translation([0.1, 0.2, 0.3]).unwrap()] {
            let models = [cone(40, 1.0), cone(50, -1.0)];
            let [a, b] = models.each_ref().map(|model| Body::new(model, pose));
            let mut query = Query::new();
            let pairs = query.pairs(&a, &b).to_vec();
            let (mut memory, mut curves) = (CurveMemory::default(), Curves::new());
            let (level, stop) = (SimdLevel::default(), StopFlag(None));
            let _ = find([&a, &b], &pairs, Trust::Features, level, stop, &mut memory, &mut curves);
            assert!(pairs.len() == 40 * 50 && memory.asked <= 40 + 50, "{}", memory.asked);
            assert_eq!(curves, by_brute_force(&a, &b, &pairs));
            assert_eq!((curves.points().len(), curves.lines().len()), (1, 0));
        }
    }
}
