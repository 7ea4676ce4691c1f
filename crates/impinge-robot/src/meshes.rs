//! [`RobotMeshes`]: the meshes that a robot's file names, each read once.
use crate::{
    error::Error,
    packages::Packages,
    quote::shown,
    urdf::{Body, Geometry},
};
use impinge::{Mesh, Model};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The mesh of a file, and the length of its unit.
#[derive(Clone, Debug)]
pub struct MeshFile {
    /// The mesh, in the unit of the file.
    pub mesh: Arc<Mesh>,
    /// Length of the unit in metres; 1 if the file states no unit.
    pub metres: f64,
}

impl MeshFile {
    /// A model in metres, with factors of its coordinates. Factors that mirror turn the triangles, so that
    /// their fronts stay outside.
    ///
    /// # Errors
    /// A coordinate that overflows.
    pub fn scaled(self, scale: [f64; 3]) -> Result<Arc<Model>, impinge::Error> {
        let factors = scale.map(|scale| scale * self.metres);
        if factors == [1.0; 3] {
            return Ok(Arc::new(Model::new(self.mesh)));
        }
        let points = self.mesh.points().iter().map(|p| [0, 1, 2].map(|k| p[k] * factors[k])).collect();
        let is_mirror = factors.iter().product::<f64>() < 0.0;
        let turn = |&[a, b, c]: &[u32; 3]| if is_mirror { [a, c, b] } else { [a, b, c] };
        let triangles = self.mesh.triangles().iter().map(turn).collect();
        Ok(Arc::new(Model::new(Mesh::new(points, triangles)?)))
    }
}

/// Meshes that a robot's file names. Bodies of one file and scale share a model.
#[derive(Debug)]
pub struct RobotMeshes<'a> {
    packages: Packages,
    urdf: &'a Path,
    models: HashMap<(PathBuf, [u64; 3]), Arc<Model>>,
}

impl<'a> RobotMeshes<'a> {
    /// No meshes yet, for the robot of a file.
    pub fn new(packages: Packages, urdf: &'a Path) -> Self {
        Self { packages, urdf, models: HashMap::new() }
    }
    /// The mesh of a body in metres, with its scale. `read` reads a file.
    ///
    /// # Errors
    /// Those of `read`; a file that is not found, a coordinate that overflows, a body that is no mesh.
    pub fn load<E: From<Error>>(
        &mut self,
        body: &Body,
        read: &mut dyn FnMut(&Path) -> Result<MeshFile, E>,
    ) -> Result<Arc<Model>, E> {
        let named = |error: Error| error.at_place(body.place).in_file(self.urdf);
        let Geometry::Mesh { filename, scale } = &body.geometry else {
            return Err(named(Error::new("this shape is no mesh")).into());
        };
        let path = self.packages.resolve(filename, self.urdf).map_err(named)?;
        let key = (path, scale.map(f64::to_bits));
        if let Some(model) = self.models.get(&key) {
            return Ok(Arc::clone(model));
        }
        let refused = |e| named(Error::new(format!("the mesh '{}': {e}", shown(filename))));
        let model = read(&key.0)?.scaled(*scale).map_err(refused)?;
        self.models.insert(key, Arc::clone(&model));
        Ok(model)
    }
}
