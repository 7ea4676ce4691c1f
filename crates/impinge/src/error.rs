//! The error type of the library: the defect of an input, and its place.
use crate::body_id::BodyId;
use std::{borrow::Cow, fmt};

/// Reason for which a mesh, new points for one, a pose, a ray, an option or a query was refused.
///
/// [`Error::kind`] returns the reason with its numbers, for programs. The text (`Display`) is one line for
/// people.
///
/// ```
/// use impinge::{ErrorKind, Mesh, Pose};
/// let error = Mesh::new(vec![[0.; 3]; 3], vec![[0, 1, 2], [0, 1, 3]]).unwrap_err();
/// assert_eq!(*error.kind(), ErrorKind::IndexOutOfRange { triangle: 1, index: 3, vertices: 3 });
/// assert_eq!(error.to_string(), "triangle 1 names vertex 3, but there are only 3 vertices");
///
/// // A match needs an arm for all other kinds, as later versions may add some.
/// let flat = Pose::affine([[1., 0., 0.], [0., 1., 0.], [0., 0., 0.]], [0.; 3]).unwrap_err();
/// let hint = match flat.kind() {
///     ErrorKind::SingularPose => "give it a thickness",
///     ErrorKind::NotRigid { .. } | ErrorKind::Mirror => "use Pose::affine",
///     _ => "",
/// };
/// assert_eq!(hint, "give it a thickness");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Error(ErrorKind);

