//! Winding number of a mesh round a point: the number of triangles that a ray from it leaves through their
//! front, less those that it leaves through their back.
//!
//! The ray runs obliquely to an axis of the mesh's own frame, from a probe (`posed/probe.rs`), from which no
//! triangle and no edge is seen edge-on. In f64 most triangles certainly lie beside the ray, or behind its
//! start, or in its way; rounded numbers with errors, then integers decide the rest.
//!
//! # Signs
//! Let d be the ray's direction, x its start, and n the normal of a triangle. For each of its edges, from
//! corner p to corner q, take the plane through p and q along d. It has the normal (q - p) x d and at x the
//! value -((q - p) x (x - p)) . d. If this value has the same sign s for all three edges, the line runs
//! through the triangle, and n . d has the sign -s. If the value of the triangle's plane at x has the sign s,
//! too, the ray runs through the triangle. It then leaves through the front if s < 0.
//!
//! # Rounding
//! In the mesh's own frame x is within `error`, in each coordinate, and corners are exact. Seen
//! along the ray a point has two coordinates, v - s w with a slope s < 1/2: for corners within 2 u of the
//! largest coordinate, for x within that and 3/2 `error`; `off` is no less. An edge's value has two
//! products of two differences, each off by 2 `off`, and rounds by 5 u of both. The plane's value rounds by
//! 8 u of its permanent, and moves by `error` times the sum of the absolute values of minors. 16 u and
//! twice what errors move are taken.
//!
//! An underflow adds less than the least normal number. `off` and the bounds include it; that of the plane's
//! value includes it times the coordinates that multiply minors. If something overflows, so does the sum of
//! absolute values in its bound.
use super::{
    boxes::{CurveBoxes, Extent},
    chain::{Chain, Closed, Role},
};
use crate::{
    Mesh, Pose,
    exact::wide::Wide,
    motion::Motion,
    narrow::extent,
    posed::probe::{self, Exact, PlacedPoints, Probe, ProbePlane, RoundedNumber, SLOPES, Space, reversed},
    vector::{UNIT, Vector, cross, dot, sub},
};
use std::cell::OnceCell;

/// A chain at the pose of a body of a space.
#[derive(Clone, Copy)]
pub(crate) struct PlacedChain<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(super) chain: &'a Chain,
    /// Number of the body in the space.
    pub(crate) body: usize,
    /// -1 if the pose mirrors it, else 1.
    pub(crate) handedness: i32,
    /// A box around the mesh, in its own frame.
    pub(crate) extent: &'a Extent,
    /// Boxes around its triangles, after enough queries.
    pub(super) boxes: Option<&'a CurveBoxes>,
}

/// Position of a probe in a mesh's own frame, each coordinate to within an error. Not finite if unknown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbePosition {
    pub(crate) point: Vector,
    pub(crate) error: f64,
}

/// A probe in rounded numbers, and in integers where these are not certain.
pub(crate) trait BothWays<const N: usize> {
    /// -1 where a direction is reversed.
    fn signs(&self) -> [i32; 3];
    fn rounded(&self) -> Option<(&probe::RoundedPoints, &Probe<RoundedNumber>)>;
    fn exact(&self) -> (&Exact<'_, N>, &Probe<Wide<N>>);
    /// The probe's body and triangle: the probe is at the first corner, and its first two directions run
    /// along the edges from there.
    fn triangle(&self) -> Option<(usize, &[Vector; 3])> {
        None
    }
}

/// A probe above a triangle of a body, or below it, near its first corner.
pub(crate) struct CornerProbe<'a, const N: usize> {
    corners: [Vector; 3],
    side: i32,
    body: usize,
    rounded: (probe::RoundedPoints, Probe<RoundedNumber>),
    place: Exact<'a, N>,
    /// Not on the stack: the widest integers of a probe take 70 KB.
    exact: OnceCell<Box<Probe<Wide<N>>>>,
}

impl<'a, const N: usize> CornerProbe<'a, N> {
    pub(crate) fn new(space: &'a Space, poses: [&Pose; 2], body: usize, corners: [Vector; 3]) -> Self {
        let near = probe::RoundedPoints::new(poses, body, &corners[0]);
        let rounded = Probe::at_corner(&near.corners(body, &corners));
        Self { corners, side: 1, body, rounded: (near, rounded), place: Exact(space), exact: OnceCell::new() }
    }
    pub(crate) fn below(mut self) -> Self {
        self.side = -1;
        self
    }
}

