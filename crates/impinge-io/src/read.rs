//! Reads an assembly from a path, from a reader or from bytes.
#[cfg(feature = "obj")]
use crate::blocks::{self, Blocks};
use crate::{
    Assembly, Error, Options,
    budget::passed,
    error::Place,
    folder::folder_files,
    format::Format,
    load::{Load, exactly},
    other_formats,
    quote::show_path,
    sink::collect,
    sniff, utf16,
};
use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

/// Reads a file, and the `.bin` files next to it that a `.gltf` names. The extension gives the format, unless
/// the content contradicts it; then a warning names both. If the extension is missing or unknown, the content
/// gives the format: every format that can be read is recognized, except OFF without its keyword.
///
/// Reads every file of a folder or a `.zip` that has the extension of a format, in the order of paths; one
/// warning counts the others. See [`folder_files`].
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
/// Errors of [`read`].
pub fn read_with(path: impl AsRef<Path>, options: &Options) -> Result<Assembly, Error> {
    let path = path.as_ref();
    let failed = |error: Error| error.in_file(path);
    if path.is_dir() {
        return in_folder(path, options);
    }
    // Opened once: opening a pipe a second time would lose data.
    let file = File::open(path).map_err(unreadable).map_err(failed)?;
    let found = file.metadata().map_err(unreadable).map_err(failed)?;
    // A file without a size, such as a pipe, is read up to the limit of bytes.
    let size = found.is_file().then_some(found.len());
    #[cfg(feature = "obj")]
    if let Some(size) = size.filter(|_| Format::of(path) == Some(Format::Obj))
        && let Some((blocks, size)) = in_blocks(&file, size).map_err(unreadable).map_err(failed)?
    {
        return collect(path, Format::Obj, options.limits, size, |sink| {
            crate::obj::parse_blocks(blocks, sink)
        });
    }
    let bytes = match size {
        Some(size) => exactly(file, size).map_err(unreadable),
        None => limited(file, options),
    };
    #[cfg(feature = "gltf")]
    let mut folder = crate::gltf::Folder::new(path, options);
    #[cfg(feature = "gltf")]
    let mut load = |uri: &str, length| folder.load(uri, length);
    #[cfg(not(feature = "gltf"))]
    let mut load = no_files;
    parse_any(&bytes.map_err(failed)?, path, options, &mut load)
}

/// Reads every file of a folder.
fn in_folder(path: &Path, options: &Options) -> Result<Assembly, Error> {
    let found = folder_files(path, options)?;
    let mut assembly = Assembly::new();
    for file in found.files {
        assembly.append(read_with(file, options)?);
    }
    assembly.warnings.extend(found.warnings);
    assembly.omissions.extend(found.omissions);
    Ok(assembly)
}

/// Reads an assembly from a reader, such as the standard input, up to the limit of bytes
/// ([`Limits::bytes`](crate::Limits::bytes)). `name` names it in parts and messages. Without a `format`, the
/// extension of `name` and the content give it, as for [`read`]. It opens no file, so a `.gltf` must contain
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
/// Errors of [`read`].
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

/// Reads bytes of a known format. `file` names them in parts and messages. It opens no file, so a `.gltf`
/// must contain all its data.
///
/// # Errors
/// Errors of [`read`].
pub fn parse(format: Format, bytes: &[u8], file: &Path) -> Result<Assembly, Error> {
    parse_with(format, bytes, file, &Options::default())
}

/// Reads bytes as [`parse`] does, with options.
///
/// # Errors
/// Errors of [`read`].
pub fn parse_with(format: Format, bytes: &[u8], file: &Path, options: &Options) -> Result<Assembly, Error> {
    parse_as(format, Some(format), &decoded(bytes), file, options, &mut no_files)
}

/// Blocks of a regular file, and its size, unless its content is not OBJ. Then the file is at its start
/// again.
#[cfg(feature = "obj")]
fn in_blocks(mut file: &File, size: u64) -> io::Result<Option<(Blocks<impl Read>, usize)>> {
    let Ok(bytes) = usize::try_from(size) else { return Ok(None) };
    let start = exactly(file, size.min(blocks::SIZE as u64))?;
    if start.is_empty() || sniff::signature(&start, size).is_some() || utf16::is_utf16(&start) {
        io::Seek::rewind(&mut file)?;
        return Ok(None);
    }
    let rest = file.take(size - start.len() as u64);
    Ok(Some((Blocks::new(start, rest), bytes)))
}

