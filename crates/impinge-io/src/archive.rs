//! ZIP files of mesh files.
use crate::{
    Assembly, Error, Limits, Options,
    budget::{UNPACKED, passed},
    bundle::open_zip,
    error::Place,
    format::Format,
    inside::Others,
    load::Load,
    quote::show_path,
};
use std::{
    borrow::Cow,
    collections::HashSet,
    io::{Cursor, Read},
    path::{Path, PathBuf},
    sync::Arc,
};
use zip::{ZipArchive, read::ZipFile};

type Zip<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// Parses the content of a file of any format.
type ParseFile = fn(&[u8], &Path, &Options, Load<'_>) -> Result<Assembly, Error>;

/// Reads every file of a ZIP whose extension is that of a format, in the order of paths. The source of parts is
/// `file.zip/path/in/it`. An entry that leads out of the ZIP is an error; links are not followed.
pub(crate) fn parse(
    bytes: &[u8],
    file: &Path,
    options: &Options,
    parse_file: ParseFile,
) -> Result<Assembly, Error> {
    let failed = |error: Error| error.in_file(file);
    let mut zip = open_zip(bytes).map_err(failed)?;
    let (entries, others) = listed(&mut zip, file, options.limits).map_err(failed)?;
    if entries.is_empty() {
        return Err(failed(others.nothing("ZIP file")));
    }
    let most = options.limits.bytes.max((bytes.len() as u64).saturating_mul(UNPACKED));
    let mut contents = Contents { zip, entries, most, left: most };
    let (mut assembly, mut limits) = (Assembly::new(), options.limits);
    for i in 0..contents.entries.len() {
        let name = contents.entries[i].0.clone();
        let content = contents.entry(i, u64::MAX).map_err(failed)?;
        let is_package = matches!(Format::of(&name), Some(Format::ThreeMf | Format::Bundle));
        // All packages in the ZIP together must not unpack to much more than one package may.
        let bytes = if is_package { options.limits.bytes / 256 } else { limits.bytes };
        let inner = options.clone().with_limits(limits.with_bytes(bytes));
        let mut load = |uri: &str, length| contents.load(&name, uri, length).map(Arc::new);
        let one = parse_file(&content, &file.join(&name), &inner, &mut load)?;
        limits = rest(limits, &one);
        assembly.append(one);
    }
    let (warnings, omissions) = others.told(file);
    assembly.warnings.extend(warnings);
    assembly.omissions.extend(omissions);
    Ok(assembly)
}

/// Limits for the remaining files of a ZIP. All its files together may make no more than one file may.
fn rest(limits: Limits, made: &Assembly) -> Limits {
    let mut seen = HashSet::new();
    let meshes = made.parts.iter().map(|part| &part.mesh).filter(|mesh| seen.insert(Arc::as_ptr(mesh)));
    let (points, triangles) = meshes
        .fold((0, 0), |(points, triangles), mesh| (points + mesh.points().len(), triangles + mesh.len()));
    Limits {
        parts: limits.parts.saturating_sub(made.parts.len()),
        points: limits.points.saturating_sub(points),
        triangles: limits.triangles.saturating_sub(triangles),
        bytes: limits.bytes.saturating_sub(24 * points as u64 + 12 * triangles as u64),
    }
}

/// Entries to read, as paths and indices in the order of paths, and a summary of the others.
fn listed(zip: &mut Zip<'_>, file: &Path, limits: Limits) -> Result<(Vec<(PathBuf, usize)>, Others), Error> {
    if zip.len() > limits.parts {
        return Err(passed(Place::File, limits.parts as u64, "entries of a ZIP file"));
    }
    let (mut entries, mut others) = (Vec::new(), Others::default());
    for i in 0..zip.len() {
        let entry = zip
            .by_index_raw(i)
            .map_err(|e| Error::invalid(Place::File, format!("entry {i} cannot be read")).because(e))?;
        let name = entry.name().map(Cow::into_owned);
        let name =
            name.map_err(|e| Error::invalid(Place::File, format!("entry {i} has no name")).because(e))?;
        let path = path_of(&name)?;
        let is_hidden = path.iter().any(|name| {
            let name = name.to_string_lossy();
            name.starts_with('.') || name == "__MACOSX"
        });
        match kind(&entry) {
            EntryKind::Folder => {}
            EntryKind::Link => others.link(&path),
            EntryKind::Special => others.special(&path),
            EntryKind::File if is_hidden => others.other(&path),
            EntryKind::File if others.is_read(&path, &file.join(&path)) => entries.push((path, i)),
            EntryKind::File => {}
        }
    }
    entries.sort();
    match entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(Error::invalid(item(&pair[0].0), "the ZIP has two entries of this path")),
        None => Ok((entries, others)),
    }
}

