//! The motion of `impinge sweep`, from the command line or from a file of poses.
use crate::{
    args,
    poses::{self, Frame, Maps},
};
use anyhow::{Context, bail};
use clap::Args;
use impinge::{Pose, path::Path};
use impinge_check::Length;
use std::path::{Path as FilePath, PathBuf};

/// Options that state a motion.
#[derive(Args)]
#[group(skip)]
pub(super) struct MotionOptions {
    /// Move B to this pose: 12 numbers, row by row
    ///
    /// The point --reference moves straight, and B turns about an axis of constant direction by at most 180
    /// degrees.
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Motion")]
    to: Option<String>,

    /// Move B straight by this vector, without turning
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, help_heading = "Motion")]
    by: Option<String>,

    /// Turn B about an axis of this direction
    ///
    /// Seen against the direction, the turn is counterclockwise. With --advance the motion is a screw.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        requires = "angle",
        help_heading = "Motion"
    )]
    axis: Option<String>,

    /// Set the turn about --axis in degrees
    #[arg(
        long,
        value_name = "DEGREES",
        value_parser = degrees,
        allow_hyphen_values = true,
        help_heading = "Motion"
    )]
    angle: Option<f64>,

    /// Set a point of the axis [default: 0,0,0]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, help_heading = "Motion")]
    point: Option<String>,

    /// Move B along the axis, too, at a constant rate
    ///
    /// A length that begins with a minus moves B against the direction of the axis.
    #[arg(
        long,
        value_name = "LENGTH",
        value_parser = advance,
        allow_hyphen_values = true,
        help_heading = "Motion"
    )]
    advance: Option<Advance>,

    /// Move B through all poses of a text or .npy file
    ///
    /// The file is one of `impinge pair --poses`. From a frame to the next, B moves as with --to.
    #[arg(long, value_name = "FILE", conflicts_with = "from", help_heading = "Motion")]
    poses: Option<PathBuf>,

    /// Place B at the start: 12 numbers [default: as in its file]
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Motion")]
    from: Option<String>,

    /// Choose the point of B that moves straight [default: 0,0,0]
    ///
    /// For --to. Its coordinates are those of B's file.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        help_heading = "Motion",
        hide_short_help = true
    )]
    reference: Option<String>,

    /// Place A: 12 numbers, row by row [default: as in its file]
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Motion")]
    pose_a: Option<String>,
}

/// A length with a sign.
#[derive(Clone, Debug)]
pub(super) struct Advance {
    is_negative: bool,
    length: Length,
}

fn advance(text: &str) -> Result<Advance, String> {
    let (is_negative, length) = match text.trim().strip_prefix('-') {
        Some(length) => (true, length),
        None => (false, text),
    };
    Ok(Advance { is_negative, length: args::length(length)? })
}

fn degrees(text: &str) -> Result<f64, String> {
    let degrees: f64 = text.trim().parse().map_err(|_| "not a number".to_owned())?;
    if degrees.is_finite() { Ok(degrees) } else { Err("it is not finite".to_owned()) }
}

/// A motion whose lengths may still have a unit of their own.
pub(super) struct GivenMotion {
    kind: MotionKind,
    pose_a: Option<Pose>,
}

enum MotionKind {
    Between { from: Pose, to: Pose, reference: [f64; 3] },
    Straight { from: Pose, by: [f64; 3] },
    Screw { from: Pose, point: [f64; 3], axis: [f64; 3], degrees: f64, advance: Option<Advance> },
    Frames { file: PathBuf, frames: Vec<Frame> },
}

/// The motions of A and of B.
pub(super) struct Paths {
    /// `None` if A rests.
    pub(super) a: Option<Path>,
    pub(super) b: Path,
    rest: Pose,
}

impl Paths {
    /// The pose of A at a time.
    pub(super) fn pose_a(&self, time: f64) -> Pose {
        self.a.as_ref().map_or(self.rest, |path| path.at(time))
    }
}

impl MotionOptions {
    /// The file of poses.
    pub(super) fn file(&self) -> Option<&FilePath> {
        self.poses.as_deref()
    }

