//! Reasons that a scene cannot be built.
use std::{error, fmt};

/// Reason that a scene cannot be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No scene has this name.
    Unknown(String),
    /// The folder with the models does not exist.
    NoFolder(String),
    /// A model file exists, but cannot be used.
    Model(impinge_io::Error),
    /// A model file was read, but not completely: a benchmark must not use half of a model.
    Incomplete(String),
    /// Bytes are not those of a scene: the place and the reason.
    Bytes(String),
    /// Meshes could not be moved to a distance.
    NoGap(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "there is no scene {name:?}"),
            Self::NoFolder(folder) => {
                write!(f, "{folder}: is not a folder, so no models can be read from it")
            }
            Self::Model(error) => write!(f, "{error}"),
            Self::Incomplete(what) | Self::Bytes(what) | Self::NoGap(what) => write!(f, "{what}"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Model(error) => error.source(),
            _ => None,
        }
    }
}
