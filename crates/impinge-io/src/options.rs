//! What a reader may do beyond reading: how much a file may make, and which other files it may open.

/// Most that one file may make.
///
/// A small file can ask for a large result: by compression, by placing one mesh many times, by naming the
/// same bytes many times. What a file's own size bears out is always read: as many points and triangles as it
/// has bytes, and 32 times its size unpacked or copied. Beyond that these limits hold, and passing one is an
/// [`Error`](crate::Error) that [`is_too_large`](crate::Error::is_too_large). With the defaults a file takes
/// at most 1 GiB of memory, or a hundred times its size if that is more; and a check of what it makes, which
/// takes up to 270 bytes a triangle, another.
///
/// ```
/// use impinge_io::{Limits, Options};
/// let options = Options::new().with_limits(Limits::new().with_parts(10_000_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Parts; 500,000. This one holds however large the file is.
    pub parts: usize,
    /// Points of all meshes together, those of scaled and mirrored copies included; five million.
    pub points: usize,
    /// Triangles of all meshes together, those of scaled and mirrored copies included; three million.
    pub triangles: usize,
    /// Bytes that are not seen beforehand: what a package unpacks to, what a pipe delivers, what is read of a
    /// file again, and what scaled and mirrored copies of meshes take; 256 MiB each.
    pub bytes: u64,
}

impl Limits {
    /// No limit but the machine's memory.
    pub const NONE: Self =
        Self { parts: usize::MAX, points: usize::MAX, triangles: usize::MAX, bytes: u64::MAX };

    /// The defaults.
    pub fn new() -> Self {
        Self { parts: 500_000, points: 5_000_000, triangles: 3_000_000, bytes: 1 << 28 }
    }
    /// With another limit of parts.
    pub fn with_parts(self, parts: usize) -> Self {
        Self { parts, ..self }
    }
    /// With another limit of points.
    pub fn with_points(self, points: usize) -> Self {
        Self { points, ..self }
    }
    /// With another limit of triangles.
    pub fn with_triangles(self, triangles: usize) -> Self {
        Self { triangles, ..self }
    }
    /// With another limit of bytes.
    pub fn with_bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

/// How to read: [`read_with`](crate::read_with) and [`parse_with`](crate::parse_with) take it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How much a file may make.
    pub limits: Limits,
    /// Whether a `.gltf` may name data files outside of its own folder, by `..` or through a symbolic link.
    /// No by default: a file from a stranger could otherwise pull any file of the machine into a report.
    pub outside_folder: bool,
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }
    /// With other limits.
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
    /// Whether data files may lie outside of the document's folder.
    pub fn with_outside_folder(self, outside_folder: bool) -> Self {
        Self { outside_folder, ..self }
    }
}
