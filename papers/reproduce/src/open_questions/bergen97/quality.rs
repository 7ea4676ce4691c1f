//! Queries of refitted trees against those of trees that are rebuilt, over 1,000 frames.
use super::{
    super::work::all_pairs,
    compared::{placements, trees},
    motions::Motion,
};
use crate::{
    Error, Settings, Watch,
    measure::built,
    report::{Block, By, Outcome, Section, Verdict},
    table::{Table, rounded},
};
use impinge::{Mesh, Model, Pose};
use impinge_volumes::{Kind, Options};
use std::sync::Arc;

/// Frames at which refitted trees are compared with rebuilt ones.
const FRAMES: [usize; 5] = [1, 10, 100, 300, 1000];
/// Frames of a quick run.
const QUICK: [usize; 3] = [1, 10, 100];

/// One volume under one motion.
struct MotionQuality {
    motion: &'static str,
    kind: Kind,
    /// Decay of the refitted tree at each frame, and Nv and Np of the refitted and of the rebuilt tree.
    frames: Vec<FrameQuality>,
}

#[derive(Clone, Copy)]
struct FrameQuality {
    frame: usize,
    decay: f64,
    tests: [u64; 2],
    leaf_pairs: [u64; 2],
}

impl FrameQuality {
    fn ratio(&self) -> f64 {
        self.tests[0] as f64 / self.tests[1] as f64
    }
}

pub(super) fn section(
    motions: &[Motion],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Section, Error> {
    let frames: &[usize] = if settings.sources.quick { &QUICK } else { &FRAMES };
    let places = placements(if settings.sources.quick { 6 } else { 20 });
    watch.stage("open-questions: bergen97, refits".into(), motions.len() * Kind::ALL.len());
    let mut rows = Vec::new();
    for motion in motions {
        for (kind, options) in trees() {
            let frames = measured(motion, &options, frames, &places)?;
            rows.push(MotionQuality { motion: motion.name, kind, frames });
            watch.step();
        }
    }
    let about: Vec<_> = motions.iter().map(|m| format!("*{}*: {}", m.name, m.about)).collect();
    let blocks = vec![
        Block::Text(format!(
            "A tree is built for the body's shape at frame 0 and refitted to every later one: boxes and DOPs \
                bottom-up, the fast tree by encoding its nodes again, other volumes by fitting them to the \
                triangles below. A cell is Nv of the refitted tree over Nv of a tree that is built for that \
                frame: the sum over {} placements of two copies, all pairs of triangles that meet. {}. Decay \
             is `Model::decay`, the surface of the boxes of all nodes relative to the whole's, over that \
             after the build.",
            places.len(),
            about.join("; ")
        )),
        Block::Table(table(&rows, frames)),
        Block::Data(details(&rows)),
    ];
    Ok(Section::new(blocks, verdicts(&rows)))
}

/// True if a refit depends on the frames before. Refits of the fast tree do, for they keep the directions of
/// slabs; those of other volumes depend on the built tree and the new points alone.
pub(super) fn depends_on_the_way(kind: Kind) -> bool {
    kind == Kind::Wide
}

fn measured(
    motion: &Motion,
    options: &Options,
    frames: &[usize],
    places: &[[Pose; 2]],
) -> Result<Vec<FrameQuality>, Error> {
    let mut refitted = built(&motion.mesh, options);
    let (mut all, mut last) = (Vec::new(), 0);
    for &frame in frames {
        let first = if depends_on_the_way(options.kind) { last + 1 } else { frame };
        for step in first..=frame {
            refit(&mut refitted, &motion.at(step))?;
        }
        last = frame;
        let rebuilt = rebuilt(&refitted, options)?;
        let [one, other] = [&refitted, &rebuilt].map(|model| all_pairs([model, model], places));
        one.same_pairs(&other, || {
            format!("{}, frame {frame}, {}: refitted and rebuilt", motion.name, options.kind.name())
        })?;
        all.push(FrameQuality {
            frame,
            decay: refitted.decay(),
            tests: [one, other].map(|work| work.count.volume_tests),
            leaf_pairs: [one, other].map(|work| work.count.leaf_pairs),
        });
    }
    Ok(all)
}

pub(super) fn refit(model: &mut Model, points: &[[f64; 3]]) -> Result<(), Error> {
    model.refit(points).map_err(|error| Error::Disagreement(error.to_string()))
}

/// Builds a tree for the shape that a model has now.
pub(super) fn rebuilt(model: &Model, options: &Options) -> Result<Model, Error> {
    let mesh = Mesh::new(model.mesh().points().to_vec(), model.mesh().triangles().to_vec())
        .map_err(|error| Error::Disagreement(error.to_string()))?;
    Ok(built(&Arc::new(mesh), options))
}

fn table(rows: &[MotionQuality], frames: &[usize]) -> Table {
    let heads = ["motion", "volume"].map(str::to_owned).into_iter();
    let heads = heads.chain(frames.iter().map(|frame| format!("Nv refitted / rebuilt, frame {frame}")));
    let mut table = Table::new(
        "open-bergen97-refits",
        "Nv of refitted trees over Nv of rebuilt ones",
        heads.chain(["decay, last frame".to_owned()]),
    );
    for MotionQuality { motion, kind, frames } in rows {
        let ratios = frames.iter().map(|f| f.ratio().into());
        let decay = frames.last().map(|f| f.decay);
        table.row([(*motion).into(), kind.name().into()].into_iter().chain(ratios).chain([decay.into()]));
    }
    table
}

fn details(rows: &[MotionQuality]) -> Table {
    let mut table = Table::new(
        "open-bergen97-refits-counts",
        "Counts and decay at each of these frames",
        ["motion", "volume", "frame", "decay", "Nv refitted", "Nv rebuilt", "Np refitted", "Np rebuilt"],
    );
    for MotionQuality { motion, kind, frames } in rows {
        for f in frames {
            table.row([
                (*motion).into(),
                kind.name().into(),
                f.frame.into(),
                f.decay.into(),
                f.tests[0].into(),
                f.tests[1].into(),
                f.leaf_pairs[0].into(),
                f.leaf_pairs[1].into(),
            ]);
        }
    }
    table
}

fn verdicts(rows: &[MotionQuality]) -> Vec<Verdict> {
    let worst = |of: &dyn Fn(&MotionQuality) -> bool| {
        rows.iter()
            .filter(|row| of(row))
            .flat_map(|row| row.frames.iter().map(FrameQuality::ratio))
            .fold(0.0, f64::max)
    };
    let motions: Vec<&str> = {
        let mut names: Vec<&str> = rows.iter().map(|row| row.motion).collect();
        names.dedup();
        names
    };
    let stays = |motion: &str| worst(&|row| row.motion == motion) <= 1.5;
    vec![Verdict {
        claim: "A refitted tree of any volume stays nearly as good as a rebuilt one, however often it is \
            refitted (Bergen97, section 5, for boxes)."
            .into(),
        by: By::Counts,
        rule: "Nv of refitted trees is at most 1.5 times that of rebuilt ones for every volume and frame, in \
            each motion",
        measured: format!(
            "The worst volume and frame: {}.",
            motions
                .iter()
                .map(|motion| format!("{motion} {}", rounded(worst(&|row| row.motion == *motion))))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        outcome: Outcome::of(motions.iter().map(|motion| stays(motion))),
        why: "The number of refits does not matter, only how far the shape is from that of the build: \
            motions that return return the tree's quality, too.",
    }]
}
