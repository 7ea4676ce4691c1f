//! The page of `impinge robot check`: findings, and the robot at the first contact of each pair of links.
use super::{
    page::{self, text},
    robot::{check_verdict, word},
};
use crate::robot::{
    picture::{COLORS, Moment, MomentPlace},
    results::RobotResults,
};
use impinge_check::values::numbers::{count, grouped};
use std::{io::Write, path::Path};

const STYLE: &str = "th:nth-child(2), td:nth-child(2) { text-align: left; }\n";

/// The most rows of a table; JSON has all.
const ROWS: usize = 1000;

/// Writes the page. `pictures` has a PNG file for each moment.
pub(crate) fn write(
    robot: &Path,
    results: &RobotResults,
    moments: &[Moment],
    pictures: &[Vec<u8>],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let robot = text(&robot.file_name().unwrap_or_default().to_string_lossy());
    page::begin(&format!("Collisions of {robot}"), STYLE, out)?;
    writeln!(out, "<p>{}</p>", text(&check_verdict(results)))?;
    if !moments.is_empty() {
        let [first, second] =
            COLORS.map(|[r, g, b]| format!("<i style=\"background:rgb({r},{g},{b})\"></i>"));
        writeln!(
            out,
            "<p class=\"key\">The robot at the first contact of each pair of links:{first}first \
             link{second}second. Other obstacles are translucent.</p>"
        )?;
    }
    for (moment, png) in moments.iter().zip(pictures) {
        let [a, b] = results.names(moment.links).map(text);
        let place = match moment.at {
            MomentPlace::Configuration(at) => format!("configuration {}", grouped(at as u64)),
            MomentPlace::Edge(at) => format!("edge {}", grouped(at as u64)),
        };
        page::figure(png, &format!("{a}, {b}"), &format!("{a}, {b}: {place}"), out)?;
    }
    if let Some(edges) = results.edges.as_deref().filter(|edges| !edges.is_empty()) {
        let headings = ["Link", "Link", "Edge", "Result", "Clear until", "Contact at"];
        let rows = edges.iter().map(|edge| {
            let [a, b] = results.names(edge.links).map(text);
            let meets_at = edge.meets_at.map_or(String::new(), |t| format!("{t:.9}"));
            let number = grouped(edge.edge as u64);
            vec![a, b, number, word(edge).to_owned(), format!("{:.9}", edge.free_until), meets_at]
        });
        table(&headings, rows, edges.len(), out)?;
    }
    let pairs =
        || results.collisions.iter().flat_map(|c| c.links.iter().map(|links| (c.configuration, *links)));
    if pairs().next().is_some() {
        let rows = pairs().map(|(configuration, links)| {
            let [a, b] = results.names(links).map(text);
            vec![a, b, grouped(configuration as u64)]
        });
        table(&["Link", "Link", "Configuration"], rows, pairs().count(), out)?;
    }
    page::end(out)
}

/// Writes a table of at most `ROWS` of all rows.
fn table(
    headings: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
    all: usize,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let line = |cells: &[String], tag: &str| {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
        format!("<tr>{cells}</tr>")
    };
    let headings: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
    writeln!(out, "<table><thead>{}</thead><tbody>", line(&headings, "th"))?;
    for row in rows.take(ROWS) {
        writeln!(out, "{}", line(&row, "td"))?;
    }
    writeln!(out, "</tbody></table>")?;
    if all > ROWS {
        writeln!(out, "<p>{} more in JSON (--format json)</p>", count((all - ROWS) as u64, "row"))?;
    }
    Ok(())
}
