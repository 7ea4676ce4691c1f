//! Reads files of rules.
use crate::{poses, standard_input};
use anyhow::{Context, bail};
use impinge::Pose;
use impinge_check::{Rules, files};
use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

/// The name of the rules file that is used where it lies in the current folder.
pub(crate) const USUAL: &str = "impinge.toml";

/// True if there is such a file, or anything else of this name.
pub(crate) fn has_usual_file() -> bool {
    fs::symlink_metadata(USUAL).is_ok()
}

/// Bytes that are read of a file. A larger one is refused, whatever its length.
const MOST_BYTES: u64 = 5 << 20;

/// The largest list of poses that is read.
const MOST_POSES: u64 = 256 << 20;

/// A file of rules that was read.
pub(crate) struct RulesFile {
    pub(crate) rules: Rules,
    /// The file, and the lists of poses that its tests name.
    pub(crate) files: Vec<PathBuf>,
}

/// Reads the rules file of the current folder, which is no pipe: nobody named it.
pub(crate) fn read_usual() -> anyhow::Result<RulesFile> {
    let path = Path::new(USUAL);
    let file = files::open_regular(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    with_poses(Rules::parse(USUAL, &contents(USUAL, file)?)?, path)
}

/// Reads a file of rules, and the lists of poses that its tests name.
pub(crate) fn read_with_poses(path: &Path) -> anyhow::Result<RulesFile> {
    with_poses(read(path)?, path)
}

/// Reads a file of rules.
pub(crate) fn read(path: &Path) -> anyhow::Result<Rules> {
    if standard_input::is(path) {
        let name = "standard input";
        return Ok(Rules::parse(name, &contents(name, std::io::stdin().lock())?)?);
    }
    Ok(Rules::parse(&path.to_string_lossy(), &text(path)?)?)
}

/// The text of a file of rules.
pub(crate) fn text(path: &Path) -> anyhow::Result<String> {
    let name = path.to_string_lossy();
    let unreadable = || format!("{name}: cannot be read");
    if files::is_regular(path) {
        return contents(&name, files::open_regular(path).with_context(unreadable)?);
    }
    contents(&name, &*files::any(path, MOST_BYTES).with_context(unreadable)?)
}

fn contents(name: &str, from: impl Read) -> anyhow::Result<String> {
    let mut text = String::new();
    from.take(MOST_BYTES).read_to_string(&mut text).with_context(|| format!("{name}: cannot be read"))?;
    Ok(text)
}

fn with_poses(mut rules: Rules, path: &Path) -> anyhow::Result<RulesFile> {
    let mut files = if standard_input::is(path) { Vec::new() } else { vec![path.to_owned()] };
    let missing: Vec<String> = rules.missing_poses().into_iter().map(str::to_owned).collect();
    for name in missing {
        let (file, poses) = pose_list(path, &name)?;
        files.push(file);
        rules = rules.with_poses(name, poses);
    }
    Ok(RulesFile { rules, files })
}

/// The list of poses that rules name, and its file: a regular one inside the folder of the rules, wherever
/// links lead. Rules may come from strangers, so an error shows nothing of its contents.
pub(crate) fn pose_list(rules: &Path, name: &str) -> anyhow::Result<(PathBuf, Vec<Pose>)> {
    let folder = rules.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let about = || format!("{}: the poses '{}' of a test", rules.display(), files::cut(name));
    let file = files::inside(folder, Path::new(name)).with_context(about)?;
    let frames = poses::read_unquoted(&file, MOST_POSES).with_context(about)?;
    if frames.iter().any(|frame| frame.a.is_some()) {
        bail!("{}: a frame has 24 numbers; a motion has 12, one pose", about());
    }
    Ok((file, frames.into_iter().map(|frame| frame.b).collect()))
}
