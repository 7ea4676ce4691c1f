//! The traversal for the distance of a point: depth first, what is nearest by its volume before the rest, as
//! long as it may still matter.
//!
//! # Lower bounds
//! u = 2^-24. The point x is known in the tree's frame to within `error` in each coordinate, and rounds to
//! f32 by u |x|; with X = |x| + reach no difference x - c is larger, and rounds by u X. So on each axis it is
//! off by less than pad = error + 8 u X, which also has the last difference's rounding, |x - c| - e - pad.
//! Squares and their sum round by 4 u of themselves, which [`limit`] allows for.
//!
//! And for any direction w the volume is at least min w.(y - x) / |w| away, y being its points. With w = c -
//! x, c the box's centre, that is good for a slab that lies across w, however large the box is. As in
//! `relative.rs`, for every al, w.(y - c) >= al mid - |al| half - |w - al n|.e; al = w.n is taken, and then
//! likewise for the second slab with what is left of w. Let W = |w|_1, and E bound the half sides e. Then
//! |al| <= W and no mid or half exceeds 2 E; what is left of w sums up to 2.74 W after the first slab and to
//! 7.5 W after the second, as |n|_1 <= 1.7321. Roundings: w.w 3 u W X, and w itself W times what x - c is off
//! by; of the first slab 4 u W E for products with mid and half, 5 u W E for what is left, 9 u W E for its
//! product with e, 21 u W E and 3 u W X for the last sums; of the second 2.74 times that. All is less than W
//! (pad + 160 u E).
//!
//! # Leaves
//! In a leaf's lattice the point is off by error / step, by u |x'| where it becomes f32 and less where it is
//! calculated; a corner is off by [`ALPHA`], and the difference of both rounds by u of itself: with X' =
//! |x'| + range, `off` = ALPHA + error / step + 4 u X' holds each coordinate of a corner relative to the
//! point. For any direction w the triangle is at least min w.c_i / |w| away (see `triangle/closest.rs`), and
//! a product w.c is off by |w|_1 (off + 3 u X'). Which w is tried is a guess at the nearest point; where
//! anything overflows, the bound is NaN, and counts as 0.
use super::{
    TreeView,
    from_world::Near,
    leaf::{self, ALPHA, Lattice, LeafRef},
    nearest::{is_further, limit},
    node::{DecodedSlabs, Node, WIDTH},
    relative::{U, up},
};
use crate::{
    Count, SimdLevel,
    distance::Visitor,
    hierarchy::Stop,
    simd::{Lanes, Mask, Simd, Work, detect},
    triangle::lanes::{Vector, cross, dot, sub},
};
use std::ops::ControlFlow;

/// A child that may matter, and from where on: for a point the square of how near it may be in the tree's
/// frame, for a ray the parameter at which it may be entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) near: f32,
    pub(super) node: u32,
    /// Of `node`, if the child is a leaf; else [`WIDTH`], and `node` is the child.
    pub(super) lane: u8,
}

impl Waiting {
    #[inline(always)]
    fn new(node: &Node, index: u32, lane: usize, near: f32) -> Self {
        if node.leaves >> lane & 1 == 1 {
            Self { near, node: index, lane: lane as u8 }
        } else {
            Self { near, node: node.child(lane), lane: WIDTH as u8 }
        }
    }
}

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct PointStack(pub(super) Vec<Waiting>);

/// A tree and a point.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) tree: TreeView<'a>,
    /// In the tree's frame.
    pub(crate) point: Near,
    /// Of a unit of that, in the world, at least.
    pub(crate) length: f64,
    pub(crate) stop: Stop<'a>,
}

/// Shows the visitor all pairs (0, triangle) that may be as near as its limit, until it breaks or the stop
/// flag is set.
pub(crate) fn walk(
    level: SimdLevel,
    task: Task<'_>,
    stack: &mut PointStack,
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) {
    stack.0.clear();
    if !task.tree.nodes.is_empty() {
        stack.0.push(Waiting { near: 0.0, node: 0, lane: WIDTH as u8 });
        detect(level).call(Walk { task, stack, count, visitor });
    }
}

