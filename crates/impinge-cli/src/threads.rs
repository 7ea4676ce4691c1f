//! The threads of a command.
use crate::standard_input;
use impinge_check::{Error, Pool};
use std::{fs, path::Path};

/// The number of bytes of a file that are worth a thread. Parts of as few triangles as a cube take more.
const BYTES: u64 = 256;

/// Pool of at most `threads` threads, but no more than these files are worth. 0 threads means one for each
/// core.
pub(crate) fn pool<'a>(threads: u16, files: impl Iterator<Item = &'a Path>) -> Result<Pool, Error> {
    pool_for(threads, files, 0)
}

/// [`pool`] for at least `least` pieces of work, even if the files are worth less.
pub(crate) fn pool_for<'a>(
    threads: u16,
    files: impl Iterator<Item = &'a Path>,
    least: usize,
) -> Result<Pool, Error> {
    Pool::with_this_thread(threads, pieces(files).unwrap_or(usize::MAX).max(least))
}

/// `None` without files, and of files whose size is not known.
fn pieces<'a>(files: impl Iterator<Item = &'a Path>) -> Option<usize> {
    let mut bytes = 0_u64;
    for path in files {
        let meta = fs::metadata(path).ok().filter(|meta| meta.is_file() && !standard_input::is(path))?;
        bytes = bytes.saturating_add(meta.len());
    }
    (bytes > 0).then(|| usize::try_from(bytes / BYTES).unwrap_or(usize::MAX))
}
