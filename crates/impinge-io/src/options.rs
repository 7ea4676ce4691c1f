//! Options of the readers: limits of the result, and which other files a file may open.

/// Limits of what one file may produce.
///
/// A small file can produce a large result: by compression, by placing one mesh many times, by naming the
/// same bytes many times. The readers always accept as many points and triangles as the file has bytes, and
/// 32 times its size unpacked or copied. Beyond that these limits apply, and exceeding one is an
/// [`Error`](crate::Error) for which [`is_too_large`](crate::Error::is_too_large) is true. With the defaults
/// a file takes at most 1 GiB of memory, or a hundred times its size if that is more.
/// A check of the result, at up to 270 bytes a triangle, takes as much again.
///
/// ```
/// use impinge_io::{Limits, Options};
/// let options = Options::new().with_limits(Limits::new().with_parts(10_000_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Number of parts [default: 500,000]. This limit applies however large the file is.
    pub parts: usize,
    /// Number of points of all meshes, scaled and mirrored copies included [default: five million].
    pub points: usize,
    /// Number of triangles of all meshes, scaled and mirrored copies included [default: three million].
    pub triangles: usize,
    /// Number of bytes of each of the following, whose size is unknown in advance: the unpacked package, the
    /// input from a pipe, files read again, scaled and mirrored copies of meshes [default: 256 MiB].
    pub bytes: u64,
}

impl Limits {
    /// No limit but the machine's memory.
    pub const NONE: Self =
        Self { parts: usize::MAX, points: usize::MAX, triangles: usize::MAX, bytes: u64::MAX };

    /// The default limits.
    pub fn new() -> Self {
        Self { parts: 500_000, points: 5_000_000, triangles: 3_000_000, bytes: 1 << 28 }
    }
    /// Sets the limit of parts.
    pub fn with_parts(self, parts: usize) -> Self {
        Self { parts, ..self }
    }
    /// Sets the limit of points.
    pub fn with_points(self, points: usize) -> Self {
        Self { points, ..self }
    }
    /// Sets the limit of triangles.
    pub fn with_triangles(self, triangles: usize) -> Self {
        Self { triangles, ..self }
    }
    /// Sets the limit of bytes.
    pub fn with_bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

/// Options of [`read_with`](crate::read_with) and [`parse_with`](crate::parse_with).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Limits of the result.
    pub limits: Limits,
    /// Allows a `.gltf` to name data files outside its own folder, by `..` or through a symbolic link. The
    /// default is false: a file from a stranger could otherwise copy any file of the machine into a report.
    pub outside_folder: bool,
}

impl Options {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the limits.
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
    /// Allows data files outside the document's folder.
    pub fn with_outside_folder(self, outside_folder: bool) -> Self {
        Self { outside_folder, ..self }
    }
}
