//! Output of `impinge robot`: for people, or JSON.
use super::proxy::{self, JsonProxy};
use crate::robot::results::{EdgeFinding, LintPair, LintResults, RobotResults};
use impinge_check::values::{
    numbers::{count, count_of, grouped, shortest},
    text::{VisibleJson, folded, printable},
};
use impinge_report::Table;
use impinge_robot::{Acm, AcmClass, DisabledUse};
use serde::Serialize;
use std::{collections::BTreeMap, io::Write, path::Path};

/// The most rows of a table; JSON has all.
const ROWS: usize = 100;

#[derive(Serialize)]
struct JsonCheck<'a> {
    configurations: usize,
    colliding: usize,
    pairs: usize,
    margin: f64,
    collisions: Vec<JsonCollision<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<JsonEdge<'a>>>,
}

#[derive(Serialize)]
struct JsonEdge<'a> {
    edge: usize,
    result: &'static str,
    free_until: f64,
    meets_at: Option<f64>,
    links: [&'a str; 2],
}

#[derive(Serialize)]
struct JsonCollision<'a> {
    configuration: usize,
    links: Vec<[&'a str; 2]>,
}

impl<'a> JsonEdge<'a> {
    fn new(edge: &EdgeFinding, results: &'a RobotResults) -> Self {
        let (free_until, meets_at) = (edge.free_until, edge.meets_at);
        Self { edge: edge.edge, result: word(edge), free_until, meets_at, links: results.names(edge.links) }
    }
}

/// The result of an edge that is not clear.
pub(super) fn word(edge: &EdgeFinding) -> &'static str {
    if edge.is_contact { "contact" } else { "undecided" }
}

pub(crate) fn check_json(results: &RobotResults, out: &mut dyn Write) -> anyhow::Result<()> {
    let collisions = results.collisions.iter().map(|collision| JsonCollision {
        configuration: collision.configuration,
        links: collision.links.iter().map(|links| results.names(*links)).collect(),
    });
    let whole = JsonCheck {
        configurations: results.configurations,
        colliding: results.collisions.len(),
        pairs: results.pairs,
        margin: results.margin,
        collisions: collisions.collect(),
        edges: results
            .edges
            .as_ref()
            .map(|edges| edges.iter().map(|edge| JsonEdge::new(edge, results)).collect()),
    };
    serde_json::to_writer(VisibleJson::new(&mut *out), &whole)?;
    Ok(writeln!(out)?)
}

pub(crate) fn check(results: &RobotResults, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    let rows: Vec<Vec<String>> = results
        .collisions
        .iter()
        .flat_map(|collision| {
            collision.links.iter().map(|links| {
                let [a, b] = results.names(*links).map(printable);
                vec![a, b, grouped(collision.configuration as u64)]
            })
        })
        .take(ROWS)
        .collect();
    if !rows.is_empty() {
        let headings = ["Link", "Link", ">Configuration"];
        let table = Table { headings: &headings, names: 2, together: 0, width: columns };
        table.write(|| rows.iter().cloned(), out)?;
        let all: usize = results.collisions.iter().map(|collision| collision.links.len()).sum();
        if all > ROWS {
            writeln!(out, "{} more in JSON (--format json)", count((all - ROWS) as u64, "row"))?;
        }
        writeln!(out)?;
    }
    if let Some(edges) = results.edges.as_deref().filter(|edges| !edges.is_empty()) {
        let headings = ["Link", "Link", ">Edge", ">Clear until", ">Contact at"];
        let table = Table { headings: &headings, names: 2, together: 0, width: columns };
        let row = |edge: &EdgeFinding| {
            let [a, b] = results.names(edge.links).map(printable);
            let meets_at = edge.meets_at.map_or("undecided".to_owned(), |t| format!("{t:.9}"));
            vec![a, b, grouped(edge.edge as u64), format!("{:.9}", edge.free_until), meets_at]
        };
        table.write(|| edges.iter().take(ROWS).map(row), out)?;
        if edges.len() > ROWS {
            writeln!(out, "{} more in JSON (--format json)", count((edges.len() - ROWS) as u64, "row"))?;
        }
        writeln!(out)?;
    }
    Ok(writeln!(out, "{}", folded(&check_verdict(results), columns))?)
}

/// The result in words.
pub(crate) fn check_verdict(results: &RobotResults) -> String {
    let (all, pairs) =
        (count(results.configurations as u64, "configuration"), count(results.pairs as u64, "pair"));
    let near = match results.margin {
        0.0 => "in collision".to_owned(),
        margin => format!("in collision or within {} mm", shortest([1e3 * margin; 2])),
    };
    let mut text = match results.collisions.len() as u64 {
        0 => format!("None of {all} {near}: {pairs} of links tested in each."),
        n => format!("{} of {all} {near}: {pairs} of links tested in each.", grouped(n)),
    };
    if let Some(edges) = &results.edges {
        let number = count(results.configurations.saturating_sub(1) as u64, "edge");
        let contacts = edges.iter().filter(|edge| edge.is_contact).count();
        text += &match (contacts, edges.len() - contacts) {
            (0, 0) => format!(" All of {number} clear, proved for all times."),
            (n, 0) => format!(" {} of {number} with contact.", grouped(n as u64)),
            (n, m) => {
                format!(" {} of {number} with contact, {} undecided.", grouped(n as u64), grouped(m as u64))
            }
        };
    }
    text
}

#[derive(Serialize)]
struct JsonLint<'a> {
    samples: u64,
    wrong: usize,
    pairs: Vec<JsonLintPair<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cover: Option<JsonProxy<'a>>,
}

#[derive(Serialize)]
struct JsonLintPair<'a> {
    links: &'a [String; 2],
    reason: Option<&'a str>,
    #[serde(rename = "use")]
    use_of: &'static str,
    wrong: bool,
    sample: Option<u64>,
    configuration: Option<BTreeMap<&'a str, f64>>,
}

