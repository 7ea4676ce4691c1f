//! One query of two lists of triangles.
//!
//! # The region
//! All coordinates are in the first body's frame. A box of the second body, with centre c and half sides h,
//! has an image within |M| h of the image of c on each axis, where M is the exact linear part. Roundings on
//! the way are less than 2^-40 of the sums; [`Motion::error`] covers the map itself. The intersection of both
//! bodies lies in the first one's box and in the image of the second one's: the region is the box that these
//! share. A triangle that does not reach into it meets nothing, and of the others only the part inside
//! matters.
use super::{
    BLOCK, TriangleList,
    side::{Box3, FlatSide, common},
};
use crate::{
    Mesh, SimdLevel,
    counters::Count,
    motion::Motion,
    narrow::{DecidePairs, InOnePlane, Narrow, PlacedMesh, extent},
    normalized_frame::NormalizedFrame,
    simd::{MOST_DOUBLES, Simd, Work, detect},
    sink::Sink,
    stop::StopFlag,
};
use std::ops::ControlFlow;

#[derive(Debug, Default)]
pub(crate) struct FlatMemory {
    a: FlatSide,
    b: FlatSide,
    pairs: WaitingPairs,
    /// Pairs that lie in one plane, as the test of `pairs` found.
    in_one_plane: WaitingPairs,
}

/// Pairs whose boxes overlap, by their places on their sides. They wait until there is one for each f64 lane.
#[derive(Debug, Default)]
struct WaitingPairs {
    places: [[u32; 2]; MOST_DOUBLES],
    len: usize,
}

impl WaitingPairs {
    /// Adds a pair. Returns true if all lanes are full.
    #[inline(always)]
    fn push<S: Simd>(&mut self, places: [u32; 2]) -> bool {
        self.places[self.len] = places;
        self.len += 1;
        self.len == S::DOUBLES
    }
}

/// Two bodies as lists, and the query.
#[derive(Clone, Copy)]
pub(crate) struct Lists<'a> {
    pub(crate) meshes: [&'a Mesh; 2],
    pub(crate) lists: [&'a TriangleList; 2],
    /// The boxes of [`Region::Boxes`].
    pub(crate) region: [Box3; 2],
    pub(crate) narrow: &'a Narrow<'a>,
    pub(crate) stop: StopFlag<'a>,
    /// Nanoseconds that the build of the missing trees would take: a query that may take longer is left to
    /// the trees.
    pub(crate) build: u64,
}

/// Nanoseconds, about, of a comparison of a box with a block.
const TEST: u64 = 3;
/// Nanoseconds, about, of the work for a triangle whose box reaches into the region.
const CUT: u64 = 30;

/// A region that contains the intersection of two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Region {
    /// Their boxes share nothing.
    Nothing,
    /// A box in the first body's frame, and one around that in the second's.
    Boxes([Box3; 2]),
    /// No region, as numbers overflow.
    Unknown,
}

impl Region {
    /// The region of two bodies and the map from the second's frame to the first's.
    pub(crate) fn of([a, b]: [PlacedMesh<'_>; 2], b_to_a: &Motion) -> Self {
        let (of_a, of_b) = (a.extent, b.extent);
        if a.mesh.is_empty() || b.mesh.is_empty() {
            return Self::Nothing;
        }
        if a.pose == b.pose {
            // Nothing is moved or rounded.
            return common(of_a, of_b).map_or(Self::Nothing, |both| Self::Boxes([both; 2]));
        }
        let image_b = image(of_b, b_to_a, b.reach);
        if !is_finite(&image_b) {
            return Self::Unknown;
        }
        let Some(region) = common(of_a, &image_b) else { return Self::Nothing };
        let back = Motion::between(a.pose, b.pose);
        let image_a = image(&region, &back, a.reach);
        if !is_finite(&image_a) {
            return Self::Unknown;
        }
        common(of_b, &image_a).map_or(Self::Nothing, |region_b| Self::Boxes([region, region_b]))
    }
}

/// Sends every pair of triangles that meet to the sink, until that or the stop flag breaks. Returns the
/// nanoseconds of that, estimated from the work. Returns `None` and sends nothing if trees are faster.
pub(crate) fn walk(
    lists: &Lists<'_>,
    level: SimdLevel,
    memory: &mut FlatMemory,
    count: &mut Count,
    sink: &mut Sink<'_>,
) -> Option<(ControlFlow<()>, u64)> {
    detect(level).call(FlatWalk { lists, memory, count, sink })
}

struct FlatWalk<'a, 'h, 's> {
    lists: &'a Lists<'a>,
    memory: &'s mut FlatMemory,
    count: &'s mut Count,
    sink: &'s mut Sink<'h>,
}

