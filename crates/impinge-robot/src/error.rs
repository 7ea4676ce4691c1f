//! [`Error`], the only error type of the crate, and [`Place`]: file, line, column and description.
use std::{
    error, fmt,
    path::{Path, PathBuf},
};

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Byte offset, from 0.
    pub byte: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// The first place of a text.
    pub(crate) const START: Self = Self { byte: 0, line: 1, column: 1 };

    /// The place of a byte of a text. A byte past the end gives the end.
    ///
    /// ```
    /// let place = impinge_robot::Place::of("a: é\nb: 1", 10);
    /// assert_eq!((place.line, place.column), (2, 5));
    /// ```
    pub fn of(text: &str, byte: usize) -> Self {
        let mut place = Self::START;
        place.advance(text, byte);
        place
    }

    /// Moves on to a byte of the same text. Moving back does nothing.
    pub(crate) fn advance(&mut self, text: &str, byte: usize) {
        let byte = byte.min(text.len());
        let Some(passed) = text.as_bytes().get(self.byte..byte) else { return };
        for &b in passed {
            if b == b'\n' {
                self.line += 1;
                self.column = 1;
            } else if b & 0xC0 != 0x80 {
                // Not a continuation of a character.
                self.column += 1;
            }
        }
        self.byte = byte;
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The reason for refusing a file. Displayed as `FILE:LINE:COLUMN: description`, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    file: Option<PathBuf>,
    place: Option<Place>,
    text: String,
}

impl Error {
    /// An error at a byte of a text.
    #[cold]
    pub(crate) fn at(text: &str, byte: usize, what: impl Into<String>) -> Self {
        Self::placed(Place::of(text, byte), what)
    }
    #[cold]
    pub(crate) fn placed(place: Place, what: impl Into<String>) -> Self {
        Self(Box::new(Inner { file: None, place: Some(place), text: what.into() }))
    }
    /// An error of a whole file, or of the arguments.
    #[cold]
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(Box::new(Inner { file: None, place: None, text: what.into() }))
    }
    /// Adds the format that the content was taken for, as a wrong guess could be the reason.
    pub(crate) fn read_as(mut self, format: &str) -> Self {
        self.0.text += &format!(" (the content was taken for {format})");
        self
    }
    /// Adds the file's name, unless the error has one.
    #[must_use]
    pub fn in_file(mut self, file: &Path) -> Self {
        self.0.file.get_or_insert_with(|| file.to_owned());
        self
    }
    /// Adds a place, unless the error has one: [`Packages::resolve`](crate::Packages::resolve) gives none, and
    /// the [`Body`](crate::Body) of the mesh has one.
    #[must_use]
    pub fn at_place(mut self, place: Place) -> Self {
        self.0.place.get_or_insert(place);
        self
    }
    /// The file that was refused.
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }
    /// The place in the file; `None` if the error concerns no place, such as a file that does not open.
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }
    /// Description and remedy, without file and place.
    pub fn text(&self) -> &str {
        &self.0.text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0.file, self.0.place) {
            (Some(file), Some(place)) => write!(f, "{}:{place}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, Some(place)) => write!(f, "{place}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.0.text)
    }
}

impl error::Error for Error {}
