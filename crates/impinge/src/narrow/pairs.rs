//! Tests of several pairs of triangles at once, one in each f64 lane: the filter, double-doubles behind it,
//! integers at the end.
use super::Narrow;
use crate::{
    Pose,
    counters::Count,
    exact::AxisPlacement,
    posed::exact_frame::ExactFrame,
    simd::{MOST_DOUBLES, Simd, TriangleCoordinates, Work},
    sink::Sink,
    triangle::{
        double_double,
        lanes::{self, LaneVector},
        same_pose::{self, Differences, FilterMasks},
    },
    vector::{UNIT, largest},
};
use std::ops::ControlFlow;

/// Stored corners of a triangle for each lane.
pub(crate) type Rows<'a> = [&'a TriangleCoordinates; MOST_DOUBLES];

/// Treatment of pairs of triangles at equal poses that lie in one plane. The test of other pairs does not
/// decide these.
pub(crate) enum InOnePlane<'s> {
    /// Decides them at once.
    Decide,
    /// Leaves them undecided and sets their bits: callers with many pairs collect them.
    Leave(&'s mut u32),
    /// Takes all pairs as such pairs.
    All,
}

/// Work that sends the pairs that meet, of some pairs, to the sink.
pub(crate) struct DecidePairs<'a, 's, 'h> {
    pub(crate) narrow: &'a Narrow<'a>,
    /// The pairs, at most [`Simd::DOUBLES`].
    pub(crate) pairs: &'a [[u32; 2]],
    /// The corners of both sides, if the caller has them.
    pub(crate) corners: Option<[Rows<'a>; 2]>,
    pub(crate) in_one_plane: InOnePlane<'s>,
    /// True if one contact may be all that is wanted.
    pub(crate) eager: bool,
    pub(crate) count: &'s mut Count,
    pub(crate) sink: &'s mut Sink<'h>,
}

impl Work for DecidePairs<'_, '_, '_> {
    type Out = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Out {
        let Self { narrow, pairs, corners, in_one_plane, eager, count, sink } = self;
        let own: [[TriangleCoordinates; MOST_DOUBLES]; 2];
        let corners = match corners {
            Some(corners) => corners,
            None => {
                own = narrow.gather(&pairs[..pairs.len().min(S::DOUBLES)]);
                own.each_ref().map(|side| side.each_ref())
            }
        };
        let [mut meet, unsure] = narrow.filter(simd, &corners, pairs.len(), in_one_plane);
        // One by one, the certain ones first: one contact may be all that is wanted.
        let mut left = unsure;
        while meet | left != 0 {
            if meet == 0 || !eager && left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let [i, j] = pairs[lane as usize];
                count.decided_exactly();
                meet |= u32::from(narrow.meet_exactly(&narrow.a.corners(i), j)) << lane;
                continue;
            }
            sink.take(pairs[meet.trailing_zeros() as usize])?;
            meet &= meet - 1;
        }
        ControlFlow::Continue(())
    }
}

/// Work that sends the pairs that meet, of any number of pairs, to the sink.
pub(crate) struct DecideAll<'a, 's, 'h> {
    pub(crate) narrow: &'a Narrow<'a>,
    pub(crate) pairs: &'a [[u32; 2]],
    pub(crate) count: &'s mut Count,
    pub(crate) sink: &'s mut Sink<'h>,
}

impl Work for DecideAll<'_, '_, '_> {
    type Out = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Out {
        let Self { narrow, pairs, count, sink } = self;
        for pairs in pairs.chunks(S::DOUBLES) {
            let (corners, in_one_plane) = (None, InOnePlane::Decide);
            simd.call(DecidePairs { narrow, pairs, corners, in_one_plane, eager: false, count, sink })?;
        }
        ControlFlow::Continue(())
    }
}

#[inline(always)]
fn flattened([a, b, c]: [[f64; 3]; 3]) -> TriangleCoordinates {
    [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
}

impl Narrow<'_> {
    /// The corners of both triangles of some pairs.
    #[inline(always)]
    fn gather(&self, pairs: &[[u32; 2]]) -> [[TriangleCoordinates; MOST_DOUBLES]; 2] {
        let mut corners = [[[0.0; 9]; MOST_DOUBLES]; 2];
        for (lane, &[i, j]) in pairs.iter().enumerate() {
            corners[0][lane] = flattened(self.a.corners(i));
            corners[1][lane] = flattened(self.b.corners(j));
        }
        corners
    }

    /// Tests a pair for each lane. Returns bits of the pairs that certainly meet, and of those left to
    /// integers.
    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        corners: &[Rows<'_>; 2],
        count: usize,
        in_one_plane: InOnePlane<'_>,
    ) -> [u32; 2] {
        let count = count.min(S::DOUBLES);
        if !matches!(self.frame, ExactFrame::Integers) {
            let frame = &self.frame;
            let FilterMasks { meet, unsure, coplanar } = match in_one_plane {
                InOnePlane::All => {
                    let all = ((1_u64 << count) - 1) as u32;
                    FilterMasks { meet: 0, unsure: all, coplanar: all }
                }
                _ => simd.call(InExactFrame { frame, corners, count }),
            };
            if let InOnePlane::Leave(left) = in_one_plane {
                *left = coplanar;
                return [meet, unsure & !coplanar];
            }
            if coplanar == 0 {
                return [meet, unsure];
            }
            let [hit, apart] = simd.call(InOnePlaneExactly { frame, corners });
            return [meet | hit & coplanar, unsure & !((hit | apart) & coplanar)];
        }
        let [meet, unsure] = simd.call(InDoubles { narrow: self, corners, count });
        if unsure == 0 || self.motion.is_none() {
            return [meet, unsure];
        }
        let [hit, left] = simd.call(InDoubleDoubles { narrow: self, corners, count });
        [meet | hit & unsure, unsure & left]
    }

    /// An upper bound of the sums |R v| + |t| of absolute values of both bodies' corners, on every axis.
    fn size(&self) -> f64 {
        let of = |pose: &Pose, reach: &[f64; 3]| {
            largest((0..3).map(|i| {
                let row = pose.rows()[i].map(f64::abs);
                row[0] * reach[0] + row[1] * reach[1] + row[2] * reach[2] + pose.translation()[i].abs()
            }))
        };
        let ((a, b), [reach_a, reach_b]) = (self.poses, self.reach);
        largest([of(a, reach_a), of(b, reach_b)]) * (1.0 + 8.0 * UNIT)
    }
}

