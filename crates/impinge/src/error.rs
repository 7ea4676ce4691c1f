//! The one error of the library: what was wrong with the input, and where.
use crate::body_id::BodyId;
use std::{borrow::Cow, fmt};

/// Why a mesh, new points for one, a pose, a ray, an option or a question was refused.
///
/// The kind of an error is private, so that kinds can be added: test it by the functions that begin with
/// `is_`, and get its vertex, triangle or body by the others. The text (`Display`) is one line for people.
///
/// ```
/// use impinge::{Mesh, Pose};
/// let error = Mesh::new(vec![[0.; 3]; 3], vec![[0, 1, 2], [0, 1, 3]]).unwrap_err();
/// assert!(error.is_index_out_of_range());
/// assert_eq!((error.triangle(), error.vertex()), (Some(1), Some(3)));
/// assert_eq!(error.to_string(), "triangle 1 names vertex 3, but there are only 3 vertices");
///
/// let flat = Pose::affine([[1., 0., 0.], [0., 1., 0.], [0., 0., 0.]], [0.; 3]).unwrap_err();
/// assert!(flat.is_singular_pose() && !flat.is_not_rigid());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    VertexNotFinite { vertex: usize, value: [f64; 3] },
    IndexOutOfRange { triangle: usize, index: u32, vertices: usize },
    TooMany { found: usize, most: usize, what: &'static str },
    TooFew { found: usize, least: usize, what: &'static str },
    NotASize { what: &'static str, size: f64 },
    VertexOutOfRange { index: u32, vertices: usize },
    WrongCount { points: usize, vertices: usize },
    PoseNotFinite { row: usize, column: usize, value: f64 },
    PoseOverflows { row: usize, column: usize },
    PoseNotRigid { deviation: f64, may_be_rounding: bool },
    PoseMirrors,
    PoseSingular,
    NotADistance { distance: f64 },
    NotARay { text: &'static str },
    NotAPlane { text: &'static str },
    IllConditioned,
    LastRow { row: [f64; 4] },
    QuaternionNotFinite { quaternion: [f64; 4] },
    QuaternionZero,
    TurnNotFinite { axis: [f64; 3], angle: f64 },
    AxisZero,
    NoSuchBody { body: BodyId },
    StaleContact { bodies: [BodyId; 2] },
    MissingDetail,
    MixedHierarchies { first: &'static str, second: &'static str },
    UnsupportedOption { text: Cow<'static, str> },
    InvalidSavedModel { text: Cow<'static, str> },
    Stopped,
    Defect { text: Cow<'static, str> },
}

/// Constructors. The hidden public ones are for this project's other crates.
impl Error {
    #[cold]
    pub(crate) fn vertex_not_finite(vertex: usize, value: [f64; 3]) -> Self {
        Self(Kind::VertexNotFinite { vertex, value })
    }
    #[cold]
    pub(crate) fn index_out_of_range(triangle: usize, index: u32, vertices: usize) -> Self {
        Self(Kind::IndexOutOfRange { triangle, index, vertices })
    }
    /// More than `most` things, `what` being their name in the plural.
    #[cold]
    #[doc(hidden)]
    pub fn too_many(found: usize, most: usize, what: &'static str) -> Self {
        Self(Kind::TooMany { found, most, what })
    }
    /// Fewer than `least` things, `what` being their name in the plural.
    #[cold]
    pub(crate) fn too_few(found: usize, least: usize, what: &'static str) -> Self {
        Self(Kind::TooFew { found, least, what })
    }
    /// `what` names the length.
    #[cold]
    pub(crate) fn not_a_size(what: &'static str, size: f64) -> Self {
        Self(Kind::NotASize { what, size })
    }
    #[cold]
    pub(crate) fn vertex_out_of_range(index: u32, vertices: usize) -> Self {
        Self(Kind::VertexOutOfRange { index, vertices })
    }
    #[cold]
    pub(crate) fn wrong_count(points: usize, vertices: usize) -> Self {
        Self(Kind::WrongCount { points, vertices })
    }
    #[cold]
    pub(crate) fn pose_not_finite(row: usize, column: usize, value: f64) -> Self {
        Self(Kind::PoseNotFinite { row, column, value })
    }
    /// The error of a pose that was computed from others.
    #[cold]
    pub(crate) fn pose_overflows(row: usize, column: usize) -> Self {
        Self(Kind::PoseOverflows { row, column })
    }
    /// `deviation` may be NaN, where it is beyond what f64 holds.
    #[cold]
    pub(crate) fn pose_not_rigid(deviation: f64, may_be_rounding: bool) -> Self {
        let deviation = if deviation.is_nan() { f64::INFINITY } else { deviation };
        Self(Kind::PoseNotRigid { deviation, may_be_rounding })
    }
    #[cold]
    pub(crate) fn pose_mirrors() -> Self {
        Self(Kind::PoseMirrors)
    }
    #[cold]
    pub(crate) fn pose_singular() -> Self {
        Self(Kind::PoseSingular)
    }
    #[cold]
    pub(crate) fn not_a_distance(distance: f64) -> Self {
        Self(Kind::NotADistance { distance })
    }
    #[cold]
    pub(crate) fn not_a_ray(text: &'static str) -> Self {
        Self(Kind::NotARay { text })
    }
    #[cold]
    pub(crate) fn not_a_plane(text: &'static str) -> Self {
        Self(Kind::NotAPlane { text })
    }
    #[cold]
    pub(crate) fn ill_conditioned() -> Self {
        Self(Kind::IllConditioned)
    }
    #[cold]
    pub(crate) fn last_row(row: [f64; 4]) -> Self {
        Self(Kind::LastRow { row })
    }
    #[cold]
    pub(crate) fn quaternion_not_finite(quaternion: [f64; 4]) -> Self {
        Self(Kind::QuaternionNotFinite { quaternion })
    }
    #[cold]
    pub(crate) fn quaternion_zero() -> Self {
        Self(Kind::QuaternionZero)
    }
    #[cold]
    pub(crate) fn turn_not_finite(axis: [f64; 3], angle: f64) -> Self {
        Self(Kind::TurnNotFinite { axis, angle })
    }
    #[cold]
    pub(crate) fn axis_zero() -> Self {
        Self(Kind::AxisZero)
    }
    #[cold]
    pub(crate) fn no_such_body(body: BodyId) -> Self {
        Self(Kind::NoSuchBody { body })
    }
    /// A contact that the scene's last update did not find.
    #[cold]
    pub(crate) fn stale_contact(bodies: [BodyId; 2]) -> Self {
        Self(Kind::StaleContact { bodies })
    }
    /// The scene's last update was asked for less than all pairs of triangles.
    #[cold]
    pub(crate) fn missing_detail() -> Self {
        Self(Kind::MissingDetail)
    }
    /// Two bodies whose bounding volume hierarchies are of different kinds or arities.
    #[cold]
    #[doc(hidden)]
    pub fn mixed_hierarchies(first: &'static str, second: &'static str) -> Self {
        Self(Kind::MixedHierarchies { first, second })
    }
    /// `text` names the option, and the reason.
    #[cold]
    #[doc(hidden)]
    pub fn unsupported_option(text: impl Into<Cow<'static, str>>) -> Self {
        Self(Kind::UnsupportedOption { text: text.into() })
    }
    /// `text` names the defect, and its place.
    #[cold]
    pub(crate) fn invalid_saved_model(text: impl Into<Cow<'static, str>>) -> Self {
        Self(Kind::InvalidSavedModel { text: text.into() })
    }
    /// The caller's flag was set before the work was done.
    #[cold]
    #[doc(hidden)]
    pub fn stopped() -> Self {
        Self(Kind::Stopped)
    }
    /// A tree that does not hold what it must.
    #[cold]
    #[doc(hidden)]
    pub fn invalid_tree(text: impl Into<Cow<'static, str>>) -> Self {
        Self(Kind::Defect { text: text.into() })
    }
}

impl Error {
    /// Whether a coordinate, an entry of a pose or a quaternion, an axis or an angle was NaN or infinite; or
    /// became so, where poses are composed or inverted.
    pub fn is_not_finite(&self) -> bool {
        matches!(
            self.0,
            Kind::VertexNotFinite { .. }
                | Kind::PoseNotFinite { .. }
                | Kind::PoseOverflows { .. }
                | Kind::QuaternionNotFinite { .. }
                | Kind::TurnNotFinite { .. }
        )
    }
    /// Whether a triangle, or a list of moved vertices, names a vertex that does not exist.
    pub fn is_index_out_of_range(&self) -> bool {
        matches!(self.0, Kind::IndexOutOfRange { .. } | Kind::VertexOutOfRange { .. })
    }
    /// Whether there was more of something than the library can hold: 2^27 triangles a mesh.
    pub fn is_too_many(&self) -> bool {
        matches!(self.0, Kind::TooMany { .. })
    }
    /// Whether a shape was to have too few parts: rings, segments or sides.
    pub fn is_too_few(&self) -> bool {
        matches!(self.0, Kind::TooFew { .. })
    }
    /// Whether a shape's size was not positive, infinite or NaN, or too small to be halved.
    pub fn is_not_a_size(&self) -> bool {
        matches!(self.0, Kind::NotASize { .. })
    }
    /// Whether a mesh was given more or fewer points than it has vertices.
    pub fn is_wrong_count(&self) -> bool {
        matches!(self.0, Kind::WrongCount { .. })
    }
    /// Whether a linear part was no rotation: further than 1e-6 from orthonormal, or a mirror image.
    /// [`Error::deviation`] returns by how much.
    pub fn is_not_rigid(&self) -> bool {
        matches!(self.0, Kind::PoseNotRigid { .. } | Kind::PoseMirrors)
    }
    /// Whether a linear part was a mirror image, its determinant being negative. Then
    /// [`Error::is_not_rigid`], too.
    pub fn is_mirror(&self) -> bool {
        matches!(self.0, Kind::PoseMirrors)
    }
    /// Whether an affine map was singular: it flattens space.
    pub fn is_singular_pose(&self) -> bool {
        matches!(self.0, Kind::PoseSingular)
    }
    /// Whether a margin was negative, infinite or NaN.
    pub fn is_not_a_distance(&self) -> bool {
        matches!(self.0, Kind::NotADistance { .. })
    }
    /// Whether a ray had a coordinate that is not finite, no direction, or an end before its origin.
    pub fn is_not_a_ray(&self) -> bool {
        matches!(self.0, Kind::NotARay { .. })
    }
    /// Whether a plane had a number that is not finite, or no normal.
    pub fn is_not_a_plane(&self) -> bool {
        matches!(self.0, Kind::NotAPlane { .. })
    }
    /// Whether an affine map was so close to singular that its inverse means nothing once it is rounded to
    /// f64.
    pub fn is_ill_conditioned(&self) -> bool {
        matches!(self.0, Kind::IllConditioned)
    }
    /// Whether the last row of a 4 x 4 matrix was not 0 0 0 1: a projection, or columns taken for rows.
    pub fn is_not_affine(&self) -> bool {
        matches!(self.0, Kind::LastRow { .. })
    }
    /// Whether a quaternion was 0, which is no rotation.
    pub fn is_zero_quaternion(&self) -> bool {
        matches!(self.0, Kind::QuaternionZero)
    }
    /// Whether the axis of a turn was 0.
    pub fn is_zero_axis(&self) -> bool {
        matches!(self.0, Kind::AxisZero)
    }
    /// Whether it is about a pose, a matrix, a quaternion, or an axis and an angle.
    pub fn is_pose(&self) -> bool {
        matches!(
            self.0,
            Kind::PoseNotFinite { .. }
                | Kind::PoseOverflows { .. }
                | Kind::PoseNotRigid { .. }
                | Kind::PoseMirrors
                | Kind::PoseSingular
                | Kind::IllConditioned
                | Kind::LastRow { .. }
                | Kind::QuaternionNotFinite { .. }
                | Kind::QuaternionZero
                | Kind::TurnNotFinite { .. }
                | Kind::AxisZero
        )
    }
    /// Whether a scene was asked about a body that it does not have, or no longer has.
    pub fn is_no_such_body(&self) -> bool {
        matches!(self.0, Kind::NoSuchBody { .. })
    }
    /// Whether a scene was asked about a contact that its last update did not find: one of an earlier update,
    /// of another scene, or read from a file.
    pub fn is_stale_contact(&self) -> bool {
        matches!(self.0, Kind::StaleContact { .. })
    }
    /// Whether a scene was asked for pairs of triangles, but its last update was not asked for
    /// [`Detail::Triangles`](crate::scene::Detail::Triangles).
    pub fn is_missing_detail(&self) -> bool {
        matches!(self.0, Kind::MissingDetail)
    }
    /// Whether two bodies were compared whose bounding volume hierarchies are of different kinds or arities.
    pub fn is_mixed(&self) -> bool {
        matches!(self.0, Kind::MixedHierarchies { .. })
    }
    /// Whether an option is not available, or not together with the others.
    pub fn is_unsupported_option(&self) -> bool {
        matches!(self.0, Kind::UnsupportedOption { .. })
    }
    /// Whether bytes were no saved model, of another version, cut short or altered.
    pub fn is_invalid_saved_model(&self) -> bool {
        matches!(self.0, Kind::InvalidSavedModel { .. })
    }
    /// Whether the caller stopped the work before it was done.
    pub fn is_stopped(&self) -> bool {
        matches!(self.0, Kind::Stopped)
    }
    /// Whether this library is wrong, not what it was given: please report it.
    pub fn is_defect(&self) -> bool {
        matches!(self.0, Kind::Defect { .. })
    }

    /// The vertex the error is about, if it is about one.
    pub fn vertex(&self) -> Option<usize> {
        match self.0 {
            Kind::VertexNotFinite { vertex, .. } => Some(vertex),
            Kind::IndexOutOfRange { index, .. } | Kind::VertexOutOfRange { index, .. } => {
                Some(index as usize)
            }
            _ => None,
        }
    }
    /// The triangle the error is about, if it is about one.
    pub fn triangle(&self) -> Option<usize> {
        match self.0 {
            Kind::IndexOutOfRange { triangle, .. } => Some(triangle),
            _ => None,
        }
    }
    /// The body the error is about, if it is about one.
    pub fn body(&self) -> Option<BodyId> {
        match self.0 {
            Kind::NoSuchBody { body } => Some(body),
            _ => None,
        }
    }
    /// Row and column, counted from 0, of the pose's entry the error is about, if it is about one. Column 3
    /// is the translation.
    pub fn pose_entry(&self) -> Option<[usize; 2]> {
        match self.0 {
            Kind::PoseNotFinite { row, column, .. } | Kind::PoseOverflows { row, column } => {
                Some([row, column])
            }
            _ => None,
        }
    }
    /// How far from a rotation a linear part R was: the largest entry of |R^T R - I|, which is 0 for a
    /// rotation. Infinite where that is beyond what f64 holds.
    pub fn deviation(&self) -> Option<f64> {
        match self.0 {
            Kind::PoseNotRigid { deviation, .. } => Some(deviation),
            _ => None,
        }
    }
    /// The number of items where there were too many, and the most that fit; or where there were too few, and
    /// the least number.
    pub fn count(&self) -> Option<[usize; 2]> {
        match self.0 {
            Kind::TooFew { found, least, .. } => Some([found, least]),
            Kind::TooMany { found, most, .. } => Some([found, most]),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::VertexNotFinite { vertex, value: [x, y, z] } => {
                write!(f, "vertex {vertex} is not finite: ({x}, {y}, {z})")
            }
            Kind::IndexOutOfRange { triangle, index, vertices } => {
                write!(f, "triangle {triangle} names vertex {index}, but there are only {vertices} vertices")
            }
            Kind::TooMany { found, most, what } => write!(f, "{found} {what}; at most {most} fit"),
            Kind::TooFew { found, least, what } => write!(f, "{found} {what}; at least {least} are needed"),
            Kind::NotASize { what, size } if *size > 0.0 && *size < f64::INFINITY => {
                write!(f, "{what} is {size:e}, too small for half of it to be a number")
            }
            Kind::NotASize { what, size } => write!(f, "{what} is {size}, which is not positive and finite"),
            Kind::VertexOutOfRange { index, vertices } => {
                write!(f, "vertex {index} is to move, but there are only {vertices} vertices")
            }
            Kind::WrongCount { points, vertices } => {
                write!(f, "{points} points for {vertices} vertices")
            }
            Kind::PoseNotFinite { row, column, value } => {
                write!(f, "the pose's entry in row {row}, column {column} is {value}")
            }
            Kind::PoseOverflows { row, column } => {
                write!(f, "the resulting pose's entry in row {row}, column {column} is beyond what f64 holds")
            }
            Kind::PoseNotRigid { deviation, may_be_rounding: true } => write!(
                f,
                "the pose is not a rigid motion: R^T R differs from the identity by {deviation:e}, and at \
                 most 1e-6 is taken as rounding; Pose::nearest_rigid makes R orthonormal, Pose::affine takes \
                 it as it is"
            ),
            Kind::PoseNotRigid { deviation, .. } => write!(
                f,
                "the pose is not a rigid motion: R^T R differs from the identity by {deviation:e}, which is \
                 scale or shear and no rounding; Pose::affine takes it as it is"
            ),
            Kind::PoseMirrors => write!(
                f,
                "the pose is not a rigid motion: it mirrors, as the determinant of R is negative; \
                 Pose::affine takes it as it is"
            ),
            Kind::NotADistance { distance } => {
                write!(f, "a margin is a finite distance that is not negative, but this one is {distance}")
            }
            Kind::NotARay { text } | Kind::NotAPlane { text } => f.write_str(text),
            Kind::PoseSingular => write!(f, "the affine map is singular: it flattens space"),
            Kind::IllConditioned => write!(
                f,
                "the affine map is so close to singular that its inverse means nothing once it is rounded \
                 to f64"
            ),
            Kind::LastRow { row: [a, b, c, d] } => write!(
                f,
                "the matrix's last row is {a} {b} {c} {d}, not 0 0 0 1; it is read row by row, so one that \
                 is stored column by column is to be transposed first"
            ),
            Kind::QuaternionNotFinite { quaternion: [x, y, z, w] } => {
                write!(f, "the quaternion is not finite: x {x}, y {y}, z {z}, w {w}")
            }
            Kind::QuaternionZero => write!(f, "the quaternion is 0, which is no rotation"),
            Kind::TurnNotFinite { axis: [x, y, z], angle } => {
                write!(f, "the axis ({x}, {y}, {z}) or the angle {angle} is not finite")
            }
            Kind::AxisZero => write!(f, "the axis is 0, which has no direction"),
            Kind::NoSuchBody { body } => write!(f, "the scene has no {body:?}"),
            Kind::StaleContact { bodies: [a, b] } => write!(
                f,
                "the contact of {a:?} and {b:?} is not of the scene's last update; take it from \
                 Scene::contacts again"
            ),
            Kind::MissingDetail => write!(
                f,
                "the scene's last update did not list pairs of triangles; update it with Detail::Triangles"
            ),
            Kind::MixedHierarchies { first, second } => write!(
                f,
                "the bodies' hierarchies do not fit together: {first} and {second}; both want the same kind \
                 and arity"
            ),
            Kind::UnsupportedOption { text } | Kind::InvalidSavedModel { text } => f.write_str(text),
            Kind::Stopped => f.write_str("stopped before the work was done"),
            Kind::Defect { text } => write!(f, "a defect of this library: {text}"),
        }
    }
}

impl std::error::Error for Error {}
