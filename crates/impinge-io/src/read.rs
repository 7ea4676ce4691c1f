//! Reads an assembly from a path, from a reader or from bytes.
use crate::{
    Assembly, Error, Options,
    blocks::{self, Blocks},
    budget::passed,
    error::Place,
    format::Format,
    gltf, obj, off, other_formats, ply,
    quote::show_path,
    sink::collect,
    sniff, stl, threemf, utf16,
};
use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read, Seek},
    path::Path,
    sync::Arc,
};

/// Reads a file, and the `.bin` files next to it that a `.gltf` names. The extension gives the format, unless
/// the content contradicts it; then a warning names both. If the extension is missing or unknown, the content
/// gives the format: every format that can be read is recognized, except OFF without its keyword.
///
/// # Errors
/// Returns an error if the file cannot be read, has an unknown format, is broken, has no triangle, or exceeds
/// the default [`Limits`](crate::Limits).
pub fn read(path: impl AsRef<Path>) -> Result<Assembly, Error> {
    read_with(path, &Options::default())
}

/// Reads a file as [`read`] does, with options.
///
/// # Errors
/// As for [`read`].
pub fn read_with(path: impl AsRef<Path>, options: &Options) -> Result<Assembly, Error> {
    let path = path.as_ref();
    let bytes = match start(path, options).map_err(|e| e.in_file(path))? {
        Start::Obj(blocks, size) => {
            return collect(path, Format::Obj, options.limits, size, |sink| obj::parse_blocks(blocks, sink));
        }
        Start::All(bytes) => bytes,
    };
    let mut folder = gltf::Folder::new(path, options);
    parse_any(&bytes, path, options, &mut |uri, length| folder.load(uri, length))
}

/// Reads an assembly from a reader, such as the standard input, up to the limit of bytes
/// ([`Limits::bytes`](crate::Limits::bytes)). `name` names it in parts and messages. Without a `format`, the
/// extension of `name` and the content give it, as for [`read`]. No file is opened, so a `.gltf` must contain
/// all its data.
///
/// ```
/// use impinge_io::{Format, Options, read_from};
/// let input = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"; // Or `std::io::stdin().lock()`.
/// let assembly = read_from(&input[..], "input", None, &Options::new())?;
/// assert_eq!(assembly.sources[0].format, Some(Format::Obj));
/// assert_eq!(assembly.triangles(), 1);
/// # Ok::<(), impinge_io::Error>(())
/// ```
///
/// # Errors
/// As for [`read`].
pub fn read_from(
    reader: impl Read,
    name: impl AsRef<Path>,
    format: Option<Format>,
    options: &Options,
) -> Result<Assembly, Error> {
    let name = name.as_ref();
    let bytes = limited(reader, options).map_err(|e| e.in_file(name))?;
    match format {
        Some(format) => parse_with(format, &bytes, name, options),
        None => parse_any(&bytes, name, options, &mut no_files),
    }
}

/// Reads bytes of a known format. `file` names them in parts and messages. Nothing is opened, so a `.gltf`
/// must contain all its data.
///
/// # Errors
/// As for [`read`].
pub fn parse(format: Format, bytes: &[u8], file: &Path) -> Result<Assembly, Error> {
    parse_with(format, bytes, file, &Options::default())
}

/// Reads bytes as [`parse`] does, with options.
///
/// # Errors
/// As for [`read`].
pub fn parse_with(format: Format, bytes: &[u8], file: &Path, options: &Options) -> Result<Assembly, Error> {
    parse_as(format, Some(format), &decoded(bytes), file, options, &mut no_files)
}

/// The part of a file that has been read.
enum Start<R> {
    /// An OBJ file in blocks, and its size, if its content is OBJ and the file is regular.
    Obj(Blocks<R>, usize),
    /// Any other file.
    All(Vec<u8>),
}

