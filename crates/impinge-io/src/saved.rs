//! Saved models in files: written completely or not at all, and mapped into memory.
#![allow(unsafe_code)] // One block: see `map`.
use crate::{
    error::{Error, Place, ReadErrorKind},
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
/// replaced, only when it is complete; programs that have opened the old file keep it.
///
/// ```no_run
/// # let model = impinge::Model::with_options(impinge::Mesh::default(), &Default::default());
/// let path = "part.impinge".as_ref();
/// impinge_io::save_model(&model, path)?;
/// let again = impinge_io::open_model(path)?;
/// # Ok::<(), impinge_io::Error>(())
/// ```
///
/// # Errors
/// Returns an error of the operating system ([`Error::is_io`]). A path that is not a regular file, another
/// crate's hierarchy and a big-endian machine are refused ([`Error::is_unsupported`]).
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

/// Opens a file that [`save_model`] wrote. Nothing is built: the model reads its mesh and tree from the file,
/// which is mapped into memory. Processes that open the same file share these pages, and the operating system
/// may reclaim them and read them again. All bytes are read and checked now: see [`Model::from_saved`].
///
/// While the model is in use **the file must not be changed in place**: Rust assumes that mapped bytes are
/// constant, and reading past the end of a truncated file ends the program. Replacing or deleting it is
/// safe, as [`save_model`] does. Where you cannot rely on that, such as on a network file system or in a
/// folder that others write to, read the file yourself: `Model::from_saved(std::fs::read(path)?)`.
///
/// # Errors
/// Returns an error of the operating system ([`Error::is_io`]). A file that is not a saved model, is
/// truncated or altered, or has another version is refused ([`Error::is_invalid`]).
pub fn open_model(path: &Path) -> Result<Model, Error> {
    let bytes = map(path).map_err(|error| Error::io("cannot open the model", error).in_file(path))?;
    let model = match bytes {
        Some(bytes) => Model::from_saved(bytes),
        None => Model::from_saved([]),
    };
    model.map_err(|error| Error::new(ReadErrorKind::Invalid, Place::File, error.to_string()).in_file(path))
}

/// The bytes of a file; `None` for an empty one, which cannot be mapped.
fn map(path: &Path) -> io::Result<Option<Mmap>> {
    // Before opening, since opening a pipe would wait for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(None);
    }
    // Renaming, replacing and deleting leave a mapped file's pages as they are, and nothing in this project
    // changes a saved model in place: `save_model` writes another file and renames it.
    // SAFETY: the map is read-only, and holds its own reference to the file. No operating system can promise
    // that nobody changes the file in place; the docs of `open_model` require it of the caller.
    unsafe { Mmap::map(&file) }.map(Some)
}
