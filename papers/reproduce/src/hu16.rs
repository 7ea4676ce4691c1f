//! Hu and others 2016: hybrid trees, for two bodies and for two hundred.
pub(crate) mod broad;
pub(crate) mod sorted_lists;

use self::broad::{Broad, broad};
use crate::{
    Error, Experiment, Part, Settings, Watch,
    measure::{Ask, Contender, Frame, Run, built, crowd, crowd_again, named, race},
    numbers::mean,
    part::Chapter,
    plot::{Axis, Mark, Panel, Series},
    report::{Block, By, Figure, Outcome, Section, Verdict},
    rounds::{ROUNDS, Rounds, Timed, judged},
    table::{Cell, Table, rounded},
};
use impinge::{Model, Pose};
use impinge_testkit::scenes::ManyBodies;
use impinge_volumes::{Kind, Options, Overlap, Split};

pub(crate) static CHAPTER: Chapter = Chapter {
    title: "Hu and others 2016: hybrid trees and data reuse",
    about: "A hybrid tree has a cubic box at its root and weighted OBBs, fitted to the convex hull, below. \
            *Algorithm I* is that tree; *algorithm II* also reuses the leaf's box in the test of triangles. \
            Both are compared with RAPID, whose part impinge's own OBB tree with RAPID's split has here; \
            between them is a tree of weighted OBBs only. For comparison: trees of AABBs as in Bergen97, and \
            impinge's own fast tree. One triangle a leaf (the fast tree: up to eight), all pairs that meet. \
            The paper prints no numbers, only curves of time against the number of intersecting triangles; \
            by that we take pairs of triangles that meet.",
    parts: &[Part {
        experiment: Experiment::Hu16,
        name: "hu16/figure2",
        about: "two scans and 200 teapots: time against the number of intersecting triangles, memory",
        by: By::Times,
        minutes: 3,
        run: figure2,
    }],
};

const RAPID: &str = "OBB (as RAPID)";
/// RAPID as it is, without a broad phase: that is part of algorithms I and II.
const ALL_PAIRS: &str = "OBB, no broad phase";
const WEIGHTED: &str = "weighted OBB";
const ONE: &str = "algorithm I";
const TWO: &str = "algorithm II";
const VOLUMES: [(&str, Kind); 6] = [
    (RAPID, Kind::Obb),
    (WEIGHTED, Kind::ObbHull),
    (ONE, Kind::HybridPlain),
    (TWO, Kind::Hybrid),
    ("AABB (as Bergen97)", Kind::Aabb),
    ("fast tree", Kind::Wide),
];

fn contenders() -> [Contender; 6] {
    VOLUMES.map(|(name, kind)| match kind {
        Kind::Aabb => Contender::new(name, kind, Split::Midpoint, Overlap::Auto),
        // Not from a paper, so it has the leaf size that suits it.
        Kind::Wide => Contender { name, options: Options::new(kind) },
        _ => Contender::new(name, kind, Split::Mean, Overlap::Auto),
    })
}

/// One scene: the frames of each contender.
#[derive(Clone)]
struct SceneMeasurement {
    label: &'static str,
    file: &'static str,
    /// Times of the pairs only.
    runs: Vec<Run>,
    /// The broad phase of many bodies.
    broad: Option<Broad>,
}

impl Rounds for SceneMeasurement {
    fn keep(&mut self, round: usize) {
        self.runs.keep(round);
        if let Some(broad) = &mut self.broad {
            broad.keep(round);
        }
    }
}

