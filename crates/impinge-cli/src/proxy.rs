//! `impinge proxy`: whether collision models cover their parts, and the repair of those that do not.
mod check;
mod fix;
mod inputs;
mod links;
mod picture;
pub(crate) mod results;

use self::{check::ProxyCheck, fix::ProxyFix};
use clap::{Args, Subcommand};

/// Prove that collision models cover their parts
///
/// Planners and simulators test spheres, capsules, hulls and coarse meshes in place of parts. Where a part
/// sticks out of them, a robot that is free hits something.
#[derive(Args)]
pub(crate) struct ProxyCommand {
    #[command(subcommand)]
    what: ProxyTask,
}

#[derive(Subcommand)]
enum ProxyTask {
    Check(Box<ProxyCheck>),
    Fix(Box<ProxyFix>),
}

impl ProxyCommand {
    /// Runs the command. Returns true if all parts are covered.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        match self.what {
            ProxyTask::Check(check) => check.run(),
            ProxyTask::Fix(fix) => fix.run(),
        }
    }
}
