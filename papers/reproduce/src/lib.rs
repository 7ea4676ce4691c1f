//! Experiments of four papers, measured again: tables, plots, and a verdict on each claim for this machine.
//! Two more experiments compare all volumes, and study questions that the papers leave open.
//!
//! An experiment consists of [`Part`]s. [`reproduce`] measures parts, stores each when it is finished, and
//! returns a [`Report`] on all finished ones; [`Folder`] writes it. Times are processor times of this
//! machine, valid only as ratios. On a machine that is busy with other work the claims about times are not
//! judged. Counts depend only on the scenes and on this library.
#![forbid(unsafe_code)]

mod bergen97;
mod catalogue;
mod clock;
mod error;
mod experiment;
mod finished;
mod hu16;
mod larsson08;
mod load;
mod machine;
mod measure;
mod numbers;
mod open_questions;
mod part;
mod plot;
mod printed;
mod report;
mod revision;
mod rounds;
mod settings;
mod table;
mod watch;
mod which_volume;
mod write;
mod zachmann02;

#[doc(hidden)]
pub use self::hu16::sorted_lists::SortedLists;
pub use self::{
    clock::Stopwatch, error::Error, experiment::Experiment, part::Part, report::Report, settings::Settings,
    watch::Watch, write::Folder,
};

use finished::Finished;
use load::Sampling;
use machine::Origin;
use std::time::Instant;

/// Files that the experiments read from a folder with models ([`Settings::new`]).
pub const MODELS: [&str; 6] = [
    "anim_horse_gallop.ply",
    "asm_ReciprocatingSaw.obj",
    "brep_Motor_c.obj",
    "m_armadillo_igl.ply",
    "m_horse.ply",
    "m_stanford_dragon_res2.ply",
];

/// Measures the parts in the given order, stores each in the folder when it is finished, and returns a report
/// on all parts that the folder has.
///
/// With `resume` a part that the folder has is not measured again. Its settings must be the same: quick or
/// full, and the same models. Its commit and machine may be others, and the report names them.
///
/// # Errors
/// Returns an error for a stored part with other settings if `resume` is set, a data folder that does not
/// exist, a model that cannot be used, contenders that disagree about a result, and a finished part that is
/// damaged or cannot be stored. Parts that were finished before the error remain in the folder.
pub fn reproduce(
    parts: &[&'static Part],
    settings: &Settings<'_>,
    folder: &Folder,
    resume: bool,
    watch: &mut dyn Watch,
) -> Result<Report, Error> {
    let catalogue: Vec<&Part> = Part::all().collect();
    measure_parts(&catalogue, parts, settings, folder, resume, watch)
}

fn measure_parts(
    catalogue: &[&'static Part],
    parts: &[&'static Part],
    settings: &Settings<'_>,
    folder: &Folder,
    resume: bool,
    watch: &mut dyn Watch,
) -> Result<Report, Error> {
    // Read before the work, which must not end with an error about a file that was there at its start.
    let finished = folder.finished(catalogue)?;
    let stored = |part: &Part| finished.iter().find(|one| resume && one.part == part);
    for Finished { part, origin, .. } in parts.iter().filter_map(|part| stored(part)) {
        if origin.quick != settings.sources.quick || !settings.would_use(&origin.models) {
            return Err(Error::OtherSettings(part.name, origin.run()));
        }
    }
    for &part in parts.iter().filter(|part| stored(part).is_none()) {
        let (start, mut watch) = (Instant::now(), Sampling::new(watch));
        settings.take_used();
        let section = (part.run)(settings, &mut watch)?;
        let load = watch.load();
        let origin = Origin::new(settings.run(), settings.take_used(), load, start.elapsed());
        folder.keep(&Finished { part, origin, section: section.under(load) })?;
    }
    // Read from the files, so that a report does not depend on the number of runs that it took.
    Ok(Report::new(catalogue, folder.finished(catalogue)?, parts))
}

#[cfg(test)]
mod mechanisms;
#[cfg(test)]
mod tests;
