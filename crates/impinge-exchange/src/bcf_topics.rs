//! [`BcfTopics`]: the topics of a BCF file with their statuses and comments.
use crate::{
    bcf_package,
    error::Error,
    xml::{self, Node, value},
};
use impinge_check::{
    Date,
    baseline::{FindingId, ImportedTopic, TopicComment},
    values::Guid,
};
use std::{collections::HashSet, sync::Arc};

/// The topics of a BCF file, of version 1 to 3.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BcfTopics {
    /// The version that the file states, or that follows from its shape: `1.0`, `2.0`, `2.1`, `3.0`.
    pub version: String,
    /// The topics, in the order of the file.
    pub topics: Vec<BcfTopic>,
}

/// A topic of a BCF file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BcfTopic {
    /// Its GUID; `None` if it has none, or an invalid one.
    pub guid: Option<Guid>,
    /// Its title, or the first line of its first comment.
    pub title: String,
    /// The word for its status, unchanged; in BCF 1 that of the last comment with one.
    pub status: Option<String>,
    /// Its description.
    pub description: String,
    /// Author of its last change, else of its last comment, else of the topic.
    pub by: String,
    /// Date of its last change or comment, unchanged.
    pub changed: String,
    /// Its comments, in the order of the file.
    pub comments: Vec<BcfComment>,
}

/// A comment on a topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BcfComment {
    /// Its GUID; `None` if it has none, or an invalid one.
    pub guid: Option<Guid>,
    /// Its date.
    pub date: String,
    /// Its author.
    pub by: String,
    /// Its text.
    pub text: String,
}

impl BcfTopics {
    /// Reads a BCF file. `name` names it in errors. Without a stated version, the shape decides it.
    ///
    /// # Errors
    /// It is no BCF file, or is broken: the error names the place.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Self, Error> {
        parse(bytes).map_err(|error| error.of_file(name))
    }
}

impl BcfTopic {
    /// The topic for a baseline. Without a date of its own, it has that of `today`. `None` without a GUID.
    pub fn imported(&self, today: Date) -> Option<ImportedTopic> {
        let guid = self.guid?;
        let date = self.changed.get(..10).and_then(|day| day.parse().ok()).unwrap_or(today);
        let comment = |(i, comment): (usize, &BcfComment)| {
            let BcfComment { guid: own, date: when, by, text } = comment;
            let is_date = is_date_time(when);
            TopicComment {
                date: if is_date { Arc::from(&**when) } else { format!("{date}T00:00:00Z").into() },
                by: or_unknown(by),
                text: Arc::from(&**text),
                guid: own.unwrap_or_else(|| Guid::of(&guid.to_string(), &format!("{i} {by} {text}"))),
            }
        };
        let said = self.comments.iter().enumerate().filter(|(_, comment)| !comment.text.is_empty());
        Some(ImportedTopic {
            guid,
            members: ids(&self.description),
            status: self.status.as_deref().filter(|word| !word.trim().is_empty()).map(Arc::from),
            by: or_unknown(&self.by),
            date,
            comments: said.map(comment).collect(),
        })
    }
}

fn or_unknown(name: &str) -> Arc<str> {
    Arc::from(if name.trim().is_empty() { "unknown" } else { name })
}

/// The ids of findings in a text: words of 16 hexadecimal digits.
pub(crate) fn ids(text: &str) -> Vec<FindingId> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.len() == 16).filter_map(|word| word.parse().ok()).collect()
}

/// True if a text is a date with a time in the format of XML: `2027-03-01T12:00:00`, perhaps with parts of a
/// second and a time zone.
fn is_date_time(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let number = |text: &str, most: u8| {
        text.len() == 2 && digits(text) && text.parse::<u8>().is_ok_and(|number| number <= most)
    };
    let is_clock = |text: &str| {
        let mut parts = text.split(':');
        let [hour, minute, rest] = [parts.next(), parts.next(), parts.next()].map(Option::unwrap_or_default);
        let (second, part) = rest.split_once('.').unwrap_or((rest, "0"));
        parts.next().is_none() && number(hour, 23) && number(minute, 59) && number(second, 59) && digits(part)
    };
    let is_zone = |text: &str| match text.split_once(':') {
        Some((hour, minute)) => number(hour, 13) && number(minute, 59),
        None => false,
    };
    let Some((day, clock)) = text.split_once('T') else { return false };
    let is_day = day.parse::<Date>().is_ok() && !day.starts_with("0000");
    let is_time = match clock.strip_suffix('Z') {
        Some(clock) => is_clock(clock),
        None => match clock.rfind(['+', '-']) {
            Some(place) => is_clock(&clock[..place]) && is_zone(&clock[place + 1..]),
            None => is_clock(clock),
        },
    };
    is_day && is_time
}

/// Signs of the version of a package.
#[derive(Default)]
struct Shape {
    stated: Option<String>,
    /// A file, or an element of a topic, that only 3.0 has.
    is_3: bool,
    /// A topic with attributes that 1 does not have.
    is_2: bool,
}

