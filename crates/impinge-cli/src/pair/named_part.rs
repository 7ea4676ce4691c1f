//! A mesh of `impinge pair`: a file, or one part of it.
use crate::standard_input;
use anyhow::bail;
use impinge_check::{Part, text::printable};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// A file, and the part of it that is meant, if not all of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedPart {
    pub(super) file: PathBuf,
    part: Option<String>,
}

/// Names that an error proposes, or lists.
const PROPOSED: usize = 3;

/// Characters of a name that are compared.
const COMPARED: usize = 200;

impl NamedPart {
    /// `FILE`, or `FILE:PART`. A file of the whole name comes first; else the last colon counts that has a
    /// file's name before it.
    pub(super) fn new(path: &Path) -> Self {
        let whole = Self { file: path.to_owned(), part: None };
        let Some(text) = path.to_str().filter(|_| !standard_input::is(path) && !path.exists()) else {
            return whole;
        };
        let is_file = |file: &Path| standard_input::is(file) || file.is_file();
        let split = text.rmatch_indices(':').find(|&(place, _)| is_file(Path::new(&text[..place])));
        split.map_or(whole, |(place, _)| Self {
            file: text[..place].into(),
            part: Some(text[place + 1..].to_owned()),
        })
    }

    /// Those of a file's parts that are meant.
    pub(super) fn of(&self, parts: &[Part]) -> anyhow::Result<Vec<Part>> {
        let Some(wanted) = &self.part else { return Ok(parts.to_vec()) };
        let bearers: Vec<usize> = (0..parts.len()).filter(|&i| *parts[i].name == **wanted).collect();
        let file = self.file.display();
        let quoted = |name: &str| format!("'{}'", printable(name));
        match *bearers {
            [part] => return Ok(vec![parts[part].clone()]),
            [] => {}
            _ => {
                let named = bearers.iter().take(PROPOSED).map(|i| quoted(&format!("{wanted} #{i}")));
                let named = named.collect::<Vec<_>>().join(", ");
                let more = if bearers.len() > PROPOSED { ", ..." } else { "" };
                bail!("{file}: {} parts have the name {}: {named}{more}", bearers.len(), quoted(wanted));
            }
        }
        // As tables name parts that share a name.
        if let Some((name, index)) = wanted.rsplit_once(" #")
            && let Some(part) = index.parse().ok().and_then(|i: usize| parts.get(i))
            && *part.name == *name
        {
            return Ok(vec![part.clone()]);
        }
        let near = near(wanted, parts.iter().map(|part| &*part.name));
        let near: Vec<String> = near.into_iter().map(quoted).collect();
        bail!("{file}: has no part {}; the nearest names are {}", quoted(wanted), near.join(", "))
    }
}

/// The names nearest to a wrong one: those that contain it, then by the number of edits.
fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let is_in = |name: &str| name.contains(wanted);
    let wanted: Vec<char> = wanted.chars().take(COMPARED).collect();
    let mut seen = HashSet::new();
    let mut all: Vec<((bool, usize), &str)> = names
        .filter(|name| seen.insert(*name))
        .map(|name| {
            let other: Vec<char> = name.chars().take(COMPARED).collect();
            ((!is_in(name), edits(&wanted, &other)), name)
        })
        .collect();
    all.sort_by_key(|&(distance, _)| distance);
    all.into_iter().take(PROPOSED).map(|(_, name)| name).collect()
}

/// The least number of characters to insert, to remove or to replace.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        // The value above and to the left.
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{NamedPart, edits, near};
    use std::{fs, path::Path};

    #[test]
    fn edits_are_counted() {
        let count = |a: &str, b: &str| edits(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        for (a, b, n) in [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2)] {
            assert_eq!((count(a, b), count(b, a)), (n, n), "{a} {b}");
        }
    }

    #[test]
    fn near_names_come_first() {
        let names = ["IfcWall_1", "IfcSlab_37778", "IfcSlab_37778", "IfcSlab_37", "x"];
        let three = ["IfcSlab_37778", "IfcSlab_37", "IfcWall_1"];
        assert_eq!(near("IfcSlab_37777", names.into_iter()), three);
        assert_eq!(near("IfcSlab_3777", names.into_iter()), three);
        assert_eq!(near("lid", ["lip", "box/lid of it"].into_iter()), ["box/lid of it", "lip"]);
    }

    #[test]
    fn a_whole_file_wins_and_the_last_colon_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["a.obj", "a.obj:b"] {
            fs::write(path(name), "").unwrap();
        }
        let named = |name: &str| {
            let NamedPart { file, part } = NamedPart::new(&path(name));
            (file.strip_prefix(folder.path()).unwrap().display().to_string(), part)
        };
        let part = |file: &str, part: &str| (file.to_owned(), Some(part.to_owned()));
        assert_eq!(named("a.obj"), ("a.obj".to_owned(), None));
        assert_eq!(named("a.obj:b"), ("a.obj:b".to_owned(), None));
        assert_eq!(named("a.obj:c"), part("a.obj", "c"));
        assert_eq!(named("a.obj:b:c"), part("a.obj:b", "c"));
        assert_eq!(named("a.obj:c:d"), part("a.obj", "c:d"));
        assert_eq!(named("c.obj:d"), ("c.obj:d".to_owned(), None));
        assert_eq!(NamedPart::new(Path::new("-:x")).file, Path::new("-"));
    }
}