struct Walk<'a, 's, 'v> {
    task: Task<'a>,
    stack: &'s mut PointStack,
    count: &'s mut Count,
    visitor: &'s mut Visitor<'v>,
}

impl Work for Walk<'_, '_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { task, stack, count, visitor } = self;
        let Task { tree, point, length, stop } = task;
        let size = point.v[0].abs().max(point.v[1].abs()).max(point.v[2].abs()) + tree.reach;
        let pad = up(point.error + 8.0 * U * size);
        let x = [point.v[0] as f32, point.v[1] as f32, point.v[2] as f32];
        let mut most = limit(visitor.progress.limit, length);
        let mut steps = 0_usize;
        while let Some(Waiting { near, node, lane }) = stack.0.pop() {
            if is_further(near, most) {
                continue;
            }
            if steps & 15 == 0 && stop.is_set() {
                return;
            }
            steps += 1;
            let at = &tree.nodes[node as usize];
            if usize::from(lane) < WIDTH {
                let leaf = at.leaf(usize::from(lane), tree.precision);
                if look(simd, &task, leaf, count, visitor).is_break() {
                    return;
                }
                most = limit(visitor.progress.limit, length);
                continue;
            }
            count.volumes_tested(u64::from(at.used.count_ones()));
            let mut near = [0.0_f32; WIDTH];
            let lanes = distances(simd, at, &x, (pad, most), &mut near);
            push(at, node, &near, lanes, &mut stack.0);
            prefetch(simd, tree, &stack.0);
        }
    }
}

/// The squares of how near the children of a node may be, and which of them are near enough.
#[inline(always)]
fn distances<S: Simd>(
    simd: S,
    node: &Node,
    x: &[f32; 3],
    (pad, most): (f32, f32),
    near: &mut [f32; WIDTH],
) -> u8 {
    let boxes = node.boxes(simd);
    let (x, pad, zero) = (simd.eights(x), simd.eight(pad), simd.eight(0.0));
    let d = [x[0] - boxes.c[0], x[1] - boxes.c[1], x[2] - boxes.c[2]];
    let gap = [
        (d[0].abs() - boxes.e[0] - pad).max(zero),
        (d[1].abs() - boxes.e[1] - pad).max(zero),
        (d[2].abs() - boxes.e[2] - pad).max(zero),
    ];
    let square = dot(gap, gap);
    // From the point to the boxes' centres.
    let w = [zero - d[0], zero - d[1], zero - d[2]];
    let (length, taxicab) = (dot(w, w), w[0].abs() + w[1].abs() + w[2].abs());
    let sides = boxes.e[0] + boxes.e[1] + boxes.e[2];
    let room = taxicab * sides.mul_add(simd.eight(160.0 * U as f32), pad);
    // What slabs say along w, and what is left of w for the next one and the box.
    let (mut along, mut rest, mut beyond) = (length - room, w, zero);
    for which in 0..usize::from(node.slabs) {
        let DecodedSlabs { n, mid, half } = node.slabs(simd, which & 1);
        let al = dot(rest, n);
        rest = [rest[0] - al * n[0], rest[1] - al * n[1], rest[2] - al * n[2]];
        along = along + (al * mid - al.abs() * half);
        let left = dot([rest[0].abs(), rest[1].abs(), rest[2].abs()], boxes.e);
        beyond = beyond.max(along - left);
    }
    // Divided first: the square of a product would overflow where the point is far away.
    let square = square.max(beyond / length.max(simd.eight(f32::MIN_POSITIVE)) * beyond);
    simd.store(square, near);
    for near in near {
        // NaN, where nothing is known of the point.
        *near = if *near >= 0.0 { *near } else { 0.0 };
    }
    (!square.gt(simd.eight(most)).bits() & u32::from(node.used)) as u8
}

