//! [`Omission`], parts of an input that an assembly lacks.
use std::{path::Path, sync::Arc};

/// Kind of the reason for an [`Omission`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OmissionKind {
    /// The part was omitted on purpose, such as a space of a building model.
    LeftOut,
    /// The converter could not make a mesh of the part. A check has not examined it.
    Failed,
}

impl OmissionKind {
    /// All kinds.
    pub const ALL: &'static [Self] = &[Self::LeftOut, Self::Failed];

    /// The name in files: `left_out`, `failed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::LeftOut => "left_out",
            Self::Failed => "failed",
        }
    }
}

/// One part, or several parts alike, that an input has and the assembly lacks.
///
/// A [`Warning`](crate::Warning) is about content of a file that was read; an omission counts parts that are
/// missing, so that a report can list what it has not examined.
///
/// ```
/// use impinge_io::{Assembly, Omission, OmissionKind};
/// use std::path::Path;
///
/// let mut assembly = Assembly::new();
/// let spaces = Omission::left_out(Path::new("house.ifc"), "spaces are no parts")
///     .with_class("IfcSpace")
///     .with_count(12);
/// assembly.omissions.push(spaces);
/// let slab = Omission::failed(Path::new("house.ifc"), "its boundary intersects itself")
///     .with_name("Slab 3")
///     .with_guid("1hOSvn6df7F8_7GcBWlRGQ");
/// assembly.omissions.push(slab);
/// assert_eq!(assembly.omissions[0].count, 12);
/// assert_eq!(assembly.omissions[1].kind, OmissionKind::Failed);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Omission {
    /// The file that contains the parts.
    pub file: Arc<Path>,
    /// Name of the part, if it is a single one and has a name.
    pub name: Option<Arc<str>>,
    /// Identifier that the input gives.
    pub guid: Option<Arc<str>>,
    /// Type that the input gives.
    pub class: Option<Arc<str>>,
    /// Number of parts.
    pub count: usize,
    /// Reason, in words.
    pub reason: Arc<str>,
    /// Kind of the reason.
    pub kind: OmissionKind,
}

impl Omission {
    fn new(file: Arc<Path>, reason: Arc<str>, kind: OmissionKind) -> Self {
        Self { file, name: None, guid: None, class: None, count: 1, reason, kind }
    }
    /// Makes an omission of one part that was left out on purpose.
    pub fn left_out(file: impl Into<Arc<Path>>, reason: impl Into<Arc<str>>) -> Self {
        Self::new(file.into(), reason.into(), OmissionKind::LeftOut)
    }
    /// Makes an omission of one part that could not be converted.
    pub fn failed(file: impl Into<Arc<Path>>, reason: impl Into<Arc<str>>) -> Self {
        Self::new(file.into(), reason.into(), OmissionKind::Failed)
    }
    /// Sets the name.
    pub fn with_name(self, name: impl Into<Arc<str>>) -> Self {
        Self { name: Some(name.into()), ..self }
    }
    /// Sets the identifier.
    pub fn with_guid(self, guid: impl Into<Arc<str>>) -> Self {
        Self { guid: Some(guid.into()), ..self }
    }
    /// Sets the type.
    pub fn with_class(self, class: impl Into<Arc<str>>) -> Self {
        Self { class: Some(class.into()), ..self }
    }
    /// Sets the number of parts.
    pub fn with_count(self, count: usize) -> Self {
        Self { count, ..self }
    }
}
