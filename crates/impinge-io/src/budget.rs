//! How much a file has made so far, and whether it may make more.
use crate::{Error, Limits, error::Place};
use impinge::Mesh;

/// A package may unpack to so many times its size, whatever the limit: XML of meshes packs 5 to 15 times, a
/// bomb a thousand times.
const UNPACKED: u64 = 32;

pub(crate) struct Budget {
    pub(crate) limits: Limits,
    /// Bytes of the file, and of those it names.
    pub(crate) input: u64,
    points: u64,
    triangles: u64,
    names: u64,
    /// Bytes of scaled and mirrored copies.
    copies: u64,
}

/// What a copy takes besides its points and triangles: the mesh, its place in the list of copies, and a part.
const COPY: u64 = 512;

impl Budget {
    pub(crate) fn new(limits: Limits, input: usize) -> Self {
        Self { limits, input: input as u64, points: 0, triangles: 0, names: 0, copies: 0 }
    }
    /// Takes so many points more.
    pub(crate) fn points(&mut self, more: u64, place: impl FnOnce() -> Place) -> Result<(), Error> {
        self.points = self.points.saturating_add(more);
        let most = (self.limits.points as u64).max(self.input);
        if self.points <= most { Ok(()) } else { Err(passed(place(), most, "points")) }
    }
    /// Takes so many triangles more.
    pub(crate) fn triangles(&mut self, more: u64, place: impl FnOnce() -> Place) -> Result<(), Error> {
        self.triangles = self.triangles.saturating_add(more);
        let most = (self.limits.triangles as u64).max(self.input);
        if self.triangles <= most { Ok(()) } else { Err(passed(place(), most, "triangles")) }
    }
    /// Checks a number of parts.
    pub(crate) fn parts(&self, parts: usize) -> Result<(), Error> {
        if parts <= self.limits.parts {
            return Ok(());
        }
        Err(passed(Place::File, self.limits.parts as u64, "parts"))
    }
    /// Takes a scaled or mirrored copy of a mesh. Each is as large as what it is a copy of, but the file has
    /// only its transform. A program that builds a tree for each takes several times as much.
    pub(crate) fn copy(&mut self, mesh: &Mesh, place: impl FnOnce() -> Place) -> Result<(), Error> {
        let [points, triangles] = [mesh.points().len() as u64, mesh.len() as u64];
        self.copies = self.copies.saturating_add(24 * points + 12 * triangles + COPY);
        let most = self.unpacked();
        if self.copies <= most { Ok(()) } else { Err(passed(place(), most, "bytes of copies")) }
    }
    /// Takes a name that is put together from several: one long half may come with a million others.
    pub(crate) fn name(&mut self, name: &str, place: impl FnOnce() -> Place) -> Result<(), Error> {
        self.names += name.len() as u64;
        let most = self.limits.bytes.max(self.input);
        if self.names <= most { Ok(()) } else { Err(passed(place(), most, "bytes of names")) }
    }
    /// Most bytes that a package may unpack to, or that its copies take.
    pub(crate) fn unpacked(&self) -> u64 {
        self.limits.bytes.max(self.input.saturating_mul(UNPACKED))
    }
}

#[cold]
pub(crate) fn passed(place: Place, most: u64, of: &str) -> Error {
    Error::too_large(place, format!("the file makes more than {most} {of}; this limit can be raised"))
}
