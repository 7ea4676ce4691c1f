//! Poses from an axis and an angle.
use super::Pose;
use crate::{
    Error, ErrorKind,
    circle::sin_cos_of_angle,
    vector::{largest, shrinking},
};

impl Pose {
    /// The turn about an axis through the origin by an angle in radians, and then a shift by `t`.
    ///
    /// Seen against the direction of the axis, the turn is counterclockwise. Only the direction of the axis
    /// counts, not its length. Each entry of R is within 2^-48 (3.6e-15) of that of the exact rotation by
    /// exactly this f64 angle. The translation is not rounded. For angles up to 2^30 the result is the same
    /// on every machine; beyond, the platform's sine and cosine determine the last bits.
    ///
    /// ```
    /// use impinge::Pose;
    /// // A third of a turn about the diagonal takes x to y.
    /// let third = Pose::from_axis_angle([1., 1., 1.], 120_f64.to_radians(), [0.; 3])?;
    /// let [x, y, z] = third.place([5., 0., 0.]);
    /// assert!(x.abs() < 1e-14 && (y - 5.).abs() < 1e-14 && z.abs() < 1e-14);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// An axis or an angle that is not finite: [`ErrorKind::AxisAngleNotFinite`]. A translation that is not
    /// finite: [`ErrorKind::PoseNotFinite`]. An axis that is 0: [`ErrorKind::ZeroAxis`].
    #[doc(alias("AngleAxis", "rotation_matrix"))]
    pub fn from_axis_angle(axis: [f64; 3], angle: f64, t: [f64; 3]) -> Result<Self, Error> {
        if !(angle.is_finite() && axis.iter().all(|x| x.is_finite())) {
            return Err(ErrorKind::AxisAngleNotFinite { axis, angle }.into());
        }
        let size = largest(axis.iter().map(|x| x.abs()));
        if size == 0.0 {
            return Err(ErrorKind::ZeroAxis.into());
        }
        // Scaled by a power of two, so that no square over- or underflows.
        let scale = shrinking(size);
        let [x, y, z] = axis.map(|x| x * scale);
        let length = (x * x + y * y + z * z).sqrt();
        // Sine and cosine are off by less than 4 u of 1, with u = 2^-53, the length by 3 u of itself, and
        // each product rounds by u. So the quaternion's direction is off by less than 8 u, the rotation by
        // less than twice that, and its entries then round by less than 16 u: see `from_quaternion`.
        let (sin, cos) = sin_cos_of_angle(0.5 * angle);
        Self::from_quaternion([x * sin, y * sin, z * sin, length * cos], t)
    }
}
