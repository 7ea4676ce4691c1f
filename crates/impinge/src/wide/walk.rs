//! The walk over two wide trees.
//!
//! It is not [`traverse`](crate::traverse::traverse): there a pair of volumes is tested at a time, and two leaves end in triangle numbers. Here the unit is a *block*, some lanes
//! of one node against some of another, with everything about the eight lanes made ready once; and leaves keep their triangles in the form that the first, f32 stage of the triangle
//! test wants. That stage says "meet" or "apart" where it is certain, and leaves the rest to [`Narrow`], where every query of every kind ends.
use super::{
    WideTree,
    frame::Frame,
    leaf::{self, ALPHA, Lattice, LeafRef},
    node::{Boxes, LiveSlabs, Node, WIDTH},
    pairs::{COLUMNS, Ring},
};
use crate::{
    Count, Probe,
    any::Way,
    narrow::Narrow,
    simd::{Detected, Lanes, MOST_DOUBLES, MOST_PAIRS, Mask, Ones, Simd, detect},
    triangle::lanes::{Vector, add, dot, sub},
};
use std::ops::ControlFlow;

/// Lanes of one node against lanes of another: inner ones stand for their children's nodes, leaves for themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    a: u32,
    b: u32,
    rows: u8,
    columns: u8,
}

/// Memory of the walk.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    pub(crate) blocks: Vec<Block>,
    leaves: Vec<[LeafRef; 2]>,
    ring: Box<Ring>,
    doubts: Doubts,
    /// For whoever wants the pairs elsewhere.
    pub(crate) hits: Vec<[u32; 2]>,
}

/// Pairs that the f32 stage leaves, by number, until there is one for each lane of f64.
#[derive(Debug, Default)]
struct Doubts {
    pairs: [[u32; 2]; MOST_DOUBLES],
    len: usize,
}

/// Pairs of leaves that wait at most, so that their memory has time to come.
const WAITING: usize = 32;

/// The way to a first contact: after so many blocks that led to none, what was put off longest gets a few, in a node's own order; then it goes on where it was. Where
/// bodies cross, the deepest pair of lanes nearly always leads to a contact (the screw joints of as1: 1.0 us instead of 3.8); where they only touch, it may lead past all of them, through
/// many blocks (voron: 10.5 us, and 1.8 with this, which costs others 5 %).
const GUESSES: u32 = 6;
const OTHERWISE: u32 = 5;

/// How much of the two trees one walk takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    All,
    /// Breadth first from the roots until that many blocks wait: they stay in the [`Stack`]. None do if there was less to walk.
    Top(usize),
    /// What lies below blocks that another walk left.
    Below(&'a [Block]),
}

/// Two trees, one to the other.
#[derive(Clone, Copy)]
struct Trees<'a> {
    a: &'a WideTree,
    b: &'a WideTree,
    frame: &'a Frame,
    narrow: &'a Narrow<'a>,
    /// Stop at the first pair: then nothing is put off.
    eager: bool,
    /// Of a block's pairs, the one that lies deepest in each other first.
    deepest: bool,
    part: Part<'a>,
}

/// Appends the pairs that meet to `hits`: all, or the first.
///
/// Nothing of it is generic for its callers, so that it is compiled once an instruction set, and in this crate: with a probe and a closure as parameters, a crate that used five of these took four
/// minutes. Counting always costs a few additions a block.
pub(crate) fn walk(
    (a, b): (&WideTree, &WideTree),
    frame: &Frame,
    narrow: &Narrow<'_>,
    (way, part): (Way<'_>, Part<'_>),
    stack: &mut Stack,
    count: &mut Count,
    hits: &mut Vec<[u32; 2]>,
) {
    let trees = Trees { a, b, frame, narrow, eager: way.first, deepest: way.first, part };
    stack.blocks.clear();
    if a.nodes.is_empty() || b.nodes.is_empty() {
        return;
    }
    // It stops early if the first pair is all that is wanted.
    let _: ControlFlow<()> = match detect(way.query.simd) {
        Detected::Portable(simd) => run(simd, trees, stack, count, hits),
        #[cfg(target_arch = "x86_64")]
        Detected::Avx2(simd) => x86::run_avx2(simd, trees, stack, count, hits),
        #[cfg(target_arch = "x86_64")]
        Detected::Avx512(simd) => x86::run_avx512(simd, trees, stack, count, hits),
    };
}

