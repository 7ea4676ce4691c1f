//! [`PartLabels`]: distinct names of parts, for people.
use crate::values::text::printable;
use impinge_io::Part;
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    path::Path,
};

/// The texts of a part in its input.
#[derive(Clone, Copy, Debug)]
pub struct NamedPart<'a> {
    /// Name in its file.
    pub name: &'a str,
    /// Its file.
    pub file: &'a Path,
    /// Type, such as `IfcWall`.
    pub class: Option<&'a str>,
    /// Storey of a building.
    pub storey: Option<&'a str>,
    /// Identifier.
    pub guid: Option<&'a str>,
    /// Names from the root of the hierarchy to the part's own, joined by `/`.
    pub path: Option<&'a str>,
}

impl<'a> NamedPart<'a> {
    /// The texts of a part.
    pub fn of(part: &'a Part) -> Self {
        Self {
            name: &part.name,
            file: &part.file,
            class: part.class.as_deref(),
            storey: part.properties.get("storey").and_then(|storey| storey.as_text()),
            guid: part.guid.as_deref(),
            path: Some(&part.path),
        }
    }
}

/// Labels of parts: the name of each part and, if several parts have that name, one of their other texts.
///
/// The text is the shortest of file, type, storey, GUID and path that is different for each of them. If there
/// is none, the label has the text with the most different values, and the part's place among those that
/// share it:
///
/// ```
/// use impinge_check::parts::{NamedPart, PartLabels};
/// use std::path::Path;
///
/// let part = |name, file| NamedPart {
///     name, file: Path::new(file), class: None, storey: None, guid: None, path: None,
/// };
/// let parts = [part("nut", "a.obj"), part("nut", "b.obj"), part("nut", "b.obj"), part("rod", "b.obj")];
/// let labels = PartLabels::new(parts.len(), |i| parts[i]);
/// assert_eq!(labels.label(0), "nut (a.obj)");
/// assert_eq!(labels.label(1), "nut (b.obj, 1 of 2)");
/// assert_eq!(labels.label(3), "rod");
/// ```
pub struct PartLabels<'a> {
    part: Box<dyn Fn(usize) -> NamedPart<'a> + 'a>,
    count: usize,
    /// The index of each part's namesakes in `groups`, or [`ALONE`]. Labels are made one by one, since a
    /// million parts may have one long name.
    group_of: Vec<u32>,
    groups: Vec<Namesakes>,
    /// Place of a part among the namesakes with the same text, and their number.
    nth: HashMap<usize, [u32; 2]>,
    /// Place of a part among those with the same label, where different texts make one label, and their
    /// number.
    same: HashMap<usize, [u32; 2]>,
}

/// The index of a part whose name no other part has.
const ALONE: u32 = u32::MAX;

struct Namesakes {
    /// Kind of text that differs between them, if any.
    by: Option<TextKind>,
    /// Numbers of common components at the start of all of their paths, and at the end of the folders of all
    /// paths.
    common: [usize; 2],
    /// Number of components of their files' paths that labels omit; `None` if names of files suffice.
    folders: Option<usize>,
}

/// A kind of text that differs between parts of one name; the first is preferred where texts are equally
/// long.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextKind {
    File,
    Class,
    Storey,
    Path,
    Guid,
}

const KINDS: [TextKind; 5] =
    [TextKind::File, TextKind::Class, TextKind::Storey, TextKind::Path, TextKind::Guid];

