//! How often a mesh winds round a point: the signed number of its triangles that a ray leaves through their
//! front, less those that it leaves through their back.
//!
//! The ray runs along an axis of the mesh's own frame, from a probe (`exact/probe.rs`), which no triangle and
//! no edge is seen edge-on from. In f64 most triangles are known to lie beside the ray, or behind its start,
//! or in its way; integers decide the rest.
//!
//! # Signs
//! Let d be the ray's direction, x its start, and p, q corners of a triangle with normal n, one after the
//! other. The plane through p and q along d has the normal (q - p) x d; its value at x is -((q - p) x (x -
//! p)) . d. If it has the same sign s for all three edges, the line runs through the triangle, and n . d has
//! the sign -s. The ray does if the plane's value at x has the sign s, too; and it leaves through the front
//! if s < 0.
//!
//! # Rounding
//! In the mesh's own frame x is known to within `error`, in each coordinate, and corners are exact. The value
//! of an edge has two products of two differences, one of them with x: it rounds by 5 u of both, and moves by
//! `error` times the edge's coordinates. The plane's value rounds by 8 u of its permanent, and moves by
//! `error` times the sum of the absolute values of minors. 16 u and twice the error are taken.
use super::chain::{Chain, Role};
use crate::{
    Mesh, Pose,
    exact::{
        probe::{self, Exact, Place, Plane, Probe, Rounded, Space, reversed},
        wide::Wide,
    },
    motion::Motion,
    vector::{UNIT, Vector, cross, dot, sub},
};
use std::cell::OnceCell;

/// A chain at the pose of a body of a space.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(super) chain: &'a Chain,
    /// Which body of the space it is.
    pub(crate) body: usize,
    /// Whether the pose mirrors it: 1 or -1.
    pub(crate) handedness: i32,
    /// A box around the mesh, in its own frame.
    pub(crate) extent: &'a [Vector; 2],
}

/// Where a probe is, in a mesh's own frame: each coordinate to within an error. Not finite where nothing is
/// known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) point: Vector,
    pub(crate) error: f64,
}

/// A probe in rounded numbers, and in integers where these are not certain.
pub(crate) trait BothWays<const N: usize> {
    fn rounded(&self) -> Option<(&probe::Near, &Probe<Rounded>)>;
    fn exact(&self) -> (&Exact<'_, N>, &Probe<Wide<N>>);
}

/// A probe above a triangle of a body, near its first corner.
pub(crate) struct CornerProbe<'a, const N: usize> {
    corners: [Vector; 3],
    body: usize,
    rounded: (probe::Near, Probe<Rounded>),
    place: Exact<'a, N>,
    exact: OnceCell<Probe<Wide<N>>>,
}

impl<'a, const N: usize> CornerProbe<'a, N> {
    pub(crate) fn new(space: &'a Space, poses: [&Pose; 2], body: usize, corners: [Vector; 3]) -> Self {
        let near = probe::Near::new(poses, body, &corners[0]);
        let rounded = Probe::at_corner(&corners.each_ref().map(|v| near.point(body, v)));
        Self { corners, body, rounded: (near, rounded), place: Exact(space), exact: OnceCell::new() }
    }
}

impl<const N: usize> BothWays<N> for CornerProbe<'_, N> {
    fn rounded(&self) -> Option<(&probe::Near, &Probe<Rounded>)> {
        Some((&self.rounded.0, &self.rounded.1))
    }
    fn exact(&self) -> (&Exact<'_, N>, &Probe<Wide<N>>) {
        let make = || Probe::at_corner(&self.corners.each_ref().map(|v| self.place.point(self.body, v)));
        (&self.place, self.exact.get_or_init(make))
    }
}

impl Near {
    /// The image of a point that may be off by `off` in each coordinate.
    pub(crate) fn of(map: &Motion, (point, off): (Vector, f64)) -> Self {
        let error = map.error(&point.map(|x| x.abs() + off)) + 1.75 * map.norm * off;
        Self { point: map.apply(point), error: error * (1.0 + 8.0 * UNIT) }
    }
}

/// What floating point knows of a triangle and a ray.
enum Known {
    Missed,
    /// Left through the front: 1; through the back: -1.
    Left(i32),
    Unsure,
}

/// A ray along an axis.
#[derive(Clone, Copy)]
struct Ray {
    axis: usize,
    /// 1 or -1.
    way: f64,
    near: Near,
}

