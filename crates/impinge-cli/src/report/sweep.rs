//! Output of `impinge sweep`: for people, or JSON.
use crate::sweep::results::{SweepMoment, SweepResults};
use impinge::{
    Pose,
    relation::RelationKind,
    sweep::{Sweep, Undecided},
};
use impinge_check::{
    relations,
    values::{
        Warning,
        numbers::{Coordinates, amount, count, grouped, shortest},
        text::{VisibleJson, folded, printable},
    },
};
use impinge_report::{SummaryLine, aligned, warned};
use serde::Serialize;
use std::io::Write;

/// Members of the JSON result. A missing value is null.
#[derive(Serialize)]
struct JsonSweep<'a> {
    result: &'static str,
    free_until: f64,
    meets_at: Option<f64>,
    undecided: Option<JsonUndecided>,
    frames: Option<[usize; 2]>,
    enclosed: Option<&'static str>,
    moment: Option<JsonMoment<'a>>,
    after: f64,
    warnings: &'a [Warning],
}

#[derive(Serialize)]
struct JsonUndecided {
    why: &'static str,
    until: f64,
}

#[derive(Serialize)]
struct JsonMoment<'a> {
    time: f64,
    pose_a: [f64; 12],
    pose_b: [f64; 12],
    triangle_a: u32,
    triangle_b: u32,
    part_a: &'a str,
    part_b: &'a str,
    point_a: [f64; 3],
    point_b: [f64; 3],
    distance: [f64; 2],
}

impl<'a> JsonMoment<'a> {
    fn new(moment: &'a SweepMoment) -> Self {
        let [pose_a, pose_b] = moment.poses.map(|pose| numbers(&pose));
        let [triangle_a, triangle_b] = moment.triangles;
        let [part_a, part_b] = [&*moment.parts[0], &*moment.parts[1]];
        let [point_a, point_b] = moment.points;
        let (time, distance) = (moment.time, moment.distance);
        Self { time, pose_a, pose_b, triangle_a, triangle_b, part_a, part_b, point_a, point_b, distance }
    }
}

pub(crate) fn json(results: &SweepResults, out: &mut dyn Write) -> anyhow::Result<()> {
    let (result, free_until, meets_at, undecided) = match results.outcome {
        Sweep::Clear => ("clear", 1.0, None, None),
        Sweep::Contact { free_until, meets_at, .. } => ("contact", free_until, Some(meets_at), None),
        Sweep::Near { free_until, until, meets_at, why, .. } => {
            let why = match why {
                Undecided::Grazing => "grazing",
                Undecided::Budget => "max_intervals",
            };
            ("undecided", free_until, meets_at, Some(JsonUndecided { why, until }))
        }
    };
    let whole = JsonSweep {
        result,
        free_until,
        meets_at,
        undecided,
        frames: results.time().and_then(|time| results.frames_at(time)),
        enclosed: results.enclosed.map(relations::name),
        moment: results.moment.as_ref().map(JsonMoment::new),
        after: results.after,
        warnings: &results.warnings,
    };
    serde_json::to_writer(VisibleJson::new(&mut *out), &whole)?;
    Ok(writeln!(out)?)
}

pub(crate) fn people(
    results: &SweepResults,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for ((name, file), triangles) in ["A", "B"].iter().zip(&results.files).zip(results.triangles) {
        let file = printable(&file.to_string_lossy());
        writeln!(out, "{name}: {file}, {}", count(triangles as u64, "triangle"))?;
    }
    let lines = lines(results);
    if !lines.is_empty() {
        writeln!(out, "\n{}", aligned(&lines, columns))?;
    }
    Ok(writeln!(out, "\n{}", folded(&verdict(results), columns))?)
}

