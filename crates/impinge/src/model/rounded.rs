//! Bodies with a radius: spheres, capsules, and meshes with a skin.
use super::{Body, Model};
use crate::{Error, ErrorKind, Mesh};

/// All points that are no farther than a radius from a body's triangles.
///
/// Over the real numbers this is the set {x : |x - y| <= r for a point y of the placed triangles}. The radius
/// r is a length in the world, which a pose that scales does not change. A point with a radius is a sphere, a
/// segment with a radius a capsule. Two such bodies meet if and only if their triangles are no farther apart
/// than the sum of their radii, which is not rounded.
///
/// Queries accept it where they accept an [`AnyBody`]. For each of them a mesh is its surface, as for a
/// [`Body`]: a small sphere in a large cube does not meet it. [`Query::locate`](crate::Query::locate), and
/// distances with [`Accuracy::solids`](crate::distance::Accuracy::solids), add the inside of a closed mesh.
/// Volumes, relations and curves of rounded bodies are not defined:
///
/// ```compile_fail,E0308
/// # use impinge::{Body, Model, Pose, Query};
/// # let model = Model::points(&[[0.; 3]]).unwrap();
/// let sphere = Body::new(&model, Pose::IDENTITY).rounded(1.).unwrap();
/// Query::new().relation(&sphere, &sphere);
/// ```
///
/// ```
/// use impinge::{Body, Mesh, Model, Pose, Query};
/// // A capsule of radius 0.5 above the unit cube.
/// let segment = Model::segment([-1., 0., 0.], [1., 0., 0.])?;
/// let capsule = Body::new(&segment, Pose::from_translation([0., 0., 1.])?).rounded(0.5)?;
/// let model = Model::new(Mesh::cuboid([1.; 3])?);
/// let cube = Body::new(&model, Pose::IDENTITY);
/// let mut query = Query::new();
/// assert!(query.intersects(&capsule, &cube));
/// // They touch: the next smaller radius is too small.
/// let smaller = capsule.body().rounded(0.5_f64.next_down())?;
/// assert!(!query.intersects(&smaller, &cube));
/// # Ok::<(), impinge::Error>(())
/// ```
#[doc(alias("sphere", "ball", "capsule", "convex_radius", "sweptsphere", "padding"))]
#[derive(Clone, Copy, Debug)]
pub struct Rounded<'a> {
    pub(super) body: Body<'a>,
    pub(super) radius: f64,
}

impl<'a> Rounded<'a> {
    /// The largest radius, 2^900.
    const MOST: f64 = f64::from_bits((1023 + 900) << 52);

    /// The body without its radius.
    pub fn body(&self) -> Body<'a> {
        self.body
    }
    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl<'a> Body<'a> {
    /// The points no farther than `radius` from this body: see [`Rounded`].
    ///
    /// # Errors
    /// The radius is negative, NaN or more than 2^900: [`ErrorKind::InvalidRadius`].
    pub fn rounded(self, radius: f64) -> Result<Rounded<'a>, Error> {
        Ok(Rounded { body: self, radius: checked_radius(radius)? })
    }
}

/// A body without a radius.
impl<'a> From<Body<'a>> for Rounded<'a> {
    fn from(body: Body<'a>) -> Self {
        Self { body, radius: 0.0 }
    }
}

/// The radius, if it is valid.
pub(crate) fn checked_radius(radius: f64) -> Result<f64, Error> {
    if !(0.0..=Rounded::MOST).contains(&radius) {
        return Err(ErrorKind::InvalidRadius { radius }.into());
    }
    // -0.0 becomes 0.0.
    Ok(radius + 0.0)
}

/// A [`Body`], or one with a radius: what queries accept that are defined for both. No other type can
/// implement it.
pub trait AnyBody: private::Sealed + Sync {
    /// The body without its radius.
    fn any_body(&self) -> &Body<'_>;
    /// The radius, 0 for a [`Body`].
    fn any_radius(&self) -> f64;
}

impl AnyBody for Body<'_> {
    #[inline(always)]
    fn any_body(&self) -> &Body<'_> {
        self
    }
    #[inline(always)]
    fn any_radius(&self) -> f64 {
        0.0
    }
}

impl AnyBody for Rounded<'_> {
    fn any_body(&self) -> &Body<'_> {
        &self.body
    }
    fn any_radius(&self) -> f64 {
        self.radius
    }
}

mod private {
    /// A type that other crates cannot name.
    pub trait Sealed {}
    impl Sealed for super::Body<'_> {}
    impl Sealed for super::Rounded<'_> {}
}

impl Model {
    /// Points, each a triangle whose corners are that point: with a [radius](Body::rounded) they are spheres.
    ///
    /// # Errors
    /// As [`Mesh::new`].
    ///
    /// ```
    /// use impinge::{Body, Model, Pose, Query};
    /// let center = Model::points(&[[0.; 3]])?;
    /// let [a, b] = [[0., 0., 0.], [3., 4., 0.]].map(|t| Pose::from_translation(t).unwrap());
    /// let [a, b] = [Body::new(&center, a).rounded(2.)?, Body::new(&center, b).rounded(3.)?];
    /// assert!(Query::new().intersects(&a, &b));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn points(points: &[[f64; 3]]) -> Result<Self, Error> {
        let triangles = (0..points.len() as u32).map(|i| [i; 3]).collect();
        Ok(Self::new(Mesh::new(points.to_vec(), triangles)?))
    }

    /// The segment from p to q, as one triangle: with a [radius](Body::rounded) it is a capsule.
    ///
    /// # Errors
    /// As [`Mesh::new`].
    pub fn segment(p: [f64; 3], q: [f64; 3]) -> Result<Self, Error> {
        Ok(Self::new(Mesh::new(vec![p, q], vec![[0, 1, 1]])?))
    }
}
