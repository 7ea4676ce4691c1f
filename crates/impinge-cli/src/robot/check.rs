//! `impinge robot check`: the configurations of a trajectory in which a robot collides.
use super::{
    files::{read_srdf, read_urdf, robot},
    meshes::{MeshReader, PackageOptions},
    results::{Collision, RobotResults},
    trajectory,
};
use crate::{args, output::Sink, progress::Progress, report, threads};
use anyhow::ensure;
use clap::Args;
use impinge::distance::Margin;
use impinge_check::{Length, Unit};
use impinge_robot::{Robot, RobotQuery};
use std::{ops::Range, path::PathBuf};

const SHORT: &str = "\
Examples:
  impinge robot check panda.urdf --srdf panda.srdf --trajectory q.npy
  impinge robot check panda.urdf --trajectory q.csv --margin 5mm
Trajectories, results, exit status: impinge robot check --help";

const NOTES: &str = "\
A trajectory has a row for each configuration and a column for each joint that moves and follows no
other, in the order of the URDF, in radians and metres: a .npy file of shape (N, joints), lines of
numbers with blanks or commas, or JSON: a list of rows, or `joint_names` and `points`. A first line of
names, and `joint_names`, set the order of columns.

Each configuration is decided for itself. Between them nothing is examined.

Pairs of links are not tested if a joint connects them, if only fixed joints are between them, or if the
SRDF disables them. Solids that contain each other collide, too. Cylinders are tested as the prisms
around them, at most 1e-4 of their radius too large.

JSON has `configurations`, `colliding` (how many), `pairs` (tested in each), and `collisions`: the
`configuration` from 0 on, and the `links` of each pair.

Exit status: 0 clear; 1 a configuration in collision; 2 it could not be done.";

/// Find the configurations of a trajectory in which a robot collides
#[derive(Args)]
#[command(after_help = SHORT, after_long_help = NOTES)]
pub(super) struct RobotCheck {
    /// URDF of the robot
    robot: PathBuf,

    /// Read allowed pairs of links from this SRDF
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,

    /// Read configurations from FILE (.npy, .csv, .txt or .json)
    #[arg(long, value_name = "FILE", required = true)]
    trajectory: PathBuf,

    /// Count a distance of at most LENGTH as collision
    ///
    /// A number without a unit is in metres.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    margin: Option<Length>,

    #[command(flatten)]
    packages: PackageOptions,

    #[command(flatten)]
    output: args::Outcome,

    /// Use N threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads(), help_heading = "Run")]
    threads: u16,
}

/// Configurations that a thread takes at once.
const RUN: usize = 64;

impl RobotCheck {
    /// Runs the command. Returns true if no configuration is in collision.
    pub(super) fn run(self) -> anyhow::Result<bool> {
        let inputs = [Some(&*self.robot), self.srdf.as_deref(), Some(&*self.trajectory)];
        let sink = Sink::new(self.output.output.as_deref(), inputs.into_iter().flatten())?;
        let form = self.output.form()?;
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
        let robot = robot(&self.robot, &urdf, srdf.as_ref(), &self.packages, &reader)?;
        let width = robot.kinematics().dofs().len();
        let q = trajectory::read(&self.trajectory, robot.kinematics())?;
        let count = q.len() / width;
        progress.stage("testing, configurations", count as u64);
        let runs: Vec<Range<usize>> =
            (0..count).step_by(RUN).map(|first| first..(first + RUN).min(count)).collect();
        let found = pool.each(&runs, |run| {
            let mut query = RobotQuery::new();
            let mut collisions = Vec::new();
            for configuration in run.clone() {
                let pairs = query.near_pairs(&robot, &q[configuration * width..][..width], margin)?;
                if !pairs.is_empty() {
                    collisions.push(Collision { configuration, links: names(&robot, pairs) });
                }
            }
            progress.step(run.len() as u64);
            Ok(collisions)
        });
        let found: Vec<Vec<Collision>> = found.into_iter().collect::<Result<_, impinge_robot::Error>>()?;
        let results = RobotResults {
            configurations: count,
            pairs: robot.checked_pairs().len(),
            margin: margin.get(),
            collisions: found.into_iter().flatten().collect(),
        };
        drop(progress);
        sink.write(|out| match form {
            args::Form::Table => report::robot::check(&results, sink.columns(), out),
            args::Form::Json => report::robot::check_json(&results, out),
        })?;
        sink.summary(&report::robot::check_verdict(&results))?;
        Ok(results.collisions.is_empty())
    }
}

fn names(robot: &Robot, pairs: &[[usize; 2]]) -> Vec<[String; 2]> {
    pairs.iter().map(|pair| pair.map(|part| robot.parts()[part].name().to_owned())).collect()
}
