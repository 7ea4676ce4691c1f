//! Counts and times of all experiments.
use crate::{
    Error, Watch,
    clock::Stopwatch,
    rounds::{ROUNDS, Rounds, Timed},
};
use impinge::{
    Body, Mesh, Model, Pose, Query,
    query::{Count, Counters},
};
use impinge_testkit::scenes::Scene;
use impinge_volumes::{Kind, Options, Overlap, Split, set_overlap};
use std::{iter, sync::Arc};

/// Description of the method, for the report.
pub(crate) const METHOD: &str = "Queries run on one thread, and a time is that thread's processor time: it \
    excludes waiting while others use the processor. Every frame is queried once for its counts, which also \
    warms caches and memory. Then 3 rounds go through all frames, and in each round all contenders query a \
    frame before the next frame, without counters, up to 3 times while they take less than 1 ms in all; \
    queries of less than 50 us run several times between two readings of the clock. The least time counts, \
    since other work on the machine only adds to it, and a slow moment that spoils a frame in one round \
    seldom spoils it in all. A contender that keeps data from frame to frame, as a broad phase does, goes \
    through all frames 3 times a round, each time from the start, and the least time of each frame counts. \
    Builds and refits are done up to 8 times a round, until they have taken 7 ms. A time of a scene is the \
    mean over its frames. All compared contenders must give the same result in every frame, or the run \
    stops with an error.\n\n\
    So the 3 rounds are 3 measurements. Verdicts on times are by the least times of all rounds, and are \
    computed again from those of each round alone. In the column *measured* a number is followed by the \
    range of these values, if they differ. A claim whose outcome is not the same for all of them *varies \
    between measurements*.\n\n\
    Other work still slows a query by its use of shared caches, and of a core that runs two threads at a \
    time. So the load is sampled all the time: the number of threads of the whole machine that could run, \
    in the mean, the one that measures among them. If it was above the bound that each part states, claims \
    about times are *not judged*; claims about counts and bytes always are.";

/// A tree and a test to be compared with others.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    pub(crate) options: Options,
}

impl Contender {
    /// A contender with one triangle a leaf, as in all the papers.
    pub(crate) fn new(name: &'static str, kind: Kind, split: Split, overlap: Overlap) -> Self {
        Self { name, options: Options::new(kind).split(split).overlap(overlap).leaf_size(1) }
    }
}

/// The query of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    First,
    All,
}

/// Cost of one query.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) count: Count,
    /// Pairs that meet; at most 1 if only the first was requested.
    pub(crate) hits: u64,
    /// The least time of all rounds.
    pub(crate) seconds: f64,
    pub(crate) rounds: [f64; ROUNDS],
}

impl Rounds for Frame {
    fn keep(&mut self, round: usize) {
        self.seconds = self.rounds[round];
    }
}

/// One contender in one scene.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) name: &'static str,
    /// Bytes of both trees.
    pub(crate) bytes: usize,
    pub(crate) frames: Vec<Frame>,
}

impl Rounds for Run {
    fn keep(&mut self, round: usize) {
        self.frames.keep(round);
    }
}

impl Run {
    pub(crate) fn mean(&self, of: impl Fn(&Frame) -> f64) -> f64 {
        crate::numbers::mean(self.frames.iter().map(of))
    }
    pub(crate) fn seconds(&self) -> f64 {
        self.mean(|f| f.seconds)
    }
    /// Nv, mean of a frame.
    pub(crate) fn volume_tests(&self) -> f64 {
        self.mean(|f| f.count.volume_tests as f64)
    }
    /// Np as the papers count it, mean of a frame.
    pub(crate) fn leaf_pairs(&self) -> f64 {
        self.mean(|f| f.count.leaf_pairs as f64)
    }
}

/// The run of that name.
///
/// # Panics
/// Panics if there is none: names are this crate's own.
pub(crate) fn named<'a>(runs: &'a [Run], name: &str) -> &'a Run {
    runs.iter().find(|run| run.name == name).unwrap_or_else(|| unreachable!("no run of {name}"))
}

/// A query, and its memory.
struct Asker {
    ask: Ask,
    /// A query that does not count, as counting takes time.
    timed: Query,
    /// A query that counts and is not timed.
    counting: Query,
}

impl Asker {
    fn new(ask: Ask) -> Self {
        Self { ask, timed: Query::new(), counting: Query::new().counting(true) }
    }
    /// Counts of one frame, not timed yet.
    fn count<'a>(&mut self, asked: impl IntoIterator<Item = [Body<'a>; 2]>) -> Frame {
        self.counting.reset_counters();
        let hits = asked.into_iter().map(|bodies| self.ask.put(&bodies, &mut self.counting)).sum();
        let count = self.counters().count;
        Frame { count, hits, seconds: f64::INFINITY, rounds: [f64::INFINITY; ROUNDS] }
    }
    /// Counters of the last counting query.
    fn counters(&self) -> Counters {
        self.counting.counters().unwrap_or_else(|| unreachable!("this query counts"))
    }
    /// Adds one round's time to a frame.
    fn time<'a>(
        &mut self,
        asked: impl Iterator<Item = [Body<'a>; 2]> + Clone,
        round: usize,
        frame: &mut Frame,
    ) {
        let seconds = least([1, 3], 1e-3, || {
            for bodies in asked.clone() {
                std::hint::black_box(self.ask.put(&bodies, &mut self.timed));
            }
        });
        frame.rounds[round] = seconds;
        frame.seconds = frame.seconds.min(seconds);
    }
}

