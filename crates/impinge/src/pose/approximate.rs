//! [`ApproximatePose`]: a computed pose, with bounds of its error.
//!
//! # Bounds
//! u = 2^-53. Let A x + a be the exact map and A' x + a' the computed one, e a bound of |A' - A| (spectral
//! norm), f of |a' - a|, and n of |A|. B x + b is the next map, with bounds g, h and m.
//!
//! 1. *Product.* |A' B' - A B| <= e |B'| + |A| g. An entry of A' B' is a sum of three products, off by 3 u of
//!    the sum of their sizes: 3 u |A'|_F |B'|_F <= 9 u |A'| |B'| in all. A factor that is the identity rounds
//!    nothing.
//! 2. *Translation of a product.* |A' b' + a' - A b - a| <= e |b'| + |A| h + f. Products with b' pass through
//!    four roundings, a' through one: 4 u |A'|_F |b'| + u |a' + ...| <= 7 u |A'| |b'| + u |a'|, taken with
//!    8 u |A'| |b'|.
//! 3. *Rotation* by q about a unit vector e: M = c I + s [e] + v e e^T, v = 1 - c. Sine and cosine are off by
//!    4.5 u each (`circle.rs`). On the plane across e both errors act like one complex number: 6.4 u. The
//!    difference 1 - c rounds by u |v| <= 2 u. Entries pass through at most two roundings of v e e^T, one of
//!    s [e] and one sum: 2 u v + u |s| sqrt 2 + u sqrt 3 <= 6 u (Frobenius). In total 14.4 u, taken as 16 u.
//!    If e is not an axis of coordinates, it is off by 3.5 u, which enters s [e] once and v e e^T twice, v <=
//!    2: 17.5 u more, taken as 36 u in all.
//! 4. An error d of the angle turns by d, and moves by d |x| at most.
//! 5. *Translation* along e by q: the product rounds by u, and e is off by 3.5 u: 5 u |q|.
//! 6. *Inverse* of a rotation: A^T, and -A^T a, off by e |a'| + f + 4 u sqrt 3 |a'|. If A is a rotation only
//!    to within d = n - 1, its inverse is within 1.001 d of the transpose.
//!
//! Sums of these bounds round by less than their part of 1e-12, and products that underflow add less than
//! the least normal number.
use super::Pose;
use crate::{
    Error, ErrorKind,
    circle::sin_cos_of_angle,
    vector::{Matrix, UNIT, Vector, dot, largest, length, shrinking},
};

/// A pose computed from others, with bounds of its distance from the exact one: for chains of joints.
///
/// ```
/// use impinge::{Pose, pose::ApproximatePose};
/// // A link of length 2, behind a quarter turn.
/// let turn = ApproximatePose::rotation([0., 0., 1.], 90_f64.to_radians(), 0.)?;
/// let link = ApproximatePose::exact(Pose::from_translation([2., 0., 0.])?);
/// let end = turn.times(&link)?;
/// assert!((end.pose().translation()[1] - 2.).abs() < 1e-15);
/// // No point within 10 of the link's origin is off by more than this.
/// assert!(end.error(10.) < 1e-13);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApproximatePose {
    pose: Pose,
    turn_error: f64,
    shift_error: f64,
    /// A bound of the norm of the exact linear part.
    norm: f64,
}

/// What sums of bounds round, and more.
const UP: f64 = 1.0 + 1e-12;

impl ApproximatePose {
    /// The identity, which is exact.
    pub const IDENTITY: Self = Self { pose: Pose::IDENTITY, turn_error: 0.0, shift_error: 0.0, norm: 1.0 };

