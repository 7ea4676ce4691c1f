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
    pairs::{COLUMNS, Ring, Vector, dot, sub},
};
use crate::{
    Probe,
    any::Way,
    narrow::Narrow,
    simd::{Detected, Lanes, Mask, Ones, Simd, detect},
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
}

/// Pairs of leaves that wait at most, so that their memory has time to come.
const WAITING: usize = 32;

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
    part: Part<'a>,
}

/// Visits everything that may meet, until `found` breaks; it gets pairs that do meet.
pub(crate) fn walk<P: Probe, B>(
    (a, b): (&WideTree, &WideTree),
    frame: &Frame,
    narrow: &Narrow<'_>,
    (way, part): (Way, Part<'_>),
    stack: &mut Stack,
    probe: &mut P,
    found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let trees = Trees { a, b, frame, narrow, eager: way.first, part };
    stack.blocks.clear();
    if a.nodes.is_empty() || b.nodes.is_empty() {
        return ControlFlow::Continue(());
    }
    match detect(way.query.simd) {
        Detected::Portable(simd) => run(simd, trees, stack, probe, found),
        #[cfg(target_arch = "x86_64")]
        Detected::Avx2(simd) => x86::run_avx2(simd, trees, stack, probe, found),
        #[cfg(target_arch = "x86_64")]
        Detected::Avx512(simd) => x86::run_avx512(simd, trees, stack, probe, found),
    }
}

/// The same code, compiled with the instructions that a level has.
#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]
    use super::*;
    use crate::simd::{Avx2, Avx512};

    pub(super) fn run_avx2<P: Probe, B>(
        simd: Avx2,
        trees: Trees<'_>,
        stack: &mut Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        fn inner<P: Probe, B>(
            simd: Avx2,
            trees: Trees<'_>,
            stack: &mut Stack,
            probe: &mut P,
            found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            run(simd, trees, stack, probe, found)
        }
        // SAFETY: `simd` is the proof, from `Avx2::detect`, that the processor has these instructions.
        unsafe { inner(simd, trees, stack, probe, found) }
    }
    pub(super) fn run_avx512<P: Probe, B>(
        simd: Avx512,
        trees: Trees<'_>,
        stack: &mut Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        #[target_feature(
            enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"
        )]
        fn inner<P: Probe, B>(
            simd: Avx512,
            trees: Trees<'_>,
            stack: &mut Stack,
            probe: &mut P,
            found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            run(simd, trees, stack, probe, found)
        }
        // SAFETY: `simd` is the proof, from `Avx512::detect`, that the processor has these instructions.
        unsafe { inner(simd, trees, stack, probe, found) }
    }
}

#[inline(always)]
fn run<S: Simd, P: Probe, B>(
    simd: S,
    trees: Trees<'_>,
    stack: &mut Stack,
    probe: &mut P,
    found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Stack { blocks, leaves, ring } = stack;
    leaves.clear();
    ring.len = 0;
    if let Part::Below(left) = trees.part {
        blocks.extend_from_slice(left);
    } else {
        let (root_a, root_b) = (&trees.a.nodes[0], &trees.b.nodes[0]);
        blocks.push(Block { a: 0, b: 0, rows: root_a.used, columns: root_b.used });
    }
    // Of a walk from the top, blocks are a queue: this many have left it.
    let mut done = 0;
    loop {
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
        open(simd, trees, block, blocks, leaves, probe);
        if leaves.len() >= WAITING || (trees.eager && !leaves.is_empty()) {
            meet_leaves(simd, trees, leaves, ring, probe, found)?;
            if trees.eager {
                decide(simd, trees, ring, true, probe, found)?;
            }
        }
    }
    blocks.drain(..done);
    meet_leaves(simd, trees, leaves, ring, probe, found)?;
    decide(simd, trees, ring, true, probe, found)
}

/// One side of a block: boxes in their own frame and in the other's, as least and greatest corners.
#[derive(Clone, Copy)]
struct Side<L> {
    lo: Vector<L>,
    hi: Vector<L>,
    lifted_lo: Vector<L>,
    lifted_hi: Vector<L>,
}

