//! Pairs of leaves where near triangles count, too: the pairs of triangles that may be within a margin.
//!
//! In the resting leaf's lattice the margin is m steps, and corners of both leaves together are off by less
//! than `error` on each axis, which includes 4 u of all coordinates (see
//! [`PlacedLeaf`](super::meet::PlacedLeaf)): boxes that are further than m + error apart on an axis are not
//! within the margin. [`LeafPair::within`] tests the rest.
use super::{
    apart::{self, LeafPair},
    leaf::{self, LeafRef},
    meet::{PreparedLeaf, place_leaf, prepare},
    node::WIDTH,
    node_pair::{at, disjoint},
    relative::up,
    tree_pair::TreePair,
};
use crate::{
    counters::Count,
    simd::{Mask, Simd, Work},
    sink::Sink,
    triangle::lanes::{add, sub},
};
use std::ops::ControlFlow;

/// Test of the waiting pairs of leaves, which sends pairs of triangles that may be within the margin to the
/// sink.
pub(super) struct SendNear<'a, 't, 'h> {
    pub(super) trees: &'a TreePair<'t>,
    pub(super) leaves: &'a mut Vec<[LeafRef; 2]>,
    pub(super) count: &'a mut Count,
    pub(super) hits: &'a mut Sink<'h>,
}

impl Work for SendNear<'_, '_, '_> {
    type Out = ControlFlow<()>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Out {
        let Self { trees, leaves, count, hits } = self;
        let Some(&[first, _]) = leaves.first() else { return ControlFlow::Continue(()) };
        let mut a = prepare(simd, trees.a, first);
        for &[leaf, other] in leaves.iter() {
            count.leaves_met(u64::from(leaf.count) * u64::from(other.count));
            if leaf != a.leaf {
                a = prepare(simd, trees.a, leaf);
            }
            let mut pairs = near(simd, trees, &a, other);
            count.triangles_tested(u64::from(pairs.count_ones()));
            while pairs != 0 {
                let at = pairs.trailing_zeros();
                pairs &= pairs - 1;
                let [i, j] = [leaf.first + (at >> 3), other.first + (at & 7)];
                hits.take([trees.a.order[i as usize], trees.b.order[j as usize]])?;
            }
        }
        leaves.clear();
        ControlFlow::Continue(())
    }
}

/// The pairs of two leaves' triangles that may be within the margin.
#[inline(always)]
fn near<S: Simd>(simd: S, trees: &TreePair<'_>, a: &PreparedLeaf<S::Eight>, other: LeafRef) -> u64 {
    let all = apart::all(a.leaf, other);
    let Some(placed) = place_leaf(simd, trees.a, trees.b, &trees.transforms.leaves, a, other) else {
        // Sizes so different that f32 may overflow.
        return all;
    };
    let margin = f64::from(trees.transforms.to_resting.margin) * f64::from(a.lattice.per_unit);
    let (lo, hi, _) = leaf::extents(&placed.q);
    let reach = simd.eight(up(margin + f64::from(placed.error)));
    let (lo, hi) = (sub(lo, [reach; 3]), add(hi, [reach; 3]));
    let mut pairs = 0;
    for i in 0..(a.leaf.count as usize).min(WIDTH) {
        let apart = disjoint(&lo, &hi, &at(simd, &a.bounds, 0, i), &at(simd, &a.bounds, 3, i));
        pairs |= u64::from(!apart.bits() & 0xff) << (8 * i);
    }
    pairs &= all;
    if pairs == 0 { 0 } else { LeafPair::new(simd, a, &placed).within(pairs, margin) }
}
