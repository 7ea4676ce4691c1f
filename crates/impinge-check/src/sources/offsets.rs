//! Offsets of files' coordinates from those of a map, which the check does not apply.
use impinge_io::{Source, Warning};
use serde::Serialize;
use std::{collections::HashSet, sync::Arc};

/// The offset of a file's coordinates. Reports show it; checks do not apply it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FileOffset {
    /// The file.
    pub file: String,
    /// Coordinates of the map minus those of the file.
    pub offset: [f64; 3],
}

/// The offsets that files state, each once.
pub(crate) fn offsets<'a>(sources: impl IntoIterator<Item = &'a Source>) -> Vec<FileOffset> {
    let (mut all, mut known) = (Vec::new(), HashSet::new());
    for source in sources {
        let Some(offset) = source.offset else { continue };
        let one = FileOffset { file: source.file.to_string_lossy().into_owned(), offset };
        // `+ 0.0` gives both zeros the same bits.
        if known.insert((Arc::clone(&source.file), offset.map(|x| (x + 0.0).to_bits()))) {
            all.push(one);
        }
    }
    all
}

/// A warning for each file whose offset differs from the first one that a file states: the relative position
/// of the two files' parts is not that on the map.
pub fn offset_warnings<'a>(sources: impl IntoIterator<Item = &'a Source>) -> Vec<Warning> {
    let mut first: Option<(&Source, [f64; 3])> = None;
    let mut warnings = Vec::new();
    for source in sources {
        let Some(offset) = source.offset else { continue };
        let (other, known) = *first.get_or_insert((source, offset));
        if known != offset {
            let text = format!(
                "its coordinates have the offset {} from the map's, those of {} {}; coordinates are compared as \
                 they are",
                show(offset),
                other.file.display(),
                show(known)
            );
            warnings.push(Warning::new(&*source.file, None, text));
        }
    }
    warnings
}

fn show([x, y, z]: [f64; 3]) -> String {
    format!("({x}, {y}, {z})")
}

#[cfg(test)]
mod tests {
    use super::offset_warnings;
    use impinge_io::Source;
    use std::path::Path;

    #[test]
    fn offsets_that_differ_are_named() {
        let source = |name: &str, offset: Option<[f64; 3]>| {
            let source = Source::new(Path::new(name));
            offset.map_or(source.clone(), |offset| source.with_offset(offset))
        };
        let (near, far) = (Some([0.0; 3]), Some([2683000.25, 0.0, 1.0]));
        let sources = [
            source("a.stl", None),
            source("b.ifc", far),
            source("c.ifc", far),
            source("d.ifc", near),
            source("e.ifc", None),
        ];
        let found: Vec<_> = offset_warnings(&sources).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "d.ifc: its coordinates have the offset (0, 0, 0) from the map's, those of b.ifc (2683000.25, 0, 1); \
              coordinates are compared as they are"
            ]
        );
        assert!(offset_warnings(&sources[..3]).is_empty());
    }
}
