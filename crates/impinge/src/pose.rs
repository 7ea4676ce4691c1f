//! Poses of bodies: x = R v + t over the real numbers, with twelve f64 numbers that are taken as exact.
mod approximate;
mod axis_angle;
mod compose;
mod matrix;
mod nearest;
mod quaternion;

pub use self::approximate::ApproximatePose;

use crate::{
    Error, ErrorKind, exact,
    vector::{UNIT, largest},
};

/// Tolerance of a rotation `R`: the largest deviation of an entry of `R^T R` from the identity. Poses from
/// f32 files are off by some 1e-7.
pub const RIGID_TOLERANCE: f64 = 1e-6;
/// The largest deviation of an entry of `R^T R` from the identity for [`Pose::nearest_rigid`].
const NEARLY_RIGID: f64 = 0.1;

/// A map x = R v + t. The twelve f64 numbers are exact: a placed point is not rounded.
///
/// ```
/// use impinge::Pose;
/// let shift = Pose::from_translation([1., 2., 3.])?;
/// // A quarter turn about z, as a quaternion x, y, z, w; and as a matrix, row by row.
/// let turn = Pose::from_quaternion([0., 0., 1., 1.], [0.; 3])?;
/// assert_eq!(turn.rows(), &[[0., -1., 0.], [1., 0., 0.], [0., 0., 1.]]);
/// let same = Pose::from_matrix([[0., -1., 0., 0.], [1., 0., 0., 0.], [0., 0., 1., 0.], [0., 0., 0., 1.]])?;
/// assert_eq!(turn, same);
/// // First the turn, then the shift; and back.
/// let both = turn.then(&shift)?;
/// assert_eq!(both.place([1., 0., 0.]), [1., 3., 3.]);
/// assert_eq!(both.inverse()?.place([1., 3., 3.]), [1., 0., 0.]);
/// # Ok::<(), impinge::Error>(())
/// ```
///
/// From glam, a rotation and a translation (`DQuat`, `DVec3`), or any `DAffine3` or `DMat4`, whose arrays
/// hold columns:
///
/// ```ignore (glam is no dependency of this crate)
/// let pose = Pose::from_quaternion(rotation.to_array(), translation.to_array())?;
/// let pose = Pose::from_matrix(DMat4::from(affine).transpose().to_cols_array_2d())?;
/// ```
///
/// From nalgebra, an `Isometry3<f64>`, or a `Matrix4<f64>`, whose arrays hold columns:
///
/// ```ignore (nalgebra is no dependency of this crate)
/// let pose = Pose::from_quaternion(isometry.rotation.coords.into(), isometry.translation.vector.into())?;
/// let pose = Pose::from_matrix(matrix.transpose().into())?;
/// ```
///
/// Widen f32 numbers first: `rows.map(|row| row.map(f64::from))`. The product of many f32 rotations is no
/// rotation to within 1e-6 any more: [`Pose::nearest_rigid`] makes it one, [`Pose::affine`] takes it as it
/// is. Results are exact for both; a rigid pose is a little faster.
#[doc(alias("Isometry", "Transform", "Aff_transformation_3", "btTransform"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "UncheckedPose"))]
pub struct Pose {
    rows: [[f64; 3]; 3],
    translation: [f64; 3],
    /// Upper bound of the largest row sum of |I - R^T R|; infinity if R is not rigid.
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    defect: f64,
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// The map that leaves everything where it is.
    pub const IDENTITY: Self = Self {
        rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        translation: [0.0; 3],
        // The same defect as from `Pose::rigid`, so that poses are equal if their numbers are.
        defect: 16.0 * UNIT,
    };

