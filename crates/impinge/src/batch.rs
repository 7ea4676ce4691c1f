//! Many queries at a time: results in the order of the questions, whatever threads there are.
use crate::{Body, Model, Pose, Query, Scratch, pool};
use std::sync::{Mutex, PoisonError};

/// Memory for queries that threads share: a [`Scratch`] for each, and the pairs that it has found. Keep it from one batch to the next.
#[derive(Debug, Default)]
pub struct Scratches {
    shares: Vec<Share>,
    /// What a divided walk has left to its parts.
    pub(crate) blocks: Vec<crate::wide::Block>,
}

/// What one thread keeps; on cache lines of its own, for stacks' lengths change all the time.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Share {
    pub(crate) scratch: Scratch,
    pub(crate) pairs: Vec<[u32; 2]>,
}

impl Scratches {
    /// Empty; allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// That of a query which is not shared out.
    pub(crate) fn first(&mut self) -> &mut Share {
        &mut self.shares(1)[0]
    }

    /// As many as threads could use for so many tasks: at least one.
    pub(crate) fn shares(&mut self, tasks: usize) -> &mut [Share] {
        let count = pool::threads().min(tasks).max(1);
        if self.shares.len() < count {
            self.shares.resize_with(count, Share::default);
        }
        &mut self.shares[..count]
    }
}

/// Where a list begins in a share's pairs, and how long it is.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    share: usize,
    start: usize,
    count: usize,
}

/// The intersecting pairs of many queries: one sorted list behind the other, in one piece of memory.
#[derive(Clone, Debug)]
pub struct PairLists {
    pairs: Vec<[u32; 2]>,
    starts: Vec<usize>,
    runs: Vec<Run>,
}

impl Default for PairLists {
    fn default() -> Self {
        Self { pairs: Vec::new(), starts: vec![0], runs: Vec::new() }
    }
}

impl PairLists {
    /// No lists.
    pub fn new() -> Self {
        Self::default()
    }
    /// How many lists there are: one for each question, the empty ones included.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }
    /// Whether there is no list at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The answer to question `i`.
    pub fn get(&self, i: usize) -> Option<&[[u32; 2]]> {
        let (start, end) = (*self.starts.get(i)?, *self.starts.get(i + 1)?);
        self.pairs.get(start..end)
    }
    /// All answers, in the order of the questions.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[[u32; 2]]> {
        self.starts.windows(2).map(|ends| &self.pairs[ends[0]..ends[1]])
    }
    /// The pairs of all lists, one list behind the other.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }
    /// Where each list begins in [`PairLists::pairs`], and at last where the last one ends.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }
}

