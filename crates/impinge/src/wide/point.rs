//! The traversal for the distance of a point: depth first, what is nearest by its volume before the rest, as
//! long as it may still matter.
//!
//! # Lower bounds
//! u = 2^-24. The point x is known in the tree's frame to within `error` in each coordinate, and rounds to
//! f32 by u |x|; with X = |x| + reach no difference x - c is larger, and rounds by u X. So on each axis it is
//! off by less than pad = error + 8 u X, which also has the last difference's rounding, |x - c| - e - pad.
//! Squares and their sum round by 4 u of themselves, which [`limit`] allows for. Of a slab the value n.(x -
//! c) - mid is off by |n|_1 <= 1.7321 times error + 2 u X, and rounds by 4 u of 1.7321 X and u of 2 X: less
//! than 2 pad in all. Divided by the square of n, whatever that is, it is a square of a distance.
//!
//! # Leaves
//! In a leaf's lattice the point is off by error / step, by u |x'| where it becomes f32 and less where it is
//! calculated; a corner is off by [`ALPHA`], and the difference of both rounds by u of itself: with X' =
//! |x'| + range, `off` = ALPHA + error / step + 4 u X' holds each coordinate of a corner relative to the
//! point. For any direction w the triangle is at least min w.c_i / |w| away (see `triangle/closest.rs`), and
//! a product w.c is off by |w|_1 (off + 3 u X'). Which w is tried is a guess at the nearest point; where
//! anything overflows, the bound is NaN, and counts as 0.
use super::{
    WideTree,
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
    simd::{Lanes, Simd, Work, detect},
    triangle::lanes::dot,
};
use std::ops::ControlFlow;

/// A child that may matter, and the square of how near it may be in the tree's frame.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    near: f32,
    node: u32,
    /// Of `node`, if the child is a leaf; else [`WIDTH`], and `node` is the child.
    lane: u8,
}

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct PointStack(Vec<Waiting>);

/// A tree and a point.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) tree: &'a WideTree,
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
            distances(simd, at, &x, pad, &mut near);
            push(at, node, &near, most, &mut stack.0);
        }
    }
}

/// The squares of how near the children of a node may be.
#[inline(always)]
fn distances<S: Simd>(simd: S, node: &Node, x: &[f32; 3], pad: f32, near: &mut [f32; WIDTH]) {
    let boxes = node.boxes(simd);
    let (x, pad, zero) = (simd.eights(x), simd.eight(pad), simd.eight(0.0));
    let d = [x[0] - boxes.c[0], x[1] - boxes.c[1], x[2] - boxes.c[2]];
    let gap = [
        (d[0].abs() - boxes.e[0] - pad).max(zero),
        (d[1].abs() - boxes.e[1] - pad).max(zero),
        (d[2].abs() - boxes.e[2] - pad).max(zero),
    ];
    simd.store(dot(gap, gap), near);
    let two = pad + pad;
    for which in 0..usize::from(node.slabs) {
        let DecodedSlabs { n, mid, half } = node.slabs(simd, which & 1);
        let beyond = ((dot(n, d) - mid).abs() - half - two).max(zero);
        let (mut over, mut under) = ([0.0_f32; WIDTH], [0.0_f32; WIDTH]);
        simd.store(beyond * beyond, &mut over);
        simd.store(dot(n, n), &mut under);
        for i in 0..WIDTH {
            // NaN of a slab that is none.
            let square = over[i] / under[i];
            near[i] = if square > near[i] { square } else { near[i] };
        }
    }
    for near in near {
        // NaN, where nothing is known of the point.
        *near = if *near >= 0.0 { *near } else { 0.0 };
    }
}

