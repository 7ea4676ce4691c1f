//! Points of two placed bodies relative to one origin, each coordinate rounded about once.
//!
//! The intersection of two bodies may be small and far from the origin of the world: a slab of 1e-7 at 1 km.
//! Differences of rounded coordinates would be noise there. So a coordinate R v + t - o, with an origin o
//! between the bodies, is summed in twice the precision, and rounded at the end.
//!
//! # Errors
//! Three products are exact as two numbers each (Dekker 1971), and all eight numbers are summed by
//! compensated sums (Ogita, Rump and Oishi 2005, algorithm 5.3 and proposition 5.5). With S the sum of the
//! absolute values of the terms, the result x is off by at most u |x| + gamma_5^2 S, and gamma_5^2 < 32 u^2.
//! The code takes 64 u^2. An underflow of a few products adds less than the least normal number. An overflow
//! gives infinity or NaN, which minima, maxima and comparisons pass over: points that are not all within
//! 2^500 of the origin, and values calculated from them, have no bound.
use crate::{
    Pose,
    posed::{
        probe::{Coordinates, RoundedNumber},
        twice::{two_product, two_sum},
    },
    stop::StopFlag,
    vector::{NO_EXTENT, UNIT, Vector, grow, sub},
};
use std::ops::ControlFlow;

/// Points of two bodies, by their numbers in the meshes.
#[derive(Debug, Default)]
pub(super) struct OverlayPoints {
    /// The points of triangles with an area. The other entries mean nothing.
    pub(super) at: [Vec<Vector>; 2],
    /// Error bound of a coordinate, beyond u of itself.
    pub(super) tail: [Vector; 2],
    pub(super) origin: Vector,
    /// Boxes that contain the bodies.
    pub(super) boxes: [[Vector; 2]; 2],
    /// True for each body for which all of this holds. If not, these numbers prove nothing.
    are_known: [bool; 2],
}

/// A body's mesh points, those of them that are points of the body, its pose, and its
/// [`crate::Model::reach`].
#[derive(Clone, Copy)]
pub(super) struct BodyPoints<'a> {
    pub(super) points: &'a [Vector],
    pub(super) used: &'a [u32],
    pub(super) pose: &'a Pose,
    pub(super) reach: &'a Vector,
}

const BEYOND_NORMAL: f64 = 16.0 * f64::MIN_POSITIVE;
/// 2^500: products of two coordinates are finite.
const MOST: f64 = f64::from_bits((1023 + 500) << 52);

