//! `impinge baseline list`.
use super::conditions::Conditions;
use crate::{
    args::{Form, Outcome},
    output::Sink,
    today::today,
};
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use impinge_check::{
    Unit,
    baseline::{Baseline, KnownFinding, Status},
    values::{
        numbers::count,
        text::{VisibleJson, printable},
    },
};
use impinge_report::{KnownNames, Table};
use serde::Serialize;
use std::{
    io::{self, Write},
    path::PathBuf,
};

#[derive(Args)]
pub(crate) struct List {
    /// Baseline
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Findings with one of these statuses
    #[arg(
        long,
        value_name = "STATUSES",
        value_delimiter = ',',
        value_parser = statuses(),
        help_heading = "Conditions"
    )]
    status: Vec<Status>,

    #[command(flatten)]
    conditions: Conditions,

    #[command(flatten)]
    output: Outcome,
}

fn statuses() -> impl TypedValueParser<Value = Status> {
    PossibleValuesParser::new(Status::ALL.map(Status::name))
        .try_map(|name| Status::of_name(&name).ok_or("no such status"))
}

impl List {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let sink = Sink::new(self.output.output.as_deref(), [self.file.as_path()])?;
        let form = self.output.form()?;
        let baseline = Baseline::read(&self.file)?;
        let selection = self.conditions.selection(&baseline, self.status)?;
        let listed: Vec<&KnownFinding> = baseline.select(&selection).collect();
        sink.write(|out| match form {
            Form::Json => write_json(&baseline, &listed, out),
            Form::Table => Ok(write_table(&baseline, &listed, sink.columns(), out)?),
        })?;
        sink.summary(&format!("{}.", count(listed.len() as u64, "finding")))
    }
}

/// The bound that is shown.
pub(crate) fn upper([_, hi]: [f64; 2]) -> f64 {
    hi
}

/// Between the names of two parts in one cell.
pub(crate) const BETWEEN: &str = " x ";

fn write_table(
    baseline: &Baseline,
    listed: &[&KnownFinding],
    width: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (today, names) = (today(), KnownNames::new(baseline));
    let row = |finding: &&KnownFinding| {
        let note = finding.decision.as_ref().map_or_else(String::new, |decision| {
            let until = decision.until.map_or_else(String::new, |until| format!(" until {until}"));
            let ended = match decision.lapsed {
                Some(lapsed) => format!(", lapsed {lapsed}"),
                None if decision.is_expired(today) => ", expired".to_owned(),
                None => String::new(),
            };
            printable(&format!("{} ({} {}{until}{ended})", decision.reason, decision.by, decision.date))
        });
        let status = finding.status().name();
        let status = if finding.not_examined { format!("{status}, not examined") } else { status.to_owned() };
        vec![
            names.parts(finding).join(BETWEEN),
            finding.id.to_string(),
            status,
            printable(&finding.test),
            KnownNames::word(finding).to_owned(),
            names.size(finding),
            note,
        ]
    };
    if listed.is_empty() {
        return writeln!(out, "No findings.");
    }
    let headings = ["parts", "id", "status", "test", "relation", ">size", "decision"];
    let table = Table { headings: &headings, names: 1, together: 0, width };
    table.write(|| listed.iter().map(row), out)
}

#[derive(Serialize)]
struct ListedFinding<'a> {
    id: String,
    /// An id that all findings of its group share.
    group: Option<String>,
    status: &'static str,
    test: &'a str,
    parts: Vec<&'a str>,
    names: Vec<&'a str>,
    relation: &'a str,
    volume_at_least: Option<f64>,
    volume: Option<f64>,
    depth: Option<f64>,
    distance: Option<f64>,
    first: String,
    since: String,
    not_examined: bool,
    reason: Option<&'a str>,
    by: Option<&'a str>,
    date: Option<String>,
    until: Option<String>,
    lapsed: Option<String>,
}

fn write_json(baseline: &Baseline, listed: &[&KnownFinding], out: &mut dyn Write) -> anyhow::Result<()> {
    let one = |finding: &&'_ KnownFinding| {
        let decision = finding.decision.as_ref();
        let measures = &finding.measures;
        let one = ListedFinding {
            id: finding.id.to_string(),
            group: baseline.has_groups().then(|| baseline.group_of(finding).to_string()),
            status: finding.status().name(),
            test: &finding.test,
            parts: finding.parts().iter().map(|&i| baseline.key(i).unwrap_or_default()).collect(),
            names: baseline.names(finding),
            relation: &measures.relation,
            volume_at_least: measures.volume.map(|[lo, _]| lo),
            volume: measures.volume.map(upper),
            depth: measures.depth.map(upper),
            distance: measures.distance.map(upper),
            first: finding.first.to_string(),
            since: finding.since.to_string(),
            not_examined: finding.not_examined,
            reason: decision.map(|decision| &*decision.reason),
            by: decision.map(|decision| &*decision.by),
            date: decision.map(|decision| decision.date.to_string()),
            until: decision.and_then(|decision| decision.until).map(|date| date.to_string()),
            lapsed: decision.and_then(|decision| decision.lapsed).map(|date| date.to_string()),
        };
        serde_json::to_string(&one)
    };
    // One finding a line, written as they come.
    let mut out = VisibleJson::new(out);
    let unit = serde_json::to_string(&baseline.unit().map(Unit::symbol))?;
    write!(out, "{{\"unit\":{unit},\n\"findings\":[")?;
    for (i, finding) in listed.iter().enumerate() {
        write!(out, "{}{}", if i == 0 { "\n" } else { ",\n" }, one(finding)?)?;
    }
    Ok(writeln!(out, "\n]}}")?)
}
