//! [`XmlWriter`]: elements of XML, with texts of files as text.
use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};
use std::{borrow::Cow, io};

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
    /// Writes an element whose content `inner` writes.
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
    pub(crate) fn empty(&mut self, name: &str, attributes: Attributes<'_>) -> io::Result<()> {
        self.0.write_event(Event::Empty(start(name, attributes)))
    }
    pub(crate) fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.text_with(name, &[], text)
    }
    pub(crate) fn text_with(&mut self, name: &str, attributes: Attributes<'_>, text: &str) -> io::Result<()> {
        self.0.write_event(Event::Start(start(name, attributes)))?;
        self.0.write_event(Event::Text(BytesText::new(&permitted(text))))?;
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }
    /// Ends the document and returns its output.
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

/// Replaces characters that XML cannot hold, and makes line ends those of XML.
fn permitted(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| is_xml(c) && c != '\r') {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(text.chars().map(|c| if is_xml(c) { c } else { char::REPLACEMENT_CHARACTER }).collect())
}

/// True if XML 1.0 can hold a character (section 2.2).
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::XmlWriter;

    #[test]
    fn names_are_no_markup() {
        let mut xml = XmlWriter::new(Vec::new()).unwrap();
        xml.text_with("a", &[("b", "<\"&\0")], "<a> & b\0\r\n]]>\u{ffff}").unwrap();
        let text = String::from_utf8(xml.finish().unwrap()).unwrap();
        let rest = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
        assert_eq!(rest, "<a b=\"&lt;&quot;&amp;\u{fffd}\">&lt;a&gt; &amp; b\u{fffd}\n]]&gt;\u{fffd}</a>\n");
    }
}
