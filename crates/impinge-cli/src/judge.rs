//! `impinge judge`: another program's clash list beside what the models are.
use crate::{
    args::{self, Form, Outcome},
    input,
    inputs::Inputs,
    output::Sink,
    progress::Progress,
    question::Question,
    ruling::{Ruled, Ruling},
    threads,
    today::today,
};
use anyhow::Context;
use clap::Args;
use impinge_check::{
    Assembly, Part, Watch, files, relations,
    values::{
        numbers::{count_of, grouped},
        text::{VisibleJson, printable},
    },
};
use impinge_exchange::{ClashList, Entry, JudgedEntry, JudgedPair, Judgement, Verdict};
use impinge_report::{Names, SizeUnits, SummaryLine, Table, aligned, finding_parts, finding_word};
use serde::Serialize;
use std::{collections::BTreeMap, io::Write, path::PathBuf, sync::Arc};

const BRIEF: &str = "\
Examples:
  impinge judge clashes.json house.obj pipes.obj
  impinge judge clashes.bcf house.obj --rules impinge.toml
Options of impinge check about input, pairs and findings work here, too: --help lists them.";

const EXAMPLES: &str = "\
Examples:
  impinge judge clashes.json house.obj pipes.obj      a result of ifcclash
  impinge judge clashes.bcf house.obj --rules impinge.toml
  impinge judge clashes.xml house.obj pipes.obj -o judged.json

What an entry is, over the real numbers:
  overlap   insides meet, or a surface is inside, or two surfaces cross or lie on each other
  touch     surfaces meet, insides do not
  apart     no point in common; the gap is given
  unknown   an element is in none of the FILEs, or the entry names no pair

Exit status: 0 each entry is an overlap and none is missing, 1 otherwise, 2 the work could not be done.";

/// Judge another program's clash list against the models
///
/// Each entry overlaps, touches, is apart, or is unknown. A finding of `impinge check` with the same options
/// is missing if no entry names it.
///
/// LIST is JSON of ifcclash, BCF (1 to 3.0), or the XML report of Navisworks. Elements are found by GlobalId,
/// by a property such as a tag or an id, by path, or by a name that only one part has. Names of the form
/// file|type|guid|name need --names.
#[derive(Args)]
#[command(after_help = BRIEF, after_long_help = EXAMPLES)]
pub(crate) struct Judge {
    /// Clash list: .json of ifcclash, .bcf, or .xml of Navisworks
    #[arg(value_name = "LIST")]
    list: PathBuf,

    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    question: Question,

    #[command(flatten)]
    ruling: Ruling,

    #[command(flatten)]
    output: Outcome,

    /// Show at most N rows of each table, 0 for all
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Output")]
    limit: usize,

    #[command(flatten)]
    reading: args::Reading,
}

impl Judge {
    /// Runs the command. Returns true if the list and the models agree.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let Ruled { rules, files: of_rules } =
            self.ruling.read(self.inputs.globs(), !self.inputs.paths().is_empty())?;
        let inputs = self.inputs.each().chain([self.list.as_path()]);
        let inputs = inputs.chain(of_rules.iter().map(PathBuf::as_path));
        let sink = Sink::new(self.output.output.as_deref(), inputs)?;
        let form = self.output.form()?;
        let name = || self.list.display().to_string();
        let bytes = files::any(&self.list, self.reading.most_bytes()).with_context(name)?;
        let list = impinge_exchange::parse(&bytes, &self.list.to_string_lossy())?;
        if let Some(rules) = &rules {
            self.question.refuse_with(rules)?;
        }
        let (progress, pool) = (Progress::new(), threads::pool(0, self.inputs.each())?);
        let (assembly, pairs) =
            self.inputs.load(&self.reading, self.question.fill_rule(), &pool, &progress)?;
        let check =
            self.question.check(&input::units(&assembly, self.question.unit(), &progress)?)?.pool(&pool);
        let assembly = Arc::new(assembly);
        let rules = rules.map(|rules| (rules, today()));
        let watch = Watch::new().listener(&progress);
        let judgement = Judgement::new(&list, &assembly, &check.pairs(pairs), rules, &watch)?;
        drop(progress);
        let shown = Opinion { list: &list, judgement: &judgement, assembly: &assembly };
        sink.write(|out| match form {
            Form::Table => shown.write_table(self.limit, sink.columns(), out),
            Form::Json => shown.write_json(out),
        })?;
        sink.summary(&shown.summary(Sink::Stdout.columns()))?;
        Ok(judgement.agrees())
    }
}

