//! [`ContactLines`]: lines in which the surfaces of two parts meet, for pictures, the page and GLB.
use impinge::{Body, Model, Query, curves::Line};
use impinge_check::{Clash, Finding, Report};
use std::sync::{Arc, OnceLock};

/// Maximum number of triangle pairs of a finding that has lines.
const PAIRS: u64 = 20_000;

/// The contacts of a report's findings. Builds the tree of a mesh on first use and keeps it.
pub(crate) struct ContactLines<'a> {
    report: &'a Report,
    /// Models by number of their mesh.
    models: Vec<OnceLock<Model>>,
}

/// Points of a line. A closed line ends at its first point.
pub(crate) type Points = Vec<[f64; 3]>;

/// Lines in which the surfaces of two parts meet.
#[derive(Default)]
pub(crate) struct Contact {
    /// Lines in which they cross.
    pub(crate) curves: Vec<Points>,
    /// Flat pieces in which they lie on each other: the lines around each piece and around its holes.
    pub(crate) patches: Vec<Vec<Points>>,
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
    /// Contact of the parts of a finding; empty if the finding has no lines.
    pub(crate) fn contact(&self, finding: &Finding) -> Contact {
        let (Some(clash), Some(assembly)) = (self.clash(finding), self.report.assembly()) else {
            return Contact::default();
        };
        let model = |part: u32| {
            let own = || {
                let mesh = Arc::clone(&assembly.parts[part as usize].mesh);
                Model::new(mesh)
            };
            self.models[self.report.part(part).mesh() as usize].get_or_init(own)
        };
        let [a, b] = clash.parts.map(|part| Body::new(model(part), *self.report.part(part).pose()));
        let mut query = Query::new();
        let curves = query.curves(&a, &b);
        let points = |line: Line<'_>| -> Points {
            let end = line.nodes.first().filter(|_| line.closed);
            line.nodes.iter().chain(end).map(|&node| curves.nodes()[node as usize].point).collect()
        };
        Contact {
            curves: curves.lines().map(points).collect(),
            patches: curves.patches().map(|patch| patch.border().map(points).collect()).collect(),
        }
    }
}

impl Contact {
    /// All lines, those around patches last.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &Points> {
        self.curves.iter().chain(self.patches.iter().flatten())
    }
    pub(crate) fn map(mut self, place: impl Fn([f64; 3]) -> [f64; 3]) -> Self {
        let lines = self.curves.iter_mut().chain(self.patches.iter_mut().flatten());
        lines.flatten().for_each(|point| *point = place(*point));
        self
    }
}
