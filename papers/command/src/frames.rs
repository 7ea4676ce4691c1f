//! Readers of poses: text on the command line, or a file with one frame a line.
use anyhow::{Context, anyhow, bail};
use impinge::Pose;
use std::{fs, path::Path};

/// Parses a pose: twelve numbers, three rows of `[R | t]` with a rotation R.
pub(crate) fn pose(text: &str) -> anyhow::Result<Pose> {
    of_numbers(&numbers(text)?)
}

/// Reads the frames of a file, at least one. A line of 12 numbers is the pose of B, one of 24 the poses of A
/// and B. `#` begins a comment.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<[Pose; 2]>> {
    let name = || path.display().to_string();
    let text = fs::read_to_string(path).with_context(name)?;
    let mut frames = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            continue;
        }
        frames.push(frame(line).with_context(|| format!("{}: line {}", name(), i + 1))?);
    }
    if frames.is_empty() {
        bail!("{}: there is no frame in it", name());
    }
    Ok(frames)
}

fn frame(line: &str) -> anyhow::Result<[Pose; 2]> {
    let numbers = numbers(line)?;
    match numbers.len() {
        24 => Ok([of_numbers(&numbers[..12])?, of_numbers(&numbers[12..])?]),
        _ => Ok([Pose::IDENTITY, of_numbers(&numbers)?]),
    }
}

fn numbers(text: &str) -> anyhow::Result<Vec<f64>> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.map(|word| word.parse().map_err(|_| anyhow!("'{word}' is not a number"))).collect()
}

fn of_numbers(numbers: &[f64]) -> anyhow::Result<Pose> {
    let &[a, b, c, x, d, e, f, y, g, h, i, z] = numbers else {
        bail!("a pose is 12 numbers, three rows of [R | t], but there are {}", numbers.len());
    };
    Ok(Pose::rigid([[a, b, c], [d, e, f], [g, h, i]], [x, y, z])?)
}

#[cfg(test)]
mod tests {
    use super::{frame, pose};
    use impinge::Pose;

    #[test]
    fn twelve_numbers_are_a_pose_and_24_a_frame() {
        let identity = "1 0 0 0, 0 1 0 0, 0 0 1 0";
        assert_eq!(pose(identity).unwrap(), Pose::IDENTITY);
        let moved = Pose::from_translation([7.0, 0.0, 0.0]).unwrap();
        assert_eq!(frame("1 0 0 7 0 1 0 0 0 0 1 0").unwrap(), [Pose::IDENTITY, moved]);
        assert_eq!(frame(&format!("1 0 0 7 0 1 0 0 0 0 1 0 {identity}")).unwrap(), [moved, Pose::IDENTITY]);
        for wrong in ["", "1 0 0", "1 0 0 0 0 1 0 0 0 0 1 x", "2 0 0 0 0 1 0 0 0 0 1 0"] {
            assert!(pose(wrong).is_err(), "{wrong}");
        }
    }
}