/// The same code, compiled with the instructions that a level has.
#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]
    use super::*;
    use crate::simd::{Avx2, Avx512};

    pub(super) fn run_avx2(
        simd: Avx2,
        trees: Trees<'_>,
        stack: &mut Stack,
        count: &mut Count,
        hits: &mut Vec<[u32; 2]>,
    ) -> ControlFlow<()> {
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        fn inner(
            simd: Avx2,
            trees: Trees<'_>,
            stack: &mut Stack,
            count: &mut Count,
            hits: &mut Vec<[u32; 2]>,
        ) -> ControlFlow<()> {
            run(simd, trees, stack, count, hits)
        }
        // SAFETY: `simd` is the proof, from `Avx2::detect`, that the processor has these instructions.
        unsafe { inner(simd, trees, stack, count, hits) }
    }
    pub(super) fn run_avx512(
        simd: Avx512,
        trees: Trees<'_>,
        stack: &mut Stack,
        count: &mut Count,
        hits: &mut Vec<[u32; 2]>,
    ) -> ControlFlow<()> {
        #[target_feature(
            enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"
        )]
        fn inner(
            simd: Avx512,
            trees: Trees<'_>,
            stack: &mut Stack,
            count: &mut Count,
            hits: &mut Vec<[u32; 2]>,
        ) -> ControlFlow<()> {
            run(simd, trees, stack, count, hits)
        }
        // SAFETY: `simd` is the proof, from `Avx512::detect`, that the processor has these instructions.
        unsafe { inner(simd, trees, stack, count, hits) }
    }
}

#[inline(always)]
fn run<S: Simd>(
    simd: S,
    mut trees: Trees<'_>,
    stack: &mut Stack,
    count: &mut Count,
    hits: &mut Vec<[u32; 2]>,
) -> ControlFlow<()> {
    let Stack { blocks, leaves, ring, doubts, .. } = stack;
    leaves.clear();
    ring.len = 0;
    doubts.len = 0;
    if let Part::Below(left) = trees.part {
        blocks.extend_from_slice(left);
    } else {
        let (root_a, root_b) = (&trees.a.nodes[0], &trees.b.nodes[0]);
        blocks.push(Block { a: 0, b: 0, rows: root_a.used, columns: root_b.used });
    }
    // Of a walk from the top, blocks are a queue: this many have left it.
    let mut done = 0;
    let mut opened = 0;
    loop {
        if trees.eager {
            opened += 1;
            if opened == GUESSES || opened == GUESSES + OTHERWISE {
                blocks.reverse();
            }
            trees.deepest = !(GUESSES..GUESSES + OTHERWISE).contains(&opened);
        }
        let block = match trees.part {
            Part::Top(most) if done < blocks.len() && blocks.len() - done < most => {
                done += 1;
                blocks[done - 1]
            }
            Part::Top(_) => break,
            Part::All | Part::Below(_) => match blocks.pop() {
                Some(block) => block,
                None => break,
            },
        };
        open(simd, trees, block, blocks, leaves, count);
        if leaves.len() >= WAITING || (trees.eager && !leaves.is_empty()) {
            meet_leaves(simd, trees, leaves, (ring, doubts), count, hits)?;
            if trees.eager {
                decide(simd, trees, (ring, doubts), true, count, hits)?;
            }
        }
    }
    blocks.drain(..done);
    meet_leaves(simd, trees, leaves, (ring, doubts), count, hits)?;
    decide(simd, trees, (ring, doubts), true, count, hits)
}

