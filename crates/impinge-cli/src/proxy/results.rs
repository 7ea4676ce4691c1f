//! What `impinge proxy` found.
use super::{
    inputs::ProxyInputs,
    links::{LinkInput, ProxyInput},
};
use crate::{
    progress::Progress,
    robot::meshes::{MeshReader, PackageOptions},
};
use impinge::{Pose, Query};
use impinge_check::{Length, Pool, Unit};
use impinge_robot::cover::{CoverSettings, LinkCover, cover};
use std::path::{Path, PathBuf};

/// The cover of each link.
pub(crate) struct ProxyResults {
    pub(crate) part: PathBuf,
    /// `None` if the robot has its own.
    pub(crate) proxy: Option<PathBuf>,
    /// The unit of lengths, if the file states one.
    pub(crate) unit: Option<Unit>,
    pub(crate) margin: f64,
    /// A link that sticks out by no more counts as covered.
    pub(crate) tolerance: f64,
    pub(crate) links: Vec<LinkResult>,
    /// Links without a part.
    pub(crate) without_part: Vec<String>,
    /// Links of the proxy that the robot lacks.
    pub(crate) unknown: Vec<String>,
}

pub(crate) struct LinkResult {
    pub(crate) name: String,
    pub(crate) cover: LinkCover,
    pub(crate) verdict: Verdict,
}

/// A link before and after.
pub(crate) struct Growth {
    pub(crate) before: LinkResult,
    /// The growth of each radius; 0 if nothing grew.
    pub(crate) by: f64,
    pub(crate) covered: Option<bool>,
}

/// A verdict for the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Covered,
    /// No point is farther outside than the tolerance.
    Nearly,
    Uncovered,
    Undecided,
}

impl Verdict {
    pub(crate) fn of(covered: Option<bool>) -> Self {
        match covered {
            Some(true) => Self::Covered,
            Some(false) => Self::Uncovered,
            None => Self::Undecided,
        }
    }
    fn within(cover: &LinkCover, tolerance: f64) -> Self {
        match Self::of(cover.covered) {
            Self::Uncovered | Self::Undecided if cover.depth[1] <= tolerance => Self::Nearly,
            verdict => verdict,
        }
    }
}

impl ProxyResults {
    /// True if each part is proved to be covered, but for the tolerance.
    pub(crate) fn is_covered(&self) -> bool {
        self.links.iter().all(|link| matches!(link.verdict, Verdict::Covered | Verdict::Nearly))
    }
}

impl ProxyResults {
    /// The index of the link that sticks out most; of those with shapes, if there are any.
    pub(crate) fn worst(&self) -> usize {
        let key = |i: &usize| {
            let cover = &self.links[*i].cover;
            (cover.shapes > 0, cover.depth[1])
        };
        let order = |i: &usize, j: &usize| {
            let (a, b) = (key(i), key(j));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(j.cmp(i))
        };
        (0..self.links.len()).max_by(order).unwrap_or(0)
    }
}

/// Reads the files and decides each link.
pub(super) fn decide(
    inputs: &ProxyInputs,
    tolerance: &Option<Length>,
    pool: &Pool,
    progress: &Progress,
) -> anyhow::Result<(ProxyInput, ProxyResults)> {
    let input = ProxyInput::read(inputs, &MeshReader { pool, progress })?;
    let margin = inputs.length("--margin", &inputs.margin, input.part.unit)?;
    let tolerance = inputs.length("--tolerance", tolerance, input.part.unit)?;
    let links = decide_links(&input.links, [margin, tolerance], pool, progress)?;
    let results = ProxyResults {
        part: inputs.part.clone(),
        proxy: inputs.proxy.clone(),
        unit: input.part.unit,
        margin,
        tolerance,
        links,
        without_part: input.without_part.clone(),
        unknown: input.unknown.clone(),
    };
    Ok((input, results))
}

/// Whether the collision geometry of a robot covers its visual geometry.
pub(crate) fn cover_of_robot(
    robot: &Path,
    packages: &PackageOptions,
    tolerance: &Option<Length>,
    pool: &Pool,
    progress: &Progress,
) -> anyhow::Result<ProxyResults> {
    Ok(decide(&ProxyInputs::of_robot(robot, packages), tolerance, pool, progress)?.1)
}

/// The cover of each link, several at once.
pub(super) fn decide_links(
    links: &[LinkInput],
    [margin, tolerance]: [f64; 2],
    pool: &Pool,
    progress: &Progress,
) -> anyhow::Result<Vec<LinkResult>> {
    let triangles = |link: &LinkInput| link.parts.iter().map(|part| part.model.mesh().len() as u64).sum();
    progress.stage("proving, triangles", links.iter().map(triangles).sum());
    let settings = CoverSettings { margin, ..CoverSettings::default() };
    let found = pool.each(links, |link| {
        let found = cover(&mut Query::new(), &link.parts, &link.shapes, &settings);
        progress.step(triangles(link));
        found
    });
    let named = links.iter().zip(found);
    named
        .map(|(link, cover)| {
            let mut cover = cover?;
            cover.at = cover.at.map(|(at, part)| (before(&link.pose, at), part));
            let verdict = Verdict::within(&cover, tolerance);
            Ok(LinkResult { name: link.name.clone(), cover, verdict })
        })
        .collect()
}

/// The point that a rigid pose takes to this one.
fn before(pose: &Pose, at: [f64; 3]) -> [f64; 3] {
    if *pose == Pose::IDENTITY {
        return at;
    }
    let (rows, t) = (pose.rows(), pose.translation());
    let way = [0, 1, 2].map(|k| at[k] - t[k]);
    [0, 1, 2].map(|k| rows[0][k] * way[0] + rows[1][k] * way[1] + rows[2][k] * way[2])
}
