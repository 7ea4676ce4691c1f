//! The file of a baseline, and the date.
use anyhow::Context;
use impinge_check::{Date, baseline::Baseline};
use std::{
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

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

/// Today, by the system's clock, in UTC.
pub(crate) fn today() -> Date {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Date::from_days((since.as_secs() / 86_400) as i64)
}
