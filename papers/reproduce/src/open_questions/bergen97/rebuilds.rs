//! Limits of `Model::decay` beyond which a refitted tree is rebuilt, compared.
use super::{
    super::work::{Work, all_pairs},
    compared::placements,
    motions::Motion,
    quality::rebuilt,
};
use crate::{
    Error, Settings, Watch,
    measure::built,
    report::{Block, Judged, Section},
    table::Table,
};
use impinge::{
    Pose,
    model::{Deformed, Rebuild},
};
use impinge_volumes::{Kind, Options};

/// Limits of the decay beyond which a policy rebuilds.
const LIMITS: [f64; 6] = [1.1, 1.25, 1.5, 2.0, 3.0, f64::INFINITY];
/// The fast tree, and two kinds that are refitted bottom-up.
const KINDS: [Kind; 3] = [Kind::Wide, Kind::Aabb, Kind::Dop18];
const FRAMES: usize = 1000;
/// Number of frames from one counted query to the next; every frame deforms.
const EVERY: usize = 20;

pub(super) fn section(
    motions: &[Motion],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Section, Error> {
    let (frames, places) =
        if settings.sources.quick { (100, placements(3)) } else { (FRAMES, placements(8)) };
    let mut table = Table::new(
        "open-bergen97-rebuilds",
        "Trees that are rebuilt where the decay exceeds a limit",
        [
            "motion",
            "volume",
            "rebuild where decay exceeds",
            "rebuilds in all frames",
            "largest decay",
            "Nv / Nv of rebuilt trees",
        ],
    );
    watch.stage("open-questions: bergen97, rebuilds".into(), motions.len() * KINDS.len());
    for motion in motions {
        for kind in KINDS {
            let options = Options::new(kind).leaf_size(usize::from(kind != Kind::Wide));
            let always = always(motion, &options, frames, &places)?;
            for limit in LIMITS {
                let kept = policy(motion, &options, frames, &places, limit)?;
                kept.work.same_pairs(&always, || {
                    format!("{}, {}: rebuilds beyond {limit} and always", motion.name, kind.name())
                })?;
                let name = if limit.is_finite() { limit.to_string() } else { "never".to_owned() };
                table.row([
                    motion.name.into(),
                    kind.name().into(),
                    name.into(),
                    kept.rebuilds.into(),
                    kept.decay.into(),
                    kept.work.over(&always).into(),
                ]);
            }
            watch.step();
        }
    }
    let blocks = vec![
        Block::Text(format!(
            "Does the decay tell when to rebuild? Each body deforms through {frames} frames \
                (`Model::deform`), refitted in each, and rebuilt where the decay exceeds a limit. The last \
                column is Nv over that of a tree that is built for each frame, summed over every {EVERY}th \
             frame. A rebuild pays if the tests that it saves until the tree has decayed again cost more \
             than a build: docs/scenes.md has the instructions of builds, refits and tests."
        )),
        Block::Table(table),
    ];
    Ok(Section::new(blocks, Vec::<Judged>::new()))
}

/// Results of a policy.
struct Kept {
    rebuilds: usize,
    decay: f64,
    work: Work,
}

fn policy(
    motion: &Motion,
    options: &Options,
    frames: usize,
    places: &[[Pose; 2]],
    limit: f64,
) -> Result<Kept, Error> {
    let mut model = built(&motion.mesh, options);
    let mut kept = Kept { rebuilds: 0, decay: 1.0, work: Work::default() };
    for frame in 1..=frames {
        let deformed = model
            .deform(&motion.at(frame), Rebuild::When(limit))
            .map_err(|error| Error::Disagreement(error.to_string()))?;
        kept.rebuilds += usize::from(deformed == Deformed::Rebuilt);
        kept.decay = kept.decay.max(model.decay());
        if frame.is_multiple_of(EVERY) {
            kept.work += all_pairs([&model, &model], places);
        }
    }
    Ok(kept)
}

/// Work of trees that are built for each frame.
fn always(motion: &Motion, options: &Options, frames: usize, places: &[[Pose; 2]]) -> Result<Work, Error> {
    let mut work = Work::default();
    let mut model = built(&motion.mesh, options);
    for frame in (EVERY..=frames).step_by(EVERY) {
        super::quality::refit(&mut model, &motion.at(frame))?;
        let rebuilt = rebuilt(&model, options)?;
        work += all_pairs([&rebuilt, &rebuilt], places);
    }
    Ok(work)
}
