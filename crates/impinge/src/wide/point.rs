//! The traversal for the distance of a point: depth first, the child with the nearest volume before the rest,
//! as long as it may matter.
//!
//! # Lower bounds
//! u = 2^-24. The point x is within `error` in each coordinate of the tree's frame, and rounds to
//! f32 by u |x|; with X = |x| + reach no difference x - c is larger, and rounds by u X. So on each axis it is
//! off by less than pad = error + 12 u X, which also has the last difference's rounding, |x - c| - e - pad.
//! Squares and their sums, and quotients of them, round by less than 8 u of themselves, which [`limit`]
//! allows for. Keys of children ([`waiting`](super::waiting)) are not more than these numbers.
//!
//! A second bound uses any direction w: the volume, with points y, is at least min w.(y - x) / |w| away. With
//! w = c - x, c the box's centre, this is good for a slab that lies across w, however large the box is. As in
//! `relative.rs`, w.(y - c) >= al mid - |al| half - |w - al n|.e for every al. The code takes al = w.n, and
//! then the same for the second slab with the rest of w.
//!
//! Let W = |w|_1 and E = |e|_1. Then |al| <= W, and no mid or half exceeds 2 E (`relative.rs`). As |n|_1 <=
//! 1.7321, the rest of w sums up to 2.74 W after the first slab and to 7.5 W after the second. Only results
//! above 0 matter, so no sum exceeds W (X - error) by more than the slabs' terms. The errors are
//!
//! * W (error + 2 u X) for w itself, and 3 u W X for w.w;
//! * 3 u W error for `room`: W pad rounds four times, and `up` has given one of these back;
//! * 4 u W (X - error) for the sums with w.w: less `room`, each of two slabs, less the part of the box;
//! * for the first slab 4 u W E (products with mid and half), 5 u W E (the rest of w), 9 u W E (its product
//!   with e), and 21 u W E (the last sums): 39 u W E;
//! * for the second slab 2.74 times that.
//!
//! All is at most W (error + 9 u X + 146 u E), less than W (pad + 160 u E), as pad is error + 12 u X. The
//! quotient rounds by 6 u of itself: three times in w.w, then three times.
//!
//! # Leaves
//! In a leaf's lattice the point is off by error / step, by u |x'| where it becomes f32 and less where it is
//! calculated; a corner is off by [`ALPHA`], and the difference of both rounds by u of itself: with X' =
//! |x'| + range, `off` = ALPHA + error / step + 4 u X' holds each coordinate of a corner relative to the
//! point. For any direction w the triangle is at least min w.c_i / |w| away (see `triangle/closest.rs`), and
//! a product w.c is off by |w|_1 (off + 3 u X'). The choice of w is a guess at the nearest point. If anything
//! overflows, the bound is NaN, and counts as 0.
//!
//! # Guesses
//! The least distance by those guesses is almost certainly right, but not proved. It is a limit until the
//! traversal ends. Triangles are decided together, when there are many, and at the end. If the limit is then
//! not more than the guess, everything that was left out is further away. Else the traversal starts again,
//! without guesses.
use super::{
    leaf::{self, ALPHA, LeafLattice, LeafRef},
    nearest::{is_further, limit},
    node::{DecodedSlabs, QuantizedNode, WIDTH},
    relative::up,
    tree::TreeView,
    waiting::{WaitingStack, furthest, prefetch},
};
use crate::{
    SimdLevel,
    counters::Count,
    from_world::RoundedVector,
    simd::{Lanes, Mask, Simd, Work, detect},
    stop::StopFlag,
    triangle::lanes::{LaneVector, cross, dot, sub},
    vector::UNIT_F32,
    visitor::Visitor,
};
use std::ops::ControlFlow;

/// A tree and a point.
#[derive(Clone, Copy)]
pub(crate) struct WidePointTask<'a> {
    pub(crate) tree: TreeView<'a>,
    /// The point, in the tree's frame.
    pub(crate) point: RoundedVector,
    /// Lower bound of the world length of a unit of that.
    pub(crate) length: f64,
    /// True if a unit is hardly longer in any direction.
    pub(crate) is_rigid: bool,
    pub(crate) stop: StopFlag<'a>,
}

/// Shows the visitor all pairs (0, triangle) that may be as near as its limit, until it breaks or the stop
/// flag is set.
pub(crate) fn walk(
    level: SimdLevel,
    task: WidePointTask<'_>,
    stack: &mut WaitingStack,
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) {
    if !task.tree.nodes.is_empty() {
        detect(level).call(PointWalk { task, stack, count, visitor });
    }
}

struct PointWalk<'a, 's, 'v> {
    task: WidePointTask<'a>,
    stack: &'s mut WaitingStack,
    count: &'s mut Count,
    visitor: &'s mut Visitor<'v>,
}