/// Reads an input of unknown size, up to the limit of bytes.
fn limited(reader: impl Read, options: &Options) -> Result<Vec<u8>, Error> {
    let most = options.limits.bytes;
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(passed(Place::File, most, "bytes, and its size is not known in advance"));
    }
    Ok(bytes)
}

#[cold]
fn unreadable(error: io::Error) -> Error {
    Error::io("cannot be read", error)
}

/// Returns the error for a document that needs the file `uri`.
fn no_files(uri: &str, _: u64) -> Result<Arc<Vec<u8>>, Error> {
    let what = format!("the file '{}' is needed, but only bytes were given", show_path(uri));
    Err(Error::invalid(Place::File, what))
}

/// Converts UTF-16 to UTF-8, but not a binary STL: it may begin with any bytes, even a UTF-16 byte order
/// mark.
fn decoded(bytes: &[u8]) -> Cow<'_, [u8]> {
    let is_binary = sniff::has_binary_stl_size(bytes, bytes.len() as u64);
    if is_binary { Cow::Borrowed(bytes) } else { utf16::utf8(bytes) }
}

/// Parses content. Its signature, else its name, else a guess gives the format.
pub(crate) fn parse_any(
    bytes: &[u8],
    file: &Path,
    options: &Options,
    load: Load<'_>,
) -> Result<Assembly, Error> {
    let text = decoded(bytes);
    let by_name = Format::of(file);
    // A ZIP package of an unknown extension may be anything.
    let by_content = Format::sniff(&text).filter(|f| by_name.is_some() || *f != Format::ThreeMf);
    // A bundle that another program has packed again may begin with any of its files.
    let by_content = by_content.filter(|f| {
        by_name != Some(Format::Bundle) || *f != Format::ThreeMf || sniff::has_relationships(&text)
    });
    if let Some(format) = by_content.or(by_name) {
        return parse_as(format, by_name, &text, file, options, load);
    }
    #[cfg(feature = "bundle")]
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) && sniff::is_zip(&text)
    {
        return crate::archive::parse(&text, file, options, parse_any);
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
    let is_other = expected.is_some_and(|e| e != format);
    let other = || format!("the content is {}, which the extension does not match", format.name());
    #[cfg(feature = "bundle")]
    if format == Format::Bundle {
        // A bundle has parts of many files, and may have none at all.
        let file: Arc<Path> = file.into();
        let mut assembly =
            crate::bundle::parse(bytes, &file, options.limits).map_err(|e| e.in_file(&file))?;
        if is_other {
            assembly.warnings.push(crate::Warning::new(file, None, other()));
        }
        return Ok(assembly);
    }
    collect(file, format, options.limits, bytes.len(), |sink| {
        if bytes.is_empty() {
            return Err(Error::invalid(Place::File, "the file is empty"));
        }
        if is_other {
            sink.warn(Place::File, other());
        }
        #[cfg(not(feature = "gltf"))]
        let _ = load;
        #[allow(unreachable_patterns)]
        match format {
            #[cfg(feature = "stl")]
            Format::Stl => crate::stl::parse(bytes, sink),
            #[cfg(feature = "obj")]
            Format::Obj => crate::obj::parse(bytes, sink),
            #[cfg(feature = "ply")]
            Format::Ply => crate::ply::parse(bytes, sink),
            #[cfg(feature = "off")]
            Format::Off => crate::off::parse(bytes, sink),
            #[cfg(feature = "gltf")]
            Format::Gltf => crate::gltf::parse(bytes, load, sink),
            #[cfg(feature = "threemf")]
            Format::ThreeMf => crate::threemf::parse(bytes, sink),
            #[cfg(feature = "dae")]
            Format::Dae => crate::dae::parse(bytes, sink),
            _ => Err(left_out(format)),
        }
    })
}

#[cold]
fn left_out(format: Format) -> Error {
    let (name, feature) = (format.name(), format.feature());
    let what = format!("this build does not read {name}: enable the feature '{feature}' of impinge-io");
    Error::unsupported(Place::File, what)
}
