//! The meshes of robots, and the folders in which they are searched.
use crate::{args::Reading, input, progress::Progress};
use anyhow::Context;
use clap::Args;
use impinge::{Mesh, Model};
use impinge_check::{Pool, Unit};
use impinge_robot::{Body, MeshFile, Packages, RobotMeshes};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Where meshes of `package://` are.
#[derive(Args, Clone)]
pub(crate) struct PackageOptions {
    /// Search package:// paths of meshes in FOLDER
    ///
    /// FOLDER is a package, or contains packages. May be given several times. Folders above the URDF and those
    /// of ROS_PACKAGE_PATH and AMENT_PREFIX_PATH are searched, too.
    #[arg(long, value_name = "FOLDER", help_heading = "Input")]
    package_path: Vec<PathBuf>,
}

impl PackageOptions {
    pub(crate) fn packages(&self) -> Packages {
        self.package_path.iter().fold(Packages::new(), Packages::with_folder).with_ros()
    }
}

/// Reads the meshes of files.
pub(crate) struct MeshReader<'a> {
    pub(crate) pool: &'a Pool,
    pub(crate) progress: &'a Progress,
}

impl MeshReader<'_> {
    /// All parts of a file as one mesh, and the unit that the file states.
    pub(crate) fn read(&self, path: &Path) -> anyhow::Result<(Arc<Mesh>, Option<Unit>)> {
        let files = input::read(&[path.to_owned()], &Reading::default(), self.pool, self.progress)?;
        let unit = files.assembly.sources.first().and_then(|source| source.unit);
        let mesh = impinge_io::merged(&files.assembly.parts);
        Ok((mesh.with_context(|| path.display().to_string())?, unit))
    }
    /// The same, for robots.
    pub(super) fn file(&self, path: &Path) -> anyhow::Result<MeshFile> {
        let (mesh, unit) = self.read(path)?;
        Ok(MeshFile { mesh, metres: unit.map_or(1.0, Unit::metres) })
    }
    /// The mesh of a file in metres, if it states its unit, with factors of its coordinates.
    pub(crate) fn in_metres(&self, path: &Path, scale: [f64; 3]) -> anyhow::Result<Arc<Model>> {
        self.file(path)?.scaled(scale).with_context(|| path.display().to_string())
    }
}

/// Meshes that a robot's file names, each read once.
pub(crate) struct Meshes<'a> {
    reader: &'a MeshReader<'a>,
    meshes: RobotMeshes<'a>,
}

impl<'a> Meshes<'a> {
    pub(crate) fn new(reader: &'a MeshReader<'a>, packages: Packages, urdf: &'a Path) -> Self {
        Self { reader, meshes: RobotMeshes::new(packages, urdf) }
    }
    /// The mesh of a body, in metres, with its scale.
    pub(crate) fn load(&mut self, body: &Body) -> anyhow::Result<Arc<Model>> {
        self.meshes.load(body, &mut |path| self.reader.file(path))
    }
}