struct Opinion<'a> {
    list: &'a ClashList,
    judgement: &'a Judgement,
    assembly: &'a Assembly,
}

#[derive(Serialize)]
struct JsonEntry<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The identifiers of elements that no part is.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    absent: Vec<&'a str>,
    pairs: Vec<JsonPair<'a>>,
}

#[derive(Serialize)]
struct JsonPair<'a> {
    parts: [JsonJudgedPart<'a>; 2],
    relation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume_at_least: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    separating_distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct JsonJudgedPart<'a> {
    index: u32,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    class: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonMissing<'a> {
    test: &'a str,
    kind: &'static str,
    parts: Vec<JsonJudgedPart<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume_at_least: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    separating_distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
}

#[derive(Serialize)]
struct JsonJudgement<'a> {
    impinge: &'static str,
    format_version: u32,
    list: &'static str,
    entries: Vec<JsonEntry<'a>>,
    missing: Vec<JsonMissing<'a>>,
}

/// The word of an entry for its clash, for tables.
fn said(entry: &Entry) -> String {
    entry.word.as_deref().map_or_else(|| "–".to_owned(), printable)
}

/// Names, units and width of the tables.
struct TableStyle<'a> {
    names: Names<'a>,
    units: SizeUnits,
    columns: Option<u16>,
}

