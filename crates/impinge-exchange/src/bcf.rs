//! BCF: a ZIP package with a folder for each topic. Versions differ in where the selected components are, so
//! that each viewpoint is read by its shape: many packages state no version.
use crate::{
    error::{Error, shown},
    list::{ClashList, Element, Entry, ListFormat},
    xml::{self, Node, value},
};
use std::{
    collections::BTreeMap,
    io::{Cursor, Read},
};
use zip::ZipArchive;

/// The most bytes that the markup and viewpoints of a package may unpack to, times its size, and at least.
const UNPACKED: u64 = 64;
const LEAST: u64 = 64 << 20;

pub(crate) fn parse(bytes: &[u8]) -> Result<ClashList, Error> {
    let mut package =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| Error::at("as a BCF package", error))?;
    let mut left = (bytes.len() as u64).saturating_mul(UNPACKED).max(LEAST);
    // The entries of each topic's folder, in the order of the package.
    let mut topics: Vec<(String, Topic)> = Vec::new();
    let mut place_of = BTreeMap::new();
    for i in 0..package.len() {
        let file = package.by_index(i).map_err(|error| Error::at(format!("entry {i}"), error))?;
        let name = file.name().map_err(|error| Error::at(format!("entry {i}"), error))?.into_owned();
        let Some((folder, own)) = name.rsplit_once('/') else { continue };
        let (is_markup, is_view) = (own == "markup.bcf", own.ends_with(".bcfv"));
        if !is_markup && !is_view {
            continue;
        }
        let mut text = Vec::new();
        let most = left.saturating_add(1);
        file.take(most).read_to_end(&mut text).map_err(|error| Error::at(shown(&name), error))?;
        if text.len() as u64 > left {
            return Err(Error::at(shown(&name), "the package unpacks to more than 64 times its size"));
        }
        left -= text.len() as u64;
        let place = *place_of.entry(folder.to_owned()).or_insert_with(|| {
            topics.push((folder.to_owned(), Topic::default()));
            topics.len() - 1
        });
        let topic = &mut topics[place].1;
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
        let read = if is_markup { topic.read_markup(text) } else { topic.read_view(text) };
        read.map_err(|error| Error::at(shown(&name), error))?;
    }
    topics.retain(|(_, topic)| topic.has_markup);
    if topics.is_empty() {
        return Err(Error::new("is no BCF package: no folder has a markup.bcf"));
    }
    let entries = topics.into_iter().map(|(folder, topic)| topic.entry(folder)).collect();
    Ok(ClashList { format: ListFormat::Bcf, entries })
}

#[derive(Default)]
struct Topic {
    has_markup: bool,
    title: Option<String>,
    kind: Option<String>,
    status: Option<String>,
    /// GlobalIds that a viewpoint selects, and those that it lists without selecting one.
    selected: Vec<String>,
    listed: Vec<String>,
}

impl Topic {
    fn read_markup(&mut self, text: &[u8]) -> Result<(), Error> {
        self.has_markup = true;
        xml::read(text, |path, node| {
            let [.., parent, name] = path else { return Ok(()) };
            match (parent.as_str(), name.as_str(), node) {
                (_, "Topic", Node::Start(attributes)) => {
                    for (name, to) in [("TopicType", &mut self.kind), ("TopicStatus", &mut self.status)] {
                        if let Some(value) = value(attributes, name) {
                            to.get_or_insert_with(|| value.to_owned());
                        }
                    }
                }
                ("Topic", "Title", Node::Text(text)) => self.title = Some(text.to_owned()),
                // BCF 1 has the status and its words in comments.
                ("Comment", "VerbalStatus", Node::Text(text)) => self.status = Some(text.to_owned()),
                ("Comment", "Status", Node::Text(text)) => {
                    self.status.get_or_insert_with(|| text.to_owned());
                }
                ("Comment", "Comment", Node::Text(text)) => {
                    let first = text.lines().next().unwrap_or_default();
                    self.title.get_or_insert_with(|| shown(first));
                }
                _ => {}
            }
            Ok(())
        })
    }
    fn read_view(&mut self, text: &[u8]) -> Result<(), Error> {
        xml::read(text, |path, node| {
            let (Node::Start(attributes), [.., parent, name]) = (node, path) else { return Ok(()) };
            let Some(id) = value(attributes, "IfcGuid").filter(|_| name == "Component") else {
                return Ok(());
            };
            let to = match (parent.as_str(), value(attributes, "Selected")) {
                ("Selection", _) => &mut self.selected,
                ("Components", Some("true" | "1")) => &mut self.selected,
                ("Components", _) => &mut self.listed,
                // Colours and exceptions of visibility select nothing.
                _ => return Ok(()),
            };
            if !to.iter().any(|known| known == id) {
                to.push(id.to_owned());
            }
            Ok(())
        })
    }
    fn entry(self, folder: String) -> Entry {
        let ids = if self.selected.is_empty() { self.listed } else { self.selected };
        let element = |id: String| Element { ids: vec![id], ..Element::default() };
        Entry {
            name: self.title.unwrap_or(folder),
            test: None,
            word: self.kind,
            status: self.status,
            distance: None,
            elements: ids.into_iter().map(element).collect(),
        }
    }
}
