//! Reader of a baseline's text.
use super::{
    contact::KnownContact,
    decision::{Decision, DecisionKind},
    finding::KnownFinding,
    id::FindingId,
    lines::{
        CommentLine, ContactLine, DecisionLine, FindingLine, HeaderLine, MeasuresText, ShapeLine, TopicLine,
        VERSION,
    },
    status::Status,
    store::Baseline,
    topic::{Topic, TopicComment},
};
use crate::{
    identity::{PartIdentity, Place, ShapeMeasures},
    values::{date::Date, error::Error, guid::Guid, text::printable},
};
use serde::Deserialize;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// The contents of the lines so far.
#[derive(Default)]
struct Reader {
    baseline: Baseline,
    /// Line and part keys of each finding.
    open: Vec<(usize, Vec<Arc<str>>)>,
    /// Line and part keys of each contact.
    open_contacts: Vec<(usize, [Arc<str>; 2])>,
    place_of: HashMap<FindingId, usize>,
    decisions: Vec<(usize, FindingId, Decision)>,
    topics: Vec<(usize, FindingId, Topic)>,
    comments: Vec<(usize, FindingId, TopicComment)>,
    part_of: HashMap<Arc<str>, u32>,
    texts: HashSet<Arc<str>>,
}

impl Baseline {
    /// Reads the contents of a file. Errors contain its `name`. Cost: linear in the size.
    ///
    /// # Errors
    /// The first wrong line, as `NAME:LINE: reason`.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let fault =
            |line: usize, why: String| Error::new(format!("{}:{line}: {}", printable(name), printable(&why)));
        let mut lines = text.lines().zip(1..);
        let header = lines.next().map(|(line, _)| line).unwrap_or_default();
        let mut reader = Reader::default();
        reader.read_header(header).map_err(|why| fault(1, why))?;
        for (line, number) in lines {
            reader.read(line, number).map_err(|why| fault(number, why))?;
        }
        reader.finish().map_err(|(line, why)| fault(line, why))
    }
}

fn json<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        // The error begins with the line of the file; serde's own line is always 1.
        match text.rsplit_once(" at line 1 column ") {
            Some((why, column)) => format!("column {column}: {why}"),
            None => text,
        }
    })
}

fn date(text: &str) -> Result<Date, String> {
    text.parse().map_err(|error: Error| format!("'{text}': {error}"))
}

fn finite(values: &[Option<f64>]) -> Result<(), String> {
    // JSON has no infinity, but 1e999 is one.
    if values.iter().flatten().all(|x| x.is_finite()) {
        Ok(())
    } else {
        Err("a number is too large".to_owned())
    }
}

