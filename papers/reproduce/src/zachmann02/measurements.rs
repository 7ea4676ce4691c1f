//! Scenes, contenders, and the measurements of one pair of objects.
use crate::{
    Error, Settings, Watch,
    measure::{Ask, Contender, Run, named, race},
    numbers::mean,
    rounds::Rounds,
};
use impinge::Mesh;
use impinge_testkit::scenes::{Group, Scene};
use impinge_volumes::{Kind, Overlap, Split};
use std::sync::Arc;

/// Names of scenes, and labels of their objects.
pub(super) type Objects<'a> = &'a [(&'a str, &'static str)];

/// Objects whose times are compared by distance.
pub(super) const OBJECTS: [(&str, &str); 4] = [
    ("tumble-torus", "torus"),
    ("tumble-sphere", "sphere"),
    ("tumble-motor", "motor (CAD)"),
    ("tumble-saw", "saw (CAD)"),
];
/// Series of time against triangles, by size. The first two of `OBJECTS` belong to them, too.
pub(super) const SERIES: [(&str, &str); 9] = [
    ("tumble-torus-1k", "torus"),
    ("tumble-torus-4k", "torus"),
    ("tumble-torus-16k", "torus"),
    ("tumble-torus-65k", "torus"),
    ("tumble-torus-101k", "torus"),
    ("tumble-sphere-1k", "sphere"),
    ("tumble-sphere-5k", "sphere"),
    ("tumble-sphere-20k", "sphere"),
    ("tumble-sphere-82k", "sphere"),
];

pub(super) const AXIS: &str = "axis alignment (3.2.1)";
pub(super) const LOOKUP: &str = "look-up tables (3.2.2)";
pub(super) const SAT: &str = "SAT (3.2.3)";
pub(super) const LITE: &str = "SAT lite (3.2.4)";
pub(super) const SAH: &str = "boxtree, SAH split";
pub(super) const DOP: &str = "24-DOP";
/// Label of [`LITE`] where volumes are compared, not tests.
pub(super) const BOXTREE: &str = "boxtree";

pub(super) fn tests() -> Vec<Contender> {
    [(AXIS, Overlap::Axis), (LOOKUP, Overlap::Lookup), (SAT, Overlap::Sat), (LITE, Overlap::SatLite)]
        .map(|(name, overlap)| Contender::new(name, Kind::Boxtree, Split::Restricted, overlap))
        .into()
}

pub(super) fn volumes() -> Vec<Contender> {
    vec![
        Contender::new(LITE, Kind::Boxtree, Split::Restricted, Overlap::SatLite),
        Contender::new(SAH, Kind::Boxtree, Split::Sah, Overlap::SatLite),
        Contender::new(DOP, Kind::Dop24, Split::Sah, Overlap::Auto),
    ]
}

/// One pair of objects, tumbling.
#[derive(Clone)]
pub(super) struct PairMeasurement {
    pub(super) label: &'static str,
    pub(super) mesh: Arc<Mesh>,
    pub(super) groups: Vec<Group>,
    pub(super) runs: Vec<Run>,
}

pub(super) fn measure(
    objects: Objects<'_>,
    contenders: &[Contender],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Vec<PairMeasurement>, Error> {
    let measure = |&(name, label): &(&str, &'static str)| {
        let scene = settings.scene(name)?;
        let runs = race(&scene, contenders, Ask::First, watch)?;
        let Scene { meshes: [mesh, _], groups, .. } = scene;
        Ok(PairMeasurement { label, mesh, groups, runs })
    };
    objects.iter().map(measure).collect()
}

impl Rounds for PairMeasurement {
    fn keep(&mut self, round: usize) {
        self.runs.keep(round);
    }
}

impl PairMeasurement {
    /// Distances, with the mean seconds at each.
    pub(super) fn by_distance(&self, name: &str) -> Vec<(f64, f64)> {
        let run = named(&self.runs, name);
        let groups = self.groups.iter().filter(|group| !group.frames.is_empty());
        groups
            .map(|group| {
                let seconds = mean(run.frames[group.frames.clone()].iter().map(|f| f.seconds));
                (group.distance.unwrap_or(0.0), seconds)
            })
            .collect()
    }
    /// The mean over the distances: the paper's summary.
    pub(super) fn seconds(&self, name: &str) -> f64 {
        mean(self.by_distance(name).into_iter().map(|p| p.1))
    }
    pub(super) fn times(&self, name: &str, than: &str) -> f64 {
        self.seconds(name) / self.seconds(than)
    }
}

/// True for an object of [`SERIES`].
pub(super) fn is_series(label: &str) -> bool {
    SERIES.iter().any(|(_, known)| *known == label)
}
