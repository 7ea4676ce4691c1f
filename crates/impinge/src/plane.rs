//! Half-spaces.
use crate::{Error, ErrorKind, vector::Vector};

/// The half-space of the points x with n.x <= d, its boundary included, both taken as they are.
///
/// ```
/// use impinge::{ErrorKind, regions::Plane};
/// // The half-space below z = 2.
/// let plane = Plane::new([0., 0., 1.], 2.)?;
/// assert_eq!((plane.normal(), plane.offset()), ([0., 0., 1.], 2.));
/// let error = Plane::new([0.; 3], 1.).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::InvalidPlane { .. }));
/// # Ok::<(), impinge::Error>(())
/// ```
#[doc(alias = "HalfSpace")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    pub(crate) normal: Vector,
    pub(crate) offset: f64,
}

impl Plane {
    /// Makes a plane of a normal, which points out of the half-space and may have any length, and the value
    /// of n.x on the plane.
    ///
    /// # Errors
    /// A number that is not finite, or a normal that is 0: [`ErrorKind::InvalidPlane`].
    pub fn new(normal: [f64; 3], offset: f64) -> Result<Self, Error> {
        let refused = |reason| Err(ErrorKind::InvalidPlane { reason }.into());
        if !normal.iter().chain([&offset]).all(|x| x.is_finite()) {
            return refused("a number of a plane is not finite");
        }
        if normal == [0.0; 3] {
            return refused("a plane's normal is 0, which is no direction");
        }
        Ok(Self { normal, offset })
    }
    /// The normal.
    pub fn normal(&self) -> [f64; 3] {
        self.normal
    }
    /// The value of n.x on the plane.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}
