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
mod experiment;
mod hu16;
mod larsson08;
mod load;
mod machine;
mod measure;
mod numbers;
mod open_questions;
mod plot;
mod printed;
mod report;
mod settings;
mod table;
mod watch;
mod which_volume;
mod write;
mod zachmann02;

pub use self::{
    error::Error, experiment::Experiment, report::Report, settings::Settings, watch::Watch, write::Folder,
};

use load::Sampling;
use machine::Machine;

/// Files that the experiments read from a folder with models ([`Settings::new`]).
pub const MODELS: [&str; 6] = [
    "anim_horse_gallop.ply",
    "asm_ReciprocatingSaw.obj",
    "brep_Motor_c.obj",
    "m_armadillo_igl.ply",
    "m_horse.ply",
    "m_stanford_dragon_res2.ply",
];

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
            Experiment::OpenQuestions => open_questions::chapter(settings, &mut watch),
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
        let animation = impinge_testkit::scenes::gallop(&settings.sources).unwrap();
        let missing = missing.chain(animation.stand_in);
        let files: BTreeSet<String> =
            missing.filter_map(|text| Some(text.split_once(" is missing")?.0.to_owned())).collect();
        assert_eq!(files.into_iter().collect::<Vec<_>>(), MODELS);
    }
}
