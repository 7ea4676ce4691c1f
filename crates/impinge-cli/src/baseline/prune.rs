//! `impinge baseline prune`.
use super::existing::existing;
use crate::output::Sink;
use clap::Args;
use impinge_check::values::numbers::count;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Prune {
    /// Baseline; it is replaced as a whole or not at all
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Prune {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (file, baseline) = existing(&self.file)?;
        let next = baseline.prune();
        let removed = baseline.findings().len() - next.findings().len();
        if next != baseline {
            file.write(&next)?;
        }
        let text = format!("Removed {}.", count(removed as u64, "resolved finding"));
        Sink::Stdout.write(|out| Ok(writeln!(out, "{text}")?))
    }
}
