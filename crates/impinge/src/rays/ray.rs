//! Rays and segments.
use crate::{Error, ErrorKind, pose, posed::ray::RayAt, vector::Vector};

/// A half-line or a segment: the points o + t d for 0 <= t, up to the t that [`Ray::until`] sets. Neither
/// vector is normalized: t counts lengths of d.
///
/// ```
/// use impinge::{ErrorKind, rays::Ray};
/// let ray = Ray::new([0., 0., 1.], [0., 0., -2.])?.until(3.5)?;
/// assert_eq!((ray.origin(), ray.direction(), ray.end()), ([0., 0., 1.], [0., 0., -2.], 3.5));
/// let error = ray.until(-1.0).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::InvalidRay { .. }));
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub(super) origin: Vector,
    pub(super) direction: Vector,
    pub(super) until: f64,
}

impl Ray {
    /// Ray from a point, without end.
    ///
    /// # Errors
    /// A coordinate that is not finite, or a direction that is 0: [`ErrorKind::InvalidRay`].
    pub fn new(origin: [f64; 3], direction: [f64; 3]) -> Result<Self, Error> {
        if !origin.iter().chain(&direction).all(|x| x.is_finite()) {
            return Err(refused("a coordinate of a ray's origin or direction is not finite"));
        }
        if direction == [0.0; 3] {
            return Err(refused("a ray's direction is 0, which is none"));
        }
        Ok(Self { origin, direction, until: f64::INFINITY })
    }
    /// Returns the ray ended at `t_max`: 1 gives the segment from o to o + d.
    ///
    /// # Errors
    /// `t_max` is negative or NaN: [`ErrorKind::InvalidRay`].
    #[doc(alias("max_time_of_impact", "max_toi"))]
    pub fn until(self, t_max: f64) -> Result<Self, Error> {
        if t_max >= 0.0 {
            // -0.0 becomes 0.0.
            Ok(Self { until: t_max + 0.0, ..self })
        } else {
            Err(refused("a ray's end is before its origin, or NaN"))
        }
    }
    /// Origin o.
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }
    /// Direction d; its length is the unit of t.
    pub fn direction(&self) -> [f64; 3] {
        self.direction
    }
    /// The greatest t, infinity by default.
    pub fn end(&self) -> f64 {
        self.until
    }
    /// The point o + t d, for any t. Each coordinate is rounded once, to the f64 nearest to the exact value
    /// (ties to even): its error is at most half a unit in its last place. NaN if t is not finite.
    ///
    /// ```
    /// use impinge::rays::Ray;
    /// let ray = Ray::new([1., 2., 3.], [0., 0., -2.])?;
    /// assert_eq!(ray.at(1.5), [1., 2., 0.]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias = "point_at")]
    pub fn at(&self, t: f64) -> [f64; 3] {
        let [x, y, z] = self.direction;
        pose::place(&[[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], &self.origin, [t; 3])
    }
    pub(super) fn as_given(&self) -> RayAt<'_> {
        RayAt { origin: &self.origin, direction: &self.direction, until: self.until }
    }
}

fn refused(reason: &'static str) -> Error {
    ErrorKind::InvalidRay { reason }.into()
}
