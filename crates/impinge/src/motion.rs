//! Relative transforms: from one body's frame to another's, with a bound on every rounding.
//!
//! The exact transform is x -> A^-1 (B x + t_b - t_a). Its inverse part is not computable in floating point,
//! so it is replaced by an approximation whose distance from the exact one is bounded after the fact. With N
//! = fl(A^-1) and E = I - N A, A^-1 = (I - E)^-1 N. So for eta >= ||E|| (largest row sum), eta < 1/4, and any
//! w, |A^-1 w - N w| <= eta / (1 - eta) max|N w| <= 4/3 eta max|N w|. This assumes no orthonormality: a
//! rotation that is off by 1e-7 is inverted as it is.
//!
//! Rotations that are orthonormal up to the rounding of f64 take a shorter way. For N = A^T, [`Pose::defect`]
//! bounds E: nothing is inverted, and bounds of all sizes follow.
use crate::{
    Pose,
    normalized_frame::NormalizedFrame,
    pose::defect,
    vector::{Matrix, UNIT, Vector, largest},
};

/// Covers the underflow of a few products, each at most 2^-1074 (2^-1022 is 2^52 times that).
const UNDERFLOW: f64 = f64::MIN_POSITIVE;
/// Covers underflow in entries of a linear part, which are mostly of the size of 1. It is large enough that
/// its products with u are not subnormal: each subnormal operation costs 150 cycles.
const SMALL: f64 = f64::from_bits((1023 - 960) << 52);

/// Scales from this to its reciprocal have squares and reciprocals far from the limits of f64, and so have
/// products with these.
const LEAST_SCALE: f64 = f64::from_bits((1023 - 200) << 52);
/// The largest sum of both poses' [`Pose::defect`] for the shorter way.
const SKEW: f64 = 1.0 / (1_u64 << 46) as f64;
/// The factor by which such rotations may lengthen a vector, with the rounding and the errors of three
/// products of them: 2^-46 and 9 (8 u + 2^-46).
const NORM_EXCESS: f64 = 1.0 / (1_u64 << 41) as f64;

/// A relative transform x -> M x + c with error bounds: the exact transform has a linear part within
/// `linear_error` of M, entry by entry, and an offset within `offset_error` of c. NaN or infinity in any of
/// these means that the transform has no bound.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Matrix M.
    pub linear: Matrix,
    /// Offset c.
    pub offset: Vector,
    /// Bound of the error of each entry of M.
    pub linear_error: f64,
    /// The bound of the error of each entry of c.
    pub offset_error: Vector,
    /// An upper bound of the spectral norms of M and of the exact linear part (their largest singular
    /// values). For rotations it is the ratio of the normalized frames' scales and some 1e-12 more, or 1e-7
    /// more for those that were rounded to f32.
    pub norm: f64,
    /// A power of two s, and a bound of |I - L^T L / s^2| in the spectral norm for the exact linear part L: 0
    /// for a similarity. Infinity without a bound.
    similarity: [f64; 2],
}

/// A linear map that is a rotation up to rounding. Bounds do not assume that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rotation {
    pub(crate) rows: Matrix,
    /// An upper bound of |I - F^T F| (largest row sum).
    defect: f64,
    /// An upper bound of the sum of absolute values of any row or column.
    norm: f64,
}

impl Rotation {
    pub(crate) fn new(rows: Matrix) -> Self {
        let sums =
            (0..3).flat_map(|i| [sum(&rows[i]), rows[0][i].abs() + rows[1][i].abs() + rows[2][i].abs()]);
        Self { rows, defect: defect(&rows), norm: largest(sums) * (1.0 + 4.0 * UNIT) }
    }
    fn is_none(&self) -> bool {
        self.rows == *Pose::IDENTITY.rows()
    }
}

#[inline(always)]
fn matrix(f: impl Fn(usize, usize) -> f64) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| f(i, j)))
}
#[inline(always)]
fn vector(f: impl Fn(usize) -> f64) -> Vector {
    std::array::from_fn(f)
}
#[inline(always)]
fn times(a: &Matrix, b: &Matrix) -> Matrix {
    matrix(|i, j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j])
}
#[inline(always)]
fn apply(a: &Matrix, v: &Vector) -> Vector {
    // Not `from_fn`, nor `map` below: across crates their closures stay calls.
    let row = |i: usize| a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2];
    [row(0), row(1), row(2)]
}
fn abs(a: &Matrix) -> Matrix {
    matrix(|i, j| a[i][j].abs())
}
fn transpose(a: &Matrix) -> Matrix {
    matrix(|i, j| a[j][i])
}
#[inline(always)]
fn sum(v: &Vector) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}
impl Motion {
    const IDENTITY: Self = Self {
        linear: *Pose::IDENTITY.rows(),
        offset: [0.0; 3],
        linear_error: 0.0,
        offset_error: [0.0; 3],
        norm: 1.0 + NORM_EXCESS,
        similarity: [1.0, 0.0],
    };