impl OverlayPoints {
    /// Places all used points of both bodies. Breaks if it is stopped.
    pub(super) fn place(&mut self, sources: [BodyPoints<'_>; 2], stop: StopFlag<'_>) -> ControlFlow<()> {
        // The origin is near the middle of the intersection of both boxes, which are rough.
        let mut common = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
        for source in &sources {
            let mut bounds = NO_EXTENT;
            let still = source.pose == &Pose::IDENTITY;
            for &v in source.used {
                let v = &source.points[v as usize];
                let x = if still { *v } else { roughly(source.pose, v) };
                grow(&mut bounds, &x);
            }
            let [lo, hi] = bounds;
            for k in 0..3 {
                common[0][k] = common[0][k].max(lo[k]);
                common[1][k] = common[1][k].min(hi[k]);
            }
        }
        let middle = |k: usize| common[0][k] / 2.0 + common[1][k] / 2.0;
        self.origin = [middle(0), middle(1), middle(2)];
        for (x, source) in sources.into_iter().enumerate() {
            self.place_one(x, source, stop)?;
        }
        ControlFlow::Continue(())
    }
    fn place_one(
        &mut self,
        x: usize,
        BodyPoints { points, used, pose, reach }: BodyPoints<'_>,
        stop: StopFlag<'_>,
    ) -> ControlFlow<()> {
        let (rows, t, o) = (pose.rows(), pose.translation(), &self.origin);
        let still = pose == &Pose::IDENTITY;
        let turned = rows != Pose::IDENTITY.rows();
        self.tail[x] = [0, 1, 2].map(|k| {
            let size = (0..3).map(|i| rows[k][i].abs() * reach[i]).sum::<f64>() + t[k].abs() + o[k].abs();
            if still { 0.0 } else { 64.0 * UNIT * UNIT * size + BEYOND_NORMAL }
        });
        let mut bounds = NO_EXTENT;
        let mut are_known = self.tail[x].iter().all(|tail| *tail < MOST);
        let at = &mut self.at[x];
        at.resize(at.len().max(points.len()), [0.0; 3]);
        for &v in used {
            stop.check()?;
            let (from, to) = (&points[v as usize], &mut at[v as usize]);
            for k in 0..3 {
                to[k] = if still {
                    from[k] - o[k]
                } else if turned {
                    placed(&rows[k], from, t[k], o[k])
                } else {
                    shifted(from[k], t[k], o[k])
                };
                are_known &= to[k].abs() < MOST;
            }
            grow(&mut bounds, to);
        }
        self.are_known[x] = are_known;
        let [lo, hi] = bounds;
        // Outwards.
        let off = |value: f64, k: usize| self.off(x, value, k);
        self.boxes[x] = [[0, 1, 2].map(|k| lo[k] - off(lo[k], k)), [0, 1, 2].map(|k| hi[k] + off(hi[k], k))];
        ControlFlow::Continue(())
    }
    /// True if the coordinates of both bodies are within their bound: none is too large.
    pub(super) fn are_known(&self) -> bool {
        self.are_known == [true; 2]
    }
    /// Error bound of a coordinate, and a little more.
    pub(super) fn off(&self, body: usize, value: f64, k: usize) -> f64 {
        2.0 * UNIT * value.abs() + self.tail[body][k]
    }
    /// A placed point with its errors.
    pub(super) fn point(&self, body: usize, v: u32) -> Coordinates<RoundedNumber> {
        let at = &self.at[body][v as usize];
        [0, 1, 2].map(|k| RoundedNumber::new(at[k], self.off(body, at[k], k)))
    }
    /// The intersection of both bodies' boxes: it contains that of the bodies.
    pub(super) fn common_box(&self) -> [Vector; 2] {
        let [a, b] = &self.boxes;
        [[0, 1, 2].map(|k| a[0][k].max(b[0][k])), [0, 1, 2].map(|k| a[1][k].min(b[1][k]))]
    }
    /// The vector from the centre of the first body's box to that of the second's.
    pub(super) fn away(&self) -> Vector {
        let [a, b] = self.boxes.map(|[lo, hi]| [0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0));
        sub(b, a)
    }
    /// True if a point of a body is certainly outside of the other's box.
    pub(super) fn is_beyond(&self, body: usize, v: u32) -> bool {
        let (at, [lo, hi]) = (&self.at[body][v as usize], &self.boxes[1 - body]);
        (0..3).any(|k| {
            let off = self.off(body, at[k], k);
            at[k] + off < lo[k] || at[k] - off > hi[k]
        })
    }
}

fn roughly(pose: &Pose, v: &Vector) -> Vector {
    let (rows, t) = (pose.rows(), pose.translation());
    [0, 1, 2].map(|k| rows[k][0] * v[0] + rows[k][1] * v[1] + rows[k][2] * v[2] + t[k])
}

/// row . v + t - o.
fn placed(row: &Vector, v: &Vector, t: f64, o: f64) -> f64 {
    let (mut sum, mut lost) = two_sum(t, -o);
    for i in 0..3 {
        // Poses have many zeros.
        if row[i] != 0.0 {
            let (product, low) = two_product(row[i], v[i]);
            let (next, rest) = two_sum(sum, product);
            lost += rest + low;
            sum = next;
        }
    }
    sum + lost
}

/// v + t - o.
fn shifted(v: f64, t: f64, o: f64) -> f64 {
    let (sum, lost) = two_sum(t, -o);
    let (sum, rest) = two_sum(sum, v);
    sum + (lost + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;

    /// Compares with coordinates rounded once: with an origin at 0, and near the points where that cancels.
    #[test]
    fn coordinates_are_off_by_no_more_than_they_say() {
        let (mut rng, mut points) = (Rng::new(76), OverlayPoints::default());
        for round in 0..2000 {
            let rows = if round % 4 == 0 { *Pose::IDENTITY.rows() } else { rng.rotation() };
            let scale = 10.0_f64.powi(rng.int(-3, 6) as i32);
            let pose = Pose::affine(rows, rng.point(scale)).unwrap();
            let v = [rng.point(1.0), rng.point(scale)];
            let reach = [0, 1, 2].map(|k| v[0][k].abs().max(v[1][k].abs()));
            let exactly = v.map(|v| pose.place(v));
            for (x, place) in exactly.iter().enumerate() {
                points.origin = if round % 2 == 0 { [0.0; 3] } else { *place };
                let source = BodyPoints { points: &v, used: &[0, 1], pose: &pose, reach: &reach };
                assert!(points.place_one(0, source, StopFlag(None)).is_continue());
                for k in 0..3 {
                    let (found, o) = (points.at[0][x][k], points.origin[k]);
                    // The reference is off by half a last bit of itself.
                    let off = points.off(0, found, k) + UNIT * place[k].abs();
                    assert!((found - (place[k] - o)).abs() <= off, "{round}: {found} {place:?} {o}");
                    assert!(points.off(0, found, k) < 4.0 * UNIT * found.abs() + 1e-28 * scale.max(1.0));
                }
            }
        }
    }
}
