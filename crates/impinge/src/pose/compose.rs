//! Composition and inverse of poses.
use super::{Pose, not_finite};
use crate::{
    Error, ErrorKind,
    exact::Coordinate,
    vector::{Matrix, largest},
};

/// Largest row sum of |I - B X| with which X counts as the inverse of B.
const CONVERGED: f64 = 1.0 / 1024.0;

impl Pose {
    /// The composition of this pose and then `next`: x = R' (R v + t) + t'.
    ///
    /// A composed pose is rounded, as its twelve numbers are f64 numbers again, but only once: each is the
    /// f64 nearest to the exact value of its sum of products (ties to even). To place points in two steps
    /// without that, keep both poses and give the second one [`Pose::place`]d points, or compose as seldom as
    /// possible. The cost is some microseconds.
    ///
    /// ```
    /// use impinge::Pose;
    /// let turn = Pose::from_quaternion([0., 0., 1., 1.], [0.; 3])?;
    /// let shift = Pose::from_translation([1., 0., 0.])?;
    /// assert_eq!(turn.then(&shift)?.translation(), &[1., 0., 0.]);
    /// assert_eq!(shift.then(&turn)?.translation(), &[0., 1., 0.]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// The result of rigid poses that are off by nearly 1e-6 may be off by more: then it is affine
    /// ([`Pose::is_rigid`]), and as exact.
    ///
    /// # Errors
    /// A number that is beyond what f64 holds; a linear part that became singular when it was rounded, which
    /// two rigid poses cannot cause.
    pub fn then(&self, next: &Self) -> Result<Self, Error> {
        let column = |j: usize| [self.rows[0][j], self.rows[1][j], self.rows[2][j]];
        let rows =
            next.rows.map(|row| std::array::from_fn(|j| Coordinate { row, t: 0.0, v: column(j) }.round()));
        Self::computed(rows, next.place(self.translation))
    }

    /// The inverse: v = R^-1 (x - t).
    ///
    /// The exact inverse seldom has f64 numbers, so it is rounded. For a rigid pose, each entry of R^-1 is
    /// off by at most 2^-52, and each component of the translation by at most 2^-51 (|t_1| + |t_2| + |t_3|).
    /// (R need not be orthonormal: it is inverted as it is, not transposed.) For an affine pose, with rows
    /// and columns of R scaled by powers of two to about 1, an entry of R^-1 is off by at most 2^-53 of
    /// itself and 2^-57 of the largest row sum; the translation is that of the rounded R^-1, rounded once.
    /// The cost is some microseconds.
    ///
    /// The relative pose of two bodies needs no inverse: queries take both poses as they are, and are exact.
    ///
    /// # Errors
    /// A number that is beyond what f64 holds; an affine map so close to singular (a condition number of some
    /// 1e12, after that scaling) that its inverse means nothing once it is rounded.
    pub fn inverse(&self) -> Result<Self, Error> {
        let rows = invert(&self.rows).ok_or(ErrorKind::IllConditionedPose)?;
        if let Some([row, column]) = not_finite(&rows, &[0.0; 3]) {
            return Err(ErrorKind::PoseOverflow { row, column }.into());
        }
        let back = rows.map(|row| Coordinate { row: row.map(|x| -x), t: 0.0, v: self.translation }.round());
        Self::computed(rows, back)
    }

    /// [`Pose::affine`] for computed numbers, which may have overflowed.
    fn computed(rows: Matrix, translation: [f64; 3]) -> Result<Self, Error> {
        match not_finite(&rows, &translation) {
            Some([row, column]) => Err(ErrorKind::PoseOverflow { row, column }.into()),
            None => Self::affine(rows, translation),
        }
    }
}

fn matrix(f: impl Fn(usize, usize) -> f64) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| f(i, j)))
}

/// The inverse, by Newton's iteration with residuals that are rounded once; `None` if it does not converge.
/// Entries may overflow.
///
/// With E = I - B X, B^-1 = X (I - E)^-1 = X + X (E + E^2 + ...). For |E| <= 2^-10, largest row sum, six
/// terms leave 2^-69 |X|, and their own rounding, some 30 u of 2^-10 |X|, is less than 2^-57 |X|; the sum
/// rounds once.
fn invert(a: &Matrix) -> Option<Matrix> {
    // Scales rows and columns to about 1 by powers of two, against overflow and underflow.
    let row = a.map(|row| -exponent(largest(row.map(f64::abs))));
    // From exponents, as a product with the row's scale may underflow for entries far below the largest.
    let column: [i32; 3] = std::array::from_fn(|j| {
        -(0..3).filter(|&i| a[i][j] != 0.0).map(|i| exponent(a[i][j].abs()) + row[i]).max().unwrap_or(0)
    });
    let b = matrix(|i, j| scaled(a[i][j], row[i] + column[j]));
    let minor = |i: usize, j: usize| {
        let ((r, s), (c, d)) = (((i + 1) % 3, (i + 2) % 3), ((j + 1) % 3, (j + 2) % 3));
        Coordinate { row: [b[r][c], -b[r][d], 0.0], t: 0.0, v: [b[s][d], b[s][c], 0.0] }.round()
    };
    let det = Coordinate { row: b[0], t: 0.0, v: [minor(0, 0), minor(0, 1), minor(0, 2)] }.round();
    let mut x = matrix(|i, j| minor(j, i) / det);
    for _ in 0..4 {
        if !x.as_flattened().iter().all(|x| x.is_finite()) {
            return None;
        }
        let e = matrix(|i, j| {
            let t = f64::from(u8::from(i == j));
            Coordinate { row: b[i].map(|x| -x), t, v: [x[0][j], x[1][j], x[2][j]] }.round()
        });
        let size = largest(e.map(|row| row[0].abs() + row[1].abs() + row[2].abs()));
        let times =
            |a: &Matrix, b: &Matrix| matrix(|i, j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j]);
        // E + E^2 + ... + E^6, by Horner's rule.
        let mut series = e;
        for _ in 0..5 {
            let inner = times(&e, &series);
            series = matrix(|i, j| e[i][j] + inner[i][j]);
        }
        let correction = times(&x, &series);
        x = matrix(|i, j| x[i][j] + correction[i][j]);
        if size <= CONVERGED {
            // B = rows A columns, so A^-1 = columns B^-1 rows.
            return Some(matrix(|i, j| scaled(x[i][j], column[i] + row[j])));
        }
        if size.is_nan() || size > 0.5 {
            return None;
        }
    }
    None
}

/// The e for which 2^-e x is in [1/2, 1), for an x > 0; 0 for 0.
fn exponent(x: f64) -> i32 {
    if x == 0.0 {
        return 0;
    }
    // Subnormal numbers are read at a larger scale.
    let (x, lift) = if x < f64::MIN_POSITIVE { (x * 2.0_f64.powi(64), 64) } else { (x, 0) };
    (x.to_bits() >> 52) as i32 - 1022 - lift
}

/// x 2^e: exact, unless the result over- or underflows.
fn scaled(mut x: f64, mut e: i32) -> f64 {
    let power = |e: i32| f64::from_bits(((1023 + e) as u64) << 52);
    while e > 1000 {
        (x, e) = (x * power(1000), e - 1000);
    }
    while e < -1000 {
        (x, e) = (x * power(-1000), e + 1000);
    }
    x * power(e)
}
