//! One large query, divided.
use super::{Ask, Scratch, Scratches, batch::hand_out, scratch::Share};
use crate::{
    Body, Model, Pose,
    hierarchy::Task,
    motion::Motion,
    narrow::Narrow,
    pool,
    sink::Sink,
    wide::{RelativeTransforms, WalkRange, WideTree},
};
use std::mem::swap;

/// Queries of which fewer blocks wait at any time, walked breadth first, are left to one thread: those of
/// less than some 350 us.
const LARGE: usize = 64;
/// Runs of blocks that each thread would take if all took as long.
const RUNS: usize = 8;

impl Ask<'_> {
    /// [`Ask::append`] of two large bodies, on the threads of the caller's pool as far as they are free, if
    /// both have the fast tree; a query of less than some 300 us one of them does alone.
    pub(crate) fn divided(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratches: &mut Scratches,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a, b, &b_to_a);
        let Scratch { flat, counters, .. } = &mut scratches.first().scratch;
        let all = &mut Sink::All(pairs);
        if self.walk_lists([a, b], (&b_to_a, &narrow), flat, &mut counters.count, all).is_some() {
            return;
        }
        let (Some(tree_a), Some(tree_b)) = (a.model.wide(), b.model.wide()) else {
            return self.append(a, b, &mut scratches.first().scratch, pairs);
        };
        let placement = a.placement(b, &b_to_a);
        let transforms = tree_a.relative_transforms(tree_b, &tree_a.placement(tree_b, &placement));
        self.divide((tree_a, tree_b), &transforms, &self.task(&placement, &narrow), scratches, pairs);
    }

    /// [`Ask::walk_within`] of a large mesh, likewise.
    pub(crate) fn divided_within(&self, model: &Model, scratches: &mut Scratches, pairs: &mut Vec<[u32; 2]>) {
        let Some(tree) = model.wide() else {
            let _ = self.walk_within(model, &mut scratches.first().scratch, &mut Sink::All(pairs));
            return;
        };
        let body = Body::new(model, Pose::IDENTITY);
        let narrow = Narrow::within(&body);
        let placement = body.placement(&body, &Motion::between(&body.pose, &body.pose));
        let transforms = tree.relative_transforms(tree, &tree.placement(tree, &placement));
        self.divide((tree, tree), &transforms, &self.task(&placement, &narrow), scratches, pairs);
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
    }

    /// The pairs of a walk over two trees, or one and itself, in any order.
    fn divide(
        &self,
        (a, b): (&WideTree, &WideTree),
        transforms: &RelativeTransforms,
        task: &Task<'_>,
        scratches: &mut Scratches,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let part = |part: WalkRange<'_>, share: &mut Share| {
            let Share { scratch, pairs } = share;
            let (stack, count) = (&mut scratch.wide, &mut scratch.counters.count);
            // Only the stop flag ends it early, of which the caller knows.
            let _ = a.walk((b, transforms), (self.simd, part), task, stack, count, &mut Sink::All(pairs));
        };

        let threads = pool::threads();
        let mut node_pairs = std::mem::take(&mut scratches.node_pairs);
        let own = scratches.first();
        own.pairs.clear();
        part(WalkRange::Top(LARGE.max(RUNS * threads)), own);
        swap(&mut node_pairs, &mut own.scratch.wide.node_pairs);
        let shares = scratches.shares(node_pairs.len());
        shares[1..].iter_mut().for_each(|share| share.pairs.clear());
        let run = (node_pairs.len() / (RUNS * threads)).max(1);
        hand_out(shares, &mut node_pairs, run, &|_, share, _, node_pairs| {
            part(WalkRange::Below(node_pairs), share)
        });

        pairs.reserve(shares.iter().map(|share| share.pairs.len()).sum());
        shares.iter().for_each(|share| pairs.extend_from_slice(&share.pairs));
        scratches.node_pairs = node_pairs;
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use crate::{Body, BuildOptions, Mesh, Model, Pose, Query, Threads};

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

    /// Nor which shares did work. Which thread is free is chance, so that one gets several.
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
            let both = (0..100).any(|_| {
                let mut query = Query::new().threads(Threads::Pool);
                assert_eq!(pool.install(|| query.self_pairs(&model)), want);
                assert_eq!(!query.scratches.node_pairs.is_empty(), divided, "{n}: {} pairs", want.len());
                let shares = pool.install(|| query.scratches.shares(2));
                shares.iter_mut().all(|share| share.scratch.wide.opened > 0)
            });
            assert_eq!(both, divided, "{n}: which shares did work");
        }
    }
}