impl Work for FlatWalk<'_, '_, '_> {
    type Out = Option<(ControlFlow<()>, u64)>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Out {
        let &Lists { meshes: [a, b], lists: [list_a, list_b], region, narrow, .. } = self.lists;
        let FlatMemory { a: of_a, b: of_b, .. } = self.memory;
        of_a.clipped.clear();
        of_b.clipped.clear();
        let mut spent = TEST * list_a.clip(simd, &region[0], &mut of_a.clipped) as u64;
        if !of_a.clipped.is_empty() {
            spent += TEST * list_b.clip(simd, &region[1], &mut of_b.clipped) as u64;
        }
        if of_a.clipped.is_empty() || of_b.clipped.is_empty() {
            return Some((ControlFlow::Continue(()), spent));
        }
        spent += CUT * (of_a.clipped.len() + of_b.clipped.len()) as u64;
        let pairs = of_a.clipped.len() as u64 * of_b.clipped.len() as u64;
        if spent + pairs / BLOCK as u64 * TEST > self.lists.build {
            return None;
        }
        // The box around the remaining boxes of one side cuts off more of the other side.
        let region = of_b.cut(&region[0], |j| {
            let moved = narrow.moved(j);
            [moved.lo, moved.hi]
        });
        let region = of_a.cut(&region, |i| {
            let (lo, hi) = extent(&a.corners(i));
            [lo, hi]
        });
        if is_empty(&region) {
            return Some((ControlFlow::Continue(()), spent));
        }
        let normalized = NormalizedFrame::new(region[0], region[1]);
        of_a.pack(a, &region, &normalized);
        of_b.pack(b, &region, &normalized);
        (self.memory.pairs.len, self.memory.in_one_plane.len) = (0, 0);
        let mut tests = 0;
        let done = overlaps(simd, self.lists, self.memory, &mut tests, self.count, self.sink);
        self.count.volumes_tested(tests * BLOCK as u64);
        Some((done, spent + TEST * tests))
    }
}

/// Decides the pairs of triangles whose boxes overlap.
#[inline(always)]
fn overlaps<S: Simd>(
    simd: S,
    lists: &Lists<'_>,
    memory: &mut FlatMemory,
    tests: &mut u64,
    count: &mut Count,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let FlatMemory { a, b, pairs, in_one_plane } = memory;
    let sides = [&*a, &*b];
    for (m, block_b) in b.boxes().iter().enumerate() {
        lists.stop.check()?;
        let bounds_b = b.bounds()[m / BLOCK].get(m % BLOCK);
        for (first, bounds_a) in (0..).step_by(BLOCK).zip(a.bounds()) {
            let mut blocks = bounds_a.overlapping(simd, &bounds_b);
            *tests += 1;
            while blocks != 0 {
                let k = blocks.trailing_zeros() as usize;
                blocks &= blocks - 1;
                let block_a = &a.boxes()[first + k];
                let mut columns = block_b.overlapping(simd, &bounds_a.get(k));
                *tests += 1 + u64::from(columns.count_ones());
                count.leaves_met((BLOCK * BLOCK) as u64);
                while columns != 0 {
                    let column = columns.trailing_zeros() as usize;
                    columns &= columns - 1;
                    let mut rows = block_a.overlapping(simd, &block_b.get(column));
                    let j = (m * BLOCK + column) as u32;
                    while rows != 0 {
                        let i = ((first + k) * BLOCK) as u32 + rows.trailing_zeros();
                        rows &= rows - 1;
                        if pairs.push::<S>([i, j]) {
                            decide(simd, lists.narrow, sides, [pairs, in_one_plane], count, sink)?;
                        }
                    }
                }
            }
        }
    }
    decide(simd, lists.narrow, sides, [pairs, in_one_plane], count, sink)?;
    decide_in_one_plane(simd, lists.narrow, sides, in_one_plane, count, sink)
}