    /// A rigid pose that is exact as it is. Its rotation may be off by
    /// [`RIGID_TOLERANCE`](super::RIGID_TOLERANCE).
    pub fn exact(pose: Pose) -> Self {
        Self { pose, norm: (1.0 + pose.defect()) * (1.0 + 2.0 * UNIT), ..Self::IDENTITY }
    }
    /// A computed pose. The exact one is a rotation, whose matrix differs by at most `turn_error` (spectral
    /// norm), and a translation, which differs by at most `shift_error`.
    pub fn within(pose: Pose, turn_error: f64, shift_error: f64) -> Self {
        Self { pose, turn_error, shift_error, norm: 1.0 }
    }
    /// The rotation about the axis through the origin, by an angle in radians that is off by at most
    /// `angle_error`. Only the direction of the axis counts.
    ///
    /// # Errors
    /// An axis that is zero, or a number that is not finite.
    pub fn rotation(axis: Vector, angle: f64, angle_error: f64) -> Result<Self, Error> {
        let (e, is_exact) = unit(axis, angle)?;
        let (s, c) = sin_cos_of_angle(angle);
        let v = 1.0 - c;
        let [x, y, z] = e;
        let rows = [
            [c + v * (x * x), v * (x * y) - s * z, v * (x * z) + s * y],
            [v * (x * y) + s * z, c + v * (y * y), v * (y * z) - s * x],
            [v * (x * z) - s * y, v * (y * z) + s * x, c + v * (z * z)],
        ];
        let rounding = if angle == 0.0 {
            0.0
        } else if is_exact {
            16.0 * UNIT
        } else {
            36.0 * UNIT
        };
        let turn_error = (rounding + angle_error) * UP;
        Ok(Self { pose: Pose::of_finite(rows, [0.0; 3]), turn_error, ..Self::IDENTITY })
    }
    /// The translation along an axis by a length that is off by at most `length_error`. Only the direction
    /// of the axis counts.
    ///
    /// # Errors
    /// As [`ApproximatePose::rotation`].
    pub fn translation(axis: Vector, length: f64, length_error: f64) -> Result<Self, Error> {
        let (e, is_exact) = unit(axis, length)?;
        let rounding = if is_exact { 0.0 } else { 5.0 * UNIT * length.abs() };
        let shift_error = (rounding + length_error) * UP + tiny(length != 0.0 && !is_exact);
        Ok(Self { pose: Pose::at(e.map(|x| x * length + 0.0)), shift_error, ..Self::IDENTITY })
    }

    /// The map x -> self(next(x)).
    ///
    /// # Errors
    /// A number that overflows.
    pub fn times(&self, next: &Self) -> Result<Self, Error> {
        let (a, b) = (&self.pose, &next.pose);
        let (of_a, of_b) = (self.norm + self.turn_error, next.norm + next.turn_error);
        let (is_a, is_b) = (is_identity(a.rows()), is_identity(b.rows()));
        let (rows, rounding) = match (is_a, is_b) {
            (_, true) => (*a.rows(), 0.0),
            (true, false) => (*b.rows(), 0.0),
            (false, false) => (product(a.rows(), b.rows()), 9.0 * UNIT * of_a * of_b + f64::MIN_POSITIVE),
        };
        let turn_error = self.turn_error * of_b + self.norm * next.turn_error + rounding;
        let (t, far) = (b.translation(), length(*b.translation()));
        let (shift, rounding) = if *t == [0.0; 3] {
            (*a.translation(), 0.0)
        } else {
            let shift = [0, 1, 2].map(|i| dot(a.rows()[i], *t) + a.translation()[i]);
            (shift, UNIT * (8.0 * of_a * far + length(*a.translation())) + f64::MIN_POSITIVE)
        };
        let shift_error = self.turn_error * far + self.norm * next.shift_error + self.shift_error + rounding;
        if let Some([row, column]) = super::not_finite(&rows, &shift) {
            return Err(ErrorKind::PoseOverflow { row, column }.into());
        }
        Ok(Self {
            pose: Pose::of_finite(rows, shift),
            turn_error: turn_error * UP,
            shift_error: shift_error * UP,
            norm: self.norm * next.norm * (1.0 + 2.0 * UNIT),
        })
    }

    /// This map after the rotation about an axis: `self.times(&rotation(axis, angle, angle_error)?)`, faster
    /// where the axis is one of coordinates.
    ///
    /// # Errors
    /// As [`ApproximatePose::rotation`].
    pub fn turned(&self, axis: Vector, angle: f64, angle_error: f64) -> Result<Self, Error> {
        let (e, is_exact) = unit(axis, angle)?;
        let about = (0..3).find(|k| e[*k] != 0.0).filter(|_| is_exact && angle != 0.0);
        let Some(about) = about else { return self.times(&Self::rotation(axis, angle, angle_error)?) };
        let (i, j) = ((about + 1) % 3, (about + 2) % 3);
        let (s, c) = sin_cos_of_angle(angle);
        let s = s * e[about];
        // Entries that do not turn are exact, and the others are sums of two products: the bounds of a
        // rotation and of a product cover them.
        let rows = self.pose.rows().map(|row| {
            let mut turned = row;
            (turned[i], turned[j]) = (row[i] * c + row[j] * s, row[j] * c - row[i] * s);
            turned
        });
        let of_next = (16.0 * UNIT + angle_error) * UP;
        let rounding = 9.0 * UNIT * (self.norm + self.turn_error) * (1.0 + of_next) + f64::MIN_POSITIVE;
        let turn_error = self.turn_error * (1.0 + of_next) + self.norm * of_next + rounding;
        Ok(Self {
            pose: Pose::of_finite(rows, *self.pose.translation()),
            turn_error: turn_error * UP,
            shift_error: self.shift_error,
            norm: self.norm * (1.0 + 2.0 * UNIT),
        })
    }