impl Work for PointWalk<'_, '_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let guess = self.task.is_rigid.then_some(f32::INFINITY);
        self.search(simd, guess);
    }
}

impl PointWalk<'_, '_, '_> {
    /// The traversal, and another one if a guess turns out to be wrong; `None` for no guesses.
    #[inline(always)]
    fn search<S: Simd>(mut self, simd: S, mut guess: Option<f32>) {
        loop {
            let mut triangles =
                WaitingTriangles { count: 0, near: [0.0; ROOM], pairs: [[0; 2]; ROOM], guess };
            let end = descend(simd, &mut self, &mut triangles);
            let limit = limit(self.visitor.progress.limit, self.task.length);
            // NaN limits nothing.
            let is_sure = triangles.guess.is_none_or(|guess| guess == f32::INFINITY || limit <= guess);
            if end.is_break() || is_sure {
                return;
            }
            guess = None;
        }
    }
}

/// Room for triangles that wait to be decided.
const ROOM: usize = 2 * WIDTH;

/// Triangles that wait to be decided.
struct WaitingTriangles {
    count: usize,
    /// Lower bounds of their squared distances.
    near: [f32; ROOM],
    pairs: [[u32; 2]; ROOM],
    /// See the head.
    guess: Option<f32>,
}

impl WaitingTriangles {
    /// The square of the distance beyond which nothing matters.
    #[inline(always)]
    fn most(&self, task: &WidePointTask<'_>, visitor: &Visitor<'_>) -> f32 {
        let most = limit(visitor.progress.limit, task.length);
        match self.guess {
            Some(guess) if guess < most => guess,
            _ => most,
        }
    }
    /// Decides those that still matter.
    #[inline(always)]
    fn decide(
        &mut self,
        task: &WidePointTask<'_>,
        count: &mut Count,
        visitor: &mut Visitor<'_>,
    ) -> ControlFlow<()> {
        let (most, mut kept) = (self.most(task, visitor), 0);
        for i in 0..self.count {
            self.pairs[kept] = self.pairs[i];
            kept += usize::from(!is_further(self.near[i], most));
        }
        self.count = 0;
        count.triangles_tested(kept as u64);
        if kept == 0 { ControlFlow::Continue(()) } else { visitor.take_some(&self.pairs[..kept]) }
    }
}

/// One traversal; it breaks if the visitor does or the stop flag is set.
#[inline(always)]
fn descend<S: Simd>(
    simd: S,
    walk: &mut PointWalk<'_, '_, '_>,
    triangles: &mut WaitingTriangles,
) -> ControlFlow<()> {
    let PointWalk { task, stack, count, visitor } = walk;
    let WidePointTask { tree, point, .. } = *task;
    let size = point.v[0].abs().max(point.v[1].abs()).max(point.v[2].abs()) + tree.reach;
    let pad = up(point.error + 12.0 * UNIT_F32 * size);
    let x = [point.v[0] as f32, point.v[1] as f32, point.v[2] as f32];
    let mut most = triangles.most(task, visitor);
    let mut far = furthest(most);
    let (mut node, mut steps) = (0, 0_usize);
    stack.clear();
    loop {
        let at = &tree.nodes[node as usize];
        count.volumes_tested(u64::from(at.used.count_ones()));
        let (near, lanes) = distances(simd, at, &x, pad, most);
        let mut next = stack.open(simd, node, near, lanes, far);
        node = loop {
            if steps & 15 == 0 {
                task.stop.check()?;
            }
            steps += 1;
            let Some((parent, lane)) = next else {
                return triangles.decide(task, count, visitor);
            };
            prefetch(simd, tree, stack, far);
            let at = &tree.nodes[parent as usize];
            if at.leaves >> lane & 1 == 0 {
                break at.child(lane);
            }
            if triangles.count > ROOM - leaf::MOST {
                triangles.decide(task, count, visitor)?;
                most = triangles.most(task, visitor);
            }
            let leaf = at.leaf(lane, tree.precision);
            count.leaves_met(u64::from(leaf.count));
            most = look(simd, task, leaf, most, triangles);
            far = furthest(most);
            next = stack.pop(far);
        };
    }
}

/// Lower bounds of the squared distances of a node's children, and the lanes that are near enough.
#[inline(always)]
fn distances<S: Simd>(simd: S, node: &QuantizedNode, x: &[f32; 3], pad: f32, most: f32) -> (S::Eight, u8) {
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
    // Computed here, where nothing waits for it.
    let over = simd.eight(1.0) / length.max(simd.eight(f32::MIN_POSITIVE));
    let sides = boxes.e[0] + boxes.e[1] + boxes.e[2];
    let room = taxicab * sides.mul_add(simd.eight(160.0 * UNIT_F32 as f32), pad);
    // The bounds of slabs along w, and the rest of w for the next one and the box.
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
    let square = square.max(beyond * over * beyond);
    // NaN, where the point has no bound.
    let near = square.or_else(square.gt(zero), zero);
    (near, (!near.gt(simd.eight(most)).bits() & u32::from(node.used)) as u8)
}