impl Ask {
    /// Number of pairs that the query finds.
    fn put(self, [a, b]: &[Body<'_>; 2], query: &mut Query) -> u64 {
        match self {
            Self::First => u64::from(query.first_contact(a, b).is_some()),
            Self::All => query.pairs(a, b).len() as u64,
        }
    }
}

/// Time of the work, all rounds at once. A round's time is the least of 1 to 8 repetitions.
pub(crate) fn time(mut work: impl FnMut()) -> Timed {
    Timed::new([(); ROUNDS].map(|()| least([1, 8], 7e-3, &mut work)))
}

/// Least time of `least` to `most` repetitions. After `least` it stops once they have taken `enough` seconds
/// in all.
fn least([least, most]: [usize; 2], enough: f64, mut work: impl FnMut()) -> f64 {
    // Reading the clock takes up to a microsecond.
    const LONG: f64 = 50e-6;
    let mut seconds = |times: usize| {
        let watch = Stopwatch::start();
        iter::repeat_with(&mut work).take(times).for_each(drop);
        watch.seconds()
    };
    let first = seconds(1);
    let batch = if first < LONG { (LONG / first.max(1e-7)).ceil() as usize } else { 1 };
    let (mut sum, mut best) = (first, if batch == 1 { first } else { f64::INFINITY });
    for n in usize::from(batch == 1).. {
        if n >= most || (n >= least && sum >= enough) {
            break;
        }
        let all = seconds(batch);
        sum += all;
        best = best.min(all / batch as f64);
    }
    best
}

/// Times of frames that depend on the frame before. Whole runs are repeated, since a repeated frame would
/// find its own work done. `begin` starts a run.
pub(crate) fn walk<S>(
    frames: usize,
    mut begin: impl FnMut() -> S,
    mut work: impl FnMut(&mut S, usize),
) -> Vec<Timed> {
    const RUNS: usize = 3;
    let mut least = vec![[f64::INFINITY; ROUNDS]; frames];
    for run in 0..RUNS * ROUNDS {
        let mut state = begin();
        for (frame, least) in least.iter_mut().enumerate() {
            let watch = Stopwatch::start();
            work(&mut state, frame);
            let least = &mut least[run / RUNS];
            *least = least.min(watch.seconds());
        }
    }
    least.into_iter().map(Timed::new).collect()
}

/// Builds a model with the tree of these options.
///
/// # Panics
/// Panics if there is no such tree: options are this crate's own.
pub(crate) fn built(mesh: &Arc<Mesh>, options: &Options) -> Model {
    options.build(Arc::clone(mesh)).unwrap_or_else(|error| unreachable!("{options:?}: {error}"))
}

/// Builds each tree once for all contenders that differ only in the overlap test.
pub(crate) struct Models {
    built: Vec<(Options, [Model; 2])>,
}

/// Parameters that determine a tree.
fn tree(contender: &Contender) -> Options {
    contender.options.overlap(Overlap::Auto)
}

impl Models {
    /// Builds the trees with a thread per mesh: these builds are not timed.
    pub(crate) fn new([a, b]: &[Arc<Mesh>; 2], contenders: &[Contender], watch: &mut dyn Watch) -> Self {
        let mut all: Vec<(Options, [Model; 2])> = Vec::new();
        for options in contenders.iter().map(tree) {
            if all.iter().all(|(known, _)| *known != options) {
                let models = std::thread::scope(|scope| {
                    let other = scope.spawn(|| built(b, &options));
                    let one = built(a, &options);
                    [one, other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))]
                });
                all.push((options, models));
            }
            watch.step();
        }
        Self { built: all }
    }
    /// The models of a contender, with its overlap test.
    fn of(&mut self, contender: &Contender) -> &[Model; 2] {
        let found = self.built.iter_mut().find(|(options, _)| *options == tree(contender));
        let models = &mut found.unwrap_or_else(|| unreachable!("{} was not built", contender.name)).1;
        for model in &mut *models {
            let overlap = contender.options.overlap;
            set_overlap(model, overlap).unwrap_or_else(|error| unreachable!("{}: {error}", contender.name));
        }
        models
    }
}

