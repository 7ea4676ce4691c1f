//! [`Others`], the entries of a folder or a ZIP file that are not read.
use crate::{Error, Format, Omission, Warning, error::Place, other_formats, quote::visible};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Number of entries that are not read, by kind, and the first entry of each kind.
#[derive(Default)]
pub(crate) struct Others {
    /// Numbers of files by extension in lower case.
    others: BTreeMap<String, usize>,
    first: Option<PathBuf>,
    links: Tally,
    special: Tally,
    /// Whole paths of the files of formats that other programs read.
    omitted: Vec<PathBuf>,
}

#[derive(Default)]
struct Tally {
    count: usize,
    first: Option<PathBuf>,
}

impl Tally {
    fn add(&mut self, inner: &Path) {
        self.count += 1;
        // The first by name: a folder lists its entries in any order.
        if self.first.as_deref().is_none_or(|first| inner < first) {
            self.first = Some(inner.to_owned());
        }
    }
    fn told(&self, one: &str, more: &str) -> Option<String> {
        let first = shown(self.first.as_deref()?);
        match self.count {
            1 => Some(format!("1 {one}: {first}")),
            n => Some(format!("{n} {more}, such as {first}")),
        }
    }
}

fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

impl Others {
    /// True if this build reads files of this extension; counts all others. `path` is the whole path, `inner`
    /// the path within the folder.
    pub(crate) fn is_read(&mut self, inner: &Path, path: &Path) -> bool {
        if Format::of(inner).is_some_and(Format::is_enabled) {
            return true;
        }
        if other_formats::has_geometry(inner) {
            self.omitted.push(path.to_owned());
        } else {
            self.other(inner);
        }
        false
    }
    /// Counts a file of another kind.
    pub(crate) fn other(&mut self, inner: &Path) {
        let extension = inner.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        *self.others.entry(extension).or_default() += 1;
        if self.first.as_deref().is_none_or(|first| inner < first) {
            self.first = Some(inner.to_owned());
        }
    }
    /// Counts a symbolic link.
    pub(crate) fn link(&mut self, inner: &Path) {
        self.links.add(inner);
    }
    /// Counts a pipe, a device or a socket.
    pub(crate) fn special(&mut self, inner: &Path) {
        self.special.add(inner);
    }
    /// The error for a folder or ZIP file, `what`, that contains no file to read.
    pub(crate) fn nothing(&self, what: &str) -> Error {
        let known: Vec<_> = crate::format::EXTENSIONS
            .iter()
            .filter(|(_, format)| format.is_enabled())
            .map(|(extension, _)| format!(".{extension}"))
            .collect();
        let mut text = format!("the {what} has no file that is read ({})", known.join(", "));
        let omitted = self.omitted.iter().min().map(|path| {
            let name = path.file_name().unwrap_or_default();
            format!(
                "{} of formats that are not read, such as {}",
                files(self.omitted.len()),
                shown(Path::new(name))
            )
        });
        let all: Vec<String> = omitted.into_iter().chain(self.line()).collect();
        if !all.is_empty() {
            text += &format!("; it has {}", all.join("; "));
        }
        Error::unsupported(Place::File, text)
    }
    /// The counts, in words.
    fn line(&self) -> Option<String> {
        let mut all = Vec::new();
        let count: usize = self.others.values().sum();
        if let Some(first) = &self.first {
            // The eight most frequent kinds.
            let mut kinds: Vec<_> = self.others.iter().collect();
            kinds.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
            let name = |extension: &str| match extension {
                "" => "without an extension".to_owned(),
                other => format!(".{}", visible(other)),
            };
            let mut words: Vec<_> =
                kinds.iter().take(8).map(|(extension, n)| format!("{n} {}", name(extension))).collect();
            let more: usize = kinds.iter().skip(8).map(|(_, n)| **n).sum();
            words.extend((more > 0).then(|| format!("{more} others")));
            let which = match count {
                1 => shown(first),
                _ => format!("{}, such as {}", words.join(", "), shown(first)),
            };
            let noun = if count == 1 { "file of another kind" } else { "files of other kinds" };
            all.push(format!("{count} {noun}: {which}"));
        }
        all.extend(
            self.links.told("symbolic link, which is not followed", "symbolic links, which are not followed"),
        );
        all.extend(self.special.told("entry that is no regular file", "entries that are no regular files"));
        (!all.is_empty()).then(|| all.join("; "))
    }
    /// A warning that counts what is not read, and an omission for each file that another program reads.
    pub(crate) fn told(mut self, place: &Path) -> (Vec<Warning>, Vec<Omission>) {
        let warnings = self.line().map(|line| Warning::new(place, None, format!("not read: {line}")));
        self.omitted.sort();
        let omission = |path: PathBuf| {
            let reason = other_formats::unsupported(&path, &[]).text().to_owned();
            Omission::failed(path, reason)
        };
        (warnings.into_iter().collect(), self.omitted.into_iter().map(omission).collect())
    }
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
