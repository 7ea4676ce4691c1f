//! Overlap tests of a node pair: some lanes of one node against some of another, boxes first, slabs after.
use super::{
    leaf::LeafRef,
    node::{ChildBoxes, DecodedNode, DecodedSlabs, QuantizedNode, WIDTH},
    relative::{RelativeTransform, RelativeTransforms},
    tree_pair::{NodePair, TreePair},
};
use crate::{
    counters::Count,
    simd::{Lanes, MOST_PAIRS, Mask, Ones, Simd},
    triangle::lanes::{LaneVector, add, dot, sub},
};

/// The boxes of one node, in their own frame and in the other's, as least and greatest corners.
#[derive(Clone, Copy)]
pub(super) struct NodeBoxes<L> {
    pub(super) lo: LaneVector<L>,
    pub(super) hi: LaneVector<L>,
    pub(super) transformed_lo: LaneVector<L>,
    pub(super) transformed_hi: LaneVector<L>,
}

/// m v + t, with v's lanes.
#[inline(always)]
pub(super) fn map<S: Simd>(
    simd: S,
    m: &[[f32; 3]; 3],
    v: LaneVector<S::Eight>,
    t: &[f32; 3],
) -> LaneVector<S::Eight> {
    [row(simd, m[0], v, t[0]), row(simd, m[1], v, t[1]), row(simd, m[2], v, t[2])]
}

#[inline(always)]
fn row<S: Simd>(simd: S, m: [f32; 3], v: LaneVector<S::Eight>, t: f32) -> S::Eight {
    let [x, y, z] = simd.eights(&m);
    v[2].mul_add(z, v[1].mul_add(y, v[0].mul_add(x, simd.eight(t))))
}

/// m^T v, with v's lanes.
#[inline(always)]
fn map_back<S: Simd>(simd: S, m: &[[f32; 3]; 3], v: LaneVector<S::Eight>) -> LaneVector<S::Eight> {
    [
        dot(v, simd.eights(&[m[0][0], m[1][0], m[2][0]])),
        dot(v, simd.eights(&[m[0][1], m[1][1], m[2][1]])),
        dot(v, simd.eights(&[m[0][2], m[1][2], m[2][2]])),
    ]
}

#[inline(always)]
pub(super) fn node_boxes<S: Simd>(
    simd: S,
    boxes: &ChildBoxes<S::Eight>,
    transform: &RelativeTransform,
) -> (NodeBoxes<S::Eight>, LaneVector<S::Eight>) {
    let ChildBoxes { c, e } = *boxes;
    let p = map(simd, &transform.r, c, &transform.t);
    let q = map(simd, &transform.size, e, &transform.pad);
    (NodeBoxes { lo: sub(c, e), hi: add(c, e), transformed_lo: sub(p, q), transformed_hi: add(p, q) }, p)
}

/// The lanes whose boxes, `lo` to `hi`, are disjoint from the box `low` to `high`.
#[inline(always)]
pub(super) fn disjoint<L: Lanes>(
    lo: &LaneVector<L>,
    hi: &LaneVector<L>,
    low: &LaneVector<L>,
    high: &LaneVector<L>,
) -> L::Mask {
    (lo[0].gt(high[0]) | low[0].gt(hi[0]))
        | (lo[1].gt(high[1]) | low[1].gt(hi[1]))
        | (lo[2].gt(high[2]) | low[2].gt(hi[2]))
}

/// For each lane of `active`, lowest first, the lanes of `fixed` whose boxes may overlap its own: eight bits
/// each.
#[inline(always)]
fn rows<S: Simd>(
    simd: S,
    looped: &NodeBoxes<S::Eight>,
    mut active: u32,
    fixed: &NodeBoxes<S::Eight>,
    columns: u32,
) -> u64 {
    let mut lanes = [[0.0_f32; 8]; 12];
    for k in 0..3 {
        simd.store(looped.lo[k], &mut lanes[k]);
        simd.store(looped.hi[k], &mut lanes[3 + k]);
        simd.store(looped.transformed_lo[k], &mut lanes[6 + k]);
        simd.store(looped.transformed_hi[k], &mut lanes[9 + k]);
    }
    let mut pairs = 0;
    while active != 0 {
        let i = active.trailing_zeros() as usize;
        active &= active - 1;
        let apart = disjoint(
            &fixed.transformed_lo,
            &fixed.transformed_hi,
            &at(simd, &lanes, 0, i),
            &at(simd, &lanes, 3, i),
        ) | disjoint(&fixed.lo, &fixed.hi, &at(simd, &lanes, 6, i), &at(simd, &lanes, 9, i));
        pairs |= u64::from(!apart.bits() & columns) << (8 * i);
    }
    pairs
}

