//! [`Elements`]: finds the parts that an element of a clash list stands for.
use crate::list::Element;
use impinge_check::{Part, rules::Fields};
use std::collections::HashMap;

/// The parts of an assembly by what lists call them.
pub(crate) struct Elements {
    /// By GUID, the form of IFC's 22 characters and that of 32 hexadecimal digits alike.
    guids: HashMap<u128, Vec<u32>>,
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
                if let Some(guid) = guid(text) {
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
    /// The parts of an element: those with its first identifier that any part has, else those with its path, else
    /// with its name if only one part has it. Empty if no part has one of these.
    pub(crate) fn find(&self, element: &Element) -> &[u32] {
        let by_id = element.ids.iter().find_map(|id| {
            let by_guid = guid(id).and_then(|guid| self.guids.get(&guid));
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

/// The number of a GUID: 32 hexadecimal digits, with or without dashes and braces, or the 22 characters of an IFC
/// GlobalId, which is the number in base 64.
fn guid(text: &str) -> Option<u128> {
    let digits: Vec<u8> = text.bytes().filter(|c| !matches!(c, b'-' | b'{' | b'}')).collect();
    if digits.len() == 32 && digits.iter().all(u8::is_ascii_hexdigit) {
        return u128::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok();
    }
    let text = text.as_bytes();
    // The first character has two bits.
    if text.len() != 22 || !(b'0'..=b'3').contains(&text[0]) {
        return None;
    }
    text.iter().try_fold(0_u128, |number, &c| {
        let digit = match c {
            b'0'..=b'9' => c - b'0',
            b'A'..=b'Z' => c - b'A' + 10,
            b'a'..=b'z' => c - b'a' + 36,
            b'_' => 62,
            b'$' => 63,
            _ => return None,
        };
        Some(number << 6 | u128::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::guid;

    #[test]
    fn both_forms_of_a_guid_are_one_number() {
        // From ifcopenshell.guid.expand.
        let ifc = guid("1hOSvn6df7F8_7GcBWlRGQ").unwrap();
        assert_eq!(format!("{ifc:032x}"), "6b61ce711a7a473c8f874262e0bdb41a");
        assert_eq!(guid("{6B61CE71-1A7A-473C-8F87-4262E0BDB41A}"), Some(ifc));
        for none in ["", "4hOSvn6df7F8_7GcBWlRGQ", "1hOSvn6df7F8_7GcBWlRG", "1hOSvn6df7F8_7GcBWlR!Q"] {
            assert_eq!(guid(none), None, "{none}");
        }
    }
}