/// Pairs to be compared, in this order, that sort eight numbers (Knuth, The Art of Computer Programming 3,
/// 5.3.4).
const NETWORK: [[usize; 2]; 19] = [
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [2, 4],
    [3, 5],
    [1, 4],
    [3, 6],
    [1, 2],
    [3, 4],
    [5, 6],
];

/// Some children, the nearest on top.
#[inline(always)]
pub(super) fn push(node: &Node, index: u32, near: &[f32; WIDTH], lanes: u8, stack: &mut Vec<Waiting>) {
    if lanes.count_ones() < 3 {
        push_few(node, index, near, lanes, stack);
        return;
    }
    // As integers in the same order, with the lane for the last three bits: branches on which child is nearer
    // would be guessed wrongly half of the time.
    let mut keys = [i32::MAX; WIDTH];
    for (lane, key) in keys.iter_mut().enumerate() {
        let bits = near[lane].to_bits() as i32;
        let ordered = bits ^ ((bits >> 31) & i32::MAX);
        *key = if lanes >> lane & 1 == 1 { (ordered & !7) | lane as i32 } else { i32::MAX };
    }
    for [i, j] in NETWORK {
        let (low, high) = (keys[i].min(keys[j]), keys[i].max(keys[j]));
        (keys[i], keys[j]) = (low, high);
    }
    for key in keys[..lanes.count_ones() as usize].iter().rev() {
        let lane = (key & 7) as usize;
        stack.push(Waiting::new(node, index, lane, near[lane]));
    }
}

/// The same of one or two.
#[inline(always)]
fn push_few(node: &Node, index: u32, near: &[f32; WIDTH], lanes: u8, stack: &mut Vec<Waiting>) {
    if lanes == 0 {
        return;
    }
    let (i, j) = (lanes.trailing_zeros() as usize & 7, 7 - (lanes.leading_zeros() as usize & 7));
    let (first, last) = if near[i] < near[j] { (i, j) } else { (j, i) };
    if i != j {
        stack.push(Waiting::new(node, index, last, near[last]));
    }
    stack.push(Waiting::new(node, index, first, near[first]));
}

/// Asks memory for what the walk opens next, and then.
#[inline(always)]
pub(super) fn prefetch<S: Simd>(simd: S, tree: TreeView<'_>, stack: &[Waiting]) {
    let first = stack.len().saturating_sub(2);
    for waiting in &stack[first..] {
        let node = &tree.nodes[waiting.node as usize];
        if usize::from(waiting.lane) == WIDTH {
            simd.prefetch(tree.nodes, waiting.node as usize);
            continue;
        }
        let leaf = node.leaf(usize::from(waiting.lane), tree.precision);
        // A line has 32 words; a leaf of eight triangles takes four of them.
        for line in 0..4 {
            simd.prefetch(tree.words, leaf.words as usize + 32 * line);
        }
        simd.prefetch(tree.order, leaf.first as usize);
    }
}

/// Shows the visitor the triangles of a leaf that may be near enough, the nearest first.
#[inline(always)]
fn look<S: Simd>(
    simd: S,
    task: &Task<'_>,
    leaf: LeafRef,
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) -> ControlFlow<()> {
    let tree = task.tree;
    count.leaves_met(u64::from(leaf.count));
    let lattice = Lattice::read(&tree.words[leaf.words as usize..]);
    let mut near = [0.0_f32; WIDTH];
    triangles(simd, task, leaf, &lattice, &mut near);
    let step = f64::from(lattice.step) * task.length;
    let mut most = limit(visitor.progress.limit, step);
    let mut left = (1_u32 << leaf.count) - 1;
    while left != 0 {
        let (mut nearest, mut best) = (f32::INFINITY, left.trailing_zeros() as usize);
        for (i, &near) in near.iter().enumerate() {
            if left >> i & 1 == 1 && near < nearest {
                (nearest, best) = (near, i);
            }
        }
        if is_further(near[best & 7], most) {
            break;
        }
        left &= !(1 << best);
        count.triangles_tested(1);
        visitor.take([0, tree.order[leaf.first as usize + best]])?;
        most = limit(visitor.progress.limit, step);
    }
    ControlFlow::Continue(())
}