/// Times, triangles, points and poses, with times and poses in full.
fn lines(results: &SweepResults) -> Vec<SummaryLine> {
    let mut lines = Vec::new();
    let mut add = |name, text: String| lines.push(SummaryLine { name, number: None, text });
    match results.outcome {
        Sweep::Clear => return lines,
        Sweep::Contact { free_until, meets_at, .. } => {
            add("Clear until", format!("t = {free_until}"));
            add("Contact at", format!("t = {meets_at}"));
        }
        Sweep::Near { free_until, until, meets_at, .. } => {
            add("Clear until", format!("t = {free_until}"));
            add("Undecided until", format!("t = {until}"));
            if let Some(meets_at) = meets_at {
                add("Contact at", format!("t = {meets_at}"));
            }
        }
    }
    if let Some([before, after]) = results.time().and_then(|time| results.frames_at(time)) {
        add("Frames", format!("{before} to {after}"));
    }
    let Some(moment) = &results.moment else { return lines };
    let named = |side: usize| {
        let of = ["A", "B"][side];
        let part = if results.has_parts[side] { format!(" ({})", moment.parts[side]) } else { String::new() };
        format!("{} of {of}{part}", moment.triangles[side])
    };
    add("Triangles", format!("{}, {}", named(0), named(1)));
    let coordinates = Coordinates::like(moment.points.iter().flatten().copied(), results.size);
    let shown = |point: [f64; 3]| point.map(|x| coordinates.show(x)).join(", ");
    if moment.distance[1] == 0.0 {
        add("Point", shown(moment.points[0]));
    } else {
        add("Distance", amount(moment.distance[1]));
        add("Point of A", shown(moment.points[0]));
        add("Point of B", shown(moment.points[1]));
    }
    for (side, name) in [(0, "Pose of A"), (1, "Pose of B")] {
        if side == 1 || results.moves_a {
            let numbers = numbers(&moment.poses[side]);
            for (row, name) in numbers.chunks(4).zip([name, "", ""]) {
                add(name, row.iter().map(f64::to_string).collect::<Vec<_>>().join(" "));
            }
        }
    }
    lines
}

/// The result in words.
pub(crate) fn verdict(results: &SweepResults) -> String {
    let margin = shortest([results.margin.get(); 2]);
    let has_margin = results.margin.get() > 0.0;
    let meet = if has_margin { format!("are at most {margin} apart") } else { "meet".to_owned() };
    let text = match results.outcome {
        Sweep::Clear => match results.enclosed {
            Some(kind) => {
                format!("{} during the whole motion, without contact of surfaces.", enclosure(kind))
            }
            None if has_margin => {
                format!("A and B are more than {margin} apart during the whole motion.")
            }
            None => "A and B do not meet during the whole motion.".to_owned(),
        },
        Sweep::Contact { meets_at: 0.0, .. } => format!("A and B {meet} at the start."),
        Sweep::Contact { free_until, meets_at, .. } if results.any => format!(
            "A and B {meet} at t = {}{}, and not before t = {}.",
            shortest([meets_at; 2]),
            between(results),
            shortest([free_until; 2])
        ),
        Sweep::Contact { free_until, meets_at, .. } => {
            let first = if has_margin {
                format!("are first at most {margin} apart")
            } else {
                "first meet".to_owned()
            };
            format!("A and B {first} at t = {}{}.", shortest([free_until, meets_at]), between(results))
        }
        Sweep::Near { free_until, until, meets_at, why: Undecided::Grazing, .. } => {
            let near = match &results.moment {
                Some(moment) => format!("{} apart", amount(moment.distance[1])),
                None => "near each other".to_owned(),
            };
            let later = match meets_at {
                Some(meets_at) => format!(" They {meet} at t = {}.", shortest([meets_at; 2])),
                None => String::new(),
            };
            format!(
                "Undecided: A and B are {near} at t = {}{}, and it is not proved whether they {meet}.{later} \
                 A smaller --tolerance and --resolution may decide it.",
                shortest([free_until, until]),
                between(results)
            )
        }
        Sweep::Near { free_until, why: Undecided::Budget, .. } => format!(
            "Undecided: the work exceeds {} intervals (--max-intervals). A and B {} before t = {}{}.",
            grouped(results.most_intervals),
            if has_margin { format!("are more than {margin} apart") } else { "do not meet".to_owned() },
            shortest([free_until; 2]),
            between(results)
        ),
    };
    let start = match results.enclosed {
        Some(kind) if results.outcome != Sweep::Clear => format!(" {} at the start.", enclosure(kind)),
        _ => String::new(),
    };
    let ignored = match results.after {
        0.0 => String::new(),
        after => format!(" Contact before t = {after} does not count."),
    };
    text + &start + &ignored + &warned(&results.warnings)
}

/// The frames around the time of the result, if the motion has frames.
fn between(results: &SweepResults) -> String {
    match results.time().and_then(|time| results.frames_at(time)) {
        Some([before, after]) => format!(", between frames {before} and {after}"),
        None => String::new(),
    }
}

/// The relation of bodies without contact of which one is inside the other.
fn enclosure(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Inside => "A is inside B",
        RelationKind::Contains => "B is inside A",
        _ => "A part of one mesh is inside the other mesh",
    }
}

/// Three rows of [R | t].
fn numbers(pose: &Pose) -> [f64; 12] {
    let (rows, t) = (pose.rows(), pose.translation());
    std::array::from_fn(|i| if i % 4 < 3 { rows[i / 4][i % 4] } else { t[i / 4] })
}
