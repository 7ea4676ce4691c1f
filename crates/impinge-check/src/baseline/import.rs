//! Import of other programs' topics into a baseline.
use super::{
    decision::Decision, decision::DecisionKind, finding::KnownFinding, id::FindingId, status::Status,
    store::Baseline, topic::Topic, topic::TopicComment, topic_status::TopicStatus,
};
use crate::values::{date::Date, guid::Guid};
use std::{collections::HashMap, sync::Arc};

/// A topic of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedTopic {
    /// Its GUID.
    pub guid: Guid,
    /// The findings that it is about, besides the one whose GUID it has.
    pub members: Vec<FindingId>,
    /// The program's word for its status.
    pub status: Option<Arc<str>>,
    /// The author of its last change.
    pub by: Arc<str>,
    /// The day of its last change. A decision that is newer stays.
    pub date: Date,
    /// Its comments.
    pub comments: Vec<TopicComment>,
}

/// The outcome of the import of a topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TopicOutcome {
    /// The finding whose GUID the topic has; `None` if the baseline has no such finding, and the topic was
    /// ignored.
    pub finding: Option<FindingId>,
    /// Findings with a new decision.
    pub decided: u64,
    /// Findings whose decision was withdrawn.
    pub reopened: u64,
    /// Findings with a decision that is newer than the topic, which stays.
    pub outdated: u64,
    /// Comments that are new, or have another text.
    pub comments: u64,
    /// True if the word for the status is unknown. The baseline keeps it.
    pub is_status_unknown: bool,
}

impl Baseline {
    /// The baseline with the statuses and comments of topics, and the outcome of each topic. The GUID of a
    /// topic is that of its finding ([`FindingId::topic_guid`]). The baseline keeps words for a status as
    /// they are; [`TopicStatus`] defines their meaning. Cost: linear in findings and topics.
    ///
    /// `ReOpened` withdraws a decision. `Open` does not, as the topic may be older than the decision.
    #[must_use]
    pub fn import(&self, topics: &[ImportedTopic]) -> (Self, Vec<TopicOutcome>) {
        let mut next = self.clone();
        let place_of: HashMap<Guid, usize> =
            self.findings.iter().enumerate().map(|(i, finding)| (finding.id.topic_guid(), i)).collect();
        // The indices of each finding's comments, by their GUIDs.
        let mut kept: HashMap<usize, HashMap<Guid, usize>> = HashMap::new();
        let mut take = |topic: &ImportedTopic| {
            let Some(&place) = place_of.get(&topic.guid) else { return TopicOutcome::default() };
            let finding = &mut next.findings[place];
            let mut outcome = TopicOutcome { finding: Some(finding.id), ..TopicOutcome::default() };
            let comments = kept.entry(place).or_insert_with(|| finding.comments());
            outcome.comments = finding.keep(topic, comments);
            let status = topic.status.as_deref().map(TopicStatus::of_word);
            outcome.is_status_unknown = status == Some(None);
            let Some(Some(status)) = status else { return outcome };
            let mut members = topic.members.clone();
            members.push(finding.id);
            members.sort_unstable();
            members.dedup();
            for id in members {
                let Some(place) = next.place_of(id) else { continue };
                let finding = &mut next.findings[place];
                let is_newer = finding.last_decision().is_some_and(|date| date > topic.date);
                let changed = match status.decision() {
                    Some(kind) if finding.can_take(kind) => &mut outcome.decided,
                    None if status == TopicStatus::Reopened && finding.is_decided() => &mut outcome.reopened,
                    _ => continue,
                };
                if is_newer {
                    outcome.outdated += 1;
                    continue;
                }
                *changed += 1;
                match status.decision() {
                    Some(kind) => finding.take(kind, topic),
                    None => finding.withdraw(topic.date),
                }
            }
            outcome
        };
        let outcomes = topics.iter().map(&mut take).collect();
        for place in kept.into_keys() {
            if let Some(topic) = &mut next.findings[place].topic {
                topic.comments.sort();
            }
        }
        (next, outcomes)
    }
}

impl KnownFinding {
    /// The index of each comment by its GUID.
    fn comments(&self) -> HashMap<Guid, usize> {
        let mut places = HashMap::new();
        let comments = self.topic.iter().flat_map(|topic| &topic.comments);
        comments.enumerate().for_each(|(i, comment)| {
            places.entry(comment.guid).or_insert(i);
        });
        places
    }
    /// Keeps the word and the comments of a topic. Returns the number of comments that are new or changed.
    fn keep(&mut self, topic: &ImportedTopic, places: &mut HashMap<Guid, usize>) -> u64 {
        let own = self.id.own_comment_guid();
        let kept = self.topic.get_or_insert_with(Topic::default);
        if topic.status.is_some() {
            kept.status.clone_from(&topic.status);
        }
        let mut changed = 0;
        for comment in topic.comments.iter().filter(|comment| comment.guid != own) {
            let count = kept.comments.len();
            let place = *places.entry(comment.guid).or_insert(count);
            match kept.comments.get_mut(place) {
                Some(known) if known == comment => continue,
                Some(known) => known.clone_from(comment),
                None => kept.comments.push(comment.clone()),
            }
            changed += 1;
        }
        changed
    }
    fn is_decided(&self) -> bool {
        self.decision.as_ref().is_some_and(|decision| decision.lapsed.is_none())
    }
    /// The day of the last decision, or the day on which that decision lapsed.
    fn last_decision(&self) -> Option<Date> {
        let decision = self.decision.as_ref()?;
        Some(decision.lapsed.map_or(decision.date, |lapsed| lapsed.max(decision.date)))
    }
    fn can_take(&self, kind: DecisionKind) -> bool {
        self.standing != Status::Resolved && self.status() != kind.status()
    }
    fn take(&mut self, kind: DecisionKind, topic: &ImportedTopic) {
        let last = topic.comments.iter().filter(|comment| comment.guid != self.id.own_comment_guid()).max();
        let word = topic.status.as_deref().unwrap_or_default();
        let (reason, by) = match last {
            Some(comment) => (Arc::clone(&comment.text), Arc::clone(&comment.by)),
            None => (Arc::from(format!("its topic is '{word}'")), Arc::clone(&topic.by)),
        };
        let measures = self.measures.clone();
        self.decision =
            Some(Decision { kind, reason, by, date: topic.date, until: None, measures, lapsed: None });
    }
    fn withdraw(&mut self, date: Date) {
        if let Some(decision) = &mut self.decision {
            decision.lapsed = Some(date);
        }
        if self.standing != Status::Resolved {
            (self.standing, self.since) = (Status::Reopened, date);
        }
    }
}
