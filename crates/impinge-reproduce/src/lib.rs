//! The experiments of four papers, measured again: tables, plots, and whether each claim holds on this
//! machine; and another experiment that compares all volumes.
//!
//! [`reproduce`] measures and returns a [`Report`]; [`Folder`] writes it. Times are processor times of this
//! machine, valid only as ratios. On a machine that is busy with other work the claims about times are not
//! judged. Counts depend only on the scenes and on this library.
#![forbid(unsafe_code)]

mod bergen97;
mod clock;
mod error;
mod hu16;
mod larsson08;
mod load;
mod machine;
mod measure;
mod numbers;
mod plot;
mod printed;
mod report;
mod table;
mod which_volume;
mod write;
mod zachmann02;

pub use self::{error::Error, report::Report, write::Folder};

use impinge_testkit::scenes::{self, ManyBodies, Scene, Sources};
use load::Sampling;
use machine::Machine;
use std::path::Path;

/// The experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Experiment {
    /// G. van den Bergen 1997: AABB trees.
    Bergen97,
    /// G. Zachmann 2002: restricted boxtrees.
    Zachmann02,
    /// J. Hu and others 2016: hybrid trees.
    Hu16,
    /// T. Larsson and T. Akenine-Moller 2008: slab cut balls.
    Larsson08,
    /// Not from a paper: a comparison of all volumes.
    WhichVolume,
}

impl Experiment {
    /// Experiments of papers, oldest first, except for the longest, which is last.
    pub const PAPERS: [Self; 4] = [Self::Bergen97, Self::Zachmann02, Self::Hu16, Self::Larsson08];
    /// All experiments, the papers' first.
    pub const ALL: [Self; 5] =
        [Self::Bergen97, Self::Zachmann02, Self::Hu16, Self::Larsson08, Self::WhichVolume];

    /// Name on the command line, and in names of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bergen97 => "bergen97",
            Self::Zachmann02 => "zachmann02",
            Self::Hu16 => "hu16",
            Self::Larsson08 => "larsson08",
            Self::WhichVolume => "which-volume",
        }
    }
}

/// Files that the experiments read from a folder with models ([`Settings::new`]).
pub const MODELS: [&str; 5] = [
    "asm_ReciprocatingSaw.obj",
    "brep_Motor_c.obj",
    "m_armadillo_igl.ply",
    "m_horse.ply",
    "m_stanford_dragon_res2.ply",
];

/// Settings of the measurements.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    sources: Sources<'a>,
    most_frames: usize,
}

impl<'a> Settings<'a> {
    /// `data` is the folder with the models; without it generated ones replace them, and the report names
    /// these. `quick` selects some 20 to 60 frames a scene instead of all.
    pub fn new(data: Option<&'a Path>, quick: bool) -> Self {
        Self { sources: Sources { data, quick }, most_frames: usize::MAX }
    }

    /// The scene of that name, shortened for a test if requested.
    fn scene(&self, name: &str) -> Result<Scene, Error> {
        self.scene_from(name, &self.sources)
    }
    /// The settings with generated models only.
    fn generated(&self, name: &str) -> Result<Scene, Error> {
        self.scene_from(name, &Sources { data: None, ..self.sources })
    }
    fn scene_from(&self, name: &str, sources: &Sources<'_>) -> Result<Scene, Error> {
        let mut scene = scenes::build(name, sources)?;
        scene.frames.truncate(self.most_frames);
        for group in &mut scene.groups {
            group.frames =
                group.frames.start.min(scene.frames.len())..group.frames.end.min(scene.frames.len());
        }
        Ok(scene)
    }
    /// The scene of many bodies of that name.
    fn many(&self, name: &str) -> Result<ManyBodies, Error> {
        let mut scene = scenes::build_many(name, &self.sources)?;
        scene.frames.truncate(self.most_frames);
        Ok(scene)
    }
}

/// Receives progress reports.
pub trait Watch {
    /// Begins a stage of a number of steps.
    fn stage(&mut self, name: String, steps: usize);
    /// One step is done.
    fn step(&mut self);
}

/// Ignores progress.
impl Watch for () {
    fn stage(&mut self, _name: String, _steps: usize) {}
    fn step(&mut self) {}
}

/// Runs the experiments, in that order.
///
/// # Errors
/// Returns an error for a data folder that does not exist, a model that cannot be used, contenders that
/// disagree about a result, or a plot that cannot be drawn.
pub fn reproduce(
    experiments: &[Experiment],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Report, Error> {
    let start = std::time::Instant::now();
    let mut machine = Machine::here(settings.sources.quick);
    let mut chapters = Vec::new();
    for experiment in experiments {
        let mut watch = Sampling::new(watch);
        let chapter = match experiment {
            Experiment::Bergen97 => bergen97::chapter(settings, &mut watch),
            Experiment::Zachmann02 => zachmann02::chapter(settings, &mut watch),
            Experiment::Hu16 => hu16::chapter(settings, &mut watch),
            Experiment::Larsson08 => larsson08::chapter(settings, &mut watch),
            Experiment::WhichVolume => which_volume::chapter(settings, &mut watch),
        }?;
        chapters.push(chapter.under(watch.load()));
    }
    machine.took(start.elapsed());
    Ok(Report::new(machine, chapters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_models_are_those_that_the_scenes_miss_without_a_folder() {
        let settings = Settings::new(None, true);
        let names = larsson08::scenes().chain(zachmann02::scenes()).chain(["buddhas"]);
        let missing = names.filter_map(|name| settings.scene(name).unwrap().stand_in);
        let files: BTreeSet<String> =
            missing.filter_map(|text| Some(text.split_once(" is missing")?.0.to_owned())).collect();
        assert_eq!(files.into_iter().collect::<Vec<_>>(), MODELS);
    }
}
