//! The folder of a report on disk: the report's files, and one file for each finished part.
use crate::{Error, Part, Report, error::Damage, finished::Finished, report::Files};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// The folder of finished parts in that of a report.
const PARTS: &str = "parts";

/// The output folder of a report.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates the folder if necessary, and tests whether files can be written: work of an hour must not be
    /// lost at its end.
    ///
    /// # Errors
    /// Returns an error if it cannot be created or written to.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let failed = |error| Error::Write(path.to_owned(), error);
        fs::create_dir_all(path).map_err(failed)?;
        tempfile::tempfile_in(path).map_err(failed)?;
        Ok(Self { path: path.to_owned() })
    }

    /// Writes every file of the report under a temporary name, and renames them when all are complete. Files
    /// with its names are replaced, others stay.
    ///
    /// # Errors
    /// Returns an error if a figure cannot be drawn, or a file cannot be written.
    pub fn write(&self, report: &Report) -> Result<usize, Error> {
        self.put(&report.files()?)
    }

    /// Stores a finished part; an older file of the same part is replaced.
    pub(crate) fn keep(&self, finished: &Finished) -> Result<(), Error> {
        let folder = Self::new(&self.path.join(PARTS))?;
        let name = finished.part.file();
        let damaged = |damage: Damage| Error::Damaged(folder.path.join(&name), damage.to_string());
        let bytes = finished.to_bytes().map_err(damaged)?;
        folder.put(&[(name.clone(), bytes)].into()).map(|_| ())
    }

    /// The parts of a catalogue that are finished here.
    pub(crate) fn finished(&self, catalogue: &[&'static Part]) -> Result<Vec<Finished>, Error> {
        let folder = self.path.join(PARTS);
        let failed = |error| Error::Read(folder.clone(), error);
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>().map_err(failed)?;
        // Other files, such as a temporary one of a run that was killed, are not parts.
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let read = |path: PathBuf| {
            let named = |part: &&&'static Part| path.file_name().is_some_and(|name| *name == *part.file());
            let Some(part) = catalogue.iter().find(named) else { return Err(Error::UnknownPart(path)) };
            let bytes = fs::read(&path).map_err(|error| Error::Read(path.clone(), error))?;
            Finished::from_bytes(part, &bytes).map_err(|damage| Error::Damaged(path, damage.to_string()))
        };
        paths.into_iter().map(read).collect()
    }

    fn put(&self, files: &Files) -> Result<usize, Error> {
        let mut whole: Vec<(NamedTempFile, PathBuf)> = Vec::new();
        for (name, bytes) in files {
            let target = self.path.join(name);
            let temporary =
                self.beside(&target, bytes).map_err(|error| Error::Write(target.clone(), error))?;
            whole.push((temporary, target));
        }
        for (temporary, target) in whole {
            temporary.persist(&target).map_err(|error| Error::Write(target, error.error))?;
        }
        Ok(files.len())
    }

    fn beside(&self, target: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
        if target.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".impinge-");
        // The permissions of a new file under the umask; a temporary file would be readable by its owner
        // only.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(&self.path)?;
        io::Write::write_all(&mut file, bytes)?;
        file.as_file().sync_all()?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(content: &str) -> Files {
        [("a.csv", content), ("b.csv", content)].map(|(n, c)| (n.to_owned(), c.as_bytes().to_vec())).into()
    }

    #[test]
    fn own_files_are_replaced_and_others_stay() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("new/out");
        let folder = Folder::new(&path).unwrap();
        fs::write(path.join("other.txt"), "mine").unwrap();
        for content in ["old", "new"] {
            assert_eq!(folder.put(&files(content)).unwrap(), 2);
        }
        let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
        assert_eq!([read("a.csv"), read("b.csv"), read("other.txt")], ["new", "new", "mine"]);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 3);
    }

    #[test]
    fn all_or_nothing() {
        let parent = tempfile::tempdir().unwrap();
        let folder = Folder::new(parent.path()).unwrap();
        folder.put(&files("old")).unwrap();
        fs::remove_file(parent.path().join("b.csv")).unwrap();
        fs::create_dir(parent.path().join("b.csv")).unwrap();
        let error = folder.put(&files("new")).unwrap_err().to_string();
        assert!(error.contains("b.csv: it is a folder"), "{error}");
        assert_eq!(fs::read_to_string(parent.path().join("a.csv")).unwrap(), "old");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_place_that_cannot_be_is_refused_at_once() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("below")] {
            let error = Folder::new(&path).unwrap_err().to_string();
            assert!(error.starts_with("cannot write") && error.contains("file"), "{error}");
        }
    }
}
