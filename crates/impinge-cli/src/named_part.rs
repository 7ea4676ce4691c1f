//! A mesh of `impinge pair` or `sweep`: a file, or one part of it.
use crate::{part_name, standard_input};
use impinge_check::Part;
use std::path::{Path, PathBuf};

/// A file, and the part of it that is meant, if not all of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedPart {
    pub(crate) file: PathBuf,
    part: Option<String>,
    /// The name of the file in reports: of a converted file, that of the file before.
    shown: PathBuf,
}

impl NamedPart {
    /// `FILE`, or `FILE:PART`. A file of the whole name comes first; else the last colon counts that has a
    /// file's name before it. `shown_as` has files, each followed by its name in reports.
    pub(crate) fn new(path: &Path, shown_as: &[PathBuf]) -> Self {
        let mut one = Self::split(path);
        if let Some([_, name]) = shown_as.as_chunks().0.iter().find(|[file, _]| *file == one.file) {
            one.shown.clone_from(name);
        }
        one
    }
    fn split(path: &Path) -> Self {
        let whole = Self { file: path.to_owned(), part: None, shown: path.to_owned() };
        let Some(text) = path.to_str().filter(|_| !standard_input::is(path) && !path.exists()) else {
            return whole;
        };
        let is_file = |file: &Path| standard_input::is(file) || file.is_file();
        let split = text.rmatch_indices(':').find(|&(place, _)| is_file(Path::new(&text[..place])));
        split.map_or(whole, |(place, _)| Self {
            file: text[..place].into(),
            part: Some(text[place + 1..].to_owned()),
            shown: text[..place].into(),
        })
    }

    /// The name of the file in reports.
    pub(crate) fn file_name(&self) -> &Path {
        &self.shown
    }
    /// The file and the part as the user named them.
    pub(crate) fn label(&self) -> PathBuf {
        let Some(part) = &self.part else { return self.shown.clone() };
        let mut label = self.shown.clone().into_os_string();
        label.push(":");
        label.push(part);
        label.into()
    }

    /// The named part of a file's parts; all parts if no part is named.
    pub(crate) fn of(&self, parts: &[Part]) -> anyhow::Result<Vec<Part>> {
        let Some(wanted) = &self.part else { return Ok(parts.to_vec()) };
        let part = part_name::find(parts, wanted, &self.shown.display().to_string())?;
        Ok(vec![parts[part].clone()])
    }
}

#[cfg(test)]
mod tests {
    use super::NamedPart;
    use std::{
        fs,
        path::{Path, PathBuf},
    };

    #[test]
    fn a_whole_file_wins_and_the_last_colon_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["a.obj", "a.obj:b"] {
            fs::write(path(name), "").unwrap();
        }
        let named = |name: &str| {
            let NamedPart { file, part, .. } = NamedPart::new(&path(name), &[]);
            (file.strip_prefix(folder.path()).unwrap().display().to_string(), part)
        };
        let part = |file: &str, part: &str| (file.to_owned(), Some(part.to_owned()));
        assert_eq!(named("a.obj"), ("a.obj".to_owned(), None));
        assert_eq!(named("a.obj:b"), ("a.obj:b".to_owned(), None));
        assert_eq!(named("a.obj:c"), part("a.obj", "c"));
        assert_eq!(named("a.obj:b:c"), part("a.obj:b", "c"));
        assert_eq!(named("a.obj:c:d"), part("a.obj", "c:d"));
        assert_eq!(named("c.obj:d"), ("c.obj:d".to_owned(), None));
        assert_eq!(NamedPart::new(Path::new("-:x"), &[]).file, Path::new("-"));
        // Reports name the file before it was converted.
        let shown = [path("a.obj"), "house.ifc".into()];
        let label = |name: &str| NamedPart::new(&path(name), &shown).label();
        assert_eq!([label("a.obj"), label("a.obj:c")], ["house.ifc", "house.ifc:c"].map(PathBuf::from));
        assert_eq!(label("a.obj:b:c"), path("a.obj:b:c"));
    }
}
