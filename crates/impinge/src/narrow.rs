//! The narrow phase: decides which triangles of two leaves meet. All walks end here.
mod pairs;

pub(crate) use self::pairs::{DecideAll, DecidePairs, InOnePlane};

use crate::{
    Mesh, Pose,
    counters::Count,
    motion::Motion,
    posed::exact_frame::ExactFrame,
    sink::Sink,
    triangle::{
        decide,
        filter::{self, FilterResult},
        neighbours::{self, ByIndex, SharedCorners},
    },
    vector::Triangle,
};
use std::{ops::ControlFlow, sync::OnceLock};

/// Two placed meshes, compared in the first one's frame.
pub struct Narrow<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    poses: (&'a Pose, &'a Pose),
    /// Both poses prepared for the exact stage, which makes this on first use.
    exact: OnceLock<decide::Poses>,
    /// `None` where both poses are the same: then nothing is transformed or rounded.
    motion: Option<Motion>,
    /// Bound of the error of a moved coordinate of `b`.
    delta: f64,
    /// Bounds of the distance of the models' corners from their origins, axis by axis.
    reach: [&'a [f64; 3]; 2],
    frame: ExactFrame,
    within: bool,
    /// For each point of a mesh compared with itself, the first one that is equal, if the caller has these.
    welded: Option<&'a [u32]>,
    /// True if every pair whose boxes meet counts.
    by_boxes: bool,
}

/// A triangle of the second mesh in the first one's frame, and a box that holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovedTriangle {
    corners: Triangle,
    pub(crate) lo: [f64; 3],
    pub(crate) hi: [f64; 3],
}

impl MovedTriangle {
    #[inline(always)]
    fn is_beside(&self, corners: &Triangle) -> bool {
        let (lo, hi) = extent(corners);
        // NaN, from a transform without a bound, excludes nothing.
        (0..3).any(|k| lo[k] > self.hi[k] || hi[k] < self.lo[k])
    }
}

#[inline(always)]
pub(crate) fn extent(t: &Triangle) -> ([f64; 3], [f64; 3]) {
    let least = |x: f64, y: f64| if y < x { y } else { x };
    let most = |x: f64, y: f64| if y > x { y } else { x };
    let lower = |k: usize| least(least(t[0][k], t[1][k]), t[2][k]);
    let upper = |k: usize| most(most(t[0][k], t[1][k]), t[2][k]);
    ([lower(0), lower(1), lower(2)], [upper(0), upper(1), upper(2)])
}

/// A placed mesh, and the bounds of its coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedMesh<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) pose: &'a Pose,
    /// At least the largest |x|, |y|, |z| of a triangle's corner.
    pub(crate) reach: &'a [f64; 3],
    /// The least and the greatest coordinates of the triangles' corners.
    pub(crate) extent: &'a [[f64; 3]; 2],
    /// True if products of three differences of coordinates neither overflow nor underflow.
    pub(crate) in_safe_range: bool,
}

impl<'a> Narrow<'a> {
    pub(crate) fn new(a: PlacedMesh<'a>, b: PlacedMesh<'a>, b_to_a: &Motion) -> Self {
        let same = a.pose == b.pose;
        Self {
            a: a.mesh,
            b: b.mesh,
            poses: (a.pose, b.pose),
            exact: OnceLock::new(),
            motion: (!same).then_some(*b_to_a),
            reach: [a.reach, b.reach],
            frame: ExactFrame::new([a.pose, b.pose], a.in_safe_range && b.in_safe_range),
            delta: if same { 0.0 } else { b_to_a.error(b.reach) },
            within: false,
            welded: None,
            by_boxes: false,
        }
    }

    /// A narrow phase that takes every pair whose boxes are no further apart than a margin on any axis, in
    /// the first body's own coordinates. The fast tree uses `wide/margin.rs` instead.
    pub(crate) fn near(a: PlacedMesh<'a>, b: PlacedMesh<'a>, b_to_a: &Motion, margin: f64) -> Self {
        let all = Self::new(a, b, b_to_a);
        // 1e-12 covers the roundings of this sum and of sums with coordinates.
        let reach = a.reach.iter().chain(b.reach).fold(margin, |most, &x| most.max(x));
        Self { by_boxes: true, delta: all.delta + margin + 1e-12 * reach, ..all }
    }

    /// A mesh compared with itself: see `triangle/neighbours.rs`. `welded` contains for each point the first
    /// one that is equal, if the caller has these.
    pub(crate) fn within(side: PlacedMesh<'a>, welded: Option<&'a [u32]>) -> Self {
        let all = Self::new(side, side, &Motion::between(side.pose, side.pose));
        Self { within: true, welded, ..all }
    }

    pub(crate) fn frame(&self) -> &ExactFrame {
        &self.frame
    }

    /// True if a mesh is compared with itself.
    #[inline(always)]
    pub fn is_within(&self) -> bool {
        self.within
    }

