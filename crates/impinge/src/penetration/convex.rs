//! The shortest separating translation of two convex bodies, as an interval.
//!
//! # Definition
//! For a direction n of length 1 let h(n) be the greatest n . a of a point a of A less the least n . b of a
//! point b of B. After B moves by h(n) n, the plane across n through A's outermost point is between both. Two
//! convex bodies whose insides have no point in common have such a plane. So the length d of the shortest
//! separating translation is the least of all h(n). h is the support function of M, the set of all
//! differences a - b. So d is also the radius of the largest ball around the origin in M.
//!
//! # Upper bound
//! Each n gives a translation: `clear.rs` computes it with its bound. The direction is found here in rounded
//! arithmetic, and needs no proof.
//!
//! # Lower bound
//! A polytope whose corners are in M grows by the point of M that is farthest out along the normal of its
//! face nearest to the origin, as in the expanding polytope algorithm (van den Bergen 2001). If the hull of
//! some points of M contains a ball around the origin, then so does M.
//!
//! Corners are f64 vectors p, taken as exact, near a point of M: p = s (a - b) with a power of two s. Each
//! coordinate of a and b is off by 2 u of itself and its tail (`place.rs`), and the difference rounds by u of
//! itself. Coordinates below 2^-298 are set to 0, for exact signs (`exact/predicates.rs`); this covers what
//! underflows. Let e be the sum of these bounds over three coordinates. The hull of the corners is within e
//! of s M. If it contains a ball of radius r, then along each n the support function of s M is no less than
//! r - e. So d is at least (r - e) / s.
use super::{
    overlay::{Overlay, OverlayMemory},
    polytope::{Polytope, across},
};
use crate::vector::{UNIT, Vector, dot, shrinking};
use std::ops::ControlFlow;

/// The most corners of the polytope.
const MOST_CORNERS: usize = 1024;
/// The relative width of the interval at which the polytope is good enough.
const ACCURACY: f64 = 1.0 / (1_u64 << 44) as f64;
/// 2^-298.
const LEAST: f64 = f64::from_bits((1023 - 298) << 52);

/// Memory of the polytope.
#[derive(Debug, Default)]
pub(super) struct ConvexMemory {
    polytope: Polytope,
    seeds: Vec<Vector>,
}

/// The least width of two convex bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeastWidth {
    /// About the direction of the shortest separating translation, or the opposite one. Its length is 1 but
    /// for rounding.
    pub(super) way: Vector,
    /// No separating translation is shorter.
    pub(super) at_least: f64,
}

/// Finds the direction of the shortest separating translation of two convex bodies, and the lower bound of
/// its length. Points are placed in the world. `None` if the differences have no volume, to rounding. Breaks
/// if it is stopped.
pub(super) fn least_width(
    overlay: &Overlay<'_>,
    memory: &OverlayMemory,
    convex: &mut ConvexMemory,
) -> ControlFlow<(), Option<LeastWidth>> {
    let ConvexMemory { polytope, seeds } = convex;
    let differences = DifferenceSet::new(memory);
    seeds.clear();
    for k in 0..3 {
        for sign in [1.0, -1.0] {
            seeds.push(differences.farthest([0, 1, 2].map(|i| if i == k { sign } else { 0.0 })));
        }
    }
    let mut has_volume = polytope.begin(seeds);
    for _ in 0..2 {
        if !has_volume {
            for n in across(seeds).map(unit).into_iter().flatten() {
                seeds.extend([n, n.map(|x| -x)].map(|n| differences.farthest(n)));
            }
            has_volume = polytope.begin(seeds);
        }
    }
    if !has_volume {
        return ControlFlow::Continue(None);
    }
    let (mut best, mut way) = (f64::INFINITY, None);
    while let Some(face) = polytope.nearest().copied() {
        overlay.stop.check()?;
        let point = differences.farthest(face.n);
        let height = dot(face.n, point);
        if height < best {
            (best, way) = (height, Some(face.n));
        }
        let is_enough = best - face.at_least <= ACCURACY * best + differences.error;
        if is_enough || polytope.len() == MOST_CORNERS || !polytope.add(point) {
            break;
        }
    }
    let at_least = differences.length_at_least(polytope.ball());
    ControlFlow::Continue(way.map(|way| LeastWidth { way, at_least }))
}

/// The differences of points of two bodies, scaled so that no coordinate is more than 1.
struct DifferenceSet<'m> {
    /// The body with the lesser centre comes first: the polytope of exchanged bodies is the same.
    points: [(&'m [Vector], &'m [u32]); 2],
    scale: f64,
    /// Upper bound of the distance of a corner from a difference.
    error: f64,
}

impl<'m> DifferenceSet<'m> {
    fn new(memory: &'m OverlayMemory) -> Self {
        let points = &memory.points;
        let first = usize::from(points.away() < [0.0; 3]);
        let [[lo_a, hi_a], [lo_b, hi_b]] = &points.boxes;
        let reach = [0, 1, 2].map(|k| (hi_a[k] - lo_b[k]).abs().max((hi_b[k] - lo_a[k]).abs()));
        let scale = shrinking(reach[0].max(reach[1]).max(reach[2]));
        let mut error = 0.0;
        for k in 0..3 {
            error += UNIT * reach[k];
            for x in 0..2 {
                let [lo, hi] = &points.boxes[x];
                error += points.off(x, lo[k].abs().max(hi[k].abs()), k);
            }
        }
        Self {
            points: [first, 1 - first].map(|x| (&points.at[x][..], memory.face_points(x))),
            scale,
            error: error * scale * (1.0 + 32.0 * UNIT) + 8.0 * LEAST,
        }
    }
    /// The difference that is farthest out along a direction, to rounding.
    fn farthest(&self, n: Vector) -> Vector {
        let outermost = |(points, used): (&[Vector], &[u32]), sign: f64| {
            let n = n.map(|x| sign * x);
            let mut best = (f64::NEG_INFINITY, [0.0; 3]);
            for &v in used {
                let point = points[v as usize];
                let height = dot(n, point);
                if height > best.0 {
                    best = (height, point);
                }
            }
            best.1
        };
        let (a, b) = (outermost(self.points[0], 1.0), outermost(self.points[1], -1.0));
        [0, 1, 2].map(|k| {
            let x = (a[k] - b[k]) * self.scale;
            if x.abs() < LEAST { 0.0 } else { x }
        })
    }
    /// Lower bound of the least width, if the polytope contains a ball of this radius.
    fn length_at_least(&self, radius: f64) -> f64 {
        let length = (radius - self.error) * (1.0 - 4.0 * UNIT) / self.scale;
        if length > 0.0 { length.next_down() } else { 0.0 }
    }
}

/// A direction of length 1; `None` if it has no direction.
fn unit(n: Vector) -> Option<Vector> {
    let largest = n[0].abs().max(n[1].abs()).max(n[2].abs());
    let n = n.map(|x| x / largest);
    let length = dot(n, n).sqrt();
    (largest > f64::MIN_POSITIVE && length.is_finite()).then(|| n.map(|x| x / length))
}