/// The kinds of errors: what was refused, with its numbers. [`Error::kind`] returns it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A coordinate of a mesh's vertex is NaN or infinite.
    VertexNotFinite {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        value: [f64; 3],
    },
    /// A triangle names a vertex that does not exist.
    IndexOutOfRange {
        /// The triangle.
        triangle: usize,
        /// The vertex that it names.
        index: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A list of moved vertices names a vertex that does not exist.
    MovedVertexOutOfRange {
        /// The vertex that it names.
        index: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// More or fewer new points than the mesh has vertices.
    WrongPointCount {
        /// The number of points.
        points: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// More items than the library can hold, such as 2^27 triangles in one mesh.
    TooMany {
        /// The number of items.
        found: usize,
        /// The largest number that fits.
        most: usize,
        /// The items, in the plural.
        what: &'static str,
    },
    /// A shape has too few rings, segments or sides.
    TooFew {
        /// Their number.
        found: usize,
        /// The least number.
        least: usize,
        /// The items, in the plural.
        what: &'static str,
    },
    /// A length of a shape is not positive and finite, or so small that half of it is no f64 number. Or the
    /// radius of a cylinder, a cone or an ellipsoid is not from 2^-900 to 2^900.
    InvalidSize {
        /// The length's name.
        what: &'static str,
        /// The length.
        size: f64,
    },
    /// A coordinate of a ball's center is infinite or NaN.
    CenterNotFinite {
        /// The index of the ball.
        ball: usize,
        /// The center.
        center: [f64; 3],
    },
    /// A sweep is to begin at a time that is not from 0 to 1, or is 1.
    NotATime {
        /// The time.
        t: f64,
    },
    /// A chord is not positive and finite, or too small for the shape.
    InvalidChord {
        /// The chord.
        chord: f64,
        /// The least chord of the shape.
        least: f64,
    },
    /// A number of a path is NaN or more than 2^300, or the angle of a leg more than 2^20.
    PathTooLong {
        /// The largest number.
        size: f64,
        /// The angle in radians.
        angle: f64,
    },
    /// An entry of a pose is NaN or infinite.
    PoseNotFinite {
        /// The entry's row, from 0.
        row: usize,
        /// The entry's column, from 0. Column 3 is the translation.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// An entry of a composed or inverted pose is beyond what f64 holds.
    PoseOverflow {
        /// The entry's row, from 0.
        row: usize,
        /// The entry's column, from 0. Column 3 is the translation.
        column: usize,
    },
    /// The linear part R of a pose is further than 1e-6 from orthonormal, and so no rotation.
    NotRigid {
        /// The largest entry of |R^T R - I|, which is 0 for a rotation. Infinite where that is beyond what
        /// f64 holds.
        deviation: f64,
        /// True if the deviation may be rounding, which
        /// [`Pose::nearest_rigid`](crate::Pose::nearest_rigid) removes.
        may_be_rounding: bool,
    },
    /// The linear part of a pose is a mirror, no rotation: its determinant is negative.
    Mirror,
    /// An affine map flattens space: its linear part is singular.
    SingularPose,
    /// An affine map is so close to singular that its inverse means nothing once it is rounded to f64.
    IllConditionedPose,
    /// The last row of a 4 x 4 matrix is not 0 0 0 1: it is a projection, or stored column by column.
    NotAffine {
        /// The last row.
        last_row: [f64; 4],
    },
    /// A number of a quaternion is NaN or infinite.
    QuaternionNotFinite {
        /// The quaternion, x y z w.
        quaternion: [f64; 4],
    },
    /// A quaternion is 0, which is no rotation.
    ZeroQuaternion,
    /// A number of an axis, or an angle, is NaN or infinite.
    AxisAngleNotFinite {
        /// The axis.
        axis: [f64; 3],
        /// The angle.
        angle: f64,
    },
    /// The axis of a rotation is 0, which has no direction.
    ZeroAxis,
    /// A margin is negative, infinite or NaN.
    InvalidMargin {
        /// The margin.
        distance: f64,
    },
    /// The radius of a body is negative, NaN or more than 2^900.
    InvalidRadius {
        /// The radius.
        radius: f64,
    },
    /// A ray has a coordinate that is not finite, no direction, or an end before its origin.
    InvalidRay {
        /// The defect, in words.
        reason: &'static str,
    },
    /// A half-space has a number that is not finite, or no normal.
    InvalidHalfSpace {
        /// The defect, in words.
        reason: &'static str,
    },
    /// A scene does not have this body, or no longer has it.
    NoSuchBody {
        /// The body.
        body: BodyId,
    },
    /// A body of a scene is a half-space, which has no mesh, pose or radius; or it is none.
    WrongKindOfBody {
        /// The body.
        body: BodyId,
        /// True if it is a half-space.
        is_half_space: bool,
    },
    /// A contact is not of the scene's last update, but of an earlier one, of another scene or from a file.
    StaleContact {
        /// The contact's bodies.
        bodies: [BodyId; 2],
    },
    /// The scene's last update did not list pairs of triangles: that takes
    /// [`Detail::Triangles`](crate::scene::Detail::Triangles).
    MissingDetail,
    /// The bounding volume hierarchies of two models are of different kinds or arities:
    /// [`Model::fits`](crate::Model::fits).
    MixedHierarchies {
        /// The first model's bounding volume.
        first: &'static str,
        /// The second model's bounding volume.
        second: &'static str,
    },
    /// An option is not available, or not together with the others.
    UnsupportedOption {
        /// The option and the reason, in words.
        reason: Cow<'static, str>,
    },
    /// Bytes are no saved model, or one of another version, cut short or altered.
    InvalidSavedModel {
        /// The defect and its place, in words.
        reason: Cow<'static, str>,
    },
    /// The caller stopped the work before it was done.
    Stopped,
    /// A bug of this library. Please report it.
    Defect {
        /// The defect and its place, in words.
        reason: Cow<'static, str>,
    },
}

impl Error {
    /// Returns the reason, with its numbers.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }
    /// [`ErrorKind::NotRigid`]; a `deviation` that overflowed to NaN becomes infinity.
    #[cold]
    pub(crate) fn not_rigid(deviation: f64, may_be_rounding: bool) -> Self {
        let deviation = if deviation.is_nan() { f64::INFINITY } else { deviation };
        Self(ErrorKind::NotRigid { deviation, may_be_rounding })
    }
}

impl From<ErrorKind> for Error {
    #[cold]
    fn from(kind: ErrorKind) -> Self {
        Self(kind)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ErrorKind::VertexNotFinite { vertex, value: [x, y, z] } => {
                write!(f, "vertex {vertex} is not finite: ({x}, {y}, {z})")
            }
            ErrorKind::IndexOutOfRange { triangle, index, vertices } => {
                write!(f, "triangle {triangle} names vertex {index}, but there are only {vertices} vertices")
            }
            ErrorKind::TooMany { found, most, what } => write!(f, "{found} {what}; at most {most} fit"),
            ErrorKind::TooFew { found, least, what } => {
                write!(f, "{found} {what}; at least {least} are needed")
            }
            ErrorKind::InvalidSize { what, size } if *size > 0.0 && *size < f64::INFINITY => {
                let is_odd = 0.5 * size + 0.5 * size != *size;
                let half = "too small for half of it to be a number";
                write!(f, "{what} is {size:e}, {}", if is_odd { half } else { "not from 2^-900 to 2^900" })
            }
            ErrorKind::CenterNotFinite { ball, center: [x, y, z] } => {
                write!(f, "the center of ball {ball} is ({x}, {y}, {z}), which is not finite")
            }
            ErrorKind::NotATime { t } => write!(f, "the time is {t}; a sweep begins from 0 to less than 1"),
            ErrorKind::InvalidSize { what, size } => {
                write!(f, "{what} is {size}, which is not positive and finite")
            }
            ErrorKind::InvalidChord { chord, least } if *chord > 0.0 && *chord < f64::INFINITY => {
                write!(f, "the chord is {chord:e}, but at least {least:e} is needed for a shape of this size")
            }
            ErrorKind::InvalidChord { chord, .. } => {
                write!(f, "the chord is {chord}, which is not positive and finite")
            }
            ErrorKind::PathTooLong { size, angle } => write!(
                f,
                "a path takes numbers up to 2^300 and turns up to 2^20 radians, but here these are {size:e} \
                 and {angle:e}"
            ),
            ErrorKind::MovedVertexOutOfRange { index, vertices } => {
                write!(f, "vertex {index} is to move, but there are only {vertices} vertices")
            }
            ErrorKind::WrongPointCount { points, vertices } => {
                write!(f, "{points} points for {vertices} vertices")
            }
            ErrorKind::PoseNotFinite { row, column, value } => {
                write!(f, "the pose's entry in row {row}, column {column} is {value}")
            }
            ErrorKind::PoseOverflow { row, column } => {
                write!(f, "the resulting pose's entry in row {row}, column {column} is beyond what f64 holds")
            }
            ErrorKind::NotRigid { deviation, may_be_rounding: true } => write!(
                f,
                "the pose is not a rigid motion: R^T R differs from the identity by {deviation:e}, and at \
                 most 1e-6 is taken as rounding; Pose::nearest_rigid makes R orthonormal, Pose::affine takes \
                 it as it is"
            ),
            ErrorKind::NotRigid { deviation, .. } => write!(
                f,
                "the pose is not a rigid motion: R^T R differs from the identity by {deviation:e}, which is \
                 scale or shear and no rounding; Pose::affine takes it as it is"
            ),
            ErrorKind::Mirror => write!(
                f,
                "the pose is not a rigid motion: it mirrors, as the determinant of R is negative; \
                 Pose::affine takes it as it is"
            ),
            ErrorKind::InvalidMargin { distance } => {
                write!(f, "a margin is a finite distance that is not negative, but this one is {distance}")
            }
            ErrorKind::InvalidRadius { radius } => {
                write!(f, "a radius is a number from 0 to 2^900, but this one is {radius}")
            }
            ErrorKind::InvalidRay { reason } | ErrorKind::InvalidHalfSpace { reason } => f.write_str(reason),
            ErrorKind::SingularPose => write!(f, "the affine map is singular: it flattens space"),
            ErrorKind::IllConditionedPose => write!(
                f,
                "the affine map is so close to singular that its inverse means nothing once it is rounded \
                 to f64"
            ),
            ErrorKind::NotAffine { last_row: [a, b, c, d] } => write!(
                f,
                "the matrix's last row is {a} {b} {c} {d}, not 0 0 0 1; it is read row by row, so one that \
                 is stored column by column is to be transposed first"
            ),
            ErrorKind::QuaternionNotFinite { quaternion: [x, y, z, w] } => {
                write!(f, "the quaternion is not finite: x {x}, y {y}, z {z}, w {w}")
            }
            ErrorKind::ZeroQuaternion => write!(f, "the quaternion is 0, which is no rotation"),
            ErrorKind::AxisAngleNotFinite { axis: [x, y, z], angle } => {
                write!(f, "the axis ({x}, {y}, {z}) or the angle {angle} is not finite")
            }
            ErrorKind::ZeroAxis => write!(f, "the axis is 0, which has no direction"),
            ErrorKind::NoSuchBody { body } => write!(f, "the scene has no {body:?}"),
            ErrorKind::WrongKindOfBody { body, is_half_space: true } => {
                write!(f, "{body:?} is a half-space, which has no mesh, pose or radius")
            }
            ErrorKind::WrongKindOfBody { body, is_half_space: false } => {
                write!(f, "{body:?} is no half-space")
            }
            ErrorKind::StaleContact { bodies: [a, b] } => write!(
                f,
                "the contact of {a:?} and {b:?} is not of the scene's last update; take it from \
                 Scene::contacts again"
            ),
            ErrorKind::MissingDetail => write!(
                f,
                "the scene's last update did not list pairs of triangles; update it with Detail::Triangles"
            ),
            ErrorKind::MixedHierarchies { first, second } => write!(
                f,
                "the bodies' hierarchies do not fit together: {first} and {second}; both want the same kind \
                 and arity"
            ),
            ErrorKind::UnsupportedOption { reason } | ErrorKind::InvalidSavedModel { reason } => {
                f.write_str(reason)
            }
            ErrorKind::Stopped => f.write_str("stopped before the work was done"),
            ErrorKind::Defect { reason } => write!(f, "a defect of this library: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::Error;

    /// Results with errors are passed by value everywhere.
    #[test]
    fn an_error_is_small() {
        assert!(size_of::<Error>() <= 40);
    }
}
