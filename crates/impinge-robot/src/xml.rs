//! XML as a list of elements in the order of the text. Every element and every value keeps its place.
use crate::{
    error::{Error, Place},
    number::{self, Number},
    quote::shown,
};
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event, attributes::Attribute},
    name::QName,
};
use std::{borrow::Cow, ops::Range};

/// Largest depth of nested elements.
const DEEPEST: usize = 200;

/// An element. Those inside it follow it, up to `end`.
#[derive(Debug)]
struct Node {
    name: Range<usize>,
    /// Its attributes in the document's list.
    attributes: Range<usize>,
    place: Place,
    /// Number of the first element behind this one and all inside it.
    end: usize,
}

/// Ranges of the name and of the raw value of an attribute.
type AttributeRanges = (Range<usize>, Range<usize>);

/// A document: memory is proportional to the text.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    pub(crate) text: &'t str,
    nodes: Vec<Node>,
    attributes: Vec<AttributeRanges>,
}

/// An element of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'d> {
    document: &'d Document<'d>,
    index: usize,
}

impl<'t> Document<'t> {
    /// Reads a text whose first element has the name `root`.
    pub(crate) fn parse(text: &'t str, root: &str) -> Result<Self, Error> {
        let mut document = Self { text, nodes: Vec::new(), attributes: Vec::new() };
        // The reader's positions do not count a byte order mark.
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let position = |byte: u64| text.len() - body.len() + usize::try_from(byte).unwrap_or(body.len());
        let mut reader = Reader::from_str(body);
        // Open elements.
        let mut open: Vec<usize> = Vec::new();
        let mut place = Place::START;
        loop {
            let start = position(reader.buffer_position());
            let event = reader.read_event().map_err(|e| {
                let what = format!("this is not well-formed XML: {}", shown(&e.to_string()));
                Error::at(text, position(reader.error_position()), what)
            })?;
            match event {
                Event::Start(tag) => {
                    if open.len() >= DEEPEST {
                        return Err(Error::at(
                            text,
                            start,
                            format!("elements nest more than {DEEPEST} deep"),
                        ));
                    }
                    open.push(document.nodes.len());
                    document.add(&tag, &mut place)?;
                }
                Event::Empty(tag) => document.add(&tag, &mut place)?,
                Event::End(_) => {
                    if let Some(index) = open.pop() {
                        document.nodes[index].end = document.nodes.len();
                    }
                }
                Event::DocType(_) => {
                    let what =
                        "document types (<!DOCTYPE ...>) are not read; delete it, and write entities out";
                    return Err(Error::at(text, start, what));
                }
                Event::GeneralRef(name) => {
                    if quick_xml::escape::unescape(&format!("&{};", &*name)).is_err() {
                        let what = format!("the entity '{}' is unknown; write its text", shown(&name));
                        return Err(Error::at(text, start, what));
                    }
                }
                Event::Eof => break,
                Event::Text(_) | Event::CData(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            }
            if document.nodes.len() == 1 {
                document.check_root(root)?;
            }
        }
        if !open.is_empty() {
            return Err(Error::at(text, text.len(), "the XML ends inside an element; the file is cut off"));
        }
        let Some(first) = document.nodes.first() else {
            return Err(Error::at(text, text.len(), format!("there is no element '{root}' in this file")));
        };
        if let Some(second) = document.nodes.get(first.end) {
            return Err(Error::placed(second.place, "a second element follows the first; delete one"));
        }
        document.refuse_xacro()?;
        Ok(document)
    }

    fn add(&mut self, tag: &BytesStart<'_>, place: &mut Place) -> Result<(), Error> {
        let name = self.range_of(tag.name().0);
        place.advance(self.text, name.start.saturating_sub(1));
        let first = self.attributes.len();
        let mut all = tag.attributes();
        // The reader's own search for repeated names costs n^2 for n attributes; `Element::value` finds those
        // that matter.
        all.with_checks(false);
        for attribute in all {
            let attribute = attribute.map_err(|e| {
                let what = format!("an attribute is malformed: {}", shown(&e.to_string()));
                Error::placed(*place, what)
            })?;
            self.attributes.push((self.range_of(attribute.key.0), self.range_of(&attribute.value)));
        }
        let attributes = first..self.attributes.len();
        let end = self.nodes.len() + 1;
        self.nodes.push(Node { name, attributes, place: *place, end });
        Ok(())
    }

    /// The range of a part of the text.
    fn range_of(&self, part: &str) -> Range<usize> {
        // Events of a reader of a `&str` borrow from it.
        let start = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let range = start..start.wrapping_add(part.len());
        debug_assert_eq!(self.text.get(range.clone()), Some(part));
        if self.text.get(range.clone()) == Some(part) { range } else { 0..0 }
    }

    fn check_root(&self, root: &str) -> Result<(), Error> {
        let element = self.root();
        if element.name() == root {
            return Ok(());
        }
        let what = match element.name() {
            "sdf" => "this is SDF, which is not read; export the robot as URDF".to_owned(),
            "mujoco" => "this is MJCF, which is not read; export the robot as URDF".to_owned(),
            name => format!("expected the element '{root}', found '{}'", shown(name)),
        };
        Err(element.error(what))
    }

    /// Refuses templates: elements and attributes with the prefix of xacro. The declaration of the prefix
    /// alone stays in files that xacro has expanded.
    fn refuse_xacro(&self) -> Result<(), Error> {
        let is_xacro = |name: &Range<usize>| self.text[name.clone()].starts_with("xacro:");
        let node = self.nodes.iter().find(|node| {
            is_xacro(&node.name)
                || self.attributes[node.attributes.clone()].iter().any(|(name, _)| is_xacro(name))
        });
        node.map_or(Ok(()), |node| Err(Error::placed(node.place, XACRO)))
    }

    pub(crate) fn root(&self) -> Element<'_> {
        Element { document: self, index: 0 }
    }
}

