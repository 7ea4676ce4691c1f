//! Files that are written whole or not at all.
use std::{
    fs::{self, File, Permissions},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, TryLockError},
};

/// Temporary files that this process is writing.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A path in [`UNFINISHED`] until it is dropped.
struct Listed<'a>(&'a Path);

impl<'a> Listed<'a> {
    fn new(path: &'a Path) -> Self {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        Self(path)
    }
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| path != self.0);
    }
}

/// Removes the temporary files of all [`write_whole`] calls under way in this process, which then fail. For
/// programs that are about to end, such as on a signal: nothing else removes these files then. Does not wait
/// for a call that is only beginning, or ending.
pub fn remove_unfinished() {
    let paths = match UNFINISHED.try_lock() {
        Ok(paths) => paths,
        Err(TryLockError::Poisoned(paths)) => paths.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    // One that is no longer there was renamed meanwhile.
    paths.iter().for_each(|path| drop(fs::remove_file(path)));
}

/// Writes a file by `fill`: it appears, or is replaced, once all is in it and on the disk, and is as it was
/// if anything goes wrong. A link stays a link, and a file keeps its permissions. `path` must not be a device
/// or a pipe, which cannot be replaced.
///
/// ```no_run
/// use std::io::Write;
/// impinge_io::write_whole("report.txt".as_ref(), |file| file.write_all(b"all of it"))?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// What the operating system says, and those of `fill`.
pub fn write_whole<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    // What a link names is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    let mut builder = tempfile::Builder::new();
    builder.prefix(".impinge-");
    if let Some(permissions) = old.map(|old| old.permissions()).or_else(usual_permissions) {
        builder.permissions(permissions);
    }
    // In the same folder, so that the last step is a rename within one file system.
    let folder = target.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut temporary = builder.tempfile_in(folder)?;
    let path = temporary.path().to_owned();
    let _listed = Listed::new(&path);
    fill(temporary.as_file_mut())?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// What a new file gets, less the umask; a temporary file would be its owner's alone.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    return None;
}