    #[inline(always)]
    pub(crate) fn moved(&self, j: u32) -> MovedTriangle {
        let own = self.b.corners(j);
        let corners = match &self.motion {
            Some(motion) => [motion.apply(own[0]), motion.apply(own[1]), motion.apply(own[2])],
            None => own,
        };
        let ([a, b, c], [x, y, z]) = extent(&corners);
        let delta = self.delta;
        MovedTriangle {
            corners,
            lo: [a - delta, b - delta, c - delta],
            hi: [x + delta, y + delta, z + delta],
        }
    }

    /// True if triangle `i` of the first mesh meets triangle `j` of the second.
    #[inline(always)]
    pub(crate) fn meet(&self, i: u32, j: u32, moved: &MovedTriangle, count: &mut Count) -> bool {
        let corners = self.a.corners(i);
        if moved.is_beside(&corners) {
            return false;
        }
        count.triangles_tested(1);
        self.by_boxes || self.decide(&corners, j, &moved.corners, count)
    }

    /// True if two triangles of one mesh meet, elsewhere than in common vertices and edges.
    #[inline(always)]
    pub(crate) fn meet_within(&self, i: u32, j: u32, moved: &MovedTriangle, count: &mut Count) -> bool {
        let corners = self.a.corners(i);
        if moved.is_beside(&corners) {
            return false;
        }
        count.triangles_tested(1);
        self.elsewhere([i, j], count).unwrap_or_else(|| self.decide(&corners, j, &moved.corners, count))
    }

    /// True if two triangles of one mesh that have corners in common meet elsewhere, too; `None` for others.
    #[inline(always)]
    pub(crate) fn elsewhere(&self, [i, j]: [u32; 2], count: &mut Count) -> Option<bool> {
        let face = |t: u32| {
            let corners = self.a.triangles()[t as usize];
            // Parts of CAD have points of their own on either side of an edge.
            self.welded.map_or(corners, |welded| corners.map(|v| welded[v as usize]))
        };
        match neighbours::by_index(face(i), face(j), self.a.points()) {
            ByIndex::OnlyThere => Some(false),
            ByIndex::Nothing if self.welded.is_some() => None,
            _ => self.elsewhere_by_corners([i, j], count),
        }
    }

    #[inline(never)]
    fn elsewhere_by_corners(&self, [i, j]: [u32; 2], count: &mut Count) -> Option<bool> {
        let (s, t) = (self.a.corners(i), self.a.corners(j));
        let common = SharedCorners::of(&s, &t);
        if let SharedCorners::Nothing = common {
            return None;
        }
        if common.is_all() {
            return Some(false);
        }
        count.decided_exactly();
        let (a, b) = self.poses;
        Some(common.is_exceeded(&s, self.exact.get_or_init(|| decide::Poses::new(a, b))))
    }

    #[inline(always)]
    fn decide(&self, corners: &Triangle, j: u32, moved: &Triangle, count: &mut Count) -> bool {
        match filter::decide(corners, moved, self.delta) {
            FilterResult::Meet => true,
            FilterResult::Apart => false,
            FilterResult::Unsure => {
                count.decided_exactly();
                self.meet_exactly(corners, j)
            }
        }
    }

    /// True if floating point proves that the inside of a triangle of the first mesh, by its corners, crosses
    /// that of triangle `j` of the second.
    pub(crate) fn certainly_cross(&self, corners: &Triangle, j: u32) -> bool {
        // The filter returns `Meet` only if an edge runs through the other's inside, from side to side.
        filter::decide(corners, &self.moved(j).corners, self.delta) == FilterResult::Meet
    }

    #[cold]
    #[inline(never)]
    fn meet_exactly(&self, corners: &Triangle, j: u32) -> bool {
        let other = self.b.corners(j);
        let answer = match &self.frame {
            ExactFrame::Stored => decide::meet_by_points(corners, &other),
            ExactFrame::Sums([a, b]) => decide::meet_by_points(&a.corners(corners), &b.corners(&other)),
            ExactFrame::Integers => None,
        };
        if let Some(answer) = answer {
            return answer;
        }
        let (a, b) = self.poses;
        self.exact.get_or_init(|| decide::Poses::new(a, b)).meet(corners, &other)
    }

    /// Sends every pair of two runs of triangles that meets to the sink, until that breaks.
    // Not inlined: the traversals of all volumes share it.
    #[inline(never)]
    pub fn leaves(
        &self,
        of_a: &[u32],
        of_b: &[u32],
        count: &mut Count,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        for &j in of_b {
            let moved = self.moved(j);
            for &i in of_a {
                if self.meet(i, j, &moved, count) {
                    sink.take([i, j])?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Sends every pair of two leaves of one mesh that meets to the sink, the lesser number first. Both may
    /// be the same leaf.
    #[inline(never)]
    pub fn leaves_within(
        &self,
        of_a: &[u32],
        of_b: &[u32],
        count: &mut Count,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        // A triangle occurs in one leaf.
        let one = of_a.first() == of_b.first();
        for (k, &j) in of_b.iter().enumerate() {
            let moved = self.moved(j);
            for &i in if one { &of_a[..k] } else { of_a } {
                if self.meet_within(i, j, &moved, count) {
                    sink.take([i.min(j), i.max(j)])?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
