//! Reads files of rules.
use crate::poses::{self, Maps};
use anyhow::{Context, bail};
use impinge::Pose;
use impinge_check::Rules;
use std::{fs::File, io::Read, path::Path};

/// Bytes that are read of a file. A larger one is refused, whatever its length.
const MOST_BYTES: u64 = 5 << 20;

/// Bytes that are read of a list of poses that is not a regular file.
const MOST_POSES: u64 = 256 << 20;

/// Reads a file of rules, and the lists of poses that its tests name, from its folder.
pub(crate) fn read_with_poses(path: &Path) -> anyhow::Result<Rules> {
    let mut rules = read(path)?;
    let missing: Vec<String> = rules.missing_poses().into_iter().map(str::to_owned).collect();
    for name in missing {
        let file = path.parent().unwrap_or(Path::new("")).join(&name);
        let frames = poses::read(&file, Maps::Rigid, MOST_POSES)
            .with_context(|| format!("{}: the poses of a test", rules.file()))?;
        if frames.iter().any(|frame| frame.a.is_some()) {
            bail!("{}: a frame has 24 numbers; a motion has 12, one pose", file.display());
        }
        let poses: Vec<Pose> = frames.into_iter().map(|frame| frame.b).collect();
        rules = rules.with_poses(name, poses);
    }
    Ok(rules)
}

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
