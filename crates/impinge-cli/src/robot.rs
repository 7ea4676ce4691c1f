//! `impinge robot`: collisions of robots in their configurations.
mod acm;
mod check;
mod files;
mod lint;
pub(crate) mod meshes;
pub(crate) mod picture;
pub(crate) mod results;
mod trajectory;

use self::{acm::RobotAcm, check::RobotCheck, lint::RobotLint};
use clap::{Args, Subcommand};

/// Find collisions of robots: along trajectories, and in matrices of allowed pairs
#[derive(Args)]
pub(crate) struct RobotCommand {
    #[command(subcommand)]
    what: RobotTask,
}

#[derive(Subcommand)]
enum RobotTask {
    Check(Box<RobotCheck>),
    Lint(Box<RobotLint>),
    Acm(Box<RobotAcm>),
}

impl RobotCommand {
    /// Runs the command. Returns true if there is nothing to report.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        match self.what {
            RobotTask::Check(check) => check.run(),
            RobotTask::Lint(lint) => lint.run(),
            RobotTask::Acm(acm) => acm.run(),
        }
    }
}