impl SceneMeasurement {
    fn pairs(&self, name: &str) -> &[Frame] {
        &named(&self.runs, name).frames
    }
    /// Seconds of the broad phase before the pairs of a frame, if there is one.
    fn before(&self, name: &str, frame: usize) -> Option<f64> {
        self.broad.as_ref().map(|broad| if name == ALL_PAIRS { 0.0 } else { broad.kept[frame].seconds })
    }
    /// The frames with the times that the paper plots: broad phase and pairs.
    fn whole(&self, name: &str) -> Vec<Frame> {
        let add = |(index, frame): (usize, &Frame)| Frame {
            seconds: frame.seconds + self.before(name, index).unwrap_or(0.0),
            ..*frame
        };
        self.pairs(name).iter().enumerate().map(add).collect()
    }
    /// Ratio of whole frames.
    fn times(&self, name: &str, than: &str) -> f64 {
        seconds(&self.whole(name)) / seconds(&self.whole(than))
    }
    /// Ratio of the pairs only.
    fn pair_times(&self, name: &str, than: &str) -> f64 {
        seconds(self.pairs(name)) / seconds(self.pairs(than))
    }
    /// Both ratios, as text.
    fn compared(&self, name: &str, than: &str) -> String {
        let alone = match self.broad {
            Some(_) => format!(" (pairs only {})", rounded(self.pair_times(name, than))),
            None => String::new(),
        };
        format!("{} {}{alone}", self.label, rounded(self.times(name, than)))
    }
}

fn mean_seconds(times: &[Timed]) -> f64 {
    mean(times.iter().map(|time| time.seconds))
}

fn seconds(frames: &[Frame]) -> f64 {
    mean(frames.iter().map(|f| f.seconds))
}

fn figure2(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    let contenders = contenders();
    let scene = settings.scene("buddhas")?;
    let runs = race(&scene, &contenders, Ask::All, watch)?;
    let two = SceneMeasurement { label: "two scans", file: "hu16-two", runs, broad: None };
    let many = teapots(&settings.many("teapots-200")?, &contenders, watch)?;
    let scenes = [two, many];
    Ok(Section::new(blocks(&scenes), judged(&scenes, verdicts)))
}

fn teapots(
    scene: &ManyBodies,
    contenders: &[Contender],
    watch: &mut dyn Watch,
) -> Result<SceneMeasurement, Error> {
    watch.stage(format!("hu16: {}", scene.name), (1 + ROUNDS) * scene.frames.len() + contenders.len());
    let mesh = &scene.meshes[0];
    let models: Vec<Model> = contenders
        .iter()
        .map(|contender| {
            watch.step();
            built(mesh, &contender.options)
        })
        .collect();
    let run =
        |name: &'static str, model: &Model| Run { name, bytes: model.stats().bytes, frames: Vec::new() };
    let mut runs: Vec<Run> = contenders.iter().zip(&models).map(|(c, model)| run(c.name, model)).collect();
    let mut without = run(ALL_PAIRS, &models[0]);
    let broad = broad(scene)?;
    let n = scene.bodies.len() as u32;
    let all: Vec<[u32; 2]> = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b])).collect();
    let placed = |index: usize, pairs: &[[u32; 2]]| -> Vec<[Pose; 2]> {
        pairs.iter().map(|pair| pair.map(|body| scene.frames[index][body as usize])).collect()
    };
    let mut frames = Vec::new();
    for (index, near) in broad.near.iter().enumerate() {
        let mut frame = crowd(&scene.name, index, &models, contenders, &placed(index, near))?;
        let unsorted = crowd(&scene.name, index, &models[..1], &contenders[..1], &placed(index, &all))?;
        if unsorted[0].hits != frame[0].hits {
            return Err(Error::Disagreement(format!(
                "scene {}, frame {index}: all pairs of bodies have {} pairs that meet, those that the broad \
                    phase leaves {}",
                scene.name, unsorted[0].hits, frame[0].hits
            )));
        }
        frame.extend(unsorted);
        frames.push(frame);
        watch.step();
    }
    for round in 0..ROUNDS {
        for (index, near) in broad.near.iter().enumerate() {
            let (near_frames, unsorted) = frames[index].split_at_mut(contenders.len());
            crowd_again(&models, &placed(index, near), round, near_frames);
            crowd_again(&models[..1], &placed(index, &all), round, unsorted);
            watch.step();
        }
    }
    for frame in frames {
        runs.iter_mut().chain([&mut without]).zip(frame).for_each(|(run, frame)| run.frames.push(frame));
    }
    runs.push(without);
    Ok(SceneMeasurement { label: "200 teapots", file: "hu16-many", runs, broad: Some(broad) })
}

