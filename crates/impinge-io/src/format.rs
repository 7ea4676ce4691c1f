//! File formats that can be read.
use crate::{gltf, off, ply, stl};
use std::path::Path;

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

/// Extensions of the formats.
pub(crate) const EXTENSIONS: [(&str, Format); 7] = [
    ("stl", Format::Stl),
    ("obj", Format::Obj),
    ("ply", Format::Ply),
    ("off", Format::Off),
    ("gltf", Format::Gltf),
    ("glb", Format::Gltf),
    ("3mf", Format::ThreeMf),
];

impl Format {
    /// The format of an extension, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        EXTENSIONS.iter().find(|(e, _)| e.eq_ignore_ascii_case(extension)).map(|&(_, format)| format)
    }

    /// The format of the content, where that is unambiguous; OBJ has no signature.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        Self::sniff_start(bytes, bytes.len() as u64)
    }

    /// The format of the first kilobyte or more of a file and its size.
    pub(crate) fn sniff_start(bytes: &[u8], size: u64) -> Option<Self> {
        if stl::has_binary_size(bytes, size) {
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

    /// As people write it: "STL", "glTF".
    pub fn name(self) -> &'static str {
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