    /// The inverse map.
    ///
    /// # Errors
    /// A number that overflows.
    pub fn inverse(&self) -> Result<Self, Error> {
        let r = self.pose.rows();
        let (t, far) = (self.pose.translation(), length(*self.pose.translation()));
        let rows = [0, 1, 2].map(|i| [r[0][i], r[1][i], r[2][i]]);
        let shift = rows.map(|row| -dot(row, *t) + 0.0);
        if let Some([row, column]) = super::not_finite(&rows, &shift) {
            return Err(ErrorKind::PoseOverflow { row, column }.into());
        }
        let turn_error = self.turn_error + 1.001 * (self.norm - 1.0);
        let rounding = if is_identity(r) { 0.0 } else { 8.0 * UNIT * far + tiny(far != 0.0) };
        let shift_error = turn_error * far + self.norm * self.norm * self.shift_error + rounding;
        Ok(Self {
            pose: Pose::of_finite(rows, shift),
            turn_error: turn_error * UP,
            shift_error: shift_error * UP,
            norm: self.norm * (1.0 + 2.0 * UNIT),
        })
    }

    /// The computed pose.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }
    /// Bound of the distance of a computed image of a point from its exact image, for points that are no
    /// farther from the origin than `reach`.
    pub fn error(&self, reach: f64) -> f64 {
        (self.turn_error * reach + self.shift_error) * UP
    }
    /// Bound of the difference of the computed linear part from the exact one, as a spectral norm.
    pub fn turn_error(&self) -> f64 {
        self.turn_error
    }
    /// Bound of the distance of the computed translation from the exact one.
    pub fn shift_error(&self) -> f64 {
        self.shift_error
    }
}

/// What underflow may lose.
fn tiny(may_round: bool) -> f64 {
    if may_round { f64::MIN_POSITIVE } else { 0.0 }
}

/// The unit vector along an axis, and whether it is exact.
fn unit(axis: Vector, amount: f64) -> Result<(Vector, bool), Error> {
    if !(amount.is_finite() && axis.iter().all(|x| x.is_finite())) {
        return Err(ErrorKind::AxisAngleNotFinite { axis, angle: amount }.into());
    }
    let size = largest(axis.map(f64::abs));
    if size == 0.0 {
        return Err(ErrorKind::ZeroAxis.into());
    }
    if axis.iter().filter(|x| **x != 0.0).count() == 1 {
        return Ok((axis.map(|x| if x == 0.0 { 0.0 } else { x.signum() }), true));
    }
    let axis = axis.map(|x| x * shrinking(size));
    let long = length(axis);
    Ok((axis.map(|x| x / long), false))
}