/// Frames grouped by the number of meeting pairs: mean number, mean seconds.
fn by_hits(frames: &[Frame]) -> Vec<(f64, f64)> {
    const GROUPS: usize = 12;
    let mut sorted: Vec<&Frame> = frames.iter().collect();
    sorted.sort_by_key(|f| f.hits);
    sorted
        .chunks(sorted.len().div_ceil(GROUPS).max(1))
        .map(|group| (mean(group.iter().map(|f| f.hits as f64)), mean(group.iter().map(|f| f.seconds))))
        .collect()
}

fn blocks(scenes: &[SceneMeasurement]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for scene in scenes {
        let Some(Broad { kept, anew, near, all }) = &scene.broad else { continue };
        blocks.push(Block::Text(format!(
            "*{}*: a *whole frame*, which the paper's figure shows, is the broad phase and all the pairs of \
                bodies that it leaves; two bodies need no broad phase, and their whole frame is their pair. \
                The paper's broad phase, three sorted lists of cubes' ends, kept from frame to frame, takes \
                {} ms a frame ({} ms if it starts from scratch each frame), and leaves {} of {} pairs. Here \
                every volume gets it. To the paper it is part of algorithms I and II, and RAPID has none: \
             that is *{ALL_PAIRS}*, which compares all pairs.",
            scene.label,
            rounded(1e3 * mean_seconds(kept)),
            rounded(1e3 * mean_seconds(anew)),
            rounded(mean(near.iter().map(|pairs| pairs.len() as f64))),
            rounded(*all as f64)
        )));
    }
    blocks.push(Block::Heading("Figure 2: time against the number of intersecting triangles".into()));
    blocks.push(Block::Figure(figure(scenes)));
    blocks.push(Block::Table(summary(scenes)));
    blocks.extend(scenes.iter().map(|scene| Block::Data(by_frame(scene))));
    blocks
}

fn figure(scenes: &[SceneMeasurement]) -> Figure {
    let mut data = Table::new("hu16-figure2", "", ["scene", "volume", "pairs that meet", "whole frame (ms)"]);
    let mut panels = Vec::new();
    for scene in scenes {
        let mut series = Vec::new();
        for Run { name, .. } in &scene.runs {
            let points: Vec<_> = by_hits(&scene.whole(name)).into_iter().map(|(n, s)| (n, 1e3 * s)).collect();
            for &(n, ms) in &points {
                data.row([scene.label.into(), (*name).into(), n.into(), ms.into()]);
            }
            series.push(Series { name: (*name).into(), points, mark: Mark::Points });
        }
        panels.push(Panel::Curves {
            title: scene.label.into(),
            x: Axis::linear("pairs of triangles that meet, of a frame"),
            y: Axis::linear("time of a whole frame (ms)"),
            series,
        });
    }
    Figure {
        caption: "Mean time of a whole frame (broad phase and all pairs of bodies) against the pairs of \
            triangles that meet in it: frames in twelve groups of like numbers."
            .into(),
        panels,
        columns: 2,
        data,
    }
}

fn summary(scenes: &[SceneMeasurement]) -> Table {
    let mut table = Table::new(
        "hu16-summary",
        "Mean of a frame",
        [
            "scene",
            "volume",
            "whole frame (ms)",
            "whole / OBB's",
            "broad phase (ms)",
            "pairs only (ms)",
            "pairs / OBB's",
            "Nv",
            "Np",
            "triangle tests",
            "pairs that meet",
            "trees (KiB)",
        ],
    );
    for scene in scenes {
        for Run { name, bytes, frames } in &scene.runs {
            let of = |f: &dyn Fn(&Frame) -> u64| Cell::from(mean(frames.iter().map(|frame| f(frame) as f64)));
            let before: Option<Vec<f64>> = (0..frames.len()).map(|frame| scene.before(name, frame)).collect();
            table.row([
                scene.label.into(),
                (*name).into(),
                (1e3 * seconds(&scene.whole(name))).into(),
                scene.times(name, RAPID).into(),
                before.map(|before| 1e3 * mean(before)).into(),
                (1e3 * seconds(frames)).into(),
                scene.pair_times(name, RAPID).into(),
                of(&|f| f.count.volume_tests),
                of(&|f| f.count.leaf_pairs),
                of(&|f| f.count.triangle_tests),
                of(&|f| f.hits),
                (*bytes as f64 / 1024.0).into(),
            ]);
        }
    }
    table
}