    /// The map from points of a body at `from` to the frame of a body at `to`.
    pub fn between(from: &Pose, to: &Pose) -> Self {
        if from == to {
            return Self::IDENTITY;
        }
        // The difference is rounded once, N's product with it three times.
        let d = vector(|i| from.translation()[i] - to.translation()[i]);
        let skew = from.defect() + to.defect();
        if skew > SKEW {
            return Self::between_any(from, to, &d);
        }
        let n = transpose(to.rows());
        // Columns of a product, and entries of N, exceed 1 by less than the factor 1.02 covers.
        let far = 1.02 * to.defect();
        Self {
            linear: times(&n, from.rows()),
            offset: apply(&n, &d),
            linear_error: 4.0 * UNIT + far,
            offset_error: [(5.0 * UNIT + far) * sum(&d) + UNDERFLOW; 3],
            norm: 1.0 + NORM_EXCESS,
            similarity: [1.0, 1.01 * skew],
        }
    }

    /// The relative transform of any two poses, given the difference of their translations.
    #[cold]
    fn between_any(from: &Pose, to: &Pose, d: &Vector) -> Self {
        let n = approximate_inverse(to.rows());
        let eta = inverse_error(&n, to.rows());
        // Larger than 4/3 by the rounding above; unknown if the map is too far from invertible.
        let far = if eta < 0.25 { 1.5 * eta } else { f64::NAN };

        let linear = times(&n, from.rows());
        let size = times(&abs(&n), &abs(from.rows()));
        let linear_error = (4.0 * UNIT + far) * largest(size.into_iter().flatten()) + SMALL;
        let offset = apply(&n, d);
        let size = apply(&abs(&n), &d.map(f64::abs));
        let offset_error = vector(|i| 5.0 * UNIT * size[i] + far * largest(size) + UNDERFLOW);
        let norm = spectral_norm(&linear, linear_error);
        Self { linear, offset, linear_error, offset_error, norm, similarity: [1.0, f64::INFINITY] }
    }

    /// The inverse, for a similarity transform (a rotation between normalized frames of any scales); `None`
    /// for others.
    ///
    /// With L = s Q for the exact linear part and M = s (Q + D), |D| <= 3 `linear_error` / s, and |I - Q^T Q|
    /// <= e, N = M^T / s^2 has |I - N L| <= eta = e + (1 + e) |D|: and so |L^-1 - N| <= eta / (1 - eta) |N|.
    pub fn inverse(&self) -> Option<Self> {
        let [scale, skew] = self.similarity;
        let far = sum(&self.offset);
        // Nothing overflows then.
        let sane = (LEAST_SCALE..=1.0 / LEAST_SCALE).contains(&scale) && far < 1.0 / LEAST_SCALE;
        if !(sane && skew < 1e-9 && self.linear_error < 1e-9 * scale) {
            return None;
        }
        let (over, square) = (1.0 / scale, 1.0 / (scale * scale));
        let eta = 1.01 * skew + 3.01 * self.linear_error * over;
        let image = apply(&transpose(&self.linear), &self.offset);
        // The errors of N, of a product of three with it, and of c, whose error has a length of sqrt 3 times
        // the largest at most.
        let error = over * ((1.02 * eta + 4.0 * UNIT) * far + 1.75 * largest(self.offset_error)) + UNDERFLOW;
        Some(Self {
            linear: matrix(|i, j| self.linear[j][i] * square),
            offset: vector(|i| -image[i] * square),
            linear_error: 1.02 * eta * over + SMALL,
            offset_error: [error; 3],
            norm: over * (1.0 + 1e-8),
            similarity: [over, 1.01 * skew],
        })
    }

    /// M v + c.
    #[inline(always)]
    pub fn apply(&self, v: Vector) -> Vector {
        let [x, y, z] = apply(&self.linear, &v);
        [x + self.offset[0], y + self.offset[1], z + self.offset[2]]
    }