/// One side of a block: boxes in their own frame and in the other's, as least and greatest corners.
#[derive(Clone, Copy)]
struct Side<L> {
    lo: Vector<L>,
    hi: Vector<L>,
    lifted_lo: Vector<L>,
    lifted_hi: Vector<L>,
}

/// m v + t, with v's lanes.
#[inline(always)]
fn map<S: Simd>(simd: S, m: &[[f32; 3]; 3], v: Vector<S::Eight>, t: &[f32; 3]) -> Vector<S::Eight> {
    [row(simd, m[0], v, t[0]), row(simd, m[1], v, t[1]), row(simd, m[2], v, t[2])]
}

#[inline(always)]
fn row<S: Simd>(simd: S, m: [f32; 3], v: Vector<S::Eight>, t: f32) -> S::Eight {
    let [x, y, z] = simd.eights(&m);
    v[2].mul_add(z, v[1].mul_add(y, v[0].mul_add(x, simd.eight(t))))
}

/// m^T v, with v's lanes.
#[inline(always)]
fn map_back<S: Simd>(simd: S, m: &[[f32; 3]; 3], v: Vector<S::Eight>) -> Vector<S::Eight> {
    [
        dot(v, simd.eights(&[m[0][0], m[1][0], m[2][0]])),
        dot(v, simd.eights(&[m[0][1], m[1][1], m[2][1]])),
        dot(v, simd.eights(&[m[0][2], m[1][2], m[2][2]])),
    ]
}

#[inline(always)]
fn side<S: Simd>(
    simd: S,
    boxes: &Boxes<S::Eight>,
    lift: &super::frame::Lift,
) -> (Side<S::Eight>, Vector<S::Eight>) {
    let Boxes { c, e } = *boxes;
    let p = map(simd, &lift.r, c, &lift.t);
    let q = map(simd, &lift.size, e, &lift.pad);
    (Side { lo: sub(c, e), hi: add(c, e), lifted_lo: sub(p, q), lifted_hi: add(p, q) }, p)
}

/// Lanes of `lo` and `hi` that lie beside the box from `low` to `high`.
#[inline(always)]
fn beside<L: Lanes>(lo: &Vector<L>, hi: &Vector<L>, low: &Vector<L>, high: &Vector<L>) -> L::Mask {
    (lo[0].gt(high[0]) | low[0].gt(hi[0]))
        | (lo[1].gt(high[1]) | low[1].gt(hi[1]))
        | (lo[2].gt(high[2]) | low[2].gt(hi[2]))
}

/// For each lane of `live`, from the first, those of `fixed` whose boxes may meet its own: eight bits each.
#[inline(always)]
fn rows<S: Simd>(
    simd: S,
    looped: &Side<S::Eight>,
    mut live: u32,
    fixed: &Side<S::Eight>,
    columns: u32,
) -> u64 {
    let mut lanes = [[0.0_f32; 8]; 12];
    for k in 0..3 {
        simd.store(looped.lo[k], &mut lanes[k]);
        simd.store(looped.hi[k], &mut lanes[3 + k]);
        simd.store(looped.lifted_lo[k], &mut lanes[6 + k]);
        simd.store(looped.lifted_hi[k], &mut lanes[9 + k]);
    }
    let mut pairs = 0;
    while live != 0 {
        let i = live.trailing_zeros() as usize;
        live &= live - 1;
        let apart =
            beside(&fixed.lifted_lo, &fixed.lifted_hi, &at(simd, &lanes, 0, i), &at(simd, &lanes, 3, i))
                | beside(&fixed.lo, &fixed.hi, &at(simd, &lanes, 6, i), &at(simd, &lanes, 9, i));
        pairs |= u64::from(!apart.bits() & columns) << (8 * i);
    }
    pairs
}

