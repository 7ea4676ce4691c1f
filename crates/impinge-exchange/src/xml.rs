//! XML, element by element.
use crate::error::{Error, shown};
use quick_xml::{Reader, events::Event};

/// An event of a document. Names are without their prefix.
pub(crate) enum Node<'a> {
    /// An element begins, with its attributes.
    Start(&'a [(String, String)]),
    /// The text between tags, trimmed; not empty.
    Text(&'a str),
    /// An element ends.
    End,
}

/// Largest depth of nested elements.
const DEEPEST: usize = 200;

/// Calls `node` for each event; the path has the names of the open elements, the event's own last.
pub(crate) fn read(
    text: &[u8],
    mut node: impl FnMut(&[String], Node<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let text = std::str::from_utf8(text).map_err(|error| Error::new(format!("is not UTF-8: {error}")))?;
    let mut reader = Reader::from_str(text);
    let mut path: Vec<String> = Vec::new();
    let mut buffer = String::new();
    loop {
        let place = |reader: &Reader<&[u8]>| format!("byte {}", reader.buffer_position());
        let event = reader.read_event().map_err(|error| {
            Error::at(format!("byte {}", reader.error_position()), format!("no well-formed XML: {error}"))
        })?;
        let ends = matches!(event, Event::Start(_) | Event::End(_) | Event::Empty(_) | Event::Eof);
        if ends && !buffer.trim().is_empty() {
            node(&path, Node::Text(buffer.trim()))?;
        }
        if ends {
            buffer.clear();
        }
        match event {
            Event::Start(tag) | Event::Empty(tag) if path.len() >= DEEPEST => {
                drop(tag);
                return Err(Error::at(
                    place(&reader),
                    format!("elements lie more than {DEEPEST} deep in each other"),
                ));
            }
            Event::Start(ref tag) | Event::Empty(ref tag) => {
                let mut attributes = Vec::new();
                for attribute in tag.attributes() {
                    let attribute = attribute.map_err(|error| Error::at(place(&reader), error))?;
                    let value = attribute
                        .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                        .map_err(|error| Error::at(place(&reader), error))?;
                    let name = attribute.key.local_name().as_ref().to_owned();
                    attributes.push((name, value.into_owned()));
                }
                path.push(tag.local_name().as_ref().to_owned());
                node(&path, Node::Start(&attributes))?;
                if matches!(event, Event::Empty(_)) {
                    node(&path, Node::End)?;
                    path.pop();
                }
            }
            Event::End(_) => {
                node(&path, Node::End)?;
                path.pop();
            }
            Event::Text(text) => buffer += &text,
            Event::CData(text) => buffer += &text,
            Event::GeneralRef(name) => {
                let name: &str = &name;
                let unescaped =
                    quick_xml::escape::unescape(&format!("&{name};")).map(|text| text.into_owned());
                buffer += &unescaped
                    .map_err(|_| Error::at(place(&reader), format!("an unknown entity '{}'", shown(name))))?;
            }
            Event::Eof if !path.is_empty() => {
                return Err(Error::at(place(&reader), "the file ends too early"));
            }
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

pub(crate) fn value<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    attributes.iter().find(|(own, _)| own == name).map(|(_, value)| &**value)
}
