//! Poses from 4 x 4 matrices, and back.
use super::Pose;
use crate::{Error, ErrorKind};

impl Pose {
    /// Makes a pose of a 4 x 4 matrix, row by row: the translation is the last column, the last row is
    /// 0 0 0 1. Nothing is rounded.
    ///
    /// The matrix may be any affine map that is not singular, as for [`Pose::affine`]; [`Pose::is_rigid`]
    /// returns whether it is a rotation. Transpose matrices that are stored column by column (glam, nalgebra,
    /// glTF, OpenGL) first.
    ///
    /// ```
    /// use impinge::Pose;
    /// let matrix = [[2., 0., 0., 5.], [0., 2., 0., 6.], [0., 0., 2., 7.], [0., 0., 0., 1.]];
    /// let pose = Pose::from_matrix(matrix)?;
    /// assert_eq!(pose.place([1., 1., 1.]), [7., 8., 9.]);
    /// assert_eq!(pose.to_matrix(), matrix);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// An entry that is not finite; another last row; a linear part that is singular, which is decided
    /// exactly.
    pub fn from_matrix(m: [[f64; 4]; 4]) -> Result<Self, Error> {
        let [a, b, c, last_row] = m;
        if last_row != [0.0, 0.0, 0.0, 1.0] {
            return Err(ErrorKind::NotAffine { last_row }.into());
        }
        Self::affine([a, b, c].map(|[x, y, z, _]| [x, y, z]), [a[3], b[3], c[3]])
    }
    /// The 4 x 4 matrix, row by row: R, beside it t, and 0 0 0 1 below. Nothing is rounded.
    pub fn to_matrix(&self) -> [[f64; 4]; 4] {
        let row = |i: usize| [self.rows[i][0], self.rows[i][1], self.rows[i][2], self.translation[i]];
        [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]]
    }
}

/// [`Pose::from_matrix`].
impl TryFrom<[[f64; 4]; 4]> for Pose {
    type Error = Error;
    fn try_from(m: [[f64; 4]; 4]) -> Result<Self, Error> {
        Self::from_matrix(m)
    }
}

/// [`Pose::to_matrix`].
impl From<Pose> for [[f64; 4]; 4] {
    fn from(pose: Pose) -> Self {
        pose.to_matrix()
    }
}