impl<const N: usize> BothWays<N> for CornerProbe<'_, N> {
    fn signs(&self) -> [i32; 3] {
        [1, 1, self.side]
    }
    fn rounded(&self) -> Option<(&probe::RoundedPoints, &Probe<RoundedNumber>)> {
        Some((&self.rounded.0, &self.rounded.1))
    }
    fn exact(&self) -> (&Exact<'_, N>, &Probe<Wide<N>>) {
        let make = || Box::new(Probe::at_corner(&self.place.corners(self.body, &self.corners)));
        (&self.place, self.exact.get_or_init(make))
    }
    fn triangle(&self) -> Option<(usize, &[Vector; 3])> {
        Some((self.body, &self.corners))
    }
}

impl ProbePosition {
    /// The image of a point that may be off by `off` in each coordinate.
    pub(crate) fn of(map: &Motion, point: Vector, off: f64) -> Self {
        let error = map.error(&point.map(|x| x.abs() + off)) + 1.75 * map.norm * off;
        Self { point: map.apply(point), error: error * (1.0 + 8.0 * UNIT) }
    }
    /// True if it is certainly outside of a box.
    pub(crate) fn is_beyond(&self, [lo, hi]: &Extent) -> bool {
        (0..3).any(|k| self.point[k] + self.error < lo[k] || self.point[k] - self.error > hi[k])
    }
    /// The axis along which a box ends soonest, and the direction on it: 1 or -1.
    fn soonest(&self, [lo, hi]: &Extent) -> (usize, f64) {
        let (mut least, mut best) = (f64::INFINITY, (0, 1.0));
        for axis in 0..3 {
            for (left, way) in [(hi[axis] - self.point[axis], 1.0), (self.point[axis] - lo[axis], -1.0)] {
                // Selections instead of branches: half of the branches would be mispredicted.
                best = if left < least { (axis, way) } else { best };
                least = least.min(left);
            }
        }
        best
    }
}

/// Number and vector of one of six directions in a mesh's own frame. It leaves the mesh's box soon, and is
/// seldom along an edge.
pub(crate) fn away(near: ProbePosition, extent: &Extent) -> (usize, Vector) {
    let (axis, way) = near.soonest(extent);
    let mut direction = [0.0; 3];
    direction[axis] = way;
    direction[(axis + 1) % 3] = way * SLOPES[0];
    direction[(axis + 2) % 3] = way * SLOPES[1];
    (2 * axis + usize::from(way > 0.0), direction)
}

/// The f64 result for a triangle and a ray.
enum CrossingFilterResult {
    Missed,
    /// Left through the front: 1; through the back: -1.
    Left(i32),
    Unsure,
}

/// A ray: its direction is oblique to an axis of the mesh's own frame ([`SLOPES`]).
#[derive(Clone, Copy)]
struct ObliqueRay {
    axis: usize,
    /// 1, or -1 for the opposite direction.
    way: f64,
    near: ProbePosition,
    /// The start as seen along the ray, and the bound of its error and of that of corners seen so.
    seen: [f64; 2],
    off: f64,
}

