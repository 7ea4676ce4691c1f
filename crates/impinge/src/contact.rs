//! A contact point and two normals for an intersecting pair of triangles.
use crate::{Body, triangle::contact::contact};

/// A point that an intersecting pair of triangles has in common: the result of [`contact_point`].
#[doc(alias = "Contact")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ContactPoint {
    /// A common point of both triangles, in the world, up to rounding.
    pub point: [f64; 3],
    /// The unit normals of the two placed triangles in the world: (b - a) x (c - a) for the placed corners a,
    /// b, c. `None` for a degenerate triangle, which has none.
    pub normals: [Option<[f64; 3]>; 2],
    /// True if the triangles meet. Exact.
    pub meets: bool,
}

/// A point where the triangles of an intersecting pair meet, and their normals, in the world.
///
/// The point is the mean of the ends of their intersection: the middle of the segment in which two faces
/// cross, or the corner that is all they share. These ends are found over the real numbers and then rounded.
/// Errors are at most
///
/// * 2^-47 (7e-15) for a coordinate of the point, relative to the largest coordinate, in size, that the six
///   placed corners have along that axis; where that is subnormal, a few of the least numbers of f64;
/// * 2^-50 (9e-16) for a component of a normal, also for needles and for coordinates of any size.
///
/// Coordinates beyond f64 are infinite or NaN. The test whether a triangle is degenerate is exact. For
/// triangles that do not meet (see [`ContactPoint::meets`]) the point lies about midway between them.
///
/// Normals are right-handed by the order of the corners: they point outwards where faces are wound
/// counter-clockwise as seen from outside, and inwards if the body's pose mirrors it. The cost is some
/// microseconds.
///
/// ```
/// use impinge::{Body, Mesh, Model, Pose};
/// let floor = Mesh::new(vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]], vec![[0, 1, 2]])?;
/// let wall = Mesh::new(vec![[1., 0., -1.], [1., 4., -1.], [1., 0., 3.]], vec![[0, 1, 2]])?;
/// let [floor, wall] = [floor, wall].map(Model::new);
/// let (a, b) = (Body::new(&floor, Pose::IDENTITY), Body::new(&wall, Pose::IDENTITY));
/// // They share the segment from (1, 0, 0) to (1, 3, 0).
/// let contact = impinge::contact::contact_point(&a, &b, [0, 0]);
/// assert_eq!(contact.point, [1., 1.5, 0.]);
/// assert_eq!(contact.normals, [Some([0., 0., 1.]), Some([1., 0., 0.])]);
/// assert!(contact.meets);
/// # Ok::<(), impinge::Error>(())
/// ```
///
/// # Panics
/// If the pair names triangles that the bodies do not have.
#[doc(alias("contact", "ContactManifold"))]
pub fn contact_point(a: &Body<'_>, b: &Body<'_>, [i, j]: [u32; 2]) -> ContactPoint {
    let (p, q) = (a.model.mesh().corners(i), b.model.mesh().corners(j));
    let (point, normals, meets) = contact(&a.pose, &p, &b.pose, &q);
    ContactPoint { point, normals, meets }
}
