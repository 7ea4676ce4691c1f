//! `impinge robot check`: the configurations of a trajectory in which a robot collides.
use super::{
    files::{read_srdf, read_urdf, robot},
    meshes::{MeshReader, PackageOptions},
    picture::{draw, moments},
    results::{Collision, EdgeFinding, RobotResults},
    trajectory,
};
use crate::{args, output::Sink, progress::Progress, report, threads};
use anyhow::ensure;
use clap::{Args, ValueEnum};
use impinge::{Pose, distance::Margin, sweep::SweepOptions};
use impinge_check::{Length, Pool, Unit};
use impinge_robot::{Robot, RobotQuery, RobotSweep};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};

const SHORT: &str = "\
Examples:
  impinge robot check panda.urdf --srdf panda.srdf --trajectory q.npy
  impinge robot check panda.urdf --trajectory q.csv --continuous --margin 5mm
  impinge robot check panda.urdf --trajectory q.npy --obstacle table.stl
Trajectories, results, exit status: impinge robot check --help";

const NOTES: &str = "\
A trajectory has a row for each configuration and a column for each joint that moves and follows no
other, in the order of the URDF, in radians and metres: a .npy file of shape (N, joints), lines of
numbers with blanks or commas, or JSON: a list of rows, or `joint_names` and `points`. A first line of
names, and `joint_names`, set the order of columns.

Each configuration is decided for itself; between them nothing is examined. With --continuous, all joints
move evenly from each configuration to the next, and the first collision of each such edge is proved, or
that there is none, for all times. Joints do not take the shorter way round. Undecided edges, in which
links come too near each other for a proof, count as findings.

Pairs of links are not tested if a joint connects them, if only fixed joints are between them, or if the
SRDF disables them. Solids that contain each other collide, too. Cylinders are tested as the prisms
around them, at most 1/256 of their radius too large.

JSON has `configurations`, `colliding` (how many), `pairs` (tested in each), and `collisions`: the
`configuration` from 0 on, and the `links` of each pair. With --continuous it has `edges`: the `edge`
from 0 on, `result` (contact or undecided), `free_until`, `meets_at` and `links`.

Exit status: 0 clear; 1 a collision, or an edge that is undecided; 2 it could not be done.";

/// Find the configurations of a trajectory in which a robot collides
#[derive(Args)]
#[command(after_help = SHORT, after_long_help = NOTES)]
pub(super) struct RobotCheck {
    /// URDF of the robot
    robot: PathBuf,

    /// Read allowed pairs of links from this SRDF
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    srdf: Option<PathBuf>,

    /// Read configurations from FILE (.npy, .csv, .txt or .json)
    #[arg(long, value_name = "FILE", required = true, help_heading = "Input")]
    trajectory: PathBuf,

    /// Prove the motion from each configuration to the next, for all times
    #[arg(long, help_heading = "Collision")]
    continuous: bool,

    /// Add the mesh of FILE as an obstacle, in the frame of the robot's root
    ///
    /// It is scaled to metres if the file states its unit. May be given several times.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    obstacle: Vec<PathBuf>,

    /// Count a distance of at most LENGTH as collision
    ///
    /// A number without a unit is in metres.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true, help_heading = "Collision")]
    margin: Option<Length>,

    #[command(flatten)]
    packages: PackageOptions,

    /// Set the format: table, json, html or png [default: by the ending of FILE]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output", hide_possible_values = true)]
    format: Option<RobotFormat>,

    /// Write the result to FILE (.txt, .json, .html or .png)
    ///
    /// A page shows the robot at the first contact of each pair of links; a PNG file shows the first.
    /// The file is complete or not written at all. A summary is printed. `-` is standard output.
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Use N threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads(), help_heading = "Run")]
    threads: u16,
}

/// Format of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RobotFormat {
    /// For people.
    Table,
    /// For programs; every number in full.
    Json,
    /// A page with pictures.
    Html,
    /// A picture of the first contact.
    Png,
}

/// The most pictures of a page.
const PICTURES: usize = 12;

/// Width and height of pictures in pixels: those of a page, and one by itself.
const PAGE_SIZE: [u32; 2] = [640, 480];
const PICTURE_SIZE: [u32; 2] = [1280, 960];

/// Configurations that a thread takes at once.
const RUN: usize = 64;