/// Decides the waiting pairs; moves those in one plane to `in_one_plane`.
#[inline(always)]
fn decide<S: Simd>(
    simd: S,
    narrow: &Narrow<'_>,
    sides: [&FlatSide; 2],
    [waiting, in_one_plane]: [&mut WaitingPairs; 2],
    count: &mut Count,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    count.triangles_tested(waiting.len as u64);
    let mut left = 0;
    decide_all(simd, narrow, sides, waiting, InOnePlane::Leave(&mut left), count, sink)?;
    while left != 0 {
        let places = waiting.places[left.trailing_zeros() as usize];
        left &= left - 1;
        if in_one_plane.push::<S>(places) {
            decide_in_one_plane(simd, narrow, sides, in_one_plane, count, sink)?;
        }
    }
    ControlFlow::Continue(())
}

#[inline(never)]
fn decide_in_one_plane<S: Simd>(
    simd: S,
    narrow: &Narrow<'_>,
    sides: [&FlatSide; 2],
    waiting: &mut WaitingPairs,
    count: &mut Count,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    decide_all(simd, narrow, sides, waiting, InOnePlane::All, count, sink)
}

#[inline(always)]
fn decide_all<S: Simd>(
    simd: S,
    narrow: &Narrow<'_>,
    [a, b]: [&FlatSide; 2],
    waiting: &mut WaitingPairs,
    in_one_plane: InOnePlane<'_>,
    count: &mut Count,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let len = std::mem::take(&mut waiting.len);
    if len == 0 {
        return ControlFlow::Continue(());
    }
    let mut pairs = [[0; 2]; MOST_DOUBLES];
    let mut corners = [[&a.corners[0]; MOST_DOUBLES], [&b.corners[0]; MOST_DOUBLES]];
    for (k, &[i, j]) in waiting.places[..len].iter().enumerate() {
        pairs[k] = [a.numbers[i as usize], b.numbers[j as usize]];
        (corners[0][k], corners[1][k]) = (&a.corners[i as usize], &b.corners[j as usize]);
    }
    let eager = matches!(sink, Sink::Each(_));
    let (pairs, corners) = (&pairs[..len], Some(corners));
    simd.call(DecidePairs { narrow, pairs, corners, in_one_plane, eager, count, sink })
}

fn is_empty([lo, hi]: &Box3) -> bool {
    (0..3).any(|k| lo[k] > hi[k])
}

fn is_finite(of: &Box3) -> bool {
    of.as_flattened().iter().all(|x| x.is_finite())
}

/// A box that contains the image of another, whose points are within `reach` of the origin, axis by axis. Not
/// finite where the motion has no bound.
fn image([lo, hi]: &Box3, motion: &Motion, reach: &[f64; 3]) -> Box3 {
    const ROUNDING: f64 = 1.0 / (1_u64 << 40) as f64;
    let centre = motion.apply([0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0));
    let half = [0, 1, 2].map(|k| hi[k] / 2.0 - lo[k] / 2.0);
    let error = motion.error(reach);
    let reach = [0, 1, 2].map(|i| {
        let row = motion.linear[i].map(|m| m.abs() + motion.linear_error);
        let half = row[0] * half[0] + row[1] * half[1] + row[2] * half[2];
        half + error + ROUNDING * (half + error + centre[i].abs()) + f64::MIN_POSITIVE
    });
    [[0, 1, 2].map(|i| centre[i] - reach[i]), [0, 1, 2].map(|i| centre[i] + reach[i])]
}