/// Table of whole frames, one row each. With a broad phase it also has the pairs and time of that, and each
/// volume's time of the pairs only.
fn by_frame(scene: &SceneMeasurement) -> Table {
    let mut heads = vec!["frame".to_owned(), "pairs that meet".to_owned()];
    if scene.broad.is_some() {
        heads.extend(["pairs of bodies".to_owned(), "broad phase (ms)".to_owned()]);
    }
    heads.extend(scene.runs.iter().map(|run| format!("{}, whole frame (ms)", run.name)));
    if scene.broad.is_some() {
        heads.extend(scene.runs.iter().map(|run| format!("{}, pairs only (ms)", run.name)));
    }
    let mut table =
        Table::new(format!("{}-frames", scene.file), format!("{}, frame by frame", scene.label), heads);
    let whole: Vec<Vec<Frame>> = scene.runs.iter().map(|run| scene.whole(run.name)).collect();
    let frames = scene.runs.first().map_or(&[][..], |run| &run.frames);
    for (index, frame) in frames.iter().enumerate() {
        let mut cells = vec![Cell::from(index), frame.hits.into()];
        if let Some(broad) = &scene.broad {
            cells.extend([broad.near[index].len().into(), (1e3 * broad.kept[index].seconds).into()]);
        }
        cells.extend(whole.iter().map(|frames| Cell::from(1e3 * frames[index].seconds)));
        if scene.broad.is_some() {
            cells.extend(scene.runs.iter().map(|run| Cell::from(1e3 * run.frames[index].seconds)));
        }
        table.row(cells);
    }
    table
}

