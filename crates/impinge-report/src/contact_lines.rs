//! [`ContactLines`]: where the surfaces of two parts meet, as lines that pictures and the page draw.
use impinge::{Body, BuildOptions, Model, Query};
use impinge_check::{Clash, Finding, Report};
use std::sync::{Arc, OnceLock};

/// Findings where more pairs of triangles meet have no lines.
pub(crate) const PAIRS: u64 = 20_000;

/// The lines of a report's findings. The tree of a mesh is built on first use and kept.
pub(crate) struct ContactLines<'a> {
    report: &'a Report,
    /// By number of a mesh.
    models: Vec<OnceLock<Model>>,
}

impl<'a> ContactLines<'a> {
    pub(crate) fn new(report: &'a Report) -> Self {
        let meshes = report.parts().map(|part| part.mesh() as usize + 1).max().unwrap_or(0);
        Self { report, models: (0..meshes).map(|_| OnceLock::new()).collect() }
    }
    /// The clash of a finding if it has lines.
    pub(crate) fn clash(&self, finding: &Finding) -> Option<&'a Clash> {
        let clash = self.report.clash_of(finding)?;
        (self.report.assembly().is_some() && (1..=PAIRS).contains(&clash.triangle_pairs)).then_some(clash)
    }
    /// Calls `show` with the points of each line of a finding: curves, and the borders of patches. A closed line
    /// ends at its first point.
    pub(crate) fn each(&self, finding: &Finding, mut show: impl FnMut(&[[f64; 3]])) {
        let (Some(clash), Some(assembly)) = (self.clash(finding), self.report.assembly()) else { return };
        let model = |part: u32| {
            let own = || {
                let mesh = Arc::clone(&assembly.parts[part as usize].mesh);
                Model::new(mesh, &BuildOptions::default())
            };
            self.models[self.report.part(part).mesh() as usize].get_or_init(own)
        };
        let [a, b] = clash.parts.map(|part| Body::new(model(part), *self.report.part(part).pose()));
        let mut query = Query::new();
        let curves = query.curves(&a, &b);
        let mut points = Vec::new();
        let mut line = |line: impinge::curves::Line<'_>| {
            points.clear();
            let end = line.nodes.first().filter(|_| line.closed);
            points.extend(line.nodes.iter().chain(end).map(|&node| curves.nodes()[node as usize].point));
            show(&points);
        };
        curves.lines().for_each(&mut line);
        curves.patches().for_each(|patch| patch.border().for_each(&mut line));
    }
}