/// Keeps the triangles of a leaf that may be near enough; returns the new limit.
#[inline(always)]
fn look<S: Simd>(
    simd: S,
    task: &WidePointTask<'_>,
    leaf: LeafRef,
    most: f32,
    triangles: &mut WaitingTriangles,
) -> f32 {
    let tree = task.tree;
    let lattice = LeafLattice::read(&tree.words[leaf.words as usize..]);
    let (mut near, mut guesses) = ([0.0_f32; WIDTH], [0.0_f32; WIDTH]);
    let room = squares_of(simd, task, leaf, &lattice, &mut near, &mut guesses);
    let most = match triangles.guess {
        Some(guess) => {
            let mut least = f32::INFINITY;
            for (i, guess) in guesses.iter().enumerate() {
                // NaN is no guess.
                least = if i < leaf.count as usize && *guess < least { *guess } else { least };
            }
            let away = (f64::from(least).sqrt() + 2.0 * f64::from(room)) * f64::from(lattice.step);
            let guess = guess.min((away * away * (1.0 + 2e-5)) as f32);
            triangles.guess = Some(guess);
            most.min(guess)
        }
        None => most,
    };
    for i in 0..leaf.count as usize {
        let at = triangles.count % ROOM;
        triangles.near[at] = near[i & 7];
        triangles.pairs[at] = [0, tree.order[leaf.first as usize + i]];
        triangles.count += usize::from(!is_further(near[i & 7], most));
    }
    most
}

/// Computes lower bounds of the squared distances of a leaf's triangles, in the tree's frame, and guesses at
/// these squares, in the leaf's lattice. Returns the bound of errors there.
#[inline(always)]
fn squares_of<S: Simd>(
    simd: S,
    task: &WidePointTask<'_>,
    leaf: LeafRef,
    lattice: &LeafLattice,
    near: &mut [f32; WIDTH],
    guesses: &mut [f32; WIDTH],
) -> f32 {
    let (tree, RoundedVector { v, error }) = (task.tree, task.point);
    let q = leaf::corners(simd, tree.words, leaf, tree.precision);
    let per_unit = f64::from(lattice.per_unit);
    let mut x = [0.0_f32; 3];
    let mut far = f64::from(tree.precision.range());
    for k in 0..3 {
        let own = (v[k] - f64::from(lattice.origin[k])) * per_unit;
        x[k] = own as f32;
        far = far.max(own.abs() + f64::from(tree.precision.range()));
    }
    let (off, far) = (up(f64::from(ALPHA) + error * per_unit + 4.0 * UNIT_F32 * far), up(far));
    let room = off + 4.0 * UNIT_F32 as f32 * far;
    let x = simd.eights(&x);
    let (zero, one, step) = (simd.eight(0.0), simd.eight(1.0), simd.eight(lattice.step));
    let edges = Edges::new(&q, one);
    let c = [sub(q[0], x), sub(q[1], x), sub(q[2], x)];
    let (square, guess) = squares(&c, &edges, simd.eight(room), [zero, one]);
    // 0 / 0 and overflows give no bound. A subnormal product rounds by less than `limit` adds.
    let square = square.or_else(square.gt(zero) & simd.eight(f32::INFINITY).gt(square), zero);
    simd.store(square * step * step, near);
    simd.store(guess, guesses);
    room
}

/// Data of triangles a, b, c that do not depend on the point, so that nothing waits for it: the edges from a
/// to b, from a to c and from b to c, one over their squares, and normals.
struct Edges<L> {
    along: [LaneVector<L>; 3],
    over: [L; 3],
    n: LaneVector<L>,
}

impl<L: Lanes> Edges<L> {
    #[inline(always)]
    fn new([a, b, c]: &[LaneVector<L>; 3], one: L) -> Self {
        let (e, f, g) = (sub(*b, *a), sub(*c, *a), sub(*c, *b));
        Self { along: [e, f, g], over: [one / dot(e, e), one / dot(f, f), one / dot(g, g)], n: cross(e, f) }
    }
}

