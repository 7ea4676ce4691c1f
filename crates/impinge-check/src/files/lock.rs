//! [`Lock`]: a lock for changing a file, which one process holds at a time.
use anyhow::{Context, bail};
use same_file::Handle;
use std::{
    ffi::OsString,
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// Longest time that a process waits for others.
const PATIENCE: Duration = Duration::from_secs(300);

const PAUSE: Duration = Duration::from_millis(10);

/// The right to change a file, which need not exist. It ends when it is dropped, or when its process ends.
///
/// The operating system locks `.NAME.lock` beside the file, since the file itself is replaced. The holder
/// removes the lock file at the end. A killed process leaves an unlocked one behind, which the next holder
/// takes.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    /// Open as long as this process holds the lock.
    _file: File,
}

impl Lock {
    /// Waits until no other process holds the lock of a file.
    pub(crate) fn new(path: &Path) -> anyhow::Result<Self> {
        let target = impinge_io::target_of(path);
        let Some(name) = target.file_name().filter(|_| !is_special(&target)) else {
            bail!("cannot write {}: it is no regular file", path.display());
        };
        let mut own = OsString::from(".");
        own.push(name);
        own.push(".lock");
        let own = target.with_file_name(own);
        Self::of(&own, PATIENCE).with_context(|| format!("cannot write {}", path.display()))
    }
    fn of(path: &Path, patience: Duration) -> anyhow::Result<Self> {
        let begin = Instant::now();
        loop {
            if let Some(file) = try_lock(path).with_context(|| path.display().to_string())? {
                return Ok(Self { path: path.to_owned(), _file: file });
            }
            if begin.elapsed() > patience {
                let seconds = patience.as_secs();
                bail!("another process has held {} for {seconds} s; try again later", path.display());
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // It is removed while it is locked. A process that opened it before finds that it is gone, and makes
        // another.
        let _ = fs::remove_file(&self.path);
    }
}

/// True if the path is that of a folder, a link or another special file.
fn is_special(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| !found.is_file())
}

/// The locked file of this path; `None` if another process holds it, or has just removed it.
fn try_lock(path: &Path) -> io::Result<Option<File>> {
    // A link could lead anywhere, and opening a pipe would wait.
    if is_special(path) {
        return Err(io::Error::other("it is no regular file; remove it"));
    }
    let file = match File::options().read(true).write(true).create(true).truncate(false).open(path) {
        // Windows refuses a file that another process is about to remove.
        Err(error) if cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied => return Ok(None),
        // The file belongs to another user, whose process may have ended.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && path.exists() => File::open(path),
        opened => opened,
    }?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        // The file system has no locks. Only the comparison before the file is replaced remains.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let is_there = match Handle::from_path(path) {
        Ok(there) => there == Handle::from_file(file.try_clone()?)?,
        Err(_) => false,
    };
    Ok(is_there.then_some(file))
}

#[cfg(test)]
mod tests {
    use super::{Lock, try_lock};
    use std::{fs, path::Path, sync::atomic::AtomicUsize, sync::atomic::Ordering, thread, time::Duration};

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let (inside, all) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let lock = Lock::of(&path, LONG).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        assert_eq!(inside.fetch_sub(1, Ordering::SeqCst), 1);
                        all.fetch_add(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert_eq!(all.into_inner(), 160);
        assert!(!path.exists());
    }

    #[test]
    fn a_lock_that_is_held_has_an_end_and_one_that_was_left_blocks_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        fs::write(&path, "").unwrap();
        let held = Lock::of(&path, LONG).unwrap();
        assert!(try_lock(&path).unwrap().is_none());
        let refused = Lock::of(&path, Duration::ZERO).unwrap_err().to_string();
        assert!(refused.contains("another process has held"), "{refused}");
        drop(held);
        assert!(!path.exists());
    }

    #[test]
    fn the_lock_of_a_link_is_that_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("b.jsonl");
        let lock = Lock::new(&file).unwrap();
        let name = folder.path().join(".b.jsonl.lock");
        assert!(name.exists() && !file.exists());
        drop(lock);
        assert!(Lock::new(Path::new("/")).is_err());
        #[cfg(unix)]
        {
            let sub = folder.path().join("sub");
            fs::create_dir(&sub).unwrap();
            // The file does not exist.
            std::os::unix::fs::symlink("../b.jsonl", sub.join("link")).unwrap();
            let _lock = Lock::new(&sub.join("link")).unwrap();
            assert!(name.exists() && fs::read_dir(&sub).unwrap().count() == 1);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_a_lock_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        std::os::unix::fs::symlink("made", &path).unwrap();
        let refused = format!("{:#}", Lock::of(&path, LONG).unwrap_err());
        assert!(refused.contains("no regular file"), "{refused}");
        assert!(!folder.path().join("made").exists());
    }
}