/// One lane of three rows from the k-th on, in all lanes.
#[inline(always)]
fn at<S: Simd, const N: usize>(simd: S, lanes: &[[f32; WIDTH]; N], k: usize, i: usize) -> Vector<S::Eight> {
    simd.eights(&[lanes[k][i & 7], lanes[k + 1][i & 7], lanes[k + 2][i & 7]])
}

/// Rows and columns of a matrix of 8 x 8 bits exchanged.
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

/// Tests a block: what may meet goes to `blocks` and `leaves`.
#[inline(always)]
fn open<S: Simd>(
    simd: S,
    trees: Trees<'_>,
    block: Block,
    blocks: &mut Vec<Block>,
    leaves: &mut Vec<[LeafRef; 2]>,
    count: &mut Count,
) {
    let Frame { to_resting, to_moving, .. } = trees.frame;
    let (a, b) = (&trees.a.nodes[block.a as usize], &trees.b.nodes[block.b as usize]);
    let (boxes_a, boxes_b) = (a.boxes(simd), b.boxes(simd));
    let (side_a, _) = side(simd, &boxes_a, to_moving);
    let (side_b, p) = side(simd, &boxes_b, to_resting);
    count.volumes_tested(u64::from(block.rows.count_ones() * block.columns.count_ones()));
    count.volumes_placed(u64::from(block.rows.count_ones() + block.columns.count_ones()));

    // Lanes of the one beside the whole other node.
    let ((low_b, high_b), (low_a, high_a)) = (whole(simd, b), whole(simd, a));
    let live_a =
        u32::from(block.rows) & !beside(&side_a.lifted_lo, &side_a.lifted_hi, &low_b, &high_b).bits();
    let live_b =
        u32::from(block.columns) & !beside(&side_b.lifted_lo, &side_b.lifted_hi, &low_a, &high_a).bits();
    if live_a == 0 || live_b == 0 {
        return;
    }
    let mut pairs = if live_a.count_ones() <= live_b.count_ones() {
        rows(simd, &side_a, live_a, &side_b, live_b)
    } else {
        transposed(rows(simd, &side_b, live_b, &side_a, live_a))
    };
    if pairs == 0 {
        return;
    }
    let slabs = a.slabs.max(b.slabs);
    if slabs != 0 {
        let mut depths = [0.0; MOST_DEPTHS];
        let (all, wanted) = (pairs, trees.deepest.then_some(&mut depths));
        pairs &= !if slabs == 1 {
            apart_by_slabs::<S, 1>(simd, trees.frame, (a, &boxes_a), (b, &boxes_b), p, pairs, wanted)
        } else {
            apart_by_slabs::<S, 2>(simd, trees.frame, (a, &boxes_a), (b, &boxes_b), p, pairs, wanted)
        };
        if trees.deepest && pairs & pairs.wrapping_sub(1) != 0 {
            let best = deepest(all, pairs, &depths);
            push(simd, trees, block, (a, b), pairs & !best, blocks, leaves);
            pairs = best;
        }
    }
    push(simd, trees, block, (a, b), pairs, blocks, leaves);
}

/// Room for a depth for each pair of a block, and for a run of lanes.
const MOST_DEPTHS: usize = 64 + MOST_PAIRS;

/// The one of `left` that lies deepest in each other; `depths` are those of `all`, by the order of their bits.
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

/// The corners of a box around all lanes: the pads cover what their decoding rounds.
#[inline(always)]
fn whole<S: Simd>(simd: S, node: &Node) -> (Vector<S::Eight>, Vector<S::Eight>) {
    let (origin, sides) = node.frame();
    let end = [origin[0] + sides[0], origin[1] + sides[1], origin[2] + sides[2]];
    (simd.eights(&origin), simd.eights(&end))
}

