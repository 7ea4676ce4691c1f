//! The rotation nearest to a rounded one.
use super::{NEARLY_RIGID, Pose, check_finite, determinant, rigid_defect};
use crate::{Error, ErrorKind};

impl Pose {
    /// The rotation nearest to `rows`, and a translation: for rotations that have gathered rounding, such as
    /// a long chain of f32 matrices.
    ///
    /// It is the orthogonal factor Q of the polar decomposition `rows` = Q H, by Newton and Schulz's
    /// iteration in f64: of all rotations the one with the least sum of squared differences from `rows`. `Q^T
    /// Q` differs from the identity by at most 1e-15 in any entry. The translation is not rounded.
    ///
    /// ```
    /// use impinge::Pose;
    /// let rounded = [[0.80001, -0.6, 0.], [0.6, 0.8, 0.00002], [0., 0., 1.]];
    /// assert!(Pose::rigid(rounded, [0.; 3]).is_err());
    /// let pose = Pose::nearest_rigid(rounded, [0.; 3])?;
    /// assert!(pose.is_rigid() && impinge::pose::rigid_defect(pose.rows()) < 1e-15);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// An entry that is not finite; `R^T R` further than 0.1 from the identity, as that is scale or shear and
    /// no rounding; a mirror.
    pub fn nearest_rigid(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Result<Self, Error> {
        check_finite(&rows, &translation)?;
        let deviation = rigid_defect(&rows);
        if deviation.is_nan() || deviation > NEARLY_RIGID {
            return Err(Error::not_rigid(deviation, false));
        }
        if determinant(&rows) < 0.0 {
            return Err(ErrorKind::Mirror.into());
        }
        // X (3 I - X^T X) / 2 takes I - X^T X, whose norm is at most 0.3, to about 3/4 of its square: 0.07,
        // 4e-3, 1e-5, 1e-10, 1e-20. The last step removes the rounding of the one before.
        let mut x = rows;
        for _ in 0..7 {
            let half: [[f64; 3]; 3] = std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    let one = f64::from(u8::from(i == j));
                    (one - (x[0][i] * x[0][j] + x[1][i] * x[1][j] + x[2][i] * x[2][j])) / 2.0
                })
            });
            // The correction is added last, so that its own rounding hardly matters.
            x = x.map(|r| {
                std::array::from_fn(|j| r[j] + (r[0] * half[0][j] + r[1] * half[1][j] + r[2] * half[2][j]))
            });
        }
        Self::rigid(x, translation)
    }
}
