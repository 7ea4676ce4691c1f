//! Files that are read or written whole: caches, plans, reports.
mod lock;
pub(crate) mod mesh_file;

pub(crate) use self::lock::Lock;
use crate::values::error::Error;
use anyhow::{Context, bail};
use std::{
    borrow::Cow,
    fs::{self, File},
    io::{self, IsTerminal, Read, Write},
    path::{Path, PathBuf},
};

/// Reads a regular file. It opens no pipe, which it would wait for, and no device, which may never end.
///
/// # Errors
/// The file cannot be read, or is no regular file.
pub fn regular(path: &Path) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let size = file.metadata()?.len();
    exactly(file, size)
}

/// Reads a regular file. An error names the file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    regular(path).map_err(|error| read_error(path, error))
}

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
    // Another file may have replaced it in the meantime.
    check(file.metadata()?)?;
    Ok(file)
}

/// The path of a regular file inside a folder. Links are followed, and must lead to a file inside.
///
/// # Errors
/// There is no such file, it is no regular file, or it lies outside.
pub fn inside(folder: &Path, name: &Path) -> io::Result<PathBuf> {
    // The error does not reveal whether a file outside exists.
    let none =
        || io::Error::new(io::ErrorKind::NotFound, "no such file inside the folder (links are followed)");
    let folder_itself = fs::canonicalize(folder)?;
    let file = fs::canonicalize(folder.join(name)).map_err(|_| none())?;
    if !file.starts_with(folder_itself) {
        return Err(none());
    }
    match is_regular(&file) {
        true => Ok(file),
        false => Err(io::Error::other("it is no regular file")),
    }
}

/// Reads a regular file, or up to `most` bytes of a pipe, which has no size before its end. It does not read
/// a device, which may never end, unless it is a terminal or empty.
///
/// # Errors
/// The file cannot be read, or is none of that kind.
pub fn any(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let found = file.metadata()?;
    if found.is_file() {
        return exactly(file, found.len());
    }
    if is_device(&found) && !file.is_terminal() {
        return match file.read(&mut [0])? {
            0 => Ok(Vec::new()),
            _ => Err(io::Error::other("it is a device")),
        };
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it delivers more than {most} bytes (max_bytes)")));
    }
    Ok(bytes)
}

#[cfg(unix)]
fn is_device(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    found.file_type().is_char_device() || found.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &fs::Metadata) -> bool {
    false
}

/// Reads up to `size` bytes. Lack of memory is an error like others.
fn exactly(file: File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))?;
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// True if a path is that of a regular file, or of a link to one.
pub fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file())
}

/// Most characters of a file's text that a message repeats.
const QUOTED: usize = 200;

/// Cuts a text after its first 200 characters.
pub fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The error of a parser, which may quote the file's text, as short as [`cut`] makes it.
pub(crate) fn short(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow::Error::msg(cut(&error.to_string()).into_owned())
}

/// Checks an output path before any work: it must be writable, and must not name one of the `inputs`, by
/// whatever name.
///
/// # Errors
/// The reason.
pub fn check_output<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Error> {
    Ok(checked(path, inputs)?)
}

fn checked<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<()> {
    // A terminal may be both read and written.
    if path.is_file() || !path.exists() {
        // A comparison opens the files, and a pipe that is opened and closed loses its writer.
        let is_same = |input: &Path| (is_regular(input) || !input.exists()) && is_one_place(path, input);
        if let Some(input) = inputs.into_iter().find(|input| is_same(input)) {
            bail!("cannot write {}: it would replace the input {}", path.display(), input.display());
        }
    }
    if !place_of(path).parent().is_some_and(Path::is_dir) {
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        bail!("cannot write {}: there is no folder {}", path.display(), folder.display());
    }
    if path.is_dir() {
        bail!("cannot write {}: it is a folder", path.display());
    }
    Ok(())
}

/// The absolute path, without links, of a file that need not exist yet.
fn place_of(path: &Path) -> PathBuf {
    let place = impinge_io::target_of(path);
    std::path::absolute(&place).unwrap_or(place)
}

/// True if two paths name one file, which need not exist yet. Only regular files are opened.
pub fn is_one_place(a: &Path, b: &Path) -> bool {
    if is_regular(a) && is_regular(b) {
        // A file that cannot be opened cannot be lost, or its reader reports the error.
        return same_file::is_same_file(a, b).unwrap_or(false);
    }
    let place = |path: &Path| {
        let place = place_of(path);
        // File systems of these platforms usually ignore the case of letters.
        match cfg!(any(windows, target_vendor = "apple")) {
            true => place.to_string_lossy().to_lowercase().into(),
            false => place,
        }
    };
    place(a) == place(b)
}

/// True if a file lies in a folder. Neither needs to exist yet.
pub fn is_in(folder: &Path, file: &Path) -> bool {
    place_of(file).ancestors().skip(1).any(|ancestor| ancestor == place_of(folder))
}

/// Writes a file with the output of `fill`. The file appears, or is replaced, only once it is complete. A
/// device or a pipe is written to directly.
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

    #[test]
    fn what_is_inside_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("in/sub")).unwrap();
        for name in ["out", "in/a", "in/sub/b"] {
            fs::write(path(name), "").unwrap();
        }
        let inside = |name: &str| super::inside(&path("in"), Path::new(name)).map_err(|e| e.to_string());
        let here = fs::canonicalize(path("in")).unwrap();
        assert_eq!(inside("a"), Ok(here.join("a")));
        assert_eq!(inside("sub/../sub/b"), Ok(here.join("sub/b")));
        assert_eq!(inside(here.join("a").to_str().unwrap()), Ok(here.join("a")));
        for name in ["../out", "sub/../../out", path("out").to_str().unwrap()] {
            assert!(inside(name).unwrap_err().contains("no such file inside"), "{name}");
        }
        assert!(inside("sub").unwrap_err().contains("no regular file"));
        assert_eq!(inside("../none"), inside("../out"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../out", path("in/link")).unwrap();
            std::os::unix::fs::symlink("sub/b", path("in/own")).unwrap();
            assert!(inside("link").unwrap_err().contains("no such file inside"));
            assert_eq!(inside("own"), Ok(here.join("sub/b")));
        }
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_not_read() {
        assert!(regular(Path::new("/dev/zero")).unwrap_err().to_string().contains("no regular file"));
        assert!(any(Path::new("/dev/zero"), 1000).unwrap_err().to_string().contains("it is a device"));
        assert!(any(Path::new("/dev/null"), 0).unwrap().is_empty());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, b"four").unwrap();
        assert_eq!((regular(&file).unwrap(), any(&file, 0).unwrap()), (b"four".to_vec(), b"four".to_vec()));
    }
}