/// Which of the pairs are apart by a slab of the one or the other. See the head of `frame.rs`.
///
/// `depths`, if wanted, get how deep each pair lies in each other along the slab where that is least: below 0 if it is apart.
#[inline(always)]
fn apart_by_slabs<S: Simd, const K: usize>(
    simd: S,
    frame: &Frame,
    (a, boxes_a): (&Node, &Boxes<S::Eight>),
    (b, boxes_b): (&Node, &Boxes<S::Eight>),
    p: Vector<S::Eight>,
    pairs: u64,
    mut depths: Option<&mut [f32; MOST_DEPTHS]>,
) -> u64 {
    let Frame { to_resting, to_moving, .. } = frame;
    let slabs_a = live::<S, K>(simd, a, &to_resting.r);
    let slabs_b = live::<S, K>(simd, b, &to_moving.r);
    let (sum_a, sum_b) = (a.half_sides(), b.half_sides());
    let eps_a = simd.pairs(to_resting.eps(sum_a, sum_b));
    let eps_b = simd.pairs(to_moving.eps(sum_b, sum_a) + frame.mirrored);

    let back = simd.pairs(frame.back);
    let mut ones = Ones::NONE;
    simd.ones(pairs, &mut ones);
    let count = pairs.count_ones() as usize;
    let (mut apart, mut start) = (0, 0);
    while start < count {
        let (i, j) = simd.rows_and_columns(&ones, start);
        let d = sub(simd.lookups(p, j), simd.lookups(boxes_a.c, i));
        let (e_a, e_b) = (simd.lookups(boxes_a.e, i), simd.lookups(boxes_b.e, j));
        let (of_a, of_b) = (picked::<S, K>(simd, &slabs_a, i), picked::<S, K>(simd, &slabs_b, j));
        // One number serves both ways, as any would: n . h = g . m `back` but for rounding (and shear).
        let mut al = [[back; K]; K];
        for k in 0..K {
            for l in 0..K {
                al[k][l] = dot(of_a[k].lifted, of_b[l].n);
            }
        }
        let mut bits = 0;
        let mut depth = simd.pairs(f32::MAX);
        for k in 0..K {
            // Along a resting slab: d takes the moving centre there.
            let (mut r, mut half) = (of_a[k].lifted, of_a[k].half + eps_a);
            let mut mid = dot(of_a[k].n, d) - of_a[k].mid;
            for l in 0..K {
                let (al, other) = (al[k][l], &of_b[l]);
                r = less(r, al, other.n);
                mid = al.mul_add(other.mid, mid);
                half = al.abs().mul_add(other.half, half);
            }
            half = dot([r[0].abs(), r[1].abs(), r[2].abs()], e_b) + half;
            if depths.is_some() {
                depth = depth.min(half - mid.abs());
            }
            bits |= mid.abs().gt(half).bits();
            // Along a moving one the resting centre lies at -d: everything with the other sign.
            let (mut r, mut half) = (of_b[k].lifted, of_b[k].half + eps_b);
            let mut mid = dot(of_b[k].lifted, d) + of_b[k].mid;
            for l in 0..K {
                let (al, other) = (al[l][k] * back, &of_a[l]);
                r = less(r, al, other.n);
                mid = mid - al * other.mid;
                half = al.abs().mul_add(other.half, half);
            }
            half = dot([r[0].abs(), r[1].abs(), r[2].abs()], e_a) + half;
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
    n: Vector<L>,
    lifted: Vector<L>,
    mid: L,
    half: L,
}

/// Slabs of all lanes; the transpose of `m` takes normals to the other frame.
#[inline(always)]
fn live<S: Simd, const K: usize>(simd: S, node: &Node, m: &[[f32; 3]; 3]) -> [Slab<S::Eight>; K] {
    let LiveSlabs { n, mid, half } = node.slabs(simd, 0);
    let mut all = [Slab { n, lifted: map_back(simd, m, n), mid, half }; K];
    if K > 1 {
        let LiveSlabs { n, mid, half } = node.slabs(simd, 1);
        all[K - 1] = Slab { n, lifted: map_back(simd, m, n), mid, half };
    }
    all
}

/// For each pair of lanes, one side's slabs.
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
        lifted: simd.lookups(slab.lifted, at),
        mid: simd.lookup(slab.mid, at),
        half: simd.lookup(slab.half, at),
    }
}