enum EntryKind {
    File,
    Folder,
    Link,
    Special,
}

fn kind(entry: &ZipFile<'_, impl Read>) -> EntryKind {
    match entry.unix_mode().map_or(0, |mode| mode & 0o170_000) {
        _ if entry.is_dir() => EntryKind::Folder,
        0 | 0o100_000 => EntryKind::File,
        0o120_000 => EntryKind::Link,
        0o040_000 => EntryKind::Folder,
        _ => EntryKind::Special,
    }
}

/// Path of an entry. Some programs write `\` between folders.
fn path_of(name: &str) -> Result<PathBuf, Error> {
    let name = name.replace('\\', "/");
    let place = || Place::Item(show_path(&name));
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    if name.starts_with('/') || has_drive {
        return Err(Error::invalid(place(), "the entry has an absolute path; a ZIP of meshes has none"));
    }
    let mut path = PathBuf::new();
    for step in name.split('/').filter(|step| !matches!(*step, "" | ".")) {
        if step == ".." {
            return Err(Error::invalid(place(), "the entry leads out of the ZIP (..)"));
        }
        path.push(step);
    }
    Ok(path)
}

fn item(path: &Path) -> Place {
    Place::Item(show_path(&path.to_string_lossy()))
}

/// Entries to read. One limit applies to the sum of their unpacked bytes.
struct Contents<'a> {
    zip: Zip<'a>,
    entries: Vec<(PathBuf, usize)>,
    most: u64,
    left: u64,
}

impl Contents<'_> {
    /// The first `length` bytes of an entry to read, or all if it has fewer.
    fn entry(&mut self, i: usize, length: u64) -> Result<Vec<u8>, Error> {
        let (path, index) = self.entries[i].clone();
        self.unpacked(&path, index, length)
    }
    /// The first `length` bytes of any entry, or all if it has fewer.
    fn unpacked(&mut self, path: &Path, index: usize, length: u64) -> Result<Vec<u8>, Error> {
        let entry = self.zip.by_index(index);
        let entry =
            entry.map_err(|e| Error::invalid(item(path), "it cannot be taken from the ZIP").because(e))?;
        let mut bytes = Vec::new();
        let read = entry.take(self.left.saturating_add(1).min(length)).read_to_end(&mut bytes);
        read.map_err(|e| Error::invalid(item(path), "it cannot be unpacked").because(e))?;
        let left = self.left.checked_sub(bytes.len() as u64);
        self.left = left.ok_or_else(|| passed(item(path), self.most, "bytes by unpacking"))?;
        Ok(bytes)
    }
    /// The first `length` bytes of a file that a document in the ZIP names, relative to its folder.
    fn load(&mut self, document: &Path, uri: &str, length: u64) -> Result<Vec<u8>, Error> {
        let shown = show_path(uri);
        let name = percent_encoding::percent_decode_str(uri).decode_utf8_lossy();
        if name.contains("://") || name.starts_with(['/', '\\']) {
            let what = format!("'{shown}' is not a path relative to the document");
            return Err(Error::unsupported(Place::File, what));
        }
        let mut path = document.parent().unwrap_or(Path::new("")).to_owned();
        for step in name.split('/').filter(|step| !matches!(*step, "" | ".")) {
            if step != ".." {
                path.push(step);
            } else if !path.pop() {
                return Err(Error::invalid(
                    Place::File,
                    format!("the file '{shown}' lies outside of the ZIP"),
                ));
            }
        }
        let index = (0..self.zip.len()).find(|&i| {
            let name = self.zip.name_for_index(i);
            name.and_then(|name| path_of(&name.ok()?).ok()).is_some_and(|found| found == path)
        });
        let none = || Error::invalid(Place::File, format!("the ZIP has no file '{shown}'"));
        let bytes = self.unpacked(&path, index.ok_or_else(none)?, length)?;
        if (bytes.len() as u64) < length {
            let what = format!("'{shown}' is announced with {length} bytes, but has {}", bytes.len());
            return Err(Error::invalid(Place::File, what));
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::path_of;
    use std::path::Path;

    #[test]
    fn paths_stay_within_the_zip() {
        for (name, path) in [("a.stl", "a.stl"), ("x\\y/./a.stl", "x/y/a.stl"), ("x//a.stl", "x/a.stl")] {
            assert_eq!(path_of(name).unwrap(), Path::new(path));
        }
        for name in ["/a.stl", "\\a.stl", "../a.stl", "x/../../a.stl", "C:\\a.stl", "c:a.stl"] {
            assert!(path_of(name).is_err(), "{name}");
        }
    }
}
