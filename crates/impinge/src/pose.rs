//! Where a body stands: x = R v + t over the real numbers, its twelve numbers taken as exact.
use crate::{
    Error, exact,
    motion::{self, largest},
};

/// How far `R^T R` may be from the identity, in any entry, for `R` to count as a rotation: poses that
/// come from f32 files are off by some 1e-7.
pub const RIGID_TOLERANCE: f64 = 1e-6;

/// A map x = R v + t. The twelve f64 numbers are exact: a placed point is not rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    rows: [[f64; 3]; 3],
    translation: [f64; 3],
    /// Not less than the largest row sum of |I - R^T R|; infinity if R is not rigid.
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
        // What is always allowed for: poses are equal if their numbers are.
        defect: 16.0 * motion::UNIT,
    };

    /// A rigid motion: `rows` of a rotation, and a translation.
    ///
    /// # Errors
    /// An entry that is not finite; `R^T R` further than [`RIGID_TOLERANCE`] from the identity; a mirror.
    pub fn rigid(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Result<Self, Error> {
        check_finite(&rows, &translation)?;
        let defect = rigid_defect(&rows);
        if defect.is_nan() || defect > RIGID_TOLERANCE || determinant(&rows) < 0.0 {
            return Err(Error::pose_not_rigid(defect));
        }
        Ok(Self { rows, translation, defect: motion::defect(&rows) })
    }

    /// Any invertible affine map: scaling, shear and mirrors, too.
    ///
    /// # Errors
    /// An entry that is not finite, or a linear part that is singular, which is decided exactly.
    pub fn affine(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Result<Self, Error> {
        check_finite(&rows, &translation)?;
        if exact::is_singular(&rows) {
            return Err(Error::pose_singular());
        }
        let rigid = rigid_defect(&rows) <= RIGID_TOLERANCE && determinant(&rows) > 0.0;
        let defect = if rigid { motion::defect(&rows) } else { f64::INFINITY };
        Ok(Self { rows, translation, defect })
    }

    /// A shift by `t`: x = v + t.
    ///
    /// # Errors
    /// A component that is not finite.
    pub fn from_translation(t: [f64; 3]) -> Result<Self, Error> {
        Self::rigid(Self::IDENTITY.rows, t)
    }

    /// The rows of the linear part R.
    pub const fn rows(&self) -> &[[f64; 3]; 3] {
        &self.rows
    }
    /// The translation t.
    pub fn translation(&self) -> &[f64; 3] {
        &self.translation
    }
    /// Whether R is a rotation to within [`RIGID_TOLERANCE`].
    pub fn is_rigid(&self) -> bool {
        self.defect < f64::INFINITY
    }
    /// Not less than the largest row sum of |I - R^T R|; infinity if R is not rigid.
    pub(crate) fn defect(&self) -> f64 {
        self.defect
    }
    /// R v + t, rounded once: each coordinate is the f64 nearest to the exact value (ties to even).
    pub fn place(&self, v: [f64; 3]) -> [f64; 3] {
        place(&self.rows, &self.translation, v)
    }
}

/// `rows` v + t for any finite affine map, invertible or not, rounded once: each coordinate is the f64 nearest
/// to the exact value, ties to even. Overflows to infinity as IEEE 754 does. NaN if a number given is not finite.
pub fn place(rows: &[[f64; 3]; 3], t: &[f64; 3], v: [f64; 3]) -> [f64; 3] {
    if !rows.iter().flatten().chain(t).chain(&v).all(|x| x.is_finite()) {
        return [f64::NAN; 3];
    }
    std::array::from_fn(|i| exact::Coordinate { row: rows[i], t: t[i], v }.round())
}

/// The largest entry of |R^T R - I|; NaN where one overflows to that.
pub fn rigid_defect(rows: &[[f64; 3]; 3]) -> f64 {
    largest((0..9).map(|k| {
        let (i, j) = (k / 3, k % 3);
        let product: f64 = (0..3).map(|k| rows[k][i] * rows[k][j]).sum();
        (product - f64::from(u8::from(i == j))).abs()
    }))
}

fn check_finite(rows: &[[f64; 3]; 3], t: &[f64; 3]) -> Result<(), Error> {
    for (i, row) in rows.iter().enumerate() {
        for (j, &value) in row.iter().chain([&t[i]]).enumerate() {
            if !value.is_finite() {
                return Err(Error::pose_not_finite(i, j, value));
            }
        }
    }
    Ok(())
}

fn determinant(r: &[[f64; 3]; 3]) -> f64 {
    r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0])
        + r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0])
}
