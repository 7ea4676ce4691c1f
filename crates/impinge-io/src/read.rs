//! Reads an assembly from a path or from bytes.
use crate::{
    Assembly, Error, Options,
    blocks::{self, Blocks},
    budget::passed,
    error::Place,
    format::Format,
    gltf, obj, off, other_formats, ply,
    sink::collect,
    stl, text, threemf,
};
use std::{
    borrow::Cow,
    fs::File,
    io::{Read, Seek},
    path::Path,
};

/// Reads a file, and the `.bin` files next to it that a `.gltf` names. The extension gives the format, unless
/// the content contradicts it; then a warning names both.
///
/// # Errors
/// Returns an error if the file cannot be read, has an unknown format, is broken, has no triangle, or exceeds
/// the default [`Limits`](crate::Limits).
pub fn read(path: &Path) -> Result<Assembly, Error> {
    read_with(path, &Options::default())
}

/// Reads a file as [`read`] does, with options.
///
/// # Errors
/// As for [`read`].
pub fn read_with(path: &Path, options: &Options) -> Result<Assembly, Error> {
    let by_name = Format::of(path);
    let bytes = match start(path, by_name, options).map_err(|e| e.in_file(path))? {
        Start::Obj(blocks, size) => {
            return collect(path, Format::Obj, options.limits, size, |sink| obj::parse_blocks(blocks, sink));
        }
        Start::All(bytes) => bytes,
    };
    let text = decoded(&bytes);
    // A ZIP file of an unknown extension may be anything.
    let by_content = Format::sniff(&text).filter(|f| by_name.is_some() || *f != Format::ThreeMf);
    let Some(format) = by_content.or(by_name) else {
        return Err(other_formats::unsupported(path, &text).in_file(path));
    };
    let mut folder = gltf::Folder::new(path, options);
    parse_as(format, by_name, &text, path, options, &mut |uri, length| folder.load(uri, length))
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
    let text = decoded(bytes);
    parse_as(format, Some(format), &text, file, options, &mut gltf::no_files)
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
fn start(path: &Path, by_name: Option<Format>, options: &Options) -> Result<Start<impl Read>, Error> {
    let fails = |e| Error::io("cannot be read", e);
    let mut file = File::open(path).map_err(fails)?;
    let found = file.metadata().map_err(fails)?;
    let size = usize::try_from(found.len()).ok().filter(|_| found.is_file() && by_name == Some(Format::Obj));
    if let Some(size) = size {
        let start = gltf::exactly(&mut file, found.len().min(blocks::SIZE as u64)).map_err(fails)?;
        let is_obj = !start.is_empty() && Format::sniff_start(&start, found.len()).is_none();
        if is_obj && !text::is_utf16(&start) {
            let rest = file.take(found.len() - start.len() as u64);
            return Ok(Start::Obj(Blocks::new(start, rest), size));
        }
        file.rewind().map_err(fails)?;
    }
    if found.is_file() {
        return gltf::exactly(file, found.len()).map(Start::All).map_err(fails);
    }
    let most = options.limits.bytes;
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(fails)?;
    if bytes.len() as u64 > most {
        return Err(passed(Place::File, most, "bytes, and its size is not known in advance"));
    }
    Ok(Start::All(bytes))
}

/// Text in UTF-8. A binary STL may begin with any bytes, a UTF-16 byte order mark among them.
fn decoded(bytes: &[u8]) -> Cow<'_, [u8]> {
    if stl::has_binary_size(bytes, bytes.len() as u64) { Cow::Borrowed(bytes) } else { text::utf8(bytes) }
}

fn parse_as(
    format: Format,
    expected: Option<Format>,
    bytes: &[u8],
    file: &Path,
    options: &Options,
    load: gltf::Load<'_>,
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
