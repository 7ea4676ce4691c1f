//! Output of `impinge proxy`: for people, JSON or CSV.
use crate::proxy::results::{Growth, LinkResult, ProxyResults, Verdict};
use impinge_check::{
    Unit,
    values::{
        numbers::{Coordinates, amount, count, count_of, rough, shortest},
        text::{VisibleJson, folded, printable},
    },
};
use impinge_report::Table;
use serde::Serialize;
use std::{io::Write, path::Path};

/// The version of the JSON format.
const FORMAT_VERSION: u32 = 1;

/// Members of the JSON result. Missing values and infinite bounds are null.
/// The result as JSON.
#[derive(Serialize)]
pub(super) struct JsonProxy<'a> {
    format: &'static str,
    format_version: u32,
    part: String,
    proxy: Option<String>,
    unit: Option<&'static str>,
    margin: f64,
    tolerance: f64,
    covered: bool,
    links: Vec<JsonLink<'a>>,
    links_without_part: &'a [String],
    unknown_links: &'a [String],
}

#[derive(Serialize)]
struct JsonLink<'a> {
    link: &'a str,
    covered: Option<bool>,
    verdict: &'static str,
    uncovered: [f64; 2],
    at: Option<[f64; 3]>,
    part: Option<usize>,
    excess: Option<[f64; 2]>,
    proxy_volume: Option<[f64; 2]>,
    part_volume: Option<[f64; 2]>,
    triangles: usize,
    shapes: usize,
}

impl<'a> JsonLink<'a> {
    fn new(link: &'a LinkResult) -> Self {
        let cover = &link.cover;
        Self {
            link: &link.name,
            covered: cover.covered,
            verdict: word(link.verdict),
            uncovered: cover.depth,
            at: cover.at.map(|(at, _)| at),
            part: cover.at.map(|(_, part)| part),
            excess: cover.excess,
            proxy_volume: cover.proxy_volume,
            part_volume: cover.part_volume,
            triangles: cover.triangles,
            shapes: cover.shapes,
        }
    }
}

impl<'a> JsonProxy<'a> {
    pub(super) fn new(results: &'a ProxyResults) -> Self {
        Self {
            format: "impinge-proxy-check",
            format_version: FORMAT_VERSION,
            part: results.part.to_string_lossy().into_owned(),
            proxy: results.proxy.as_deref().map(|path| path.to_string_lossy().into_owned()),
            unit: results.unit.map(Unit::symbol),
            margin: results.margin,
            tolerance: results.tolerance,
            covered: results.is_covered(),
            links: results.links.iter().map(JsonLink::new).collect(),
            links_without_part: &results.without_part,
            unknown_links: &results.unknown,
        }
    }
}

pub(crate) fn json(results: &ProxyResults, out: &mut dyn Write) -> anyhow::Result<()> {
    serde_json::to_writer(VisibleJson::new(&mut *out), &JsonProxy::new(results))?;
    Ok(writeln!(out)?)
}

pub(crate) fn csv(results: &ProxyResults, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record([
        "link",
        "covered",
        "uncovered_lo",
        "uncovered_hi",
        "x",
        "y",
        "z",
        "excess_lo",
        "excess_hi",
        "proxy_volume_lo",
        "proxy_volume_hi",
        "part_volume_lo",
        "part_volume_hi",
        "triangles",
        "shapes",
    ])?;
    let text = |x: f64| format!("{x:?}");
    for LinkResult { name, cover, verdict } in &results.links {
        let pair = |bounds: Option<[f64; 2]>| bounds.map_or([String::new(), String::new()], |b| b.map(text));
        let at = cover.at.map_or([const { String::new() }; 3], |(at, _)| at.map(text));
        let mut row = vec![name.clone(), word(*verdict).to_owned()];
        row.extend(cover.depth.map(text));
        row.extend(at);
        for bounds in [cover.excess, cover.proxy_volume, cover.part_volume] {
            row.extend(pair(bounds));
        }
        row.extend([cover.triangles, cover.shapes].map(|n| n.to_string()));
        rows.write_record(row)?;
    }
    Ok(rows.flush()?)
}

/// The word of a verdict.
pub(crate) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Covered => "yes",
        Verdict::Nearly => "nearly",
        Verdict::Uncovered => "no",
        Verdict::Undecided => "undecided",
    }
}

/// Lengths as people read them: metres become millimetres.
pub(crate) struct ShownLengths {
    factor: f64,
    /// A blank and the unit, or nothing.
    pub(crate) unit: String,
}

impl ShownLengths {
    pub(crate) fn new(unit: Option<Unit>) -> Self {
        match unit {
            Some(Unit::Metre) => Self { factor: 1e3, unit: " mm".into() },
            Some(unit) => Self { factor: 1.0, unit: format!(" {}", unit.symbol()) },
            None => Self { factor: 1.0, unit: String::new() },
        }
    }
    pub(crate) fn number(&self, length: f64) -> String {
        amount(length * self.factor)
    }
    pub(crate) fn length(&self, length: f64) -> String {
        format!("{}{}", self.number(length), self.unit)
    }
    pub(crate) fn point(&self, at: [f64; 3]) -> String {
        let at = at.map(|x| x * self.factor);
        let size = at.iter().map(|x| x.abs()).fold(0.0, f64::max);
        let coordinates = Coordinates::like(at, size);
        at.map(|x| coordinates.show(x)).join(", ")
    }
}

/// How far a link is uncovered: a length, or why there is none.
pub(crate) fn uncovered(link: &LinkResult, lengths: &ShownLengths) -> String {
    let cover = &link.cover;
    match cover.covered {
        _ if cover.shapes == 0 => "no shape".into(),
        Some(true) => String::new(),
        Some(false) => lengths.number(cover.depth[1]),
        None => format!("< {}", lengths.number(cover.depth[1])),
    }
}

