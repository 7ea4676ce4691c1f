//! [`Assembly`], the parts of one or more files.
use crate::{Omission, Part, Source, Warning};

/// The parts of one or more files, in file order. The readers give every part at least one triangle.
///
/// A program that has parts from another source puts an assembly together itself:
///
/// ```
/// use impinge::{Mesh, Pose};
/// use impinge_io::{Assembly, Axis, Part, Source, Unit};
/// use std::{path::Path, sync::Arc};
///
/// let file: Arc<Path> = Path::new("house.ifc").into();
/// let mut assembly = Assembly::new();
/// assembly.sources.push(Source::new(file.clone()).with_unit(Unit::Metre).with_up(Axis::Z));
/// for name in ["wall", "door"] {
///     assembly.push(Part::new(name, file.clone(), Mesh::default(), Pose::IDENTITY));
/// }
/// assert_eq!(assembly.sources[0].parts, 2);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Assembly {
    /// Parts, in file order.
    pub parts: Vec<Part>,
    /// Warnings: content of the files that the readers skipped or doubt.
    pub warnings: Vec<Warning>,
    /// Content of the files that `parts` does not contain.
    pub omissions: Vec<Omission>,
    /// The files. The first `sources[0].parts` parts belong to the first, the next `sources[1].parts` to the
    /// second, and so on. [`push`](Self::push) and [`append`](Self::append) update these numbers; after any
    /// other change of `parts`, the caller must.
    pub sources: Vec<Source>,
}

impl Assembly {
    /// An assembly without parts.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a part. It belongs to the last source, if that has the part's file; otherwise to a new source,
    /// whose unit and upward axis are unknown.
    pub fn push(&mut self, part: Part) {
        match self.sources.last_mut() {
            Some(last) if last.file == part.file => last.parts += 1,
            _ => {
                let mut source = Source::new(part.file.clone());
                source.parts = 1;
                self.sources.push(source);
            }
        }
        self.parts.push(part);
    }
    /// Appends the parts, the warnings, the omissions and the sources of another assembly.
    pub fn append(&mut self, mut other: Self) {
        self.parts.append(&mut other.parts);
        self.warnings.append(&mut other.warnings);
        self.omissions.append(&mut other.omissions);
        self.sources.append(&mut other.sources);
    }
    /// The source of the part with this index; `None` if the counts of `sources` do not reach it. Cost:
    /// linear in the number of sources.
    pub fn source(&self, part: usize) -> Option<&Source> {
        let mut end = 0_usize;
        self.sources.iter().find(|source| {
            end = end.saturating_add(source.parts);
            part < end
        })
    }
    /// Number of triangles of all parts; those of a shared mesh count once for every part.
    pub fn triangles(&self) -> usize {
        self.parts.iter().map(|part| part.mesh.len()).sum()
    }
}
