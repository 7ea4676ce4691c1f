//! The XML report of Navisworks' Clash Detective: `exchange`, `batchtest`, `clashtest`, `clashresult`.
use crate::{
    attribute::Attribute,
    error::Error,
    list::{ClashList, Element, Entry, ListFormat},
    xml::{self, Node, value},
};

pub(crate) fn parse(text: &[u8]) -> Result<ClashList, Error> {
    let mut is_exchange = false;
    let mut entries = Vec::new();
    let (mut test, mut kind) = (None, None);
    let mut entry: Option<Entry> = None;
    let mut element: Option<Element> = None;
    let (mut key, mut of_key) = (String::new(), String::new());
    xml::read(text, |path, node| {
        let name = path.last().map_or("", String::as_str);
        match node {
            Node::Start(attributes) => match name {
                "exchange" if path.len() == 1 => is_exchange = true,
                _ if !is_exchange => {
                    return Err(Error::new("is no report of Navisworks: its root is no 'exchange'"));
                }
                "clashtest" => {
                    test = value(attributes, "name").map(str::to_owned);
                    kind = value(attributes, "test_type").map(str::to_owned);
                }
                "clashresult" => {
                    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
                    entry = Some(Entry {
                        name: value(attributes, "name")
                            .map_or_else(|| format!("clash {}", entries.len() + 1), str::to_owned),
                        test: test.clone(),
                        word: kind.clone(),
                        status: value(attributes, "status").map(str::to_owned),
                        distance: value(attributes, "distance").and_then(number),
                        ..Entry::default()
                    });
                }
                "clashobject" => element = Some(Element::default()),
                "objectattribute" | "smarttag" => (key, of_key) = (String::new(), String::new()),
                _ => {}
            },
            Node::Text(text) => match (name, &mut element) {
                ("resultstatus", _) => {
                    if let Some(entry) = &mut entry {
                        entry.status.get_or_insert_with(|| text.to_owned());
                    }
                }
                ("node", Some(element)) => element.path.push(text.to_owned()),
                ("name", Some(_)) => text.clone_into(&mut key),
                ("value", Some(_)) => text.clone_into(&mut of_key),
                _ => {}
            },
            Node::End => match (name, &mut element) {
                ("objectattribute" | "smarttag", Some(element)) if !of_key.is_empty() => {
                    let of_key = std::mem::take(&mut of_key);
                    match Attribute::of(&key) {
                        Attribute::Guid => element.ids.insert(0, of_key),
                        Attribute::Id => element.ids.push(of_key),
                        Attribute::Name => drop(element.name.get_or_insert(of_key)),
                        Attribute::Type => drop(element.class.get_or_insert(of_key)),
                        Attribute::Other => {}
                    }
                }
                ("clashobject", _) => {
                    if let (Some(entry), Some(element)) = (&mut entry, element.take()) {
                        entry.elements.push(element);
                    }
                }
                ("clashresult", _) => entries.extend(entry.take()),
                _ => {}
            },
        }
        Ok(())
    })?;
    Ok(ClashList { format: ListFormat::Navisworks, entries })
}
