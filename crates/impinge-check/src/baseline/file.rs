//! [`BaselineFile`]: the file of a baseline, locked for a change.
use super::store::Baseline;
use crate::{
    files,
    values::{digest::Digest, error::Error},
};
use anyhow::{Context, bail};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The most bytes that are read from a pipe, which has no size before its end.
const MOST_PIPED: u64 = 256 << 20;

/// The file of a baseline, which only one process at a time can open for a change. Others wait, so no
/// decision is lost. Read, decide and write between [`BaselineFile::open`] and [`BaselineFile::write`].
///
/// ```
/// use impinge_check::baseline::{Baseline, BaselineFile};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("impinge.baseline.jsonl");
/// let file = BaselineFile::open(&path)?;
/// assert!(file.baseline().is_none());
/// file.write(&Baseline::new())?;
/// assert_eq!(Baseline::read(&path)?, Baseline::new());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BaselineFile {
    path: PathBuf,
    _lock: files::Lock,
    contents: Option<(Digest, Baseline)>,
}

impl BaselineFile {
    /// Waits until no other process changes the file, and reads it. The file need not exist. After five
    /// minutes the wait ends with an error.
    ///
    /// # Errors
    /// The file is no baseline, or it cannot be read or locked.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let lock = files::Lock::new(path)?;
        let contents = match contents(path) {
            Err(error) if is_absent(&error) => None,
            found => {
                let bytes = found?;
                let digest = Digest::of(&bytes);
                Some((digest, parse(path, bytes)?))
            }
        };
        Ok(Self { path: path.to_owned(), _lock: lock, contents })
    }
    /// The baseline of the file; `None` if there is no file.
    pub fn baseline(&self) -> Option<&Baseline> {
        self.contents.as_ref().map(|(_, baseline)| baseline)
    }
    /// Replaces or creates the file as a whole, and lets other processes change it.
    ///
    /// # Errors
    /// The file cannot be written, or a program that takes no locks has changed it. The file then stays as it
    /// is.
    pub fn write(self, next: &Baseline) -> Result<(), Error> {
        Ok(self.replace(next)?)
    }
    fn replace(self, next: &Baseline) -> anyhow::Result<()> {
        // Editors and git take no locks.
        let now = match contents(&self.path) {
            Err(error) if is_absent(&error) => None,
            found => Some(Digest::of(&found?)),
        };
        if now != self.contents.as_ref().map(|(digest, _)| *digest) {
            bail!("{}: another program has changed it meanwhile; try again", self.path.display());
        }
        files::write_whole(&self.path, |out| Ok(next.write(out)?))
    }
}

impl Baseline {
    /// Reads a file, or a pipe. To change the file, see [`BaselineFile`].
    ///
    /// # Errors
    /// The file cannot be read, or is no baseline.
    pub fn read(path: &Path) -> Result<Self, Error> {
        parse(path, contents(path)?)
    }
}

fn contents(path: &Path) -> anyhow::Result<Vec<u8>> {
    files::any(path, MOST_PIPED).with_context(|| path.display().to_string())
}

fn is_absent(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

fn parse(path: &Path, bytes: Vec<u8>) -> Result<Baseline, Error> {
    let name = path.display().to_string();
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|c| **c == b'\n').count() + 1;
        Error::new(format!("{}:{line}: not UTF-8", crate::values::text::printable(&name)))
    })?;
    Baseline::parse(&name, &text)
}

#[cfg(test)]
mod tests {
    use super::{Baseline, BaselineFile};
    use std::fs;

    #[test]
    fn a_change_by_a_program_without_locks_is_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.jsonl");
        let file = BaselineFile::open(&path).unwrap();
        fs::write(&path, "{\"impinge_baseline\":1} ").unwrap();
        let refused = file.write(&Baseline::new()).unwrap_err().to_string();
        assert!(refused.contains("b.jsonl: another program has changed it meanwhile"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"impinge_baseline\":1} ");
        BaselineFile::open(&path).unwrap().write(&Baseline::new()).unwrap();
        let file = BaselineFile::open(&path).unwrap();
        assert_eq!(file.baseline(), Some(&Baseline::new()));
        fs::remove_file(&path).unwrap();
        assert!(file.write(&Baseline::new()).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_folders_are_no_baselines() {
        let refused = |path: &str| Baseline::read(path.as_ref()).unwrap_err().to_string();
        assert!(refused("/dev/zero").contains("/dev/zero: it is a device"));
        assert!(refused("/").contains("/: "));
        assert!(BaselineFile::open("/dev/zero".as_ref()).is_err());
    }
}
