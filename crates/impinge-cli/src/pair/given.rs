//! Points, rays and regions that `impinge pair` takes, from the command line and from files.
use crate::{
    npy,
    poses::{self, exactly, finite, point},
};
use anyhow::{Context, bail};
use clap::Args;
use impinge::{
    HalfSpace,
    distance::{Accuracy, Margin},
    rays::Ray,
    regions::InRegion,
};
use impinge_check::files;
use std::path::{Path, PathBuf};

/// The values that queries take, in the files' unit.
#[derive(Clone, Default)]
pub(crate) struct Given {
    pub(super) margin: Option<Margin>,
    pub(super) stop: Accuracy,
    /// Chord tolerances of A and of B.
    pub(super) chords: [Margin; 2],
    pub(super) points: Vec<[f64; 3]>,
    pub(super) rays: Vec<Ray>,
    pub(super) planes: Vec<HalfSpace>,
    pub(super) which: InRegion,
}

/// Options of queries of one mesh.
#[derive(Args)]
pub(crate) struct Subjects {
    /// Add a point; repeatable
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, help_heading = "Points, rays and regions")]
    point: Vec<String>,

    /// Read points: 3 numbers a line, or .npy of shape (N, 3)
    #[arg(long, value_name = "FILE", help_heading = "Points, rays and regions")]
    points: Option<PathBuf>,

    /// Add a ray, ORIGIN and DIRECTION as X,Y,Z; repeatable
    #[arg(
        long,
        num_args = 2,
        value_names = ["ORIGIN", "DIRECTION"],
        allow_hyphen_values = true,
        help_heading = "Points, rays and regions"
    )]
    ray: Vec<String>,

    /// Read rays: 6 numbers a line, or .npy of shape (N, 6)
    #[arg(long, value_name = "FILE", help_heading = "Points, rays and regions")]
    rays: Option<PathBuf>,

    /// Add a half-space of a region: p.(X,Y,Z) <= D; repeatable
    #[arg(
        long,
        value_name = "X,Y,Z,D",
        allow_hyphen_values = true,
        help_heading = "Points, rays and regions"
    )]
    plane: Vec<String>,

    /// Add a box of a region, its corners as X,Y,Z
    #[arg(
        long = "box",
        num_args = 2,
        value_names = ["LOW", "HIGH"],
        allow_hyphen_values = true,
        help_heading = "Points, rays and regions"
    )]
    bounds: Vec<String>,

    /// List only triangles that lie in the region as a whole
    #[arg(long, help_heading = "Points, rays and regions", hide_short_help = true)]
    wholly: bool,
}

impl Subjects {
    /// The options, and whether each is given.
    pub(super) fn options(&self) -> [(&'static str, bool); 7] {
        [
            ("--point", !self.point.is_empty()),
            ("--points", self.points.is_some()),
            ("--ray", !self.ray.is_empty()),
            ("--rays", self.rays.is_some()),
            ("--plane", !self.plane.is_empty()),
            ("--box", !self.bounds.is_empty()),
            ("--wholly", self.wholly),
        ]
    }

    /// Files that are read.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.points, &self.rays].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Points, rays and planes. A pipe may deliver up to `most` bytes.
    pub(super) fn read(&self, most: u64) -> anyhow::Result<Given> {
        let mut given = Given::default();
        for text in &self.point {
            given.points.push(point(text).context("--point")?);
        }
        if let Some(path) = &self.points {
            let (noun, rows) = rows(path, most, "a point has 3: x, y, z")?;
            for (place, row) in rows {
                let name = || format!("{}: {noun} {place}", path.display());
                given.points.push(finite(row).with_context(name)?);
            }
        }
        for [origin, direction] in self.ray.as_chunks().0 {
            let ray = || anyhow::Ok(Ray::new(point(origin)?, point(direction)?)?);
            given.rays.push(ray().context("--ray")?);
        }
        if let Some(path) = &self.rays {
            let (noun, rows) = rows(path, most, "a ray has 6: its origin and its direction")?;
            for (place, row) in rows {
                let [x, y, z, u, v, w]: [f64; 6] = row;
                let name = || format!("{}: {noun} {place}", path.display());
                given.rays.push(Ray::new([x, y, z], [u, v, w]).with_context(name)?);
            }
        }
        for text in &self.plane {
            let [x, y, z, d] = exactly(text).context("--plane")?;
            given.planes.push(HalfSpace::new([x, y, z], d).context("--plane")?);
        }
        for [low, high] in self.bounds.as_chunks().0 {
            let [low, high] = [point(low).context("--box")?, point(high).context("--box")?];
            if (0..3).any(|k| low[k] > high[k]) {
                bail!("--box: its lowest corner is above its highest along an axis");
            }
            for k in 0..3 {
                let mut along = [0.0; 3];
                along[k] = 1.0;
                given.planes.push(HalfSpace::new(along, high[k])?);
                given.planes.push(HalfSpace::new(along.map(|x: f64| -x), -low[k])?);
            }
        }
        given.which = if self.wholly { InRegion::Wholly } else { InRegion::Partly };
        Ok(given)
    }
}

/// Rows of numbers, each with its place in the file.
type NumberRows<const N: usize> = Vec<(usize, [f64; N])>;

/// The rows of a file, and the noun for their places: text with `#` for comments, or `.npy`.
fn rows<const N: usize>(path: &Path, most: u64, one: &str) -> anyhow::Result<(&'static str, NumberRows<N>)> {
    let bytes = files::any(path, most).with_context(|| path.display().to_string())?;
    let is_npy =
        bytes.starts_with(npy::MAGIC) || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("npy"));
    let (noun, rows) =
        if is_npy { ("row", rows_of_npy(&bytes, one)) } else { ("line", rows_of_text(&bytes, one)) };
    let rows = rows.with_context(|| path.display().to_string())?;
    if rows.is_empty() {
        bail!("{}: it is empty", path.display());
    }
    Ok((noun, rows))
}

fn rows_of_text<const N: usize>(bytes: &[u8], one: &str) -> anyhow::Result<NumberRows<N>> {
    let mut rows = Vec::new();
    for (n, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let place = || format!("line {}", n + 1);
        let line = std::str::from_utf8(line).context("not text").with_context(place)?;
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let numbers = poses::numbers(line).with_context(place)?;
        let count = numbers.len();
        let Ok(row) = numbers.try_into() else { bail!("{}: {count} numbers; {one}", place()) };
        rows.push((n + 1, row));
    }
    Ok(rows)
}

fn rows_of_npy<const N: usize>(bytes: &[u8], one: &str) -> anyhow::Result<NumberRows<N>> {
    let array = npy::Array::parse(bytes)?;
    match *array.shape() {
        [_, width] if width == N => {}
        ref other => bail!("its shape is {other:?}; {one}: (N, {N})"),
    }
    let numbers = array.values_in_c_order();
    Ok(numbers.as_chunks::<N>().0.iter().copied().enumerate().collect())
}