/// Lane `i` of the rows k, k + 1 and k + 2, repeated in all lanes.
#[inline(always)]
pub(super) fn at<S: Simd, const N: usize>(
    simd: S,
    lanes: &[[f32; WIDTH]; N],
    k: usize,
    i: usize,
) -> LaneVector<S::Eight> {
    simd.eights(&[lanes[k][i & 7], lanes[k + 1][i & 7], lanes[k + 2][i & 7]])
}

/// The transpose of an 8 x 8 matrix of bits.
#[inline(always)]
fn transposed(mut x: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa_u64), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let t = (x ^ x >> shift) & mask;
        x ^= t ^ t << shift;
    }
    x
}

/// What the tests of a node pair add for a moving tree that moves while they look: nothing, or the room of
/// its ways in an interval of time.
pub(super) trait Room<S: Simd>: Copy {
    /// The room of each lane of the moving node.
    type Lanes: Copy;
    /// The room of the moving lane of each pair.
    type Pairs: Copy;
    /// Computes the room of a node's lanes, and widens their boxes and the box around all.
    fn widen(
        self,
        simd: S,
        node: DecodedNode<'_, S::Eight>,
        side: &mut NodeBoxes<S::Eight>,
        whole: &mut [LaneVector<S::Eight>; 2],
    ) -> Self::Lanes;
    fn picked(simd: S, lanes: &Self::Lanes, j: S::Index) -> Self::Pairs;
    /// What a slab of normal n, in the resting frame, may allow, widened from `half`.
    fn widened(room: &Self::Pairs, n: LaneVector<S::Pairs>, half: S::Pairs) -> S::Pairs;
}

/// No room: both trees are at rest.
#[derive(Clone, Copy)]
pub(super) struct AtRest;

impl<S: Simd> Room<S> for AtRest {
    type Lanes = ();
    type Pairs = ();
    #[inline(always)]
    fn widen(
        self,
        _: S,
        _: DecodedNode<'_, S::Eight>,
        _: &mut NodeBoxes<S::Eight>,
        _: &mut [LaneVector<S::Eight>; 2],
    ) {
    }
    #[inline(always)]
    fn picked(_: S, _: &(), _: S::Index) {}
    #[inline(always)]
    fn widened(_: &(), _: LaneVector<S::Pairs>, half: S::Pairs) -> S::Pairs {
        half
    }
}

/// The lanes of the moving node in the resting frame: the middles of their boxes, and their room.
#[derive(Clone, Copy)]
struct MovedLanes<L, R> {
    p: LaneVector<L>,
    room: R,
}

