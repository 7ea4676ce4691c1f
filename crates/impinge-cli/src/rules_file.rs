//! Reads files of rules.
use anyhow::Context;
use impinge_check::Rules;
use std::{fs::File, io::Read, path::Path};

/// Bytes that are read of a file. A larger one is refused, whatever its length.
const MOST_BYTES: u64 = 5 << 20;

/// Reads a file of rules.
pub(crate) fn read(path: &Path) -> anyhow::Result<Rules> {
    let mut text = String::new();
    let is_stdin = path.as_os_str() == "-";
    let reading = match is_stdin {
        true => std::io::stdin().lock().take(MOST_BYTES).read_to_string(&mut text),
        false => File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text)),
    };
    let name = if is_stdin { "standard input".into() } else { path.to_string_lossy() };
    reading.with_context(|| format!("{name}: cannot be read"))?;
    Ok(Rules::parse(&name, &text)?)
}