impl<'a> PartLabels<'a> {
    /// Labels of `count` parts; `part` returns the texts of each. Cost: linear in the texts.
    pub fn new(count: usize, part: impl Fn(usize) -> NamedPart<'a> + 'a) -> Self {
        let mut first: HashMap<&str, u32> = HashMap::with_capacity(count);
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut group_of = vec![ALONE; count];
        for i in 0..count {
            let group = *first.entry(part(i).name).or_insert_with(|| {
                members.push(Vec::new());
                members.len() as u32 - 1
            });
            members[group as usize].push(i);
        }
        let mut labels = Self {
            part: Box::new(part),
            count,
            group_of: Vec::new(),
            groups: Vec::new(),
            nth: HashMap::new(),
            same: HashMap::new(),
        };
        for parts in members.iter().filter(|parts| parts.len() > 1) {
            parts.iter().for_each(|&part| group_of[part] = labels.groups.len() as u32);
            labels.add(parts);
        }
        labels.group_of = group_of;
        labels.tell_equal_labels_apart();
        labels
    }
    /// The labels of an assembly's parts.
    pub fn of(parts: impl IntoIterator<Item = &'a Part>) -> Self {
        let parts: Vec<&Part> = parts.into_iter().collect();
        Self::new(parts.len(), move |i| NamedPart::of(parts[i]))
    }
    /// Number of parts.
    pub fn count(&self) -> usize {
        self.count
    }

    fn add(&mut self, parts: &[usize]) {
        let texts = |of: &'_ dyn Fn(&NamedPart<'a>) -> &'a str| -> Vec<&'a str> {
            parts.iter().map(|&i| of(&(self.part)(i))).collect()
        };
        let paths = texts(&|part| part.path.unwrap_or(part.name));
        let common = common_components(&paths);
        let files: HashSet<&Path> = parts.iter().map(|&i| (self.part)(i).file).collect();
        let mut namesakes = Namesakes { by: None, common, folders: folders(&files) };
        let best = KINDS.into_iter().filter_map(|kind| {
            let (mut seen, mut length) = (HashSet::new(), 0);
            for &i in parts {
                let text = namesakes.text(kind, &(self.part)(i));
                length += text.len();
                seen.insert(text);
            }
            (seen.len() > 1).then_some((std::cmp::Reverse(seen.len()), length, kind))
        });
        // `min_by_key` takes the first of equal ones.
        namesakes.by = best.min_by_key(|&(distinct, length, _)| (distinct, length)).map(|(.., kind)| kind);
        let mut alike: HashMap<Cow<'a, str>, Vec<usize>> = HashMap::new();
        for &i in parts {
            let text = namesakes.by.map_or(Cow::Borrowed(""), |kind| namesakes.text(kind, &(self.part)(i)));
            alike.entry(text).or_default().push(i);
        }
        for same in alike.values().filter(|same| same.len() > 1) {
            let places = (1..).zip(same).map(|(place, &part)| (part, [place, same.len() as u32]));
            self.nth.extend(places);
        }
        self.groups.push(namesakes);
    }

    /// Adds places to equal labels. A label may be another part's name, or the label of a part with another
    /// name.
    fn tell_equal_labels_apart(&mut self) {
        let hash = |text: &str| BuildHasherDefault::<DefaultHasher>::default().hash_one(text);
        let mut bearers: HashMap<u64, u32> = HashMap::with_capacity(self.count);
        for part in 0..self.count {
            *bearers.entry(hash(&self.label(part))).or_default() += 1;
        }
        bearers.retain(|_, count| *count > 1);
        if bearers.is_empty() {
            return;
        }
        let mut seen: HashMap<u64, u32> = HashMap::new();
        for part in 0..self.count {
            let hash = hash(&self.label(part));
            if let Some(&count) = bearers.get(&hash) {
                let place = seen.entry(hash).or_default();
                *place += 1;
                self.same.insert(part, [*place, count]);
            }
        }
    }

    /// The label of a part, without characters that a terminal interprets.
    ///
    /// # Panics
    /// There is no such part.
    pub fn label(&self, part: usize) -> String {
        let label = self.own_label(part);
        match self.same.get(&part) {
            Some([place, of]) => format!("{label} ({place} of {of})"),
            None => label,
        }
    }
    fn own_label(&self, part: usize) -> String {
        let own = (self.part)(part);
        let Some(namesakes) = self.groups.get(self.group_of[part] as usize) else {
            return printable(own.name);
        };
        let nth = self.nth.get(&part).map(|[place, of]| format!("{place} of {of}"));
        let (name, told) = match namesakes.by {
            Some(TextKind::Path) => namesakes.place(&own),
            by => (own.name, by.map(|kind| namesakes.text(kind, &own).into_owned()).unwrap_or_default()),
        };
        let told: Vec<String> =
            [Some(printable(&told)).filter(|told| !told.is_empty()), nth].into_iter().flatten().collect();
        let name = printable(name);
        if told.is_empty() { name } else { format!("{name} ({})", told.join(", ")) }
    }
    /// The part with this label.
    pub fn find(&self, label: &str) -> Option<usize> {
        (0..self.count).find(|&part| {
            // Most parts have another name.
            let own = (self.part)(part);
            let begins =
                label.starts_with(&*printable(own.name)) || own.path.is_some_and(|path| path != own.name);
            begins && self.label(part) == label
        })
    }
}

