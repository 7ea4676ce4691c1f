//! [`Elements`]: finds the parts that an element of a clash list stands for.
use crate::list::Element;
use impinge_check::{Guid, Part, rules::Fields};
use std::collections::HashMap;

/// The parts of an assembly by what lists call them.
pub(crate) struct Elements {
    /// By GUID, the form of IFC's 22 characters and that of 32 hexadecimal digits alike.
    guids: HashMap<Guid, Vec<u32>>,
    /// By other identifiers, paths and names.
    texts: HashMap<String, Vec<u32>>,
}

impl Elements {
    /// `fields` gives the texts of a part, as rules see them.
    pub(crate) fn new<'a>(parts: &'a [Part], fields: impl Fn(&'a Part) -> Fields<'a>) -> Self {
        let mut all = Self { guids: HashMap::new(), texts: HashMap::new() };
        for (i, part) in (0..).zip(parts) {
            let fields = fields(part);
            let mut add = |text: &str| {
                if text.is_empty() {
                    return;
                }
                if let Some(guid) = Guid::parse(text) {
                    push(all.guids.entry(guid).or_default(), i);
                }
                match all.texts.get_mut(text) {
                    Some(known) => push(known, i),
                    None => drop(all.texts.insert(text.to_owned(), vec![i])),
                }
            };
            fields.guid().into_iter().for_each(&mut add);
            add(fields.name());
            add(fields.path());
            // Identifiers of authoring programs are properties: an element id, a tag.
            for (name, value) in &part.properties {
                let name = name.to_lowercase();
                if name.ends_with("id") || name.ends_with("tag") || name.ends_with("guid") {
                    add(&value.to_string());
                }
            }
        }
        all
    }
    /// The parts of an element: those with its first identifier that any part has, else those with its path,
    /// else with its name if only one part has it. Empty if no part has one of these.
    pub(crate) fn find(&self, element: &Element) -> &[u32] {
        let by_id = element.ids.iter().find_map(|id| {
            let by_guid = Guid::parse(id).and_then(|guid| self.guids.get(&guid));
            by_guid.or_else(|| self.texts.get(id))
        });
        let by_path =
            || (!element.path.is_empty()).then(|| self.texts.get(&element.path.join("/"))).flatten();
        let by_name = || self.texts.get(element.name.as_deref()?).filter(|parts| parts.len() == 1);
        let last = || self.texts.get(element.path.last()?).filter(|parts| parts.len() == 1);
        by_id.or_else(by_path).or_else(by_name).or_else(last).map_or(&[], Vec::as_slice)
    }
}

fn push(list: &mut Vec<u32>, part: u32) {
    if list.last() != Some(&part) {
        list.push(part);
    }
}
