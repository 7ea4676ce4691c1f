//! Arguments about the baseline: what earlier deliveries had, and what people decided about it.
use crate::today::today;
use anyhow::{Context, bail};
use clap::Args;
use impinge_check::{
    Report,
    baseline::{Baseline, BaselineFile, Worse},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Options of the baseline that the findings are compared with.
#[derive(Args)]
pub(crate) struct Against {
    /// Report only findings that are new, worse or back since FILE
    ///
    /// Only these set the exit status. FILE changes only with --update-baseline, and by `impinge baseline`.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    baseline: Option<PathBuf>,

    /// Write the findings of this run into the file of --baseline
    ///
    /// The file is created if it is missing. A new finding sets the exit status of this run; the next run
    /// finds it in the file. `impinge baseline approve` accepts findings.
    #[arg(long, requires = "baseline", help_heading = "Baseline")]
    update_baseline: bool,

    /// Call findings worse that grew by more than this fraction
    ///
    /// The fraction is that of the depth, or of the volume if there is no depth [default: 0.1]
    #[arg(
        long,
        value_name = "FRACTION",
        requires = "baseline",
        value_parser = part,
        help_heading = "Baseline",
        hide_short_help = true
    )]
    worse: Option<f64>,
}

/// A number that is not negative.
fn part(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if number >= 0.0 && number.is_finite() {
        Ok(number)
    } else {
        Err("must be finite, and not negative".to_owned())
    }
}

impl Against {
    /// True if findings are compared with a baseline. The comparison takes the depths of all findings.
    pub(crate) fn is_any(&self) -> bool {
        self.baseline.is_some()
    }
    /// The file of the baseline, and whether it is written.
    pub(crate) fn file(&self) -> Option<(&Path, bool)> {
        self.baseline.as_deref().map(|path| (path, self.update_baseline))
    }
    /// Reads the baseline.
    pub(crate) fn read(&self) -> anyhow::Result<Option<Arc<Baseline>>> {
        let Some(path) = &self.baseline else { return Ok(None) };
        if path.exists() {
            return Ok(Some(Arc::new(Baseline::read(path)?)));
        }
        if !self.update_baseline {
            bail!("{}: there is no such baseline; --update-baseline creates it", path.display());
        }
        Ok(Some(Arc::default()))
    }
    /// The report with the status of each finding.
    pub(crate) fn compare(&self, report: Report, baseline: Option<&Arc<Baseline>>) -> anyhow::Result<Report> {
        let Some(baseline) = baseline else { return Ok(report) };
        if report.assembly().is_none() {
            bail!("--baseline: the parts of a plan have no identity");
        }
        let path = self.baseline.as_deref().unwrap_or(Path::new("")).display();
        baseline.check_unit(report.unit()).with_context(|| path.to_string())?;
        let usual = Worse::default();
        let worse = Worse { relative: self.worse.unwrap_or(usual.relative), ..usual };
        Ok(report.with_baseline(Arc::clone(baseline), today(), worse))
    }
    /// The baseline after this report.
    pub(crate) fn next(report: &Report, baseline: Option<&Arc<Baseline>>) -> Option<Baseline> {
        report.updated(baseline?, today())
    }
    /// Writes the new baseline, with `--update-baseline`.
    pub(crate) fn update(&self, report: &Report, baseline: Option<&Arc<Baseline>>) -> anyhow::Result<()> {
        let (Some(path), Some(baseline)) =
            (self.baseline.as_ref().filter(|_| self.update_baseline), baseline)
        else {
            return Ok(());
        };
        // A check may take long, and the file has the decisions that others made meanwhile.
        let file = BaselineFile::open(path)?;
        match report.updated(file.baseline().unwrap_or(baseline), today()) {
            Some(next) => Ok(file.write(&next)?),
            None => Ok(()),
        }
    }
}
