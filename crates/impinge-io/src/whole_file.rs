//! Writes files completely or not at all.
use std::{
    fs::{self, File, Permissions},
    io::{self, BufWriter, Write},
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

/// Removes the temporary files of all running [`write_whole`] calls of this process, which then fail.
/// Programs call it before they end early, such as on a signal: nothing else removes these files then. It
/// does not wait for a call that is about to begin or to end.
pub fn remove_unfinished() {
    let paths = match UNFINISHED.try_lock() {
        Ok(paths) => paths,
        Err(TryLockError::Poisoned(paths)) => paths.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    // A file that no longer exists has been renamed meanwhile.
    paths.iter().for_each(|path| drop(fs::remove_file(path)));
}

/// Writes a file by `fill`, through a buffer. The file appears, or is replaced, when it is complete and on
/// the disk; on any error it stays unchanged. A link stays a link, and a file keeps its permissions. A device
/// or a pipe cannot be replaced: the function writes to it.
///
/// ```no_run
/// use std::io::Write;
/// impinge_io::write_whole("report.txt".as_ref(), |file| file.write_all(b"all of it"))?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Errors of the operating system and of `fill`.
pub fn write_whole<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let write = |file: &mut File| {
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        Ok(out.flush()?)
    };
    // The target of a link is replaced, not the link.
    let target = target_of(path);
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return write(&mut File::options().write(true).open(path)?);
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".impinge-");
    if let Some(permissions) = old.map(|old| old.permissions()).or_else(usual_permissions) {
        builder.permissions(permissions);
    }
    // The same folder makes the last step a rename within one file system.
    let mut temporary = builder.tempfile_in(folder_of(&target))?;
    let path = temporary.path().to_owned();
    let _listed = Listed::new(&path);
    write(temporary.as_file_mut())?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Path of the file that [`write_whole`] makes or replaces. Follows symbolic links, also to a file that does
/// not exist yet.
pub fn target_of(path: &Path) -> PathBuf {
    // A pipe of this process has a path, but no canonical one.
    if fs::metadata(path).is_ok() {
        return fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    }
    let mut path = path.to_owned();
    // Linux follows at most 40 links, too.
    for _ in 0..40 {
        let Ok(link) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(link);
    }
    match (fs::canonicalize(folder_of(&path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Permissions of a new file, before the umask; by default only its owner may read a temporary file.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    return None;
}