fn use_word(use_of: DisabledUse) -> &'static str {
    match use_of {
        DisabledUse::Unknown => "unknown",
        DisabledUse::NoShape => "no shape",
        DisabledUse::Joined => "joined",
        DisabledUse::Moving => "moving",
    }
}

pub(crate) fn lint_json(results: &LintResults, out: &mut dyn Write) -> anyhow::Result<()> {
    let pairs = results.pairs.iter().map(|pair| JsonLintPair {
        links: &pair.links,
        reason: pair.reason.as_deref(),
        use_of: use_word(pair.use_of),
        wrong: pair.is_wrong(),
        sample: pair.found.as_ref().map(|found| found.sample),
        configuration: pair
            .found
            .as_ref()
            .map(|found| found.joints.iter().map(|(name, x)| (&**name, *x)).collect()),
    });
    let wrong = results.pairs.iter().filter(|pair| pair.is_wrong()).count();
    let cover = results.cover.as_ref().map(JsonProxy::new);
    let whole = JsonLint { samples: results.samples, wrong, pairs: pairs.collect(), cover };
    serde_json::to_writer(VisibleJson::new(&mut *out), &whole)?;
    Ok(writeln!(out)?)
}

pub(crate) fn lint(results: &LintResults, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    for pair in results.pairs.iter().filter(|pair| pair.is_wrong()) {
        let [a, b] = pair.links.each_ref().map(|name| printable(name));
        let reason =
            pair.reason.as_deref().map_or(String::new(), |reason| format!(" ({})", printable(reason)));
        writeln!(out, "{a}, {b}{reason}")?;
        let Some(found) = &pair.found else { continue };
        let joints = found.joints.iter().zip(&found.is_between).filter(|(_, is_between)| **is_between);
        let joints: Vec<String> =
            joints.map(|((name, x), _)| format!("{}={}", printable(name), rounded(*x))).collect();
        let text = format!("collide in sample {}: {}", grouped(found.sample), joints.join(", "));
        for line in folded(&text, columns.map(|columns| columns.saturating_sub(2))).lines() {
            writeln!(out, "  {line}")?;
        }
    }
    if results.pairs.iter().any(LintPair::is_wrong) {
        writeln!(out)?;
    }
    writeln!(out, "{}", folded(&pairs_verdict(results), columns))?;
    if let Some(cover) = &results.cover {
        writeln!(out, "\nCollision geometry against visual geometry:")?;
        proxy::people(cover, columns, out)?;
    }
    Ok(())
}

/// A position, to be read; JSON has all digits.
fn rounded(x: f64) -> String {
    format!("{x:.4}")
}

/// The result in words.
pub(crate) fn lint_verdict(results: &LintResults) -> String {
    let cover = results.cover.as_ref().map(|cover| format!(" Cover: {}", proxy::verdict(cover)));
    pairs_verdict(results) + &cover.unwrap_or_default()
}

/// The result for the pairs in words.
fn pairs_verdict(results: &LintResults) -> String {
    let with = |use_of| results.pairs.iter().filter(|pair| pair.use_of == use_of).count() as u64;
    let moving = with(DisabledUse::Moving);
    let wrong = results.pairs.iter().filter(|pair| pair.is_wrong()).count() as u64;
    let meant = results.pairs.iter().filter(|pair| pair.found.is_some()).count() as u64 - wrong;
    let mut text = format!(
        "{} of {} disabled that move against each other {} wrong: {} within {}.",
        grouped(wrong),
        count(moving, "pair"),
        if wrong == 1 { "is" } else { "are" },
        if wrong == 1 { "it collides" } else { "they collide" },
        count(results.samples, "sample"),
    );
    if wrong == 0 {
        text = format!(
            "None of {} disabled that move against each other collides within {}.",
            count(moving, "pair"),
            count(results.samples, "sample")
        );
    }
    if meant > 0 {
        let others = count_of(meant, "other pair collides", "other pairs collide");
        text += &format!(" {others}, as the stated reason allows.");
    }
    let without = with(DisabledUse::NoShape) + with(DisabledUse::Joined);
    if without > 0 {
        text += &format!(
            " {} without effect: no collision geometry, or joined links.",
            count_of(without, "entry is", "entries are")
        );
    }
    if with(DisabledUse::Unknown) > 0 {
        let entries = count_of(with(DisabledUse::Unknown), "entry names a link", "entries name links");
        text += &format!(" {entries} that the robot lacks.");
    }
    text
}

/// The number of pairs of each class.
pub(crate) fn classes(acm: &Acm, output: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let word = |class: AcmClass| match class {
        AcmClass::Adjacent => "adjacent",
        AcmClass::Rigid => "rigid",
        AcmClass::Always => "always",
        AcmClass::Default => "default",
        AcmClass::Sometimes => "tested",
        AcmClass::Unseen => "unseen",
        AcmClass::Never { .. } => "never",
    };
    let classes = ["adjacent", "rigid", "always", "default", "never", "unseen", "tested"];
    let number = |name: &str| acm.pairs().iter().filter(|pair| word(pair.class) == name).count();
    let rows: Vec<Vec<String>> = classes
        .iter()
        .filter(|name| number(name) > 0)
        .map(|name| vec![(*name).to_owned(), grouped(number(name) as u64)])
        .collect();
    let table = Table { headings: &["Class", ">Pairs"], names: 1, together: 0, width: None };
    table.write(|| rows.iter().cloned(), out)?;
    let samples = count(acm.samples() as u64, "sample");
    Ok(writeln!(out, "\nFrom {samples}. Written to {}.", printable(&output.to_string_lossy()))?)
}
