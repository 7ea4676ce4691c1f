//! The one error of the library: what was wrong with the input, and where.
use crate::BodyId;
use std::fmt;

/// Why a mesh, new points for one, or a pose were refused. Queries cannot fail: everything is checked at construction.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    VertexNotFinite { vertex: usize, value: [f64; 3] },
    IndexOutOfRange { triangle: usize, index: u32, vertices: usize },
    TooManyTriangles { triangles: usize },
    VertexOutOfRange { index: u32, vertices: usize },
    WrongCount { points: usize, vertices: usize },
    PoseNotFinite { row: usize, column: usize, value: f64 },
    PoseNotRigid { defect: f64 },
    PoseSingular,
    NoSuchBody { body: BodyId },
    Mixed { volumes: [&'static str; 2] },
    Stopped,
    Defect { what: String },
}

impl Error {
    #[cold]
    pub(crate) fn vertex_not_finite(vertex: usize, value: [f64; 3]) -> Self {
        Self(Kind::VertexNotFinite { vertex, value })
    }
    #[cold]
    pub(crate) fn index_out_of_range(triangle: usize, index: u32, vertices: usize) -> Self {
        Self(Kind::IndexOutOfRange { triangle, index, vertices })
    }
    #[cold]
    pub(crate) fn too_many_triangles(triangles: usize) -> Self {
        Self(Kind::TooManyTriangles { triangles })
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
    #[cold]
    pub(crate) fn pose_not_rigid(defect: f64) -> Self {
        Self(Kind::PoseNotRigid { defect })
    }
    #[cold]
    pub(crate) fn pose_singular() -> Self {
        Self(Kind::PoseSingular)
    }
    #[cold]
    pub(crate) fn no_such_body(body: BodyId) -> Self {
        Self(Kind::NoSuchBody { body })
    }

    #[cold]
    pub(crate) fn mixed_hierarchies(a: &'static str, b: &'static str) -> Self {
        Self(Kind::Mixed { volumes: [a, b] })
    }
    #[cold]
    pub(crate) fn stopped() -> Self {
        Self(Kind::Stopped)
    }
    #[doc(hidden)]
    #[cold]
    pub fn defect(what: String) -> Self {
        Self(Kind::Defect { what })
    }
    #[doc(hidden)]
    #[cold]
    pub fn unsupported_option(what: String) -> Self {
        Self(Kind::Defect { what })
    }
    /// Whether.
    pub fn is_unsupported_option(&self) -> bool {
        matches!(self.0, Kind::Defect { .. })
    }
    /// Whether.
    pub fn is_stopped(&self) -> bool {
        matches!(self.0, Kind::Stopped)
    }

    /// Whether a coordinate or a pose entry was NaN or infinite.
    pub fn is_not_finite(&self) -> bool {
        matches!(self.0, Kind::VertexNotFinite { .. } | Kind::PoseNotFinite { .. })
    }
    /// Whether a triangle, or a list of moved vertices, names a vertex that does not exist.
    pub fn is_index_out_of_range(&self) -> bool {
        matches!(self.0, Kind::IndexOutOfRange { .. } | Kind::VertexOutOfRange { .. })
    }
    /// Whether a mesh was given more or fewer points than it has vertices.
    pub fn is_wrong_count(&self) -> bool {
        matches!(self.0, Kind::WrongCount { .. })
    }
    /// Whether a rotation was further than 1e-6 from orthonormal, or a mirror image.
    pub fn is_not_rigid(&self) -> bool {
        matches!(self.0, Kind::PoseNotRigid { .. })
    }
    /// Whether a scene was asked about a body that it does not have, or no longer has.
    pub fn is_no_such_body(&self) -> bool {
        matches!(self.0, Kind::NoSuchBody { .. })
    }
    /// The vertex the error is about, if it is about one.
    pub fn vertex(&self) -> Option<usize> {
        match self.0 {
            Kind::VertexNotFinite { vertex, .. } => Some(vertex),
            Kind::VertexOutOfRange { index, .. } => Some(index as usize),
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
            Kind::TooManyTriangles { triangles } => {
                write!(f, "{triangles} triangles in one mesh; at most {} fit", crate::mesh::MAX_TRIANGLES)
            }
            Kind::VertexOutOfRange { index, vertices } => {
                write!(f, "vertex {index} is to move, but there are only {vertices} vertices")
            }
            Kind::WrongCount { points, vertices } => {
                write!(f, "{points} points for {vertices} vertices")
            }
            Kind::PoseNotFinite { row, column, value } => {
                write!(f, "the pose's entry in row {row}, column {column} is {value}")
            }
            Kind::PoseNotRigid { defect } => write!(
                f,
                "the pose is not a rigid motion: R^T R differs from the identity by {defect:e}, \
                 or R mirrors (at most 1e-6 is taken as rounding)"
            ),
            Kind::PoseSingular => write!(f, "the affine map is singular: it flattens space"),
            Kind::Mixed { volumes: [a, b] } => write!(f, "trees of {a} and {b} do not fit together"),
            Kind::Stopped => write!(f, "stopped"),
            Kind::Defect { what } => write!(f, "{what}"),
            Kind::NoSuchBody { body } => write!(f, "the scene has no {body:?}"),
        }
    }
}

impl std::error::Error for Error {}
