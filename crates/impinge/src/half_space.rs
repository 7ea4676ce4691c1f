//! Half-spaces: floors, walls, and the sides of regions.
use crate::{Error, ErrorKind, vector::Vector};

/// The points x with n.x <= d, for a normal n and an offset d that are taken as they are: all that lies on
/// one side of a plane, and the plane.
///
/// It is an [`Obstacle`](crate::Obstacle): the second operand of [`Query::intersects`](crate::Query::intersects),
/// [`within`](crate::Query::within), [`distance`](crate::Query::distance) and others, and a body of a scene
/// ([`Scene::add_half_space`](crate::Scene::add_half_space)). It has one face, with the number 0. Several of
/// them make a [region](crate::regions).
///
/// ```
/// use impinge::{ErrorKind, HalfSpace};
/// // All that is below z = 2.
/// let floor = HalfSpace::new([0., 0., 1.], 2.)?;
/// assert_eq!((floor.normal(), floor.offset()), ([0., 0., 1.], 2.));
/// let error = HalfSpace::new([0.; 3], 1.).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::InvalidHalfSpace { .. }));
/// # Ok::<(), impinge::Error>(())
/// ```
#[doc(alias("Plane", "Halfspace", "floor", "ground"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    pub(crate) normal: Vector,
    pub(crate) offset: f64,
}

impl HalfSpace {
    /// Makes a half-space of a normal, which points out of it and may have any length, and the value of n.x
    /// on its plane.
    ///
    /// # Errors
    /// A number that is not finite, or a normal that is 0: [`ErrorKind::InvalidHalfSpace`].
    pub fn new(normal: [f64; 3], offset: f64) -> Result<Self, Error> {
        let refused = |reason| Err(ErrorKind::InvalidHalfSpace { reason }.into());
        if !normal.iter().chain([&offset]).all(|x| x.is_finite()) {
            return refused("a number of a half-space is not finite");
        }
        if normal == [0.0; 3] {
            return refused("a half-space's normal is 0, which is no direction");
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
