//! Section 4: refitted trees against rebuilt ones.
use crate::{
    Error, Watch,
    measure::{self, Contender, Frame},
    numbers::mean,
    rounds::{ROUNDS, Rounds, Timed},
};
use impinge::{Mesh, model::Rebuild};
use impinge_testkit::scenes::Scene;
use std::sync::Arc;

/// Placements at which refitted trees are compared with rebuilt ones.
pub(super) const DEFORMED: usize = 500;

/// Costs of AABB trees after a deformation: refitted trees, and rebuilt ones.
#[derive(Clone)]
pub(super) struct Deformation {
    pub(super) name: &'static str,
    pub(super) decay: f64,
    /// Time of one refit, and of one rebuild.
    pub(super) update: [Timed; 2],
    /// Mean time of a query.
    pub(super) seconds: [Timed; 2],
    pub(super) tests: [f64; 2],
}

impl Rounds for Deformation {
    fn keep(&mut self, round: usize) {
        self.update.keep(round);
        self.seconds.keep(round);
    }
}

/// One model, deformed.
#[derive(Clone)]
pub(super) struct Bent {
    pub(super) label: &'static str,
    pub(super) deformed: Vec<Deformation>,
}

impl Rounds for Bent {
    fn keep(&mut self, round: usize) {
        self.deformed.keep(round);
    }
}

/// Maps a point to its new position, given the vertex number.
pub(crate) type Deform = fn([f64; 3], usize) -> [f64; 3];

/// The paper's deformations, of a mesh about the origin that reaches some 1 from it.
pub(crate) const DEFORMATIONS: [(&str, Deform); 3] = [
    ("twist by a full turn", |v, _| {
        let (s, c) = (std::f64::consts::PI * v[2]).sin_cos();
        [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]]
    }),
    ("blow-up: every vertex leaves by its own distance", |v, n| {
        // Neighbours move apart: the fractional part of n times the golden ratio is as good as random.
        let far = 1.0 + 0.5 * (n as f64 * 0.618_033_988_749_895).fract();
        v.map(|x| far * x)
    }),
    ("self-crossing: folded over its middle", |v, _| {
        let bend = 1.5 * v[0];
        [bend.sin() * (0.7 - v[2]), v[1], 0.7 - bend.cos() * (0.7 - v[2])]
    }),
];

/// Time of a refit of a tree whose points stay.
pub(super) fn refit(mesh: &Arc<Mesh>, contender: &Contender) -> Timed {
    let mut model = measure::built(mesh, &contender.options);
    let points = mesh.points().to_vec();
    // A refit refuses only points that are not finite, and a mesh has none.
    measure::time(|| drop(model.refit(&points)))
}

/// Queries after each deformation.
pub(super) fn deformations(
    scene: &Scene,
    contender: &Contender,
    watch: &mut dyn Watch,
) -> Result<Vec<Deformation>, Error> {
    let [rest, moving] = &scene.meshes;
    let size = rest.points().iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    watch.stage(format!("bergen97: {}, deformed", scene.name), DEFORMATIONS.len());
    let mut all = Vec::new();
    for (name, deform) in DEFORMATIONS {
        let bent = |mesh: &Mesh| -> Vec<[f64; 3]> {
            let at = |(n, v): (usize, &[f64; 3])| deform(v.map(|x| x / size), n).map(|x| x * size);
            mesh.points().iter().enumerate().map(at).collect()
        };
        let built = |mesh: &Arc<Mesh>| measure::built(mesh, &contender.options);
        let (mut refitted, mut rebuilt) = ([built(rest), built(moving)], [built(rest), built(moving)]);
        for (a, b) in refitted.iter_mut().zip(&mut rebuilt) {
            let points = bent(a.mesh());
            a.deform(&points, Rebuild::Never).map_err(|e| Error::Disagreement(e.to_string()))?;
            b.deform(&points, Rebuild::Always).map_err(|e| Error::Disagreement(e.to_string()))?;
        }
        let points = bent(rest);
        let update =
            [measure::time(|| drop(refitted[0].refit(&points))), measure::time(|| rebuilt[0].rebuild())];
        let frames = &scene.frames[..scene.frames.len().min(DEFORMED)];
        let [x, y] = measure::compare(&scene.name, [&refitted, &rebuilt], frames)?;
        all.push(Deformation {
            name,
            decay: refitted[0].decay(),
            update,
            seconds: [&x, &y].map(|frames| mean_time(frames)),
            tests: [&x, &y].map(|f| mean(f.iter().map(|f| f.count.volume_tests as f64))),
        });
        watch.step();
    }
    Ok(all)
}

/// The mean of the least times, and that of each round.
fn mean_time(frames: &[Frame]) -> Timed {
    let round = |k: usize| mean(frames.iter().map(|frame| frame.rounds[k]));
    let rounds: [f64; ROUNDS] = std::array::from_fn(round);
    Timed { seconds: mean(frames.iter().map(|frame| frame.seconds)), rounds }
}

impl Deformation {
    pub(super) fn slower(&self) -> f64 {
        self.seconds[0].seconds / self.seconds[1].seconds
    }
    pub(super) fn more_tests(&self) -> f64 {
        self.tests[0] / self.tests[1]
    }
    /// Seconds of a frame in which both copies deform and run one query.
    pub(super) fn frame(&self, k: usize) -> f64 {
        2.0 * self.update[k].seconds + self.seconds[k].seconds
    }
}