#[inline(always)]
fn splat<S: Simd>(simd: S, v: &[f32; 3]) -> Vector<S::Eight> {
    [simd.eight(v[0]), simd.eight(v[1]), simd.eight(v[2])]
}

/// m v + t, with v's lanes.
#[inline(always)]
fn map<S: Simd>(simd: S, m: &[[f32; 3]; 3], v: Vector<S::Eight>, t: &[f32; 3]) -> Vector<S::Eight> {
    let row = |i: usize| {
        let [x, y, z] = [0, 1, 2].map(|k| simd.eight(m[i][k]));
        v[2].mul_add(z, v[1].mul_add(y, v[0].mul_add(x, simd.eight(t[i]))))
    };
    [row(0), row(1), row(2)]
}

/// m^T v, with v's lanes.
#[inline(always)]
fn map_back<S: Simd>(simd: S, m: &[[f32; 3]; 3], v: Vector<S::Eight>) -> Vector<S::Eight> {
    let row = |i: usize| {
        let [x, y, z] = [0, 1, 2].map(|k| simd.eight(m[k][i]));
        v[2].mul_add(z, v[1].mul_add(y, v[0] * x))
    };
    [row(0), row(1), row(2)]
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
    let plus = |a: Vector<S::Eight>, b: Vector<S::Eight>| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    (Side { lo: sub(c, e), hi: plus(c, e), lifted_lo: sub(p, q), lifted_hi: plus(p, q) }, p)
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
fn rows<S: Simd>(simd: S, looped: &Side<S::Eight>, mut live: u32, fixed: &Side<S::Eight>, columns: u32) -> u64 {
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
        let at = |k: usize| {
            [simd.eight(lanes[k][i & 7]), simd.eight(lanes[k + 1][i & 7]), simd.eight(lanes[k + 2][i & 7])]
        };
        let apart = beside(&fixed.lifted_lo, &fixed.lifted_hi, &at(0), &at(3))
            | beside(&fixed.lo, &fixed.hi, &at(6), &at(9));
        pairs |= u64::from(!apart.bits() & columns) << (8 * i);
    }
    pairs
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
fn open<S: Simd, P: Probe>(
    simd: S,
    trees: Trees<'_>,
    block: Block,
    blocks: &mut Vec<Block>,
    leaves: &mut Vec<[LeafRef; 2]>,
    probe: &mut P,
) {
    let Frame { to_resting, to_moving, .. } = trees.frame;
    let (a, b) = (&trees.a.nodes[block.a as usize], &trees.b.nodes[block.b as usize]);
    let (boxes_a, boxes_b) = (a.boxes(simd), b.boxes(simd));
    let (side_a, _) = side(simd, &boxes_a, to_moving);
    let (side_b, p) = side(simd, &boxes_b, to_resting);
    probe.volumes_tested(u64::from(block.rows.count_ones() * block.columns.count_ones()));
    probe.volumes_placed(u64::from(block.rows.count_ones() + block.columns.count_ones()));

    // Lanes of the one beside the whole other node.
    let whole = |node: &Node| {
        let (origin, sides) = node.frame();
        let slack = [0, 1, 2].map(|k| (origin[k].abs() + sides[k]) * 4e-7);
        (
            splat(simd, &[0, 1, 2].map(|k| origin[k] - slack[k])),
            splat(simd, &[0, 1, 2].map(|k| origin[k] + sides[k] + slack[k])),
        )
    };
    let (low_b, high_b) = whole(b);
    let (low_a, high_a) = whole(a);
    let live_a = u32::from(block.rows) & !beside(&side_a.lifted_lo, &side_a.lifted_hi, &low_b, &high_b).bits();
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
        pairs &= !if slabs == 1 {
            apart_by_slabs::<S, 1>(simd, trees.frame, (a, &boxes_a), (b, &boxes_b), p, pairs)
        } else {
            apart_by_slabs::<S, 2>(simd, trees.frame, (a, &boxes_a), (b, &boxes_b), p, pairs)
        };
    }
    push(trees, block, (a, b), pairs, blocks, leaves);
}

