//! Hu and others 2016: hybrid trees, for two bodies and for two hundred.
use crate::{
    Error, Paper, Settings, Watch,
    measure::{Ask, Contender, Frame, crowd, race},
    numbers::mean,
    plot::{Axis, Mark, Panel, Series},
    report::{Block, Chapter, Figure, Outcome, Verdict},
    table::{Cell, Table, rounded},
};
use impinge::{
    BuildOptions, Kind, Mesh, Model, Overlap, Pose, Split,
    broad_phase::{BroadPhase, Extent, SortedLists},
};
use impinge_testkit::scenes::ManyBodies;
use std::{sync::Arc, time::Instant};

const RAPID: &str = "OBB (as RAPID)";
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
        // Not of a paper: with the leaves that suit it.
        Kind::Wide => Contender { name, options: BuildOptions::default(), overlap: Overlap::Auto },
        _ => Contender::new(name, kind, Split::Mean, Overlap::Auto),
    })
}

/// One scene: for each contender its frames.
struct Measured {
    label: &'static str,
    file: &'static str,
    stand_in: Option<String>,
    runs: Vec<(&'static str, Vec<Frame>)>,
    /// Of the teapots: seconds, pairs that go on, and all pairs.
    broad: Option<[f64; 3]>,
}

impl Measured {
    /// # Panics
    /// If nobody has this name: names are this file's own.
    fn frames(&self, name: &str) -> &[Frame] {
        let run = self.runs.iter().find(|run| run.0 == name);
        &run.unwrap_or_else(|| unreachable!("no run of {name}")).1
    }
    fn seconds(&self, name: &str) -> f64 {
        mean(self.frames(name).iter().map(|f| f.seconds))
    }
    fn times(&self, name: &str, than: &str) -> f64 {
        self.seconds(name) / self.seconds(than)
    }
}

pub(crate) fn chapter(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Chapter, Error> {
    let contenders = contenders();
    let scene = settings.scene("buddhas")?;
    let runs = race(&scene, &contenders, Ask::All, watch)?;
    let two = Measured {
        label: "two scans",
        file: "hu16-two",
        stand_in: scene.stand_in,
        runs: runs.into_iter().map(|run| (run.name, run.frames)).collect(),
        broad: None,
    };
    let many = teapots(&settings.many("teapots-200")?, &contenders, watch)?;
    let scenes = [two, many];
    Ok(Chapter {
        paper: Paper::Hu16,
        title: "Hu and others 2016: hybrid trees and data reuse",
        blocks: blocks(&scenes),
        verdicts: verdicts(&scenes),
    })
}

fn teapots(scene: &ManyBodies, contenders: &[Contender], watch: &mut dyn Watch) -> Result<Measured, Error> {
    watch.stage(format!("hu16: {}", scene.name), scene.frames.len() + contenders.len());
    let mesh = &scene.meshes[0];
    let models: Vec<Model> = contenders
        .iter()
        .map(|contender| {
            watch.step();
            Model::new(Arc::clone(mesh), &contender.options)
        })
        .collect();
    let mut runs: Vec<_> = contenders.iter().map(|c| (c.name, Vec::new())).collect();
    let (mut seconds, mut candidates) = (Vec::new(), Vec::new());
    let balls: Vec<_> = scene.meshes.iter().map(|mesh| ball(mesh)).collect();
    let (mut lists, mut near) = (SortedLists::new(), Vec::new());
    let everybody: Vec<u32> = (0..).take(scene.bodies.len()).collect();
    for (index, poses) in scene.frames.iter().enumerate() {
        // Once a frame: the lists are those of the frame before, and not to be asked again.
        let start = Instant::now();
        let cubes: Vec<Extent> =
            scene.bodies.iter().zip(poses).map(|(&mesh, pose)| cube(&balls[mesh], pose)).collect();
        lists.update(&cubes, &everybody, &mut near);
        seconds.push(start.elapsed().as_secs_f64());
        candidates.push(near.len() as f64);
        let pairs: Vec<[Pose; 2]> = near.iter().map(|pair| pair.map(|body| poses[body as usize])).collect();
        let frames = crowd(&scene.name, index, &models, contenders, &pairs)?;
        runs.iter_mut().zip(frames).for_each(|(run, frame)| run.1.push(frame));
        watch.step();
    }
    let all = scene.bodies.len() * (scene.bodies.len() - 1) / 2;
    Ok(Measured {
        label: "200 teapots",
        file: "hu16-many",
        stand_in: None,
        runs,
        broad: Some([mean(seconds), mean(candidates), all as f64]),
    })
}

/// Hu and others' cube around a mesh: the mean of the triangles' corners and the largest distance of one from it (their equation (1); section 2). It holds the mesh however that is turned.
fn ball(mesh: &Mesh) -> ([f64; 3], f64) {
    let corners = || mesh.triangles().as_flattened().iter().map(|&i| mesh.points()[i as usize]);
    let n = (3 * mesh.len()).max(1) as f64;
    let c = [0, 1, 2].map(|k| corners().map(|v| v[k]).sum::<f64>() / n);
    let far = corners().map(|v| (0..3).map(|k| (v[k] - c[k]).powi(2)).sum::<f64>()).fold(0.0, f64::max);
    // Rounded up by far more than anything here rounds.
    (c, far.sqrt() * (1.0 + 1e-9) + 1e-9)
}

fn cube(&(c, r): &([f64; 3], f64), pose: &Pose) -> Extent {
    let c = pose.place(c);
    Extent { lo: c.map(|x| x - r), hi: c.map(|x| x + r) }
}

/// Frames in groups of like numbers of meeting pairs: mean number, mean seconds.
fn by_hits(frames: &[Frame]) -> Vec<(f64, f64)> {
    const GROUPS: usize = 12;
    let mut sorted: Vec<&Frame> = frames.iter().collect();
    sorted.sort_by_key(|f| f.hits);
    sorted
        .chunks(sorted.len().div_ceil(GROUPS).max(1))
        .map(|group| (mean(group.iter().map(|f| f.hits as f64)), mean(group.iter().map(|f| f.seconds))))
        .collect()
}

fn blocks(scenes: &[Measured]) -> Vec<Block> {
    let mut blocks = vec![Block::Text(
        "A hybrid tree has a cubic box at its root and weighted OBBs, fitted to the convex hull, below. *Algorithm I* is that tree; *algorithm II* also reuses the leaf's box in the test of triangles. Both are compared with RAPID, whose part \
         impinge's own OBB tree with RAPID's split has here; between them stands a tree of weighted OBBs alone. Beside these: trees of AABBs as in Bergen97, and impinge's own fast tree. One triangle a leaf (the fast tree: up to eight), all pairs that meet. The paper prints no numbers, only curves of time against the number of intersecting \
         triangles; by that we take pairs of triangles that meet."
            .into(),
    )];
    for scene in scenes {
        if let Some(stand_in) = &scene.stand_in {
            blocks.push(Block::Text(format!("*{}*: {stand_in}.", scene.label)));
        }
        if let Some([seconds, pairs, all]) = scene.broad {
            blocks.push(Block::Text(format!(
                "*{}*: the paper's broad phase, three sorted lists of cubes' ends, kept from frame to frame, takes {} ms a frame, and leaves {} of {} pairs. Times below are those of the pairs alone, the same for all contenders.",
                scene.label,
                rounded(1e3 * seconds),
                rounded(pairs),
                rounded(all)
            )));
        }
    }
    blocks.push(Block::Heading("Figure 2: time against the number of intersecting triangles".into()));
    blocks.push(Block::Figure(figure(scenes)));
    blocks.push(Block::Table(summary(scenes)));
    blocks.extend(scenes.iter().map(|scene| Block::Data(by_frame(scene))));
    blocks
}

fn figure(scenes: &[Measured]) -> Figure {
    let mut data = Table::new("hu16-figure2", "", ["scene", "volume", "pairs that meet", "time (ms)"]);
    let mut panels = Vec::new();
    for scene in scenes {
        let mut series = Vec::new();
        for (name, frames) in &scene.runs {
            let points: Vec<_> = by_hits(frames).into_iter().map(|(n, s)| (n, 1e3 * s)).collect();
            for &(n, ms) in &points {
                data.row([scene.label.into(), (*name).into(), n.into(), ms.into()]);
            }
            series.push(Series { name: (*name).into(), points, mark: Mark::Points });
        }
        panels.push(Panel::Curves {
            title: scene.label.into(),
            x: Axis::linear("pairs of triangles that meet, of a frame"),
            y: Axis::linear("time of a frame (ms)"),
            series,
        });
    }
    Figure {
        caption: "Mean time of a frame against the pairs of triangles that meet in it: frames in twelve groups of like numbers.".into(),
        panels,
        columns: 2,
        data,
    }
}

fn summary(scenes: &[Measured]) -> Table {
    let mut table = Table::new(
        "hu16-summary",
        "Mean of a frame",
        ["scene", "volume", "time (ms)", "time / OBB's", "Nv", "Np", "triangle tests", "pairs that meet"],
    );
    for scene in scenes {
        for (name, _) in VOLUMES {
            let frames = scene.frames(name);
            let of = |f: &dyn Fn(&Frame) -> u64| Cell::from(mean(frames.iter().map(|frame| f(frame) as f64)));
            table.row([
                scene.label.into(),
                name.into(),
                (1e3 * scene.seconds(name)).into(),
                scene.times(name, RAPID).into(),
                of(&|f| f.count.volume_tests),
                of(&|f| f.count.leaf_pairs),
                of(&|f| f.count.triangle_tests),
                of(&|f| f.hits),
            ]);
        }
    }
    table
}

fn by_frame(scene: &Measured) -> Table {
    let heads = scene.runs.iter().map(|(name, _)| format!("{name} (ms)"));
    let mut table = Table::new(
        format!("{}-frames", scene.file),
        format!("{}, frame by frame", scene.label),
        ["frame".to_owned(), "pairs that meet".to_owned()].into_iter().chain(heads),
    );
    let frames = scene.runs.first().map_or(&[][..], |run| &run.1);
    for (index, frame) in frames.iter().enumerate() {
        let cells = scene.runs.iter().map(|(_, frames)| Cell::from(1e3 * frames[index].seconds));
        table.row([Cell::from(index), frame.hits.into()].into_iter().chain(cells));
    }
    table
}

fn verdicts(scenes: &[Measured]) -> Vec<Verdict> {
    let times = |name: &str, than: &str| {
        let words = scenes.iter().map(|s| format!("{} {}", s.label, rounded(s.times(name, than))));
        words.collect::<Vec<_>>().join(", ")
    };
    let faster = |name: &str, than: &str| Outcome::of(scenes.iter().map(|s| s.times(name, than) < 1.0));
    let advantage: Vec<f64> = scenes.iter().map(|s| s.times(ONE, RAPID)).collect();
    vec![
        Verdict {
            claim: "Time grows with the number of intersecting triangles, for every method (Figure 2).".into(),
            rule: "the third of the frames with most pairs that meet takes longer in the mean than the third with fewest, for each volume in each scene",
            measured: scenes
                .iter()
                .flat_map(|s| s.runs.iter().map(move |run| (s, run)))
                .map(|(s, (name, frames))| format!("{}, {name}: {} times", s.label, rounded(growth(frames))))
                .collect::<Vec<_>>()
                .join("; ")
                + ".",
            outcome: Outcome::of(scenes.iter().flat_map(|s| &s.runs).map(|(_, frames)| growth(frames) > 1.0)),
            why: "Time also depends on how much lies close without meeting.",
        },
        Verdict {
            claim: "The hybrid tree is faster than RAPID in both scenes (Figure 2).".into(),
            rule: "algorithm II takes less time than OBBs in each",
            measured: format!("Algorithm II over OBB: {}.", times(TWO, RAPID)),
            outcome: faster(TWO, RAPID),
            why: "Below its root the hybrid tree is a tree of OBBs, with axes from the convex hull: on evenly triangulated models these are nearly RAPID's. And the leaf's test removes pairs that our narrow phase, which asks the \
                  triangles' own boxes first, removes about as cheaply.",
        },
        Verdict {
            claim: "With two models algorithm I is about as fast as RAPID; with many its advantage grows (section 3).".into(),
            rule: "its time over that of OBBs is within 10 % of 1 for two scans, and less for 200 teapots",
            measured: format!("Algorithm I over OBB: {}.", times(ONE, RAPID)),
            outcome: match advantage[..] {
                [two, many] => Outcome::of([(two - 1.0).abs() <= 0.1, many < two]),
                _ => Outcome::NotMeasured,
            },
            why: "Here all volumes get the pairs that one broad phase of cubes leaves, so the cube at the root saves a pair of teapots no more than one test.",
        },
        Verdict {
            claim: "Reusing the leaf's box in the test of triangles makes it faster still (section 3).".into(),
            rule: "algorithm II takes less time than algorithm I in each scene",
            measured: format!("Algorithm II over algorithm I: {}.", times(TWO, ONE)),
            outcome: faster(TWO, ONE),
            why: "The paper saves a transformation of the triangles, which impinge's narrow phase does once a pair, and after a test of boxes that excludes most pairs: little is left to be saved.",
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
mod tests {
    use super::*;

    #[test]
    fn two_hundred_bodies_give_a_curve() {
        let mut settings = Settings::new(None, true);
        settings.most_frames = 3;
        let contenders = contenders();
        let many = teapots(&settings.many("teapots-200").unwrap(), &contenders, &mut ()).unwrap();
        let [_, pairs, all] = many.broad.unwrap();
        assert_eq!(all, 19_900.0);
        assert!((10.0..3000.0).contains(&pairs), "{pairs}");
        let frames = many.frames(RAPID);
        assert!(frames.len() == 3 && frames.iter().all(|f| f.hits > 0 && f.seconds > 0.0));
        let curve = by_hits(frames);
        assert!(curve.windows(2).all(|two| two[0].0 <= two[1].0) && curve.len() == 3, "{curve:?}");
        let table = summary(&[many]).markdown();
        assert!(
            VOLUMES.iter().all(|(name, _)| table.contains(&format!("| 200 teapots | {name} |"))),
            "{table}"
        );
    }

    #[test]
    fn growth_compares_thirds() {
        let frame = |hits, seconds| Frame { hits, seconds, ..Frame::default() };
        let frames =
            [frame(9, 4.0), frame(0, 1.0), frame(5, 2.0), frame(1, 1.0), frame(8, 8.0), frame(4, 2.0)];
        assert_eq!(growth(&frames), 6.0);
    }
}
