//! `impinge-papers compare`: compares the trees of several volumes by queries of two meshes.
use crate::{
    choices::Choices,
    costs::{Costs, Setup},
    format::{Format, columns},
    frames,
    question::{Answer, Question},
    stages::Stages,
};
use anyhow::{Context, bail};
use clap::Args;
use impinge::{Mesh, Pose, distance::Margin, relation::RelationKind};
use impinge_check::{
    sources::{Hull, unit_warnings},
    values::{
        numbers::{amount, count, grouped},
        text::printable,
    },
};
use impinge_report::Table;
use impinge_reproduce::Watch;
use serde::Serialize;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

const EXAMPLES: &str = "\
Examples:
  impinge-papers compare a.stl b.stl                         all volumes: do the meshes meet?
  impinge-papers compare a.stl b.stl --volume scb,obb,aabb --query pairs
  impinge-papers compare a.ply b.ply --poses motion.txt --format csv
  impinge-papers compare a.stl b.stl --volume aabb,obb --split midpoint --leaf-size 1";

/// Compare bounding volumes by a query of two meshes: tests, bytes, times.
///
/// Each file is one mesh, all of its parts together. The result must be the same with every volume; a
/// difference is an error. Nv counts tests of two volumes, Np the pairs of triangles in leaves that are
/// reached. Times are processor times of one thread.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Compare {
    /// The first mesh: STL, OBJ, PLY, OFF, glTF, GLB, 3MF, DAE or a bundle.
    a: PathBuf,

    /// The second mesh.
    b: PathBuf,

    /// The query.
    #[arg(long, value_enum, default_value_t = Question::Boolean)]
    query: Question,

    /// With `--query within`: the distance to compare with, in the files' unit.
    #[arg(long, value_name = "LENGTH", required_if_eq("query", "within"), value_parser = margin)]
    #[arg(allow_negative_numbers = true)]
    margin: Option<Margin>,

    /// The pose of B: 12 numbers, three rows of [R | t], which place a point v at R v + t.
    #[arg(long, value_name = "M", allow_hyphen_values = true, conflicts_with = "poses", value_parser = placed)]
    pose_b: Option<Pose>,

    /// A frame a line: 12 numbers, the pose of B, or 24, those of A and of B; # begins a comment.
    #[arg(long, value_name = "FILE")]
    poses: Option<PathBuf>,

    /// Runs of each volume; times are their median.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,

    /// The format of the result.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    #[command(flatten)]
    choices: Choices,
}

fn margin(text: &str) -> Result<Margin, String> {
    let length: f64 = text.trim().parse().map_err(|_| "not a number".to_owned())?;
    Margin::new(length).map_err(|error| error.to_string())
}

fn placed(text: &str) -> Result<Pose, String> {
    frames::pose(text).map_err(|error| format!("{error:#}"))
}

impl Compare {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.margin.is_some() && self.query != Question::Within {
            bail!("--margin: is about --query within");
        }
        let options = self.choices.options()?;
        let frames = match &self.poses {
            Some(path) => frames::read(path)?,
            None => vec![[Pose::IDENTITY, self.pose_b.unwrap_or_default()]],
        };
        let meshes = meshes([&self.a, &self.b])?;
        let margin = self.margin.unwrap_or_default();
        let setup = Setup { meshes, frames, question: self.query, margin, runs: self.repeat };

        let mut stages = Stages::new();
        let (mut costs, mut first): (_, Option<Vec<Answer>>) = (Vec::new(), None);
        for options in &options {
            let name = || format!("--volume {}", options.kind.name());
            stages.stage(name(), setup.frames.len());
            let (cost, answers) = setup.measure(options).with_context(name)?;
            match &first {
                Some(expected) => agree(expected, &answers).with_context(name)?,
                None => first = Some(answers),
            }
            costs.push(cost);
        }
        let comparison = Comparison { setup, answers: first.unwrap_or_default(), costs };
        let mut text = Vec::new();
        match self.format {
            Format::Table => comparison.table(&mut text)?,
            Format::Json => comparison.json(&mut text)?,
            Format::Csv => comparison.csv(&mut text)?,
        }
        Ok(io::stdout().write_all(&text)?)
    }
}

/// Reads both files. Writes warnings about omitted parts and doubtful units to stderr.
fn meshes(paths: [&Path; 2]) -> anyhow::Result<[Arc<Mesh>; 2]> {
    let warn = |text: &str| drop(writeln!(io::stderr(), "impinge-papers: warning: {}", printable(text)));
    let [a, b] = paths.map(impinge_io::read);
    let files = [a?, b?];
    for file in &files {
        file.warnings.iter().for_each(|warning| warn(&warning.to_string()));
        for missing in &file.omissions {
            warn(&format!("{}: {} of its parts: {}", missing.file.display(), missing.count, missing.reason));
        }
    }
    let sources = files.iter().flat_map(|file| {
        let hull = Hull::of(&file.parts);
        file.sources.iter().map(move |source| (source.clone(), hull))
    });
    unit_warnings(&sources.collect::<Vec<_>>()).iter().for_each(|warning| warn(&warning.to_string()));
    let merged =
        |k: usize| impinge_io::merged(&files[k].parts).with_context(|| paths[k].display().to_string());
    Ok([merged(0)?, merged(1)?])
}

/// Returns an error if results differ, since they must not depend on the volume.
fn agree(expected: &[Answer], answers: &[Answer]) -> anyhow::Result<()> {
    match expected.iter().zip(answers).position(|(a, b)| !a.agrees(b)) {
        Some(frame) => bail!(
            "the result of frame {frame} differs from that of the first volume; this is a fault of impinge, \
             please report it"
        ),
        None => Ok(()),
    }
}

