//! `impinge diff`: what changed between two baselines.
use crate::{
    args::{Form, Outcome},
    baseline::{BETWEEN, upper},
    output::Sink,
    today::today,
};
use anyhow::Context;
use clap::Args;
use impinge_check::{
    baseline::{Baseline, Comparison, Fate, KnownFinding, Worse},
    identity::Match,
    values::text::{VisibleJson, printable},
};
use impinge_report::{KnownNames, SummaryLine, Table, aligned};
use serde::Serialize;
use std::{io::Write, path::PathBuf};

const BRIEF: &str = "\
Examples:
  impinge diff last-week.jsonl impinge.baseline.jsonl";

const EXAMPLES: &str = "\
Examples:
  impinge diff last-week.jsonl impinge.baseline.jsonl
  impinge diff last-week.jsonl impinge.baseline.jsonl --format json
  git show HEAD~1:impinge.baseline.jsonl > before.jsonl
  impinge diff before.jsonl impinge.baseline.jsonl

Exit status: 0 nothing is new or reopened, 1 something is, 2 a file cannot be used.";

/// Compare two baselines: new, reopened and resolved findings, moved parts
///
/// Parts are matched as `impinge check --baseline` matches them: by GUID, path, or name and file, then by
/// shape and place. A finding is `not examined` if one of its parts is missing in the newer baseline, or if
/// that baseline has no finding of the same test.
#[derive(Args)]
#[command(after_help = BRIEF, after_long_help = EXAMPLES)]
pub(crate) struct Diff {
    /// Older baseline
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// Newer baseline
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// Call findings worse that grew by more than this fraction
    ///
    /// The fraction is that of the depth, or of the volume if there is no depth.
    #[arg(
        long,
        value_name = "FRACTION",
        default_value_t = Worse::default().relative,
        help_heading = "Findings"
    )]
    worse: f64,

    /// List all matches of parts
    ///
    /// By default only parts are listed that moved, or whose name changed.
    #[arg(long, help_heading = "Output")]
    all_parts: bool,

    #[command(flatten)]
    output: Outcome,
}

impl Diff {
    /// Runs the command. Returns true if nothing is new or reopened.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let inputs = [self.old.as_path(), self.new.as_path()];
        let sink = Sink::new(self.output.output.as_deref(), inputs)?;
        let form = self.output.form()?;
        if self.worse.is_nan() || self.worse < 0.0 {
            anyhow::bail!("--worse {}: the fraction must be at least 0", self.worse);
        }
        let (old, new) = (Baseline::read(&self.old)?, Baseline::read(&self.new)?);
        old.check_unit(new.unit()).with_context(|| self.old.display().to_string())?;
        let worse = Worse { relative: self.worse, ..Worse::default() };
        let changes = Changes::new(&old, &new, old.diff(&new, today(), worse), self.all_parts);
        sink.write(|out| match form {
            Form::Table => changes.write_table(sink.columns(), out),
            Form::Json => changes.write_json(out),
        })?;
        sink.summary(&changes.summary(Sink::Stdout.columns()))?;
        Ok(!(0..changes.comparison.seen().len()).any(|i| changes.comparison.counts(i)))
    }
}

/// Changes from one baseline to another.
struct Changes<'a> {
    old: &'a Baseline,
    new: &'a Baseline,
    comparison: Comparison,
    /// The change, the finding, the baseline that has the finding, and the reason.
    rows: Vec<(&'static str, &'a KnownFinding, &'a Baseline, &'static str)>,
    /// Matches to list, with the parts' indices in the baselines.
    parts: Vec<Match>,
    /// The labels of parts of both baselines.
    names: [KnownNames<'a>; 2],
}

#[derive(Serialize)]
struct FindingChange<'a> {
    change: &'static str,
    id: String,
    test: &'a str,
    names: Vec<&'a str>,
    relation: &'a str,
    volume: Option<f64>,
    depth: Option<f64>,
    distance: Option<f64>,
    why: &'a str,
}

#[derive(Serialize)]
struct PartChange<'a> {
    old: &'a str,
    new: &'a str,
    reason: &'static str,
    moved: f64,
}

