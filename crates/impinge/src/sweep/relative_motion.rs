//! Two bodies around a moment: their relative placement, and the ways of their points.
use super::Moving;
use crate::{
    Body, Pose,
    distance::{Margin, MeshAt, TrianglePairDistances},
    drift::{Drift, Resting},
    motion::{self, Motion, Placement},
    normalized_frame::NormalizedFrame,
    triangle::{
        decide::Poses,
        moving::{FreeTime, MovingTriangle},
    },
    vector::{UNIT, largest, length, shrinking, sub},
};

/// Two bodies, the one that rests (or counts so) first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) a: Moving<'a>,
    pub(super) b: Moving<'a>,
    /// The distance that counts as contact.
    pub(super) margin: Margin,
    /// See [`frames_of`].
    frames: [NormalizedFrame; 2],
    /// That of A, if it rests.
    still: Option<Placed>,
}

/// What follows from the pose of A alone.
#[derive(Clone, Copy, Debug)]
struct Placed {
    from_world: Motion,
    norm: f64,
    /// Of the inverse.
    inverse_norm: f64,
}

impl Placed {
    fn new(pose: &Pose) -> Self {
        Self {
            from_world: Motion::between(&Pose::IDENTITY, pose),
            norm: Motion::between(pose, &Pose::IDENTITY).norm,
            inverse_norm: motion::inverse_norm(pose),
        }
    }
}

/// The normalized frames of both models. That of a point would make all distances huge: it gets the other
/// one's unit, in which it is the origin as well, or for two points one that suits the distances on their
/// way.
fn frames_of([a, b]: [&Moving<'_>; 2], margin: Margin) -> [NormalizedFrame; 2] {
    let is_point = |side: &Moving<'_>| side.model.extent()[0] == side.model.extent()[1];
    let (own, other) = (*a.model.normalized_frame(), *b.model.normalized_frame());
    match [is_point(a), is_point(b)] {
        [false, false] => return [own, other],
        [true, false] => return [NormalizedFrame { scale: other.scale, ..own }, other],
        [false, true] => return [own, NormalizedFrame { scale: own.scale, ..other }],
        [true, true] => {}
    }
    let far = [0.0, 0.5, 1.0].map(|t| {
        let [x, y] = [(a, own.origin), (b, other.origin)].map(|(side, v)| side.at(t).pose.place(v));
        length(sub(x, y))
    });
    let scale = shrinking(largest(far).max(margin.get()).max(f64::MIN_POSITIVE));
    [own, other].map(|frame| NormalizedFrame { scale, ..frame })
}

/// The two bodies at the middle of an interval of time.
pub(super) struct PairMoment<'a> {
    pub(super) a: Body<'a>,
    pub(super) b: Body<'a>,
    pub(super) b_to_a: Motion,
    frames: [NormalizedFrame; 2],
    /// From B's normalized frame to A's; its errors include those of the paths.
    to_frame: Motion,
    /// The paths' errors in A's frame.
    error: f64,
    pub(super) drift: Drift,
    /// The margin in A's normalized frame.
    pub(super) margin: f64,
    /// Bound of the error of a corner's coordinate in A's normalized frame.
    off: f64,
    /// A bound of the world's length per unit of A's normalized frame.
    unit: f64,
}