/// r - al n.
#[inline(always)]
fn less<L: Lanes>(r: Vector<L>, al: L, n: Vector<L>) -> Vector<L> {
    [r[0] - al * n[0], r[1] - al * n[1], r[2] - al * n[2]]
}

/// The first bit of each row: times eight bits it repeats them in every row.
const COLUMN: u64 = 0x0101_0101_0101_0101;

/// Pairs of lanes of which the one of `a`, or of `b`, is a leaf.
#[inline(always)]
fn leaves_of(a: &Node, b: &Node) -> (u64, u64) {
    let bits = (COLUMN * u64::from(a.leaves)) & 0x8040_2010_0804_0201;
    // A byte that is not zero becomes 255.
    let rows = ((bits | bits.wrapping_add(0x7f7f_7f7f_7f7f_7f7f)) >> 7 & COLUMN) * 255;
    (rows, COLUMN * u64::from(b.leaves))
}

/// Sorts surviving pairs of lanes by what they lead to.
#[inline(always)]
fn push<S: Simd>(
    simd: S,
    trees: Trees<'_>,
    block: Block,
    (a, b): (&Node, &Node),
    pairs: u64,
    blocks: &mut Vec<Block>,
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
        blocks.push(Block { a: i, b: j, rows, columns });
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
        blocks.push(Block { a: block.a, b: child, rows, columns });
    }
    // A resting child against moving leaves.
    let mut single = pairs & columns_of_leaves & !rows_of_leaves;
    while single != 0 {
        let i = (single.trailing_zeros() >> 3) as usize;
        let columns = (single >> (8 * i)) as u8;
        single &= !(0xff << (8 * i));
        let child = a.child(i);
        blocks.push(Block { a: child, b: block.b, rows: trees.a.nodes[child as usize].used, columns });
    }
    let mut both = pairs & columns_of_leaves & rows_of_leaves;
    while both != 0 {
        let at = both.trailing_zeros() as usize;
        both &= both - 1;
        let pair = [a.leaf(at >> 3, trees.a.grain), b.leaf(at & 7, trees.b.grain)];
        for (leaf, tree) in pair.iter().zip([trees.a, trees.b]) {
            for line in 0..3 {
                simd.prefetch(&tree.words, leaf.words as usize + 32 * line);
            }
        }
        leaves.push(pair);
    }
}

/// A resting leaf, made ready.
#[derive(Clone, Copy)]
struct Resting<L> {
    leaf: LeafRef,
    lattice: Lattice,
    /// The lattice's, for lanes.
    origin: [f64; MOST_DOUBLES],
    p0: Vector<L>,
    e1: Vector<L>,
    e2: Vector<L>,
    side: L,
    /// Least and greatest corners of the boxes, by axis.
    bounds: [[f32; WIDTH]; 6],
}

#[inline(always)]
fn resting<S: Simd>(simd: S, tree: &WideTree, leaf: LeafRef) -> Resting<S::Eight> {
    let v = leaf::corners(simd, &tree.words, leaf, tree.grain);
    let (lo, hi, side) = leaf::extents(&v);
    let mut bounds = [[0.0; WIDTH]; 6];
    for k in 0..3 {
        simd.store(lo[k], &mut bounds[k]);
        simd.store(hi[k], &mut bounds[3 + k]);
    }
    let lattice = Lattice::read(&tree.words[leaf.words as usize..]);
    let mut origin = [0.0; MOST_DOUBLES];
    for (to, x) in origin.iter_mut().zip(lattice.origin) {
        *to = f64::from(x);
    }
    Resting { leaf, lattice, origin, p0: v[0], e1: sub(v[1], v[0]), e2: sub(v[2], v[0]), side, bounds }
}

