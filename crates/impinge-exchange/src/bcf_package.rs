//! Reads the folders of a BCF package: a ZIP file with a folder for each topic.
use crate::error::{Error, shown};
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Limit of the bytes that the files of a package unpack to: `UNPACKED` times its size, and at least `LEAST`.
const UNPACKED: u64 = 64;
const LEAST: u64 = 64 << 20;

/// A file of a package that has markup, a viewpoint, the version or lists of words.
pub(crate) struct PackageFile<'a> {
    /// The name of its folder; empty for the package's own files.
    pub(crate) folder: &'a str,
    /// Its name in the folder.
    pub(crate) name: &'a str,
    /// Its contents, without a byte order mark.
    pub(crate) text: &'a [u8],
}

/// Calls `read` for each file whose name is wanted, in the order of the package. Errors get the file's name.
pub(crate) fn read(
    bytes: &[u8],
    is_wanted: impl Fn(&str) -> bool,
    mut read: impl FnMut(&PackageFile<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut package =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| Error::at("as a BCF package", error))?;
    let mut left = (bytes.len() as u64).saturating_mul(UNPACKED).max(LEAST);
    for i in 0..package.len() {
        let file = package.by_index(i).map_err(|error| Error::at(format!("entry {i}"), error))?;
        let path = file.name().map_err(|error| Error::at(format!("entry {i}"), error))?.into_owned();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        if !is_wanted(name) {
            continue;
        }
        let mut text = Vec::new();
        let most = left.saturating_add(1);
        file.take(most).read_to_end(&mut text).map_err(|error| Error::at(shown(&path), error))?;
        if text.len() as u64 > left {
            return Err(Error::at(shown(&path), "the package unpacks to more than 64 times its size"));
        }
        left -= text.len() as u64;
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
        read(&PackageFile { folder, name, text }).map_err(|error| Error::at(shown(&path), error))?;
    }
    Ok(())
}
