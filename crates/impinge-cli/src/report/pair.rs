//! Output of `impinge pair`: table, JSON or CSV.
mod curves;
mod grid;

pub(crate) use self::curves::draw;

use self::grid::microseconds;
use crate::{
    args::Format,
    pair::results::{FrameResult, Results},
};
use impinge_check::values::{
    Warning,
    numbers::{count, grouped},
    text::{VisibleJson, folded, printable},
};
use impinge_report::{Stream, warned};
use serde::Serialize;
use std::{
    io::{self, Write},
    time::Duration,
};

pub(crate) fn write(
    results: &Results,
    format: Format,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match format {
        Format::Table => people(results, columns, out)?,
        Format::Json => json(results, out)?,
        Format::Csv => grid::csv(results, out)?,
    }
    if results.stats {
        let stats = stats(results);
        match format {
            Format::Table => writeln!(out, "\n{}", folded(&stats, columns))?,
            // The result must stay one that a program can read. A closed stderr has no reader.
            Format::Json | Format::Csv => drop(writeln!(io::stderr(), "{stats}")),
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonReport<'a, F> {
    frames: F,
    warnings: &'a [Warning],
}

#[derive(Serialize)]
struct JsonFrame<'a> {
    frame: usize,
    #[serde(flatten)]
    rows: grid::JsonRows<'a>,
}

fn json(results: &Results, out: &mut dyn Write) -> anyhow::Result<()> {
    let frames = || {
        let frames = results.frames.iter().enumerate();
        frames.map(|(i, frame)| JsonFrame { frame: i, rows: grid::JsonRows { results, frame } })
    };
    let whole = JsonReport { frames: Stream(frames), warnings: &results.warnings };
    serde_json::to_writer(VisibleJson::new(&mut *out), &whole)?;
    Ok(writeln!(out)?)
}

fn people(results: &Results, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    write_files(results, out)?;
    grid::people(results, columns, out)?;
    Ok(writeln!(out, "\n{}", folded(&verdict(results), columns))?)
}

/// The files with their triangles, and an empty line.
pub(crate) fn write_files(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    for ((name, file), triangles) in ["A", "B"].iter().zip(&results.files).zip(&results.triangles) {
        let file = printable(&file.to_string_lossy());
        writeln!(out, "{name}: {file}, {}", count(*triangles as u64, "triangle"))?;
    }
    writeln!(out)
}

/// The results in words.
pub(crate) fn verdict(results: &Results) -> String {
    grid::verdict(results) + &warned(&results.warnings)
}

/// Work and time over all frames.
fn stats(results: &Results) -> String {
    let sum = |part: fn(&FrameResult) -> u64| results.frames.iter().map(part).sum::<u64>();
    let times = || results.frames.iter().map(|answer| answer.time);
    let mean = times().sum::<Duration>().as_secs_f64() * 1e6 / results.frames.len() as f64;
    let least = microseconds(times().min().unwrap_or_default());
    format!(
        "{}: {}, {} in leaves that meet, {}, {} of them exact; {least:.1} µs at least, {mean:.1} µs \
         on average.",
        count(results.frames.len() as u64, "frame"),
        count(sum(|answer| answer.work.count.volume_tests), "volume test"),
        count(sum(|answer| answer.work.count.leaf_pairs), "triangle pair"),
        count(sum(|answer| answer.work.count.triangle_tests), "triangle test"),
        grouped(sum(|answer| answer.work.count.exact_tests)),
    )
}