/// Pairs of triangles of waiting leaves: those whose boxes overlap go to the ring.
#[inline(always)]
fn meet_leaves<S: Simd>(
    simd: S,
    trees: Trees<'_>,
    leaves: &mut Vec<[LeafRef; 2]>,
    (ring, doubts): (&mut Ring, &mut Doubts),
    count: &mut Count,
    hits: &mut Vec<[u32; 2]>,
) -> ControlFlow<()> {
    let Some(&[first, _]) = leaves.first() else { return ControlFlow::Continue(()) };
    let mut a = resting(simd, trees.a, first);
    for &[leaf, other] in leaves.iter() {
        count.leaves_met(u64::from(leaf.count) * u64::from(other.count));
        if leaf != a.leaf {
            a = resting(simd, trees.a, leaf);
        }
        if !candidates(simd, trees, &a, other, ring, count) {
            // Sizes so different that f32 may overflow: nothing to be had from this stage.
            for i in 0..leaf.count {
                for j in 0..other.count {
                    count.triangles_tested(1);
                    doubt(simd, trees, [leaf.first + i, other.first + j], doubts, count, hits)?;
                }
            }
        }
        if ring.is_full() || (trees.eager && ring.len >= S::PAIRS) {
            decide(simd, trees, (ring, doubts), false, count, hits)?;
        }
    }
    leaves.clear();
    ControlFlow::Continue(())
}

/// A corner of the moving leaf in the resting one's lattice.
#[inline(always)]
fn scaled<S: Simd>(
    simd: S,
    frame: &super::frame::Leaves,
    v: Vector<S::Eight>,
    scale: S::Eight,
    t: &[f32; 3],
) -> Vector<S::Eight> {
    map(simd, &frame.r, [v[0] * scale, v[1] * scale, v[2] * scale], t)
}

/// Sends the pairs of two leaves whose boxes overlap to the ring; false if their sizes are too different for that.
#[inline(always)]
fn candidates<S: Simd>(
    simd: S,
    trees: Trees<'_>,
    a: &Resting<S::Eight>,
    other: LeafRef,
    ring: &mut Ring,
    count: &mut Count,
) -> bool {
    let frame = &trees.frame.leaves;
    let own = Lattice::read(&trees.b.words[other.words as usize..]);
    let local = leaf::corners(simd, &trees.b.words, other, trees.b.grain);
    let per_step = a.lattice.per_unit;
    let rho = own.step * per_step;
    let mut t = [0.0; MOST_DOUBLES];
    {
        let [x, y, z] = own.origin;
        let [x, y, z] = simd.splat_doubles(&[f64::from(x), f64::from(y), f64::from(z)]);
        let [c0, c1, c2, c3] = &frame.columns;
        let image = x.mul_add(simd.load_doubles(c0), simd.load_doubles(c3));
        let image = z.mul_add(simd.load_doubles(c2), y.mul_add(simd.load_doubles(c1), image));
        let image = image - simd.load_doubles(&a.origin);
        simd.store_singles(image * simd.doubles(f64::from(per_step)), &mut t);
    }
    let far = t[0].abs().max(t[1].abs()).max(t[2].abs());
    // `limits`: no product of three sizes may overflow.
    const MOST: f32 = (1_u64 << 38) as f32;
    if !(far < MOST && rho * frame.lambda < (1 << 14) as f32) {
        return false;
    }
    // rho is a power of two: no rounding.
    let scale = simd.eight(rho);
    let t = [t[0], t[1], t[2]];
    let [v0, v1, v2] = local;
    let q = [
        scaled(simd, frame, v0, scale, &t),
        scaled(simd, frame, v1, scale, &t),
        scaled(simd, frame, v2, scale, &t),
    ];
    let (lo, hi, side) = leaf::extents(&q);
    let u = super::frame::U as f32;
    // alpha + beta, with all sizes that this arithmetic rounds.
    let off = (ALPHA + rho * frame.per_step + 4.0 * u * far + frame.offset * per_step) * 1.0001;
    let sizes = trees.a.grain.range() + trees.b.grain.range() * rho * frame.lambda;
    let error = off + 4.0 * u * (far + sizes);
    let (lo, hi) = {
        let error = simd.eight(error);
        (sub(lo, [error; 3]), add(hi, [error; 3]))
    };
    let columns = (1_u32 << other.count) - 1;
    let mut pairs = 0;
    for i in 0..(a.leaf.count as usize).min(WIDTH) {
        let apart = beside(&lo, &hi, &at(simd, &a.bounds, 0, i), &at(simd, &a.bounds, 3, i));
        pairs |= u64::from(!apart.bits() & columns) << (8 * i);
    }
    if pairs == 0 {
        return true;
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
        ring.push(simd, columns, [a.leaf.first, other.first], [i, j], n);
        start += S::PAIRS;
    }
    true
}

