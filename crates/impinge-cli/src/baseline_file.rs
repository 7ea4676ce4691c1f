//! Reads and writes baselines.
use anyhow::Context;
use impinge_check::baseline::Baseline;
use std::{fs, path::Path};

/// Reads a baseline.
pub(crate) fn read(path: &Path) -> anyhow::Result<Baseline> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| name.clone())?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line =
            error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|c| **c == b'\n').count();
        anyhow::anyhow!("{name}:{}: not UTF-8", line + 1)
    })?;
    Ok(Baseline::parse(&name, &text)?)
}

/// Replaces a baseline as a whole.
pub(crate) fn write(path: &Path, baseline: &Baseline) -> anyhow::Result<()> {
    impinge_io::write_whole(path, |out| -> anyhow::Result<()> { Ok(baseline.write(out)?) })
        .with_context(|| format!("cannot write {}", path.display()))
}
