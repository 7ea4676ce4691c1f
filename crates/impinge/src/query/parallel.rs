//! One large query, divided among threads.
use super::{Scratches, batch::hand_out, scratch::Share};
use crate::{
    Body, Model,
    motion::Motion,
    narrow::Narrow,
    pool,
    sink::{Listed, Rest, Sink, reserve},
    task::Task,
    walk::{self, QueryContext},
    wide::{RelativeTrees, WalkRange},
};
use std::{
    mem::{swap, take},
    ops::ControlFlow,
};

/// Number of blocks that must wait at some time of a breadth-first walk for a query to be divided. Smaller
/// queries, of less than some 350 us, run on one thread.
pub(crate) const LARGE: usize = 64;
/// Number of runs of blocks for each thread, if all runs take equally long.
pub(crate) const RUNS: usize = 8;

/// Function that selects the wanted pairs of triangles of those that a walk sends.
pub(crate) type PairFilter<'a> = dyn Fn([u32; 2]) -> bool + Sync + 'a;

impl QueryContext<'_> {
    /// [`QueryContext::append`] of two large bodies: see [`QueryContext::divided_at_most`].
    pub(crate) fn divided(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratches: &mut Scratches,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        self.divided_at_most([a, b], scratches, pairs, usize::MAX);
    }

    /// [`QueryContext::append_at_most`] of two large bodies, on the free threads of the caller's pool, if
    /// both have the fast tree. Queries that are not [`LARGE`] run on one thread. Each thread lists pairs up
    /// to the limit.
    pub(crate) fn divided_at_most(
        &self,
        [a, b]: [&Body<'_>; 2],
        scratches: &mut Scratches,
        pairs: &mut Vec<[u32; 2]>,
        most: usize,
    ) -> Rest {
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a.mesh(), b.mesh(), &b_to_a);
        let walk::WalkMemory { flat, counters, .. } = &mut scratches.first().scratch.walk;
        let mut rest = Rest::default();
        let mut listed = Listed { pairs: &mut *pairs, most, rest: &mut rest };
        let all = &mut Sink::AtMost(&mut listed);
        if self
            .walk_lists([a.placed(), b.placed()], &b_to_a, &narrow, flat, &mut counters.count, all)
            .is_some()
        {
            return rest;
        }
        let (Some(tree_a), Some(tree_b)) = (a.model.wide(), b.model.wide()) else {
            let memory = &mut scratches.first().scratch.walk;
            return self.append_at_most([a.placed(), b.placed()], memory, pairs, most);
        };
        let placement = a.placement(b, &b_to_a);
        let transforms = tree_a.relative_transforms(tree_b, &tree_a.placement(tree_b, &placement));
        let task = self.task(&placement, &narrow);
        let trees = RelativeTrees { a: tree_a, b: tree_b, transforms: &transforms };
        self.divide(trees, &task, None, scratches, pairs, most)
    }

    /// Drops all pairs from number `first` on that are not wanted. If it is stopped, drops all pairs that are
    /// left.
    pub(crate) fn keep(&self, pairs: &mut Vec<[u32; 2]>, first: usize, wanted: impl Fn([u32; 2]) -> bool) {
        let mut kept = first;
        for at in first..pairs.len() {
            if at % 64 == 0 && self.stop.is_set() {
                break;
            }
            if wanted(pairs[at]) {
                pairs[kept] = pairs[at];
                kept += 1;
            }
        }
        pairs.truncate(kept);
    }

    /// [`QueryContext::walk_within`] of a large mesh, divided among threads.
    pub(crate) fn divided_within(
        &self,
        model: &Model,
        scratches: &mut Scratches,
        pairs: &mut Vec<[u32; 2]>,
        most: usize,
    ) -> Rest {
        let Some(tree) = model.wide() else {
            let memory = &mut scratches.first().scratch.walk;
            return self.append_within(model.geometry(), model.welded(), memory, pairs, most);
        };
        let at_rest = model.geometry().at_rest();
        let narrow = Narrow::within(at_rest.mesh(), model.welded());
        let placement = at_rest.placement(at_rest, &Motion::between(at_rest.pose, at_rest.pose));
        let transforms = tree.relative_transforms(tree, &tree.placement(tree, &placement));
        let task = self.task(&placement, &narrow);
        let trees = RelativeTrees { a: tree, b: tree, transforms: &transforms };
        let rest = self.divide(trees, &task, None, scratches, pairs, most);
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
        rest
    }

    /// Finds the `wanted` pairs of a walk over two trees, or one and itself, in any order; all without
    /// `wanted`. Pairs beyond the limit are counted, and the list is then useless.
    pub(crate) fn divide(
        &self,
        trees: RelativeTrees<'_>,
        task: &Task<'_>,
        wanted: Option<&PairFilter<'_>>,
        scratches: &mut Scratches,
        pairs: &mut Vec<[u32; 2]>,
        most: usize,
    ) -> Rest {
        let is_within = task.narrow.is_within();
        let part = |part: WalkRange<'_>, share: &mut Share| {
            let Share { scratch, pairs, rest } = share;
            let (stack, count) = (&mut scratch.walk.wide, &mut scratch.walk.counters.count);
            // Only the stop flag ends it early, which the caller checks.
            let before = pairs.len();
            let mut listed = Listed { pairs: &mut *pairs, most, rest };
            if most < usize::MAX && (wanted.is_some() || is_within) {
                // Only wanted pairs count. For one mesh and itself the lesser number comes first.
                let mut look = |[i, j]: [u32; 2]| {
                    let pair = if is_within { [i.min(j), i.max(j)] } else { [i, j] };
                    if wanted.is_none_or(|wanted| wanted(pair)) {
                        listed.take(pair);
                    }
                    ControlFlow::Continue(())
                };
                let each = &mut Sink::Each(&mut look);
                let _ = trees.walk(self.simd, part, task, stack, count, each);
                return;
            }
            let sink = &mut Sink::AtMost(&mut listed);
            let _ = trees.walk(self.simd, part, task, stack, count, sink);
            if let Some(wanted) = wanted {
                self.keep(pairs, before, wanted);
            }
        };

        let threads = pool::threads();
        let mut node_pairs = take(&mut scratches.node_pairs);
        let own = scratches.first();
        own.pairs.clear();
        own.rest = Rest::default();
        part(WalkRange::Top(LARGE.max(RUNS * threads)), own);
        swap(&mut node_pairs, &mut own.scratch.walk.wide.node_pairs);
        let shares = scratches.shares(node_pairs.len());
        for share in &mut shares[1..] {
            share.pairs.clear();
            share.rest = Rest::default();
        }
        let run = (node_pairs.len() / (RUNS * threads)).max(1);
        hand_out(shares, &mut node_pairs, run, &|_, share, _, node_pairs| {
            part(WalkRange::Below(node_pairs), share)
        });

        let mut rest = Rest::default();
        let found = shares.iter().map(|share| share.pairs.len()).sum();
        if found <= most {
            reserve(pairs, found);
            shares.iter().for_each(|share| pairs.extend_from_slice(&share.pairs));
        } else {
            // The pairs that each thread has listed count as the rest, too, and are not kept.
            for share in shares.iter_mut() {
                let first = share.pairs.iter().min().copied();
                rest.add(&Rest { count: share.pairs.len() as u64, first });
                share.pairs = Vec::new();
            }
        }
        shares.iter().for_each(|share| rest.add(&share.rest));
        scratches.node_pairs = node_pairs;
        rest
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::super::{batch::hand_out, sheet::sheet};
    use crate::{Body, Mesh, Model, Pose, Query, Threads};
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::{Duration, Instant},
    };

    /// Tests of the public interface cannot see whether a query was divided.
    #[test]
    fn large_queries_are_divided_and_small_ones_are_not() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
        for (n, divided) in [(4, false), (150, true)] {
            let models = [sheet(n, 0), sheet(n, 1)];
            let [a, b] = models.each_ref().map(|model| Body::new(model, Pose::IDENTITY));
            let (mut alone, mut query) = (Query::new(), Query::new().threads(Threads::Pool));
            let want = alone.pairs(&a, &b);
            assert_eq!(pool.install(|| query.pairs(&a, &b)), want);
            assert_eq!(!query.scratches.node_pairs.is_empty(), divided, "{n}: {} pairs", want.len());
        }
    }

    #[test]
    fn large_meshes_are_divided_and_small_ones_are_not() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
        for (n, divided) in [(4, false), (200, true)] {
            let [a, b] = [sheet(n, 0), sheet(n, 1)].map(|model| model.mesh().clone());
            let shift = a.points().len() as u32;
            let moved = b.triangles().iter().map(|t| t.map(|i| i + shift));
            let triangles = a.triangles().iter().copied().chain(moved).collect();
            let mesh = Mesh::new([a.points(), b.points()].concat(), triangles).expect("two meshes are one");
            let model = Model::new(mesh);
            let want = Query::new().self_pairs(&model).to_vec();
            assert!(!want.is_empty());
            let mut query = Query::new().threads(Threads::Pool);
            assert_eq!(pool.install(|| query.self_pairs(&model)), want);
            assert_eq!(!query.scratches.node_pairs.is_empty(), divided, "{n}: {} pairs", want.len());
        }
    }

    /// Checks that several threads work at a time: each share waits in its first run until the other has
    /// begun. Only a test that fails waits for a minute.
    #[test]
    fn shares_work_at_the_same_time() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
        let (begun, start) = (AtomicUsize::new(0), Instant::now());
        let (mut shares, mut slots) = ([0; 2], [0; 64]);
        let task = |_: usize, share: &mut usize, first: usize, slots: &mut [usize]| {
            if *share == 0 {
                begun.fetch_add(1, Ordering::Relaxed);
                while begun.load(Ordering::Relaxed) < 2 && start.elapsed() < Duration::from_secs(60) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            *share += 1;
            slots[0] = first;
        };
        pool.install(|| hand_out(&mut shares, &mut slots, 1, &task));
        assert!(shares.iter().all(|&runs| runs > 0) && shares.iter().sum::<usize>() == 64, "{shares:?}");
        assert!(slots.iter().copied().eq(0..64));
    }
}
