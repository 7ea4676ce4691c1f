//! Writer of a baseline's text.
use super::{
    decision::Decision,
    finding::KnownFinding,
    id::FindingId,
    lines::{
        CommentLine, ContactLine, DecisionLine, FindingLine, HeaderLine, MeasuresText, PartText, ShapeLine,
        ShapeText, TopicLine, VERSION,
    },
    store::Baseline,
    topic::Topic,
};
use crate::{
    identity::PartIdentity,
    values::{error::Error, text::VisibleJson},
};
use serde::Serialize;
use std::{
    borrow::Cow,
    cmp::Ordering,
    io::{self, Write},
};

impl Baseline {
    /// The contents of its file. Equal baselines have equal bytes.
    pub fn to_text(&self) -> String {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail, and JSON is UTF-8.
        let _ = self.write_lines(&mut bytes);
        String::from_utf8(bytes).unwrap_or_default()
    }
    /// Writes the contents of its file.
    ///
    /// # Errors
    /// The writer fails.
    pub fn write(&self, mut to: impl Write) -> Result<(), Error> {
        self.write_lines(&mut to).map_err(|error| Error::new(error.to_string()))
    }

    fn write_lines(&self, to: &mut impl Write) -> io::Result<()> {
        let unit = self.unit.map(|unit| unit.symbol().into());
        line(to, &HeaderLine { impinge_baseline: VERSION, unit, groups: self.has_groups })?;
        for finding in &self.findings {
            self.write_finding(to, finding)?;
            if let Some(decision) = &finding.decision {
                write_decision(to, finding.id, decision)?;
            }
            if let Some(topic) = &finding.topic {
                write_topic(to, finding.id, topic)?;
            }
        }
        for contact in &self.contacts {
            let text = ContactLine {
                contact: contact.pair.map(|i| Cow::Borrowed(self.key(i).unwrap_or_default())),
                test: Cow::Borrowed(&contact.test),
                names: contact.pair.iter().map(|&i| Cow::Borrowed(&*self.parts[i as usize].name)).collect(),
            };
            line(to, &text)?;
        }
        let mut order: Vec<u32> = (0..self.parts.len() as u32).collect();
        // The sort is stable: parts of one group keep the order of their places.
        order.sort_by(|&i, &j| self.group_order(i, j));
        for group in order.chunk_by(|&i, &j| self.group_order(i, j) == Ordering::Equal) {
            self.write_group(to, group)?;
        }
        Ok(())
    }
    fn write_finding(&self, to: &mut impl Write, finding: &KnownFinding) -> io::Result<()> {
        let parts = finding.parts();
        let reference = Some(&finding.reference).filter(|reference| **reference != finding.measures);
        let own = MeasuresText::of(&finding.measures);
        let text = FindingLine {
            id: finding.id.to_string().into(),
            test: Cow::Borrowed(&finding.test),
            parts: parts.iter().map(|&i| Cow::Borrowed(self.key(i).unwrap_or_default())).collect(),
            names: parts.iter().map(|&i| Cow::Borrowed(&*self.parts[i as usize].name)).collect(),
            relation: own.relation,
            volume: own.volume,
            depth: own.depth,
            distance: own.distance,
            volume_at_least: own.volume_at_least,
            depth_at_least: own.depth_at_least,
            distance_at_least: own.distance_at_least,
            status: finding.standing.name().into(),
            first: finding.first.to_string().into(),
            since: finding.since.to_string().into(),
            group: finding.group.map(|group| group.to_string().into()),
            not_examined: finding.not_examined,
            reference: reference.map(MeasuresText::of),
        };
        line(to, &text)
    }
    fn write_group(&self, to: &mut impl Write, group: &[u32]) -> io::Result<()> {
        let first = &self.parts[group[0] as usize];
        let shape = &first.shape;
        let part = |&i: &u32| {
            let part = &self.parts[i as usize];
            PartText {
                key: self.key(i).map(Cow::Borrowed),
                guid: part.guid.as_deref().map(Cow::Borrowed),
                path: part.path.as_deref().map(Cow::Borrowed),
                place: part.place.centroid,
                turn: part.place.turn,
            }
        };
        let text = ShapeLine {
            shape: ShapeText {
                points: shape.points,
                triangles: shape.triangles,
                hash: format!("{:016x}", shape.hash).into(),
                area: shape.area,
                volume: shape.volume,
                spread: shape.spread,
            },
            name: Cow::Borrowed(&first.name),
            file: Cow::Borrowed(&first.file),
            class: first.class.as_deref().map(Cow::Borrowed),
            missing: self.missing[group[0] as usize],
            at: group.iter().map(part).collect(),
        };
        line(to, &text)
    }
    /// Compares the properties that the parts of one line share.
    fn group_order(&self, i: u32, j: u32) -> Ordering {
        let of = |i: u32| {
            let PartIdentity { name, file, class, shape, .. } = &self.parts[i as usize];
            (name, file, class, shape.points, shape.triangles, shape.hash, self.missing[i as usize])
        };
        let numbers = |i: u32| {
            let shape = &self.parts[i as usize].shape;
            let [a, b, c] = shape.spread;
            [shape.area, shape.volume, a, b, c].map(f64::to_bits)
        };
        of(i).cmp(&of(j)).then_with(|| numbers(i).cmp(&numbers(j)))
    }
}

fn write_topic(to: &mut impl Write, id: FindingId, topic: &Topic) -> io::Result<()> {
    line(
        to,
        &TopicLine { topic: id.to_string().into(), status: topic.status.as_deref().map(Cow::Borrowed) },
    )?;
    for comment in &topic.comments {
        let text = CommentLine {
            comment: id.to_string().into(),
            guid: comment.guid.to_string().into(),
            date: Cow::Borrowed(&comment.date),
            by: Cow::Borrowed(&comment.by),
            text: Cow::Borrowed(&comment.text),
        };
        line(to, &text)?;
    }
    Ok(())
}

fn write_decision(to: &mut impl Write, id: FindingId, decision: &Decision) -> io::Result<()> {
    let text = DecisionLine {
        decision: id.to_string().into(),
        status: decision.kind.status().name().into(),
        reason: Cow::Borrowed(&decision.reason),
        by: Cow::Borrowed(&decision.by),
        date: decision.date.to_string().into(),
        until: decision.until.map(|date| date.to_string().into()),
        lapsed: decision.lapsed.map(|date| date.to_string().into()),
        accepted: MeasuresText::of(&decision.measures),
    };
    line(to, &text)
}

fn line(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(VisibleJson::new(&mut *to), value)?;
    to.write_all(b"\n")
}
