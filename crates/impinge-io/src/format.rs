//! File formats that can be read.
use std::{error, fmt, path::Path, str::FromStr};

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
    /// `.dae`: COLLADA.
    Dae,
    /// `.impinge`: a [bundle](crate::write_bundle) of this program.
    Bundle,
}

pub(crate) const EXTENSIONS: [(&str, Format); 9] = [
    ("stl", Format::Stl),
    ("obj", Format::Obj),
    ("ply", Format::Ply),
    ("off", Format::Off),
    ("gltf", Format::Gltf),
    ("glb", Format::Gltf),
    ("3mf", Format::ThreeMf),
    ("dae", Format::Dae),
    ("impinge", Format::Bundle),
];

impl Format {
    /// Name of the feature of this crate that reads the format.
    #[cfg(feature = "_read")]
    pub(crate) fn feature(self) -> &'static str {
        match self {
            Self::ThreeMf => "threemf",
            Self::Bundle => "bundle",
            _ => self.extension(),
        }
    }

    /// True if this build has the feature that reads the format.
    #[cfg(feature = "_read")]
    pub(crate) fn is_enabled(self) -> bool {
        match self {
            Self::Stl => cfg!(feature = "stl"),
            Self::Obj => cfg!(feature = "obj"),
            Self::Ply => cfg!(feature = "ply"),
            Self::Off => cfg!(feature = "off"),
            Self::Gltf => cfg!(feature = "gltf"),
            Self::ThreeMf => cfg!(feature = "threemf"),
            Self::Dae => cfg!(feature = "dae"),
            Self::Bundle => cfg!(feature = "bundle"),
        }
    }

    /// The format of a path's extension, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// Usual spelling of the format's name: "STL", "glTF".
    pub fn name(self) -> &'static str {
        match self {
            Self::Stl => "STL",
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Off => "OFF",
            Self::Gltf => "glTF",
            Self::ThreeMf => "3MF",
            Self::Dae => "COLLADA",
            Self::Bundle => "impinge bundle",
        }
    }

    /// The extension in lower case, without a dot. For glTF, it is `gltf`.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Stl => "stl",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Off => "off",
            Self::Gltf => "gltf",
            Self::ThreeMf => "3mf",
            Self::Dae => "dae",
            Self::Bundle => "impinge",
        }
    }
}

/// Writes the extension: see [`Format::extension`].
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.extension())
    }
}

/// Reads an extension, in upper or lower case, without a dot; `glb` is glTF.
///
/// ```
/// use impinge_io::Format;
/// assert_eq!("3mf".parse(), Ok(Format::ThreeMf));
/// assert_eq!("GLB".parse::<Format>().unwrap().to_string(), "gltf");
/// ```
impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(extension: &str) -> Result<Self, UnknownFormat> {
        let known = EXTENSIONS.iter().find(|(e, _)| e.eq_ignore_ascii_case(extension));
        known.map(|&(_, format)| format).ok_or(UnknownFormat(()))
    }
}

/// The error of parsing a [`Format`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(());

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = EXTENSIONS.iter().map(|&(extension, _)| extension).collect();
        write!(f, "not a format; known are {}", known.join(", "))
    }
}

impl error::Error for UnknownFormat {}
