//! One large query, divided.
use super::{
    Scratch, Scratches,
    batch::hand_out,
    distance::{loosened, margin_of, may_be_near},
    scratch::Share,
};
use crate::{
    Body, Model,
    distance::{Pairs, Shape},
    margin::Margin,
    motion::Motion,
    narrow::Narrow,
    pool,
    sink::{Listed, Rest, Sink, reserve},
    task::Task,
    walk::{self, QueryContext},
    wide::{RelativeTransforms, WalkRange, WideTree},
};
use std::{
    mem::{swap, take},
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

/// A query runs on one thread if fewer of its blocks than this wait at any time, walked breadth first: that
/// is a query of less than some 350 us.
const LARGE: usize = 64;
/// Runs of blocks that each thread would take if all took as long.
const RUNS: usize = 8;
/// Where one pair is wanted, as many blocks are opened by one thread first, the likeliest first: a pair that
/// is there is mostly found by then, in some 10 of them.
const ALONE: usize = 256;

/// The pairs of triangles that a walk sends, and of these the ones that are wanted.
type Wanted<'a> = dyn Fn([u32; 2]) -> bool + Sync + 'a;

impl QueryContext<'_> {
    /// [`QueryContext::append`] of two large bodies: see [`QueryContext::divided_at_most`].
    pub(crate) fn divided(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratches: &mut Scratches,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        self.divided_at_most([a, b], scratches, (pairs, usize::MAX));
    }

    /// [`QueryContext::append_at_most`] of two large bodies, on the free threads of the caller's pool, if both have
    /// the fast tree. One thread does a query of less than some 300 us alone. Each thread lists pairs up to
    /// the limit.
    pub(crate) fn divided_at_most(
        &self,
        [a, b]: [&Body<'_>; 2],
        scratches: &mut Scratches,
        (pairs, most): (&mut Vec<[u32; 2]>, usize),
    ) -> Rest {
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a.mesh(), b.mesh(), &b_to_a);
        let walk::Memory { flat, counters, .. } = &mut scratches.first().scratch.walk;
        let mut rest = Rest::default();
        let mut listed = Listed { pairs: &mut *pairs, most, rest: &mut rest };
        let all = &mut Sink::AtMost(&mut listed);
        if self
            .walk_lists([a.placed(), b.placed()], (&b_to_a, &narrow), flat, &mut counters.count, all)
            .is_some()
        {
            return rest;
        }
        let (Some(tree_a), Some(tree_b)) = (a.model.wide(), b.model.wide()) else {
            return self.append_at_most(
                [a.placed(), b.placed()],
                &mut scratches.first().scratch.walk,
                (pairs, most),
            );
        };
        let placement = a.placement(b, &b_to_a);
        let transforms = tree_a.relative_transforms(tree_b, &tree_a.placement(tree_b, &placement));
        let task = self.task(&placement, &narrow);
        self.divide((tree_a, tree_b), (&transforms, &task), None, scratches, (pairs, most))
    }

    /// [`QueryContext::append_near`] of two large bodies, divided among threads.
    pub(crate) fn divided_near(
        &self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        scratches: &mut Scratches,
        (pairs, most): (&mut Vec<[u32; 2]>, usize),
    ) -> Rest {
        if !may_be_near([a, b], margin) {
            return Rest::default();
        }
        let (Some(tree_a), Some(tree_b)) = (a.model.wide(), b.model.wide()) else {
            return self.append_near([a, b], margin, &mut scratches.first().scratch, (pairs, most));
        };
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::near(a.mesh(), b.mesh(), &b_to_a, margin_of(a, margin));
        let placement = a.placement(b, &b_to_a);
        let transforms = loosened([a, b], (tree_a, tree_b), &placement, margin);
        let (task, all) = (self.task(&placement, &narrow), Pairs::new([a, b].map(Shape::of)));
        let wanted: &Wanted<'_> = &|pair| all.are_within(pair, margin.get());
        self.divide((tree_a, tree_b), (&transforms, &task), Some(wanted), scratches, (pairs, most))
    }

    /// Whether [`QueryContext::first_within`] finds a pair in two large bodies, divided among threads.
    pub(crate) fn divided_is_near(
        &self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        scratches: &mut Scratches,
    ) -> bool {
        if !may_be_near([a, b], margin) {
            return false;
        }
        let (Some(tree_a), Some(tree_b)) = (a.model.wide(), b.model.wide()) else {
            return self.first_within([a, b], margin, &mut scratches.first().scratch).is_some();
        };
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::near(a.mesh(), b.mesh(), &b_to_a, margin_of(a, margin));
        let placement = a.placement(b, &b_to_a);
        let transforms = loosened([a, b], (tree_a, tree_b), &placement, margin);
        let (task, all) = (self.task(&placement, &narrow), Pairs::new([a, b].map(Shape::of)));
        let found = AtomicBool::new(false);
        let walk = |part: WalkRange<'_>, scratch: &mut Scratch| {
            let mut look = |pair| {
                if all.are_within(pair, margin.get()) {
                    found.store(true, Ordering::Relaxed);
                }
                // Others may have found one, too.
                if found.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let (stack, count) = (&mut scratch.walk.wide, &mut scratch.walk.counters.count);
            let each = &mut Sink::Each(&mut look);
            tree_a.walk((tree_b, &transforms), (self.simd, part), &task, stack, count, each).is_break()
        };

        let threads = pool::threads();
        let mut node_pairs = take(&mut scratches.node_pairs);
        let Share { scratch, pairs, .. } = scratches.first();
        let mut is_over = walk(WalkRange::First(ALONE), scratch);
        swap(&mut node_pairs, &mut scratch.walk.wide.node_pairs);
        if !is_over && !node_pairs.is_empty() {
            // Few wait, and some of these are most of the work: more of them can be shared out.
            pairs.clear();
            let part = (self.simd, WalkRange::TopOf(&node_pairs, LARGE.max(RUNS * threads)));
            let (stack, count) = (&mut scratch.walk.wide, &mut scratch.walk.counters.count);
            let all_of = &mut Sink::All(pairs);
            is_over = tree_a.walk((tree_b, &transforms), part, &task, stack, count, all_of).is_break();
            swap(&mut node_pairs, &mut scratch.walk.wide.node_pairs);
            if pairs.iter().any(|&pair| all.are_within(pair, margin.get())) {
                found.store(true, Ordering::Relaxed);
            }
        }
        if !is_over && !found.load(Ordering::Relaxed) && !node_pairs.is_empty() {
            let shares = scratches.shares(node_pairs.len());
            let run = (node_pairs.len() / (RUNS * threads)).max(1);
            hand_out(shares, &mut node_pairs, run, &|_, share, _, node_pairs| {
                if !found.load(Ordering::Relaxed) {
                    walk(WalkRange::Below(node_pairs), &mut share.scratch);
                }
            });
        }
        scratches.node_pairs = node_pairs;
        found.into_inner()
    }

    /// Drops all pairs behind the first ones that are not wanted; and if it is stopped, what is not looked
    /// at.
    pub(super) fn keep(&self, pairs: &mut Vec<[u32; 2]>, first: usize, wanted: impl Fn([u32; 2]) -> bool) {
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
        (pairs, most): (&mut Vec<[u32; 2]>, usize),
    ) -> Rest {
        let Some(tree) = model.wide() else {
            return self.append_within(
                (model.geometry(), model.welded()),
                &mut scratches.first().scratch.walk,
                (pairs, most),
            );
        };
        let at_rest = model.geometry().at_rest();
        let narrow = Narrow::within(at_rest.mesh(), model.welded());
        let placement = at_rest.placement(at_rest, &Motion::between(at_rest.pose, at_rest.pose));
        let transforms = tree.relative_transforms(tree, &tree.placement(tree, &placement));
        let task = self.task(&placement, &narrow);
        let rest = self.divide((tree, tree), (&transforms, &task), None, scratches, (pairs, most));
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
        rest
    }

    /// The pairs of a walk over two trees, or one and itself, in any order; if only some are `wanted`, those.
    /// Beyond the limit they are counted, and the list is of no use then.
    fn divide(
        &self,
        (a, b): (&WideTree, &WideTree),
        (transforms, task): (&RelativeTransforms, &Task<'_>),
        wanted: Option<&Wanted<'_>>,
        scratches: &mut Scratches,
        (pairs, most): (&mut Vec<[u32; 2]>, usize),
    ) -> Rest {
        let is_within = task.narrow.is_within();
        let part = |part: WalkRange<'_>, share: &mut Share| {
            let Share { scratch, pairs, rest } = share;
            let (stack, count) = (&mut scratch.walk.wide, &mut scratch.walk.counters.count);
            // Only the stop flag ends it early, which the caller checks.
            let before = pairs.len();
            let mut listed = Listed { pairs: &mut *pairs, most, rest };
            if most < usize::MAX && (wanted.is_some() || is_within) {
                // Only wanted pairs count, and of one mesh and itself the lesser number comes first.
                let mut look = |[i, j]: [u32; 2]| {
                    let pair = if is_within { [i.min(j), i.max(j)] } else { [i, j] };
                    if wanted.is_none_or(|wanted| wanted(pair)) {
                        listed.take(pair);
                    }
                    ControlFlow::Continue(())
                };
                let each = &mut Sink::Each(&mut look);
                let _ = a.walk((b, transforms), (self.simd, part), task, stack, count, each);
                return;
            }
            let sink = &mut Sink::AtMost(&mut listed);
            let _ = a.walk((b, transforms), (self.simd, part), task, stack, count, sink);
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
    use super::super::batch::hand_out;
    use crate::{Body, BuildOptions, Mesh, Model, Pose, Query, Threads, distance::Accuracy, margin::Margin};
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::{Duration, Instant},
    };

    /// A sheet of 2 n^2 triangles that waves along one axis.
    fn sheet(n: u32, axis: usize) -> Model {
        let at = |k: u32| [k % (n + 1), k / (n + 1)].map(|x| f64::from(x) / f64::from(n));
        let points =
            (0..(n + 1) * (n + 1)).map(at).map(|v| [v[0], v[1], 0.1 * (9.0 * v[axis]).sin()]).collect();
        let corner = |k: u32| k / n * (n + 1) + k % n;
        let square = |k: u32| [[k, k + 1, k + n + 2], [k, k + n + 2, k + n + 1]];
        let mesh = Mesh::new(points, (0..n * n).map(corner).flat_map(square).collect());
        let mesh = mesh.expect("finite points, indices below their number");
        Model::new(mesh, &BuildOptions::default())
    }

    /// The tests from outside cannot see whether anything was divided.
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
    fn what_is_near_is_the_same_on_threads() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads");
        let mut counts = [0; 2];
        for (n, axis) in [(3, 0), (10, 1), (36, 0), (36, 1)] {
            let models = [sheet(n, 0), sheet(n, axis)];
            // One above the other: they are as near all over, or, tilted, at one place.
            for tilt in [0.0, 1e-4, 0.3] {
                let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [tilt, tilt, 1.0]];
                let pose = Pose::affine(rows, [0.0, 0.0, 0.25]).expect("it can be inverted");
                let (a, b) = (Body::new(&models[0], Pose::IDENTITY), Body::new(&models[1], pose));
                let (mut alone, mut query) = (Query::new(), Query::new().threads(Threads::Pool));
                let gap = alone.distance(&a, &b, Accuracy::new()).expect("they have triangles");
                for d in [0.0, 0.5 * gap.lo, gap.lo.next_down(), gap.hi, 1.001 * gap.hi, 1.1 * gap.hi] {
                    let margin = Margin::new(d.max(0.0)).expect("it is finite");
                    let want = alone.within(&a, &b, margin);
                    counts[usize::from(want)] += 1;
                    assert_eq!(pool.install(|| query.within(&a, &b, margin)), want, "{n} {tilt} {d}");
                    let want = alone.pairs_within(&a, &b, margin).to_vec();
                    assert_eq!(pool.install(|| query.pairs_within(&a, &b, margin)), want, "{n} {tilt} {d}");
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
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
            let model = Model::new(mesh, &BuildOptions::default());
            let want = Query::new().self_pairs(&model).to_vec();
            assert!(!want.is_empty());
            let mut query = Query::new().threads(Threads::Pool);
            assert_eq!(pool.install(|| query.self_pairs(&model)), want);
            assert_eq!(!query.scratches.node_pairs.is_empty(), divided, "{n}: {} pairs", want.len());
        }
    }

    /// Several threads work on divided parts at a time: each share waits in its first run until the other has
    /// begun. Only a test that fails waits for the end of the minute.
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
