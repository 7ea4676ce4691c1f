//! Pairs of leaves: the first, f32 stage of the triangle test, and the pairs that it leaves undecided.
use super::{
    leaf::{self, ALPHA, LeafLattice, LeafRef},
    node::WIDTH,
    node_pair::{COLUMN, IN_ORDER, at, disjoint, map},
    pending::{COLUMNS, PendingPairs},
    relative,
    tree::TreeView,
    tree_pair::{TreePair, UndecidedPairs},
};
use crate::{
    counters::Count,
    narrow::{DecidePairs, InOnePlane},
    simd::{Lanes, MOST_DOUBLES, Mask, Ones, Simd, Work},
    sink::Sink,
    triangle::lanes::{LaneVector, add, sub},
    vector::UNIT_F32,
};
use std::ops::ControlFlow;

/// A resting leaf, decoded, with the data that all its pairs need.
#[derive(Clone, Copy)]
pub(super) struct PreparedLeaf<L> {
    pub(super) leaf: LeafRef,
    pub(super) lattice: LeafLattice,
    /// The lattice's origin, padded to a whole vector.
    origin: [f64; MOST_DOUBLES],
    pub(super) p0: LaneVector<L>,
    pub(super) e1: LaneVector<L>,
    pub(super) e2: LaneVector<L>,
    side: L,
    /// Least and greatest corners of the boxes, by axis.
    pub(super) bounds: [[f32; WIDTH]; 6],
}

#[inline(always)]
pub(super) fn prepare<S: Simd>(simd: S, tree: TreeView<'_>, leaf: LeafRef) -> PreparedLeaf<S::Eight> {
    let v = leaf::corners(simd, tree.words, leaf, tree.precision);
    let (lo, hi, side) = leaf::extents(&v);
    let mut bounds = [[0.0; WIDTH]; 6];
    for k in 0..3 {
        simd.store(lo[k], &mut bounds[k]);
        simd.store(hi[k], &mut bounds[3 + k]);
    }
    let lattice = LeafLattice::read(&tree.words[leaf.words as usize..]);
    let mut origin = [0.0; MOST_DOUBLES];
    for (to, x) in origin.iter_mut().zip(lattice.origin) {
        *to = f64::from(x);
    }
    PreparedLeaf { leaf, lattice, origin, p0: v[0], e1: sub(v[1], v[0]), e2: sub(v[2], v[0]), side, bounds }
}

/// Tests the waiting pairs of leaves, and sends pairs of triangles whose boxes overlap to `pending`.
#[inline(always)]
pub(super) fn meet_leaves<S: Simd>(
    simd: S,
    trees: &TreePair<'_>,
    leaves: &mut Vec<[LeafRef; 2]>,
    pending: &mut PendingPairs,
    undecided: &mut UndecidedPairs,
    count: &mut Count,
    hits: &mut Sink<'_>,
) -> ControlFlow<()> {
    let Some(&[first, _]) = leaves.first() else { return ControlFlow::Continue(()) };
    let mut a = prepare(simd, trees.a, first);
    // The first pair has the greatest penetration depth: if it meets, the others need not be tested.
    let mut likely = trees.deepest;
    for &[leaf, other] in leaves.iter() {
        count.leaves_met(u64::from(leaf.count) * u64::from(other.count));
        if leaf != a.leaf {
            a = prepare(simd, trees.a, leaf);
        }
        if !candidates(simd, trees, &a, other, pending, count, hits)? {
            // Sizes so different that f32 may overflow: this stage cannot decide any pair.
            let mut pairs =
                (COLUMN * ((1 << other.count) - 1)) & 1_u64.unbounded_shl(8 * leaf.count).wrapping_sub(1);
            if trees.within {
                pairs = without_common_corners(trees, [leaf, other], pairs, count, hits)?;
            }
            while pairs != 0 {
                let at = pairs.trailing_zeros();
                pairs &= pairs - 1;
                count.triangles_tested(1);
                push_undecided(
                    simd,
                    trees,
                    [leaf.first + (at >> 3), other.first + (at & 7)],
                    undecided,
                    count,
                    hits,
                )?;
            }
        }
        if pending.is_full() || likely || (trees.eager && pending.len >= S::PAIRS) {
            decide(simd, trees, pending, undecided, likely, count, hits)?;
        }
        likely = false;
    }
    leaves.clear();
    ControlFlow::Continue(())
}

/// A corner of the moving leaf in the resting one's lattice.
#[inline(always)]
fn scaled<S: Simd>(
    simd: S,
    transform: &relative::LeafTransform,
    v: LaneVector<S::Eight>,
    scale: S::Eight,
    t: &[f32; 3],
) -> LaneVector<S::Eight> {
    map(simd, &transform.r, [v[0] * scale, v[1] * scale, v[2] * scale], t)
}

/// The pairs of lanes (i, i).
const DIAGONAL: u64 = 0x8040_2010_0804_0201;

