//! [`XmlWriter`]: elements of XML, with texts of files as text.
use crate::xml::permitted;
use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};
use std::io;

/// Writes a document, indented.
pub(crate) struct XmlWriter<W>(Writer<W>);

/// Names and values of an element's attributes.
type Attributes<'a> = &'a [(&'a str, &'a str)];

impl<W: io::Write> XmlWriter<W> {
    pub(crate) fn new(out: W) -> io::Result<Self> {
        let mut writer = Writer::new_with_indent(out, b' ', 2);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        Ok(Self(writer))
    }
    /// An element with what `inner` writes.
    pub(crate) fn element(
        &mut self,
        name: &str,
        attributes: Attributes<'_>,
        inner: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0.write_event(Event::Start(start(name, attributes)))?;
        inner(self)?;
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }
    /// An element without contents.
    pub(crate) fn empty(&mut self, name: &str, attributes: Attributes<'_>) -> io::Result<()> {
        self.0.write_event(Event::Empty(start(name, attributes)))
    }
    /// An element with a text.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.0.write_event(Event::Start(start(name, &[])))?;
        self.0.write_event(Event::Text(BytesText::new(&permitted(text))))?;
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }
    /// What the document was written to.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.0.get_mut().write_all(b"\n")?;
        Ok(self.0.into_inner())
    }
}

fn start<'a>(name: &'a str, attributes: Attributes<'_>) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for &(name, value) in attributes {
        start.push_attribute((name, &*permitted(value)));
    }
    start
}