impl Namesakes {
    /// The part's text of a kind; empty if it has none.
    fn text<'a>(&self, kind: TextKind, part: &NamedPart<'a>) -> Cow<'a, str> {
        let own = match kind {
            TextKind::Class => part.class,
            TextKind::Storey => part.storey,
            TextKind::Guid => part.guid,
            TextKind::File => return self.file(part.file),
            TextKind::Path => {
                let (name, folders) = self.place(part);
                return Cow::Owned(format!("{name}/{folders}"));
            }
        };
        Cow::Borrowed(own.unwrap_or_default())
    }
    fn file<'a>(&self, file: &'a Path) -> Cow<'a, str> {
        match self.folders {
            None => file.file_name().unwrap_or(file.as_os_str()).to_string_lossy(),
            Some(hidden) => {
                let shown: std::path::PathBuf = file.components().skip(hidden).collect();
                Cow::Owned(shown.to_string_lossy().into_owned())
            }
        }
    }
    /// The name in the label, and the components of the path that are not common. If the path's last
    /// component begins with the part's name, it replaces the name.
    fn place<'a>(&self, part: &NamedPart<'a>) -> (&'a str, String) {
        let all: Vec<&str> = part.path.unwrap_or(part.name).split('/').collect();
        let [begin, end] = self.common;
        let last = all[all.len() - 1];
        let folders = &all[begin..all.len() - 1 - end];
        if last.starts_with(part.name) {
            return (last, folders.join("/"));
        }
        // A piece of a part has the path of the whole.
        let told: Vec<&str> = folders.iter().copied().chain([last]).collect();
        (part.name, told.join("/"))
    }
}

/// Numbers of common components at the start of all paths, and at the end of the rest of their folders.
fn common_components(paths: &[&str]) -> [usize; 2] {
    let folders = |path: &str| path.split('/').count() - 1;
    let Some((&first, others)) = paths.split_first() else { return [0; 2] };
    let (mut begin, mut least) = (folders(first), folders(first));
    for path in others {
        let same = first.split('/').zip(path.split('/')).take_while(|(a, b)| a == b).count();
        (begin, least) = (begin.min(same), least.min(folders(path)));
    }
    begin = begin.min(least);
    let end = others.iter().map(|path| {
        let [a, b] = [first, path].map(|path| path.rsplit('/').skip(1));
        a.zip(b).take_while(|(a, b)| a == b).count()
    });
    [begin, end.min().unwrap_or(0).min(least - begin)]
}

/// Number of common components at the start of all paths; `None` if the names of the files differ.
fn folders(files: &HashSet<&Path>) -> Option<usize> {
    let names: HashSet<_> = files.iter().map(|file| file.file_name()).collect();
    if names.len() == files.len() {
        return None;
    }
    let mut all = files.iter();
    let first = all.next()?;
    let same = |file: &&Path| file.components().zip(first.components()).take_while(|(a, b)| a == b).count();
    all.map(same).min()
}

#[cfg(test)]
mod tests {
    use super::{NamedPart, PartLabels};
    use std::{collections::HashSet, path::Path};

