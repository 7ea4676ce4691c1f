//! [`Attribute`]: the kind of an element's attribute, by its name.

/// The kind of an element's attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    /// The element's own GUID.
    Guid,
    /// Another identifier of its own, such as an element id or a tag.
    Id,
    /// Its own name.
    Name,
    /// Its type.
    Type,
    /// Anything else.
    Other,
}

/// Words for other things than the element: their ids, tags and names are shared by many elements.
const OTHERS: &[&str] = &[
    "application",
    "building",
    "category",
    "class",
    "classification",
    "color",
    "colour",
    "design",
    "document",
    "family",
    "file",
    "floor",
    "grid",
    "group",
    "host",
    "layer",
    "level",
    "link",
    "linked",
    "location",
    "material",
    "model",
    "owner",
    "parent",
    "phase",
    "profile",
    "project",
    "room",
    "site",
    "source",
    "space",
    "storey",
    "style",
    "symbol",
    "system",
    "template",
    "type",
    "user",
    "version",
    "view",
    "workset",
    "zone",
];

/// Words for the element, which may be one word with `id`, `tag` or `guid`: `elementid`.
const OWN: &[&str] = &[
    "component",
    "element",
    "entity",
    "ifc",
    "instance",
    "item",
    "object",
    "part",
    "persistent",
    "product",
    "unique",
];

impl Attribute {
    /// The kind of the attribute with this name, such as `Element ID`, `ElementId` or `element_id`. Whole
    /// words count: `Fluid` and `Grid` hold no id, and `Type Id` holds that of a type.
    pub(crate) fn of(name: &str) -> Self {
        let words = words(name);
        let [before @ .., last] = &words[..] else { return Self::Other };
        if last == "type" {
            return Self::Type;
        }
        if before.iter().any(|word| OTHERS.contains(&&**word)) {
            return Self::Other;
        }
        let is_of_element = |end: &str| last.strip_suffix(end).is_some_and(|start| OWN.contains(&start));
        match last.as_str() {
            "guid" | "uuid" | "globalid" | "ifcglobalid" => Self::Guid,
            "id" if before.last().is_some_and(|word| word == "global") => Self::Guid,
            "id" | "tag" => Self::Id,
            "name" => Self::Name,
            _ if is_of_element("guid") => Self::Guid,
            _ if is_of_element("id") || is_of_element("tag") => Self::Id,
            _ => Self::Other,
        }
    }
}

/// The words of a name, in lower case. A word ends where no letter or digit follows, where a capital follows
/// a small letter, and before the last of several capitals if a small letter follows: `IFCGuid`.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
        let letters: Vec<char> = part.chars().collect();
        let mut word = String::new();
        for (i, &letter) in letters.iter().enumerate() {
            let is_small = |at: usize| letters.get(at).is_some_and(|c| c.is_lowercase() || c.is_numeric());
            let begins = letter.is_uppercase() && i > 0 && (is_small(i - 1) || is_small(i + 1));
            if begins {
                words.push(std::mem::take(&mut word));
            }
            word.extend(letter.to_lowercase());
        }
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{Attribute, words};

    #[test]
    fn a_name_has_words() {
        assert_eq!(words("Element ID"), ["element", "id"]);
        assert_eq!(words("ElementId"), ["element", "id"]);
        assert_eq!(words("Pset_Common.IFCGuid"), ["pset", "common", "ifc", "guid"]);
        assert_eq!(words("GUID"), ["guid"]);
        assert!(words("--").is_empty() && words("").is_empty());
    }

    #[test]
    fn the_last_word_tells_what_an_attribute_holds() {
        for (names, kind) in [
            (
                &["GlobalId", "Global Id", "IfcGUID", "IFC GUID", "Item GUID", "uuid", "globalid"][..],
                Attribute::Guid,
            ),
            (
                &["ID", "Element ID", "ElementId", "element_id", "elementid", "Tag", "Item Tag", "itemtag"],
                Attribute::Id,
            ),
            (&["Name", "Item Name", "ElementName"], Attribute::Name),
            (&["Type", "Item Type", "System Type"], Attribute::Type),
            (
                &[
                    "Fluid",
                    "Solid",
                    "Grid",
                    "Void",
                    "Valid",
                    "Paid",
                    "Stag",
                    "Type Id",
                    "TypeId",
                    "System Id",
                    "Type IfcGUID",
                    "Level Name",
                    "File Name",
                    "Prototype",
                    "Username",
                    "",
                    "Id Number",
                ],
                Attribute::Other,
            ),
        ] {
            for name in names {
                assert_eq!(Attribute::of(name), kind, "{name}");
            }
        }
    }
}