    /// Bound of the distance of [`Motion::apply`] from the exact image, in any coordinate, for points within
    /// `reach` of the origin (axis by axis).
    pub(crate) fn error(&self, reach: &Vector) -> f64 {
        if self.linear_error == 0.0 && self.offset_error == [0.0; 3] {
            // The identity.
            return 0.0;
        }
        let size = apply(&abs(&self.linear), reach);
        let map = self.linear_error * sum(reach);
        // Four roundings, and a fifth for the sum of an image and this.
        largest(vector(|i| {
            5.0 * UNIT * (size[i] + self.offset[i].abs())
                + (map + self.offset_error[i]) * (1.0 + 16.0 * UNIT)
                + UNDERFLOW
        }))
    }

    /// Bound of the distance of the exact images of a point under this transform and another, axis by axis,
    /// for points whose coordinates are no larger than `reach`. NaN without a bound.
    pub(crate) fn distance(&self, other: &Self, reach: f64) -> Vector {
        vector(|i| {
            let entry = |j: usize| (self.linear[i][j] - other.linear[i][j]).abs();
            let errors = 3.0 * (self.linear_error + other.linear_error);
            let sum = (entry(0) + entry(1) + entry(2) + errors) * reach
                + (self.offset[i] - other.offset[i]).abs()
                + self.offset_error[i]
                + other.offset_error[i];
            // No term is negative: ten roundings of each.
            sum * (1.0 + 32.0 * UNIT) + UNDERFLOW
        })
    }

    /// This transform between the normalized frames of two trees.
    pub fn in_normalized_frames(&self, from: &NormalizedFrame, to: &NormalizedFrame) -> Self {
        // x_to = s (M (x_from / r + o) + c - p), with s, r powers of two, which round nothing (but may
        // underflow).
        let (s, ratio) = (to.scale, to.scale / from.scale);
        let image = apply(&self.linear, &from.origin);
        let size = apply(&abs(&self.linear), &from.origin.map(f64::abs));
        let map = self.linear_error * sum(&from.origin);
        // A ratio below 2^-1074 is 0: then an entry of M and its error, less than 2^1024, each lose less than
        // 2^-51.
        let lost = if ratio == 0.0 { 4.0 * f64::EPSILON } else { SMALL };
        let [scale, skew] = self.similarity;
        Self {
            linear: matrix(|i, j| self.linear[i][j] * ratio),
            offset: vector(|i| s * (image[i] + self.offset[i] - to.origin[i])),
            linear_error: self.linear_error * ratio + lost,
            offset_error: vector(|i| {
                let rounding = 6.0 * UNIT * (size[i] + self.offset[i].abs() + to.origin[i].abs());
                s * ((map + self.offset_error[i]) * (1.0 + 16.0 * UNIT) + rounding) + UNDERFLOW
            }),
            norm: self.norm * ratio * (1.0 + 2.0 * UNIT) + 3.0 * lost,
            similarity: [scale * ratio, skew],
        }
    }

    /// This transform between rotated frames: with F and T the linear maps `from` and `to`, x' =
    /// T (M F^-1 x + c). Neither is assumed to be orthogonal. F^-1 is replaced by F^T; with E = I - F^T F the
    /// bound of the difference is |(I - E)^-1 - I| <= |E| / (1 - |E|).
    pub(crate) fn turned(&self, from: &Rotation, to: &Rotation) -> Self {
        let mut motion = *self;
        // The error of M grows by a factor of the rotation's `norm`; a sum of three products of rows no
        // longer than the motion's `norm` and 1 rounds three times.
        let rounded = 3.01 * UNIT * self.norm + SMALL;
        if !from.is_none() {
            // NaN where it may be far from a rotation.
            let far = if from.defect < 1e-9 { 1.02 * from.defect } else { f64::NAN };
            motion.linear = times(&motion.linear, &transpose(&from.rows));
            motion.linear_error = motion.linear_error * from.norm * (1.0 + 1e-8) + far * self.norm + rounded;
            motion.similarity[1] = 1.01 * (motion.similarity[1] + from.defect);
            motion.norm *= 1.0 + 1e-9;
        }
        if !to.is_none() {
            let far = if to.defect < 1e-9 { 0.0 } else { f64::NAN };
            motion.linear = times(&to.rows, &motion.linear);
            motion.linear_error = motion.linear_error * to.norm * (1.0 + 1e-8) + rounded;
            let c = &self.offset;
            let error = 4.0 * UNIT * sum(c) + to.norm * (1.0 + 1e-8) * largest(self.offset_error) + UNDERFLOW;
            motion.offset = apply(&to.rows, c);
            motion.offset_error = [error; 3];
            motion.similarity[1] = 1.01 * (motion.similarity[1] + to.defect);
            motion.norm *= 1.0 + 1e-9 + far;
        }
        motion
    }

