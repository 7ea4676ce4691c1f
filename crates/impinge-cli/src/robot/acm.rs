//! `impinge robot acm`: which pairs of links need no check.
use super::{
    files::{read_urdf, robot},
    meshes::{MeshReader, PackageOptions},
};
use crate::{args, output::Sink, progress::Progress, report, threads};
use clap::Args;
use impinge::Threads;
use impinge_robot::RobotQuery;
use std::path::PathBuf;

const SHORT: &str = "\
Examples:
  impinge robot acm panda.urdf -o panda.srdf
  impinge robot acm panda.urdf --prove -o panda.srdf
Classes of pairs, exit status: impinge robot acm --help";

const NOTES: &str = "\
The SRDF disables all pairs of links that need no check, and states why:
  adjacent    a joint connects them, or joints and links without shapes do
  rigid       only fixed joints are between them
  always      they collide in all samples
  default     they collide where all positions are 0, which is taken for a fault of the model, as MoveIt does
  never       proved: they collide in no configuration within the limits
  unseen      they collide in no sample; the reason states how rare a collision can be, with 95 % confidence
All other pairs collide in some configurations, and stay enabled.

The proof divides the ranges of the joints between two links until each part is clear. Up to four joints
take seconds, more may take too long: --max-cells ends the attempt, and the pair stays unseen.

Exit status: 0 the file was written; 2 it could not be done.";

/// Write an SRDF that disables the pairs of links that need no check
#[derive(Args)]
#[command(after_help = SHORT, after_long_help = NOTES)]
pub(super) struct RobotAcm {
    /// URDF of the robot
    robot: PathBuf,

    /// Try N random configurations
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = "Samples")]
    samples: usize,

    /// Choose other random configurations by a number
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Samples")]
    seed: u64,

    /// Prove that pairs never collide
    #[arg(long, help_heading = "Proof")]
    prove: bool,

    /// End the proof of a pair after N parts of the joints' ranges
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "prove", help_heading = "Proof")]
    max_cells: usize,

    #[command(flatten)]
    packages: PackageOptions,

    /// Write the SRDF to FILE
    ///
    /// The file is complete or not written at all.
    #[arg(long, short, value_name = "FILE", required = true, help_heading = "Output")]
    output: PathBuf,

    /// Use N threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads(), help_heading = "Run")]
    threads: u16,
}

impl RobotAcm {
    pub(super) fn run(self) -> anyhow::Result<bool> {
        let sink = Sink::new(Some(&self.output), [&*self.robot])?;
        let pool = threads::pool_for(self.threads, std::iter::empty(), usize::MAX)?;
        let progress = Progress::new();
        let urdf = read_urdf(&self.robot)?;
        let reader = MeshReader { pool: &pool, progress: &progress };
        let robot = robot(&self.robot, &urdf, None, &self.packages, &reader)?;
        progress.stage("classifying pairs of links", 0);
        let most_cells = if self.prove { self.max_cells } else { 0 };
        let acm = pool.install(|| {
            let mut query = RobotQuery::new().threads(Threads::Pool);
            query.acm(&robot, self.samples, most_cells, self.seed)
        })?;
        drop(progress);
        sink.write(|out| Ok(out.write_all(acm.to_srdf(&urdf.name, &robot).as_bytes())?))?;
        Sink::Stdout.write(|out| report::robot::classes(&acm, &self.output, out))?;
        Ok(true)
    }
}
