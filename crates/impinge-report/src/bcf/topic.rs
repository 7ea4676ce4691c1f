//! [`Topic`], the data of a group of findings in BCF.
use crate::{
    case_text::CaseText,
    cases::Case,
    groups::{finding_word, parts},
    known::KnownNames,
};
use impinge_check::{
    Date, Report, Rules,
    baseline::{Baseline, FindingId, KnownFinding, Status, TopicComment, TopicStatus},
    report::Group,
    values::{
        Guid,
        numbers::{count, grouped},
        text::printable,
    },
};
use std::fmt::Write as _;

/// A topic: one group of findings, or a finding that is resolved.
pub(super) struct Topic {
    pub(super) guid: Guid,
    pub(super) title: String,
    pub(super) status: String,
    pub(super) priority: String,
    pub(super) labels: Vec<String>,
    /// A date with a time.
    pub(super) created: String,
    pub(super) description: String,
    /// The report's own comment comes first, and points at the viewpoint.
    pub(super) comments: Vec<TopicComment>,
    /// Names of the files of the gravest finding's parts.
    pub(super) files: Vec<String>,
    /// The GUID of its viewpoint, if it has one.
    pub(super) view: Option<Guid>,
}

/// Maximum number of findings that a description describes; it lists only the ids of the others.
const DESCRIBED: usize = 100;

/// Makes the topics of a report.
pub(super) struct Topics<'a> {
    report: &'a Report,
    baseline: Option<&'a Baseline>,
    date: Date,
    author: &'a str,
    /// Rules for a check without any.
    own_rules: Rules,
    texts: CaseText<'a>,
    ids: Vec<FindingId>,
}

