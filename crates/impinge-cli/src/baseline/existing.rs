//! The file of a baseline that has to be there.
use anyhow::bail;
use impinge_check::baseline::{Baseline, BaselineFile};
use std::path::Path;

/// A file that exists, to change it, and its baseline.
pub(crate) fn existing(path: &Path) -> anyhow::Result<(BaselineFile, Baseline)> {
    let file = BaselineFile::open(path)?;
    let Some(baseline) = file.baseline().cloned() else { bail!("{}: there is no such file", path.display()) };
    Ok((file, baseline))
}
