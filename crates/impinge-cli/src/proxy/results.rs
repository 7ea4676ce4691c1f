//! What `impinge proxy` found.
use super::{
    ProxyInputs,
    links::{LinkInput, MeshReader, ProxyInput},
};
use crate::progress::Progress;
use impinge::Query;
use impinge_check::{Pool, Unit};
use impinge_robot::cover::{CoverSettings, LinkCover, cover};
use std::path::PathBuf;

/// The cover of each link.
pub(crate) struct ProxyResults {
    pub(crate) part: PathBuf,
    /// `None` if the robot has its own.
    pub(crate) proxy: Option<PathBuf>,
    /// The unit of lengths, where it is known.
    pub(crate) unit: Option<Unit>,
    pub(crate) margin: f64,
    pub(crate) links: Vec<LinkResult>,
    /// Links without a part.
    pub(crate) without_part: Vec<String>,
    /// Links of the proxy that the robot lacks.
    pub(crate) unknown: Vec<String>,
}

pub(crate) struct LinkResult {
    pub(crate) name: String,
    pub(crate) cover: LinkCover,
}

impl ProxyResults {
    /// True if each part is proved to be covered.
    pub(crate) fn is_covered(&self) -> bool {
        self.links.iter().all(|link| link.cover.covered == Some(true))
    }
}

/// Reads the files and decides each link.
pub(super) fn decide(
    inputs: &ProxyInputs,
    pool: &Pool,
    progress: &Progress,
) -> anyhow::Result<(ProxyInput, ProxyResults)> {
    let input = ProxyInput::read(inputs, &MeshReader { pool, progress })?;
    let margin = inputs.margin(input.part.unit)?;
    let links = decide_links(&input.links, margin, pool, progress)?;
    let results = ProxyResults {
        part: inputs.part.clone(),
        proxy: inputs.proxy.clone(),
        unit: input.part.unit,
        margin,
        links,
        without_part: input.without_part.clone(),
        unknown: input.unknown.clone(),
    };
    Ok((input, results))
}

/// The cover of each link, several at once.
pub(super) fn decide_links(
    links: &[LinkInput],
    margin: f64,
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
    named.map(|(link, cover)| Ok(LinkResult { name: link.name.clone(), cover: cover? })).collect()
}