fn parse(bytes: &[u8]) -> Result<BcfTopics, Error> {
    let mut shape = Shape::default();
    let mut topics: Vec<BcfTopic> = Vec::new();
    let mut folders = HashSet::new();
    let is_wanted = |name: &str| matches!(name, "markup.bcf" | "bcf.version" | "extensions.xml");
    bcf_package::read(bytes, is_wanted, |entry| match (entry.folder, entry.name) {
        ("", "bcf.version") => xml::read(entry.text, |_, node| {
            if let Node::Start(attributes) = node {
                shape.stated =
                    shape.stated.take().or_else(|| value(attributes, "VersionId").map(str::to_owned));
            }
            Ok(())
        }),
        ("", "extensions.xml") => {
            shape.is_3 = true;
            Ok(())
        }
        (folder, "markup.bcf") => {
            if !folders.insert(folder.to_owned()) {
                return Err(Error::new("is there twice"));
            }
            topics.push(markup(entry.folder, entry.text, &mut shape)?);
            Ok(())
        }
        _ => Ok(()),
    })?;
    if topics.is_empty() && shape.stated.is_none() {
        return Err(Error::new("is no BCF package: no folder has a markup.bcf"));
    }
    let by_shape = if shape.is_3 {
        "3.0"
    } else if shape.is_2 {
        "2.1"
    } else {
        "1.0"
    };
    Ok(BcfTopics { version: shape.stated.unwrap_or_else(|| by_shape.to_owned()), topics })
}

fn markup(folder: &str, text: &[u8], shape: &mut Shape) -> Result<BcfTopic, Error> {
    let mut topic = BcfTopic::default();
    let mut dates: Vec<String> = Vec::new();
    // BCF 1 has a program's word (`VerbalStatus`), and a degree of severity (`Status`).
    let mut of_comments: [Option<String>; 2] = [None, None];
    let (mut author, mut editor) = (None, None);
    xml::read(text, |path, node| {
        let [.., parent, name] = path else { return Ok(()) };
        match (parent.as_str(), name.as_str(), node) {
            // A comment of BCF 1 names its topic, too.
            ("Markup", "Topic", Node::Start(attributes)) => {
                topic.guid = value(attributes, "Guid").and_then(Guid::parse);
                topic.status = value(attributes, "TopicStatus").map(str::to_owned);
                shape.is_2 |= topic.status.is_some() || value(attributes, "TopicType").is_some();
            }
            ("Topic", "Comments" | "Viewpoints", Node::Start(_)) => shape.is_3 = true,
            ("Topic", "Title", Node::Text(text)) => text.clone_into(&mut topic.title),
            ("Topic", "Description", Node::Text(text)) => text.clone_into(&mut topic.description),
            ("Topic", "CreationAuthor", Node::Text(text)) => author = Some(text.to_owned()),
            ("Topic", "ModifiedAuthor", Node::Text(text)) => editor = Some(text.to_owned()),
            ("Topic", "CreationDate" | "ModifiedDate", Node::Text(text)) => dates.push(text.to_owned()),
            ("Topic", "TopicStatus", Node::Text(text)) => topic.status = Some(text.to_owned()),
            ("Markup" | "Comments", "Comment", Node::Start(attributes)) => {
                let guid = value(attributes, "Guid").and_then(Guid::parse);
                topic.comments.push(BcfComment { guid, ..BcfComment::default() });
            }
            ("Comment", field, Node::Text(text)) => {
                let Some(comment) = topic.comments.last_mut() else { return Ok(()) };
                match field {
                    "Date" => {
                        dates.push(text.to_owned());
                        text.clone_into(&mut comment.date);
                    }
                    "ModifiedDate" => dates.push(text.to_owned()),
                    "Author" => text.clone_into(&mut comment.by),
                    "Comment" => text.clone_into(&mut comment.text),
                    "VerbalStatus" => of_comments[0] = Some(text.to_owned()),
                    "Status" => of_comments[1] = Some(text.to_owned()),
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    let [word, degree] = of_comments;
    topic.status = topic.status.or(word).or(degree);
    topic.guid = topic.guid.or_else(|| Guid::parse(folder.rsplit('/').next().unwrap_or_default()));
    let last = topic.comments.iter().max_by(|a, b| a.date.cmp(&b.date)).map(|comment| comment.by.clone());
    topic.by = editor.or(last).or(author).unwrap_or_default();
    if topic.title.is_empty() {
        let first = topic.comments.iter().find_map(|comment| comment.text.lines().next());
        topic.title = first.unwrap_or(folder).to_owned();
    }
    // The order of these texts is that of their days, and only the day is used.
    topic.changed = dates.into_iter().max().unwrap_or_default();
    Ok(topic)
}

#[cfg(test)]
mod tests {
    use super::is_date_time;

    #[test]
    fn dates_with_times() {
        for good in [
            "2027-03-01T12:00:00",
            "2027-03-01T12:00:00Z",
            "2015-03-12T14:50:32.1358043Z",
            "2027-03-01T12:00:00.5+01:00",
            "2027-03-01T12:00:00-05:30",
        ] {
            assert!(is_date_time(good), "{good}");
        }
        for bad in [
            "",
            "2027-03-01",
            "2027-02-30T12:00:00Z",
            "2027-03-01T25:00:00Z",
            "2027-03-01T12:00Z",
            "2027-03-01T12:00:00.Z",
            "2027-03-01T12:00:00+1",
            "2027-03-01T12:00:00é",
            "2027-03-01T12:00:00:00",
            "0000-03-01T12:00:00Z",
        ] {
            assert!(!is_date_time(bad), "{bad}");
        }
    }
}
