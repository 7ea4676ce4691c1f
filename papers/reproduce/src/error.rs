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
    /// The file of a finished part could not be read.
    Read(PathBuf, io::Error),
    /// The file of a finished part is damaged, or of another version: the file and the reason.
    Damaged(PathBuf, String),
    /// A finished part that would be resumed has other settings: its name, and whether it is quick or full.
    OtherSettings(&'static str, &'static str),
    /// The file of a part that this version does not have.
    UnknownPart(PathBuf),
}

/// Reason that the file of a finished part cannot be used.
#[derive(Debug)]
pub(crate) enum Damage {
    /// Format of the file, and ours.
    Format(u32, u32),
    Content(String),
}

impl From<serde_json::Error> for Damage {
    fn from(error: serde_json::Error) -> Self {
        Self::Content(error.to_string())
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(theirs, ours) => write!(f, "it has format {theirs}, and this version reads {ours}"),
            Self::Content(reason) => write!(f, "it is damaged: {reason}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene(error) => write!(f, "{error}"),
            Self::Disagreement(what) => write!(f, "{what}"),
            Self::Plot(file, reason) => write!(f, "{file}: the figure cannot be drawn: {reason}"),
            Self::SameFile(file) => write!(f, "{file}: two parts of the report have this file"),
            Self::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Damaged(path, reason) => write!(
                f,
                "{}: this finished part cannot be used: {reason}; delete the file to measure the part again",
                path.display()
            ),
            Self::OtherSettings(part, run) => write!(
                f,
                "{part} cannot be resumed: it was finished with other settings ({run} run, or other models); \
                 use the same settings, another folder, or measure it again without --resume"
            ),
            Self::UnknownPart(path) => write!(
                f,
                "{}: this version has no part of that name; delete the file to make a report without it",
                path.display()
            ),
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
