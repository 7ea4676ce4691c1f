//! The meshes of robots, and the folders in which they are searched.
use crate::{args::Reading, input, progress::Progress};
use anyhow::{Context, bail};
use clap::Args;
use impinge::{Mesh, Model};
use impinge_check::{Pool, Unit};
use impinge_robot::{Body, Geometry, Packages};
use std::{
    collections::HashMap,
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
        let given = self.package_path.iter().fold(Packages::new(), Packages::with_folder);
        let lists = ["ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"].into_iter().filter_map(std::env::var_os);
        lists.fold(given, |packages, list| packages.with_list(&list))
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
    /// The mesh of a file in metres, if it states its unit, with factors of its coordinates.
    pub(crate) fn in_metres(&self, path: &Path, scale: [f64; 3]) -> anyhow::Result<Arc<Model>> {
        let (mesh, unit) = self.read(path)?;
        let factors = scale.map(|scale| scale * unit.map_or(1.0, Unit::metres));
        let mesh = if factors == [1.0; 3] {
            mesh
        } else {
            let points = mesh.points().iter().map(|p| [0, 1, 2].map(|k| p[k] * factors[k])).collect();
            // A mirror turns the triangles inwards.
            let is_mirror = factors.iter().product::<f64>() < 0.0;
            let turn = |&[a, b, c]: &[u32; 3]| if is_mirror { [a, c, b] } else { [a, b, c] };
            let triangles = mesh.triangles().iter().map(turn).collect();
            Arc::new(Mesh::new(points, triangles).with_context(|| path.display().to_string())?)
        };
        Ok(Arc::new(Model::new(mesh)))
    }
}

/// Meshes that a robot's file names, each read once.
pub(crate) struct Meshes<'a> {
    reader: &'a MeshReader<'a>,
    packages: Packages,
    urdf: &'a Path,
    models: HashMap<(PathBuf, [u64; 3]), Arc<Model>>,
}

impl<'a> Meshes<'a> {
    pub(crate) fn new(reader: &'a MeshReader<'a>, packages: Packages, urdf: &'a Path) -> Self {
        Self { reader, packages, urdf, models: HashMap::new() }
    }
    /// The mesh of a body, in metres, with its scale.
    pub(crate) fn load(&mut self, body: &Body) -> anyhow::Result<Arc<Model>> {
        let Geometry::Mesh { filename, scale } = &body.geometry else { bail!("this shape is no mesh") };
        let at = |error: impinge_robot::Error| {
            let place = body.place;
            anyhow::anyhow!("{}:{place}: {error}", self.urdf.display())
        };
        let path = self.packages.resolve(filename, self.urdf).map_err(at)?;
        let key = (path.clone(), scale.map(f64::to_bits));
        if let Some(model) = self.models.get(&key) {
            return Ok(Arc::clone(model));
        }
        let model = self.reader.in_metres(&path, *scale)?;
        self.models.insert(key, Arc::clone(&model));
        Ok(model)
    }
}