/// Costs of several volumes, and the results that they share.
struct Comparison {
    setup: Setup,
    answers: Vec<Answer>,
    costs: Vec<Costs>,
}

/// The costs of a volume, over all frames.
#[derive(Serialize)]
struct CostRow {
    volume: &'static str,
    volume_tests: u64,
    triangle_pairs: u64,
    triangle_tests: u64,
    nodes: usize,
    depth: usize,
    bytes_per_triangle: f64,
    build_microseconds: f64,
    query_microseconds: f64,
    /// Query time over that of the fastest volume.
    query_ratio: f64,
}

#[derive(Serialize)]
struct ComparisonJson {
    query: &'static str,
    frames: usize,
    runs: u32,
    result: Outcome,
    volumes: Vec<CostRow>,
}

/// The result, which is the same for all volumes.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    /// Number of frames in which the bodies meet.
    FramesMeet(usize),
    /// Number of frames in which the bodies are not apart: one may be inside the other.
    FramesNotApart(usize),
    /// Triangle pairs of all frames.
    Pairs(u64),
    /// Number of frames in which the bodies are at most the margin apart.
    FramesWithin(usize),
    /// Least upper end of the frames' distance intervals, from the first volume.
    Distance(Option<f64>),
}

impl Comparison {
    fn result(&self) -> Outcome {
        let frames = |holds: fn(&Answer) -> bool| self.answers.iter().filter(|one| holds(one)).count();
        match self.setup.question {
            Question::Boolean => Outcome::FramesMeet(frames(|one| matches!(one, Answer::Boolean(true)))),
            Question::Within => Outcome::FramesWithin(frames(|one| matches!(one, Answer::Within(true)))),
            Question::Relation => Outcome::FramesNotApart(frames(
                |one| matches!(one, Answer::Relation(relation) if relation.kind != RelationKind::Apart),
            )),
            Question::Pairs => {
                let count = |one: &Answer| if let Answer::Pairs { count, .. } = one { *count } else { 0 };
                Outcome::Pairs(self.answers.iter().map(count).sum())
            }
            Question::Distance => {
                let least = self.answers.iter().filter_map(|one| match one {
                    Answer::Distance(Some(gap)) => Some(gap.hi),
                    _ => None,
                });
                Outcome::Distance(least.min_by(f64::total_cmp))
            }
        }
    }

    fn rows(&self) -> Vec<CostRow> {
        let fastest = self.costs.iter().map(|costs| costs.query_seconds).fold(f64::INFINITY, f64::min);
        let row = |costs: &Costs| CostRow {
            volume: costs.kind.name(),
            volume_tests: costs.count.volume_tests,
            triangle_pairs: costs.count.leaf_pairs,
            triangle_tests: costs.count.triangle_tests,
            nodes: costs.nodes,
            depth: costs.depth,
            bytes_per_triangle: costs.bytes_per_triangle,
            build_microseconds: 1e6 * costs.build_seconds,
            query_microseconds: 1e6 * costs.query_seconds,
            query_ratio: costs.query_seconds / fastest.max(1e-9),
        };
        self.costs.iter().map(row).collect()
    }

    fn json(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Setup { question, frames, runs, .. } = &self.setup;
        let json = ComparisonJson {
            query: question.name(),
            frames: frames.len(),
            runs: *runs,
            result: self.result(),
            volumes: self.rows(),
        };
        serde_json::to_writer_pretty(&mut *out, &json)?;
        Ok(writeln!(out)?)
    }

    fn csv(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        self.rows().iter().try_for_each(|row| csv.serialize(row))?;
        Ok(csv.flush()?)
    }

    fn table(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let headings = [
            "volume",
            ">Nv: volume\ntests",
            ">Np: pairs\nin leaves",
            ">nodes",
            ">bytes a\ntriangle",
            ">build\nms",
            ">query\nms",
            ">x the\nfastest",
        ];
        let cells = |row: &CostRow| {
            vec![
                row.volume.to_owned(),
                grouped(row.volume_tests),
                grouped(row.triangle_pairs),
                grouped(row.nodes as u64),
                format!("{:.1}", row.bytes_per_triangle),
                milliseconds(row.build_microseconds),
                milliseconds(row.query_microseconds),
                format!("{:.1}", row.query_ratio),
            ]
        };
        let rows = self.rows();
        Table { headings: &headings, names: 0, together: 0, width: columns() }
            .write(|| rows.iter().map(cells), out)?;
        writeln!(out, "\n{}", self.verdict())?;
        writeln!(
            out,
            "Counts and times of queries are of all frames. Times are processor times, the median of {}.",
            count(u64::from(self.setup.runs), "run")
        )?;
        Ok(())
    }

    fn verdict(&self) -> String {
        let frames = self.setup.frames.len();
        let result = match self.result() {
            Outcome::FramesMeet(count) => format!("A and B meet in {count} of {frames} frames"),
            Outcome::FramesNotApart(count) => format!("A and B are not apart in {count} of {frames} frames"),
            Outcome::FramesWithin(count) => {
                format!("A and B are at most the margin apart in {count} of {frames} frames")
            }
            Outcome::Pairs(count) => format!("{} triangle pairs meet", grouped(count)),
            Outcome::Distance(Some(distance)) => {
                format!("the least distance of A and B is {}", amount(distance))
            }
            Outcome::Distance(None) => "there is no distance: a mesh has no triangle".to_owned(),
        };
        format!("By every volume: {result}.")
    }
}

/// Milliseconds in about three digits.
fn milliseconds(microseconds: f64) -> String {
    match microseconds / 1e3 {
        time if time < 0.1 => format!("{time:.4}"),
        time if time < 10.0 => format!("{time:.2}"),
        time if time < 1000.0 => format!("{time:.0}"),
        time => grouped(time.round() as u64),
    }
}
