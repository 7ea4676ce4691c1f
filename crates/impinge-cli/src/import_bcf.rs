//! `impinge import-bcf`: statuses and comments of BCF files into a baseline.
use crate::{args, baseline::existing, output::Sink, today::today};
use anyhow::Context;
use clap::Args;
use impinge_check::{
    baseline::{ImportedTopic, TopicOutcome},
    files,
    values::{
        numbers::{count, count_of},
        text::printable,
    },
};
use impinge_exchange::{BcfTopic, BcfTopics};
use std::path::PathBuf;

const BRIEF: &str = "\
Examples:
  impinge import-bcf reviewed.bcf --baseline b.jsonl";

const EXAMPLES: &str = "\
Examples:
  impinge check house.obj --baseline b.jsonl --update-baseline -o issues.bcf
  impinge import-bcf reviewed.bcf --baseline b.jsonl    after others have edited issues.bcf
  impinge check house.obj --baseline b.jsonl            what was closed there counts no more

What a status decides, in whichever case and in five languages; other words are kept:
  Closed, Approved, Accepted     the finding is approved
  In Progress, Reviewed          it is reviewed
  ReOpened                       the decision about it is withdrawn
  Open, New, Active, Resolved    nothing: the check itself finds what is resolved
A decision of the baseline that is newer than the topic stays.

Exit status: 0 done, 2 a file cannot be used: nothing is changed then.";

/// Read statuses and comments of BCF files into a baseline
///
/// BCF may have any version from 1 to 3.0. Topics that `impinge check -o FILE.bcf` wrote are found by their
/// GUID, whatever their title is now. Other topics are counted and named.
#[derive(Args)]
#[command(after_help = BRIEF, after_long_help = EXAMPLES)]
pub(crate) struct ImportBcf {
    /// BCF files, the oldest first
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Change this baseline
    ///
    /// It is replaced as a whole or not at all.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    baseline: PathBuf,

    /// Name at most N topics of other programs, 0 for all
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Output")]
    limit: usize,

    #[command(flatten)]
    reading: args::Reading,
}

impl ImportBcf {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let read = |path: &PathBuf| {
            let name = path.display().to_string();
            let bytes = files::any(path, self.reading.most_bytes()).with_context(|| name.clone())?;
            let topics = BcfTopics::parse(&bytes, &name)?;
            anyhow::Ok((name, topics))
        };
        // Before others must wait.
        let all = self.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let (file, before) = existing(&self.baseline)?;
        let mut next = before.clone();
        let mut text = String::new();
        for (name, read) in &all {
            let (with_guid, imported): (Vec<&BcfTopic>, Vec<ImportedTopic>) =
                read.topics.iter().filter_map(|topic| Some((topic, topic.imported(today())?))).unzip();
            let (changed, outcomes) = next.import(&imported);
            next = changed;
            let mut others: Vec<&BcfTopic> =
                read.topics.iter().filter(|topic| topic.guid.is_none()).collect();
            let absent = with_guid.iter().zip(&outcomes).filter(|(_, outcome)| outcome.finding.is_none());
            others.extend(absent.map(|(topic, _)| *topic));
            let version = printable(&read.version);
            text += &format!("{}, BCF {version}: {}.\n", printable(name), sums(read.topics.len(), &outcomes));
            text += &unknown_words(&imported, &outcomes);
            text += &self.named(&others);
        }
        text += &if next == before {
            format!("{} is unchanged.\n", self.baseline.display())
        } else {
            file.write(&next)?;
            format!("Written to {}.\n", self.baseline.display())
        };
        Sink::Stdout.write(|out| Ok(out.write_all(text.as_bytes())?))
    }
    /// Topics that are not of the baseline.
    fn named(&self, topics: &[&BcfTopic]) -> String {
        if topics.is_empty() {
            return String::new();
        }
        let of = count_of(topics.len() as u64, "topic is", "topics are");
        let mut text =
            format!("{of} not about a finding of the baseline, and nothing was taken from them:\n");
        let most = if self.limit == 0 { usize::MAX } else { self.limit };
        for topic in topics.iter().take(most) {
            let guid = topic.guid.map_or_else(|| "no GUID".to_owned(), |guid| guid.to_string());
            let status = topic.status.as_deref().unwrap_or("no status");
            text += &format!("  {guid}  {}  {}\n", printable(status), printable(&topic.title));
        }
        if topics.len() > most {
            text += &format!("  {} more: --limit 0 names all\n", topics.len() - most);
        }
        text
    }
}

/// Text with the sums of the outcomes of a file's topics.
fn sums(topics: usize, outcomes: &[TopicOutcome]) -> String {
    let sum = |of: &dyn Fn(&TopicOutcome) -> u64| outcomes.iter().map(of).sum::<u64>();
    let known = outcomes.iter().filter(|outcome| outcome.finding.is_some()).count();
    let mut parts = vec![
        format!("{} of {} of the baseline", known, count(topics as u64, "topic")),
        count_of(sum(&|outcome| outcome.decided), "finding decided", "findings decided"),
        count_of(sum(&|outcome| outcome.reopened), "reopened", "reopened"),
        count(sum(&|outcome| outcome.comments), "new comment"),
    ];
    let outdated = sum(&|outcome| outcome.outdated);
    if outdated > 0 {
        parts.push(count_of(outdated, "decision is newer and stays", "decisions are newer and stay"));
    }
    parts.join(", ")
}

/// Unknown words for a status, which decide nothing.
fn unknown_words(topics: &[ImportedTopic], outcomes: &[TopicOutcome]) -> String {
    let of = topics.iter().zip(outcomes).filter(|(_, outcome)| outcome.is_status_unknown);
    let mut words: Vec<String> =
        of.filter_map(|(topic, _)| Some(format!("'{}'", printable(topic.status.as_deref()?)))).collect();
    words.sort();
    words.dedup();
    match words.is_empty() {
        true => String::new(),
        false => format!("Kept, but not known as a status: {}.\n", words.join(", ")),
    }
}