impl<'a> Topics<'a> {
    pub(super) fn new(
        report: &'a Report,
        baseline: Option<&'a Baseline>,
        date: Date,
        author: &'a str,
    ) -> Self {
        let (own_rules, texts, ids) = (Rules::new(), CaseText::new(report), report.finding_ids());
        Self { report, baseline, date, author, own_rules, texts, ids }
    }
    pub(super) fn rules(&self) -> &Rules {
        self.report.rules().unwrap_or(&self.own_rules)
    }
    fn known(&self, id: FindingId) -> Option<&'a KnownFinding> {
        self.baseline?.finding(id)
    }
    /// Topic of a group. Its GUID follows from the id of one finding: the least id with a topic in the
    /// baseline, else the least id.
    pub(super) fn of(&self, group: &Group) -> Topic {
        let case = Case::of_group(group);
        let ids = || group.findings.iter().map(|&i| self.ids[i as usize]);
        let with_topic = ids().filter(|id| self.known(*id).is_some_and(|known| known.topic.is_some())).min();
        let id = with_topic.or_else(|| ids().min()).unwrap_or(self.ids[0]);
        let known = self.known(id);
        let gravest = case.gravest(self.report);
        let number = group.findings.len();
        let mut title = self.texts.name(&case);
        if number > 1 {
            let _ = write!(title, ", {} times", grouped(number as u64));
        }
        let test = &self.report.tests()[group.test as usize];
        let mut labels = vec![printable(&test.name), finding_word(gravest.kind).to_owned()];
        labels.extend(self.storeys(group.findings[0]));
        labels.retain(|label| !label.trim().is_empty());
        labels.dedup();
        let size = self.texts.size(&case.size, &gravest, number > 1);
        let between = if size.is_empty() { "" } else { ": " };
        let summary = format!("{}{between}{size}", count(number as u64, "finding"));
        let date = known.map_or(self.date, |known| known.first);
        let view = Guid::of("impinge viewpoint", &id.to_string());
        let own = TopicComment {
            date: time(self.date).into(),
            by: self.author.into(),
            text: summary.as_str().into(),
            guid: id.own_comment_guid(),
        };
        Topic {
            guid: id.topic_guid(),
            title,
            status: self.word(self.status(group), known),
            priority: capitalised(test.severity.name()),
            labels,
            created: time(date),
            description: self.description(group, &summary),
            comments: [own].into_iter().chain(kept(known)).collect(),
            files: self.files(group),
            view: Some(view),
        }
    }
    /// Topics of the resolved findings of the baseline that had one: the check examined them and found none.
    pub(super) fn resolved(&self) -> impl Iterator<Item = Topic> {
        let names = self.baseline.map(KnownNames::new);
        let findings = self.baseline.iter().flat_map(|baseline| baseline.findings());
        let is_resolved = |known: &&KnownFinding| known.status() == Status::Resolved && known.topic.is_some();
        findings.filter(is_resolved).map(move |known| Topic {
            guid: known.id.topic_guid(),
            title: format!(
                "{}: resolved",
                names.iter().flat_map(|names| names.parts(known)).collect::<Vec<_>>().join(", ")
            ),
            status: self.word(Status::Resolved, Some(known)),
            priority: "Low".to_owned(),
            labels: vec![printable(&known.test)],
            created: time(known.first),
            description: format!("The check of {} does not find it.\n{}", known.since, known.id),
            comments: kept(Some(known)).collect(),
            files: Vec::new(),
            view: None,
        })
    }
    fn word(&self, status: Status, known: Option<&KnownFinding>) -> String {
        let kept = known.and_then(|known| known.topic.as_ref()).and_then(|topic| topic.status.as_deref());
        let word = TopicStatus::word_for(status, kept).trim();
        if word.is_empty() { TopicStatus::of(status).word() } else { word }.to_owned()
    }
    /// Status of the finding of the group for which most is left to do.
    fn status(&self, group: &Group) -> Status {
        let each = group.findings.iter().filter_map(|&i| self.report.status(i as usize));
        each.map(|seen| seen.status).min().unwrap_or(Status::New)
    }
    /// The storeys of a finding's parts, as their files state them.
    fn storeys(&self, i: u32) -> Vec<String> {
        let Some(assembly) = self.report.assembly() else { return Vec::new() };
        let parts = self.report.findings()[i as usize].parts();
        let fields = parts.iter().map(|&part| self.rules().fields(&assembly.parts[part as usize]));
        let storeys = fields.filter_map(|fields| Some(printable(&fields.get("storey")?.text())));
        let mut storeys: Vec<String> = storeys.collect();
        storeys.dedup();
        storeys
    }
    fn description(&self, group: &Group, summary: &str) -> String {
        let report = self.report;
        let mut text = format!("{summary}\nTest: {}. ", printable(&report.tests()[group.test as usize].name));
        let _ = match report.unit() {
            Some(unit) => writeln!(text, "Coordinates are in {}.", unit.symbol()),
            None => writeln!(text, "The files state no unit: the camera takes coordinates as metres."),
        };
        let (described, others) = group.findings.split_at(group.findings.len().min(DESCRIBED));
        for &i in described {
            let _ = writeln!(text, "{}: {}", self.ids[i as usize], self.texts.line(i));
        }
        if !others.is_empty() {
            let _ = write!(text, "{} more:", grouped(others.len() as u64));
            for &i in others {
                let _ = write!(text, " {}", self.ids[i as usize]);
            }
            text.push('\n');
        }
        let files = self.texts.files(described);
        if !files.is_empty() {
            let _ = writeln!(text, "Files: {}", files.join(", "));
        }
        text.truncate(text.trim_end().len());
        text
    }
    /// Names of the files of a group's gravest finding, without folders.
    fn files(&self, group: &Group) -> Vec<String> {
        let finding = &self.report.findings()[group.findings[0] as usize];
        let mut files = Vec::new();
        for part in parts(self.report, finding).into_iter().flatten() {
            let name = self.report.part(part).file().file_name().unwrap_or_default();
            let name = printable(&name.to_string_lossy());
            if !name.trim().is_empty() && !files.contains(&name) {
                files.push(name);
            }
        }
        files
    }
}

/// The comments of other programs.
fn kept(known: Option<&KnownFinding>) -> impl Iterator<Item = TopicComment> {
    let topic = known.and_then(|known| known.topic.as_ref());
    topic.into_iter().flat_map(|topic| topic.comments.iter().cloned())
}

/// The first moment of a day.
pub(super) fn time(date: impinge_check::Date) -> String {
    format!("{date}T00:00:00Z")
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