/// Decides what waits in the ring: all of it, or full runs of lanes alone.
#[inline(always)]
fn decide<S: Simd>(
    simd: S,
    trees: Trees<'_>,
    (ring, doubts): (&mut Ring, &mut Doubts),
    all: bool,
    count: &mut Count,
    hits: &mut Vec<[u32; 2]>,
) -> ControlFlow<()> {
    let mut start = 0;
    while start + S::PAIRS <= ring.len || (all && start < ring.len) {
        let lanes = ((1_u64 << (ring.len - start).min(S::PAIRS)) - 1) as u32;
        let [meet, unsure] = ring.decide(simd, start);
        let mut yes = meet & lanes;
        while yes != 0 {
            let [i, j] = ring.ranks(start + yes.trailing_zeros() as usize);
            yes &= yes - 1;
            found(trees, [trees.a.order[i as usize], trees.b.order[j as usize]], hits)?;
        }
        let mut unsure = unsure & lanes;
        while unsure != 0 {
            let ranks = ring.ranks(start + unsure.trailing_zeros() as usize);
            unsure &= unsure - 1;
            doubt(simd, trees, ranks, doubts, count, hits)?;
        }
        start += S::PAIRS;
    }
    ring.keep_from(simd, start);
    if all { settle(simd, trees, doubts, count, hits) } else { ControlFlow::Continue(()) }
}

/// Keeps a pair that meets; the first may be all that is wanted.
#[inline(always)]
fn found(trees: Trees<'_>, pair: [u32; 2], hits: &mut Vec<[u32; 2]>) -> ControlFlow<()> {
    hits.push(pair);
    if trees.eager { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Leaves a pair, by ranks, to the narrow phase.
#[inline(always)]
fn doubt<S: Simd>(
    simd: S,
    trees: Trees<'_>,
    [i, j]: [u32; 2],
    doubts: &mut Doubts,
    count: &mut Count,
    hits: &mut Vec<[u32; 2]>,
) -> ControlFlow<()> {
    count.left_to_filter();
    doubts.pairs[doubts.len] = [trees.a.order[i as usize], trees.b.order[j as usize]];
    doubts.len += 1;
    if doubts.len == S::DOUBLES {
        settle(simd, trees, doubts, count, hits)
    } else {
        ControlFlow::Continue(())
    }
}

/// Decides what waits there.
#[inline(always)]
fn settle<S: Simd>(
    simd: S,
    trees: Trees<'_>,
    doubts: &mut Doubts,
    count: &mut Count,
    hits: &mut Vec<[u32; 2]>,
) -> ControlFlow<()> {
    let pairs = &doubts.pairs[..doubts.len];
    doubts.len = 0;
    if pairs.is_empty() {
        return ControlFlow::Continue(());
    }
    let mut meet = trees.narrow.pairs(simd, pairs, trees.eager, count);
    while meet != 0 {
        found(trees, pairs[meet.trailing_zeros() as usize], hits)?;
        meet &= meet - 1;
    }
    ControlFlow::Continue(())
}