/// Which of the pairs are apart by a slab of the one or the other. See the head of `frame.rs`.
#[inline(always)]
fn apart_by_slabs<S: Simd, const K: usize>(
    simd: S,
    frame: &Frame,
    (a, boxes_a): (&Node, &Boxes<S::Eight>),
    (b, boxes_b): (&Node, &Boxes<S::Eight>),
    p: Vector<S::Eight>,
    pairs: u64,
) -> u64 {
    let Frame { to_resting, to_moving, .. } = frame;
    let live = |node: &Node| -> [LiveSlabs<S::Eight>; K] { std::array::from_fn(|k| node.slabs(simd, k)) };
    let (slabs_a, slabs_b) = (live(a), live(b));
    let lifted_a = slabs_a.map(|slab| map_back(simd, &to_resting.r, slab.n));
    let lifted_b = slabs_b.map(|slab| map_back(simd, &to_moving.r, slab.n));
    let sum = |node: &Node| node.frame().1.iter().sum::<f32>() * 0.5;
    let (sum_a, sum_b) = (sum(a), sum(b));
    let eps_a = simd.pairs(to_resting.eps(sum_a, sum_b));
    let eps_b = simd.pairs(to_moving.eps(sum_b, sum_a) + frame.mirrored);

    let mut ones = Ones::NONE;
    simd.ones(pairs, &mut ones);
    let count = pairs.count_ones() as usize;
    let (mut apart, mut start) = (0, 0);
    while start < count {
        let (i, j) = simd.rows_and_columns(&ones, start);
        let of_a = |v: Vector<S::Eight>| v.map(|x| simd.lookup(x, i));
        let of_b = |v: Vector<S::Eight>| v.map(|x| simd.lookup(x, j));
        let d = sub(of_b(p), of_a(boxes_a.c));
        let (e_a, e_b) = (of_a(boxes_a.e), of_b(boxes_b.e));
        let n: [_; K] = slabs_a.map(|slab| of_a(slab.n));
        let g: [_; K] = lifted_a.map(of_a);
        let m: [_; K] = slabs_b.map(|slab| of_b(slab.n));
        let h: [_; K] = lifted_b.map(of_b);
        let (mid_a, half_a): ([_; K], [_; K]) =
            (slabs_a.map(|s| simd.lookup(s.mid, i)), slabs_a.map(|s| simd.lookup(s.half, i)));
        let (mid_b, half_b): ([_; K], [_; K]) =
            (slabs_b.map(|s| simd.lookup(s.mid, j)), slabs_b.map(|s| simd.lookup(s.half, j)));
        let mut bits = 0;
        for k in 0..K {
            // Along a resting slab: d takes the moving centre there.
            let mut r = g[k];
            let mut mid = dot(n[k], d) - mid_a[k];
            let mut half = half_a[k] + eps_a;
            for l in 0..K {
                let al = dot(g[k], m[l]);
                r = [0, 1, 2].map(|x| r[x] - al * m[l][x]);
                mid = al.mul_add(mid_b[l], mid);
                half = al.abs().mul_add(half_b[l], half);
            }
            half = dot(r.map(Lanes::abs), e_b) + half;
            bits |= mid.abs().gt(half).bits();
            // Along a moving one: the resting centre lies at -d.
            let mut r = h[k];
            let mut mid = zero_minus(simd, dot(h[k], d)) - mid_b[k];
            let mut half = half_b[k] + eps_b;
            for l in 0..K {
                let al = dot(h[k], n[l]);
                r = [0, 1, 2].map(|x| r[x] - al * n[l][x]);
                mid = al.mul_add(mid_a[l], mid);
                half = al.abs().mul_add(half_a[l], half);
            }
            half = dot(r.map(Lanes::abs), e_a) + half;
            bits |= mid.abs().gt(half).bits();
        }
        while bits != 0 {
            let k = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if start + k < count {
                apart |= 1 << (ones.0[start + k] & 63);
            }
        }
        start += S::PAIRS;
    }
    apart
}