impl RobotCheck {
    /// Runs the command. Returns true if no configuration is in collision.
    pub(super) fn run(self) -> anyhow::Result<bool> {
        let inputs = [Some(&*self.robot), self.srdf.as_deref(), Some(&*self.trajectory)];
        let obstacles = self.obstacle.iter().map(|path| &**path);
        let inputs = inputs.into_iter().flatten().chain(obstacles);
        let sink = Sink::new(self.output.as_deref(), inputs)?;
        let format = args::chosen(self.format, self.output.as_deref(), RobotFormat::Table)?;
        let margin = match &self.margin {
            None => Margin::ZERO,
            Some(length) => {
                let metres = length.within(Some(Unit::Metre)).filter(|metres| *metres >= 0.0);
                ensure!(metres.is_some(), "--margin {length}: give a length that is not negative");
                Margin::new(metres.unwrap_or_default())?
            }
        };
        let pool = threads::pool_for(self.threads, std::iter::empty(), usize::MAX)?;
        let progress = Progress::new();
        let urdf = read_urdf(&self.robot)?;
        let srdf = self.srdf.as_deref().map(read_srdf).transpose()?;
        let reader = MeshReader { pool: &pool, progress: &progress };
        let mut robot = robot(&self.robot, &urdf, srdf.as_ref(), &self.packages, &reader)?;
        for path in &self.obstacle {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            robot.add_obstacle(&name, reader.in_metres(path, [1.0; 3])?, Pose::IDENTITY, 0.0)?;
        }
        let width = robot.kinematics().dofs().len();
        let q = trajectory::read(&self.trajectory, robot.kinematics())?;
        let count = q.len() / width;
        let sweeps = if self.continuous {
            progress.stage("proving, edges", count.saturating_sub(1) as u64);
            edges(&robot, &q, margin, &pool, &progress)?
        } else {
            Vec::new()
        };
        progress.stage("testing, configurations", count as u64);
        let runs: Vec<Range<usize>> =
            (0..count).step_by(RUN).map(|first| first..(first + RUN).min(count)).collect();
        let found = pool.each(&runs, |run| {
            let mut query = RobotQuery::new();
            let mut collisions = Vec::new();
            for configuration in run.clone() {
                let pairs = query.near_pairs(&robot, &q[configuration * width..][..width], margin)?;
                if !pairs.is_empty() {
                    collisions.push(Collision { configuration, links: pairs.to_vec() });
                }
            }
            progress.step(run.len() as u64);
            Ok(collisions)
        });
        let found: Vec<Vec<Collision>> = found.into_iter().collect::<Result<_, impinge_robot::Error>>()?;
        let results = RobotResults {
            parts: robot.parts().iter().map(|part| part.name().to_owned()).collect(),
            configurations: count,
            pairs: robot.checked_pairs().len(),
            margin: margin.get(),
            collisions: found.into_iter().flatten().collect(),
            edges: self.continuous.then_some(sweeps),
        };
        let (most, size) = match format {
            RobotFormat::Html => (PICTURES, PAGE_SIZE),
            RobotFormat::Png => (1, PICTURE_SIZE),
            _ => (0, PAGE_SIZE),
        };
        let moments = moments(&results, &q, width, most);
        progress.stage("drawing, pictures", moments.len() as u64);
        let drawn = pool.each(&moments, |moment| {
            let png = draw(&robot, moment, size);
            progress.step(1);
            png
        });
        let pictures: Vec<Vec<u8>> = drawn.into_iter().collect::<anyhow::Result<_>>()?;
        drop(progress);
        ensure!(
            format != RobotFormat::Png || !pictures.is_empty(),
            "{}: nothing collides, so there is no picture; choose another format",
            self.output.as_deref().unwrap_or(Path::new("-")).display()
        );
        sink.write(|out| match format {
            RobotFormat::Table => report::robot::check(&results, sink.columns(), out),
            RobotFormat::Json => report::robot::check_json(&results, out),
            RobotFormat::Html => report::robot_page::write(&self.robot, &results, &moments, &pictures, out),
            RobotFormat::Png => Ok(out.write_all(&pictures[0])?),
        })?;
        sink.summary(&report::robot::check_verdict(&results))?;
        Ok(results.is_clear())
    }
}

/// The edges that are not clear.
fn edges(
    robot: &Robot,
    q: &[f64],
    margin: Margin,
    pool: &Pool,
    progress: &Progress,
) -> anyhow::Result<Vec<EdgeFinding>> {
    let width = robot.kinematics().dofs().len();
    let options = SweepOptions::new().margin(margin);
    let numbers: Vec<usize> = (1..q.len() / width).collect();
    let runs: Vec<&[usize]> = numbers.chunks(RUN).collect();
    let found = pool.each(&runs, |run| {
        let mut query = RobotQuery::new();
        let mut findings = Vec::new();
        for &number in *run {
            let [q0, q1] = [number - 1, number].map(|i| &q[i * width..][..width]);
            let sweep = query.sweep(robot, q0, q1, &options)?;
            let Some(parts) = sweep.parts() else { continue };
            findings.push(EdgeFinding {
                edge: number - 1,
                is_contact: matches!(sweep, RobotSweep::Contact { .. }),
                free_until: sweep.free_until(),
                meets_at: sweep.meets_at(),
                links: parts,
            });
        }
        progress.step(run.len() as u64);
        Ok(findings)
    });
    let found: Vec<Vec<EdgeFinding>> = found.into_iter().collect::<Result<_, impinge_robot::Error>>()?;
    Ok(found.into_iter().flatten().collect())
}
