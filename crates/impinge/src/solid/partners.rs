//! Faces of a mesh that meet each other elsewhere than in common corners and edges.
use super::{SMALL, Solid, convex, once::unless_stopped, thin};
use crate::{
    counters::Count,
    flat::{BLOCK, BoxBlock},
    geometry::Geometry,
    narrow::{DecideAll, Narrow, extent},
    normalized_frame::NormalizedFrame,
    simd::{Simd, SimdLevel, Work, detect},
    sink::Sink,
    stop::StopFlag,
    walk::QueryContext,
};
use std::ops::ControlFlow;

impl Solid {
    /// For each triangle, degenerate ones and sheets too, true if it meets its own mesh elsewhere than in
    /// common corners and edges, or has a corner of a degenerate one inside of an edge. Empty if none does.
    /// Breaks, and keeps nothing, if it is stopped.
    pub(crate) fn meets_itself(&self, geometry: &Geometry, stop: StopFlag<'_>) -> ControlFlow<(), &[bool]> {
        unless_stopped(&self.meets_itself, || {
            let mut meets = Vec::new();
            if (0..geometry.mesh().len() as u32).all(|t| self.is_face(t)) && self.is_star(geometry) {
                return ControlFlow::Continue(meets);
            }
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
}

/// Most pairs of faces that are kept for each triangle of a mesh, besides half a million. If there are more,
/// none is kept: a mesh of n triangles may have n^2, which no memory holds.
const MOST_PAIRS: usize = 32;

/// Dirty faces: those that meet others of their mesh elsewhere than in common corners and edges.
pub(super) struct Dirty {
    /// For each triangle, true if it is dirty; empty if none is.
    pub(super) is_dirty: Vec<bool>,
    /// True if two of one component meet.
    pub(super) within: bool,
    /// The pairs, the lesser number first, in any order; `None` if there are too many.
    pub(super) pairs: Option<Vec<[u32; 2]>>,
}

/// Finds the dirty faces. Breaks if it is stopped.
pub(super) fn dirty(solid: &Solid, geometry: &Geometry, stop: StopFlag<'_>) -> ControlFlow<(), Dirty> {
    let (mut is_dirty, mut within, mut pairs) = (Vec::new(), false, Some(Vec::new()));
    if convex::is_convex(solid, geometry) || solid.is_star(geometry) {
        return ControlFlow::Continue(Dirty { is_dirty, within, pairs });
    }
    let most = MOST_PAIRS * geometry.mesh().len() + (1 << 19);
    let mut found = |pair: [u32; 2]| {
        if pair.iter().all(|&t| solid.is_face(t)) {
            within |= solid.component(pair[0]) == solid.component(pair[1]);
            is_dirty.resize(geometry.mesh().len(), false);
            pair.iter().for_each(|&t| is_dirty[t as usize] = true);
            let [s, t] = pair;
            pairs = pairs.take().filter(|pairs| pairs.len() < most);
            pairs.iter_mut().for_each(|pairs| pairs.push([s.min(t), s.max(t)]));
        }
        ControlFlow::Continue(())
    };
    if geometry.mesh().len() <= SMALL {
        sweep(solid, geometry, &mut found)?;
    } else {
        let ask = QueryContext::new(Default::default(), false, true, stop.0);
        ask.walk_within_once(
            geometry,
            Some(solid.vertices()),
            &mut Default::default(),
            &mut Sink::Each(&mut found),
        )?;
    }
    ControlFlow::Continue(Dirty { is_dirty, within, pairs })
}

/// Finds the pairs of faces of a small mesh that meet elsewhere than in common corners and edges, by a sweep
/// of their boxes along the mesh's longest side.
fn sweep(
    solid: &Solid,
    geometry: &Geometry,
    found: &mut dyn FnMut([u32; 2]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mesh = geometry.mesh();
    let [lo, hi] = geometry.extent();
    let length = |k: &usize| hi[*k] - lo[*k];
    let axis = (0..3).max_by(|j, k| length(j).total_cmp(&length(k))).unwrap_or(0);
    let start = |t: u32| extent(&mesh.corners(t)).0[axis];
    let faces = (0..mesh.len() as u32).filter(|&t| solid.is_face(t));
    let mut starts: Vec<(f64, u32)> = faces.map(|t| (start(t), t)).collect();
    starts.sort_unstable_by(|(a, s), (b, t)| a.total_cmp(b).then(s.cmp(t)));
    let order: Vec<u32> = starts.iter().map(|&(_, t)| t).collect();
    let frame = NormalizedFrame::new(*lo, *hi);
    let mut blocks = vec![BoxBlock::EMPTY; order.len().div_ceil(BLOCK)];
    for (k, &t) in order.iter().enumerate() {
        let (lo, hi) = extent(&mesh.corners(t));
        blocks[k / BLOCK].put(k % BLOCK, &[frame.apply(&lo), frame.apply(&hi)]);
    }
    let narrow = Narrow::within(geometry.at_rest().mesh(), Some(solid.vertices()));
    detect(SimdLevel::default()).call(FaceSweep { narrow, axis, order, blocks, found })
}

/// Faces in the order of their boxes' starts along an axis.
struct FaceSweep<'a> {
    narrow: Narrow<'a>,
    axis: usize,
    order: Vec<u32>,
    blocks: Vec<BoxBlock>,
    found: &'a mut dyn FnMut([u32; 2]) -> ControlFlow<()>,
}

impl Work for FaceSweep<'_> {
    type Out = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Out {
        let Self { narrow, axis, order, blocks, found } = self;
        let (mut waiting, mut count) = (Vec::with_capacity(WAITING + BLOCK), Count::default());
        for (k, &s) in order.iter().enumerate() {
            let (first, lane) = (k / BLOCK, k % BLOCK);
            let own = blocks[first].get(lane);
            // Its block has earlier boxes, too.
            let mut behind = !0 << (lane + 1);
            for (of_block, block) in order.chunks(BLOCK).zip(&blocks).skip(first) {
                if block.lo[axis][0] > own[1][axis] {
                    break;
                }
                let mut close = block.overlapping(simd, &own) & behind;
                behind = !0;
                while close != 0 {
                    let pair = [s, of_block[close.trailing_zeros() as usize]];
                    close &= close - 1;
                    match narrow.elsewhere(pair, &mut count) {
                        Some(true) => found(pair)?,
                        Some(false) => {}
                        // No common corner.
                        None => waiting.push(pair),
                    }
                }
                if waiting.len() >= WAITING {
                    decide(simd, &narrow, &waiting, found)?;
                    waiting.clear();
                }
            }
        }
        decide(simd, &narrow, &waiting, found)
    }
}

/// Passes on the pairs that meet.
#[inline(always)]
fn decide<S: Simd>(
    simd: S,
    narrow: &Narrow<'_>,
    pairs: &[[u32; 2]],
    found: &mut dyn FnMut([u32; 2]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (count, sink) = (&mut Count::default(), &mut Sink::Each(found));
    simd.call(DecideAll { narrow, pairs, count, sink })
}

/// Number of pairs that are decided together, and at most a block more.
const WAITING: usize = 64;

/// The other faces of its mesh that a face meets elsewhere than in common corners and edges.
pub(crate) fn partners(solid: &Solid, geometry: &Geometry, t: u32) -> Vec<u32> {
    let narrow = Narrow::within(geometry.at_rest().mesh(), Some(solid.vertices()));
    let (moved, count) = (narrow.moved(t), &mut Count::default());
    let (lo, hi) = (moved.lo, moved.hi);
    let mut found = Vec::new();
    let mut each = |u: u32| {
        if u != t && solid.is_face(u) && narrow.meet_within(u, t, &moved, count) {
            found.push(u);
        }
    };
    match solid.placed(geometry, 0, 1).boxes {
        Some(boxes) => boxes.visit(&|[l, h]| (0..3).all(|k| l[k] <= hi[k] && h[k] >= lo[k]), &mut each),
        None => (0..geometry.mesh().len() as u32).for_each(each),
    }
    // The order does not depend on the boxes.
    found.sort_unstable();
    found
}