    /// Reads the file of poses and all numbers. A pipe may deliver up to `most` bytes.
    pub(super) fn read(&self, most: u64) -> anyhow::Result<GivenMotion> {
        let owned = [
            ("--angle", self.angle.is_some(), "--axis", self.axis.is_some()),
            ("--point", self.point.is_some(), "--axis", self.axis.is_some()),
            ("--advance", self.advance.is_some(), "--axis", self.axis.is_some()),
            ("--reference", self.reference.is_some(), "--to", self.to.is_some()),
        ];
        if let Some((option, _, owner, _)) =
            owned.iter().find(|(_, given, _, has_owner)| *given && !has_owner)
        {
            bail!("{option}: is about {owner}");
        }
        let pose = |name: &'static str, text: &Option<String>| {
            text.as_ref().map(|text| poses::parse(text, Maps::Rigid).context(name)).transpose()
        };
        let point = |name: &'static str, text: &Option<String>| {
            let point = text.as_ref().map(|text| poses::point(text).context(name)).transpose();
            Ok::<_, anyhow::Error>(point?.unwrap_or_default())
        };
        let pose_a = pose("--pose-a", &self.pose_a)?;
        let from = pose("--from", &self.from)?.unwrap_or_default();
        let kind = if let Some(file) = &self.poses {
            let frames = poses::read(file, Maps::Rigid, most)?;
            if pose_a.is_some() && frames[0].a.is_some() {
                bail!("{}: its 24 numbers a frame place A, and so does --pose-a", file.display());
            }
            if frames.len() < 2 {
                bail!("{}: a motion takes two frames or more, and there is one", file.display());
            }
            MotionKind::Frames { file: file.clone(), frames }
        } else if let Some(to) = pose("--to", &self.to)? {
            MotionKind::Between { from, to, reference: point("--reference", &self.reference)? }
        } else if self.axis.is_some() {
            MotionKind::Screw {
                from,
                point: point("--point", &self.point)?,
                axis: point("--axis", &self.axis)?,
                degrees: self.angle.unwrap_or_default(),
                advance: self.advance.clone(),
            }
        } else {
            MotionKind::Straight { from, by: point("--by", &self.by)? }
        };
        Ok(GivenMotion { kind, pose_a })
    }
}

impl GivenMotion {
    /// The paths, with lengths in the unit of the files.
    pub(super) fn paths(
        &self,
        in_files_unit: impl Fn(&Length) -> anyhow::Result<f64>,
    ) -> anyhow::Result<Paths> {
        let (a, b) = match &self.kind {
            MotionKind::Between { from, to, reference } => {
                (None, Path::between(from, to, *reference).context("--to")?)
            }
            MotionKind::Straight { from, by } => (None, Path::translation(*from, *by).context("--by")?),
            MotionKind::Screw { from, point, axis, degrees, advance } => {
                let along = match advance {
                    Some(Advance { is_negative, length }) => {
                        let length = in_files_unit(length)?;
                        if *is_negative { -length } else { length }
                    }
                    None => 0.0,
                };
                (None, Path::screw(*from, *point, *axis, degrees.to_radians(), along).context("--axis")?)
            }
            MotionKind::Frames { file, frames } => {
                let of_a: Option<Vec<Pose>> = frames.iter().map(|frame| frame.a).collect();
                let of_b: Vec<Pose> = frames.iter().map(|frame| frame.b).collect();
                (of_a.map(|poses| through(file, &poses)).transpose()?, through(file, &of_b)?)
            }
        };
        Ok(Paths { a, b, rest: self.pose_a.unwrap_or_default() })
    }

    /// True if A has a pose other than that in its file.
    pub(super) fn places_a(&self) -> bool {
        self.pose_a.is_some()
    }
}

/// The path through poses of a file. An error names the frame.
fn through(file: &FilePath, poses: &[Pose]) -> anyhow::Result<Path> {
    Path::piecewise(poses).map_err(|error| {
        let is_wrong = |pair: &[Pose]| Path::between(&pair[0], &pair[1], [0.0; 3]).is_err();
        let at = poses.windows(2).position(is_wrong);
        let frame = at.map_or(String::new(), |i| format!("frames {i} and {}: ", i + 1));
        anyhow::anyhow!("{}: {frame}{error}", file.display())
    })
}