/// Tests a node pair: children that may overlap go to `node_pairs`, leaves to `leaves`.
#[inline(always)]
pub(super) fn open<S: Simd, R: Room<S>>(
    simd: S,
    trees: &TreePair<'_>,
    room: R,
    node_pair: NodePair,
    node_pairs: &mut Vec<NodePair>,
    leaves: &mut Vec<[LeafRef; 2]>,
    count: &mut Count,
) {
    let RelativeTransforms { to_resting, to_moving, .. } = trees.transforms;
    let (a, b) = (&trees.a.nodes[node_pair.a as usize], &trees.b.nodes[node_pair.b as usize]);
    let (boxes_a, boxes_b) = (a.boxes(simd), b.boxes(simd));
    let (side_a, _) = node_boxes(simd, &boxes_a, to_moving);
    let (mut side_b, p) = node_boxes(simd, &boxes_b, to_resting);
    count.volumes_tested(u64::from(node_pair.rows.count_ones() * node_pair.columns.count_ones()));
    count.volumes_placed(u64::from(node_pair.rows.count_ones() + node_pair.columns.count_ones()));

    // Leave out lanes that are disjoint from the whole other node.
    let (mut whole_b, [low_a, high_a]) = (whole(simd, b), whole(simd, a));
    let of_b = DecodedNode { node: b, boxes: &boxes_b };
    let moved = MovedLanes { p, room: room.widen(simd, of_b, &mut side_b, &mut whole_b) };
    let [low_b, high_b] = whole_b;
    let active_a = u32::from(node_pair.rows)
        & !disjoint(&side_a.transformed_lo, &side_a.transformed_hi, &low_b, &high_b).bits();
    let active_b = u32::from(node_pair.columns)
        & !disjoint(&side_b.transformed_lo, &side_b.transformed_hi, &low_a, &high_a).bits();
    if active_a == 0 || active_b == 0 {
        return;
    }
    let mut pairs = if active_a.count_ones() <= active_b.count_ones() {
        rows(simd, &side_a, active_a, &side_b, active_b)
    } else {
        transposed(rows(simd, &side_b, active_b, &side_a, active_a))
    };
    if trees.within && node_pair.a == node_pair.b {
        pairs &= IN_ORDER;
    }
    if pairs == 0 {
        return;
    }
    let slabs = a.slabs.max(b.slabs);
    if slabs != 0 {
        let mut depths = [0.0; MOST_DEPTHS];
        let (all, wanted) = (pairs, trees.deepest.then_some(&mut depths));
        let of_a = DecodedNode { node: a, boxes: &boxes_a };
        pairs &= !if slabs == 1 {
            apart_by_slabs::<S, R, 1>(simd, trees.transforms, of_a, of_b, moved, pairs, wanted)
        } else {
            apart_by_slabs::<S, R, 2>(simd, trees.transforms, of_a, of_b, moved, pairs, wanted)
        };
        if trees.deepest && pairs & pairs.wrapping_sub(1) != 0 {
            let best = deepest(all, pairs, &depths);
            push(simd, trees, node_pair, (a, b), pairs & !best, node_pairs, leaves);
            pairs = best;
        }
    }
    let others = leaves.len();
    push(simd, trees, node_pair, (a, b), pairs, node_pairs, leaves);
    // Node pairs are taken from the end of their list, leaves from the start.
    if trees.deepest && others < leaves.len() {
        leaves.swap(0, others);
    }
}

/// The pairs of lanes (i, j) with i <= j.
pub(super) const IN_ORDER: u64 = 0x80c0_e0f0_f8fc_feff;

/// Room for the depth of each pair of lanes, and for one more vector.
const MOST_DEPTHS: usize = 64 + MOST_PAIRS;

/// The pair of `left` with the greatest penetration depth; `depths` are those of `all`, in the order of their
/// bits.
#[inline(always)]
fn deepest(all: u64, mut left: u64, depths: &[f32; MOST_DEPTHS]) -> u64 {
    let (mut best, mut most) = (0, f32::NEG_INFINITY);
    while left != 0 {
        let bit = left & left.wrapping_neg();
        left ^= bit;
        let depth = depths[(all & (bit - 1)).count_ones() as usize];
        if depth > most {
            (best, most) = (bit, depth);
        }
    }
    best
}

/// The corners of a box around all lanes: the pads cover the rounding of their decoding.
#[inline(always)]
fn whole<S: Simd>(simd: S, node: &QuantizedNode) -> [LaneVector<S::Eight>; 2] {
    let (origin, sides) = node.frame();
    let end = [origin[0] + sides[0], origin[1] + sides[1], origin[2] + sides[2]];
    [simd.eights(&origin), simd.eights(&end)]
}

/// The pairs of lanes that a slab of the one node or the other separates. See the head of `relative.rs`.
#[inline(always)]
pub(super) fn parted_by_slabs<S: Simd>(
    simd: S,
    transforms: &RelativeTransforms,
    of_a: DecodedNode<'_, S::Eight>,
    of_b: DecodedNode<'_, S::Eight>,
    p: LaneVector<S::Eight>,
    pairs: u64,
) -> u64 {
    let moved = MovedLanes { p, room: () };
    match of_a.node.slabs.max(of_b.node.slabs) {
        0 => 0,
        1 => apart_by_slabs::<S, AtRest, 1>(simd, transforms, of_a, of_b, moved, pairs, None),
        _ => apart_by_slabs::<S, AtRest, 2>(simd, transforms, of_a, of_b, moved, pairs, None),
    }
}