impl<'a> Pair<'a> {
    pub(super) fn new([a, b]: [Moving<'a>; 2], margin: Margin) -> Self {
        let still = a.is_still().then(|| Placed::new(&a.at(0.0).pose));
        Self { a, b, margin, frames: frames_of([&a, &b], margin), still }
    }
    /// True if A's frame is that of its tree, in whose unit the numbers of a walk are small enough.
    pub(super) fn can_be_walked(&self) -> bool {
        self.frames[0] == *self.a.model.normalized_frame()
    }
    /// The moment `t`, for an interval of which no time is further away than `half`.
    pub(super) fn at(&self, t: f64, half: f64) -> PairMoment<'a> {
        let [(a, twist_a, near_a), (b, twist_b, near_b)] =
            [&self.a, &self.b].map(|side| side.moment(t, half));
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let [frame, other] = &self.frames;
        let Placed { from_world, norm, inverse_norm } = self.still.unwrap_or_else(|| Placed::new(&a.pose));
        let radius = length(a.model.reach().map(|x| x * norm)) * (1.0 + 1e-9);
        let resting = Resting { pose: &a.pose, frame, from_world: &from_world, norm, radius };
        let mut twists = [twist_a, twist_b];
        if twists.iter().any(|twist| twist.rates.is_some()) {
            for (twist, side) in twists.iter_mut().zip([&self.a, &self.b]) {
                twist.rates.get_or_insert_with(|| side.rates(t));
            }
        }
        let drift = Drift::new(&resting, &twists, half, self.margin.get());
        let mut to_frame = b_to_a.in_normalized_frames(other, frame);
        // Points of B that come within the margin of A in the interval are now so far from its points at
        // most.
        let far = 2.0 * drift.longest(reach_of(&to_frame)) / frame.scale
            + self.margin.get() * from_world.norm * (1.0 + 1e-9);
        let error = self.a.error_of(t, far, near_a.as_ref()) + self.b.error_of(t, 0.0, near_b.as_ref());
        let error = error * from_world.norm * frame.scale * (1.0 + 1e-9);
        to_frame.offset_error = to_frame.offset_error.map(|x| x + error);
        let off = to_frame.error(&[NormalizedFrame::REACH; 3]) + 4.0 * UNIT * NormalizedFrame::REACH;
        let margin = frame.scale * inverse_norm * self.margin.get() * (1.0 + 8.0 * UNIT);
        PairMoment {
            a,
            b,
            b_to_a,
            frames: self.frames,
            to_frame,
            error,
            drift,
            margin,
            off,
            unit: norm / frame.scale,
        }
    }
}

impl Pair<'_> {
    /// The least of these pairs of triangles that are in contact at a time, exactly.
    pub(super) fn meeting(&self, t: f64, triangles: &[[u32; 2]]) -> Option<[u32; 2]> {
        let (a, b) = (self.a.at(t), self.b.at(t));
        let triangles = triangles.iter().copied();
        if self.margin.is_zero() {
            let exact = Poses::new(&a.pose, &b.pose);
            let meet =
                |&[i, j]: &[u32; 2]| exact.meet(&a.model.mesh().corners(i), &b.model.mesh().corners(j));
            triangles.filter(meet).min()
        } else {
            let distances = TrianglePairDistances::new([MeshAt::of(&a), MeshAt::of(&b)]);
            triangles.filter(|&pair| distances.are_within(pair, &self.margin)).min()
        }
    }
}

impl PairMoment<'_> {
    /// The placement of the normalized frames; its errors include those of the paths.
    pub(super) fn placement(&self) -> Placement {
        self.a.placement(&self.b, &self.b_to_a).with_margin(&[self.error; 3])
    }

    /// How long two triangles stay further apart than the margin, in units of half the interval.
    pub(super) fn free_time(&self, [i, j]: [u32; 2]) -> FreeTime {
        let [of_a, of_b] = &self.frames;
        let p = self.a.model.mesh().corners(i).map(|v| of_a.apply(&v));
        let q = self.b.model.mesh().corners(j).map(|v| self.to_frame.apply(of_b.apply(&v)));
        // Ways are affine: of all points of the triangle, a corner's is the longest.
        let turn = q.iter().map(|u| length(self.drift.turn.at(*u))).fold(0.0, f64::max);
        let ways = q.map(|u| self.drift.way.at(u));
        let size = q.iter().flatten().fold(NormalizedFrame::REACH, |most, x| most.max(x.abs()));
        let Drift { way, turn: across, bend_turn, bend_rest, relative_error, .. } = &self.drift;
        let rounding = (relative_error + 16.0 * UNIT) * (way.reach(size) + bend_turn * across.reach(size));
        // The error of a corner, of a length of sqrt 3 times `off`, moves its way.
        let moved = 1.7321 * self.off * way.rate();
        let bend = bend_turn * turn * (1.0 + 1e-9) + bend_rest + rounding + moved;
        MovingTriangle { p, q, ways, off: self.off, bend, margin: self.margin }.free_time()
    }

    /// Bound of the way of any point of B relative to A in the whole interval, in the world.
    pub(super) fn longest_way(&self) -> f64 {
        2.0 * self.unit * self.drift.longest(reach_of(&self.to_frame))
    }
}

/// Bound, but for rounding, of the coordinates of a tree's points under a motion.
fn reach_of(to: &Motion) -> f64 {
    let size = |i: usize| {
        let row = to.linear[i].iter().map(|x| x.abs()).sum::<f64>();
        row * NormalizedFrame::REACH + to.offset[i].abs()
    };
    size(0).max(size(1)).max(size(2))
}
