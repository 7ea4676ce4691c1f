//! Names of parts that people can tell apart, and their files.
use crate::grid::{MOST_OF_NAME, cut};
use impinge_check::{
    Part, Report,
    parts::PartLabels,
    values::{numbers::count, text::printable},
};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Labels of parts, and the contents of each file.
pub struct Names<'a> {
    labels: PartLabels<'a>,
    /// The files, each once, in order.
    files: Vec<File<'a>>,
}

/// Maximum number of files that have a line each.
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
    pub fn of(report: &'a Report) -> Self {
        let labels = PartLabels::new(report.part_count(), |part| report.part(part as u32).named());
        Self::new(labels, report.parts().map(|part| (part.file(), part.triangles())))
    }
    /// The names of an assembly's parts.
    pub fn of_parts(parts: impl IntoIterator<Item = &'a Part> + Clone) -> Self {
        let files = parts.clone().into_iter().map(|part| (&*part.file, part.mesh.len()));
        Self::new(PartLabels::of(parts), files)
    }
    /// `parts` has each part's file and number of triangles.
    fn new(labels: PartLabels<'a>, parts: impl Iterator<Item = (&'a Path, usize)>) -> Self {
        let (mut files, mut index): (Vec<File<'_>>, HashMap<&Path, usize>) = Default::default();
        for (path, triangles) in parts {
            let file = *index.entry(path).or_insert_with(|| {
                files.push(File { path, parts: 0, triangles: 0 });
                files.len() - 1
            });
            files[file].parts += 1;
            files[file].triangles += triangles as u64;
        }
        Self { labels, files }
    }

    /// A part's label: [`PartLabels::label`].
    pub fn label(&self, part: usize) -> String {
        self.labels.label(part)
    }
    /// True if parts are of several files.
    pub(crate) fn has_files(&self) -> bool {
        self.files.len() > 1
    }

    /// Label of a part ([`Names::label`]), which is cut without a terminal (`columns` is `None`), as in a
    /// [`Table`].
    ///
    /// [`Table`]: crate::Table
    pub fn short(&self, part: usize, columns: Option<u16>) -> String {
        let label = self.label(part);
        if columns.is_none() { cut(label, MOST_OF_NAME) } else { label }
    }

    /// A line for each file, with its numbers of parts and triangles; one line for more than a dozen files.
    pub fn list(&self) -> String {
        let has = |parts, triangles| format!("{}, {}", count(parts, "part"), count(triangles, "triangle"));
        if self.files.len() > LISTED {
            let sum = |of: fn(&File<'_>) -> u64| self.files.iter().map(of).sum::<u64>();
            let folder = match common_folder(&self.files).to_string_lossy() {
                folder if folder.is_empty() => String::new(),
                folder => format!(" in {}", printable(&folder)),
            };
            let has = has(sum(|file| file.parts), sum(|file| file.triangles));
            return format!("{}{folder}: {has}\n", count(self.files.len() as u64, "file"));
        }
        let line = |file: &File<'_>| {
            format!("{}: {}\n", printable(&file.path.to_string_lossy()), has(file.parts, file.triangles))
        };
        self.files.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Names;
    use impinge::{Mesh, Pose};
    use impinge_check::Part;
    use std::path::Path;

    #[test]
    fn many_files_are_one_line() {
        let part = |name: &str, file: &str| Part::new(name, Path::new(file), Mesh::default(), Pose::IDENTITY);
        let mut parts: Vec<_> = (0..13).map(|i| part("solid", &format!("all/{}/p{i}.stl", i % 2))).collect();
        parts.push(part("nut", "all/1/p5.stl"));
        let names = Names::of_parts(&parts);
        assert_eq!(names.list(), "13 files in all: 14 parts, 0 triangles\n");
        assert_eq!([2, 13].map(|i| names.label(i)), ["solid (p2.stl)", "nut"]);
        let names = Names::of_parts(&parts[..2]);
        assert_eq!(names.list(), "all/0/p0.stl: 1 part, 0 triangles\nall/1/p1.stl: 1 part, 0 triangles\n");
    }
}
