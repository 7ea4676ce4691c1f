//! Saved models in files: written as a whole or not at all, and mapped.
#![allow(unsafe_code)] // One block: see `map`.
use crate::{
    error::{Error, Kind, Place},
    write_whole,
};
use impinge::Model;
use memmap2::Mmap;
use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// Writes a model, so that [`open_model`] need not build it: see [`Model::save`]. The file appears, or is
/// replaced, once all is in it, so programs that have opened the old one keep that.
///
/// ```no_run
/// # let model = impinge::Model::new(impinge::Mesh::default(), &Default::default());
/// let path = "part.impinge".as_ref();
/// impinge_io::save_model(&model, path)?;
/// let again = impinge_io::open_model(path)?;
/// # Ok::<(), impinge_io::Error>(())
/// ```
///
/// # Errors
/// What the operating system says ([`Error::is_io`]); a path that is no regular file, another crate's
/// hierarchy and a big-endian machine ([`Error::is_unsupported`]).
pub fn save_model(model: &Model, path: &Path) -> Result<(), Error> {
    write(model, path).map_err(|error| {
        let error = match error.kind() {
            io::ErrorKind::Unsupported => Error::unsupported(Place::File, error.to_string()),
            _ => Error::io("cannot save the model", error),
        };
        error.in_file(path)
    })
}

fn write(model: &Model, path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|old| !old.is_file()) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "models are saved in regular files"));
    }
    write_whole(path, |file| model.save(file))
}

/// Opens what [`save_model`] wrote: nothing is built, and the model reads its mesh and tree from the file,
/// which is mapped into memory. Processes that open the same file share these pages, and the operating
/// system may take them back and read them again. All bytes are read and checked now: see
/// [`Model::from_saved`].
///
/// As long as the model is in use **the file must not be changed in place**: Rust takes mapped bytes for
/// constant, and reading behind the end of a file that was cut short ends the program. To replace or to
/// delete it is safe, as [`save_model`] does. Where you cannot rely on that, such as on a network file system
/// or in a folder that others write to, read the file yourself: `Model::from_saved(std::fs::read(path)?)`.
///
/// # Errors
/// What the operating system says ([`Error::is_io`]), and a file that is no saved model, cut short or
/// altered, or of another version ([`Error::is_invalid`]).
pub fn open_model(path: &Path) -> Result<Model, Error> {
    let bytes = map(path).map_err(|error| Error::io("cannot open the model", error).in_file(path))?;
    let model = match bytes {
        Some(bytes) => Model::from_saved(bytes),
        None => Model::from_saved([]),
    };
    model.map_err(|error| Error::new(Kind::Invalid, Place::File, error.to_string()).in_file(path))
}

/// The bytes of a file; none of an empty one, which cannot be mapped.
fn map(path: &Path) -> io::Result<Option<Mmap>> {
    // Asked first: opening a pipe would wait for who writes to it.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(None);
    }
    // Renaming, replacing and deleting leave a mapped file's pages as they are, and nothing in this project
    // changes a saved model in place: `save_model` writes another file and renames it.
    // SAFETY: the map is read-only, and holds its own reference to the file. That nobody changes it in
    // place is asked of the caller in the docs of `open_model`, as no operating system can promise it.
    unsafe { Mmap::map(&file) }.map(Some)
}
