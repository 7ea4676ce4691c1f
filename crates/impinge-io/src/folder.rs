//! Folders of mesh files.
use crate::{Error, Omission, Options, Warning, budget::passed, error::Place, inside::Others};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Maximum depth of subfolders.
const DEPTH: usize = 64;

/// Files of a folder that [`read_with`](crate::read_with) reads, and a summary of the others.
#[derive(Debug)]
#[non_exhaustive]
pub struct FolderFiles {
    /// Files of the folder and its subfolders with the extension of a readable format, in the order of paths.
    pub files: Vec<PathBuf>,
    /// One warning or none: a count of the files of other kinds, links and special files. Links are not
    /// followed.
    pub warnings: Vec<Warning>,
    /// Files of formats that other programs read.
    pub omissions: Vec<Omission>,
}

/// Lists the readable files of a folder. Names that begin with a dot are skipped and counted.
///
/// # Errors
/// A folder cannot be listed, none of its files is read, or it has more entries than the limit of parts.
pub fn folder_files(folder: impl AsRef<Path>, options: &Options) -> Result<FolderFiles, Error> {
    let folder = folder.as_ref();
    let (mut files, mut others) = (Vec::new(), Others::default());
    let (mut left, mut entries) = (vec![(folder.to_owned(), 0)], 0);
    while let Some((place, depth)) = left.pop() {
        let failed = |error: io::Error| Error::io("the folder cannot be listed", error).in_file(&place);
        for entry in fs::read_dir(&place).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            entries += 1;
            if entries > options.limits.parts {
                let most = options.limits.parts as u64;
                return Err(passed(Place::File, most, "entries of a folder").in_file(folder));
            }
            let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
            let inner = path.strip_prefix(folder).unwrap_or(&path);
            if kind.is_symlink() {
                others.link(inner);
            } else if is_hidden(&path) {
                others.other(inner);
            } else if kind.is_dir() {
                if depth == DEPTH {
                    let what = format!("it lies in more than {DEPTH} folders");
                    return Err(Error::invalid(Place::File, what).in_file(&path));
                }
                left.push((path, depth + 1));
            } else if !kind.is_file() {
                others.special(inner);
            } else if others.is_read(inner, &path) {
                files.push(path);
            }
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(others.nothing("folder").in_file(folder));
    }
    let (warnings, omissions) = others.told(folder);
    Ok(FolderFiles { files, warnings, omissions })
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}
