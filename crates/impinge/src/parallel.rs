//! One large query, divided.
use crate::{
    Body, Count, Query,
    any::AnyTree,
    batch::{Scratches, Share, hand_out},
    motion::Motion,
    narrow::Narrow,
    pool,
    query::sort,
    wide::{Part, Sink, walk},
};
use std::{mem::swap, ops::ControlFlow};

/// A query of which fewer blocks wait at any time, walked breadth first, one thread does alone: on two threads those from some 350 us on are divided, to 1.7 to 2 times the
/// speed. With 16 shorter ones are, too, down to 50 us where it loses, and long ones gain less, with 256 those of 2 ms are not yet.
const LARGE: usize = 64;
/// Runs of blocks that each thread would take if all took as long.
const RUNS: usize = 8;

impl Query {
    /// [`Query::intersecting_pairs`] of two large bodies, the same list: with the feature `rayon`, and both models of [`Kind::Wide`](crate::Kind::Wide), the threads of the pool in which it is called
    /// share the work, as far as they are free; a query of less than some 300 us one of them does alone. Otherwise it is the plain query.
    pub fn par_intersecting_pairs(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratches: &mut Scratches,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let threads = pool::threads();
        let (AnyTree::Wide(tree_a), AnyTree::Wide(tree_b), 2..) = (a.model.tree(), b.model.tree(), threads)
        else {
            return self.intersecting_pairs(a, b, &mut scratches.first().scratch, pairs, &mut ());
        };
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a, b, &b_to_a);
        let placement = a.placement(b, &b_to_a);
        let frame = tree_a.frame(tree_b, &tree_a.placement(tree_b, &placement));
        let part = |part: Part<'_>, share: &mut Share| {
            let Share { scratch, pairs } = share;
            // Nothing stops it: every pair is wanted.
            let _: ControlFlow<()> = walk(
                (tree_a, tree_b),
                &frame,
                &narrow,
                (*self, part),
                scratch.stacks.wide(),
                &mut Count::default(),
                &mut Sink::All(pairs),
            );
        };

        let mut blocks = std::mem::take(&mut scratches.blocks);
        let own = scratches.first();
        own.pairs.clear();
        part(Part::Top(LARGE.max(RUNS * threads)), own);
        swap(&mut blocks, &mut own.scratch.stacks.wide().blocks);
        let shares = scratches.shares(blocks.len());
        shares[1..].iter_mut().for_each(|share| share.pairs.clear());
        let run = (blocks.len() / (RUNS * threads)).max(1);
        hand_out(shares, &mut blocks, run, &|_, share, _, blocks| part(Part::Below(blocks), share));

        pairs.clear();
        pairs.reserve(shares.iter().map(|share| share.pairs.len()).sum());
        shares.iter().for_each(|share| pairs.extend_from_slice(&share.pairs));
        sort(pairs);
        scratches.blocks = blocks;
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use crate::{Body, BuildOptions, Kind, Mesh, Model, Pose, Query, Scratch, Scratches};

    /// A sheet of 2 n^2 triangles that waves along one axis.
    fn sheet(n: u32, axis: usize) -> Model {
        let at = |k: u32| [k % (n + 1), k / (n + 1)].map(|x| f64::from(x) / f64::from(n));
        let points =
            (0..(n + 1) * (n + 1)).map(at).map(|v| [v[0], v[1], 0.1 * (9.0 * v[axis]).sin()]).collect();
        let corner = |k: u32| k / n * (n + 1) + k % n;
        let square = |k: u32| [[k, k + 1, k + n + 2], [k, k + n + 2, k + n + 1]];
        let mesh = Mesh::new(points, (0..n * n).map(corner).flat_map(square).collect()).unwrap();
        Model::new(mesh, &BuildOptions { kind: Kind::Wide, ..BuildOptions::default() })
    }

    /// The tests from outside cannot see whether anything was divided.
    #[test]
    fn large_queries_are_divided_and_small_ones_are_not() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for (n, divided) in [(4, false), (150, true)] {
            let models = [sheet(n, 0), sheet(n, 1)];
            let [a, b] = models.each_ref().map(|model| Body::new(model, Pose::IDENTITY));
            let (mut scratches, mut got, mut want) = (Scratches::new(), Vec::new(), Vec::new());
            pool.install(|| Query::default().par_intersecting_pairs(&a, &b, &mut scratches, &mut got));
            Query::default().intersecting_pairs(&a, &b, &mut Scratch::new(), &mut want, &mut ());
            assert_eq!(got, want);
            assert_eq!(!scratches.blocks.is_empty(), divided, "{n}: {} pairs", got.len());
        }
    }
}