/// Batches. With the feature `rayon` the threads of the pool in which they are called share the work (`ThreadPool::install`; outside of any, rayon's global pool); without it,
/// one does it all, with the same results. A warm batch does not allocate for a query: `out` grows to what it holds, scratches to the deepest query that their thread has met.
impl Query {
    /// [`Query::intersects`] of each pair of bodies, into `out`, which is cleared first. The witness, too, is that of the single query.
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query, Scratches};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// let at = |x| Pose::from_translation([x, 0., 0.]).map(|pose| Body::new(&model, pose));
    /// let (mut scratches, mut found) = (Scratches::new(), Vec::new());
    /// Query::default().intersects_each(&[[at(0.)?, at(2.)?], [at(0.)?, at(3.)?]], &mut scratches, &mut found);
    /// assert_eq!(found, [Some([0, 0]), None]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn intersects_each(
        &self,
        bodies: &[[Body<'_>; 2]],
        scratches: &mut Scratches,
        out: &mut Vec<Option<[u32; 2]>>,
    ) {
        self.first_of(bodies.len(), |i| bodies[i], scratches, out);
    }

    /// The same with `b` at each of many poses, while `a` stays.
    pub fn intersects_at(
        &self,
        a: &Body<'_>,
        b: &Model,
        poses: &[Pose],
        scratches: &mut Scratches,
        out: &mut Vec<Option<[u32; 2]>>,
    ) {
        self.first_of(poses.len(), |i| [*a, Body::new(b, poses[i])], scratches, out);
    }

    /// [`Query::intersecting_pairs`] of each pair of bodies, into `out`, whose lists are replaced. While it works, all pairs are held twice.
    ///
    /// One question is the least that a thread takes: for few large ones see [`Query::par_intersecting_pairs`].
    pub fn intersecting_pairs_each(
        &self,
        bodies: &[[Body<'_>; 2]],
        scratches: &mut Scratches,
        out: &mut PairLists,
    ) {
        self.all_of(bodies.len(), |i| bodies[i], scratches, out);
    }

    /// The same with `b` at each of many poses, while `a` stays.
    pub fn intersecting_pairs_at(
        &self,
        a: &Body<'_>,
        b: &Model,
        poses: &[Pose],
        scratches: &mut Scratches,
        out: &mut PairLists,
    ) {
        self.all_of(poses.len(), |i| [*a, Body::new(b, poses[i])], scratches, out);
    }

    fn first_of<'a>(
        &self,
        count: usize,
        bodies: impl Fn(usize) -> [Body<'a>; 2] + Sync,
        scratches: &mut Scratches,
        out: &mut Vec<Option<[u32; 2]>>,
    ) {
        out.clear();
        out.resize(count, None);
        let shares = scratches.shares(count);
        let run = run_length(count, shares.len());
        hand_out(shares, out, run, &|_, share, first, slots| {
            for (i, slot) in (first..).zip(slots) {
                let [a, b] = bodies(i);
                *slot = self.intersects(&a, &b, &mut share.scratch, &mut ());
            }
        });
    }

    fn all_of<'a>(
        &self,
        count: usize,
        bodies: impl Fn(usize) -> [Body<'a>; 2] + Sync,
        scratches: &mut Scratches,
        out: &mut PairLists,
    ) {
        let PairLists { pairs, starts, runs } = out;
        pairs.clear();
        starts.truncate(1);
        let shares = scratches.shares(count);
        if let [share] = shares {
            for i in 0..count {
                let [a, b] = bodies(i);
                self.append(&a, &b, &mut share.scratch, pairs, &mut ());
                starts.push(pairs.len());
            }
            return;
        }
        shares.iter_mut().for_each(|share| share.pairs.clear());
        runs.clear();
        runs.resize(count, Run::default());
        let run = run_length(count, shares.len());
        hand_out(shares, runs, run, &|n, share, first, slots| {
            for (i, slot) in (first..).zip(slots) {
                let ([a, b], start) = (bodies(i), share.pairs.len());
                self.append(&a, &b, &mut share.scratch, &mut share.pairs, &mut ());
                *slot = Run { share: n, start, count: share.pairs.len() - start };
            }
        });
        pairs.reserve(shares.iter().map(|share| share.pairs.len()).sum());
        for &Run { share, start, count } in runs.iter() {
            pairs.extend_from_slice(&shares[share].pairs[start..][..count]);
            starts.push(pairs.len());
        }
    }
}

/// How many tasks are taken at a time: so few that the last ones hardly matter, so many that taking them does not.
pub(crate) fn run_length(count: usize, shares: usize) -> usize {
    (count / (64 * shares)).clamp(1, 64)
}

/// `task(n, share n, first, slots)`: share n takes the next `run` slots, of which the first has the index `first`, as soon as it is free, until there are none.
pub(crate) fn hand_out<S: Send, T: Send>(
    shares: &mut [S],
    slots: &mut [T],
    run: usize,
    task: &(impl Fn(usize, &mut S, usize, &mut [T]) + Sync),
) {
    if let [share] = shares {
        return task(0, share, 0, slots);
    }
    let runs = Mutex::new(slots.chunks_mut(run).enumerate());
    pool::each(shares, &|n, share| {
        loop {
            // Whoever panicked took his run with him: the others are whole.
            let next = runs.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((k, slots)) = next else { return };
            task(n, share, k * run, slots);
        }
    });
}