impl ObliqueRay {
    /// Ray along the axis on which the mesh ends soonest.
    fn new(near: ProbePosition, extent: &Extent) -> Self {
        let (axis, way) = near.soonest(extent);
        let size = extent.as_flattened().iter().chain(&near.point).fold(0.0, |m: f64, x| m.max(x.abs()));
        let off = 1.5 * near.error + 4.0 * UNIT * size + f64::MIN_POSITIVE;
        Self { axis, way, near, seen: see(axis, &near.point), off }
    }
    /// True if the ray may meet a triangle in a box. The comparisons that exclude a box exclude each triangle
    /// in it in [`meets`](Self::meets), too, because rounding is monotonic.
    #[inline(always)]
    fn may_meet(&self, [lo, hi]: &Extent) -> bool {
        let (k, ProbePosition { point: x, error }) = (self.axis, self.near);
        let foremost = if self.way > 0.0 { hi[k] } else { lo[k] };
        if self.way * (foremost - x[k]) + error < 0.0 {
            return false;
        }
        let reach = 2.0 * self.off;
        (0..2).all(|m| {
            let v = (k + 1 + m) % 3;
            let along = [SLOPES[m] * lo[k], SLOPES[m] * hi[k]];
            let (least, most) = (lo[v] - along[0].max(along[1]), hi[v] - along[0].min(along[1]));
            !(most < self.seen[m] - reach || least > self.seen[m] + reach)
        })
    }
    #[inline(always)]
    fn meets(&self, t: &[Vector; 3]) -> CrossingFilterResult {
        let (k, ProbePosition { point: x, error }) = (self.axis, self.near);
        let behind = |v: &Vector| self.way * (v[k] - x[k]) + error < 0.0;
        if behind(&t[0]) && behind(&t[1]) && behind(&t[2]) {
            return CrossingFilterResult::Missed;
        }
        let (c, off, at) = ([see(k, &t[0]), see(k, &t[1]), see(k, &t[2])], self.off, self.seen);
        let beside = |m: usize| {
            let reach = 2.0 * off;
            let below = |c: [f64; 2]| c[m] < at[m] - reach;
            let above = |c: [f64; 2]| c[m] > at[m] + reach;
            below(c[0]) && below(c[1]) && below(c[2]) || above(c[0]) && above(c[1]) && above(c[2])
        };
        if beside(0) || beside(1) {
            return CrossingFilterResult::Missed;
        }
        let mut signs = [0; 3];
        for (e, sign) in signs.iter_mut().enumerate() {
            let (p, q) = (c[e], c[(e + 1) % 3]);
            let (u, v) = ([q[0] - p[0], q[1] - p[1]], [at[0] - p[0], at[1] - p[1]]);
            let (first, second) = (u[0] * v[1], u[1] * v[0]);
            let bound = 16.0 * UNIT * (first.abs() + second.abs())
                + 4.0 * off * (u[0].abs() + u[1].abs() + v[0].abs() + v[1].abs() + 4.0 * off)
                + f64::MIN_POSITIVE;
            // -(u x v) . d.
            let value = self.way * (second - first);
            *sign = i32::from(value > bound) - i32::from(value < -bound);
        }
        if signs.contains(&1) && signs.contains(&-1) {
            return CrossingFilterResult::Missed;
        }
        if signs.contains(&0) {
            return CrossingFilterResult::Unsure;
        }
        let (u, v, w) = (sub(t[1], t[0]), sub(t[2], t[0]), sub(x, t[0]));
        let n = cross(u, v);
        let sizes = [
            (u[1] * v[2]).abs() + (u[2] * v[1]).abs(),
            (u[2] * v[0]).abs() + (u[0] * v[2]).abs(),
            (u[0] * v[1]).abs() + (u[1] * v[0]).abs(),
        ];
        let far = w.map(f64::abs);
        let bound = 16.0 * UNIT * dot(sizes, far)
            + 2.0 * error * (sizes[0] + sizes[1] + sizes[2])
            + f64::MIN_POSITIVE * (1.0 + far[0] + far[1] + far[2]);
        let value = dot(n, w);
        let side = i32::from(value > bound) - i32::from(value < -bound);
        match side * signs[0] {
            0 => CrossingFilterResult::Unsure,
            1 => CrossingFilterResult::Left(-signs[0]),
            _ => CrossingFilterResult::Missed,
        }
    }
}

/// A point seen along the direction oblique to an axis: the remainder of the next two coordinates.
#[inline(always)]
fn see(axis: usize, v: &Vector) -> [f64; 2] {
    let along = v[axis];
    [v[(axis + 1) % 3] - SLOPES[0] * along, v[(axis + 2) % 3] - SLOPES[1] * along]
}