fn verdicts(scenes: &[SceneMeasurement]) -> Vec<Verdict> {
    let each =
        |of: &dyn Fn(&SceneMeasurement) -> String| scenes.iter().map(of).collect::<Vec<_>>().join(", ");
    let compared = |name: &str, than: &str| each(&|s| s.compared(name, than));
    let faster = |name: &str, than: &str| Outcome::of(scenes.iter().map(|s| s.times(name, than) < 1.0));
    let grown = || {
        scenes.iter().flat_map(|s| s.runs.iter().map(move |run| (s, run.name, growth(&s.whole(run.name)))))
    };
    let smaller =
        |s: &SceneMeasurement| named(&s.runs, ONE).bytes as f64 / named(&s.runs, RAPID).bytes as f64;
    // Scenes with a broad phase.
    let many = || scenes.iter().filter_map(|s| s.broad.as_ref().map(|broad| (s, broad)));
    let coherent = |broad: &Broad| mean_seconds(&broad.kept) / mean_seconds(&broad.anew);
    vec![
        Verdict {
            claim: "Time grows with the number of intersecting triangles, for every method (Figure \
                2)."
            .into(),
            by: By::Times,
            rule: "the third of the frames with most pairs that meet takes longer in the mean than the third \
                with fewest, whole frames, for each volume in each scene",
            measured: grown()
                .map(|(s, name, times)| format!("{}, {name}: {} times", s.label, rounded(times)))
                .collect::<Vec<_>>()
                .join("; ")
                + ".",
            outcome: Outcome::of(grown().map(|(_, _, times)| times > 1.0)),
            why: "Time also depends on how much lies close without meeting, and without a broad phase most \
                of all on the number of bodies.",
        },
        Verdict {
            claim: "The hybrid tree is faster than RAPID in both scenes (Figure 2).".into(),
            by: By::Times,
            rule: "algorithm II takes less time than OBBs that get the same broad phase, whole frames, in \
                each scene",
            measured: format!("Algorithm II over OBB: {}.", compared(TWO, RAPID)),
            outcome: faster(TWO, RAPID),
            why: "Below its root the hybrid tree is a tree of OBBs, with axes from the convex hull: on \
                evenly triangulated models these are nearly RAPID's. And the leaf's test removes pairs that \
                our narrow phase, which asks the \
                  triangles' own boxes first, removes about as cheaply.",
        },
        Verdict {
            claim: "With two models algorithm I is about as fast as RAPID; with many its advantage grows \
                (section 3)."
                .into(),
            by: By::Times,
            rule: "its time over that of OBBs is within 10 % of 1 for two scans, and for 200 teapots less \
                than for two scans where OBBs are asked about all pairs of bodies, as RAPID is, whole \
                frames",
            measured: format!(
                "Algorithm I over OBB without a broad phase: {}; with the same one: {}.",
                many()
                    .map(|(s, _)| format!("{} {}", s.label, rounded(s.times(ONE, ALL_PAIRS))))
                    .collect::<Vec<_>>()
                    .join(", "),
                compared(ONE, RAPID)
            ),
            outcome: match scenes {
                [two, many] if many.broad.is_some() => {
                    let [two, many] = [two.times(ONE, RAPID), many.times(ONE, ALL_PAIRS)];
                    Outcome::of([(two - 1.0).abs() <= 0.1, many < two])
                }
                _ => Outcome::NotMeasured,
            },
            why: "The advantage with many bodies is the broad phase's; the cube at the root saves a pair \
                that it leaves no more than one test.",
        },
        Verdict {
            claim: "Reusing the leaf's box in the test of triangles makes it faster still (section \
                3)."
            .into(),
            by: By::Times,
            rule: "algorithm II takes less time than algorithm I, whole frames, in each scene",
            measured: format!("Algorithm II over algorithm I: {}.", compared(TWO, ONE)),
            outcome: faster(TWO, ONE),
            why: "The paper saves a transformation of the triangles, which impinge's narrow phase does once \
                a pair, and after a test of boxes that excludes most pairs: little is left to be saved.",
        },
        Verdict {
            claim:
                "Coherence in time saves work: lists that are kept from frame to frame are quickly sorted \
                (sections 2.1 and 3)."
                    .into(),
            by: By::Times,
            rule: "the broad phase itself takes less time with kept lists than with lists made from \
                scratch each frame",
            measured: many()
                .map(|(s, broad)| {
                    format!("Kept over made from scratch: {} {}.", s.label, rounded(coherent(broad)))
                })
                .collect::<Vec<_>>()
                .join(" "),
            outcome: Outcome::of(many().map(|(_, broad)| coherent(broad) < 1.0)),
            why: "How little bodies move from frame to frame decides: a quick run skips eleven frames \
                of twelve.",
        },
        Verdict {
            claim:
                "The hybrid tree takes less memory than RAPID's, for its root has 4 floats in place of 15 \
                (section 2.3)."
                    .into(),
            by: By::Counts,
            rule: "algorithm I's trees take fewer bytes than those of OBBs in each scene",
            measured: format!(
                "Algorithm I over OBB: {} times.",
                each(&|s| format!("{} {}", s.label, rounded(smaller(s))))
            ),
            outcome: Outcome::of(scenes.iter().map(|s| smaller(s) < 1.0)),
            why: "One node in thousands is the root, and impinge's nodes are all of one size.",
        },
    ]
}

/// The mean time of the third of the frames with most pairs that meet, over that of the third with fewest.
fn growth(frames: &[Frame]) -> f64 {
    let mut sorted: Vec<&Frame> = frames.iter().collect();
    sorted.sort_by_key(|f| f.hits);
    let third = sorted.len().div_ceil(3);
    let seconds = |part: &[&Frame]| mean(part.iter().map(|f| f.seconds));
    seconds(&sorted[sorted.len() - third..]) / seconds(&sorted[..third])
}

#[cfg(test)]
mod tests;
