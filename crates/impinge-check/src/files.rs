//! Files that are read or written whole: caches, plans, reports.
use crate::error::Error;
use anyhow::{Context, bail};
use std::{
    borrow::Cow,
    fs::{self, File},
    io::{self, Read, Write},
    path::Path,
};

/// All of a regular file. A pipe would be waited for, and a device may never end: neither is opened.
///
/// # Errors
/// The file cannot be read, or is none of that kind.
pub fn regular(path: &Path) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let size = file.metadata()?.len();
    exactly(file, size)
}

/// All of a regular file; an error names the file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    regular(path).map_err(|error| read_error(path, error))
}

/// An error of reading a file, with the file's name.
pub(crate) fn read_error(path: &Path, error: io::Error) -> anyhow::Error {
    anyhow::Error::from(error).context(format!("cannot read {}", path.display()))
}

/// Opens a regular file, and nothing else.
///
/// # Errors
/// The file cannot be read, or is none of that kind.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let check = |meta: fs::Metadata| {
        if meta.is_file() { Ok(()) } else { Err(io::Error::other("it is no regular file")) }
    };
    check(fs::metadata(path)?)?;
    let file = File::open(path)?;
    // Another one may have come into its place.
    check(file.metadata()?)?;
    Ok(file)
}

/// All bytes of a regular file, or of a pipe up to `most` bytes, since a pipe has no size before its end.
///
/// # Errors
/// The file cannot be read, or is none of that kind.
pub fn any(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    if found.is_file() {
        return exactly(file, found.len());
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it delivers more than {most} bytes (max_bytes)")));
    }
    Ok(bytes)
}

/// Up to `size` bytes. Memory that is not there is an error like others.
fn exactly(file: File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))?;
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a path is that of a regular file, or leads to one.
pub fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file())
}

/// Most characters of a file's text that a message repeats.
const QUOTED: usize = 200;

/// The first 200 characters of a text, if it has more.
pub fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// An error of a parser that may repeat what the file has, as short as [`cut`] makes it.
pub(crate) fn short(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow::Error::msg(cut(&error.to_string()).into_owned())
}

/// Finds what can be seen to fail before the work is done that is to be written: a place that cannot be
/// written to, and one that would replace one of the `inputs`, by whatever name.
///
/// # Errors
/// The reason.
pub fn check_output<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Error> {
    Ok(checked(path, inputs)?)
}

fn checked<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<()> {
    // A terminal may well be read and written.
    if path.is_file() {
        // A file that cannot be opened cannot be lost, or its reader reports the error.
        // To compare is to open, and a pipe that is opened and closed again loses its writer.
        let is_same =
            |input: &Path| is_regular(input) && same_file::is_same_file(path, input).unwrap_or(false);
        if let Some(input) = inputs.into_iter().find(|input| is_same(input)) {
            bail!("cannot write {}: it would replace the input {}", path.display(), input.display());
        }
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        bail!("cannot write {}: there is no folder {}", path.display(), folder.display());
    }
    if path.is_dir() {
        bail!("cannot write {}: it is a folder", path.display());
    }
    Ok(())
}

/// Whether two paths name one file, which need not be there yet. Only regular files are opened.
pub fn is_one_place(a: &Path, b: &Path) -> bool {
    if is_regular(a) && is_regular(b) {
        return same_file::is_same_file(a, b).unwrap_or(false);
    }
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), Err(_)) => {
            let folder = |path: &Path| match path.parent() {
                Some(folder) if folder != Path::new("") => fs::canonicalize(folder),
                _ => fs::canonicalize("."),
            };
            let is_one_name = match (a.file_name(), b.file_name()) {
                // Where file systems usually take letters of either case for the same.
                (Some(a), Some(b)) if cfg!(any(windows, target_vendor = "apple")) => {
                    a.to_string_lossy().to_lowercase() == b.to_string_lossy().to_lowercase()
                }
                (a, b) => a == b,
            };
            a == b || is_one_name && folder(a).is_ok_and(|a| folder(b).is_ok_and(|b| a == b))
        }
        _ => false,
    }
}

/// Writes what `fill` writes. The file appears, or is replaced, only once all is in it; a device or a pipe is
/// written to.
pub(crate) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    impinge_io::write_whole(path, fill).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{any, cut, is_one_place, regular};
    use std::{fs, path::Path};

    #[test]
    fn messages_are_cut_between_characters() {
        assert_eq!(cut("ä"), "ä");
        assert_eq!(cut(&"ä".repeat(200)), "ä".repeat(200));
        assert_eq!(cut(&"ä".repeat(201)), "ä".repeat(200) + "…");
    }

    #[test]
    fn one_place_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let is = |a: &str, b: &str| is_one_place(&path(a), &path(b));
        fs::create_dir(path("sub")).unwrap();
        assert!(is("new", "new") && is("new", "./sub/../new") && is("sub/new", "sub/./new"));
        assert!(!is("new", "sub/new") && !is("new", "other") && !is("absent/new", "new"));
        fs::write(path("old"), "").unwrap();
        fs::hard_link(path("old"), path("link")).unwrap();
        assert!(is("old", "link") && is("old", "sub/../old") && !is("old", "new"));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_not_read() {
        assert!(regular(Path::new("/dev/zero")).unwrap_err().to_string().contains("no regular file"));
        assert!(any(Path::new("/dev/zero"), 1000).unwrap_err().to_string().contains("more than 1000 bytes"));
        assert!(any(Path::new("/dev/null"), 0).unwrap().is_empty());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, b"four").unwrap();
        assert_eq!((regular(&file).unwrap(), any(&file, 0).unwrap()), (b"four".to_vec(), b"four".to_vec()));
    }
}
