//! Errors of making or writing a report.
use impinge_testkit::scenes;
use std::{error, fmt, io, path::PathBuf};

/// Reason that a report could not be made or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A scene could not be built.
    Scene(scenes::Error),
    /// Two volumes gave different results, which is a defect of the library: scene, frame and the two.
    Disagreement(String),
    /// A figure could not be drawn: its file and the reason.
    Plot(String, String),
    /// Two parts of the report have the same file name.
    SameFile(String),
    /// A file or folder could not be written.
    Write(PathBuf, io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene(error) => write!(f, "{error}"),
            Self::Disagreement(what) => write!(f, "{what}"),
            Self::Plot(file, reason) => write!(f, "{file}: the figure cannot be drawn: {reason}"),
            Self::SameFile(file) => write!(f, "{file}: two parts of the report have this file"),
            Self::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Scene(error) => error.source(),
            _ => None,
        }
    }
}

impl From<scenes::Error> for Error {
    fn from(error: scenes::Error) -> Self {
        Self::Scene(error)
    }
}
