//! Files that are written whole or not at all.
use std::{
    fs::{self, File, Permissions},
    io,
    path::Path,
};

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