/// The points of segments from a along u that are nearest to the origin, and the squares of their distances;
/// `over` is one over the square of u.
#[inline(always)]
fn on_segments<L: Lanes>(
    a: LaneVector<L>,
    u: LaneVector<L>,
    over: L,
    [zero, one]: [L; 2],
) -> (LaneVector<L>, L) {
    let x = ((zero - dot(a, u)) * over).max(zero).min(one);
    let y = [x.mul_add(u[0], a[0]), x.mul_add(u[1], a[1]), x.mul_add(u[2], a[2])];
    (y, dot(y, y))
}

/// The shorter of two vectors, and its square.
#[inline(always)]
fn shorter<L: Lanes>((a, p): (LaneVector<L>, L), (b, q): (LaneVector<L>, L)) -> (LaneVector<L>, L) {
    let is_less = q.gt(p);
    (
        [a[0].or_else(is_less, b[0]), a[1].or_else(is_less, b[1]), a[2].or_else(is_less, b[2])],
        p.or_else(is_less, q),
    )
}

/// Lower bounds of the squared distances of triangles from the origin, and guesses at these squares.
#[inline(always)]
fn squares<L: Lanes>(
    [a, b, c]: &[LaneVector<L>; 3],
    &Edges { along: [e, f, g], over, n }: &Edges<L>,
    room: L,
    [zero, one]: [L; 2],
) -> (L, L) {
    // Whether the foot on the plane lies inside: seen along the normal, on the inner side of all three edges.
    let sides = [dot(cross(*a, e), n), dot(cross(f, *a), n), dot(cross(*b, g), n)];
    let inside = sides[0].min(sides[1]).min(sides[2]).gt(zero);
    let ends = [zero, one];
    let first = on_segments(*a, e, over[0], ends);
    let others = shorter(on_segments(*a, f, over[1], ends), on_segments(*b, g, over[2], ends));
    let y = shorter(first, others).0;
    let w = [n[0].or_else(inside, y[0]), n[1].or_else(inside, y[1]), n[2].or_else(inside, y[2])];
    let (p, q, r) = (dot(w, *a), dot(w, *b), dot(w, *c));
    // On the other side the normal is reversed.
    let (least, most) = (p.min(q).min(r), p.max(q).max(r));
    let away = least.max(zero - most);
    // The roundings are those that `limit` allows for.
    let reach = (away - (w[0].abs() + w[1].abs() + w[2].abs()) * room).max(zero);
    let length = dot(w, w);
    let over = one / length;
    // A point on an edge or at a corner gives its own distance: the bound along its direction is less.
    let guess = (away * over * away).or_else(inside, length);
    (reach * over * reach, guess)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;
    use crate::{
        Body, Mesh, Model, Pose,
        distance::{MeshAt, Search},
        visitor::SearchBounds,
        wide::placed::PlacedTree,
    };

    /// A walk from the worst possible guess: the only effect is a second visit.
    struct Misled<'a, 's, 'v>(PointWalk<'a, 's, 'v>);

    impl Work for Misled<'_, '_, '_> {
        type Out = ();
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            self.0.search(simd, Some(0.0));
        }
    }

    #[test]
    fn a_wrong_guess_costs_a_second_traversal_and_no_answer() {
        let mut rng = Rng::new(77);
        let points = (0..900).map(|k| rng.point(1.0).map(|x| x + f64::from(k / 30))).collect();
        let faces = (0..300).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let model = Model::new(Mesh::new(points, faces).unwrap());
        let body = Body::new(&model, Pose::IDENTITY);
        let tree = model.wide().unwrap();
        let PlacedTree { from_world, .. } = PlacedTree::new(tree, &body.pose);
        for _ in 0..200 {
            let x = rng.point(40.0);
            let at = Pose::at(x);
            let ask = |is_misled: bool| {
                let (mut all, mut stack, mut count) = Default::default();
                let mut search = Search::new(
                    [MeshAt::point(&at), MeshAt::of(&body)],
                    crate::distance::Accuracy::new(),
                    &mut all,
                );
                let limit = search.limit(f64::INFINITY);
                let mut look = |pairs: &[[u32; 2]], progress: &mut SearchBounds| {
                    search.take(SimdLevel::default(), pairs, progress);
                    ControlFlow::Continue(())
                };
                let (visitor, point) = (&mut Visitor::new(limit, &mut look), from_world.point(&x));
                let length = tree.unit_length(crate::motion::inverse_norm(&body.pose));
                let task =
                    WidePointTask { tree: tree.view(), point, length, is_rigid: true, stop: StopFlag(None) };
                let walk = PointWalk { task, stack: &mut stack, count: &mut count, visitor };
                let level = detect(SimdLevel::default());
                if is_misled {
                    level.call(Misled(walk))
                } else {
                    level.call(walk)
                }
                search.finish_point()
            };
            let found = ask(false);
            assert!(found.is_some());
            assert_eq!(ask(true), found);
        }
    }
}
