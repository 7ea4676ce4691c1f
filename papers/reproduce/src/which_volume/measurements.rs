//! Contenders, and the measurements of one scene.
use crate::{
    measure::{Contender, Run, named},
    numbers::geometric_mean,
    plot::Spread,
    rounds::{Rounds, Timed},
};
use impinge::Quality;
use impinge_volumes::{Kind, Options};

/// Name of the fast tree, with which all others are compared.
pub(super) const WIDE: &str = "wide";
/// Names of the fast tree's two variants.
pub(super) const COMPACT: &str = "wide, compact";
pub(super) const FAST: &str = "wide, fast build";

/// Every volume with what `auto` picks, and the fast tree's two variants.
pub(super) fn contenders() -> Vec<Contender> {
    let of = |name, options| Contender { name, options };
    let wide = Options::new(Kind::Wide);
    let mut all =
        vec![of(WIDE, wide), of(COMPACT, wide.compact(true)), of(FAST, wide.quality(Quality::Fast))];
    let papers = Kind::ALL.iter().filter(|&&kind| kind != wide.kind);
    all.extend(papers.map(|&kind| of(kind.name(), Options::new(kind))));
    all
}

/// One scene.
#[derive(Clone)]
pub(super) struct VolumeMeasurement {
    pub(super) label: &'static str,
    pub(super) triangles: [usize; 2],
    /// Runs for all pairs, and for first contact.
    pub(super) runs: [Vec<Run>; 2],
    /// Build times of the first mesh, by contender.
    pub(super) builds: Vec<(&'static str, Timed)>,
}

impl Rounds for VolumeMeasurement {
    fn keep(&mut self, round: usize) {
        self.runs.iter_mut().for_each(|runs| runs.keep(round));
        self.builds.iter_mut().for_each(|build| build.1.keep(round));
    }
}

/// A cost to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cost {
    All,
    First,
    Bytes,
    Build,
}

impl VolumeMeasurement {
    /// Seconds of a query, bytes a triangle, or seconds of a build a triangle.
    pub(super) fn of(&self, cost: Cost, name: &str) -> f64 {
        match cost {
            Cost::All => named(&self.runs[0], name).seconds(),
            Cost::First => named(&self.runs[1], name).seconds(),
            Cost::Bytes => {
                named(&self.runs[0], name).bytes as f64 / self.triangles.iter().sum::<usize>() as f64
            }
            Cost::Build => {
                let found = self.builds.iter().find(|build| build.0 == name);
                found.map_or(f64::NAN, |build| build.1.seconds) / self.triangles[0] as f64
            }
        }
    }
    /// Cost as a multiple of the fast tree's.
    pub(super) fn times(&self, cost: Cost, name: &str) -> f64 {
        self.of(cost, name) / self.of(cost, WIDE)
    }
}

/// Geometric mean and range of the scenes' values.
pub(super) fn spread(values: impl Iterator<Item = f64> + Clone) -> Spread {
    Spread {
        middle: geometric_mean(values.clone()),
        least: values.clone().fold(f64::INFINITY, f64::min),
        most: values.fold(f64::NEG_INFINITY, f64::max),
    }
}

pub(super) fn times(scenes: &[VolumeMeasurement], cost: Cost, name: &str) -> Spread {
    spread(scenes.iter().map(|scene| scene.times(cost, name)))
}

pub(super) fn bytes(scenes: &[VolumeMeasurement], name: &str) -> Spread {
    spread(scenes.iter().map(|scene| scene.of(Cost::Bytes, name)))
}
