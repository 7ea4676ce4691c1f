//! BCF: a ZIP package with a folder for each topic. The place of the selected components depends on the
//! version. Many packages state none, so each viewpoint is read by its shape.
use crate::{
    bcf_package,
    bcf_topics::ids,
    error::{Error, shown},
    list::{ClashList, Element, Entry, ListFormat},
    xml::{self, Node, value},
};
use impinge_check::baseline::FindingId;
use std::collections::{BTreeMap, HashSet};

pub(crate) fn parse(bytes: &[u8]) -> Result<ClashList, Error> {
    // The entries of each topic's folder, in the order of the package.
    let mut topics: Vec<(String, Topic)> = Vec::new();
    let mut place_of = BTreeMap::new();
    let is_wanted = |name: &str| name == "markup.bcf" || name.ends_with(".bcfv");
    bcf_package::read(bytes, is_wanted, |entry| {
        if entry.folder.is_empty() {
            return Ok(());
        }
        let place = *place_of.entry(entry.folder.to_owned()).or_insert_with(|| {
            topics.push((entry.folder.to_owned(), Topic::default()));
            topics.len() - 1
        });
        let topic = &mut topics[place].1;
        if entry.name == "markup.bcf" { topic.read_markup(entry.text) } else { topic.read_view(entry.text) }
    })?;
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
    /// The components that viewpoints select, and those that they list without a selection.
    selected: Vec<Element>,
    listed: Vec<Element>,
    /// The findings of impinge in its description.
    findings: Vec<FindingId>,
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
                ("Topic", "Description", Node::Text(text)) => self.findings = ids(text),
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
        // The component that is open, and whether it is selected.
        let mut open: Option<(Element, bool)> = None;
        xml::read(text, |path, node| {
            match (path, node) {
                ([.., parent, name], Node::Start(attributes)) if name == "Component" => {
                    let is_selected = match (parent.as_str(), value(attributes, "Selected")) {
                        ("Selection", _) | ("Components", Some("true" | "1")) => true,
                        ("Components", _) if !path.iter().any(|name| name == "Coloring") => false,
                        // Colours and exceptions of visibility select nothing.
                        _ => return Ok(()),
                    };
                    let ids = value(attributes, "IfcGuid").map(str::to_owned).into_iter().collect();
                    open = Some((Element { ids, ..Element::default() }, is_selected));
                }
                // A component without a GlobalId has the identifier of its own program.
                ([.., parent, name], Node::Text(text)) if parent == "Component" => {
                    let Some((element, _)) = open.as_mut().filter(|(element, _)| element.ids.is_empty())
                    else {
                        return Ok(());
                    };
                    match name.as_str() {
                        "OriginatingSystem" => element.file = Some(text.to_owned()),
                        "AuthoringToolId" => element.path = vec![text.to_owned()],
                        _ => {}
                    }
                }
                ([.., name], Node::End) if name == "Component" => {
                    let Some((mut element, is_selected)) = open.take() else { return Ok(()) };
                    if element.ids.is_empty() {
                        element.ids.extend(element.path.first().cloned());
                    }
                    let to = if is_selected { &mut self.selected } else { &mut self.listed };
                    if !element.ids.is_empty() {
                        to.push(element);
                    }
                }
                _ => {}
            }
            Ok(())
        })
    }
    fn entry(self, folder: String) -> Entry {
        let mut elements = if self.selected.is_empty() { self.listed } else { self.selected };
        let mut known = HashSet::new();
        elements.retain(|one| known.insert((one.ids.clone(), one.file.clone(), one.path.clone())));
        Entry {
            name: self.title.unwrap_or(folder),
            test: None,
            word: self.kind,
            status: self.status,
            distance: None,
            elements,
            findings: self.findings,
        }
    }
}
