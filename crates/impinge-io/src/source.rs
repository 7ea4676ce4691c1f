//! [`Source`], the origin of parts: a file, its format, its unit and its upward axis.
use crate::{Format, Unit};
use std::{path::Path, sync::Arc};

/// A coordinate axis. [`name`](Self::name) is its name in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The first coordinate.
    X,
    /// The second coordinate.
    Y,
    /// The third coordinate.
    Z,
}

impl Axis {
    /// All axes.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// The name: `x`, `y` or `z`.
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }
}

/// A file, or another origin, and the meaning of its coordinates. Readers do not change coordinates: `unit`
/// and `up` describe them.
///
/// | Format | `unit` | `up` |
/// |---|---|---|
/// | glTF, GLB | metre, by the specification | Y, by the specification |
/// | 3MF | its attribute `unit`, by default millimetre | Z, by the specification |
/// | COLLADA | its `unit`, by default metre; `None` if [`Unit`] lacks it | its `up_axis`, by default Y |
/// | STL, OBJ, PLY, OFF | `None`: the file does not state it | `None` |
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Source {
    /// Path of the file, as the caller gave it.
    pub file: Arc<Path>,
    /// Format of its content; `None` if no reader of this crate made its parts.
    pub format: Option<Format>,
    /// Unit of the coordinates; `None` if it is unknown.
    pub unit: Option<Unit>,
    /// Axis whose positive direction is up; `None` if it is unknown.
    pub up: Option<Axis>,
    /// Offset of the coordinates from those of a map, in their unit: a point of the map is the point plus the
    /// offset. It is never applied. A file far from the origin of its map states one, so that its coordinates
    /// stay small.
    pub offset: Option<[f64; 3]>,
    /// Number of bytes of the file, if a program has recorded it.
    pub bytes: Option<u64>,
    /// SHA-256 digest of the file, if a program has recorded it. Readers do not compute it.
    pub digest: Option<[u8; 32]>,
    /// Settings of the converter that made the parts, as one line of text, such as `chord 0.1 mm`.
    pub settings: Option<Arc<str>>,
    /// Number of its parts. They follow those of the sources before it: see
    /// [`Assembly::sources`](crate::Assembly::sources).
    pub parts: usize,
}

impl Source {
    /// A source without parts, whose format, unit and upward axis are unknown.
    pub fn new(file: impl Into<Arc<Path>>) -> Self {
        Self {
            file: file.into(),
            format: None,
            unit: None,
            up: None,
            offset: None,
            bytes: None,
            digest: None,
            settings: None,
            parts: 0,
        }
    }
    /// Sets the format.
    pub fn with_format(self, format: Format) -> Self {
        Self { format: Some(format), ..self }
    }
    /// Sets the unit.
    pub fn with_unit(self, unit: Unit) -> Self {
        Self { unit: Some(unit), ..self }
    }
    /// Sets the upward axis.
    pub fn with_up(self, up: Axis) -> Self {
        Self { up: Some(up), ..self }
    }
    /// Sets the offset: see [`Source::offset`].
    pub fn with_offset(self, offset: [f64; 3]) -> Self {
        Self { offset: Some(offset), ..self }
    }
    /// Sets the number of bytes and the SHA-256 digest of the file.
    pub fn with_digest(self, bytes: u64, digest: [u8; 32]) -> Self {
        Self { bytes: Some(bytes), digest: Some(digest), ..self }
    }
    /// Sets the settings of the converter.
    pub fn with_settings(self, settings: impl Into<Arc<str>>) -> Self {
        Self { settings: Some(settings.into()), ..self }
    }
}