/// Where a link sticks out.
pub(crate) fn place(link: &LinkResult, lengths: &ShownLengths) -> String {
    match link.cover.at {
        Some((at, _)) if link.cover.shapes > 0 => lengths.point(at),
        _ => String::new(),
    }
}

/// The volume of the shapes over that of the part.
pub(crate) fn ratio(link: &LinkResult) -> String {
    match (link.cover.proxy_volume, link.cover.part_volume) {
        (Some([lo, hi]), Some([least, most])) => match [lo / most, hi / least] {
            [lo, hi] if hi <= 1.01 * lo => rough(lo / 2.0 + hi / 2.0),
            wide => shortest(wide),
        },
        _ => String::new(),
    }
}

pub(crate) fn people(
    results: &ProxyResults,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let lengths = ShownLengths::new(results.unit);
    let headings = ["Link".to_owned(), "Covered".into()];
    let headed = |name: &str| {
        format!(
            ">{name}{}",
            if lengths.unit.is_empty() { String::new() } else { format!(",\n{}", lengths.unit.trim()) }
        )
    };
    let headings: Vec<String> = headings
        .into_iter()
        .chain([headed("Uncovered by"), headed("At"), headed("Excess"), ">Volume".into()])
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let table = Table { headings: &headings, names: 1, together: 0, width: columns };
    let row = |link: &LinkResult| {
        vec![
            printable(&link.name),
            word(link.verdict).to_owned(),
            uncovered(link, &lengths),
            place(link, &lengths),
            link.cover.excess.map_or(String::new(), |[_, hi]| lengths.number(hi)),
            ratio(link),
        ]
    };
    table.write(|| results.links.iter().map(row), out)?;
    Ok(writeln!(out, "\n{}", folded(&verdict(results), columns))?)
}

/// The result in words.
pub(crate) fn verdict(results: &ProxyResults) -> String {
    let lengths = ShownLengths::new(results.unit);
    let of = |verdict| results.links.iter().filter(move |link| link.verdict == verdict);
    let (no, undecided) = (of(Verdict::Uncovered).count(), of(Verdict::Undecided).count());
    let nearly = of(Verdict::Nearly).count() as u64;
    let all = results.links.len() as u64;
    let mut text = match (no, undecided) {
        (0, 0) if nearly == all => String::new(),
        (0, 0) if all == 1 => "Covered, proved for every point of the part.".to_owned(),
        (0, 0) if nearly > 0 => {
            format!("{} of {} covered, proved for every point.", all - nearly, count(all, "link"))
        }
        (0, 0) => format!("All {all} links are covered, proved for every point of their parts."),
        (0, n) => format!("{} of {} undecided.", n, count(all, "link")),
        (n, 0) => format!("{} of {} not covered.", n, count(all, "link")),
        (n, m) => format!("{n} of {} not covered, {m} undecided.", count(all, "link")),
    };
    if nearly > 0 {
        let links = count_of(nearly, "link sticks", "links stick");
        text += &format!(" {links} out by at most {}.", lengths.length(results.tolerance));
    }
    let worst = of(Verdict::Uncovered).filter(|link| link.cover.shapes > 0);
    if let Some(worst) = worst.max_by(|a, b| a.cover.depth[1].total_cmp(&b.cover.depth[1])) {
        let name = printable(&worst.name);
        text += &format!(" {name} sticks out by {}.", lengths.length(worst.cover.depth[1]));
    }
    let without_shape = of(Verdict::Uncovered).filter(|link| link.cover.shapes == 0).count() as u64;
    if without_shape > 0 {
        text += &format!(" {} no shape.", count_of(without_shape, "link has", "links have"));
    }
    if results.margin > 0.0 {
        text += &format!(" The margin is {}.", lengths.length(results.margin));
    }
    if !results.without_part.is_empty() {
        let n = results.without_part.len() as u64;
        text += &format!(" {} nothing to cover.", count_of(n, "link has", "links have"));
    }
    if !results.unknown.is_empty() {
        let names: Vec<String> = results.unknown.iter().map(|name| printable(name)).collect();
        text += &format!(" The robot has no link {}.", names.join(", "));
    }
    text.trim_start().to_owned()
}

/// What `impinge proxy fix` did.
pub(crate) fn growths(
    all: &[Growth],
    results: &ProxyResults,
    output: &Path,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let lengths = ShownLengths::new(results.unit);
    let grown: Vec<&Growth> = all.iter().filter(|one| one.before.cover.covered != Some(true)).collect();
    if !grown.is_empty() {
        let by = format!(">Radii grown by{}", lengths.unit);
        let headings = ["Link", ">Shapes", &by, "Covered now"];
        let table = Table { headings: &headings, names: 1, together: 0, width: columns };
        let row = |one: &&Growth| {
            vec![
                printable(&one.before.name),
                one.before.cover.shapes.to_string(),
                if one.by > 0.0 { lengths.number(one.by) } else { String::new() },
                word(Verdict::of(one.covered)).to_owned(),
            ]
        };
        table.write(|| grown.iter().map(row), out)?;
        writeln!(out)?;
    }
    let open = all.iter().filter(|one| one.covered != Some(true)).count() as u64;
    let all = all.len() as u64;
    let text = match (grown.len(), open) {
        (0, _) => format!("All of {} were covered.", count(all, "link")),
        (_, 0) => format!("All of {} are covered now, proved for every point.", count(all, "link")),
        _ => format!("{} not covered: radii alone cannot do that.", count_of(open, "link is", "links are")),
    };
    let written = format!("{text} Written to {}.", printable(&output.to_string_lossy()));
    Ok(writeln!(out, "{}", folded(&written, columns))?)
}