/// The children that are near enough, the nearest on top.
#[inline(always)]
fn push(node: &Node, index: u32, near: &[f32; WIDTH], most: f32, stack: &mut Vec<Waiting>) {
    let first = stack.len();
    for (lane, &near) in near.iter().enumerate() {
        if node.used >> lane & 1 == 0 || is_further(near, most) {
            continue;
        }
        let waiting = if node.leaves >> lane & 1 == 1 {
            Waiting { near, node: index, lane: lane as u8 }
        } else {
            Waiting { near, node: node.child(lane), lane: WIDTH as u8 }
        };
        stack.push(waiting);
        let mut at = stack.len() - 1;
        while at > first && stack[at - 1].near < near {
            stack[at] = stack[at - 1];
            at -= 1;
        }
        stack[at] = waiting;
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
    let q = leaf::corners(simd, &tree.words, leaf, tree.precision);
    let per_unit = f64::from(lattice.per_unit);
    let mut x = [0.0_f32; 3];
    let mut far = f64::from(tree.precision.range());
    for k in 0..3 {
        let own = (v[k] - f64::from(lattice.origin[k])) * per_unit;
        x[k] = own as f32;
        far = far.max(own.abs() + f64::from(tree.precision.range()));
    }
    let u = U as f32;
    let (off, far) = (up(f64::from(ALPHA) + error * per_unit + 4.0 * U * far), up(far));
    let room = off + 4.0 * u * far;
    let x = simd.eights(&x);
    let mut c = [[[0.0_f32; WIDTH]; 3]; 3];
    for i in 0..3 {
        for k in 0..3 {
            simd.store(q[i][k] - x[k], &mut c[i][k]);
        }
    }
    for i in 0..WIDTH {
        let [a, b, d] = [
            [c[0][0][i], c[0][1][i], c[0][2][i]],
            [c[1][0][i], c[1][1][i], c[1][2][i]],
            [c[2][0][i], c[2][1][i], c[2][2][i]],
        ];
        near[i] = square_of_distance(a, b, d, room);
    }
}

#[inline(always)]
fn sub3(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
#[inline(always)]
fn dot3(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
#[inline(always)]
fn cross3(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
/// The point of a segment that is nearest to the origin.
#[inline(always)]
fn on_segment(a: [f32; 3], u: [f32; 3]) -> [f32; 3] {
    let x = -dot3(a, u) / dot3(u, u);
    let x = if x > 0.0 { x } else { 0.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    [a[0] + x * u[0], a[1] + x * u[1], a[2] + x * u[2]]
}
/// The shorter.
#[inline(always)]
fn shorter(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    let is_less = dot3(a, a) < dot3(b, b);
    [if is_less { a[0] } else { b[0] }, if is_less { a[1] } else { b[1] }, if is_less { a[2] } else { b[2] }]
}

/// The square of how near a triangle is to the origin at least. Without branches: eight are done at a time.
#[inline(always)]
fn square_of_distance(a: [f32; 3], b: [f32; 3], c: [f32; 3], room: f32) -> f32 {
    let (e, f, g) = (sub3(b, a), sub3(c, a), sub3(c, b));
    let n = cross3(e, f);
    // Where the foot on the plane lies, seen along the normal: on the inner side of all three edges.
    let sides = [dot3(cross3(a, e), n), dot3(cross3(f, a), n), dot3(cross3(b, g), n)];
    let inside = sides[0] >= 0.0 && sides[1] >= 0.0 && sides[2] >= 0.0;
    let y = shorter(on_segment(a, e), shorter(on_segment(a, f), on_segment(b, g)));
    let turn = if dot3(n, a) < 0.0 { -1.0 } else { 1.0 };
    let w = [
        if inside { turn * n[0] } else { y[0] },
        if inside { turn * n[1] } else { y[1] },
        if inside { turn * n[2] } else { y[2] },
    ];
    let (p, q, r) = (dot3(w, a), dot3(w, b), dot3(w, c));
    let least = if p < q { p } else { q };
    let least = if r < least { r } else { least };
    let lo = least - (w[0].abs() + w[1].abs() + w[2].abs()) * room;
    let lo = if lo > 0.0 { lo } else { 0.0 };
    // 0 / 0 and what overflows say nothing. The roundings are those that `limit` allows for.
    let square = lo / dot3(w, w) * lo;
    if square > 0.0 && square < f32::INFINITY { square } else { 0.0 }
}