#[inline(always)]
fn zero_minus<S: Simd>(simd: S, x: S::Pairs) -> S::Pairs {
    simd.pairs(0.0) - x
}

/// Sorts surviving pairs of lanes by what they lead to.
#[inline(always)]
fn push(
    trees: Trees<'_>,
    block: Block,
    (a, b): (&Node, &Node),
    pairs: u64,
    blocks: &mut Vec<Block>,
    leaves: &mut Vec<[LeafRef; 2]>,
) {
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    let columns_of_leaves = COLUMN * u64::from(b.leaves);
    // Eight bits of ones for each row that is a leaf.
    let spread = |mask: u8| {
        let bits = (COLUMN * u64::from(mask)) & 0x8040_2010_0804_0201;
        // A byte that is not zero becomes 255.
        ((bits | bits.wrapping_add(0x7f7f_7f7f_7f7f_7f7f)) >> 7 & COLUMN) * 255
    };
    let rows_of_leaves = spread(a.leaves);

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
        leaves.push([a.leaf(at >> 3, trees.a.grain), b.leaf(at & 7, trees.b.grain)]);
    }
}

/// A resting leaf, made ready.
#[derive(Clone, Copy)]
struct Resting<L> {
    leaf: LeafRef,
    lattice: Lattice,
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
    Resting { leaf, lattice, p0: v[0], e1: sub(v[1], v[0]), e2: sub(v[2], v[0]), side, bounds }
}

/// Pairs of triangles of waiting leaves: those whose boxes overlap go to the ring.
#[inline(always)]
fn meet_leaves<S: Simd, P: Probe, B>(
    simd: S,
    trees: Trees<'_>,
    leaves: &mut Vec<[LeafRef; 2]>,
    ring: &mut Ring,
    probe: &mut P,
    found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some(&[first, _]) = leaves.first() else { return ControlFlow::Continue(()) };
    let mut a = resting(simd, trees.a, first);
    for &[leaf, other] in leaves.iter() {
        probe.leaves_met(u64::from(leaf.count) * u64::from(other.count));
        if leaf != a.leaf {
            a = resting(simd, trees.a, leaf);
        }
        if !candidates(simd, trees, &a, other, ring, probe) {
            // Sizes so different that f32 may overflow: nothing to be had from this stage.
            for i in 0..leaf.count {
                for j in 0..other.count {
                    probe.triangles_tested(1);
                    exactly(trees, [leaf.first + i, other.first + j], probe, found)?;
                }
            }
        }
        if ring.is_full() {
            decide(simd, trees, ring, false, probe, found)?;
        }
    }
    leaves.clear();
    ControlFlow::Continue(())
}

