//! Poses from URDF's numbers, their composition, and products of vectors.
use crate::error::{Error, Place};
use impinge::{Pose, circle::sin_cos_of_angle};

/// Bound of the error of the rotation of an `origin` (spectral norm), u = 2^-53. One of the identity is
/// exact.
///
/// Sines and cosines are off by 4.5 u each (`circle.rs` of the core). In the plane of a rotation both errors
/// act like one complex number: 6.4 u for each of three rotations. Of the entries four are sums of two
/// products, off by 3.3 u, and five are single products, off by u: 7 u (Frobenius). In total 26.2 u.
pub(crate) const ORIGIN_ERROR: f64 = 14.0 * f64::EPSILON;

/// The pose of an `origin`: x -> Rz(yaw) Ry(pitch) Rx(roll) x + xyz, angles in radians.
///
/// For angles up to 2^30 it is the same on every machine, and within [`ORIGIN_ERROR`]. Angles of 0 give
/// exactly the identity.
pub(crate) fn pose(xyz: [f64; 3], [roll, pitch, yaw]: [f64; 3], place: Place) -> Result<Pose, Error> {
    let [(sr, cr), (sp, cp), (sy, cy)] = [roll, pitch, yaw].map(sin_cos_of_angle);
    let rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ];
    // -0 + 0 is 0.
    Pose::rigid(rows.map(|row| row.map(|x| x + 0.0)), xyz).map_err(|e| Error::placed(place, e.to_string()))
}

/// The pose x -> a(b(x)), rounded: R = Ra Rb and t = Ra tb + ta.
///
/// The error of a chain of n products, u = 2^-53, to first order in u:
/// 1. An entry of R is a sum of three products. It has an error of 3 u (|a1 b1| + |a2 b2| + |a3 b3|) <= 3 u,
///    as rows and columns have length 1. So a product changes R by at most 9 u (Frobenius), a chain by 9 n
///    u.
/// 2. A coordinate of t has one more sum: 4 u (|tb| + |ta|). So a product moves t by at most sqrt(3) 4 u L <
///    7 u L, L the sum of the lengths of all translations.
/// 3. The error of R from (1) moves t by at most 9 k u |tb| in the k-th product, 9 n u L in all.
/// 4. In total 9 n u in R and 16 n u L in t. The terms of second order, for n < 10^6, are below a millionth
///    of them: 10 n u and 17 n u L.
pub(crate) fn compose(a: &Pose, b: &Pose) -> Result<Pose, impinge::Error> {
    let (ra, rb) = (a.rows(), b.rows());
    let dot = |i: usize, v: [f64; 3]| ra[i][0] * v[0] + ra[i][1] * v[1] + ra[i][2] * v[2];
    let rows = std::array::from_fn(|i| std::array::from_fn(|j| dot(i, [rb[0][j], rb[1][j], rb[2][j]])));
    let t = std::array::from_fn(|i| dot(i, *b.translation()) + a.translation()[i]);
    Pose::rigid(rows, t)
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
