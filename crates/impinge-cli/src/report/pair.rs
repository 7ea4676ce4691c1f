//! Output of `impinge pair`: table, JSON or CSV.
mod cells;
mod curves;
mod distance;
mod grid;

pub(crate) use self::curves::draw;

use self::cells::{microseconds, yes};
use crate::{
    args::Format,
    pair::{
        ask::Ask,
        results::{FrameResult, QueryResult, Results},
    },
};
use impinge::relation::{Relation, RelationKind};
use impinge_check::{
    relations,
    values::{
        Warning,
        numbers::{Coordinates, amount, count, grouped},
        text::{VisibleJson, folded, printable},
    },
};
use impinge_report::{Stream, Table, warned};
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
        Format::Csv => csv(results, out)?,
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
    found: Option<JsonFound<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intersecting: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<&'a [[u32; 2]]>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonFound<'a> {
    Relation {
        relation: &'static str,
        touching: bool,
        /// Triangles that meet, if there are any: of several pairs, any.
        witness: Option<[u32; 2]>,
    },
    /// Null if it is more than the margin.
    Distance {
        distance: Option<[f64; 2]>,
        points: Option<[[f64; 3]; 2]>,
    },
    Within {
        within: bool,
    },
    Curves {
        curves: curves::JsonCurves,
    },
    Rows(grid::JsonRows<'a>),
}

impl<'a> JsonFound<'a> {
    fn new(ask: Ask, found: &'a QueryResult) -> Option<Self> {
        match found {
            QueryResult::Pairs => None,
            QueryResult::Rows(rows) => match ask {
                Ask::Grid(query) => Some(Self::Rows(grid::JsonRows { query, rows })),
                _ => None,
            },
            &QueryResult::Relation(Relation { kind, touching, witness, .. }) => {
                Some(Self::Relation { relation: relations::name(kind), touching, witness })
            }
            QueryResult::Distance(gap) => Some(Self::Distance {
                distance: gap.map(|gap| [gap.lo, gap.hi]),
                points: gap.map(|gap| gap.points),
            }),
            &QueryResult::Within(within) => Some(Self::Within { within }),
            QueryResult::Curves(curves) => Some(Self::Curves { curves: curves::JsonCurves::new(curves) }),
        }
    }
}

fn json(results: &Results, out: &mut dyn Write) -> anyhow::Result<()> {
    let is_of_triangles = matches!(results.ask, Ask::Boolean | Ask::Pairs);
    let frames = || {
        results.frames.iter().enumerate().map(|(frame, FrameResult { pairs, found, .. })| JsonFrame {
            frame,
            found: JsonFound::new(results.ask, found),
            intersecting: is_of_triangles.then_some(!pairs.is_empty()),
            pair_count: is_of_triangles.then_some(pairs.len()),
            pairs: (results.ask == Ask::Pairs).then_some(pairs),
        })
    };
    let whole = JsonReport { frames: Stream(frames), warnings: &results.warnings };
    serde_json::to_writer(VisibleJson::new(&mut *out), &whole)?;
    Ok(writeln!(out)?)
}

fn csv(results: &Results, out: &mut dyn Write) -> anyhow::Result<()> {
    if let Ask::Grid(query) = results.ask {
        return grid::csv(results, query, out);
    }
    let mut csv = csv::Writer::from_writer(out);
    let headings: &[&str] = match results.ask {
        Ask::Relation => &["relation", "touching"],
        Ask::Boolean | Ask::Pairs => &["intersecting", "pair_count"],
        Ask::Distance => &["distance_lo", "distance_hi", "a_x", "a_y", "a_z", "b_x", "b_y", "b_z"],
        Ask::Within => &["within"],
        Ask::Curves => {
            &["lines", "closed", "length_lo", "length_hi", "patches", "area_lo", "area_hi", "points"]
        }
        Ask::Grid(_) => &[],
    };
    let costs = ["volume_tests", "triangle_tests", "microseconds"];
    csv.write_record(["frame"].iter().chain(headings).chain(&costs))?;
    for (frame, FrameResult { pairs, found, work, time, .. }) in results.frames.iter().enumerate() {
        let costs = (work.count.volume_tests, work.count.triangle_tests, microseconds(*time));
        match found {
            QueryResult::Rows(_) => {}
            QueryResult::Pairs => csv.serialize((frame, !pairs.is_empty(), pairs.len(), costs))?,
            QueryResult::Relation(relation) => {
                csv.serialize((frame, relations::name(relation.kind), relation.touching, costs))?;
            }
            QueryResult::Distance(gap) => {
                // An unknown number is an empty cell.
                let distance = gap.map_or([None; 2], |gap| [gap.lo, gap.hi].map(Some));
                let points = gap.map_or([[None; 3]; 2], |gap| gap.points.map(|point| point.map(Some)));
                csv.serialize((frame, distance, points, costs))?;
            }
            QueryResult::Within(within) => csv.serialize((frame, within, costs))?,
            QueryResult::Curves(found) => {
                let closed = found.lines().filter(|line| line.closed).count();
                let lines = (found.lines().len(), closed, found.length());
                let patches = (found.patches().len(), found.area(), found.points().len());
                csv.serialize((frame, lines, patches, costs))?;
            }
        }
    }
    Ok(csv.flush()?)
}

fn people(results: &Results, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    write_files(results, out)?;
    match results.ask {
        Ask::Grid(query) => grid::people(results, query, columns, out)?,
        _ => frames(results, columns, out)?,
    }
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
    let all = results.frames.len() as u64;
    let of_another_kind = match results.ask {
        Ask::Relation => Some(relations(results)),
        Ask::Distance => Some(distance::nearest(results)),
        Ask::Within => Some(distance::within(results)),
        Ask::Curves => Some(curves::verdict(results)),
        Ask::Grid(query) => Some(grid::verdict(results, query)),
        Ask::Boolean | Ask::Pairs => None,
    };
    if let Some(text) = of_another_kind {
        return text + &warned(&results.warnings);
    }
    let meet = results.frames.iter().filter(|answer| !answer.pairs.is_empty()).count() as u64;
    let verdict = match (all, meet) {
        (1, 0) => "A and B do not meet.".to_owned(),
        (1, _) => "A and B meet.".to_owned(),
        (_, 0) => format!("A and B meet in none of {}.", count(all, "frame")),
        _ => format!("A and B meet in {} of {}.", grouped(meet), count(all, "frame")),
    };
    let pairs: u64 = results.frames.iter().map(|answer| answer.pairs.len() as u64).sum();
    let pairs = match (results.ask, pairs) {
        (Ask::Pairs, 1) => " 1 triangle pair meets.".to_owned(),
        (Ask::Pairs, 2..) => format!(" {} meet.", count(pairs, "triangle pair")),
        _ => String::new(),
    };
    verdict + &pairs + &warned(&results.warnings)
}

/// How many frames have which relation.
fn relations(results: &Results) -> String {
    let kinds = || {
        results.frames.iter().filter_map(|answer| match answer.found {
            QueryResult::Relation(relation) => Some(relation.kind),
            _ => None,
        })
    };
    if let [FrameResult { found: QueryResult::Relation(relation), .. }] = &*results.frames {
        let within = matches!(
            relation.kind,
            RelationKind::Inside | RelationKind::Contains | RelationKind::SurfaceInside
        );
        let surfaces = if within && relation.touching { " Their surfaces meet." } else { "" };
        return format!("{}{surfaces}", sentence(relation.kind));
    }
    let mut counts: Vec<(RelationKind, u64)> =
        relations::ALL.into_iter().chain([RelationKind::Apart]).map(|kind| (kind, 0)).collect();
    kinds().for_each(|kind| counts[relations::place(kind)].1 += 1);
    counts.retain(|&(_, n)| n > 0);
    let named = counts.into_iter().map(|(kind, n)| format!("{} in {}", relations::name(kind), grouped(n)));
    let all = count(results.frames.len() as u64, "frame");
    format!("Of {all}: {}.", named.collect::<Vec<_>>().join(", "))
}

/// A sentence about the relation of A and B.
fn sentence(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Overlap => "A and B overlap.",
        RelationKind::Inside => "A is inside B.",
        RelationKind::Contains => "B is inside A.",
        RelationKind::Duplicate => "A and B are the same set of points.",
        RelationKind::Pierce => "One is an open surface and pierces the other.",
        RelationKind::SurfaceInside => "One is an open surface inside the other.",
        RelationKind::Meet => "A and B are open surfaces, and meet.",
        RelationKind::Touch => "A and B touch: their surfaces meet, their insides do not.",
        RelationKind::Apart => "A and B are apart.",
    }
}