/// Sends the pairs of two leaves whose boxes overlap to the ring; false if their sizes are too different for that.
#[inline(always)]
fn candidates<S: Simd, P: Probe>(
    simd: S,
    trees: Trees<'_>,
    a: &Resting<S::Eight>,
    other: LeafRef,
    ring: &mut Ring,
    probe: &mut P,
) -> bool {
    let frame = &trees.frame.leaves;
    let own = Lattice::read(&trees.b.words[other.words as usize..]);
    let local = leaf::corners(simd, &trees.b.words, other, trees.b.grain);
    let per_step = a.lattice.per_unit;
    let rho = own.step * per_step;
    let t: [f32; 3] = {
        let o = own.origin.map(f64::from);
        std::array::from_fn(|i| {
            let [x, y, z] = frame.linear[i];
            let image = x * o[0] + y * o[1] + z * o[2] + frame.t[i];
            ((image - f64::from(a.lattice.origin[i])) * f64::from(per_step)) as f32
        })
    };
    let far = t[0].abs().max(t[1].abs()).max(t[2].abs());
    // `limits`: no product of three sizes may overflow.
    const MOST: f32 = (1_u64 << 38) as f32;
    if !(far < MOST && rho * frame.lambda < (1 << 14) as f32) {
        return false;
    }
    let r = frame.r.map(|row| row.map(|x| x * rho));
    let q = local.map(|v| map(simd, &r, v, &t));
    let (lo, hi, side) = leaf::extents(&q);
    let u = super::frame::U as f32;
    let beta = rho * frame.per_step + 8.0 * u * far + frame.offset * per_step;
    // What alpha and beta and the rounding of these bounds themselves come to, the sums below included.
    let sizes = 2.0 * (trees.a.grain.range() + trees.b.grain.range() * rho * frame.lambda);
    let error = (ALPHA + beta + 2.0 * u * (far + sizes)) * 1.0001;
    let (lo, hi) = {
        let error = simd.eight(error);
        let plus = |v: Vector<S::Eight>| [v[0] + error, v[1] + error, v[2] + error];
        (sub(lo, [error; 3]), plus(hi))
    };
    let columns = (1_u32 << other.count) - 1;
    let mut pairs = 0;
    for i in 0..(a.leaf.count as usize).min(WIDTH) {
        let at = |k: usize| simd.eight(a.bounds[k][i]);
        let apart = beside(&lo, &hi, &[at(0), at(1), at(2)], &[at(3), at(4), at(5)]);
        pairs |= u64::from(!apart.bits() & columns) << (8 * i);
    }
    if pairs == 0 {
        return true;
    }
    let count = pairs.count_ones() as usize;
    probe.triangles_tested(count as u64);
    let eps = error + 4.0 * u * sizes;
    let two_eps = simd.eight(2.0 * eps);
    let (side_a, side_b) = (a.side + two_eps, side + two_eps);
    let mut ones = Ones::NONE;
    simd.ones(pairs, &mut ones);
    let mut start = 0;
    while start < count {
        let (i, j) = simd.rows_and_columns(&ones, start);
        let of_a = |v: &Vector<S::Eight>| v.map(|x| simd.lookup(x, i));
        let p0 = of_a(&a.p0);
        let [e1, e2] = [of_a(&a.e1), of_a(&a.e2)];
        let [q0, q1, q2] = q.map(|v| sub(v.map(|x| simd.lookup(x, j)), p0));
        let columns: [S::Pairs; COLUMNS] = [
            e1[0], e1[1], e1[2], e2[0], e2[1], e2[2], q0[0], q0[1], q0[2], q1[0], q1[1], q1[2], q2[0], q2[1], q2[2],
            simd.lookup(side_a, i),
            simd.lookup(side_b, j),
            simd.pairs(eps),
        ];
        let n = (count - start).min(S::PAIRS);
        ring.push(simd, columns, [a.leaf.first, other.first], [i, j], n);
        start += S::PAIRS;
    }
    true
}

/// Decides what waits in the ring: all of it, or full runs of lanes alone.
#[inline(always)]
fn decide<S: Simd, P: Probe, B>(
    simd: S,
    trees: Trees<'_>,
    ring: &mut Ring,
    all: bool,
    probe: &mut P,
    found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut start = 0;
    while start + S::PAIRS <= ring.len || (all && start < ring.len) {
        let lanes = ((1_u64 << (ring.len - start).min(S::PAIRS)) - 1) as u32;
        let [meet, unsure] = ring.decide(simd, start);
        let mut yes = meet & lanes;
        while yes != 0 {
            let [i, j] = ring.ranks(start + yes.trailing_zeros() as usize);
            yes &= yes - 1;
            found([trees.a.order[i as usize], trees.b.order[j as usize]])?;
        }
        let mut unsure = unsure & lanes;
        while unsure != 0 {
            let ranks = ring.ranks(start + unsure.trailing_zeros() as usize);
            unsure &= unsure - 1;
            exactly(trees, ranks, probe, found)?;
        }
        start += S::PAIRS;
    }
    ring.keep_from(simd, start);
    ControlFlow::Continue(())
}

/// The narrow phase for two triangles, by rank.
#[inline(always)]
fn exactly<P: Probe, B>(
    trees: Trees<'_>,
    [i, j]: [u32; 2],
    probe: &mut P,
    found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let pair = [trees.a.order[i as usize], trees.b.order[j as usize]];
    probe.left_to_filter();
    if trees.narrow.pair(pair, probe) { found(pair) } else { ControlFlow::Continue(()) }
}