/// The pairs of lanes of two leaves of one mesh that have no corner in common. It decides the others: they
/// touch, so f32 cannot, and in self-intersection nearly all pairs are neighbours.
#[inline(never)]
fn without_common_corners(
    trees: &TreePair<'_>,
    [a, b]: [LeafRef; 2],
    mut pairs: u64,
    count: &mut Count,
    hits: &mut Sink<'_>,
) -> ControlFlow<(), u64> {
    if a == b {
        pairs &= IN_ORDER & !DIAGONAL;
    }
    let mut left = pairs;
    while left != 0 {
        let at = left.trailing_zeros();
        left &= left - 1;
        let pair =
            [trees.a.order[(a.first + (at >> 3)) as usize], trees.b.order[(b.first + (at & 7)) as usize]];
        if let Some(meet) = trees.narrow.elsewhere(pair, count) {
            count.triangles_tested(1);
            pairs &= !(1 << at);
            if meet {
                hits.take(pair)?;
            }
        }
    }
    ControlFlow::Continue(pairs)
}

/// A moving leaf in a resting one's lattice.
pub(super) struct PlacedLeaf<L> {
    /// The corners.
    pub(super) q: [LaneVector<L>; 3],
    /// alpha + beta: see [`relative::LeafTransform`].
    off: f32,
    /// Bound of the error of both leaves' corners, in all.
    pub(super) error: f32,
    /// Sizes of the triangles of both.
    sizes: f32,
    /// Bound of the coordinates of both leaves' corners.
    pub(super) range: f32,
}

/// Transforms a leaf to the lattice of another; `None` if their sizes are too different for f32.
#[inline(always)]
pub(super) fn place_leaf<S: Simd>(
    simd: S,
    of_a: TreeView<'_>,
    of_b: TreeView<'_>,
    transforms: &relative::LeafTransform,
    a: &PreparedLeaf<S::Eight>,
    other: LeafRef,
) -> Option<PlacedLeaf<S::Eight>> {
    let own = LeafLattice::read(&of_b.words[other.words as usize..]);
    let local = leaf::corners(simd, of_b.words, other, of_b.precision);
    let per_step = a.lattice.per_unit;
    let rho = own.step * per_step;
    let mut t = [0.0; MOST_DOUBLES];
    {
        let [x, y, z] = own.origin;
        let [x, y, z] = simd.splat_doubles(&[f64::from(x), f64::from(y), f64::from(z)]);
        let [c0, c1, c2, c3] = &transforms.columns;
        let image = x.mul_add(simd.load_doubles(c0), simd.load_doubles(c3));
        let image = z.mul_add(simd.load_doubles(c2), y.mul_add(simd.load_doubles(c1), image));
        let image = image - simd.load_doubles(&a.origin);
        simd.store_singles(image * simd.doubles(f64::from(per_step)), &mut t);
    }
    let far = t[0].abs().max(t[1].abs()).max(t[2].abs());
    // No product of three sizes may overflow.
    const MOST: f32 = (1_u64 << 38) as f32;
    if !(far < MOST && rho * transforms.lambda < (1 << 14) as f32) {
        return None;
    }
    // rho is a power of two: no rounding.
    let scale = simd.eight(rho);
    let t = [t[0], t[1], t[2]];
    let [v0, v1, v2] = local;
    let q = [
        scaled(simd, transforms, v0, scale, &t),
        scaled(simd, transforms, v1, scale, &t),
        scaled(simd, transforms, v2, scale, &t),
    ];
    let u = UNIT_F32 as f32;
    // alpha + beta, with all sizes that this arithmetic rounds.
    let off = (ALPHA + rho * transforms.per_step + 4.0 * u * far + transforms.offset * per_step) * 1.0001;
    let sizes = of_a.precision.range() + of_b.precision.range() * rho * transforms.lambda;
    let range = far + sizes;
    Some(PlacedLeaf { q, off, error: off + 4.0 * u * range, sizes, range })
}

