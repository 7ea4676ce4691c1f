//! The meshes of `impinge pair` and `sweep`: two files, or parts of them, or one.
use crate::{
    args::{Coordinates, Reading},
    input,
    named_part::NamedPart,
    progress::Progress,
};
use anyhow::Context;
use impinge::{BuildOptions, Mesh, Model, Threads};
use impinge_check::{
    Part, Pool,
    sources::{FileUnits, Hull},
    values::Warning,
};
use std::sync::Arc;

/// The parts of A and of B, as their files have them; of one of them if both are the same.
pub(crate) struct TwoMeshes {
    pub(crate) parts: Vec<Vec<Part>>,
    pub(crate) units: FileUnits,
    pub(crate) warnings: Vec<Warning>,
}

impl TwoMeshes {
    /// Reads each file once.
    pub(crate) fn read(
        named: &[NamedPart],
        reading: &Reading,
        coordinates: &Coordinates,
        pool: &Pool,
        progress: &Progress,
    ) -> anyhow::Result<Self> {
        let mut paths = named.iter().map(|one| one.file.clone()).collect::<Vec<_>>();
        paths.dedup();
        let files = input::read(&paths, reading, pool, progress)?;
        let units = input::units(&files.assembly, coordinates.unit, progress)?;
        let (files, warnings) = files.each();
        let warnings = warnings.iter().map(Warning::from).collect();
        let parts = Self::distinct(named).iter().map(|one| {
            let place = usize::from(one.file != paths[0]);
            one.of(&files[place])
        });
        Ok(Self { parts: parts.collect::<anyhow::Result<_>>()?, units, warnings })
    }

    fn distinct(named: &[NamedPart]) -> &[NamedPart] {
        if named.first() == named.last() { &named[..1] } else { named }
    }

    /// The longest side of the larger one's box.
    pub(crate) fn size(&self) -> f64 {
        self.parts.iter().map(|parts| Hull::of(parts).size()).fold(0.0, f64::max)
    }

    /// All parts of each as one mesh. Errors name the file.
    pub(crate) fn merged(&self, named: &[NamedPart]) -> anyhow::Result<Vec<Arc<Mesh>>> {
        let each = Self::distinct(named).iter().zip(&self.parts);
        each.map(|(one, parts)| {
            impinge_io::merged(parts).with_context(|| one.file_name().display().to_string())
        })
        .collect()
    }
}

/// Trees of the meshes.
pub(crate) fn build(meshes: &[Arc<Mesh>], pool: &Pool, progress: &Progress) -> Vec<Model> {
    progress.stage("building trees, triangles", meshes.iter().map(|mesh| mesh.len() as u64).sum());
    let options = BuildOptions::new().threads(Threads::Pool);
    let build = |mesh: &Arc<Mesh>| {
        let model = pool.install(|| Model::with_options(Arc::clone(mesh), &options));
        progress.step(mesh.len() as u64);
        model
    };
    meshes.iter().map(build).collect()
}