/// The test of corners whose coordinates are exact. This test and the next ones are separate functions:
/// without optimisation a function takes stack for every vector that it names, so one for all would take the
/// stack of all.
struct InExactFrame<'a> {
    frame: &'a ExactFrame,
    corners: &'a [Rows<'a>; 2],
    count: usize,
}

impl Work for InExactFrame<'_> {
    type Out = FilterMasks;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> FilterMasks {
        let Self { frame, corners, count } = self;
        let of = differences(simd, frame, corners);
        same_pose::decide(&of, count, [simd.doubles(0.0), simd.doubles(10.0 * UNIT)])
    }
}

struct InOnePlaneExactly<'a> {
    frame: &'a ExactFrame,
    corners: &'a [Rows<'a>; 2],
}

impl Work for InOnePlaneExactly<'_> {
    /// The pairs that meet, and those that are apart.
    type Out = [u32; 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [u32; 2] {
        let of = differences(simd, self.frame, self.corners);
        let [zero, unit] = [simd.doubles(0.0), simd.doubles(10.0 * UNIT)];
        let constants = [zero, unit, simd.doubles(16.0 * UNIT), simd.doubles(f64::MIN_POSITIVE)];
        same_pose::decide_coplanar(&of, constants)
    }
}

/// The differences of corners in a frame where they are exact.
#[inline(always)]
fn differences<S: Simd>(
    simd: S,
    frame: &ExactFrame,
    [of_a, of_b]: &[Rows<'_>; 2],
) -> Differences<S::Doubles> {
    let (p, q) = (simd.load_corners(of_a), simd.load_corners(of_b));
    let ExactFrame::Sums([a, b]) = frame else { return Differences::of(&p, &q) };
    let offsets = [simd.splat_doubles(&a.offset), simd.splat_doubles(&b.offset)];
    Differences::of_moved([&turned(simd, a, p), &turned(simd, b, q)], offsets, simd.doubles(0.0))
}

/// Corners at a placement, without its offset.
#[inline(always)]
fn turned<S: Simd>(
    simd: S,
    place: &AxisPlacement,
    t: [LaneVector<S::Doubles>; 3],
) -> [LaneVector<S::Doubles>; 3] {
    if place.is_unturned() {
        return t;
    }
    let signs = simd.splat_doubles(&place.signs);
    let mut turned = t;
    for (to, from) in turned.iter_mut().zip(&t) {
        for k in 0..3 {
            to[k] = signs[k] * from[place.axes[k]];
        }
    }
    turned
}

/// The test in f64, with the second triangles moved to the first body's frame.
struct InDoubles<'a> {
    narrow: &'a Narrow<'a>,
    corners: &'a [Rows<'a>; 2],
    count: usize,
}

impl Work for InDoubles<'_> {
    /// The pairs that meet, and those that are undecided.
    type Out = [u32; 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [u32; 2] {
        let Self { narrow, corners: [of_a, of_b], count } = self;
        let (p, mut q) = (simd.load_corners(of_a), simd.load_corners(of_b));
        if let Some(motion) = &narrow.motion {
            q = lanes::moved(simd, motion, q);
        }
        let (all, sane) = lanes::RelativePairs::in_doubles(simd, p, q, narrow.delta);
        let constants = [simd.doubles(0.0), simd.doubles(31.0), simd.doubles(0.5)];
        let [meet, mut unsure] = lanes::decide(&all, count, constants);
        if unsure & sane != 0 {
            let constants = [simd.doubles(0.0), simd.doubles(2.5), simd.doubles(f64::MIN_POSITIVE)];
            unsure &= !lanes::separated_in_plane(&all, constants);
        }
        [meet & sane, unsure | !sane & ((1 << count) - 1)]
    }
}

struct InDoubleDoubles<'a> {
    narrow: &'a Narrow<'a>,
    corners: &'a [Rows<'a>; 2],
    count: usize,
}

impl Work for InDoubleDoubles<'_> {
    /// The pairs that meet, and those that are undecided.
    type Out = [u32; 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [u32; 2] {
        let Self { narrow, corners: [of_a, of_b], count } = self;
        let (size, [least, most]) = (narrow.size(), double_double::RANGE);
        if !(least..most).contains(&size) {
            return [0, u32::MAX];
        }
        let (a, b) = narrow.poses;
        let place = (double_double::placing(simd, a), double_double::placing(simd, b));
        let (p, q) = (simd.load_corners(of_a), simd.load_corners(of_b));
        let scale = simd.doubles(double_double::EXCESS * size);
        let constants = [simd.doubles(0.0), scale, simd.doubles(least), simd.doubles(most)];
        double_double::decide(&place.0, &p, &place.1, &q, count, constants)
    }
}
