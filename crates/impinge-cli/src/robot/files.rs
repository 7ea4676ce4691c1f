//! Robots from files.
use super::meshes::{MeshReader, Meshes, PackageOptions};
use impinge_robot::{Robot, Srdf, Urdf, read_text};
use std::path::Path;

pub(super) fn read_urdf(path: &Path) -> anyhow::Result<Urdf> {
    Ok(Urdf::parse(&read_text(path)?).map_err(|error| error.in_file(path))?)
}

pub(super) fn read_srdf(path: &Path) -> anyhow::Result<Srdf> {
    Ok(Srdf::parse(&read_text(path)?).map_err(|error| error.in_file(path))?)
}

/// The robot of a file, with the pairs that an SRDF allows.
pub(super) fn robot(
    path: &Path,
    urdf: &Urdf,
    srdf: Option<&Srdf>,
    packages: &PackageOptions,
    reader: &MeshReader<'_>,
) -> anyhow::Result<Robot> {
    let mut meshes = Meshes::new(reader, packages.packages(), path);
    let named = |error: anyhow::Error| match error.downcast::<impinge_robot::Error>() {
        Ok(error) => error.in_file(path).into(),
        Err(error) => error,
    };
    Robot::new(urdf, srdf, &mut |body| meshes.load(body)).map_err(named)
}