/// Sends the pairs of triangles of two leaves whose boxes overlap to `pending`; false if the leaves' sizes
/// are too different for that.
#[inline(always)]
fn candidates<S: Simd>(
    simd: S,
    trees: &TreePair<'_>,
    a: &PreparedLeaf<S::Eight>,
    other: LeafRef,
    pending: &mut PendingPairs,
    count: &mut Count,
    hits: &mut Sink<'_>,
) -> ControlFlow<(), bool> {
    let Some(PlacedLeaf { q, off, error, sizes, .. }) =
        place_leaf(simd, trees.a, trees.b, &trees.transforms.leaves, a, other)
    else {
        return ControlFlow::Continue(false);
    };
    let u = UNIT_F32 as f32;
    let (lo, hi, side) = leaf::extents(&q);
    let (lo, hi) = {
        let error = simd.eight(error);
        (sub(lo, [error; 3]), add(hi, [error; 3]))
    };
    let columns = (1_u32 << other.count) - 1;
    let mut pairs = 0;
    for i in 0..(a.leaf.count as usize).min(WIDTH) {
        let apart = disjoint(&lo, &hi, &at(simd, &a.bounds, 0, i), &at(simd, &a.bounds, 3, i));
        pairs |= u64::from(!apart.bits() & columns) << (8 * i);
    }
    if trees.within {
        pairs = without_common_corners(trees, [a.leaf, other], pairs, count, hits)?;
    }
    if pairs == 0 {
        return ControlFlow::Continue(true);
    }
    let most = pairs.count_ones() as usize;
    count.triangles_tested(most as u64);
    let two_eps = simd.eight(2.0 * error + 16.0 * u * sizes);
    let (side_a, side_b) = (a.side + two_eps, side + two_eps);
    let mut ones = Ones::NONE;
    simd.ones(pairs, &mut ones);
    let mut start = 0;
    while start < most {
        let (i, j) = simd.rows_and_columns(&ones, start);
        let (p0, e1, e2) = (simd.lookups(a.p0, i), simd.lookups(a.e1, i), simd.lookups(a.e2, i));
        let q0 = sub(simd.lookups(q[0], j), p0);
        let q1 = sub(simd.lookups(q[1], j), p0);
        let q2 = sub(simd.lookups(q[2], j), p0);
        let columns: [S::Pairs; COLUMNS] = [
            e1[0],
            e1[1],
            e1[2],
            e2[0],
            e2[1],
            e2[2],
            q0[0],
            q0[1],
            q0[2],
            q1[0],
            q1[1],
            q1[2],
            q2[0],
            q2[1],
            q2[2],
            simd.lookup(side_a, i),
            simd.lookup(side_b, j),
            simd.pairs(off),
        ];
        let n = (most - start).min(S::PAIRS);
        pending.push(simd, columns, [a.leaf.first, other.first], [i, j], n);
        start += S::PAIRS;
    }
    ControlFlow::Continue(true)
}

/// Runs the f32 stage on pending pairs: on all, or only on full vectors of them.
#[inline(always)]
pub(super) fn decide<S: Simd>(
    simd: S,
    trees: &TreePair<'_>,
    pending: &mut PendingPairs,
    undecided: &mut UndecidedPairs,
    all: bool,
    count: &mut Count,
    hits: &mut Sink<'_>,
) -> ControlFlow<()> {
    if pending.len == 0 {
        return ControlFlow::Continue(());
    }
    simd.call(Decide { trees, pending, undecided, all, count, hits })
}

struct Decide<'a, 't, 'h> {
    trees: &'a TreePair<'t>,
    pending: &'a mut PendingPairs,
    undecided: &'a mut UndecidedPairs,
    all: bool,
    count: &'a mut Count,
    hits: &'a mut Sink<'h>,
}

impl Work for Decide<'_, '_, '_> {
    type Out = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Out {
        let Self { trees, pending, undecided, all, count, hits } = self;
        let mut start = 0;
        while start + S::PAIRS <= pending.len || (all && start < pending.len) {
            let lanes = ((1_u64 << (pending.len - start).min(S::PAIRS)) - 1) as u32;
            let [meet, unsure] = pending.decide(simd, start);
            let mut yes = meet & lanes;
            while yes != 0 {
                let [i, j] = pending.ranks(start + yes.trailing_zeros() as usize);
                yes &= yes - 1;
                hits.take([trees.a.order[i as usize], trees.b.order[j as usize]])?;
            }
            let mut unsure = unsure & lanes;
            while unsure != 0 {
                let ranks = pending.ranks(start + unsure.trailing_zeros() as usize);
                unsure &= unsure - 1;
                push_undecided(simd, trees, ranks, undecided, count, hits)?;
            }
            start += S::PAIRS;
        }
        pending.keep_from(simd, start);
        ControlFlow::Continue(())
    }
}

/// Leaves a pair, given by positions in leaf order, to the narrow phase.
#[inline(always)]
fn push_undecided<S: Simd>(
    simd: S,
    trees: &TreePair<'_>,
    [i, j]: [u32; 2],
    undecided: &mut UndecidedPairs,
    count: &mut Count,
    hits: &mut Sink<'_>,
) -> ControlFlow<()> {
    count.left_to_filter();
    undecided.pairs[undecided.len] = [trees.a.order[i as usize], trees.b.order[j as usize]];
    undecided.len += 1;
    if undecided.len == S::DOUBLES {
        decide_undecided(simd, trees, undecided, count, hits)
    } else {
        ControlFlow::Continue(())
    }
}

/// Decides undecided pairs in the narrow phase. They are rare, so the narrow phase is a function apart from
/// the traversal.
#[inline(always)]
pub(super) fn decide_undecided<S: Simd>(
    simd: S,
    trees: &TreePair<'_>,
    undecided: &mut UndecidedPairs,
    count: &mut Count,
    hits: &mut Sink<'_>,
) -> ControlFlow<()> {
    if undecided.len == 0 {
        return ControlFlow::Continue(());
    }
    let pairs = &undecided.pairs[..undecided.len];
    undecided.len = 0;
    simd.call(DecidePairs {
        narrow: trees.narrow,
        pairs,
        corners: None,
        in_one_plane: InOnePlane::Decide,
        eager: trees.eager,
        count,
        sink: hits,
    })
}
