//! Oriented boxes of bodies: the box of a mesh in its own coordinates, at the body's pose (Ericson 4.4). A
//! scene tests two of them before it sets up a query.
use crate::{
    Model, Pose,
    vector::UNIT,
    vector::{Vector, dot, sub},
};

/// A parallelepiped c + sum [-1, 1] u_j. Enlarged by `error` on each coordinate, it contains the mesh at its
/// pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedObb {
    centre: Vector,
    half_axes: [Vector; 3],
    error: f64,
    /// For each half axis u: sum |u . u_j|, the reach of the box along u.
    own: Vector,
    /// For each half axis the sum of its components' absolute values.
    lengths: Vector,
    /// The sum of `lengths`.
    length: f64,
}

impl PlacedObb {
    pub(super) fn new(model: &Model, pose: &Pose) -> Self {
        let [lo, hi] = model.extent();
        let (rows, t) = (pose.rows(), pose.translation());
        let middle: Vector = [0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0);
        let half: Vector = [0, 1, 2].map(|k| hi[k] / 2.0 - lo[k] / 2.0);
        let mut size = 0.0_f64;
        let mut centre = [0.0; 3];
        for k in 0..3 {
            centre[k] = dot(rows[k], middle) + t[k];
            // MIN_POSITIVE bounds the loss of a subnormal `middle` or `half`.
            let reach: f64 =
                (0..3).map(|j| rows[k][j].abs() * (middle[j].abs() + half[j] + f64::MIN_POSITIVE)).sum();
            // `reach` is NaN only from 0 times infinity; then that of another row is infinite, as R is
            // invertible.
            size = size.max(reach + t[k].abs());
        }
        let half_axes = [0, 1, 2].map(|j| [0, 1, 2].map(|k| rows[k][j] * half[j]));
        let lengths = half_axes.map(|u| u[0].abs() + u[1].abs() + u[2].abs());
        Self {
            centre,
            half_axes,
            // One rounding for `middle`, one for `half`, one for their products with R, four sums.
            error: 10.0 * UNIT * size + 4.0 * f64::MIN_POSITIVE,
            own: half_axes.map(|u| half_axes.iter().map(|&v| dot(u, v).abs()).sum()),
            lengths,
            length: lengths.iter().sum(),
        }
    }

    pub(super) fn centre(&self) -> Vector {
        self.centre
    }
    /// An upper bound of the rounding error of each component of [`centre`](Self::centre), against R c + t
    /// over the real numbers, where c is the computed centre of the mesh's box.
    pub(super) fn error(&self) -> f64 {
        self.error
    }
    /// The sum of the absolute values of all components of all half axes.
    pub(super) fn length(&self) -> f64 {
        self.length
    }

    /// True if one of the six half axes of the two boxes proves them further apart than a margin (SAT lite:
    /// van den Bergen 1997, section 3). Conservative: true proves it, false proves nothing.
    ///
    /// With n a half axis of one of them and d the difference of the centres, n separates the boxes if
    /// |n . d| > sum |n . u_j| + sum |n . v_j|.
    ///
    /// Error, with e the sum of the two boxes' errors, L the sum of their lengths, and |.| the sum of a
    /// vector's absolute values: the true boxes reach |n| e further; n . d rounds by 4 u |n| |d|, the sums by
    /// 8 u |n| L.
    pub(super) fn is_apart_from(&self, other: &Self, margin: f64) -> bool {
        let d = sub(other.centre, self.centre);
        let rounding = 16.0 * UNIT * (d[0].abs() + d[1].abs() + d[2].abs() + self.length + other.length);
        let error = ((self.error + other.error) + margin) * (1.0 + 8.0 * UNIT) + rounding;
        let separates = |a: &Self, b: &Self| {
            (0..3).any(|k| {
                let n = a.half_axes[k];
                let gap = dot(n, d).abs();
                let across = |j: usize| dot(n, b.half_axes[j]).abs();
                let reach = a.own[k] + (across(0) + across(1) + across(2));
                // False if a side is infinite or NaN. The last term bounds underflow.
                gap > reach + a.lengths[k] * error + 64.0 * f64::MIN_POSITIVE && gap < f64::INFINITY
            })
        };
        separates(self, other) || separates(other, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;
    use crate::{Body, Mesh, Query};

    /// A box of twelve triangles between two corners.
    fn cuboid(lo: Vector, hi: Vector) -> Model {
        let points = (0..8).map(|c| [0, 1, 2].map(|k| if c >> k & 1 == 1 { hi[k] } else { lo[k] })).collect();
        let sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Model::new(Mesh::new(points, triangles).unwrap())
    }

    /// Tests boxes that nearly touch, of every size, near and far, rotated and sheared. No two that meet may
    /// be reported apart, and thousands that are apart must be.
    #[test]
    fn boxes_that_meet_are_never_apart() {
        let mut rng = Rng::new(17);
        let (mut met, mut apart) = (0, 0);
        for _ in 0..20_000 {
            let scale = *rng.pick(&[1e-200, 1e-3, 1.0, 1e6, 1e150]);
            let far = *rng.pick(&[0.0, 1.0, 1e9]);
            let side = |rng: &mut Rng| {
                let thin = *rng.pick(&[0.0, 1e-9, 1.0]);
                rng.between(0.1, 1.0) * if rng.one_in(3) { thin } else { 1.0 }
            };
            let mut corner = || {
                let lo = rng.point(far).map(|x| x * scale);
                let hi = lo.map(|x| x + side(&mut rng) * scale);
                (lo, hi)
            };
            let ((lo_a, hi_a), (lo_b, hi_b)) = (corner(), corner());
            let (a, b) = (cuboid(lo_a, hi_a), cuboid(lo_b, hi_b));
            let mut rows = || {
                let mut rows = rng.rotation();
                if rng.one_in(3) {
                    rows = *Pose::IDENTITY.rows();
                }
                if rng.one_in(4) {
                    rows[0] = [0, 1, 2].map(|k| 2.0 * rows[0][k] + 0.5 * rows[1][k]);
                }
                rows
            };
            let (of_a, of_b) = (rows(), rows());
            let pose_a = Pose::affine(of_a, rng.point(1.0).map(|x| x * scale)).unwrap();
            // A corner of b at a corner of a, or some ulps away, or much further.
            let (pick_a, pick_b) = (rng.below(8), rng.below(8));
            let at = |c: usize, lo: Vector, hi: Vector| {
                [0, 1, 2].map(|k| if c >> k & 1 == 1 { hi[k] } else { lo[k] })
            };
            let target = pose_a.place(at(pick_a as usize, lo_a, hi_a));
            let there = Pose::affine(of_b, [0.0; 3]).unwrap().place(at(pick_b as usize, lo_b, hi_b));
            let off = *rng.pick(&[0.0, 1e-16, 1e-14, 0.3]);
            let t =
                [0, 1, 2].map(|k| target[k] - there[k] + rng.between(-off, off) * (target[k].abs() + scale));
            let pose_b = Pose::affine(of_b, t).unwrap();
            let claimed = PlacedObb::new(&a, &pose_a).is_apart_from(&PlacedObb::new(&b, &pose_b), 0.0);
            let meet = Query::new().intersects(&Body::new(&a, pose_a), &Body::new(&b, pose_b));
            assert!(!(claimed && meet), "{lo_a:?} {hi_a:?} {pose_a:?} {lo_b:?} {hi_b:?} {pose_b:?}");
            met += usize::from(meet);
            apart += usize::from(claimed);
        }
        assert!(met > 3000 && apart > 3000, "{met} {apart}");
    }
}