    /// A rigid motion: `rows` of a rotation, and a translation.
    ///
    /// ```
    /// use impinge::{ErrorKind, Pose};
    /// let turn = [[0., -1., 0.], [1., 0., 0.], [0., 0., 1.]];
    /// assert!(Pose::rigid(turn, [1., 0.5, 0.25])?.is_rigid());
    /// // What is no rotation is refused: by how much, and what to do, is in the text.
    /// let error = Pose::rigid(turn.map(|row| row.map(|x| x * 1.00001)), [0.; 3]).unwrap_err();
    /// assert!(error.to_string().contains("Pose::nearest_rigid"));
    /// let ErrorKind::NotRigid { deviation, .. } = error.kind() else { panic!("{error}") };
    /// assert!((deviation - 2e-5).abs() < 1e-9);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// An entry that is not finite; `R^T R` further than [`RIGID_TOLERANCE`] from the identity; a mirror.
    pub fn rigid(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Result<Self, Error> {
        check_finite(&rows, &translation)?;
        let deviations = deviations(&rows);
        let deviation = largest(deviations);
        if deviation.is_nan() || deviation > RIGID_TOLERANCE {
            return Err(Error::not_rigid(deviation, deviation <= NEARLY_RIGID));
        }
        if determinant(&rows) < 0.0 {
            return Err(ErrorKind::Mirror.into());
        }
        Ok(Self { rows, translation, defect: defect_of(deviations) })
    }

    /// Any invertible affine map: scaling, shear and mirrors, too.
    ///
    /// # Errors
    /// An entry that is not finite, or a linear part that is singular, which is decided exactly.
    pub fn affine(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Result<Self, Error> {
        check_finite(&rows, &translation)?;
        let deviations = deviations(&rows);
        let orthonormal = largest(deviations) <= RIGID_TOLERANCE;
        // A matrix that is orthonormal but for 1e-6 is far from singular.
        if !orthonormal && exact::is_singular(&rows) {
            return Err(ErrorKind::SingularPose.into());
        }
        let rigid = orthonormal && determinant(&rows) > 0.0;
        let defect = if rigid { defect_of(deviations) } else { f64::INFINITY };
        Ok(Self { rows, translation, defect })
    }

    /// A shift by `t`: x = v + t.
    ///
    /// # Errors
    /// A component that is not finite.
    pub fn from_translation(t: [f64; 3]) -> Result<Self, Error> {
        Self::rigid(Self::IDENTITY.rows, t)
    }

    /// A shift by `translation`, which must be finite.
    pub(crate) const fn at(translation: [f64; 3]) -> Self {
        Self { translation, ..Self::IDENTITY }
    }
    /// A pose of finite numbers, rigid or not, that are not checked.
    pub(crate) fn of_finite(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Self {
        let deviations = deviations(&rows);
        let is_rigid = deviations.iter().all(|x| *x <= RIGID_TOLERANCE) && determinant(&rows) > 0.0;
        Self { rows, translation, defect: if is_rigid { defect_of(deviations) } else { f64::INFINITY } }
    }
    /// The same linear part with another translation, which must be finite.
    pub(crate) const fn with_translation(self, translation: [f64; 3]) -> Self {
        Self { translation, ..self }
    }
    /// The rows of the linear part R.
    pub const fn rows(&self) -> &[[f64; 3]; 3] {
        &self.rows
    }
    /// The translation t.
    pub fn translation(&self) -> &[f64; 3] {
        &self.translation
    }
    /// True if R is a rotation to within [`RIGID_TOLERANCE`].
    pub fn is_rigid(&self) -> bool {
        self.defect < f64::INFINITY
    }
    /// Upper bound of the largest row sum of |I - R^T R|; infinity if R is not rigid.
    pub(crate) fn defect(&self) -> f64 {
        self.defect
    }
    /// R v + t, rounded once: each coordinate is the f64 nearest to the exact value (ties to even).
    pub fn place(&self, v: [f64; 3]) -> [f64; 3] {
        place(&self.rows, &self.translation, v)
    }
}

/// `rows` v + t for any finite affine map, invertible or not, rounded once: each coordinate is the f64
/// nearest to the exact value, ties to even. Overflows to infinity as IEEE 754 does. NaN if a number given is
/// not finite.
pub fn place(rows: &[[f64; 3]; 3], t: &[f64; 3], v: [f64; 3]) -> [f64; 3] {
    if !rows.iter().flatten().chain(t).chain(&v).all(|x| x.is_finite()) {
        return [f64::NAN; 3];
    }
    std::array::from_fn(|i| exact::Coordinate { row: rows[i], t: t[i], v }.round())
}

/// The largest entry of |R^T R - I|; NaN if an entry overflows to NaN.
pub fn rigid_defect(rows: &[[f64; 3]; 3]) -> f64 {
    largest(deviations(rows))
}

/// The entries of |R^T R - I| of columns 0 0, 1 1, 2 2, 0 1, 0 2 and 1 2.
#[inline]
fn deviations(rows: &[[f64; 3]; 3]) -> [f64; 6] {
    let product =
        |i: usize, j: usize| rows[0][i] * rows[0][j] + rows[1][i] * rows[1][j] + rows[2][i] * rows[2][j];
    let [x, y, z] = [0, 1, 2].map(|i| (1.0 - product(i, i)).abs());
    [x, y, z, product(0, 1).abs(), product(0, 2).abs(), product(1, 2).abs()]
}

/// An upper bound of the largest row sum of |I - R^T R|, and so of its spectral norm; infinity where that
/// exceeds 1/4.
pub(crate) fn defect(rows: &[[f64; 3]; 3]) -> f64 {
    defect_of(deviations(rows))
}
/// [`defect`] of a matrix with these [`deviations`].
#[inline]
fn defect_of([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> f64 {
    let sums = [xx + xy + xz, xy + yy + yz, xz + yz + zz];
    if !sums.iter().all(|sum| *sum < 0.2) {
        return f64::INFINITY;
    }
    // For columns no longer than 1.2: three roundings of products, one of the difference, two of the sum.
    sums[0].max(sums[1]).max(sums[2]) * (1.0 + 4.0 * UNIT) + 16.0 * UNIT
}

/// Row and column of the first entry that is not finite; the translation is column 3.
fn not_finite(rows: &[[f64; 3]; 3], t: &[f64; 3]) -> Option<[usize; 2]> {
    // The product with 0 is NaN for what is not finite.
    if rows.iter().flatten().chain(t).fold(0.0, |sum, x| sum + x * 0.0) == 0.0 {
        return None;
    }
    (0..3).flat_map(|i| (0..4).map(move |j| [i, j])).find(|&[i, j]| !entry(rows, t, i, j).is_finite())
}

fn entry(rows: &[[f64; 3]; 3], t: &[f64; 3], i: usize, j: usize) -> f64 {
    if j < 3 { rows[i][j] } else { t[i] }
}

fn check_finite(rows: &[[f64; 3]; 3], t: &[f64; 3]) -> Result<(), Error> {
    match not_finite(rows, t) {
        Some([row, column]) => {
            Err(ErrorKind::PoseNotFinite { row, column, value: entry(rows, t, row, column) }.into())
        }
        None => Ok(()),
    }
}

fn determinant(r: &[[f64; 3]; 3]) -> f64 {
    r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0])
        + r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0])
}

/// A pose as read, before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Pose", deny_unknown_fields)]
struct UncheckedPose {
    rows: [[f64; 3]; 3],
    translation: [f64; 3],
}

#[cfg(feature = "serde")]
impl TryFrom<UncheckedPose> for Pose {
    type Error = Error;
    fn try_from(pose: UncheckedPose) -> Result<Self, Error> {
        Self::affine(pose.rows, pose.translation)
    }
}

#[cfg(test)]
mod tests;
