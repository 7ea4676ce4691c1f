//! `impinge robot lint`: pairs of links that an SRDF disables though they collide.
use super::{
    files::{read_srdf, read_urdf, robot},
    meshes::{MeshReader, PackageOptions},
    results::{Configuration, LintPair, LintResults},
};
use crate::{args, output::Sink, progress::Progress, proxy::results::cover_of_robot, report, threads};
use clap::Args;
use impinge_check::Length;
use impinge_robot::{DisabledPairs, RobotQuery, Urdf};
use std::{ops::Range, path::PathBuf};

const SHORT: &str = "\
Examples:
  impinge robot lint panda.urdf panda.srdf
  impinge robot lint talos.urdf talos.srdf --samples 100000 -o wrong.json
  impinge robot lint panda.urdf panda.srdf --cover      and collision geometry that is too small
Results, exit status: impinge robot lint --help";

const NOTES: &str = "\
An SRDF disables pairs of links that 'never' collide, as random samples suggest. This command looks for
configurations in which they do, and shows one for each pair. That a pair is not found proves nothing.

A pair with the reason Default, Always, Adjacent or User may collide: it is counted, not listed. Pairs without
effect are listed in JSON: a link has no collision geometry (`no shape`), the links are joined
(`joined`), or the robot lacks one (`unknown`).

Joints between the two links determine their collision; the others are omitted from the configuration.
JSON has them all. A configuration is valid for this URDF, whatever the samples were.

With --cover, JSON has the result of `impinge proxy check` as `cover`.

Exit status: 0 no wrong pair was found, and with --cover, all links are covered; 1 otherwise; 2 it could
not be done.";

/// Find pairs of links that an SRDF disables though they collide
#[derive(Args)]
#[command(after_help = SHORT, after_long_help = NOTES)]
pub(super) struct RobotLint {
    /// URDF of the robot
    robot: PathBuf,

    /// SRDF with disabled pairs
    srdf: PathBuf,

    /// Try N random configurations
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = "Samples")]
    samples: u64,

    /// Choose other random configurations by a number
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Samples")]
    seed: u64,

    /// Prove, too, that the collision geometry of each link covers its visual geometry
    ///
    /// As `impinge proxy check` does. It may take longer than all samples.
    #[arg(long, help_heading = "Cover")]
    cover: bool,

    /// Count a link as covered if no point of it is farther outside than LENGTH
    #[arg(long, value_name = "LENGTH", value_parser = args::length, requires = "cover", help_heading = "Cover")]
    tolerance: Option<Length>,

    #[command(flatten)]
    packages: PackageOptions,

    #[command(flatten)]
    output: args::Outcome,

    /// Use N threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads(), help_heading = "Run")]
    threads: u16,
}

/// Configurations that a thread takes at once.
const RUN: u64 = 128;

impl RobotLint {
    /// Runs the command. Returns true if no wrong pair was found.
    pub(super) fn run(self) -> anyhow::Result<bool> {
        let sink = Sink::new(self.output.output.as_deref(), [&*self.robot, &*self.srdf])?;
        let form = self.output.form()?;
        let pool = threads::pool_for(self.threads, std::iter::empty(), usize::MAX)?;
        let progress = Progress::new();
        let (urdf, srdf) = (read_urdf(&self.robot)?, read_srdf(&self.srdf)?);
        let reader = MeshReader { pool: &pool, progress: &progress };
        let robot = robot(&self.robot, &urdf, None, &self.packages, &reader)?;
        let disabled = DisabledPairs::new(robot, &urdf, &srdf)?;
        progress.stage("testing, configurations", self.samples);
        let first_of = |number: u64| number * RUN;
        let runs: Vec<Range<u64>> = (0..self.samples.div_ceil(RUN))
            .map(|number| first_of(number)..first_of(number + 1).min(self.samples))
            .collect();
        // The first sample of each run in which a pair collides.
        let found = pool.each(&runs, |run| {
            let mut query = RobotQuery::new();
            let mut first = vec![None; disabled.pairs().len()];
            for number in run.clone() {
                for i in disabled.colliding(&mut query, &disabled.sample(self.seed, number))? {
                    first[i].get_or_insert(number);
                }
            }
            progress.step(run.end - run.start);
            Ok(first)
        });
        let found: Vec<Vec<Option<u64>>> = found.into_iter().collect::<Result<_, impinge_robot::Error>>()?;
        let pairs = disabled.pairs().iter().enumerate().map(|(i, pair)| {
            let sample = found.iter().find_map(|run| run[i]);
            let found = sample.map(|sample| self.configuration(&urdf, &disabled, &pair.links, sample));
            let (links, reason) = (pair.links.clone(), pair.reason.clone());
            LintPair { links, reason, use_of: pair.use_of, found }
        });
        let mut results = LintResults { samples: self.samples, pairs: pairs.collect(), cover: None };
        if self.cover {
            let found = cover_of_robot(&self.robot, &self.packages, &self.tolerance, &pool, &progress)?;
            results.cover = Some(found);
        }
        drop(progress);
        sink.write(|out| match form {
            args::Form::Table => report::robot::lint(&results, sink.columns(), out),
            args::Form::Json => report::robot::lint_json(&results, out),
        })?;
        sink.summary(&report::robot::lint_verdict(&results))?;
        Ok(results.is_right())
    }

    fn configuration(
        &self,
        urdf: &Urdf,
        disabled: &DisabledPairs,
        links: &[String; 2],
        sample: u64,
    ) -> Configuration {
        let q = disabled.sample(self.seed, sample);
        let dofs = disabled.robot().kinematics().dofs();
        let between = joints_between(urdf, links);
        Configuration {
            sample,
            joints: dofs.iter().zip(q).map(|(dof, x)| (dof.name.clone(), x)).collect(),
            is_between: dofs.iter().map(|dof| between.contains(&dof.joint)).collect(),
        }
    }
}

/// The joints between two links, and those that they follow.
fn joints_between(urdf: &Urdf, links: &[String; 2]) -> Vec<usize> {
    let to_root = |name: &String| {
        let mut joints = Vec::new();
        let mut link = urdf.link(name);
        while let Some(joint) = link.and_then(|link| urdf.links[link].joint) {
            joints.push(joint);
            link = Some(urdf.joints[joint].parent);
        }
        joints
    };
    let [a, b] = links.each_ref().map(to_root);
    let mut between: Vec<usize> = a.iter().filter(|joint| !b.contains(joint)).copied().collect();
    between.extend(b.iter().filter(|joint| !a.contains(joint)));
    let mut next = 0;
    while let Some(&joint) = between.get(next) {
        next += 1;
        if let Some(mimic) = &urdf.joints[joint].mimic
            && !between.contains(&mimic.joint)
        {
            between.push(mimic.joint);
        }
    }
    between
}
