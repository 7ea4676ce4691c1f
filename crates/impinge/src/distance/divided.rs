//! A large query for triangles within a margin, divided among threads.
use super::{
    Margin, MeshAt, TrianglePairDistances,
    margins::{loosened, margin_of, may_be_near},
};
use crate::{
    Body,
    motion::Motion,
    narrow::Narrow,
    pool,
    query::{LARGE, PairFilter, RUNS, Scratch, Scratches, Share, hand_out},
    sink::{Rest, Sink},
    walk::QueryContext,
    wide::{RelativeTrees, WalkRange},
};
use std::{
    mem::{swap, take},
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

/// The number of node pairs that one thread opens first, the likeliest first, where one pair of triangles is
/// enough. If there is such a pair, this mostly finds it, in some 10 of them.
const ALONE: usize = 256;

impl QueryContext<'_> {
    /// [`QueryContext::append_near`] of two large bodies, divided among threads.
    pub(crate) fn divided_near(
        &self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        scratches: &mut Scratches,
        pairs: &mut Vec<[u32; 2]>,
        most: usize,
    ) -> Rest {
        if !may_be_near([a, b], margin) {
            return Rest::default();
        }
        let (Some(tree_a), Some(tree_b)) = (a.model.wide(), b.model.wide()) else {
            return self.append_near([a, b], margin, &mut scratches.first().scratch, pairs, most);
        };
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::near(a.mesh(), b.mesh(), &b_to_a, margin_of(a, margin));
        let placement = a.placement(b, &b_to_a);
        let transforms = &loosened([a, b], tree_a, tree_b, &placement, margin);
        let trees = RelativeTrees { a: tree_a, b: tree_b, transforms };
        let (task, all) =
            (self.task(&placement, &narrow), TrianglePairDistances::new([a, b].map(MeshAt::of)));
        let wanted: &PairFilter<'_> = &|pair| all.are_within(pair, &margin);
        self.divide(trees, &task, Some(wanted), scratches, pairs, most)
    }

    /// True if [`QueryContext::first_within`] finds a pair in two large bodies. Divided among threads.
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
        let transforms = &loosened([a, b], tree_a, tree_b, &placement, margin);
        let trees = RelativeTrees { a: tree_a, b: tree_b, transforms };
        let (task, all) =
            (self.task(&placement, &narrow), TrianglePairDistances::new([a, b].map(MeshAt::of)));
        let found = AtomicBool::new(false);
        let walk = |part: WalkRange<'_>, scratch: &mut Scratch| {
            let mut look = |pair| {
                if all.are_within(pair, &margin) {
                    found.store(true, Ordering::Relaxed);
                }
                // Another thread may have found one, too.
                if found.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let (stack, count) = (&mut scratch.walk.wide, &mut scratch.walk.counters.count);
            let each = &mut Sink::Each(&mut look);
            trees.walk(self.simd, part, &task, stack, count, each).is_break()
        };

        let threads = pool::threads();
        let mut node_pairs = take(&mut scratches.node_pairs);
        let Share { scratch, pairs, .. } = scratches.first();
        let mut is_over = walk(WalkRange::First(ALONE), scratch);
        swap(&mut node_pairs, &mut scratch.walk.wide.node_pairs);
        if !is_over && !node_pairs.is_empty() {
            // Few node pairs wait, and some of these are most of the work. Opens them, to share out more.
            pairs.clear();
            let part = WalkRange::TopOf(&node_pairs, LARGE.max(RUNS * threads));
            let (stack, count) = (&mut scratch.walk.wide, &mut scratch.walk.counters.count);
            let all_of = &mut Sink::All(pairs);
            is_over = trees.walk(self.simd, part, &task, stack, count, all_of).is_break();
            swap(&mut node_pairs, &mut scratch.walk.wide.node_pairs);
            if pairs.iter().any(|&pair| all.are_within(pair, &margin)) {
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
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use crate::{Body, Pose, Query, Threads, margin::Margin, query::sheet::sheet};

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
                let gap = alone.distance(&a, &b).expect("they have triangles");
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
}
