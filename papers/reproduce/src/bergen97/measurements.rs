//! Contenders, and the measurements of one model.
use crate::{
    measure::{Contender, Run, named},
    numbers::plane,
    rounds::{Rounds, Timed},
};
use impinge::query::Counters;
use impinge_volumes::{Kind, Overlap, Split};

/// Number of face normals among the 15 axes.
pub(super) const FACES: usize = 6;

pub(super) const AABB_SAT: &str = "AABB, SAT";
pub(super) const AABB_LITE: &str = "AABB, SAT lite";
pub(super) const OBB_SAT: &str = "OBB, SAT";
pub(super) const OBB_LITE: &str = "OBB, SAT lite";

pub(super) fn contenders() -> [Contender; 4] {
    [
        Contender::new(OBB_SAT, Kind::Obb, Split::Mean, Overlap::Sat),
        Contender::new(AABB_SAT, Kind::Aabb, Split::Midpoint, Overlap::Sat),
        Contender::new(OBB_LITE, Kind::Obb, Split::Mean, Overlap::SatLite),
        Contender::new(AABB_LITE, Kind::Aabb, Split::Midpoint, Overlap::SatLite),
    ]
}

/// One model in Tables 1 to 3.
#[derive(Clone)]
pub(super) struct ModelMeasurement {
    pub(super) label: &'static str,
    pub(super) triangles: usize,
    pub(super) placements: usize,
    pub(super) runs: Vec<Run>,
    /// Counters of the tests by 15 axes: AABB, OBB.
    pub(super) exits: [Counters; 2],
    /// Build of one tree: OBB, AABB.
    pub(super) builds: [Timed; 2],
    /// Refit of the AABB tree.
    pub(super) refit: Timed,
}

impl Rounds for ModelMeasurement {
    fn keep(&mut self, round: usize) {
        self.runs.keep(round);
        self.builds.keep(round);
        self.refit.keep(round);
    }
}

impl ModelMeasurement {
    pub(super) fn run(&self, name: &str) -> &Run {
        named(&self.runs, name)
    }
    pub(super) fn times(&self, name: &str, than: &str) -> f64 {
        self.run(name).seconds() / self.run(than).seconds()
    }
    pub(super) fn tests(&self, name: &str, than: &str) -> f64 {
        self.run(name).volume_tests() / self.run(than).volume_tests()
    }
    /// Share of the exits at axes that are cross products of edges.
    pub(super) fn edge_share(&self, k: usize) -> f64 {
        let exits = &self.exits[k].separations;
        let sum = |tests: &[u64]| tests.iter().sum::<u64>() as f64;
        sum(&exits[FACES..]) / sum(exits).max(1.0)
    }
    /// Share of the time of tests that goes to pairs of triangles, if the placements determine it.
    pub(super) fn leaf_share(&self, name: &str) -> Option<f64> {
        let (run, costs) = (self.run(name), Costs::of(self.run(name))?);
        let [volumes, leaves] = [costs.volume_test * run.volume_tests(), costs.leaf_pair * run.leaf_pairs()];
        Some(leaves / (volumes + leaves))
    }
    /// Seconds of a frame in which both copies deform and one query runs. AABB trees are refitted, OBB trees
    /// (`obb_frame`) are rebuilt.
    pub(super) fn aabb_frame(&self) -> f64 {
        2.0 * self.refit.seconds + self.run(AABB_LITE).seconds()
    }
    pub(super) fn obb_frame(&self) -> f64 {
        2.0 * self.builds[0].seconds + self.run(OBB_SAT).seconds()
    }
    /// Memory of both trees.
    pub(super) fn kibibytes(&self, name: &str) -> f64 {
        self.run(name).bytes as f64 / 1024.0
    }
    pub(super) fn meeting(&self) -> f64 {
        self.run(OBB_SAT).mean(|f| f.hits as f64)
    }
}

/// Costs that fit a run's times, in seconds: a query without its tests, a volume test, a pair of triangles in
/// leaves.
pub(super) struct Costs {
    pub(super) query: f64,
    pub(super) volume_test: f64,
    pub(super) leaf_pair: f64,
}

impl Costs {
    pub(super) fn of(run: &Run) -> Option<Self> {
        let rows: Vec<_> = run
            .frames
            .iter()
            .map(|f| ([f.count.volume_tests as f64, f.count.leaf_pairs as f64], f.seconds))
            .collect();
        let [query, volume_test, leaf_pair] = plane(&rows)?;
        // A negative cost is noise.
        (volume_test > 0.0 && leaf_pair > 0.0).then_some(Self { query, volume_test, leaf_pair })
    }
}