    /// Bounds, axis by axis, for tests in normalized frames on doubled coordinates: the distance of the
    /// computed image of a point from the exact one, and 32 roundings of quantities no larger than
    /// 8 |M| + 2 |c| + 8.
    ///
    /// A normalized frame's coordinates are at most 4 in size, those of a box in it a rounding to f32 more:
    /// hence 9 for 8. So no sum of such quantities overflows unless the bound does, and an infinite bound
    /// proves nothing.
    pub fn pad(&self) -> Vector {
        vector(|i| {
            let row = &self.linear[i];
            let size = 9.0 * (row[0].abs() + row[1].abs() + row[2].abs()) + 2.0 * self.offset[i].abs() + 9.0;
            let error = 24.0 * self.linear_error + 2.0 * self.offset_error[i];
            32.0 * UNIT * size + error * (1.0 + 16.0 * UNIT) + UNDERFLOW
        })
    }
}

impl Motion {
    /// The length of [`Motion::pad`]: a bound for tests of lengths and distances.
    pub fn slack(&self) -> f64 {
        let [x, y, z] = self.pad();
        (x * x + y * y + z * z).sqrt() * (1.0 + 8.0 * UNIT)
    }
}

/// An upper bound of the largest singular value of any matrix that is no further than `error` from `linear`,
/// entry by entry.
fn spectral_norm(linear: &Matrix, error: f64) -> f64 {
    // The square of the singular value of M = `linear` is at most the largest row sum a of |M^T M|. Errors e
    // of the entries add at most 3 e: sqrt(a) + 3 e is the bound.
    let product = |i: usize, j: usize| {
        linear[0][i] * linear[0][j] + linear[1][i] * linear[1][j] + linear[2][i] * linear[2][j]
    };
    let size = |i: usize, j: usize| {
        (linear[0][i] * linear[0][j]).abs()
            + (linear[1][i] * linear[1][j]).abs()
            + (linear[2][i] * linear[2][j]).abs()
    };
    let entry = |i: usize, j: usize| product(i, j).abs() + 8.0 * UNIT * size(i, j);
    let most = largest((0..3).map(|i| entry(i, 0) + entry(i, 1) + entry(i, 2)));
    (most.sqrt() + 3.0 * error) * (1.0 + 8.0 * UNIT) + SMALL.sqrt()
}

/// Bound of the factor by which the inverse of a pose's linear part lengthens a vector; infinity or NaN
/// without a bound.
pub(crate) fn inverse_norm(pose: &Pose) -> f64 {
    let skew = pose.defect();
    if skew < 1e-3 {
        // |R^-1|^2 <= 1 / (1 - skew).
        return 1.0 + skew;
    }
    let rows = pose.rows();
    let n = approximate_inverse(rows);
    let far = inverse_error(&n, rows);
    if far < 0.25 { spectral_norm(&n, 0.0) / (1.0 - far) } else { f64::NAN }
}

/// A bound of |I - N A| (largest row sum).
fn inverse_error(n: &Matrix, a: &Matrix) -> f64 {
    let size = times(&abs(n), &abs(a));
    let product = times(n, a);
    // Its entries, each rounded four times.
    largest((0..3).map(|i| {
        let entry = |j: usize| {
            let one = if i == j { 1.0 } else { 0.0 };
            (one - product[i][j]).abs() + 5.0 * UNIT * (size[i][j] + one)
        };
        entry(0) + entry(1) + entry(2)
    }))
}

/// The adjugate over the determinant. For a rotation it is the transpose up to rounding.
fn approximate_inverse(a: &Matrix) -> Matrix {
    let minor = |i: usize, j: usize| {
        let ((r, s), (c, d)) = (((i + 1) % 3, (i + 2) % 3), ((j + 1) % 3, (j + 2) % 3));
        a[r][c] * a[s][d] - a[r][d] * a[s][c]
    };
    let det = a[0][0] * minor(0, 0) + a[0][1] * minor(0, 1) + a[0][2] * minor(0, 2);
    matrix(|i, j| minor(j, i) / det)
}

