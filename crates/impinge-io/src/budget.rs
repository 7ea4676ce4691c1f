//! How much a file has made so far, and whether it may make more.
use crate::{Error, Limits, error::Place};

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
}

impl Budget {
    pub(crate) fn new(limits: Limits, input: usize) -> Self {
        Self { limits, input: input as u64, points: 0, triangles: 0, names: 0 }
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
    /// Takes a name that is put together from several: one long half may come with a million others.
    pub(crate) fn name(&mut self, name: &str, place: impl FnOnce() -> Place) -> Result<(), Error> {
        self.names += name.len() as u64;
        let most = self.limits.bytes.max(self.input);
        if self.names <= most { Ok(()) } else { Err(passed(place(), most, "bytes of names")) }
    }
    /// Most bytes that a package may unpack to.
    pub(crate) fn unpacked(&self) -> u64 {
        self.limits.bytes.max(self.input.saturating_mul(UNPACKED))
    }
}

#[cold]
pub(crate) fn passed(place: Place, most: u64, of: &str) -> Error {
    Error::too_large(place, format!("the file makes more than {most} {of}; this limit can be raised"))
}
