//! Parts under names that people can tell apart.
use crate::grid::{MOST_OF_NAME, cut};
use impinge_check::{
    report::PartFacts,
    values::{numbers::count, text::printable},
};
use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

/// The data of labels. Labels are made one by one: a file may have a million parts of one long name.
pub struct Names<'a> {
    /// The files, each once, in order, and what each holds.
    files: Vec<File<'a>>,
    /// The folder that all of them lie in, if there are many.
    folder: PathBuf,
    /// By part: its name, and the index of its file.
    of_part: Vec<(u32, &'a str)>,
    /// Names that several parts of a file have.
    shared: HashSet<(u32, &'a str)>,
}

/// Files that have a line of their own, at most.
const LISTED: usize = 12;

/// The folder that files have in common.
fn common_folder(files: &[File<'_>]) -> PathBuf {
    let folder = |file: &File<'_>| file.path.parent().unwrap_or(Path::new("")).to_owned();
    let mut all = files.iter().map(folder);
    let first = all.next().unwrap_or_default();
    all.fold(first, |common, other| {
        let same = common.components().zip(other.components()).take_while(|(a, b)| a == b);
        same.map(|(a, _)| a).collect()
    })
}

struct File<'a> {
    path: &'a Path,
    parts: u64,
    triangles: u64,
}

impl<'a> Names<'a> {
    /// The names of a report's parts.
    pub fn of(parts: impl Iterator<Item = PartFacts<'a>>) -> Self {
        Self::new(parts.map(|part| (part.file(), part.name(), part.triangles())))
    }
    /// The names of parts, from each part's file, name and number of triangles.
    pub fn new(parts: impl Iterator<Item = (&'a Path, &'a str, usize)>) -> Self {
        let (mut files, mut index): (Vec<File<'_>>, HashMap<&Path, u32>) = Default::default();
        let (mut of_part, mut seen, mut shared) = (Vec::new(), HashSet::new(), HashSet::new());
        for (path, name, triangles) in parts {
            let file = *index.entry(path).or_insert_with(|| {
                files.push(File { path, parts: 0, triangles: 0 });
                files.len() as u32 - 1
            });
            files[file as usize].parts += 1;
            files[file as usize].triangles += triangles as u64;
            if !seen.insert((file, name)) {
                shared.insert((file, name));
            }
            of_part.push((file, name));
        }
        let folder = if files.len() > LISTED { common_folder(&files) } else { PathBuf::new() };
        Self { files, folder, of_part, shared }
    }

    /// A part's name; before it the number of its file where there are several, and behind it its index where
    /// several parts of the file have that name.
    ///
    /// With more than a dozen files the path takes the place of the number, alone where the part has the name of
    /// its file.
    pub fn label(&self, part: usize) -> String {
        let bearer = self.of_part[part];
        if self.is_folded() {
            return self.with_path(part);
        }
        let file = if self.files.len() > 1 { format!("[{}]", bearer.0 + 1) } else { String::new() };
        let index = if self.shared.contains(&bearer) { format!("#{part}") } else { String::new() };
        let words = [file, printable(bearer.1), index];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Whether there are too many files for a list of them.
    fn is_folded(&self) -> bool {
        self.files.len() > LISTED
    }
    fn with_path(&self, part: usize) -> String {
        let bearer = self.of_part[part];
        let file = &self.files[bearer.0 as usize];
        let inner = file.path.strip_prefix(&self.folder).unwrap_or(file.path);
        let path = printable(&inner.to_string_lossy());
        if file.parts == 1 && file.path.file_stem().is_some_and(|stem| stem.to_string_lossy() == bearer.1) {
            return path;
        }
        let index = if self.shared.contains(&bearer) { format!(" #{part}") } else { String::new() };
        format!("{path}: {}{index}", printable(bearer.1))
    }

    /// The number of a part's file as in [`Names::label`], and the file; `None` if all parts are of one file.
    pub(crate) fn file(&self, part: usize) -> Option<(u32, &'a Path)> {
        let file = self.of_part[part].0;
        (self.files.len() > 1 && !self.is_folded()).then(|| (file + 1, self.files[file as usize].path))
    }

    /// [`Names::label`] for a reader with so many columns: without a terminal it is cut, as in a [`Table`].
    ///
    /// [`Table`]: crate::Table
    pub fn short(&self, part: usize, columns: Option<u16>) -> String {
        let label = self.label(part);
        if columns.is_none() { cut(label, MOST_OF_NAME) } else { label }
    }

    /// A line for each file: what it holds. One line of more than a dozen files.
    pub fn list(&self) -> String {
        if self.is_folded() {
            let sum = |of: fn(&File<'_>) -> u64| self.files.iter().map(of).sum::<u64>();
            let (parts, triangles) = (sum(|file| file.parts), sum(|file| file.triangles));
            let folder = match self.folder.to_string_lossy() {
                folder if folder.is_empty() => String::new(),
                folder => format!(" in {}", printable(&folder)),
            };
            let files = count(self.files.len() as u64, "file");
            return format!("{files}{folder}: {}, {}\n", count(parts, "part"), count(triangles, "triangle"));
        }
        let line = |(i, file): (usize, &File<'_>)| {
            let number = if self.files.len() > 1 { format!("[{}] ", i + 1) } else { String::new() };
            let path = printable(&file.path.to_string_lossy());
            format!("{number}{path}: {}, {}\n", count(file.parts, "part"), count(file.triangles, "triangle"))
        };
        self.files.iter().enumerate().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Names;
    use std::path::Path;

    fn part<'a>(name: &'a str, file: &'a str) -> (&'a Path, &'a str, usize) {
        (Path::new(file), name, 0)
    }

    #[test]
    fn a_label_names_one_part() {
        let parts = [part("nut", "a"), part("nut", "a"), part("bolt", "a")];
        let names = Names::new(parts.into_iter());
        assert_eq!([0, 1, 2].map(|i| names.label(i)), ["nut #0", "nut #1", "bolt"]);
        let parts = [part("nut", "x/a.obj"), part("nut", "y/a.obj")];
        let names = Names::new(parts.into_iter());
        assert_eq!([0, 1].map(|i| names.label(i)), ["[1] nut", "[2] nut"]);
        assert_eq!(names.list(), "[1] x/a.obj: 1 part, 0 triangles\n[2] y/a.obj: 1 part, 0 triangles\n");
    }

    #[test]
    fn many_files_are_one_line() {
        let files: Vec<String> = (0..13).map(|i| format!("all/{}/p{i}.stl", i % 2)).collect();
        let mut parts: Vec<_> = files.iter().map(|file| part("solid", file)).collect();
        parts[3].1 = "p3";
        parts.push(part("nut", "all/1/p5.stl"));
        parts.push(part("nut", "all/1/p5.stl"));
        let names = Names::new(parts.into_iter());
        assert_eq!(names.list(), "13 files in all: 15 parts, 0 triangles\n");
        let labels = [2, 3, 5, 13].map(|i| names.label(i));
        assert_eq!(labels, ["0/p2.stl: solid", "1/p3.stl", "1/p5.stl: solid", "1/p5.stl: nut #13"]);
        assert!(names.file(3).is_none());
        let twelve = Names::new(files[..12].iter().map(|file| part("a", file)));
        assert_eq!((twelve.list().lines().count(), twelve.label(1)), (12, "[2] a".to_owned()));
    }
}
