//! Hu and others 2016: each idea of the hybrid tree alone, at full size.
use super::work::{Work, all_pairs};
use crate::{
    Error, Settings, Watch,
    hu16::broad::near,
    measure::built,
    report::{Block, By, Outcome, Section, Verdict},
    table::{Table, rounded},
};
use impinge::{Model, Pose};
use impinge_volumes::{Fit, Kind, Options, Split};

const NONE: &str = "none (RAPID's boxes)";
const CUBE: &str = "cubic root alone";
const HULL: &str = "weighted boxes alone";
const REUSE: &str = "data reuse alone";
const ALL: &str = "all three";
const FAST: &str = "for comparison: fast tree";

/// Ideas, and the options of the tree with each: one triangle a leaf and RAPID's split, as in the paper.
fn contenders() -> [(&'static str, Options); 6] {
    let of = |kind, fit| Options::new(kind).fit(fit).split(Split::Mean).leaf_size(1);
    [
        (NONE, of(Kind::Obb, Fit::Auto)),
        (CUBE, of(Kind::HybridPlain, Fit::Triangles)),
        (HULL, of(Kind::ObbHull, Fit::Auto)),
        (REUSE, of(Kind::Hybrid, Fit::Rapid)),
        (ALL, of(Kind::Hybrid, Fit::Auto)),
        (FAST, Options::new(Kind::Wide)),
    ]
}

/// One scene: the sum over its frames, for each contender.
struct SceneWork {
    label: &'static str,
    about: String,
    frames: usize,
    work: Vec<(&'static str, Work)>,
}

impl SceneWork {
    fn of(&self, name: &str) -> &Work {
        let found = self.work.iter().find(|(contender, _)| *contender == name);
        &found.unwrap_or_else(|| unreachable!("no contender {name}")).1
    }
    /// Volume tests as a multiple of those without any idea.
    fn times(&self, name: &str) -> f64 {
        self.of(name).over(self.of(NONE))
    }
}

pub(super) fn section(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    let scenes = [two(settings, watch)?, many(settings, watch)?];
    let mut blocks = vec![
        Block::Heading("Hu and others 2016: which of the ideas helps".into()),
        Block::Text(
            "The paper's tree has a cubic root, oriented boxes weighted by the area of the convex hull's \
                triangles, and a leaf test that reuses the boxes' transform. It measures all of them \
             together. Here each is switched on alone in a tree of RAPID's boxes. All pairs that meet; one \
             triangle a leaf. A row without data reuse hands all pairs of leaves to the narrow phase: Np and \
             the boxes of the triangles decide which of them become triangle tests."
                .into(),
        ),
    ];
    blocks.extend(scenes.iter().map(|scene| Block::Text(format!("*{}*: {}", scene.label, scene.about))));
    blocks.push(Block::Table(table(&scenes)));
    Ok(Section::new(blocks, verdicts(&scenes)))
}

/// The paper's two Buddhas have 180,845 triangles each. The dragon is the scan nearest to that.
fn two(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<SceneWork, Error> {
    let scans = settings.scene("hands")?;
    let frames = settings.scene("buddhas")?.frames;
    let [a, b] = scans.meshes;
    let model =
        match scans.stand_in.as_deref().and_then(|text| text.split("; ").find(|t| t.contains("missing"))) {
            Some(missing) => missing.to_owned(),
            None => "the Stanford dragon (m_stanford_dragon_res2.ply)".to_owned(),
        };
    let about = format!(
        "the trajectory of the scene `buddhas`; in place of the paper's Buddhas of 180,845 triangles {model}, \
            {} triangles each.",
        rounded(a.len() as f64)
    );
    watch.stage("open-questions: hu16, two scans".into(), contenders().len());
    let mut work = Vec::new();
    for (name, options) in contenders() {
        let [a, b] = [&a, &b].map(|mesh| built(mesh, &options));
        work.push((name, all_pairs([&a, &b], &frames)));
        watch.step();
    }
    agreed(SceneWork { label: "two scans", about, frames: frames.len(), work })
}

fn many(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<SceneWork, Error> {
    let scene = settings.many("teapots-200")?;
    let near = near(&scene);
    let pairs: Vec<[Pose; 2]> = near
        .iter()
        .zip(&scene.frames)
        .flat_map(|(pairs, poses)| pairs.iter().map(|pair| pair.map(|body| poses[body as usize])))
        .collect();
    let (bodies, frames) = (scene.bodies.len(), scene.frames.len());
    let about = format!(
        "200 generated teapots of {} triangles, the paper's number. Each frame is the paper's broad phase, \
            whose sorted lists are kept from frame to frame, and the pairs of bodies that it leaves: {} of \
         {}.",
        scene.meshes[0].len(),
        rounded(pairs.len() as f64 / frames.max(1) as f64),
        bodies * (bodies - 1) / 2
    );
    watch.stage("open-questions: hu16, 200 teapots".into(), contenders().len());
    let mut work = Vec::new();
    for (name, options) in contenders() {
        let model: Model = built(&scene.meshes[0], &options);
        work.push((name, all_pairs([&model, &model], &pairs)));
        watch.step();
    }
    agreed(SceneWork { label: "200 teapots", about, frames, work })
}

/// Returns the scene if all contenders find the same number of pairs, and an error otherwise.
fn agreed(scene: SceneWork) -> Result<SceneWork, Error> {
    for (name, work) in &scene.work {
        work.same_pairs(scene.of(NONE), || format!("scene {}, {name} and {NONE}", scene.label))?;
    }
    Ok(scene)
}

fn table(scenes: &[SceneWork]) -> Table {
    let mut table = Table::new(
        "open-hu16-ideas",
        "Each idea alone: mean of a frame",
        ["scene", "frames", "ideas", "Nv", "Nv / none", "Nu", "Np", "triangle tests", "pairs that meet"],
    );
    for scene in scenes {
        for (name, work) in &scene.work {
            let mean = |n: u64| n as f64 / scene.frames.max(1) as f64;
            table.row([
                scene.label.into(),
                scene.frames.into(),
                (*name).into(),
                mean(work.count.volume_tests).into(),
                scene.times(name).into(),
                mean(work.count.volume_updates).into(),
                mean(work.count.leaf_pairs).into(),
                mean(work.count.triangle_tests).into(),
                mean(work.hits).into(),
            ]);
        }
    }
    table
}

fn verdicts(scenes: &[SceneWork]) -> Vec<Verdict> {
    let each = |name: &str| {
        scenes
            .iter()
            .map(|s| format!("{} {}", s.label, rounded(s.times(name))))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let left = |s: &SceneWork| {
        let work = s.of(REUSE);
        work.count.triangle_tests as f64 / work.hits.max(1) as f64
    };
    vec![
        Verdict {
            claim: "A cubic root, which is cheaper to test, saves work (Hu and others 2016, section 2.3)."
                .into(),
            by: By::Counts,
            rule: "with it alone Nv is below that of RAPID's boxes in each scene",
            measured: format!("Nv over that of RAPID's boxes: {}.", each(CUBE)),
            outcome: Outcome::of(scenes.iter().map(|s| s.times(CUBE) < 1.0)),
            why: "The box below the cube is tested, too: a pair of bodies costs up to two more tests, and is \
                  separated by the cubes where the broad phase's, which are the same cubes, have already \
                  done so.",
        },
        Verdict {
            claim: "Weighted boxes fit more tightly, and separate earlier (section 2.3).".into(),
            by: By::Counts,
            rule: "with them alone Nv is at least 5 % below that of RAPID's boxes in each scene",
            measured: format!("Nv over that of RAPID's boxes: {}.", each(HULL)),
            outcome: Outcome::of(scenes.iter().map(|s| s.times(HULL) <= 0.95)),
            why: "RAPID's covariance is weighted by area as well. The hull's differs only where many \
                  triangles are folded inside a node.",
        },
        Verdict {
            claim: "Data reuse leaves fewer triangle tests (section 2.4).".into(),
            by: By::Counts,
            rule: "with it alone there are at most 1.05 triangle tests a pair that meets, in each scene",
            measured: format!(
                "Triangle tests a pair that meets: {}.",
                scenes
                    .iter()
                    .map(|s| format!("{} {}", s.label, rounded(left(s))))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            outcome: Outcome::of(scenes.iter().map(|s| left(s) <= 1.05)),
            why: "The leaf test is skipped where its error bounds prove nothing.",
        },
    ]
}

#[cfg(test)]
mod tests;