/// The relative transforms of two trees' normalized frames, in both directions. Up to rounding each is the
/// other's inverse; each comes with its own error bound.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Transform from the moving normalized frame to the resting one.
    pub to_resting: Motion,
    /// Transform from the resting normalized frame to the moving one.
    pub to_moving: Motion,
}

impl Placement {
    /// The placement with larger errors. They hold for every motion whose images of the moving body's points
    /// are at most `margin` away from this one's, axis by axis: see the head of `query/front.rs`.
    pub(crate) fn with_margin(&self, margin: &[f64; 3]) -> Self {
        let Self { mut to_resting, mut to_moving } = *self;
        // A little more than what these sums round.
        let more = margin.map(|x| x * (1.0 + 1e-9));
        for i in 0..3 {
            to_resting.offset_error[i] += more[i];
            let entry = |j: usize| (to_moving.linear[i][j].abs() + to_moving.linear_error) * more[j];
            to_moving.offset_error[i] += entry(0) + entry(1) + entry(2);
        }
        Self { to_resting, to_moving }
    }
}

#[cfg(test)]
mod against_big_numbers;
#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Coordinate;
    use std::cmp::Ordering;

    /// A few awkward poses: nearly rigid, scaled, sheared, far away.
    fn poses() -> Vec<Pose> {
        let (c, s) = (0.6_f64, 0.8_f64);
        let turn = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]];
        let off = turn.map(|row| row.map(|x| f64::from(x as f32) + 3e-8));
        [
            Pose::rigid(turn, [1.0, -2.0, 3.0]),
            Pose::rigid(off, [1e7, -1e7, 0.125]),
            Pose::affine([[3.0, 0.0, 0.0], [0.0, 1e-3, 0.0], [0.1, 0.0, -7.0]], [0.0, 5.0, 0.0]),
            Pose::affine([[1.0, 1.0, 0.0], [1.0, 1.001, 0.0], [0.0, 0.0, 1.0]], [1e-9; 3]),
            Ok(Pose::IDENTITY),
        ]
        .into_iter()
        .map(|p| p.unwrap())
        .collect()
    }

    /// Checks bounds with exact comparisons: the image y = A^-1 (B v + t_b - t_a) satisfies A y + t_a =
    /// B v + t_b. So the image under A of a box of half-width `error` around the computed y must reach
    /// B v + t_b on every axis.
    #[test]
    fn the_error_bound_holds_and_is_not_silly() {
        for from in poses() {
            for to in poses() {
                let motion = Motion::between(&from, &to);
                for v in [[0.3, -0.7, 0.9], [1e6, 1e-6, -1e6], [0.0, 0.0, 0.0]] {
                    let y = motion.apply(v);
                    let error = motion.error(&v.map(f64::abs));
                    assert!(error <= 1e-9 * (1e7 + largest(y.map(f64::abs))), "{error:e}");
                    for i in 0..3 {
                        let want = Coordinate { row: from.rows()[i], t: from.translation()[i], v };
                        let row = to.rows()[i];
                        let reach = |sign: f64| Coordinate {
                            row,
                            t: to.translation()[i],
                            v: vector(|k| {
                                y[k] + sign * row[k].signum() * error * (1.0 + 1e-12)
                                    + sign * row[k].signum() * y[k].abs() * 2.0 * UNIT
                            }),
                        };
                        assert_ne!(want.compare(&reach(1.0)), Ordering::Greater);
                        assert_ne!(want.compare(&reach(-1.0)), Ordering::Less);
                    }
                }
            }
        }
    }

    #[test]
    fn normalized_frames_hold_their_mesh() {
        for (lo, hi) in [
            ([-1.0; 3], [1.0; 3]),
            ([1e7, 1e7, 1e7], [1e7 + 1e-3, 1e7 + 2e-3, 1e7]),
            ([-f64::MAX; 3], [f64::MAX; 3]),
            ([5e-324; 3], [1.5e-323; 3]),
            ([0.0; 3], [0.0; 3]),
        ] {
            let normalized = NormalizedFrame::new(lo, hi);
            for v in [lo, hi, normalized.origin] {
                let [l, h] = normalized.bounds(&v);
                for k in 0..3 {
                    assert!(l[k] < h[k] && -4.0 - 1e-14 < l[k] && h[k] < 4.0 + 1e-14, "{v:?}: {l:?} {h:?}");
                }
            }
        }
    }
}
