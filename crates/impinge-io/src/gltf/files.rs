//! Opens the files that a document names: regular files in its own folder.
use crate::{Error, Options, budget::passed, error::Place, load::exactly, quote::show_path};
use foldhash::{HashMap, HashMapExt};
use std::{
    fs::{self, File},
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

pub(crate) struct Folder<'a> {
    document: &'a Path,
    options: &'a Options,
    /// Contents read so far, by canonical path: a file may have many names.
    read: HashMap<PathBuf, Arc<Vec<u8>>>,
    /// Bytes read again from files that had been read before.
    again: u64,
}

impl<'a> Folder<'a> {
    pub(crate) fn new(document: &'a Path, options: &'a Options) -> Self {
        Self { document, options, read: HashMap::new(), again: 0 }
    }

    /// The first `length` bytes of a file, whose URI is relative to the document. Sizes are compared before
    /// any byte is read.
    pub(crate) fn load(&mut self, uri: &str, length: u64) -> Result<Arc<Vec<u8>>, Error> {
        let shown = show_path(uri);
        let fails = |e: io::Error| Error::io(format!("the file '{shown}' cannot be read"), e);
        let name = percent_encoding::percent_decode_str(uri).decode_utf8_lossy();
        let relative = Path::new(&*name);
        let first = relative.components().next();
        if name.contains("://")
            || name.starts_with('\\')
            || matches!(first, None | Some(Component::Prefix(_) | Component::RootDir))
        {
            let what = format!("'{shown}' is not a path relative to the document");
            return Err(Error::unsupported(Place::File, what));
        }
        if !self.options.outside_folder && leaves(relative) {
            return Err(outside(&shown));
        }
        let folder = match self.document.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // Links may lead anywhere.
        let path = folder.join(relative).canonicalize().map_err(fails)?;
        if !self.options.outside_folder && !path.starts_with(folder.canonicalize().map_err(fails)?) {
            return Err(outside(&shown));
        }
        // Reading a pipe may block and a device may never end. Even opening one is too much.
        let regular = |found: fs::Metadata| if found.is_file() { Ok(found) } else { Err(special(&shown)) };
        regular(fs::metadata(&path).map_err(fails)?)?;
        if let Some(known) = self.read.get(&path) {
            if known.len() as u64 >= length {
                return Ok(Arc::clone(known));
            }
            self.again = self.again.saturating_add(length);
            if self.again > self.options.limits.bytes {
                return Err(passed(Place::File, self.options.limits.bytes, "bytes by reading files again"));
            }
        }
        let file = File::open(&path).map_err(fails)?;
        let size = regular(file.metadata().map_err(fails)?)?.len();
        if size < length {
            return Err(Error::invalid(Place::File, format!("it announces {length} bytes, but has {size}")));
        }
        let bytes = Arc::new(exactly(file, length).map_err(fails)?);
        self.read.insert(path, Arc::clone(&bytes));
        Ok(bytes)
    }
}

/// True if a path, as written, leads out of its starting folder.
fn leaves(path: &Path) -> bool {
    let mut depth = 0_usize;
    for part in path.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            _ => return true,
        }
    }
    false
}

#[cold]
fn outside(shown: &str) -> Error {
    let what =
        format!("the file '{shown}' lies outside of the document's folder, which must be allowed first");
    Error::outside(what)
}

#[cold]
fn special(shown: &str) -> Error {
    Error::invalid(Place::File, format!("'{shown}' is no regular file"))
}
