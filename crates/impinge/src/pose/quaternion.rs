//! Poses from quaternions.
use super::Pose;
use crate::{
    Error, ErrorKind,
    vector::{largest, shrinking},
};

impl Pose {
    /// The rotation of a quaternion `[x, y, z, w]`, w being the real part, and then a shift by `t`.
    ///
    /// Only the quaternion's direction counts, not its length: the matrix of |q|^2 R is divided by |q|^2, so
    /// no square root is taken, and a quaternion that was rounded to f32 still gives a rotation. Each entry
    /// of R is within 2^-49 (1.8e-15) of that of the exact rotation; the translation is not rounded.
    ///
    /// glam and nalgebra have the same order; others, such as Eigen's constructor and SciPy's `scalar_first`,
    /// begin with w.
    ///
    /// ```
    /// use impinge::Pose;
    /// // Half a turn about x.
    /// let pose = Pose::from_quaternion([1., 0., 0., 0.], [0., 0., 5.])?;
    /// assert_eq!(pose.place([1., 2., 3.]), [1., -2., 2.]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// A number that is not finite; a quaternion that is 0.
    pub fn from_quaternion(quaternion: [f64; 4], t: [f64; 3]) -> Result<Self, Error> {
        if !quaternion.iter().all(|x| x.is_finite()) {
            return Err(ErrorKind::QuaternionNotFinite { quaternion }.into());
        }
        let size = largest(quaternion.iter().map(|x| x.abs()));
        if size == 0.0 {
            return Err(ErrorKind::ZeroQuaternion.into());
        }
        // Scaled to a size of about 1 by a power of two, so that no square over- or underflows.
        let scale = shrinking(size);
        let [x, y, z, w] = quaternion.map(|x| x * scale);
        // With u = 2^-53: |q|^2 is off by 3 u of itself, k by 4 u. k (y y + z z), at most 2, takes 3 u more:
        // 14 u, and 1 - that another. k (x y - z w), at most 1, is off by 7 u.
        let k = 2.0 / (x * x + y * y + (z * z + w * w));
        Self::rigid(
            [
                [1.0 - k * (y * y + z * z), k * (x * y - z * w), k * (x * z + y * w)],
                [k * (x * y + z * w), 1.0 - k * (x * x + z * z), k * (y * z - x * w)],
                [k * (x * z - y * w), k * (y * z + x * w), 1.0 - k * (x * x + y * y)],
            ],
            t,
        )
    }
}
