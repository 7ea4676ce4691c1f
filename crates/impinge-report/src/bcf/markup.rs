//! The file `markup.bcf` of a topic.
use super::{topic::Topic, version::BcfVersion};
use crate::xml_writer::XmlWriter;
use impinge_check::{baseline::TopicComment, values::Guid};
use std::io;

/// File names of a viewpoint and of its picture. Some programs do not show files of other names.
pub(super) const VIEWPOINT: &str = "viewpoint.bcfv";
pub(super) const SNAPSHOT: &str = "snapshot.png";

/// Writes the topic. Both versions have the same elements, but 3.0 puts lists into elements of their own, and
/// comments and viewpoints into the topic.
pub(super) fn document(
    topic: &Topic,
    author: &str,
    has_snapshot: bool,
    version: BcfVersion,
) -> io::Result<Vec<u8>> {
    let mut xml = XmlWriter::new(Vec::new())?;
    let of_topic =
        [("Guid", &*topic.guid.to_string()), ("TopicType", "Clash"), ("TopicStatus", &topic.status)];
    let is_new = version == BcfVersion::V3;
    xml.element("Markup", &[], |xml| {
        if !topic.files.is_empty() {
            xml.element("Header", &[], |xml| {
                list(xml, is_new.then_some("Files"), |xml| files(topic, version, xml))
            })?;
        }
        xml.element("Topic", &of_topic, |xml| {
            xml.text("Title", &topic.title)?;
            xml.text("Priority", &topic.priority)?;
            list(xml, is_new.then_some("Labels"), |xml| {
                let name = if is_new { "Label" } else { "Labels" };
                topic.labels.iter().try_for_each(|label| xml.text(name, label))
            })?;
            xml.text("CreationDate", &topic.created)?;
            xml.text("CreationAuthor", author)?;
            xml.text("Description", &topic.description)?;
            if is_new { comments_and_view(topic, has_snapshot, version, xml) } else { Ok(()) }
        })?;
        if is_new { Ok(()) } else { comments_and_view(topic, has_snapshot, version, xml) }
    })?;
    xml.finish()
}

fn files(topic: &Topic, version: BcfVersion, xml: &mut XmlWriter<Vec<u8>>) -> io::Result<()> {
    let is_external = if version == BcfVersion::V3 { "IsExternal" } else { "isExternal" };
    topic
        .files
        .iter()
        .try_for_each(|file| xml.element("File", &[(is_external, "true")], |xml| xml.text("Filename", file)))
}

fn comments_and_view(
    topic: &Topic,
    has_snapshot: bool,
    version: BcfVersion,
    xml: &mut XmlWriter<Vec<u8>>,
) -> io::Result<()> {
    let is_new = version == BcfVersion::V3;
    list(xml, is_new.then_some("Comments"), |xml| {
        // Some programs show a viewpoint only if a comment points at it.
        topic
            .comments
            .iter()
            .enumerate()
            .try_for_each(|(i, one)| comment(one, topic.view.filter(|_| i == 0), xml))
    })?;
    let Some(view) = topic.view else { return Ok(()) };
    list(xml, is_new.then_some("Viewpoints"), |xml| {
        let name = if is_new { "ViewPoint" } else { "Viewpoints" };
        xml.element(name, &[("Guid", &view.to_string())], |xml| {
            xml.text("Viewpoint", VIEWPOINT)?;
            if has_snapshot { xml.text("Snapshot", SNAPSHOT) } else { Ok(()) }
        })
    })
}

fn comment(comment: &TopicComment, view: Option<Guid>, xml: &mut XmlWriter<Vec<u8>>) -> io::Result<()> {
    xml.element("Comment", &[("Guid", &comment.guid.to_string())], |xml| {
        xml.text("Date", &comment.date)?;
        xml.text("Author", said(&comment.by))?;
        xml.text("Comment", said(&comment.text))?;
        match view {
            Some(view) => xml.empty("Viewpoint", &[("Guid", &view.to_string())]),
            None => Ok(()),
        }
    })
}

/// The text, or `-` for a blank one, which BCF 3.0 does not permit.
fn said(text: &str) -> &str {
    if text.trim().is_empty() { "-" } else { text }
}

/// Writes items, inside an element if `name` is its name.
fn list(
    xml: &mut XmlWriter<Vec<u8>>,
    name: Option<&str>,
    items: impl FnOnce(&mut XmlWriter<Vec<u8>>) -> io::Result<()>,
) -> io::Result<()> {
    match name {
        Some(name) => xml.element(name, &[], items),
        None => items(xml),
    }
}
