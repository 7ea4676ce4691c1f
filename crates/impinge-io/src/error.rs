//! [`Error`], the only error type of the readers, and [`Warning`]: file, place in it and description.
use std::{error, fmt, io, path::Path, path::PathBuf, sync::Arc};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    File,
    /// A line of a text file, counted from 1.
    Line(u64),
    /// A byte offset, counted from 0.
    Byte(u64),
    /// An item that the format numbers or names: "mesh 3 primitive 0".
    Item(String),
}

impl Place {
    /// The place in words; `None` for the whole file.
    fn text(&self) -> Option<String> {
        match self {
            Self::File => None,
            Self::Line(line) => Some(format!("line {line}")),
            Self::Byte(byte) => Some(format!("byte {byte}")),
            Self::Item(item) => Some(item.clone()),
        }
    }
}

/// Writes the prefix of a message; empty for the whole file.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, "line {line}: "),
            Self::Byte(byte) => write!(f, "byte {byte}: "),
            Self::Item(item) => write!(f, "{item}: "),
        }
    }
}

/// The reason for refusing a file. Displayed as `FILE: PLACE: description`; `source` returns the cause.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    file: Option<PathBuf>,
    place: Place,
    kind: ReadErrorKind,
    what: String,
    source: Option<Box<dyn error::Error + Send + Sync>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadErrorKind {
    Io,
    Unsupported,
    NoTriangles,
    TooLarge,
    Outside,
    Invalid,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ReadErrorKind, place: Place, what: impl Into<String>) -> Self {
        Self(Box::new(Inner { file: None, place, kind, what: what.into(), source: None }))
    }
    #[cold]
    pub(crate) fn invalid(place: Place, what: impl Into<String>) -> Self {
        Self::new(ReadErrorKind::Invalid, place, what)
    }
    #[cold]
    pub(crate) fn line(line: u64, what: impl Into<String>) -> Self {
        Self::invalid(Place::Line(line), what)
    }
    #[cold]
    pub(crate) fn byte(byte: usize, what: impl Into<String>) -> Self {
        Self::invalid(Place::Byte(byte as u64), what)
    }
    #[cold]
    pub(crate) fn item(item: impl Into<String>, what: impl Into<String>) -> Self {
        Self::invalid(Place::Item(item.into()), what)
    }
    #[cold]
    pub(crate) fn unsupported(place: Place, what: impl Into<String>) -> Self {
        Self::new(ReadErrorKind::Unsupported, place, what)
    }
    #[cold]
    pub(crate) fn too_large(place: Place, what: impl Into<String>) -> Self {
        Self::new(ReadErrorKind::TooLarge, place, what)
    }
    #[cold]
    pub(crate) fn outside(what: impl Into<String>) -> Self {
        Self::new(ReadErrorKind::Outside, Place::File, what)
    }
    #[cold]
    pub(crate) fn io(what: impl Into<String>, source: io::Error) -> Self {
        Self::new(ReadErrorKind::Io, Place::File, what).because(source)
    }
    /// Adds a cause. A long message is cut: some parsers repeat up to 20 MB of the file in it.
    pub(crate) fn because(mut self, source: impl error::Error + Send + Sync + 'static) -> Self {
        let text = source.to_string();
        let cut = crate::quote::cut(&text);
        self.0.source = Some(if cut.len() < text.len() { cut.into_owned().into() } else { Box::new(source) });
        self
    }
    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        self.0.file.get_or_insert_with(|| file.to_owned());
        self
    }
    /// Sets the place of an error that has none.
    pub(crate) fn at(mut self, place: Place) -> Self {
        if self.0.place == Place::File {
            self.0.place = place;
        }
        self
    }
    /// Adds to the text that the format was guessed from the content, if a wrong guess could be the reason.
    pub(crate) fn guessed(mut self, format: &str) -> Self {
        if matches!(
            self.0.kind,
            ReadErrorKind::Unsupported | ReadErrorKind::NoTriangles | ReadErrorKind::Invalid
        ) {
            self.0.what += &format!("; the name gives no format, and the content was taken for {format}");
        }
        self
    }
    /// Puts a context before the place: `3D/part.model` before `byte 12`.
    pub(crate) fn inside(mut self, outer: &str) -> Self {
        self.0.place = match &self.0.place {
            Place::File => Place::Item(outer.to_owned()),
            Place::Line(line) => Place::Item(format!("{outer} line {line}")),
            Place::Byte(byte) => Place::Item(format!("{outer} byte {byte}")),
            Place::Item(item) => Place::Item(format!("{outer}: {item}")),
        };
        self
    }

    /// The file that was refused.
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }
    /// Place in the file, such as "line 7" or "mesh 3 primitive 0"; `None` if the error concerns the whole
    /// file.
    pub fn place(&self) -> Option<String> {
        self.0.place.text()
    }
    /// Description, without file, place and cause.
    pub fn text(&self) -> &str {
        &self.0.what
    }
    /// True if the operating system failed to read or write.
    pub fn is_io(&self) -> bool {
        self.0.kind == ReadErrorKind::Io
    }
    /// True if this crate does not support the format or one of its features.
    pub fn is_unsupported(&self) -> bool {
        self.0.kind == ReadErrorKind::Unsupported
    }
    /// True if the file is readable but contains no triangle.
    pub fn is_no_triangles(&self) -> bool {
        self.0.kind == ReadErrorKind::NoTriangles
    }
    /// True if the file exceeds one of the [`Limits`](crate::Limits), or the output a limit of its format.
    pub fn is_too_large(&self) -> bool {
        self.0.kind == ReadErrorKind::TooLarge
    }
    /// True if the file names another file outside its own folder.
    /// [`Options::outside_folder`](crate::Options::outside_folder) allows such files.
    pub fn is_outside_folder(&self) -> bool {
        self.0.kind == ReadErrorKind::Outside
    }
    /// True if the file breaks the rules of its format.
    pub fn is_invalid(&self) -> bool {
        self.0.kind == ReadErrorKind::Invalid
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            write!(f, "{}: ", file.display())?;
        }
        write!(f, "{}{}", self.0.place, self.0.what)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.0.source.as_deref().map(|e| e as _)
    }
}

/// Content of a file that the reader skipped or doubts, though it read the file. Displayed as `FILE: PLACE:
/// text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub(crate) file: Arc<Path>,
    pub(crate) place: Place,
    pub(crate) text: String,
}

impl Warning {
    /// Makes a warning about a file; `place` is a place in it, such as "line 7" or an item's name.
    ///
    /// ```
    /// use impinge_io::Warning;
    /// use std::path::Path;
    /// let warning = Warning::new(Path::new("house.ifc"), Some("#217".to_owned()), "it has no shape");
    /// assert_eq!(warning.to_string(), "house.ifc: #217: it has no shape");
    /// ```
    pub fn new(file: impl Into<Arc<Path>>, place: Option<String>, text: impl Into<String>) -> Self {
        Self { file: file.into(), place: place.map_or(Place::File, Place::Item), text: text.into() }
    }
    /// The file that the warning concerns.
    pub fn file(&self) -> &Path {
        &self.file
    }
    /// Place in the file, such as "line 7" or "3D/a.model"; `None` if the warning concerns the whole file.
    pub fn place(&self) -> Option<String> {
        self.place.text()
    }
    /// Description of the skipped or doubtful content.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}{}", self.file.display(), self.place, self.text)
    }
}