impl Reader {
    fn read_header(&mut self, line: &str) -> Result<(), String> {
        if line.trim().is_empty() || !line.starts_with('{') {
            return Err(format!(
                "not a baseline (the first line must be {{\"impinge_baseline\":{VERSION}}})"
            ));
        }
        let header: HeaderLine<'_> = json(line)?;
        self.baseline.has_groups = match header.impinge_baseline {
            1 => false,
            2..=VERSION => header.groups,
            other => {
                return Err(format!(
                    "version {other} of the format is not supported; this program reads versions 1 to {VERSION}"
                ));
            }
        };
        let unit = header.unit.map(|unit| unit.parse().map_err(|error| format!("unit '{unit}': {error}")));
        self.baseline.unit = unit.transpose()?;
        Ok(())
    }
    fn read(&mut self, line: &str, number: usize) -> Result<(), String> {
        let is = |key: &str| {
            line.strip_prefix("{\"")
                .and_then(|rest| rest.strip_prefix(key))
                .is_some_and(|rest| rest.starts_with('"'))
        };
        if is("id") {
            self.read_finding(json(line)?, number)
        } else if is("decision") {
            self.read_decision(&json(line)?, number)
        } else if is("topic") {
            let line: TopicLine<'_> = json(line)?;
            let id = line.topic.parse().map_err(|error: Error| error.to_string())?;
            let status = line.status.map(|status| self.text(&status));
            self.topics.push((number, id, Topic { status, ..Topic::default() }));
            Ok(())
        } else if is("comment") {
            self.read_comment(&json(line)?, number)
        } else if is("contact") {
            self.read_contact(&json(line)?, number)
        } else if is("shape") {
            self.read_parts(json(line)?)
        } else if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark)) {
            Err("a merge conflict that is not resolved".to_owned())
        } else {
            let first = "{\"id\", {\"decision\", {\"topic\", {\"comment\", {\"contact\" or {\"shape\"";
            Err(format!("not a line of a baseline (it must begin with {first})"))
        }
    }
    /// The shared copy of a text: equal texts share their memory.
    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&new));
        new
    }
    fn read_finding(&mut self, line: FindingLine<'_>, number: usize) -> Result<(), String> {
        let id: FindingId = line.id.parse().map_err(|error: Error| error.to_string())?;
        if !matches!(line.parts.len(), 1 | 2) || line.parts.first() == line.parts.get(1) {
            return Err("a finding has one part or two different ones".to_owned());
        }
        let standing = Status::of_name(&line.status)
            .filter(|status| !matches!(status, Status::Reviewed | Status::Approved))
            .ok_or_else(|| format!("unknown status '{}' (new, reopened, active or resolved)", line.status))?;
        if self.place_of.insert(id, self.open.len()).is_some() {
            return Err(format!("the finding {id} is there twice; keep one of the lines"));
        }
        let reference =
            line.reference.map(|reference| reference.read(|relation| self.text(relation))).transpose()?;
        let own = MeasuresText {
            relation: line.relation,
            volume: line.volume,
            depth: line.depth,
            distance: line.distance,
            volume_at_least: line.volume_at_least,
            depth_at_least: line.depth_at_least,
            distance_at_least: line.distance_at_least,
        };
        let measures = own.read(|relation| self.text(relation))?;
        let test = self.text(&line.test);
        let group = line.group.map(|group| group.parse()).transpose();
        let group = group.map_err(|error: Error| error.to_string())?;
        let keys = line.parts.iter().map(|key| self.text(key)).collect();
        self.open.push((number, keys));
        self.baseline.findings.push(KnownFinding {
            id,
            test,
            pair: [0; 2],
            reference: reference.unwrap_or_else(|| measures.clone()),
            measures,
            standing,
            first: date(&line.first)?,
            since: date(&line.since)?,
            not_examined: line.not_examined,
            group,
            decision: None,
            topic: None,
        });
        Ok(())
    }
    fn read_decision(&mut self, line: &DecisionLine<'_>, number: usize) -> Result<(), String> {
        let id: FindingId = line.decision.parse().map_err(|error: Error| error.to_string())?;
        let kind = [DecisionKind::Reviewed, DecisionKind::Approved]
            .into_iter()
            .find(|kind| kind.status().name() == line.status)
            .ok_or_else(|| {
                format!("unknown status '{}' of a decision (reviewed or approved)", line.status)
            })?;
        let optional = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(date).transpose();
        let measures = line.accepted.read(|relation| self.text(relation))?;
        let decision = Decision {
            kind,
            reason: self.text(&line.reason),
            by: self.text(&line.by),
            date: date(&line.date)?,
            until: optional(&line.until)?,
            measures,
            lapsed: optional(&line.lapsed)?,
        };
        self.decisions.push((number, id, decision));
        Ok(())
    }
    fn read_comment(&mut self, line: &CommentLine<'_>, number: usize) -> Result<(), String> {
        let id: FindingId = line.comment.parse().map_err(|error: Error| error.to_string())?;
        let guid = Guid::parse(&line.guid).ok_or_else(|| format!("'{}' is no GUID", line.guid))?;
        let [date, by, text] = [&line.date, &line.by, &line.text].map(|text| self.text(text));
        self.comments.push((number, id, TopicComment { date, by, text, guid }));
        Ok(())
    }
    fn read_contact(&mut self, line: &ContactLine<'_>, number: usize) -> Result<(), String> {
        let keys = line.contact.each_ref().map(|key| self.text(key));
        if keys[0] == keys[1] {
            return Err("a contact has two different parts".to_owned());
        }
        self.open_contacts.push((number, keys));
        let test = self.text(&line.test);
        self.baseline.contacts.push(KnownContact { test, pair: [0; 2] });
        Ok(())
    }
    fn read_parts(&mut self, line: ShapeLine<'_>) -> Result<(), String> {
        let own = line.shape;
        let hash =
            Some(&own.hash).filter(|hash| hash.len() == 16 && hash.bytes().all(|c| c.is_ascii_hexdigit()));
        let hash = hash.and_then(|hash| u64::from_str_radix(hash, 16).ok());
        let Some(hash) = hash else { return Err("the hash of a shape has 16 hexadecimal digits".to_owned()) };
        let [a, b, c] = own.spread;
        finite(&[own.area, own.volume, a, b, c].map(Some))?;
        let shape = ShapeMeasures {
            points: own.points,
            triangles: own.triangles,
            hash,
            area: own.area,
            volume: own.volume,
            spread: own.spread,
        };
        let (name, file) = (self.text(&line.name), self.text(&line.file));
        let class = line.class.map(|class| self.text(&class));
        for part in line.at {
            let numbers = part.place.iter().chain(part.turn.as_flattened());
            finite(&numbers.map(|x| Some(*x)).collect::<Vec<_>>())?;
            let key = part.key.map(|key| self.text(&key));
            if let Some(key) = &key
                && self.part_of.insert(Arc::clone(key), self.baseline.parts.len() as u32).is_some()
            {
                return Err(format!("the part '{key}' is there twice; keep one of them"));
            }
            self.baseline.keys.push(key);
            self.baseline.missing.push(line.missing);
            let guid = part.guid.map(|guid| self.text(&guid));
            let path = part.path.map(|path| self.text(&path));
            self.baseline.parts.push(PartIdentity {
                guid,
                path,
                name: Arc::clone(&name),
                file: Arc::clone(&file),
                class: class.clone(),
                shape,
                place: Place { centroid: part.place, turn: part.turn },
            });
        }
        Ok(())
    }
    /// Resolves the references between lines.
    fn finish(mut self) -> Result<Baseline, (usize, String)> {
        let of_findings = self.open.iter().map(|(line, keys)| (*line, [&keys[0], &keys[keys.len() - 1]]));
        let of_contacts = self.open_contacts.iter().map(|(line, keys)| (*line, keys.each_ref()));
        let pairs = self.baseline.findings.iter_mut().map(|finding| &mut finding.pair);
        let pairs = pairs.chain(self.baseline.contacts.iter_mut().map(|contact| &mut contact.pair));
        for (pair, (line, keys)) in pairs.zip(of_findings.chain(of_contacts)) {
            for (to, key) in pair.iter_mut().zip(keys) {
                let part = self.part_of.get(key).copied();
                *to = part.ok_or_else(|| (line, format!("no line has the part '{key}'")))?;
            }
        }
        for (line, id, decision) in self.decisions {
            let place = self.place_of.get(&id).copied();
            let place =
                place.ok_or_else(|| (line, format!("no line has the finding {id} of this decision")))?;
            if self.baseline.findings[place].decision.replace(decision).is_some() {
                return Err((line, format!("the finding {id} has two decisions; keep one of the lines")));
            }
        }
        for (line, id, topic) in self.topics {
            let place = self.place_of.get(&id).copied();
            let place = place.ok_or_else(|| (line, format!("no line has the finding {id} of this topic")))?;
            if self.baseline.findings[place].topic.replace(topic).is_some() {
                return Err((line, format!("the finding {id} has two topics; keep one of the lines")));
            }
        }
        let mut seen = HashSet::new();
        for (line, id, comment) in self.comments {
            let finding = self.place_of.get(&id).map(|&place| &mut self.baseline.findings[place]);
            let topic = finding.and_then(|finding| finding.topic.as_mut());
            let topic = topic.ok_or_else(|| (line, format!("no line has the topic {id} of this comment")))?;
            if !seen.insert((id, comment.guid)) {
                let guid = comment.guid;
                return Err((line, format!("the comment {guid} is there twice; keep one of the lines")));
            }
            topic.comments.push(comment);
        }
        let topics = self.baseline.findings.iter_mut().filter_map(|finding| finding.topic.as_mut());
        topics.for_each(|topic| topic.comments.sort());
        Ok(self.baseline.arranged())
    }
}