/// A row for each frame.
fn frames(results: &Results, columns: Option<u16>, out: &mut dyn Write) -> io::Result<()> {
    let points = results.frames.iter().flat_map(|answer| {
        let nearest = answer.found.gap().into_iter().flat_map(|gap| gap.points);
        answer.point.into_iter().chain(nearest).flatten()
    });
    let coordinates = Coordinates::like(points, results.size);
    let mut headings = vec![">frame"];
    headings.extend(match results.ask {
        Ask::Boolean => ["meet"].as_slice(),
        Ask::Pairs => &["meet", ">pairs"],
        Ask::Relation => &["relation", "touching"],
        Ask::Distance => &[">distance"],
        Ask::Within => &["within"],
        Ask::Curves => &[">lines", ">closed", ">length", ">patches", ">area", ">points"],
        Ask::Grid(_) => &[],
    });
    // Both would be too wide for a terminal.
    headings.extend(match (results.stats, results.ask) {
        (false, Ask::Within | Ask::Curves) => [].as_slice(),
        (false, Ask::Distance) => &[">A's x", ">y", ">z", ">B's x", ">y", ">z"],
        (false, _) => &[">e.g. A's", ">B's", ">at x", ">y", ">z"],
        (true, _) => &[">volume\ntests", ">triangle\ntests", ">exact\ntests"],
    });
    headings.push(">µs");
    let row = |(frame, FrameResult { pairs, found, point, work, time }): (usize, &FrameResult)| {
        let mut row = vec![frame.to_string()];
        match found {
            QueryResult::Relation(relation) => row.push(relations::name(relation.kind).to_owned()),
            QueryResult::Distance(gap) => row.push(gap.map_or_else(|| "–".to_owned(), |gap| amount(gap.hi))),
            QueryResult::Curves(found) => {
                let closed = found.lines().filter(|line| line.closed).count();
                row.extend([found.lines().len(), closed].map(|n| grouped(n as u64)));
                row.push(amount(found.length()[1]));
                row.push(grouped(found.patches().len() as u64));
                row.push(amount(found.area()[1]));
                row.push(grouped(found.points().len() as u64));
            }
            QueryResult::Pairs | QueryResult::Within(_) | QueryResult::Rows(_) => {}
        }
        match found {
            QueryResult::Pairs | QueryResult::Relation(_) => row.push(yes(!pairs.is_empty())),
            QueryResult::Within(within) => row.push(yes(*within)),
            QueryResult::Distance(_) | QueryResult::Curves(_) | QueryResult::Rows(_) => {}
        }
        if results.ask == Ask::Pairs {
            row.push(grouped(pairs.len() as u64));
        }
        if results.stats {
            row.extend(
                [work.count.volume_tests, work.count.triangle_tests, work.count.exact_tests].map(grouped),
            );
        } else if let QueryResult::Distance(gap) = found {
            let points = gap.map(|gap| gap.points);
            let cells = (0..6).map(|k| points.map(|points| coordinates.show(points[k / 3][k % 3])));
            row.extend(cells.map(Option::unwrap_or_default));
        } else if !matches!(found, QueryResult::Within(_) | QueryResult::Curves(_)) {
            // Numbers of triangles are names, not amounts: no blanks in them.
            row.extend(
                (0..2).map(|side| pairs.first().map_or_else(String::new, |pair| pair[side].to_string())),
            );
            row.extend((0..3).map(|k| point.map_or_else(String::new, |point| coordinates.show(point[k]))));
        }
        row.push(format!("{:.1}", microseconds(*time)));
        row
    };
    let table = Table { headings: &headings, names: 0, together: 0, width: columns };
    table.write(|| results.frames.iter().enumerate().map(row), out)
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