/// The pairs of lanes that a slab separates. `depths`, if given, gets the penetration depth of each pair: the
/// least over all slabs, below 0 if the pair is apart.
#[inline(always)]
fn apart_by_slabs<S: Simd, R: Room<S>, const K: usize>(
    simd: S,
    transforms: &RelativeTransforms,
    DecodedNode { node: a, boxes: boxes_a }: DecodedNode<'_, S::Eight>,
    DecodedNode { node: b, boxes: boxes_b }: DecodedNode<'_, S::Eight>,
    moved: MovedLanes<S::Eight, R::Lanes>,
    pairs: u64,
    mut depths: Option<&mut [f32; MOST_DEPTHS]>,
) -> u64 {
    let RelativeTransforms { to_resting, to_moving, .. } = transforms;
    let slabs_a = decode_slabs::<S, K>(simd, a, &to_resting.r);
    let slabs_b = decode_slabs::<S, K>(simd, b, &to_moving.r);
    let (sum_a, sum_b) = (a.half_sides(), b.half_sides());
    let eps_a = simd.pairs(to_resting.eps(sum_a, sum_b));
    let eps_b = simd.pairs(to_moving.eps(sum_b, sum_a) + transforms.mirrored);

    let back = simd.pairs(transforms.back);
    let mut ones = Ones::NONE;
    simd.ones(pairs, &mut ones);
    let count = pairs.count_ones() as usize;
    let (mut apart, mut start) = (0, 0);
    while start < count {
        let (i, j) = simd.rows_and_columns(&ones, start);
        let d = sub(simd.lookups(moved.p, j), simd.lookups(boxes_a.c, i));
        let room = R::picked(simd, &moved.room, j);
        let (e_a, e_b) = (simd.lookups(boxes_a.e, i), simd.lookups(boxes_b.e, j));
        let (of_a, of_b) = (picked::<S, K>(simd, &slabs_a, i), picked::<S, K>(simd, &slabs_b, j));
        // Both directions use the number g . m, with g = L^T n: the second one times `back`, which is h . n,
        // h = L^-T m, up to rounding (and shear). The tests are true of any number.
        let mut al = [[back; K]; K];
        for k in 0..K {
            for l in 0..K {
                al[k][l] = dot(of_a[k].transformed, of_b[l].n);
            }
        }
        let mut bits = 0;
        let mut depth = simd.pairs(f32::MAX);
        for k in 0..K {
            // Along a slab of the resting box: d is the position of the moving centre.
            let (mut r, mut half) = (of_a[k].transformed, of_a[k].half + eps_a);
            let mut mid = dot(of_a[k].n, d) - of_a[k].mid;
            for l in 0..K {
                let (al, other) = (al[k][l], &of_b[l]);
                r = less(r, al, other.n);
                mid = al.mul_add(other.mid, mid);
                half = al.abs().mul_add(other.half, half);
            }
            half = R::widened(&room, of_a[k].n, dot([r[0].abs(), r[1].abs(), r[2].abs()], e_b) + half);
            if depths.is_some() {
                depth = depth.min(half - mid.abs());
            }
            bits |= mid.abs().gt(half).bits();
            // Along a slab of the moving box the resting centre lies at -d: all signs are reversed.
            let (mut r, mut half) = (of_b[k].transformed, of_b[k].half + eps_b);
            let mut mid = dot(of_b[k].transformed, d) + of_b[k].mid;
            for l in 0..K {
                let (al, other) = (al[l][k] * back, &of_a[l]);
                r = less(r, al, other.n);
                mid = mid - al * other.mid;
                half = al.abs().mul_add(other.half, half);
            }
            let widest = dot([r[0].abs(), r[1].abs(), r[2].abs()], e_a) + half;
            half = R::widened(&room, of_b[k].transformed, widest);
            if depths.is_some() {
                depth = depth.min(half - mid.abs());
            }
            bits |= mid.abs().gt(half).bits();
        }
        if let Some(depths) = &mut depths {
            simd.store_pairs(depth, &mut depths[start..]);
        }
        apart |= u64::from(bits) << start;
        start += S::PAIRS;
    }
    simd.deposit(apart, pairs)
}

/// A slab of each lane, its normal also in the other tree's frame.
#[derive(Clone, Copy)]
struct Slab<L> {
    n: LaneVector<L>,
    transformed: LaneVector<L>,
    mid: L,
    half: L,
}

/// Decodes the slabs of all lanes; the transpose of `m` takes normals to the other frame.
#[inline(always)]
fn decode_slabs<S: Simd, const K: usize>(
    simd: S,
    node: &QuantizedNode,
    m: &[[f32; 3]; 3],
) -> [Slab<S::Eight>; K] {
    let DecodedSlabs { n, mid, half } = node.slabs(simd, 0);
    let mut all = [Slab { n, transformed: map_back(simd, m, n), mid, half }; K];
    if K > 1 {
        let DecodedSlabs { n, mid, half } = node.slabs(simd, 1);
        all[K - 1] = Slab { n, transformed: map_back(simd, m, n), mid, half };
    }
    all
}