const XACRO: &str = "this is a xacro template; expand it first: `xacro robot.urdf.xacro > robot.urdf`";

impl<'d> Element<'d> {
    fn node(self) -> &'d Node {
        &self.document.nodes[self.index]
    }
    pub(crate) fn name(self) -> &'d str {
        &self.document.text[self.node().name.clone()]
    }
    pub(crate) fn place(self) -> Place {
        self.node().place
    }
    /// An error at the element's start.
    #[cold]
    pub(crate) fn error(self, what: impl Into<String>) -> Error {
        Error::placed(self.place(), what)
    }

    /// The elements right inside this one.
    pub(crate) fn children(self) -> impl Iterator<Item = Self> {
        let end = self.node().end;
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            let child = Self { index: next, ..self };
            (next < end).then(|| {
                next = child.node().end;
                child
            })
        })
    }
    /// The elements of a name right inside this one.
    pub(crate) fn children_of<'n>(self, name: &'n str) -> impl Iterator<Item = Self> + use<'d, 'n> {
        self.children().filter(move |child| child.name() == name)
    }
    /// The element of a name right inside this one; a second one is an error.
    pub(crate) fn child(self, name: &str) -> Result<Option<Self>, Error> {
        let mut all = self.children_of(name);
        match (all.next(), all.next()) {
            (_, Some(second)) => {
                Err(second
                    .error(format!("'{}' has a second element '{name}'; delete one", shown(self.name()))))
            }
            (first, None) => Ok(first),
        }
    }

    /// Range of an attribute's raw value, which may occur once.
    fn value(self, name: &str) -> Result<Option<Range<usize>>, Error> {
        let text = self.document.text;
        let all = &self.document.attributes[self.node().attributes.clone()];
        let mut found =
            all.iter().filter(|(own, _)| text[own.clone()] == *name).map(|(_, value)| value.clone());
        let first = found.next();
        if let Some(second) = found.next() {
            let what = format!("'{}' has the attribute '{name}' twice; delete one", shown(self.name()));
            return Err(Error::at(text, second.start, what));
        }
        if let Some(value) = &first
            && let Some(start) = text[value.clone()].find("${").or_else(|| text[value.clone()].find("$("))
        {
            return Err(Error::at(text, value.start + start, XACRO));
        }
        Ok(first)
    }
    #[cold]
    fn missing(self, name: &str) -> Error {
        self.error(format!("'{}' needs the attribute '{name}'", shown(self.name())))
    }
    /// True if the element has an attribute.
    pub(crate) fn has(self, name: &str) -> Result<bool, Error> {
        Ok(self.value(name)?.is_some())
    }
    /// An attribute as text, without blanks at its ends; `None` if it is missing.
    pub(crate) fn text(self, name: &str) -> Result<Option<Cow<'d, str>>, Error> {
        let Some(at) = self.value(name)? else { return Ok(None) };
        let raw = &self.document.text[at.clone()];
        let value = Attribute { key: QName(""), value: Cow::Borrowed(raw) }
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|e| {
                let what = format!("the attribute '{name}' is malformed: {}", shown(&e.to_string()));
                Error::at(self.document.text, at.start, what)
            })?;
        Ok(Some(match value {
            Cow::Borrowed(value) => Cow::Borrowed(value.trim()),
            Cow::Owned(value) => Cow::Owned(value.trim().to_owned()),
        }))
    }
    /// A required attribute as text, not empty.
    pub(crate) fn required(self, name: &str) -> Result<String, Error> {
        let value = self.text(name)?.ok_or_else(|| self.missing(name))?;
        if value.is_empty() {
            return Err(self.error(format!("the attribute '{name}' of '{}' is empty", shown(self.name()))));
        }
        Ok(value.into_owned())
    }
    /// An attribute as a finite number; `None` if it is missing.
    pub(crate) fn number(self, name: &str) -> Result<Option<f64>, Error> {
        let Some(at) = self.value(name)? else { return Ok(None) };
        number::finite(self.document.text, trimmed(self.document.text, at), name).map(Some)
    }
    /// A required attribute as a length with the place of its digits.
    pub(crate) fn length(self, name: &str) -> Result<Number, Error> {
        let at = self.value(name)?.ok_or_else(|| self.missing(name))?;
        number::length(self.document.text, trimmed(self.document.text, at), name)
    }
    /// An attribute as three finite numbers; `None` if it is missing.
    pub(crate) fn vector(self, name: &str) -> Result<Option<[f64; 3]>, Error> {
        let Some(at) = self.value(name)? else { return Ok(None) };
        let numbers = self.numbers_at(name, at.clone(), 3)?;
        match <[f64; 3]>::try_from(numbers) {
            Ok(vector) => Ok(Some(vector)),
            Err(numbers) => {
                let what = format!("{name} needs 3 numbers, this one has {}", numbers.len());
                Err(Error::at(self.document.text, at.start, what))
            }
        }
    }
    /// An attribute as finite numbers; `None` if it is missing.
    pub(crate) fn numbers(self, name: &str) -> Result<Option<Vec<f64>>, Error> {
        let Some(at) = self.value(name)? else { return Ok(None) };
        self.numbers_at(name, at, usize::MAX).map(Some)
    }
    /// The numbers of a range; one more than `most` is an error.
    fn numbers_at(self, name: &str, at: Range<usize>, most: usize) -> Result<Vec<f64>, Error> {
        let text = self.document.text;
        let mut numbers = Vec::new();
        let mut next = at.start;
        while let Some(word) = text[next..at.end].split_ascii_whitespace().next() {
            let start = next + text[next..at.end].find(word).unwrap_or_default();
            if numbers.len() == most {
                return Err(Error::at(text, start, format!("{name} has more than {most} numbers")));
            }
            next = start + word.len();
            numbers.push(number::finite(text, start..next, name)?);
        }
        Ok(numbers)
    }
}

/// A range without the blanks at its ends.
fn trimmed(text: &str, at: Range<usize>) -> Range<usize> {
    let value = &text[at.clone()];
    let start = at.start + (value.len() - value.trim_start().len());
    start..start + value.trim().len()
}
