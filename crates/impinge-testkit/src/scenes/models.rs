//! Models from files, or their replacements.
use super::{
    ModelFile,
    error::Error,
    motion::{fitted, placed},
    stand_ins,
};
use crate::meshes;
use impinge::Mesh;
use std::path::Path;

/// Reads models, and records the missing ones.
#[derive(Debug)]
pub(super) struct Models<'a> {
    data: Option<&'a Path>,
    files: Vec<ModelFile>,
    replaced: Vec<String>,
}

impl<'a> Models<'a> {
    pub(super) fn new(data: Option<&'a Path>) -> Result<Self, Error> {
        match data {
            Some(folder) if !folder.is_dir() => Err(Error::NoFolder(folder.display().to_string())),
            _ => Ok(Self { data, files: Vec::new(), replaced: Vec::new() }),
        }
    }

    /// The mesh of a scan, its box in the cube of side 2. Without the file, a generated body of about the
    /// same number of triangles.
    pub(super) fn scan(&mut self, file: &str, triangles: usize) -> Result<Mesh, Error> {
        let mesh = match self.read(file)? {
            Some(parts) => meshes::merged(&parts.iter().collect::<Vec<_>>()),
            None => {
                let mesh = stand_ins::scan(triangles);
                self.missing(file, &format!("a generated bumpy body of {} triangles", mesh.len()));
                mesh
            }
        };
        Ok(fitted(&mesh, 2.0))
    }

    /// The parts of a CAD assembly at their poses. Without the file, those of `copies` of our gearbox, or
    /// some parts of one if 0.
    pub(super) fn assembly(&mut self, file: &str, copies: usize) -> Result<Vec<Mesh>, Error> {
        if let Some(parts) = self.read(file)? {
            return Ok(parts);
        }
        let parts = stand_ins::assembly(copies);
        let triangles: usize = parts.iter().map(Mesh::len).sum();
        let of = match copies {
            0 => "parts of our gearbox".to_owned(),
            n => format!("{n} of our gearboxes"),
        };
        self.missing(file, &format!("{of} ({} parts and {triangles} triangles in all)", parts.len()));
        Ok(parts)
    }

    /// Records a model that is not available here.
    pub(super) fn replace(&mut self, what: String) {
        self.replaced.push(what);
    }

    pub(super) fn stand_in(&self) -> Option<String> {
        (!self.replaced.is_empty()).then(|| self.replaced.join("; "))
    }

    /// The files that were wanted.
    pub(super) fn files(self) -> Vec<ModelFile> {
        self.files
    }

    fn missing(&mut self, file: &str, instead: &str) {
        self.replaced.push(format!("{file} is missing: {instead} instead"));
    }

    /// The placed parts of a file; `None` if it does not exist.
    fn read(&mut self, file: &str) -> Result<Option<Vec<Mesh>>, Error> {
        let parts = self.parts(file)?;
        self.files.push(ModelFile { name: file.to_owned(), found: parts.is_some() });
        Ok(parts)
    }
    fn parts(&self, file: &str) -> Result<Option<Vec<Mesh>>, Error> {
        let Some(path) = self.data.map(|folder| folder.join(file)) else { return Ok(None) };
        // A broken link is not absent: reading it reports the error.
        if path.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Ok(None);
        }
        let assembly = impinge_io::read(&path).map_err(Error::Model)?;
        if let Some(warning) = assembly.warnings.first() {
            return Err(Error::Incomplete(format!("{warning} (so the model is not whole)")));
        }
        Ok(Some(assembly.parts.iter().map(|part| placed(&part.mesh, &part.pose)).collect()))
    }
}
