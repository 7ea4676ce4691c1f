//! Pairs of solids for oracles and rivals (see ../../README.md).
#![forbid(unsafe_code)]
pub mod families;
pub mod near;
pub mod points;
pub mod race;
pub mod real;
pub mod shapes;
pub mod surface;

use contract::{Mesh, Pose, pairs::Solid};
use impinge::{Model, relation::RelationKind};

/// Name of a relation in tables.
pub fn name(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Apart => "apart",
        RelationKind::Touch => "touch",
        RelationKind::Overlap => "overlap",
        RelationKind::Inside => "a-in-b",
        RelationKind::Contains => "b-in-a",
        RelationKind::Duplicate => "same",
        RelationKind::Pierce => "pierce",
        RelationKind::SurfaceInside => "inside-open",
        RelationKind::Meet => "meet",
    }
}

/// The library's mesh.
///
/// # Errors
/// Returns an error if the library refuses the mesh.
pub fn mesh(mesh: &Mesh) -> Result<impinge::Mesh, String> {
    impinge::Mesh::new(mesh.points.clone(), mesh.triangles.clone()).map_err(|error| error.to_string())
}

/// The library's model of a body's mesh.
///
/// # Errors
/// Returns an error if the library refuses the mesh.
pub fn model(body: &Solid) -> Result<Model, String> {
    Ok(Model::new(mesh(&body.mesh)?))
}

/// The library's pose: affine, as shears and mirrors are among them.
///
/// # Errors
/// Returns an error if the library refuses the pose.
pub fn pose(pose: &Pose) -> Result<impinge::Pose, String> {
    impinge::Pose::affine(pose.rows, pose.translation).map_err(|error| error.to_string())
}
