//! Counts what a file has produced so far and refuses more than the limits allow.
use crate::{Error, Limits, error::Place};
use impinge::Mesh;

/// A package may unpack to this many times its size, whatever the limit: XML of meshes packs 5 to 15 times, a
/// zip bomb a thousand times.
pub(crate) const UNPACKED: u64 = 32;

pub(crate) struct Budget {
    pub(crate) limits: Limits,
    /// Bytes of the file and of the files it names.
    pub(crate) input: u64,
    points: u64,
    triangles: u64,
    names: u64,
    paths: u64,
    /// Bytes of scaled and mirrored copies.
    copies: u64,
}

/// Bytes of a copy besides its points and triangles: the mesh, its entry in the list of copies, and a part.
const COPY: u64 = 512;

/// Maximum number of bytes of a path in the hierarchy.
const PATH: usize = 10_000;

impl Budget {
    pub(crate) fn new(limits: Limits, input: usize) -> Self {
        Self { limits, input: input as u64, points: 0, triangles: 0, names: 0, paths: 0, copies: 0 }
    }
    pub(crate) fn points(&mut self, more: u64, place: impl FnOnce() -> Place) -> Result<(), Error> {
        self.points = self.points.saturating_add(more);
        let most = (self.limits.points as u64).max(self.input);
        if self.points <= most { Ok(()) } else { Err(passed(place(), most, "points")) }
    }
    pub(crate) fn triangles(&mut self, more: u64, place: impl FnOnce() -> Place) -> Result<(), Error> {
        self.triangles = self.triangles.saturating_add(more);
        let most = (self.limits.triangles as u64).max(self.input);
        if self.triangles <= most { Ok(()) } else { Err(passed(place(), most, "triangles")) }
    }
    pub(crate) fn parts(&self, parts: usize) -> Result<(), Error> {
        if parts <= self.limits.parts {
            return Ok(());
        }
        Err(passed(Place::File, self.limits.parts as u64, "parts"))
    }
    /// Adds a scaled or mirrored copy of a mesh. A copy is as large as its original, but the file contains
    /// only its transform. A program that builds a tree for each copy needs several times as much.
    pub(crate) fn copy(&mut self, mesh: &Mesh, place: impl FnOnce() -> Place) -> Result<(), Error> {
        let [points, triangles] = [mesh.points().len() as u64, mesh.len() as u64];
        self.copies = self.copies.saturating_add(24 * points + 12 * triangles + COPY);
        let most = self.unpacked();
        if self.copies <= most { Ok(()) } else { Err(passed(place(), most, "bytes of copies")) }
    }
    /// Adds a name that is concatenated from several: one long half may occur with a million others.
    pub(crate) fn name(&mut self, name: &str, place: impl FnOnce() -> Place) -> Result<(), Error> {
        self.names += name.len() as u64;
        let most = self.limits.bytes.max(self.input);
        if self.names <= most { Ok(()) } else { Err(passed(place(), most, "bytes of names")) }
    }
    /// Adds a path in the file's hierarchy. Returns false if it is too long, or if all paths together are;
    /// the paths of a chain of nodes take the square of its length.
    pub(crate) fn path(&mut self, bytes: usize) -> bool {
        let paths = self.paths.saturating_add(bytes as u64);
        let fits = bytes <= PATH && paths <= self.limits.bytes.max(self.input.saturating_mul(4));
        if fits {
            self.paths = paths;
        }
        fits
    }
    /// Maximum number of bytes that a package may unpack to, or that its copies may take.
    pub(crate) fn unpacked(&self) -> u64 {
        self.limits.bytes.max(self.input.saturating_mul(UNPACKED))
    }
}

#[cold]
pub(crate) fn passed(place: Place, most: u64, of: &str) -> Error {
    Error::too_large(place, format!("the file makes more than {most} {of}; this limit can be raised"))
}