impl<'a> Opinion<'a> {
    fn part(&self, part: u32) -> JsonJudgedPart<'a> {
        let Part { name, guid, class, .. } = &self.assembly.parts[part as usize];
        JsonJudgedPart { index: part, name, guid: guid.as_deref(), class: class.as_deref() }
    }
    fn each(&self) -> impl Iterator<Item = (&'a Entry, &'a JudgedEntry)> {
        self.list.entries.iter().zip(&self.judgement.entries)
    }
    fn write_json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let entry = |(entry, judged): (&'a Entry, &'a JudgedEntry)| JsonEntry {
            name: &entry.name,
            test: entry.test.as_deref(),
            word: entry.word.as_deref(),
            status: entry.status.as_deref(),
            distance: entry.distance,
            verdict: judged.verdict.name(),
            reason: judged.reason,
            absent: judged
                .absent
                .iter()
                .filter_map(|&i| entry.elements[i].ids.first())
                .map(|id| &**id)
                .collect(),
            pairs: judged.pairs.iter().map(|pair| self.pair(pair)).collect(),
        };
        let missing = self.judgement.missing.iter().map(|one| {
            let report = &self.judgement.report;
            let finding = &report.findings()[one.finding as usize];
            let size = report.size_of(finding);
            JsonMissing {
                test: &report.tests()[finding.test as usize].name,
                kind: finding.kind.name(),
                parts: finding.parts().iter().map(|&part| self.part(part)).collect(),
                volume_at_least: size.volume.map(|[lo, _]| lo),
                volume: size.volume.map(|[_, hi]| hi),
                depth: size.depth,
                separating_distance: size.separating_distance,
                distance: size.distance,
            }
        });
        let whole = JsonJudgement {
            impinge: env!("CARGO_PKG_VERSION"),
            format_version: 1,
            list: self.list.format.name(),
            entries: self.each().map(entry).collect(),
            missing: missing.collect(),
        };
        serde_json::to_writer(VisibleJson::new(&mut *out), &whole)?;
        Ok(writeln!(out)?)
    }
    fn pair(&self, pair: &JudgedPair) -> JsonPair<'a> {
        let &JudgedPair { parts, relation, volume, depth, separating_distance, distance, .. } = pair;
        JsonPair {
            parts: parts.map(|part| self.part(part)),
            relation: relations::name(relation),
            volume_at_least: volume.map(|[lo, _]| lo),
            volume: volume.map(|[_, hi]| hi),
            depth,
            separating_distance,
            distance,
        }
    }

    fn write_table(&self, limit: usize, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
        let report = &self.judgement.report;
        let shown = TableStyle { names: Names::of(report), units: SizeUnits::of(report), columns };
        write!(out, "{}", shown.names.list())?;
        // By the program's own word, how many entries have each verdict.
        let mut counts: BTreeMap<String, [u64; 4]> = BTreeMap::new();
        for (entry, judged) in self.each() {
            let place = Verdict::ALL.iter().position(|verdict| *verdict == judged.verdict);
            counts.entry(said(entry)).or_default()[place.unwrap_or(3)] += 1;
        }
        writeln!(out)?;
        let headings = ["what the list says", ">entries", ">overlap", ">touch", ">apart", ">unknown"];
        let row = |(word, of): (&String, &[u64; 4])| {
            let mut row = vec![word.clone(), grouped(of.iter().sum::<u64>())];
            row.extend(of.map(grouped));
            row
        };
        let table = Table { headings: &headings, names: 1, together: 0, width: columns };
        table.write(|| counts.iter().map(row), out)?;

        let most = if limit == 0 { usize::MAX } else { limit };
        self.others(&shown, most, out)?;
        self.missing(&shown, most, out)?;
        writeln!(out, "\n{}", self.summary(columns))?;
        Ok(())
    }
    /// Entries that are no overlap.
    fn others(&self, shown: &TableStyle<'_>, most: usize, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut others: Vec<_> =
            self.each().filter(|(_, judged)| judged.verdict != Verdict::Overlap).collect();
        if others.is_empty() {
            return Ok(());
        }
        others.sort_by_key(|(_, judged)| judged.verdict);
        writeln!(out, "\nEntries that are no overlap:\n")?;
        let TableStyle { names, units, columns } = shown;
        let [.., gap] = units.headings();
        let headings = ["part", "other part", "entry", "said", "is", &gap];
        let row = |&(entry, judged): &(&Entry, &JudgedEntry)| {
            let pair = judged.pairs.first();
            let element = |i: usize| {
                let element = entry.elements.get(i);
                let name = element.and_then(|element| element.name.as_ref().or_else(|| element.ids.first()));
                name.map_or_else(|| "–".to_owned(), |name| printable(name))
            };
            let label =
                |i: usize| pair.map_or_else(|| element(i), |pair| names.label(pair.parts[i] as usize));
            let gap = pair.and_then(|pair| pair.distance).map(|[_, hi]| units.length(hi));
            let is = judged.reason.filter(|_| pair.is_none()).unwrap_or(judged.verdict.name());
            vec![
                label(0),
                label(1),
                printable(&entry.name),
                said(entry),
                is.to_owned(),
                gap.unwrap_or_else(|| "–".to_owned()),
            ]
        };
        let shown = &others[..others.len().min(most)];
        let table = Table { headings: &headings, names: 2, together: 0, width: *columns };
        table.write(|| shown.iter().map(row), out)?;
        more(others.len() - shown.len(), out)
    }
    /// Findings that no entry names.
    fn missing(&self, shown: &TableStyle<'_>, most: usize, out: &mut dyn Write) -> anyhow::Result<()> {
        let missing = &self.judgement.missing;
        if missing.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nMissing in the list:\n")?;
        let report = &self.judgement.report;
        let TableStyle { names, units, columns } = shown;
        let [volume, depth, separating, _] = units.headings();
        let headings = ["part", "other part", "is", &volume, &depth, &separating];
        let row = |one: &impinge_exchange::Missing| {
            let finding = &report.findings()[one.finding as usize];
            let size = report.size_of(finding);
            let or_dash =
                |number: Option<f64>| number.map_or_else(|| "–".to_owned(), |length| units.length(length));
            let parts = finding_parts(report, finding).into_iter().flatten();
            let mut row: Vec<String> = parts.map(|part| names.label(part as usize)).collect();
            row.push(finding_word(finding.kind).to_owned());
            row.push(size.volume.map_or_else(|| "–".to_owned(), |bounds| units.volume(bounds)));
            row.extend([size.depth, size.separating_distance].map(or_dash));
            row
        };
        let shown = &missing[..missing.len().min(most)];
        let table = Table { headings: &headings, names: 2, together: 0, width: *columns };
        table.write(|| shown.iter().map(row), out)?;
        more(missing.len() - shown.len(), out)
    }
    fn summary(&self, columns: Option<u16>) -> String {
        let of = |verdict: Verdict| {
            let entries = self.judgement.entries.iter();
            (verdict.name(), entries.filter(|entry| entry.verdict == verdict).count() as u64)
        };
        let missing = match self.judgement.missing.len() as u64 {
            0 => SummaryLine::new("Missing", 0, ""),
            n => SummaryLine::new("Missing", n, "findings that no entry of the list names"),
        };
        let mut entries = SummaryLine::of_kinds("Entries", &Verdict::ALL.map(of));
        entries.text = format!("of {}: {}", self.list.format.name(), entries.text);
        aligned(&[entries, missing], columns)
    }
}

/// Writes the number of rows that are not shown.
fn more(left: usize, out: &mut dyn Write) -> anyhow::Result<()> {
    if left > 0 {
        writeln!(out, "\n{} not shown: --limit 0 shows all.", count_of(left as u64, "more is", "more are"))?;
    }
    Ok(())
}
