//! [`Error`]: a fault of a clash list, and its place.
use impinge_check::values::text::printable;
use std::{error, fmt};

/// A fault of a clash list, and its place, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

/// Largest number of characters of a file that an error quotes.
const MOST: usize = 200;

impl Error {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
    /// An error with its place in front.
    pub(crate) fn at(place: impl fmt::Display, text: impl fmt::Display) -> Self {
        Self(format!("{place}: {text}"))
    }
    pub(crate) fn of_file(self, name: &str) -> Self {
        Self(format!("{}: {}", printable(name), self.0))
    }
}

/// A text of a file, cut and without characters that do not print.
pub(crate) fn shown(text: &str) -> String {
    let mut cut: String = text.chars().take(MOST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    printable(&cut)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for Error {}
