//! Folders of pictures, written whole or not at all.
use super::{Pictures, shared::in_parallel};
use crate::keys::keys;
use impinge_check::{Report, report::Group};
use std::{
    collections::HashMap,
    fs,
    io::{self, Error, ErrorKind},
    num::NonZero,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError, TryLockError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Folders that this process is writing.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the unfinished folders of pictures of this process, for a program that is about to end.
pub fn remove_unfinished_pictures() {
    let paths = match UNFINISHED.try_lock() {
        Ok(paths) => paths,
        Err(TryLockError::Poisoned(paths)) => paths.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    for path in paths.iter() {
        // Other threads may still write into it.
        for _ in 0..20 {
            match fs::remove_dir_all(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    thread::sleep(std::time::Duration::from_millis(5));
                }
                _ => break,
            }
        }
    }
}

/// A folder that is removed when this is dropped.
struct Begun(PathBuf);

impl Begun {
    /// Makes a new folder beside `folder`.
    fn beside(folder: &Path) -> io::Result<Self> {
        let mut number = 0;
        loop {
            let name = format!(".impinge-images-{}-{number}", std::process::id());
            let path = parent(folder).join(name);
            match fs::create_dir(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 100 => number += 1,
                made => {
                    made?;
                    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
                    return Ok(Self(path));
                }
            }
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Checks that [`Pictures::save`] may write into a folder. It must not exist, or contain only pictures of an
/// earlier run, which `save` replaces. Its parent folder must exist.
///
/// # Errors
/// An error that names the obstacle.
pub fn check_pictures_folder(folder: &Path) -> io::Result<()> {
    let parent = parent(folder);
    if !fs::metadata(parent)?.is_dir() {
        return Err(Error::new(ErrorKind::NotADirectory, format!("{} is no folder", parent.display())));
    }
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(entries) => {
            for entry in entries {
                let name = entry?.file_name();
                if !is_picture(&name.to_string_lossy()) {
                    let text = format!("it holds {}, which is no picture of an earlier run", name.display());
                    return Err(Error::new(ErrorKind::AlreadyExists, text));
                }
            }
            Ok(())
        }
    }
}

fn parent(folder: &Path) -> &Path {
    folder.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

/// True if a file's name has the form of [`picture_file_name`].
fn is_picture(name: &str) -> bool {
    let Some((number, id)) = name.strip_suffix(".png").and_then(|name| name.split_once('-')) else {
        return false;
    };
    let is_number = number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && !id.is_empty() && id == safe(id)
}

/// The file name of the picture of a group: its number among `groups` groups, and the id of its gravest
/// finding.
fn picture_file_name(group: usize, groups: usize, key: &str) -> String {
    let digits = groups.to_string().len().max(3);
    format!("{:0digits$}-{}.png", group + 1, safe(key))
}

/// The names of the files that [`Pictures::save`] writes for these groups, by the index of the finding that each
/// shows.
pub(crate) fn picture_names(report: &Report, groups: &[Group]) -> HashMap<u32, String> {
    let keys = keys(report);
    let first = groups.iter().enumerate().filter_map(|(i, group)| Some((i, *group.findings.first()?)));
    first.map(|(i, finding)| (finding, picture_file_name(i, groups.len(), &keys[finding as usize]))).collect()
}

/// An id as a part of a file's name.
fn safe(id: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    id.chars().take(64).map(safe).collect()
}

impl Pictures<'_> {
    /// Writes a picture of each group, of its first finding, into a folder: `007-9c3f53bfaaa71e9b.png` is the
    /// seventh group, and its finding has that id in the links of the HTML page. Returns the number of
    /// pictures. The folder appears when all of them are in it; see [`check_pictures_folder`] for one that
    /// exists. Calls `show` after each picture with the number of finished ones; an error of it ends the
    /// work. The files are the same for any number of threads.
    ///
    /// # Errors
    /// Errors of the file system and of `show`; a report without an assembly. Then nothing is changed.
    pub fn save(
        &self,
        groups: &[Group],
        folder: &Path,
        threads: NonZero<usize>,
        show: &(dyn Fn(usize) -> io::Result<()> + Sync),
    ) -> io::Result<usize> {
        if self.report.assembly().is_none() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "a report put together from tasks has no meshes",
            ));
        }
        check_pictures_folder(folder)?;
        let keys = keys(self.report);
        let begun = Begun::beside(folder)?;
        let done = AtomicUsize::new(0);
        let draw = |i: usize| {
            let Some(&finding) = groups[i].findings.first() else { return Ok(()) };
            let no_finding = || Error::new(ErrorKind::InvalidInput, "the groups are of another report");
            let key = keys.get(finding as usize).ok_or_else(no_finding)?;
            let png = self.png(finding).ok_or_else(no_finding)?;
            fs::write(begun.0.join(picture_file_name(i, groups.len(), key)), png)?;
            show(done.fetch_add(1, Ordering::Relaxed) + 1)
        };
        in_parallel(groups.len(), threads, &draw)?;
        put(&begun.0, folder)?;
        Ok(done.into_inner())
    }
}

/// Puts a complete folder in the place of another, which is empty or has pictures of an earlier run.
fn put(complete: &Path, folder: &Path) -> io::Result<()> {
    // The target of a link is replaced, not the link.
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    if !folder.exists() {
        return fs::rename(complete, folder);
    }
    check_pictures_folder(&folder)?;
    let old = complete.with_extension("old");
    fs::rename(&folder, &old)?;
    if let Err(error) = fs::rename(complete, &folder) {
        fs::rename(&old, &folder)?;
        return Err(error);
    }
    fs::remove_dir_all(old)
}

#[cfg(test)]
mod tests {
    use super::{is_picture, safe};

    #[test]
    fn names_of_pictures() {
        for name in ["001-9c3f53bfaaa71e9b.png", "12345-a-2.png"] {
            assert!(is_picture(name), "{name}");
        }
        for name in
            ["1-a.png", "001-.png", "001.png", "photo-001.png", "001-a b.png", "001-a.jpg", "a01-b.png"]
        {
            assert!(!is_picture(name), "{name}");
        }
        assert_eq!(safe("../x\0é"), "___x__");
    }
}
