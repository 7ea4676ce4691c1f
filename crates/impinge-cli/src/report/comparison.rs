//! Output of `impinge pair` with several volumes: table, JSON or CSV.
use super::pair;
use crate::{
    args::Format,
    pair::{
        ask::Ask,
        comparison::{Comparison, VolumeCosts},
        grid::Cell,
        results::QueryResult,
    },
};
use impinge::relation::RelationKind;
use impinge_check::text::VisibleJson;
use impinge_check::{
    Warning,
    numbers::{amount, count, grouped},
    text::folded,
};
use impinge_report::Table;
use serde::Serialize;
use std::io::Write;

pub(crate) fn write(
    comparison: &Comparison,
    format: Format,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match format {
        Format::Table => people(comparison, columns, out),
        Format::Json => json(comparison, out),
        Format::Csv => csv(comparison, out),
    }
}

/// The result of all frames in one number; null without a distance.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum CommonNumber {
    Count(u64),
    Distance(Option<f64>),
}

/// The name of the number, and the number, which is the same for all volumes. A distance is the upper end of
/// the least interval, with the first volume.
fn outcome(comparison: &Comparison) -> (&'static str, CommonNumber) {
    let results = &comparison.results;
    let pairs = || results.frames.iter().map(|frame| frame.pairs.len() as u64).sum();
    let frames = |holds: fn(&QueryResult) -> bool| {
        CommonNumber::Count(results.frames.iter().filter(|frame| holds(&frame.found)).count() as u64)
    };
    match results.ask {
        // At most one of each frame.
        Ask::Boolean => ("frames_meet", CommonNumber::Count(pairs())),
        Ask::Pairs => ("pairs", CommonNumber::Count(pairs())),
        Ask::Relation => {
            let meets = |found: &QueryResult| match found {
                QueryResult::Relation(relation) => relation.kind != RelationKind::Apart,
                _ => false,
            };
            ("frames_meet", frames(meets))
        }
        Ask::Distance => {
            let all = results.frames.iter().filter_map(|frame| frame.found.gap());
            ("distance", CommonNumber::Distance(all.map(|gap| gap.hi).min_by(f64::total_cmp)))
        }
        Ask::Within => ("frames_within", frames(|found| matches!(found, QueryResult::Within(true)))),
        Ask::Grid(query) => {
            let rows = results.frames.iter().filter_map(|frame| match &frame.found {
                QueryResult::Rows(rows) => Some(rows),
                _ => None,
            });
            let is_no = |cell: &Cell| matches!(cell, Cell::Flag(false) | Cell::Word("clear"));
            let rows = rows.flat_map(|rows| rows.iter(query)).filter(|row| !is_no(&row[0]));
            let name = if query.columns.len() > 1 { "pairs" } else { "frames_hold" };
            (name, CommonNumber::Count(rows.count() as u64))
        }
        Ask::Curves => ("frames", frames(|_| true)),
    }
}

/// A row of the table: numbers over all frames.
#[derive(Serialize)]
struct CostRow {
    volume: &'static str,
    volume_tests: u64,
    triangle_pairs: u64,
    bytes_per_triangle: f64,
    build_microseconds: f64,
    build_ratio: f64,
    query_microseconds: f64,
    query_ratio: f64,
}

fn rows(comparison: &Comparison) -> Vec<CostRow> {
    let least = |of: fn(&VolumeCosts) -> f64| {
        comparison.volumes.iter().map(of).min_by(f64::total_cmp).unwrap_or_default().max(1e-9)
    };
    let (build, query) = (least(|costs| costs.build_seconds), least(|costs| costs.query_seconds));
    let row = |costs: &VolumeCosts| CostRow {
        volume: costs.kind.name(),
        volume_tests: costs.count.volume_tests,
        triangle_pairs: costs.count.leaf_pairs,
        bytes_per_triangle: costs.bytes_per_triangle,
        build_microseconds: 1e6 * costs.build_seconds,
        build_ratio: costs.build_seconds / build,
        query_microseconds: 1e6 * costs.query_seconds,
        query_ratio: costs.query_seconds / query,
    };
    comparison.volumes.iter().map(row).collect()
}

