//! [`Source`], the origin of parts: a file, its format, its unit and its upward axis.
use crate::{Format, Unit};
use std::{path::Path, sync::Arc};

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The first coordinate.
    X,
    /// The second coordinate.
    Y,
    /// The third coordinate.
    Z,
}

/// A file, or another origin, and the meaning of its coordinates. Readers do not change coordinates: `unit`
/// and `up` describe them.
///
/// | Format | `unit` | `up` |
/// |---|---|---|
/// | glTF, GLB | metre, by the specification | Y, by the specification |
/// | 3MF | its attribute `unit`, by default millimetre | Z, by the specification |
/// | STL, OBJ, PLY, OFF | `None`: the file does not state it | `None` |
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Number of its parts. They follow those of the sources before it: see
    /// [`Assembly::sources`](crate::Assembly::sources).
    pub parts: usize,
}

impl Source {
    /// A source without parts, whose format, unit and upward axis are unknown.
    pub fn new(file: impl Into<Arc<Path>>) -> Self {
        Self { file: file.into(), format: None, unit: None, up: None, parts: 0 }
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
}