impl PlacedChain<'_> {
    /// True if a probe is certainly outside of the mesh's box.
    pub(crate) fn is_beyond(&self, near: ProbePosition) -> bool {
        near.is_beyond(self.extent)
    }
    /// The change of the winding number from the front of a triangle to its back.
    pub(super) fn jump(&self, t: u32) -> i32 {
        i32::from(self.chain.roles[t as usize] == Role::Face)
    }
    /// True if two winding numbers are the same. Those of a mesh closed by parity alone are only odd or even:
    /// the number that a ray finds depends on its direction.
    pub(super) fn is_same(&self, a: i32, b: i32) -> bool {
        if self.chain.closed == Closed::Parity { (a - b) % 2 == 0 } else { a == b }
    }
    /// The winding number at a probe, in the mesh's own orientation.
    pub(crate) fn winding<const N: usize>(&self, near: ProbePosition, probe: &impl BothWays<N>) -> i32 {
        self.winding_of(near, probe, |_| true)
    }
    /// The winding number of the triangles that `counts` accepts, which bound something by themselves.
    pub(crate) fn winding_of<const N: usize>(
        &self,
        near: ProbePosition,
        probe: &impl BothWays<N>,
        counts: impl Fn(u32) -> bool,
    ) -> i32 {
        if self.is_beyond(near) {
            return 0;
        }
        let ray = ObliqueRay::new(near, self.extent);
        let mut sum = 0;
        let mut each = |t: u32| {
            if self.chain.roles[t as usize] == Role::Face && counts(t) {
                let corners = self.mesh.corners(t);
                sum += match ray.meets(&corners) {
                    CrossingFilterResult::Missed => 0,
                    CrossingFilterResult::Left(way) => way,
                    CrossingFilterResult::Unsure => self.decide(ray, probe, &corners),
                };
            }
        };
        match self.boxes {
            Some(boxes) => boxes.visit(&|extent| ray.may_meet(extent), &mut each),
            None => (0..self.mesh.len() as u32).for_each(each),
        }
        sum
    }
    #[cold]
    #[inline(never)]
    fn decide<const N: usize>(
        &self,
        ray: ObliqueRay,
        probe: &impl BothWays<N>,
        corners: &[Vector; 3],
    ) -> i32 {
        let (ray, signs) = (&ray, probe.signs());
        let own = probe.triangle().filter(|(body, _)| *body == self.body).map(|(_, corners)| corners);
        let rounded = probe.rounded();
        let rounded =
            rounded.and_then(|(place, probe)| self.crossing(ray, place, probe, signs, own, corners));
        rounded.unwrap_or_else(|| {
            let (place, probe) = probe.exact();
            self.crossing(ray, place, probe, signs, own, corners).unwrap_or(0)
        })
    }
    fn crossing<P: PlacedPoints>(
        &self,
        ray: &ObliqueRay,
        place: &P,
        probe: &Probe<P::Number>,
        signs: [i32; 3],
        own: Option<&[Vector; 3]>,
        corners: &[Vector; 3],
    ) -> Option<i32> {
        let (mut corners, mut p) = (*corners, place.corners(self.body, corners));
        // Starts at the probe's own corner: differences from it are 0 in rounded numbers, too.
        if let Some(first) = (0..3).find(|&i| probe.is_at(&p[i])) {
            corners.rotate_left(first);
            p.rotate_left(first);
        }
        // Edges from the probe's corner that this triangle shares lie in the planes through them. So there is
        // no need for a determinant that is 0: rounded numbers are rarely certain of it.
        let is_shared = |ends: &[Vector]| {
            let has = |own: &[Vector; 3], k: usize| ends.contains(&own[0]) && ends.contains(&own[k]);
            own.map_or([false; 2], |own| [has(own, 1), has(own, 2)])
        };
        let oblique = place.oblique(self.body, ray.axis);
        let direction = if ray.way < 0.0 { reversed(&oblique) } else { oblique };
        let mut sign = 0;
        for e in 0..3 {
            let next = (e + 1) % 3;
            let plane = ProbePlane::along(&p[e], &p[next], &direction, &p[if e == 2 { next } else { e }]);
            let side = probe.beside(&plane, is_shared(&[corners[e], corners[next]]))?.turned(signs);
            if e > 0 && side != sign {
                return Some(0);
            }
            sign = side;
        }
        let side = probe.beside(&ProbePlane::of(&p), is_shared(&corners))?.turned(signs);
        Some(if side == sign { -sign * self.handedness } else { 0 })
    }
    /// True if a triangle of the mesh on which a probe's point may lie has a property.
    pub(crate) fn is_any_at(&self, near: ProbePosition, mut is: impl FnMut(u32) -> bool) -> bool {
        let ProbePosition { point, error } = near;
        let ray = ObliqueRay::new(near, self.extent);
        let mut found = false;
        let beside = |lo: f64, hi: f64, k: usize| hi < point[k] - error || lo > point[k] + error;
        let mut each = |t: u32| {
            let corners = self.mesh.corners(t);
            let (lo, hi) = extent(&corners);
            if found || (0..3).any(|k| beside(lo[k], hi[k], k)) {
                return;
            }
            let is_face = self.chain.roles[t as usize] == Role::Face;
            let is_certain = is_face && !matches!(ray.meets(&corners), CrossingFilterResult::Unsure);
            found = !is_certain && is(t);
        };
        match self.boxes {
            Some(boxes) => boxes.visit(&|[lo, hi]| !(0..3).any(|k| beside(lo[k], hi[k], k)), &mut each),
            None => (0..self.mesh.len() as u32).for_each(each),
        }
        found
    }
}