#[derive(Serialize)]
struct ComparisonJson<'a> {
    query: &'static str,
    frames: usize,
    runs: u32,
    /// The number that is the same for all volumes.
    result: serde_json::Map<String, serde_json::Value>,
    volumes: Vec<CostRow>,
    warnings: &'a [Warning],
}

fn json(comparison: &Comparison, out: &mut dyn Write) -> anyhow::Result<()> {
    let (name, outcome) = outcome(comparison);
    let results = &comparison.results;
    let whole = ComparisonJson {
        query: results.ask.name(),
        frames: results.frames.len(),
        runs: comparison.runs,
        result: [(name.to_owned(), serde_json::to_value(outcome)?)].into_iter().collect(),
        volumes: rows(comparison),
        warnings: &results.warnings,
    };
    serde_json::to_writer(VisibleJson::new(&mut *out), &whole)?;
    Ok(writeln!(out)?)
}

fn csv(comparison: &Comparison, out: &mut dyn Write) -> anyhow::Result<()> {
    let (name, outcome) = outcome(comparison);
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "volume",
        name,
        "volume_tests",
        "triangle_pairs",
        "bytes_per_triangle",
        "build_microseconds",
        "build_ratio",
        "query_microseconds",
        "query_ratio",
    ])?;
    for row in rows(comparison) {
        let CostRow { volume, volume_tests, triangle_pairs, bytes_per_triangle, .. } = row;
        let times = (row.build_microseconds, row.build_ratio, row.query_microseconds, row.query_ratio);
        csv.serialize((volume, outcome, volume_tests, triangle_pairs, bytes_per_triangle, times))?;
    }
    Ok(csv.flush()?)
}

fn people(comparison: &Comparison, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    let results = &comparison.results;
    pair::write_files(results, out)?;
    let (name, outcome) = outcome(comparison);
    let result = match outcome {
        CommonNumber::Count(number) => grouped(number),
        CommonNumber::Distance(distance) => distance.map_or_else(|| "–".to_owned(), amount),
    };
    let name = format!(">{}", name.replace('_', "\n"));
    let headings = [
        "volume",
        &name,
        ">Nv: volume\ntests",
        ">Np: pairs\nin leaves",
        ">bytes a\ntriangle",
        ">build\nms",
        ">query\nms",
        ">x the\nfastest",
    ];
    let cells = |row: &CostRow| {
        let times = [row.build_microseconds, row.query_microseconds].map(|time| milliseconds(time / 1e3));
        let [build, query] = times;
        vec![
            row.volume.to_owned(),
            result.clone(),
            grouped(row.volume_tests),
            grouped(row.triangle_pairs),
            format!("{:.1}", row.bytes_per_triangle),
            build,
            query,
            format!("{:.1}", row.query_ratio),
        ]
    };
    let rows = rows(comparison);
    let table = Table { headings: &headings, names: 0, together: 0, width: columns };
    table.write(|| rows.iter().map(cells), out)?;
    Ok(writeln!(out, "\n{}", folded(&verdict(comparison), columns.or(Some(80))))?)
}

/// In three digits.
fn milliseconds(time: f64) -> String {
    match time {
        time if time < 0.1 => format!("{time:.4}"),
        time if time < 10.0 => format!("{time:.2}"),
        time if time < 1000.0 => format!("{time:.0}"),
        time => grouped(time.round() as u64),
    }
}

/// The common result, and what the numbers are, in words.
pub(crate) fn verdict(comparison: &Comparison) -> String {
    format!(
        "{} All {} give this result. Counts and times of queries are those of {}. Times are processor times \
         of one thread, the median of {} runs.",
        pair::verdict(&comparison.results),
        count(comparison.volumes.len() as u64, "volume"),
        count(comparison.results.frames.len() as u64, "frame"),
        comparison.runs
    )
}