impl Ray {
    /// Along the axis on which the mesh ends soonest.
    fn new(near: Near, [lo, hi]: &[Vector; 2]) -> Self {
        let mut best = (f64::INFINITY, 0, 1.0);
        for axis in 0..3 {
            for (left, way) in [(hi[axis] - near.point[axis], 1.0), (near.point[axis] - lo[axis], -1.0)] {
                if left < best.0 {
                    best = (left, axis, way);
                }
            }
        }
        Self { axis: best.1, way: best.2, near }
    }
    #[inline(always)]
    fn meets(&self, t: &[Vector; 3]) -> Known {
        let (k, i, j) = (self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3);
        let Near { point: x, error } = self.near;
        let beside = |k: usize| {
            let (p, e) = (x[k], error);
            t[0][k].max(t[1][k]).max(t[2][k]) < p - e || t[0][k].min(t[1][k]).min(t[2][k]) > p + e
        };
        let behind = |v: f64| self.way * (v - x[k]) + error < 0.0;
        if beside(i) || beside(j) || (behind(t[0][k]) && behind(t[1][k]) && behind(t[2][k])) {
            return Known::Missed;
        }
        let mut signs = [0; 3];
        for (e, sign) in signs.iter_mut().enumerate() {
            let (p, q) = (t[e], t[(e + 1) % 3]);
            let (u, v) = ([q[i] - p[i], q[j] - p[j]], [x[i] - p[i], x[j] - p[j]]);
            let (first, second) = (u[0] * v[1], u[1] * v[0]);
            let bound = 16.0 * UNIT * (first.abs() + second.abs())
                + 2.0 * error * (u[0].abs() + u[1].abs())
                + f64::MIN_POSITIVE;
            // -(u x v) . d for d along axis k.
            let value = self.way * (second - first);
            *sign = i32::from(value > bound) - i32::from(value < -bound);
        }
        if signs.contains(&1) && signs.contains(&-1) {
            return Known::Missed;
        }
        if signs.contains(&0) {
            return Known::Unsure;
        }
        let (u, v, w) = (sub(t[1], t[0]), sub(t[2], t[0]), sub(x, t[0]));
        let n = cross(u, v);
        let sizes = [
            (u[1] * v[2]).abs() + (u[2] * v[1]).abs(),
            (u[2] * v[0]).abs() + (u[0] * v[2]).abs(),
            (u[0] * v[1]).abs() + (u[1] * v[0]).abs(),
        ];
        let bound = 16.0 * UNIT * dot(sizes, w.map(f64::abs))
            + 2.0 * error * (sizes[0] + sizes[1] + sizes[2])
            + f64::MIN_POSITIVE;
        let value = dot(n, w);
        let side = i32::from(value > bound) - i32::from(value < -bound);
        match side * signs[0] {
            0 => Known::Unsure,
            1 => Known::Left(-signs[0]),
            _ => Known::Missed,
        }
    }
}

impl Placed<'_> {
    /// Whether a probe is certainly outside of the mesh's box.
    pub(crate) fn is_beyond(&self, Near { point, error }: Near) -> bool {
        let [lo, hi] = self.extent;
        (0..3).any(|k| point[k] + error < lo[k] || point[k] - error > hi[k])
    }
    /// The winding number at a probe, in the mesh's own orientation.
    pub(crate) fn winding<const N: usize>(&self, near: Near, probe: &impl BothWays<N>) -> i32 {
        if self.is_beyond(near) {
            return 0;
        }
        let ray = Ray::new(near, self.extent);
        let mut sum = 0;
        for (t, role) in (0_u32..).zip(&self.chain.roles) {
            if *role != Role::Face {
                continue;
            }
            let corners = self.mesh.corners(t);
            sum += match ray.meets(&corners) {
                Known::Missed => 0,
                Known::Left(way) => way,
                Known::Unsure => self.decide(ray, probe, &corners),
            };
        }
        sum
    }
    #[cold]
    #[inline(never)]
    fn decide<const N: usize>(&self, ray: Ray, probe: &impl BothWays<N>, corners: &[Vector; 3]) -> i32 {
        let rounded = probe.rounded().and_then(|(place, probe)| self.crossing(ray, place, probe, corners));
        rounded.unwrap_or_else(|| {
            let (place, probe) = probe.exact();
            self.crossing(ray, place, probe, corners).unwrap_or(0)
        })
    }
    fn crossing<P: Place>(
        &self,
        ray: Ray,
        place: &P,
        probe: &Probe<P::Number>,
        corners: &[Vector; 3],
    ) -> Option<i32> {
        let p = corners.each_ref().map(|v| place.point(self.body, v));
        let axis = place.axis(self.body, ray.axis);
        let direction = if ray.way < 0.0 { reversed(&axis) } else { axis };
        let mut sign = 0;
        for e in 0..3 {
            let side = probe.side(&Plane::along(&p[e], &p[(e + 1) % 3], &direction))?;
            if e > 0 && side != sign {
                return Some(0);
            }
            sign = side;
        }
        let side = probe.side(&Plane::of(&p))?;
        Some(if side == sign { -sign * self.handedness } else { 0 })
    }
    /// The triangles of the mesh that a probe's point may lie on.
    pub(crate) fn candidates(&self, near: Near) -> impl Iterator<Item = u32> {
        let Near { point, error } = near;
        let ray = Ray::new(near, self.extent);
        (0_u32..).zip(&self.chain.roles).filter_map(move |(t, role)| {
            let corners = self.mesh.corners(t);
            let beside = (0..3).any(|k| {
                let c = corners.map(|v| v[k]);
                c.iter().all(|c| *c < point[k] - error) || c.iter().all(|c| *c > point[k] + error)
            });
            let certain = || *role == Role::Face && !matches!(ray.meets(&corners), Known::Unsure);
            (!beside && !certain()).then_some(t)
        })
    }
}
