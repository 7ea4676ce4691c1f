//! [`Elements`]: finds the parts that an element of a clash list names.
use crate::{attribute::Attribute, list::Element};
use impinge_check::{Part, rules::Fields, values::Guid};
use std::collections::HashMap;

/// The parts of an assembly, by the identifiers, paths and names that lists have.
pub(crate) struct Elements<'a> {
    parts: &'a [Part],
    /// Parts by GUID, in IFC's 22 characters or in 32 hexadecimal digits.
    guids: HashMap<Guid, Vec<u32>>,
    /// Parts by other identifiers.
    ids: HashMap<String, Vec<u32>>,
    paths: HashMap<String, Vec<u32>>,
    names: HashMap<String, Vec<u32>>,
}

impl<'a> Elements<'a> {
    /// The index of parts. `fields` returns the texts of a part under the rules.
    pub(crate) fn new(parts: &'a [Part], fields: impl Fn(&'a Part) -> Fields<'a>) -> Self {
        let [mut ids, mut paths, mut names] = [(); 3].map(|()| HashMap::<String, Vec<u32>>::new());
        let mut guids = HashMap::<Guid, Vec<u32>>::new();
        let mut own = Vec::with_capacity(parts.len());
        for (i, part) in (0..).zip(parts) {
            let fields = fields(part);
            let mut add_id = |text: &str| {
                if let Some(guid) = Guid::parse(text) {
                    push(guids.entry(guid).or_default(), i);
                }
                add(&mut ids, text, i);
            };
            own.push(fields.guid().map(str::to_owned));
            fields.guid().into_iter().for_each(&mut add_id);
            // Identifiers of authoring programs are properties: an element id, a tag.
            for (name, value) in &part.properties {
                if matches!(Attribute::of(name), Attribute::Guid | Attribute::Id) {
                    add_id(&value.to_string());
                }
            }
            add(&mut paths, fields.path(), i);
            add(&mut names, fields.name(), i);
        }
        // An identifier that parts with different GUIDs share identifies none of them.
        let is_of_one = |parts: &mut Vec<u32>| {
            let mut guids = parts.iter().filter_map(|&i| own[i as usize].as_deref());
            guids.next().is_none_or(|first| guids.all(|other| other == first))
        };
        ids.retain(|_, parts| is_of_one(parts));
        guids.retain(|_, parts| is_of_one(parts));
        Self { parts, guids, ids, paths, names }
    }
    /// Finds the parts of an element: those of its file and path, if the list names a file. Else those with
    /// its first identifier that any part has, else those with its path, else the only part with its name.
    /// Empty if there is none.
    pub(crate) fn find(&self, element: &Element) -> Vec<u32> {
        let found = self.in_file(element);
        if !found.is_empty() {
            return found;
        }
        let by_id = element.ids.iter().find_map(|id| {
            let by_guid = Guid::parse(id).and_then(|guid| self.guids.get(&guid));
            by_guid.or_else(|| self.ids.get(id))
        });
        let by_path =
            || (!element.path.is_empty()).then(|| self.paths.get(&element.path.join("/"))).flatten();
        let of_one = |name: &String| self.names.get(name).filter(|parts| parts.len() == 1);
        let by_name = || element.name.iter().chain(element.path.last()).chain(&element.ids).find_map(of_one);
        by_id.or_else(by_path).or_else(by_name).cloned().unwrap_or_default()
    }
    /// The parts of the file that an element names which have its path or name.
    fn in_file(&self, element: &Element) -> Vec<u32> {
        let Some(file) = &element.file else { return Vec::new() };
        let is_there = |&&i: &&u32| {
            self.parts[i as usize].file.file_name().is_some_and(|name| *name.to_string_lossy() == **file)
        };
        let path = element.path.join("/");
        let of = |map: &HashMap<String, Vec<u32>>| -> Vec<u32> {
            map.get(&path).into_iter().flatten().filter(is_there).copied().collect()
        };
        let found = of(&self.paths);
        if found.is_empty() { of(&self.names) } else { found }
    }
}

fn add(map: &mut HashMap<String, Vec<u32>>, text: &str, part: u32) {
    if text.is_empty() {
        return;
    }
    match map.get_mut(text) {
        Some(known) => push(known, part),
        None => drop(map.insert(text.to_owned(), vec![part])),
    }
}

fn push(list: &mut Vec<u32>, part: u32) {
    if list.last() != Some(&part) {
        list.push(part);
    }
}
