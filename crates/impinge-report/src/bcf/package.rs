//! [`BcfPackage`]: the ZIP file with a folder for each topic.
use super::{
    markup::{self, SNAPSHOT, VIEWPOINT},
    topic::Topic,
    version::BcfVersion,
    view::Viewpoint,
};
use crate::{xml_writer::XmlWriter, zip_options};
use impinge_check::baseline::TopicStatus;
use std::{
    collections::BTreeSet,
    io::{self, Cursor, Write},
};
use zip::ZipWriter;

/// A package in memory, because some programs cannot read a ZIP file whose sizes follow the data.
pub(super) struct BcfPackage<'a> {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    version: BcfVersion,
    author: &'a str,
    /// Words of the topics, for the lists of BCF 3.0.
    statuses: BTreeSet<String>,
    priorities: BTreeSet<String>,
    labels: BTreeSet<String>,
    users: BTreeSet<String>,
}

impl<'a> BcfPackage<'a> {
    pub(super) fn new(version: BcfVersion, author: &'a str) -> io::Result<Self> {
        let mut package = Self {
            zip: ZipWriter::new(Cursor::new(Vec::new())),
            version,
            author,
            statuses: TopicStatus::ALL.map(|status| status.word().to_owned()).into(),
            priorities: BTreeSet::new(),
            labels: BTreeSet::new(),
            users: [author.to_owned()].into(),
        };
        let mut xml = XmlWriter::new(Vec::new())?;
        let id = [("VersionId", version.name())];
        match version {
            BcfVersion::V2 => {
                xml.element("Version", &id, |xml| xml.text("DetailedVersion", version.name()))?
            }
            BcfVersion::V3 => xml.empty("Version", &id)?,
        }
        package.file("bcf.version", &xml.finish()?)?;
        Ok(package)
    }
    pub(super) fn add(
        &mut self,
        topic: &Topic,
        view: Option<&Viewpoint>,
        picture: Option<&[u8]>,
    ) -> io::Result<()> {
        let markup = markup::document(topic, self.author, picture.is_some(), self.version)?;
        self.file(&format!("{}/markup.bcf", topic.guid), &markup)?;
        if let Some(view) = view {
            self.file(&format!("{}/{VIEWPOINT}", topic.guid), &view.document(self.version)?)?;
        }
        if let Some(picture) = picture {
            self.file(&format!("{}/{SNAPSHOT}", topic.guid), picture)?;
        }
        self.statuses.insert(topic.status.clone());
        self.priorities.insert(topic.priority.clone());
        self.labels.extend(topic.labels.iter().cloned());
        self.users.extend(topic.comments.iter().map(|comment| comment.by.trim().to_owned()));
        Ok(())
    }
    /// The bytes of the file.
    pub(super) fn finish(mut self) -> io::Result<Vec<u8>> {
        if self.version == BcfVersion::V3 {
            let extensions = self.extensions()?;
            self.file("extensions.xml", &extensions)?;
        }
        Ok(self.zip.finish()?.into_inner())
    }
    /// The file that lists the words of all topics.
    fn extensions(&self) -> io::Result<Vec<u8>> {
        let types: BTreeSet<String> = ["Clash".to_owned()].into();
        let lists = [
            ("TopicTypes", "TopicType", &types),
            ("TopicStatuses", "TopicStatus", &self.statuses),
            ("Priorities", "Priority", &self.priorities),
            ("TopicLabels", "TopicLabel", &self.labels),
            ("Users", "User", &self.users),
        ];
        let mut xml = XmlWriter::new(Vec::new())?;
        xml.element("Extensions", &[], |xml| {
            lists.into_iter().try_for_each(|(name, item, words)| {
                let mut words = words.iter().filter(|word| !word.is_empty());
                xml.element(name, &[], |xml| words.try_for_each(|word| xml.text(item, word)))
            })
        })?;
        xml.finish()
    }
    fn file(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.zip.start_file(name, zip_options::new())?;
        self.zip.write_all(bytes)
    }
}