fn is_identity(rows: &Matrix) -> bool {
    rows == Pose::IDENTITY.rows()
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let column = |j: usize| [b[0][j], b[1][j], b[2][j]];
    let columns = [column(0), column(1), column(2)];
    a.map(|row| [dot(row, columns[0]), dot(row, columns[1]), dot(row, columns[2])])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        path::big::{self, LongVector},
        samples::rng::Rng,
    };

    /// One factor of a random chain, and its exact map.
    enum Factor {
        Turn(Vector, f64),
        Slide(Vector, f64),
        Fixed(Pose),
    }

    impl Factor {
        fn new(rng: &mut Rng, far: f64) -> Self {
            let kinds = [rng.direction(), [0.0, 0.0, 1.0], [0.0, -2.0, 0.0], rng.point(1e-100)];
            let axis = kinds[rng.below(4) as usize];
            match rng.below(5) {
                0 | 1 => Self::Turn(axis, rng.between(-7.0, 7.0)),
                2 => Self::Slide(axis, rng.between(-far, far)),
                3 => Self::Fixed(Pose::from_translation(rng.point(far)).unwrap()),
                _ => Self::Fixed(Pose::rigid(rng.rotation(), rng.point(far)).unwrap()),
            }
        }
        fn approximate(&self) -> ApproximatePose {
            match *self {
                Self::Turn(axis, angle) => ApproximatePose::rotation(axis, angle, 0.0).unwrap(),
                Self::Slide(axis, by) => ApproximatePose::translation(axis, by, 0.0).unwrap(),
                Self::Fixed(pose) => ApproximatePose::exact(pose),
            }
        }
        fn image(&self, y: &LongVector) -> LongVector {
            let along = |axis: &Vector, by: f64| {
                // Scaled exactly, for the fixed-point numbers.
                let size = largest(axis.map(f64::abs));
                let axis = big::vector(&axis.map(|x| x * shrinking(size)));
                let long = big::dot(&axis, &axis).root();
                let by = big::LongFloat::of(by);
                [0, 1, 2].map(|k| &axis[k].divided_by(&long) * &by)
            };
            match self {
                Self::Turn(axis, angle) => big::turned(&along(axis, *angle), y),
                Self::Slide(axis, by) => big::sum(y, &along(axis, *by)),
                Self::Fixed(pose) => big::sum(&big::image(pose.rows(), y), &big::vector(pose.translation())),
            }
        }
    }

    /// The part of the bound that the images of some points are off by, at most.
    fn check(
        chain: &[Factor],
        computed: &ApproximatePose,
        is_inverse: bool,
        rng: &mut Rng,
        reach: f64,
    ) -> f64 {
        let y = rng.direction().map(|x| x * reach * (1.0 - 1e-12));
        let exact = chain.iter().rev().fold(big::vector(&y), |y, factor| factor.image(&y));
        let pose = computed.pose();
        let place = |y: &LongVector| big::sum(&big::image(pose.rows(), y), &big::vector(pose.translation()));
        let (off, bound) = if is_inverse {
            // The inverse takes the exact image back.
            let far = big::length(&exact) * (1.0 + 1e-9);
            (big::difference(&place(&exact), &big::vector(&y)), computed.error(far))
        } else {
            (big::difference(&place(&big::vector(&y)), &exact), computed.error(reach))
        };
        assert!(big::is_within(&off, bound), "{bound:e} {computed:?}");
        if bound > 0.0 { big::length(&off) / bound } else { 0.0 }
    }

    #[test]
    fn bounds_of_chains_hold_and_are_not_silly() {
        let mut rng = Rng::new(91);
        let mut most = [0.0_f64; 2];
        for round in 0..4_000 {
            let (far, reach) = (*rng.pick(&[1.0, 1.0, 1e3, 1e-6]), *rng.pick(&[1.0, 1e-3, 50.0]));
            let chain: Vec<Factor> = (0..1 + round % 12).map(|_| Factor::new(&mut rng, far)).collect();
            let mut computed = ApproximatePose::IDENTITY;
            for factor in &chain {
                computed = match factor {
                    Factor::Turn(axis, angle) if round % 2 == 0 => {
                        computed.turned(*axis, *angle, 0.0).unwrap()
                    }
                    _ => computed.times(&factor.approximate()).unwrap(),
                };
            }
            most[0] = most[0].max(check(&chain, &computed, false, &mut rng, reach));
            let inverse = computed.inverse().unwrap();
            most[1] = most[1].max(check(&chain, &inverse, true, &mut rng, reach));
        }
        assert!(most.iter().all(|part| *part > 0.02), "{most:?}");
    }

    /// An angle that is off by its error moves points by no more than the bound.
    #[test]
    fn errors_of_positions_count() {
        for (angle, error) in [(0.5, 1e-3), (-2.0, 1e-9), (0.0, 1e-15)] {
            let axis = [1.0, 2.0, 2.0];
            let turn = ApproximatePose::rotation(axis, angle, error).unwrap();
            let exact = ApproximatePose::rotation(axis, angle + error, 0.0).unwrap();
            let y = [2.0, -1.0, 0.0];
            let off = super::super::place(turn.pose().rows(), &[0.0; 3], y);
            let reach = 5_f64.sqrt();
            let (exact, own) = (exact.pose().place(y), exact.error(reach));
            let off = length([0, 1, 2].map(|k| off[k] - exact[k]));
            assert!(off <= turn.error(reach) + own && off > 0.9 * error * reach - 1e-15, "{off} {turn:?}");
        }
    }

    #[test]
    fn what_is_exact_has_no_error() {
        let shift = ApproximatePose::translation([0.0, 0.0, -3.0], 0.1, 0.0).unwrap();
        assert_eq!((shift.pose().translation(), shift.error(1e9)), (&[0.0, 0.0, -0.1], 0.0));
        assert_eq!(ApproximatePose::rotation([1.0, 1.0, 0.0], 0.0, 0.0).unwrap().error(1e9), 0.0);
        assert!(ApproximatePose::rotation([0.0; 3], 1.0, 0.0).is_err());
        assert!(ApproximatePose::rotation([0.0, 0.0, 1.0], f64::NAN, 0.0).is_err());
        let far = ApproximatePose::exact(Pose::from_translation([f64::MAX, 0.0, 0.0]).unwrap());
        assert!(far.times(&far).is_err());
    }
}