/// Runs every contender in every frame.
pub(crate) fn race(
    scene: &Scene,
    contenders: &[Contender],
    ask: Ask,
    watch: &mut dyn Watch,
) -> Result<Vec<Run>, Error> {
    let steps = (1 + ROUNDS) * scene.frames.len() + contenders.len();
    watch.stage(format!("{}: {}", scene.family.name(), scene.name), steps);
    let mut models = Models::new(&scene.meshes, contenders, watch);
    let mut asker = Asker::new(ask);
    let mut runs: Vec<Run> = contenders
        .iter()
        .map(|c| {
            let bytes = models.of(c).iter().map(|m| m.stats().bytes).sum();
            Run { name: c.name, bytes, frames: Vec::with_capacity(scene.frames.len()) }
        })
        .collect();
    for (index, poses) in scene.frames.iter().enumerate() {
        for (contender, run) in contenders.iter().zip(&mut runs) {
            let bodies = bodies(models.of(contender), poses);
            run.frames.push(asker.count([bodies]));
        }
        for run in &runs[1..] {
            let (one, other) = (runs[0].frames[index].hits, run.frames[index].hits);
            if one != other {
                return Err(Error::Disagreement(format!(
                    "scene {}, frame {index}: {} finds {one} pairs, {} finds {other}",
                    scene.name, runs[0].name, run.name
                )));
            }
        }
        watch.step();
    }
    for round in 0..ROUNDS {
        for (index, poses) in scene.frames.iter().enumerate() {
            for (contender, run) in contenders.iter().zip(&mut runs) {
                let bodies = bodies(models.of(contender), poses);
                asker.time(iter::once(bodies), round, &mut run.frames[index]);
            }
            watch.step();
        }
    }
    Ok(runs)
}

/// Compares two pairs of models of the same shapes in the same frames, by first contacts.
pub(crate) fn compare(
    name: &str,
    models: [&[Model; 2]; 2],
    frames: &[[Pose; 2]],
) -> Result<[Vec<Frame>; 2], Error> {
    let (mut asker, mut all) = (Asker::new(Ask::First), [Vec::new(), Vec::new()]);
    for (index, poses) in frames.iter().enumerate() {
        let [one, other] = models.map(|models| asker.count([bodies(models, poses)]));
        if one.hits != other.hits {
            return Err(Error::Disagreement(format!(
                "scene {name}, deformed, frame {index}: {} and {}",
                one.hits, other.hits
            )));
        }
        all[0].push(one);
        all[1].push(other);
    }
    for round in 0..ROUNDS {
        for (index, poses) in frames.iter().enumerate() {
            for (models, frames) in models.iter().zip(&mut all) {
                asker.time(iter::once(bodies(models, poses)), round, &mut frames[index]);
            }
        }
    }
    Ok(all)
}

fn bodies<'a>(models: &'a [Model; 2], poses: &[Pose; 2]) -> [Body<'a>; 2] {
    [0, 1].map(|i| Body::new(&models[i], poses[i]))
}

/// Counts of one frame of many bodies that share a mesh, for each contender. The frame is a query of the mesh
/// with itself at each pair of poses. [`crowd_again`] adds times.
pub(crate) fn crowd(
    name: &str,
    frame: usize,
    models: &[Model],
    contenders: &[Contender],
    pairs: &[[Pose; 2]],
) -> Result<Vec<Frame>, Error> {
    let mut asker = Asker::new(Ask::All);
    let mut sums: Vec<Frame> = Vec::new();
    for (contender, model) in contenders.iter().zip(models) {
        let sum = asker.count(with_itself(model, pairs));
        if let Some(first) = sums.first()
            && first.hits != sum.hits
        {
            return Err(Error::Disagreement(format!(
                "scene {name}, frame {frame}: {} finds {} pairs, {} finds {}",
                contenders[0].name, first.hits, contender.name, sum.hits
            )));
        }
        sums.push(sum);
    }
    Ok(sums)
}

fn with_itself<'a>(model: &'a Model, pairs: &[[Pose; 2]]) -> impl Iterator<Item = [Body<'a>; 2]> + Clone {
    pairs.iter().map(move |poses| poses.map(|pose| Body::new(model, pose)))
}

/// Adds the times of one round to frames of [`crowd`].
pub(crate) fn crowd_again(models: &[Model], pairs: &[[Pose; 2]], round: usize, frames: &mut [Frame]) {
    let mut asker = Asker::new(Ask::All);
    for (model, frame) in models.iter().zip(frames) {
        asker.time(with_itself(model, pairs), round, frame);
    }
}

/// Counters of all frames together: the tests that separate volumes, and the number of tests.
pub(crate) fn separations(scene: &Scene, contender: &Contender, ask: Ask, watch: &mut dyn Watch) -> Counters {
    watch.stage(
        format!("{}: {}, exits of {}", scene.family.name(), scene.name, contender.name),
        1 + scene.frames.len(),
    );
    let mut models = Models::new(&scene.meshes, std::slice::from_ref(contender), watch);
    let (mut asker, models) = (Asker::new(ask), models.of(contender));
    asker.count(scene.frames.iter().map(|poses| {
        watch.step();
        bodies(models, poses)
    }));
    asker.counters()
}

/// Time to build one tree.
pub(crate) fn build(mesh: &Arc<Mesh>, options: &Options) -> Timed {
    time(|| {
        std::hint::black_box(built(mesh, options));
    })
}

#[cfg(test)]
mod tests;