/// For each pair of lanes, the slabs of one of the two.
#[inline(always)]
fn picked<S: Simd, const K: usize>(
    simd: S,
    slabs: &[Slab<S::Eight>; K],
    at: S::Index,
) -> [Slab<S::Pairs>; K] {
    let one = pick(simd, &slabs[0], at);
    let mut all = [one; K];
    if K > 1 {
        all[K - 1] = pick(simd, &slabs[K - 1], at);
    }
    all
}

#[inline(always)]
fn pick<S: Simd>(simd: S, slab: &Slab<S::Eight>, at: S::Index) -> Slab<S::Pairs> {
    Slab {
        n: simd.lookups(slab.n, at),
        transformed: simd.lookups(slab.transformed, at),
        mid: simd.lookup(slab.mid, at),
        half: simd.lookup(slab.half, at),
    }
}

/// r - al n.
#[inline(always)]
fn less<L: Lanes>(r: LaneVector<L>, al: L, n: LaneVector<L>) -> LaneVector<L> {
    [r[0] - al * n[0], r[1] - al * n[1], r[2] - al * n[2]]
}

/// The first bit of each row: times eight bits it repeats them in every row.
pub(super) const COLUMN: u64 = 0x0101_0101_0101_0101;

/// Pairs of lanes whose lane of `a`, or of `b`, is a leaf.
#[inline(always)]
pub(super) fn leaves_of(a: &QuantizedNode, b: &QuantizedNode) -> (u64, u64) {
    let bits = (COLUMN * u64::from(a.leaves)) & 0x8040_2010_0804_0201;
    // A byte that is not zero becomes 255.
    let rows = ((bits | bits.wrapping_add(0x7f7f_7f7f_7f7f_7f7f)) >> 7 & COLUMN) * 255;
    (rows, COLUMN * u64::from(b.leaves))
}

/// Pushes surviving pairs of lanes, as node pairs or as pairs of leaves.
#[inline(always)]
fn push<S: Simd>(
    simd: S,
    trees: &TreePair<'_>,
    node_pair: NodePair,
    (a, b): (&QuantizedNode, &QuantizedNode),
    pairs: u64,
    node_pairs: &mut Vec<NodePair>,
    leaves: &mut Vec<[LeafRef; 2]>,
) {
    let (rows_of_leaves, columns_of_leaves) = leaves_of(a, b);

    // Inner against inner.
    let mut both = pairs & !columns_of_leaves & !rows_of_leaves;
    while both != 0 {
        let at = both.trailing_zeros() as usize;
        both &= both - 1;
        let (i, j) = (a.child(at >> 3), b.child(at & 7));
        let (rows, columns) = (trees.a.nodes[i as usize].used, trees.b.nodes[j as usize].used);
        node_pairs.push(NodePair { a: i, b: j, rows, columns });
    }
    // A moving child against resting leaves.
    let mut single = pairs & !columns_of_leaves & rows_of_leaves;
    while single != 0 {
        let j = (single.trailing_zeros() & 7) as usize;
        let column = single >> j & COLUMN;
        single &= !(COLUMN << j);
        let rows = (column.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
        let child = b.child(j);
        let columns = trees.b.nodes[child as usize].used;
        node_pairs.push(NodePair { a: node_pair.a, b: child, rows, columns });
    }
    // A resting child against moving leaves.
    let mut single = pairs & columns_of_leaves & !rows_of_leaves;
    while single != 0 {
        let i = (single.trailing_zeros() >> 3) as usize;
        let columns = (single >> (8 * i)) as u8;
        single &= !(0xff << (8 * i));
        let child = a.child(i);
        node_pairs.push(NodePair {
            a: child,
            b: node_pair.b,
            rows: trees.a.nodes[child as usize].used,
            columns,
        });
    }
    let mut both = pairs & columns_of_leaves & rows_of_leaves;
    while both != 0 {
        let at = both.trailing_zeros() as usize;
        both &= both - 1;
        let pair = [a.leaf(at >> 3, trees.a.precision), b.leaf(at & 7, trees.b.precision)];
        for (leaf, tree) in pair.iter().zip([trees.a, trees.b]) {
            for line in 0..3 {
                simd.prefetch(tree.words, leaf.words as usize + 32 * line);
            }
        }
        leaves.push(pair);
    }
}