/// Opens a file once: opening a pipe a second time would lose data. A regular file is read whole or in
/// blocks. A file without a size, such as a pipe, is read up to the limit of bytes.
fn start(path: &Path, options: &Options) -> Result<Start<impl Read>, Error> {
    let mut file = File::open(path).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?;
    let is_obj = found.is_file() && Format::of(path) == Some(Format::Obj);
    let size = usize::try_from(found.len()).ok().filter(|_| is_obj);
    if let Some(size) = size {
        let start = exactly(&mut file, found.len().min(blocks::SIZE as u64)).map_err(unreadable)?;
        let is_obj = !start.is_empty() && sniff::signature(&start, found.len()).is_none();
        if is_obj && !utf16::is_utf16(&start) {
            let rest = file.take(found.len() - start.len() as u64);
            return Ok(Start::Obj(Blocks::new(start, rest), size));
        }
        file.rewind().map_err(unreadable)?;
    }
    if found.is_file() {
        return exactly(file, found.len()).map(Start::All).map_err(unreadable);
    }
    limited(file, options).map(Start::All)
}

/// Reads an input without a size.
fn limited(reader: impl Read, options: &Options) -> Result<Vec<u8>, Error> {
    let most = options.limits.bytes;
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(passed(Place::File, most, "bytes, and its size is not known in advance"));
    }
    Ok(bytes)
}

/// Reads up to `length` bytes. Memory that cannot be allocated is an error, not an abort.
pub(crate) fn exactly(file: impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cold]
fn unreadable(error: io::Error) -> Error {
    Error::io("cannot be read", error)
}

/// Loads the first bytes of a file that a document names, up to a given number.
pub(crate) type Load<'a> = &'a mut dyn FnMut(&str, u64) -> Result<Arc<Vec<u8>>, Error>;

/// Opens no file.
fn no_files(uri: &str, _: u64) -> Result<Arc<Vec<u8>>, Error> {
    let what = format!("the file '{}' is needed, but only bytes were given", show_path(uri));
    Err(Error::invalid(Place::File, what))
}

/// Text in UTF-8. A binary STL may begin with any bytes, a UTF-16 byte order mark among them.
fn decoded(bytes: &[u8]) -> Cow<'_, [u8]> {
    let is_binary = sniff::has_binary_stl_size(bytes, bytes.len() as u64);
    if is_binary { Cow::Borrowed(bytes) } else { utf16::utf8(bytes) }
}

/// Parses content whose format its signature, its name or a guess gives, in this order.
fn parse_any(bytes: &[u8], file: &Path, options: &Options, load: Load<'_>) -> Result<Assembly, Error> {
    let text = decoded(bytes);
    let by_name = Format::of(file);
    // A ZIP package of an unknown extension may be anything.
    let by_content = Format::sniff(&text).filter(|f| by_name.is_some() || *f != Format::ThreeMf);
    if let Some(format) = by_content.or(by_name) {
        return parse_as(format, by_name, &text, file, options, load);
    }
    let guess = if file.extension().is_none() && sniff::is_zip(&text) {
        Some(Format::ThreeMf)
    } else if other_formats::is_other(file) {
        None
    } else {
        sniff::guess(&text)
    };
    match guess {
        Some(format) => {
            parse_as(format, None, &text, file, options, load).map_err(|e| e.guessed(format.name()))
        }
        None if text.is_empty() => Err(Error::invalid(Place::File, "the file is empty").in_file(file)),
        None => Err(other_formats::unsupported(file, &text).in_file(file)),
    }
}

fn parse_as(
    format: Format,
    expected: Option<Format>,
    bytes: &[u8],
    file: &Path,
    options: &Options,
    load: Load<'_>,
) -> Result<Assembly, Error> {
    collect(file, format, options.limits, bytes.len(), |sink| {
        if bytes.is_empty() {
            return Err(Error::invalid(Place::File, "the file is empty"));
        }
        if expected.is_some_and(|e| e != format) {
            sink.warn(
                Place::File,
                format!("the content is {}, which the extension does not match", format.name()),
            );
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
