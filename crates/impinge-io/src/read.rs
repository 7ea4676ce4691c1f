//! From a path, or from bytes, to an assembly.
use crate::{Assembly, Error, assembly::collect, error::Place, gltf, obj, off, ply, stl, threemf};
use std::{fs, path::Path};

/// A file format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `.stl`
    Stl,
    /// `.obj`
    Obj,
    /// `.ply`
    Ply,
    /// `.off`
    Off,
    /// `.gltf` and `.glb`
    Gltf,
    /// `.3mf`
    ThreeMf,
}

const EXTENSIONS: [(&str, Format); 7] = [
    ("stl", Format::Stl),
    ("obj", Format::Obj),
    ("ply", Format::Ply),
    ("off", Format::Off),
    ("gltf", Format::Gltf),
    ("glb", Format::Gltf),
    ("3mf", Format::ThreeMf),
];

impl Format {
    /// By the extension, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        EXTENSIONS.iter().find(|(e, _)| e.eq_ignore_ascii_case(extension)).map(|&(_, format)| format)
    }

    /// By the content, where that leaves no doubt; OBJ has nothing to know it by.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        if stl::has_binary_size(bytes) {
            Some(Self::Stl)
        } else if gltf::is_glb(bytes) {
            Some(Self::Gltf)
        } else if bytes.starts_with(b"PK\x03\x04") {
            Some(Self::ThreeMf)
        } else if ply::is_ply(bytes) {
            Some(Self::Ply)
        } else if off::is_off(bytes) {
            Some(Self::Off)
        } else {
            None
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Stl => "STL",
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Off => "OFF",
            Self::Gltf => "glTF",
            Self::ThreeMf => "3MF",
        }
    }
}

/// Reads a file, and the `.bin` files next to it that a `.gltf` names. The format is that of the extension, unless
/// the content shows another; then a warning says so.
///
/// # Errors
/// A file that cannot be read, is of an unknown format, is broken, or has no triangle.
pub fn read(path: &Path) -> Result<Assembly, Error> {
    let by_name = Format::of(path);
    let bytes = fs::read(path).map_err(|e| Error::io("cannot be read", e).in_file(path))?;
    // A ZIP file of an unknown extension may be anything.
    let by_content = Format::sniff(&bytes).filter(|f| by_name.is_some() || *f != Format::ThreeMf);
    let Some(format) = by_content.or(by_name) else {
        let known: Vec<_> = EXTENSIONS.iter().map(|(e, _)| format!(".{e}")).collect();
        let what = format!("unsupported format; supported are {}", known.join(", "));
        return Err(Error::unsupported(Place::File, what).in_file(path));
    };
    parse_as(format, by_name, &bytes, path, &mut |uri, most| gltf::read_next_to(path, uri, most))
}

/// Reads bytes of a known format. `file` names them in parts and messages; nothing is opened, so a `.gltf` must be
/// whole in itself.
///
/// # Errors
/// As for [`read`].
pub fn parse(format: Format, bytes: &[u8], file: &Path) -> Result<Assembly, Error> {
    parse_as(format, Some(format), bytes, file, &mut gltf::no_files)
}

fn parse_as(
    format: Format,
    expected: Option<Format>,
    bytes: &[u8],
    file: &Path,
    load: gltf::Load<'_>,
) -> Result<Assembly, Error> {
    collect(file, |sink| {
        if bytes.is_empty() {
            return Err(Error::invalid(Place::File, "the file is empty"));
        }
        if expected.is_some_and(|e| e != format) {
            sink.warn(Place::File, format!("the content is {}, whatever the extension says", format.name()));
        }
        match format {
            Format::Stl => stl::parse(bytes, sink),
            Format::Obj => obj::parse(bytes, sink),
            Format::Ply => ply::parse(bytes, sink),
            Format::Off => off::parse(bytes, sink),
            Format::Gltf => gltf::parse(bytes, load, sink),
            Format::ThreeMf => threemf::parse(bytes, sink),
        }
    })
}