    fn part<'a>(name: &'a str, file: &'a str, path: &'a str) -> NamedPart<'a> {
        NamedPart { name, file: Path::new(file), class: None, storey: None, guid: None, path: Some(path) }
    }
    fn labels(parts: &[NamedPart<'_>]) -> Vec<String> {
        let labels = PartLabels::new(parts.len(), |i| parts[i]);
        let all: Vec<String> = (0..parts.len()).map(|i| labels.label(i)).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        assert!(all.iter().enumerate().all(|(i, label)| labels.find(label) == Some(i)));
        all
    }

    #[test]
    fn the_shortest_text_that_tells_parts_apart() {
        let of = |class, storey, guid| NamedPart {
            class: Some(class),
            storey: Some(storey),
            guid: Some(guid),
            ..part("Wall", "x/a.ifc", "House/Wall")
        };
        let all =
            [of("IfcWall", "1", "2O2Fr$t4X7Zf8NOew3FLOH"), of("IfcWall", "2", "1hOSvn6df7F8_7GcBWlRGQ")];
        assert_eq!(labels(&all), ["Wall (1)", "Wall (2)"]);
        let [a, b] = all.map(|part| NamedPart { storey: None, ..part });
        assert_eq!(labels(&[a, b]), ["Wall (2O2Fr$t4X7Zf8NOew3FLOH)", "Wall (1hOSvn6df7F8_7GcBWlRGQ)"]);
        let slab = NamedPart { class: Some("IfcSlab"), ..a };
        assert_eq!(labels(&[a, slab]), ["Wall (IfcWall)", "Wall (IfcSlab)"]);
    }

    #[test]
    fn files_have_their_names_or_what_is_needed_of_their_paths() {
        let both = [part("nut", "all/x/a.obj", "nut"), part("nut", "all/y/b.obj", "nut")];
        assert_eq!(labels(&both), ["nut (a.obj)", "nut (b.obj)"]);
        let both = [part("nut", "all/x/a.obj", "nut"), part("nut", "all/y/a.obj", "nut")];
        assert_eq!(labels(&both), ["nut (x/a.obj)", "nut (y/a.obj)"]);
    }

    #[test]
    fn paths_without_what_they_share() {
        let file = "as1.step";
        let both = [part("bolt", file, "as1/left/set/bolt"), part("bolt", file, "as1/right/set/bolt")];
        assert_eq!(labels(&both), ["bolt (left)", "bolt (right)"]);
        let both = [part("bolt", file, "as1/bolt"), part("bolt", file, "as1/bolt#2")];
        assert_eq!(labels(&both), ["bolt", "bolt#2"]);
        let both = [part("bolt", file, "as1/bolt"), part("bolt", file, "as1/set/bolt")];
        assert_eq!(labels(&both), ["bolt", "bolt (set)"]);
        let three = [part("a", file, "s/t/a"), part("a", file, "s/t/a"), part("a", file, "s/u/a")];
        assert_eq!(labels(&three), ["a (t, 1 of 2)", "a (t, 2 of 2)", "a (u)"]);
    }

    #[test]
    fn pieces_of_parts_have_the_path_of_the_whole() {
        let piece = |path| part("box#1", "a.step", path);
        assert_eq!(labels(&[piece("s/box#1"), piece("s/box#2#1")]), ["box#1", "box#1 (box#2#1)"]);
    }

    #[test]
    fn a_label_may_be_the_name_of_another_part() {
        let file = "a.step";
        let all = [part("Body", file, "a/Body"), part("Body", file, "a/Body#2"), part("Body#2", file, "a/x")];
        assert_eq!(labels(&all), ["Body", "Body#2 (1 of 2)", "Body#2 (2 of 2)"]);
        let names = [part("a\u{1}", file, "a\u{1}"), part("a\u{2}", file, "a\u{2}")];
        assert_eq!(labels(&names).len(), 2);
    }

    #[test]
    fn parts_that_nothing_tells_apart_are_counted() {
        let one = part("nut", "a.obj", "nut");
        assert_eq!(labels(&[one, part("rod", "a.obj", "rod"), one]), ["nut (1 of 2)", "rod", "nut (2 of 2)"]);
        assert_eq!(labels(&[]), [""; 0]);
    }
}
