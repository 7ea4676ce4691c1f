//! `-` in place of a file that is read.
use crate::args::Reading;
use anyhow::bail;
use std::path::{Path, PathBuf};

/// The name that stands for standard input.
const DASH: &str = "-";

/// The name of standard input in results and messages.
pub(crate) const NAME: &str = "stdin";

/// True if a path denotes standard input. A file of that name is `./-`.
pub(crate) fn is(path: &Path) -> bool {
    path == Path::new(DASH)
}

/// A file's name as results and messages have it.
pub(crate) fn shown(path: &Path) -> &Path {
    if is(path) { Path::new(NAME) } else { path }
}

/// Refuses what cannot be read: standard input twice, and a format of standard input that is not read.
pub(crate) fn check(paths: &[PathBuf], reading: &Reading) -> anyhow::Result<()> {
    match paths.iter().filter(|path| is(path)).count() {
        0 if reading.input_format.is_some() => {
            bail!("--input-format: is about standard input, which no FILE names: - does")
        }
        0 | 1 => Ok(()),
        _ => bail!("-: standard input can be read only once"),
    }
}