impl<'a> Changes<'a> {
    fn new(old: &'a Baseline, new: &'a Baseline, comparison: Comparison, all_parts: bool) -> Self {
        let mut rows = Vec::new();
        // The findings of a baseline's delivery are in the order of the baseline.
        for (seen, finding) in comparison.seen().iter().zip(new.delivered()) {
            if seen.status.counts() {
                rows.push((seen.status.name(), finding, new, seen.why.map_or("", |why| why.name())));
            }
        }
        for gone in comparison.gone() {
            let Some(finding) = old.finding(gone.id) else { continue };
            let (word, why) = match gone.fate {
                Fate::Resolved => ("resolved", ""),
                Fate::PartMissing => ("not examined", "part missing"),
                Fate::NotExamined => ("not examined", "not tested"),
                _ => continue,
            };
            rows.push((word, finding, old, why));
        }
        let order = ["new", "reopened", "resolved", "not examined"];
        rows.sort_by_key(|(word, ..)| order.iter().position(|other| other == word));
        let present: Vec<u32> = (0..new.parts().len() as u32).filter(|&i| !new.is_missing(i)).collect();
        let matches = comparison.matching().matches().iter();
        let matches = matches.map(|one| Match { new: present[one.new as usize], ..*one });
        let is_listed = |one: &Match| {
            let is_renamed = old.parts()[one.old as usize].name != new.parts()[one.new as usize].name;
            all_parts || is_renamed || one.moved > 0.0
        };
        let parts = matches.filter(is_listed).collect();
        Self { old, new, comparison, rows, parts, names: [old, new].map(KnownNames::new) }
    }
    fn summary(&self, columns: Option<u16>) -> String {
        let counts = self.comparison.counts_of();
        let [missing, added] = [
            self.comparison.matching().missing().filter(|&i| !self.old.is_missing(i)).count() as u64,
            self.comparison.matching().added().count() as u64,
        ];
        let changes = [
            ("new", counts.new),
            ("reopened", counts.reopened),
            ("resolved", counts.resolved),
            ("not examined", counts.part_missing + counts.not_examined),
        ];
        let lines = [
            SummaryLine::of_kinds("Changes", &changes),
            SummaryLine::new("Unchanged", counts.active + counts.reviewed + counts.approved, ""),
            SummaryLine::of_kinds("Part changes", &[("missing", missing), ("new", added)]),
        ];
        aligned(&lines, columns)
    }
    fn write_table(&self, width: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
        if !self.rows.is_empty() {
            let row = |(word, finding, of, why): &(&str, &KnownFinding, &Baseline, &str)| {
                let names = &self.names[usize::from(std::ptr::eq(*of, self.new))];
                vec![
                    names.parts(finding).join(BETWEEN),
                    (*word).to_owned(),
                    finding.id.to_string(),
                    printable(&finding.test),
                    KnownNames::word(finding).to_owned(),
                    names.size(finding),
                    (*why).to_owned(),
                ]
            };
            let headings = ["parts", "change", "id", "test", "relation", ">size", "why"];
            let table = Table { headings: &headings, names: 1, together: 0, width };
            table.write(|| self.rows.iter().map(row), out)?;
            writeln!(out)?;
        }
        if !self.parts.is_empty() {
            let row = |one: &Match| {
                let moved = if one.moved > 0.0 { self.names[1].length(one.moved) } else { String::new() };
                let [old, new] = &self.names;
                vec![old.label(one.old), new.label(one.new), one.reason.to_string(), moved]
            };
            let headings = ["part", "now", "matched by", ">moved"];
            let table = Table { headings: &headings, names: 2, together: 0, width };
            table.write(|| self.parts.iter().map(row), out)?;
            writeln!(out)?;
        }
        Ok(writeln!(out, "{}", self.summary(width))?)
    }
    fn names(&self, one: &Match) -> (&str, &str) {
        (&self.old.parts()[one.old as usize].name, &self.new.parts()[one.new as usize].name)
    }
    fn write_json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let counts = self.comparison.counts_of();
        let counts = serde_json::json!({
            "new": counts.new, "reopened": counts.reopened, "active": counts.active,
            "reviewed": counts.reviewed, "approved": counts.approved, "resolved": counts.resolved,
            "part_missing": counts.part_missing, "not_examined": counts.not_examined,
        });
        let findings = self.rows.iter().map(|(word, finding, of, why)| {
            let measures = &finding.measures;
            serde_json::to_string(&FindingChange {
                change: word,
                id: finding.id.to_string(),
                test: &finding.test,
                names: of.names(finding),
                relation: &measures.relation,
                volume: measures.volume.map(upper),
                depth: measures.depth.map(upper),
                distance: measures.distance.map(upper),
                why,
            })
        });
        let parts = self.parts.iter().map(|one| {
            let (old, new) = self.names(one);
            serde_json::to_string(&PartChange { old, new, reason: one.reason.name(), moved: one.moved })
        });
        let out = &mut VisibleJson::new(out);
        write!(out, "{{\"counts\":{counts},\n\"findings\":[")?;
        write_list(findings, out)?;
        write!(out, "],\n\"parts\":[")?;
        write_list(parts, out)?;
        Ok(writeln!(out, "]}}")?)
    }
}

/// One item a line.
fn write_list(
    items: impl Iterator<Item = serde_json::Result<String>>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for (i, item) in items.enumerate() {
        write!(out, "{}{}", if i == 0 { "\n" } else { ",\n" }, item?)?;
    }
    Ok(())
}