/// The squares of how near the triangles of a leaf may be, in its lattice.
#[inline(always)]
fn triangles<S: Simd>(simd: S, task: &Task<'_>, leaf: LeafRef, lattice: &Lattice, near: &mut [f32; WIDTH]) {
    let (tree, Near { v, error }) = (task.tree, task.point);
    let q = leaf::corners(simd, tree.words, leaf, tree.precision);
    let per_unit = f64::from(lattice.per_unit);
    let mut x = [0.0_f32; 3];
    let mut far = f64::from(tree.precision.range());
    for k in 0..3 {
        let own = (v[k] - f64::from(lattice.origin[k])) * per_unit;
        x[k] = own as f32;
        far = far.max(own.abs() + f64::from(tree.precision.range()));
    }
    let (off, far) = (up(f64::from(ALPHA) + error * per_unit + 4.0 * U * far), up(far));
    let room = off + 4.0 * U as f32 * far;
    let x = simd.eights(&x);
    let c = [sub(q[0], x), sub(q[1], x), sub(q[2], x)];
    simd.store(squares(&c, simd.eight(room), [simd.eight(0.0), simd.eight(1.0)]), near);
    for near in near {
        // 0 / 0 and what overflows say nothing.
        *near = if *near > 0.0 && *near < f32::INFINITY { *near } else { 0.0 };
    }
}

/// The points of segments from a along u that are nearest to the origin, and the squares of their distances.
#[inline(always)]
fn on_segments<L: Lanes>(a: Vector<L>, u: Vector<L>, [zero, one]: [L; 2]) -> (Vector<L>, L) {
    let x = ((zero - dot(a, u)) / dot(u, u)).max(zero).min(one);
    let y = [x.mul_add(u[0], a[0]), x.mul_add(u[1], a[1]), x.mul_add(u[2], a[2])];
    (y, dot(y, y))
}

/// The shorter ones.
#[inline(always)]
fn shorter<L: Lanes>((a, p): (Vector<L>, L), (b, q): (Vector<L>, L)) -> (Vector<L>, L) {
    let is_less = q.gt(p);
    (
        [a[0].or_else(is_less, b[0]), a[1].or_else(is_less, b[1]), a[2].or_else(is_less, b[2])],
        p.or_else(is_less, q),
    )
}

/// The squares of how near triangles are to the origin at least.
#[inline(always)]
fn squares<L: Lanes>([a, b, c]: &[Vector<L>; 3], room: L, [zero, one]: [L; 2]) -> L {
    let (e, f, g) = (sub(*b, *a), sub(*c, *a), sub(*c, *b));
    let n = cross(e, f);
    // Whether the foot on the plane lies inside: seen along the normal, on the inner side of all three edges.
    let sides = [dot(cross(*a, e), n), dot(cross(f, *a), n), dot(cross(*b, g), n)];
    let inside = sides[0].min(sides[1]).min(sides[2]).gt(zero);
    let ends = [zero, one];
    let y = shorter(on_segments(*a, e, ends), shorter(on_segments(*a, f, ends), on_segments(*b, g, ends))).0;
    let w = [n[0].or_else(inside, y[0]), n[1].or_else(inside, y[1]), n[2].or_else(inside, y[2])];
    let (p, q, r) = (dot(w, *a), dot(w, *b), dot(w, *c));
    // From the other side the normal is the other one.
    let (least, most) = (p.min(q).min(r), p.max(q).max(r));
    let reach = least.max(zero - most) - (w[0].abs() + w[1].abs() + w[2].abs()) * room;
    // The roundings are those that `limit` allows for.
    let reach = reach.max(zero);
    reach / dot(w, w) * reach
}
