//! The traversal for distances: what is nearest by its boxes first, as long as it may still matter. Pairs of
//! leaves are looked at as soon as they are found: in a heap with the node pairs they took more time than
//! that saved (docs/notebook.md).
//!
//! # Lower bounds
//! Let one of two boxes in one frame hold the contents of the other tree's box. The two are as far apart as
//! the length of g, with g_k = max(0, lo' - hi, lo - hi') on each axis. That is computed in both trees'
//! frames, and the larger counts. `pad` has everything that is rounded up to the last difference, and each of
//! these, the squares and their sums round by u of themselves: less than 8 u in all, which [`limit`] allows
//! for. A length of 1 in the frame of a tree is one of `length` in the world at least
//! ([`WideTree::unit_length`]). Squares are compared, in units of the longer of the two lengths ([`Units`]).
//! A square in a frame of that unit may overflow: it is then larger than any limit that does not. A square in
//! the other frame is multiplied with a number below 1 first, so none may overflow there, or that frame is
//! not used.
//!
//! And for any unit vector w, two volumes are at least min w.x of the moving one less max w.x of the resting
//! one apart. With w from one nearest point to the other, by their best estimates, this is exact to first
//! order for all that lies behind them, where boxes are not: so w is a guess, and the bound is true of any.
//! max w.x over a box cut by a slab n is at most w.c + al mid + |al| half + |w - al n|.e, for every al, as in
//! `relative.rs`; al = w.n is taken, or 0. Each product is off by less than 11 u of the sizes that `pad` has
//! 11 u of (moving) and 2 u of (resting), and the moving volumes' normals by 5 u and the motion's own error,
//! which `pad` has as well: 16 times its length covers all. Corners of leaves are off by `error` in all, axis
//! by axis, so |w|_1 times that, and by less than 12 u of the sizes (`error` has 4 u of these): 5 times it.
use super::{
    apart::{self, LeafPair},
    leaf::{self, LeafRef},
    meet::{PlacedLeaf, PreparedLeaf, place_leaf, prepare},
    node::{DecodedSlabs, Node, WIDTH},
    node_pair::{NodeBoxes, at, leaves_of, node_boxes},
    relative::{RelativeTransform, RelativeTransforms},
    tree::{TreeView, turned},
    tree_pair::NodePair,
};
use crate::{
    Pose, SimdLevel,
    counters::Count,
    simd::{Lanes, MOST_DOUBLES, Mask, Simd, Work, detect},
    stop::StopFlag,
    triangle::lanes::{Vector, add, dot, sub},
    visitor::Visitor,
};
use std::{cmp::Ordering, collections::BinaryHeap, ops::ControlFlow};

/// Something, and the square of how near it may be, in the unit of [`Units`]: not negative.
#[derive(Clone, Copy, Debug)]
struct Waiting<T> {
    near: f32,
    what: T,
}

/// The nearest is the greatest, as heaps have it.
impl<T> Ord for Waiting<T> {
    fn cmp(&self, o: &Self) -> Ordering {
        o.near.total_cmp(&self.near)
    }
}

impl<T> PartialOrd for Waiting<T> {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl<T> PartialEq for Waiting<T> {
    fn eq(&self, o: &Self) -> bool {
        self.cmp(o).is_eq()
    }
}

impl<T> Eq for Waiting<T> {}

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct NearestStack {
    node_pairs: BinaryHeap<Waiting<NodePair>>,
    /// The leaf pairs of the node pair that was opened last, the nearest at the end.
    leaves: Vec<Waiting<[LeafRef; 2]>>,
}

/// Two trees, and the world lengths of their frames' units.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) trees: [TreeView<'a>; 2],
    pub(crate) transforms: &'a RelativeTransforms,
    /// The length of a unit in each tree's frame, in the world, at least.
    pub(crate) lengths: [f64; 2],
    /// The pose of the resting body.
    pub(crate) pose: &'a Pose,
    pub(crate) stop: StopFlag<'a>,
}

/// Shows the visitor all pairs of triangles that may be as near as its limit, until it breaks or the stop
/// flag is set; some of them twice.
pub(crate) fn walk(
    level: SimdLevel,
    task: Task<'_>,
    stack: &mut NearestStack,
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) {
    stack.node_pairs.clear();
    stack.leaves.clear();
    if task.trees.iter().all(|tree| !tree.nodes.is_empty()) {
        detect(level).call(Walk { task, stack, count, visitor });
    }
}

struct Walk<'a, 's, 'v> {
    task: Task<'a>,
    stack: &'s mut NearestStack,
    count: &'s mut Count,
    visitor: &'s mut Visitor<'v>,
}

/// The square of a length in the world, in that of a tree's frame: not less, for lower bounds to be compared
/// with.
pub(super) fn limit(world: f64, length: f64) -> f32 {
    let own = world / length;
    super::relative::up(own * own * (1.0 + 2e-6))
}

/// Whether that is certain: nothing is further than NaN.
#[inline(always)]
pub(super) fn is_further(near: f32, most: f32) -> bool {
    near > most
}

impl Work for Walk<'_, '_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { task, stack, count, visitor } = self;
        let [a, b] = task.trees;
        let units = Units::of(&task);
        let mut most = limit(visitor.progress.limit, units.length);
        let root = NodePair { a: 0, b: 0, rows: a.nodes[0].used, columns: b.nodes[0].used };
        let mut direction = Direction::of(visitor.progress.direction, &task);
        let mut prepared = None;
        // First straight down to two leaves, for a direction and a distance to start with, if there is none.
        let mut next = visitor.progress.direction.is_none().then_some(root);
        // All of these leaves' triangles that may matter are looked at then.
        let mut met = None;
        while let Some(node_pair) = next {
            open(simd, &task, node_pair, (units, most), direction, stack, count);
            let near = |waiting: Option<f32>| waiting.unwrap_or(f32::INFINITY);
            let to_node_pair = near(stack.node_pairs.peek().map(|waiting| waiting.near));
            next = stack.node_pairs.pop().map(|waiting| waiting.what);
            if let Some(Waiting { near, what }) = stack.leaves.pop()
                && near <= to_node_pair
            {
                (next, met) = (None, Some(what));
                if meet(simd, &task, what, (&mut prepared, &mut direction), count, visitor).is_break() {
                    return;
                }
                most = limit(visitor.progress.limit, units.length);
            }
            stack.node_pairs.clear();
            stack.leaves.clear();
        }
        stack.node_pairs.push(Waiting { near: 0.0, what: root });
        let mut steps = 0_usize;
        while let Some(Waiting { near, what }) = stack.node_pairs.pop() {
            if is_further(near, most) {
                return;
            }
            if steps & 15 == 0 && task.stop.is_set() {
                return;
            }
            steps += 1;
            open(simd, &task, what, (units, most), direction, stack, count);
            while let Some(Waiting { near, what }) = stack.leaves.pop() {
                if is_further(near, most) || met == Some(what) {
                    continue;
                }
                if meet(simd, &task, what, (&mut prepared, &mut direction), count, visitor).is_break() {
                    return;
                }
                most = limit(visitor.progress.limit, units.length);
            }
        }
    }
}

/// The unit in which squares are compared, and what squares in the two frames are multiplied with for that:
/// not more than they are. 0 where a frame is not used.
#[derive(Clone, Copy)]
struct Units {
    /// In the world.
    length: f64,
    /// The factors of squares in the resting frame and in the moving one.
    factors: [f32; 2],
}

impl Units {
    fn of(task: &Task<'_>) -> Self {
        let RelativeTransforms { to_resting, to_moving, .. } = task.transforms;
        let [resting, moving] = task.lengths;
        // NaN is not longer.
        let length = if moving > resting { moving } else { resting };
        let factor = |own: f64, transform: &RelativeTransform, [target, source]: [f64; 2]| {
            let ratio = own / length;
            if ratio == 1.0 {
                return 1.0;
            }
            let square = ratio * ratio * (1.0 - 1e-6);
            // Subnormal factors are not precise.
            let is_used = transform.reach_of_image(source) + target < MOST_SIZE
                && square > f64::from(f32::MIN_POSITIVE);
            if is_used { square as f32 } else { 0.0 }
        };
        let [a, b] = task.trees.map(|tree| tree.reach);
        Self { length, factors: [factor(resting, to_resting, [a, b]), factor(moving, to_moving, [b, a])] }
    }
}

/// Differences of coordinates below this, 2^60, and along a unit vector of sums of three of them, have
/// squares whose sum does not overflow.
const MOST_SIZE: f64 = (1_u64 << 60) as f64;

/// A unit vector in the resting tree's frame, and in the moving one's.
#[derive(Clone, Copy)]
struct Direction {
    resting: [f32; 3],
    moving: [f32; 3],
}

impl Direction {
    /// None.
    const NONE: Self = Self { resting: [0.0; 3], moving: [0.0; 3] };

    /// The guess of a vector in the world.
    fn of(w: Option<[f64; 3]>, task: &Task<'_>) -> Self {
        let Some(w) = w else { return Self::NONE };
        // The pose's linear part is used as a rotation: other maps give a worse guess.
        let rows = task.pose.rows();
        let own = [0, 1, 2].map(|k| rows[0][k] * w[0] + rows[1][k] * w[1] + rows[2][k] * w[2]);
        let turned = turned(task.trees[0].turn, &own);
        let length = (turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]).sqrt();
        let resting = turned.map(|x| (x / length) as f32);
        if !resting.iter().all(|x| x.abs() <= 1.0) {
            return Self::NONE;
        }
        let r = &task.transforms.to_resting.r;
        let moving = [0, 1, 2].map(|k| r[0][k] * resting[0] + r[1][k] * resting[1] + r[2][k] * resting[2]);
        Self { resting, moving }
    }
}

/// The greatest w.(x - c) over the volumes of all lanes, slab-cut boxes round c.
#[inline(always)]
fn support<S: Simd>(simd: S, node: &Node, e: &Vector<S::Eight>, w: &Vector<S::Eight>) -> S::Eight {
    let mut most = dot([w[0].abs(), w[1].abs(), w[2].abs()], *e);
    for which in 0..usize::from(node.slabs) {
        let DecodedSlabs { n, mid, half } = node.slabs(simd, which & 1);
        let al = dot(n, *w);
        let rest = [w[0] - al * n[0], w[1] - al * n[1], w[2] - al * n[2]];
        let other = dot([rest[0].abs(), rest[1].abs(), rest[2].abs()], *e);
        most = most.min(al.mul_add(mid, al.abs().mul_add(half, other)));
    }
    most
}

/// The squares of the distances of boxes `lo` to `hi` from the box `low` to `high`.
#[inline(always)]
fn squares<L: Lanes>(lo: &Vector<L>, hi: &Vector<L>, low: &Vector<L>, high: &Vector<L>, zero: L) -> L {
    let x = (lo[0] - high[0]).max(low[0] - hi[0]).max(zero);
    let y = (lo[1] - high[1]).max(low[1] - hi[1]).max(zero);
    let z = (lo[2] - high[2]).max(low[2] - hi[2]).max(zero);
    x * x + y * y + z * z
}

/// Pushes the pairs of lanes of a node pair that are near enough.
#[inline(always)]
fn open<S: Simd>(
    simd: S,
    task: &Task<'_>,
    node_pair: NodePair,
    (units, most): (Units, f32),
    direction: Direction,
    stack: &mut NearestStack,
    count: &mut Count,
) {
    let RelativeTransforms { to_resting, to_moving, .. } = task.transforms;
    let [of_a, of_b] = task.trees;
    let (a, b) = (&of_a.nodes[node_pair.a as usize], &of_b.nodes[node_pair.b as usize]);
    let (boxes_a, boxes_b) = (a.boxes(simd), b.boxes(simd));
    let (side_a, _) = node_boxes(simd, &boxes_a, to_moving);
    let (side_b, p) = node_boxes(simd, &boxes_b, to_resting);
    count.volumes_tested(u64::from(node_pair.rows.count_ones() * node_pair.columns.count_ones()));
    count.volumes_placed(u64::from(node_pair.rows.count_ones() + node_pair.columns.count_ones()));
    let mut near = [[0.0_f32; WIDTH]; WIDTH];
    let (w, back) = (simd.eights(&direction.resting), simd.eights(&direction.moving));
    let back = [simd.eight(0.0) - back[0], simd.eight(0.0) - back[1], simd.eight(0.0) - back[2]];
    let ends = [
        dot(w, boxes_a.c) + support(simd, a, &boxes_a.e, &w) + simd.eight(16.0 * to_resting.slack),
        dot(w, p) - support(simd, b, &boxes_b.e, &back),
    ];
    let sides = [(&side_a, node_pair.rows), (&side_b, node_pair.columns)];
    let pairs = rows(simd, sides, ends, (units, most), &mut near);
    push(task, node_pair, (a, b), (pairs, &near), stack);
    // The nearest is the greatest. The others stay together by their resting leaf, which is decoded once.
    if let Some((nearest, _)) = stack.leaves.iter().enumerate().max_by_key(|(_, waiting)| **waiting) {
        let last = stack.leaves.len() - 1;
        stack.leaves.swap(nearest, last);
    }
}

/// 0 where it is NaN, as the motion has no bound.
#[inline(always)]
fn known<S: Simd>(simd: S, square: S::Eight) -> S::Eight {
    square.or_else(square.gt(simd.eight(-1.0)), simd.eight(0.0))
}

/// For each of some lanes of the one node, those of the other that may be near enough, eight bits each; and
/// how near all are.
#[inline(always)]
fn rows<S: Simd>(
    simd: S,
    [(looped, active), (fixed, columns)]: [(&NodeBoxes<S::Eight>, u8); 2],
    [end, start]: [S::Eight; 2],
    (units, most): (Units, f32),
    near: &mut [[f32; WIDTH]; WIDTH],
) -> u64 {
    let mut lanes = [[0.0_f32; 8]; 12];
    for k in 0..3 {
        simd.store(looped.lo[k], &mut lanes[k]);
        simd.store(looped.hi[k], &mut lanes[3 + k]);
        simd.store(looped.transformed_lo[k], &mut lanes[6 + k]);
        simd.store(looped.transformed_hi[k], &mut lanes[9 + k]);
    }
    let mut ends = [0.0_f32; 8];
    simd.store(end, &mut ends);
    let (zero, most) = (simd.eight(0.0), simd.eight(most));
    let [of_resting, of_moving] = units.factors.map(|factor| simd.eight(factor));
    let [is_resting_used, is_moving_used] = units.factors.map(|factor| factor != 0.0);
    let (mut pairs, mut active) = (0, u32::from(active));
    while active != 0 {
        let i = active.trailing_zeros() as usize & 7;
        active &= active - 1;
        let mut larger = zero;
        if is_resting_used {
            let resting = squares(
                &fixed.transformed_lo,
                &fixed.transformed_hi,
                &at(simd, &lanes, 0, i),
                &at(simd, &lanes, 3, i),
                zero,
            );
            let along = (start - simd.eight(ends[i])).max(zero);
            larger = resting.max(along * along) * of_resting;
        }
        if is_moving_used {
            let (low, high) = (at(simd, &lanes, 6, i), at(simd, &lanes, 9, i));
            larger = larger.max(squares(&fixed.lo, &fixed.hi, &low, &high, zero) * of_moving);
        }
        simd.store(known(simd, larger), &mut near[i]);
        pairs |= u64::from(!larger.gt(most).bits() & u32::from(columns)) << (8 * i);
    }
    pairs
}

/// Sorts pairs of lanes by what they lead to.
#[inline(always)]
fn push(
    task: &Task<'_>,
    node_pair: NodePair,
    (a, b): (&Node, &Node),
    (pairs, near): (u64, &[[f32; WIDTH]; WIDTH]),
    stack: &mut NearestStack,
) {
    let [of_a, of_b] = task.trees;
    let (rows_of_leaves, columns_of_leaves) = leaves_of(a, b);
    let mut both = pairs & !columns_of_leaves & !rows_of_leaves;
    while both != 0 {
        let at = both.trailing_zeros() as usize;
        both &= both - 1;
        let (i, j) = (a.child(at >> 3), b.child(at & 7));
        let (rows, columns) = (of_a.nodes[i as usize].used, of_b.nodes[j as usize].used);
        let what = NodePair { a: i, b: j, rows, columns };
        stack.node_pairs.push(Waiting { near: near[at >> 3][at & 7], what });
    }
    // A moving child against resting leaves, which are together as near as the nearest.
    let mut single = pairs & !columns_of_leaves & rows_of_leaves;
    for j in 0..WIDTH {
        let (mut rows, mut nearest) = (0, f32::INFINITY);
        for (i, near) in near.iter().enumerate() {
            let at = 8 * i + j;
            if single >> at & 1 == 1 {
                rows |= 1 << i;
                nearest = nearest.min(near[j]);
                single &= !(1 << at);
            }
        }
        if rows != 0 {
            let child = b.child(j);
            let columns = of_b.nodes[child as usize].used;
            let what = NodePair { a: node_pair.a, b: child, rows, columns };
            stack.node_pairs.push(Waiting { near: nearest, what });
        }
    }
    // A resting child against moving leaves.
    let single = pairs & columns_of_leaves & !rows_of_leaves;
    for (i, near) in near.iter().enumerate() {
        let columns = (single >> (8 * i)) as u8;
        if columns != 0 {
            let each = near.iter().enumerate().filter(|(j, _)| columns >> j & 1 == 1);
            let nearest = each.fold(f32::INFINITY, |nearest, (_, &x)| nearest.min(x));
            let child = a.child(i);
            let rows = of_a.nodes[child as usize].used;
            let what = NodePair { a: child, b: node_pair.b, rows, columns };
            stack.node_pairs.push(Waiting { near: nearest, what });
        }
    }
    let mut both = pairs & columns_of_leaves & rows_of_leaves;
    while both != 0 {
        let at = both.trailing_zeros() as usize;
        both &= both - 1;
        let what = [a.leaf(at >> 3, of_a.precision), b.leaf(at & 7, of_b.precision)];
        stack.leaves.push(Waiting { near: near[at >> 3][at & 7], what });
    }
}

/// Shows the visitor the pairs of triangles of two leaves that may be near enough, the nearest first.
#[inline(always)]
fn meet<S: Simd>(
    simd: S,
    task: &Task<'_>,
    [of_a, of_b]: [LeafRef; 2],
    (prepared, direction): (&mut Option<PreparedLeaf<S::Eight>>, &mut Direction),
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) -> ControlFlow<()> {
    let [a, b] = task.trees;
    count.leaves_met(u64::from(of_a.count) * u64::from(of_b.count));
    // The last one, if it is the same.
    let prepared = match prepared {
        Some(prepared) if prepared.leaf == of_a => prepared,
        other => other.insert(prepare(simd, a, of_a)),
    };
    // Where sizes are too different there is no bound.
    let placed = place_leaf(simd, (a, b), &task.transforms.leaves, prepared, of_b);
    let mut near = [[0.0_f32; WIDTH]; WIDTH];
    // A step of the resting leaf's lattice in the world.
    let step = f64::from(prepared.lattice.step) * task.lengths[0];
    let mut left = apart::all(of_a, of_b);
    if let Some(placed) = &placed {
        let most = limit(visitor.progress.limit, step);
        if !between_leaves(simd, prepared, (of_b, placed), direction, most, &mut near) {
            return ControlFlow::Continue(());
        }
        left &= within(&near, most);
        if left == 0 {
            return ControlFlow::Continue(());
        }
        left = LeafPair::new(simd, prepared, placed).raise(left, most, &mut near);
    }
    loop {
        let (mut nearest, mut best) = (f32::INFINITY, None);
        let mut all = left;
        while all != 0 {
            let at = all.trailing_zeros() as usize;
            all &= all - 1;
            let near = near[at >> 3][at & 7];
            if near < nearest || best.is_none() {
                (nearest, best) = (near, Some([at >> 3, at & 7]));
            }
        }
        let Some([i, j]) = best else { return ControlFlow::Continue(()) };
        let most = limit(visitor.progress.limit, step);
        if is_further(nearest, most) {
            return ControlFlow::Continue(());
        }
        // Where faces are parallel, or a corner is nearest that several triangles have, many pairs are as
        // near but for rounding: all of them have to be looked at, and together they take less time.
        let alike = (nearest * ALIKE).min(most);
        let (mut pairs, mut count_of) = ([[0; 2]; MOST_DOUBLES], 0);
        let mut all = left;
        while all != 0 && count_of < MOST_DOUBLES {
            let at = all.trailing_zeros() as usize;
            all &= all - 1;
            if [at >> 3, at & 7] == [i, j] || near[at >> 3][at & 7] <= alike {
                left &= !(1 << at);
                let places = [of_a.first as usize + (at >> 3), of_b.first as usize + (at & 7)];
                pairs[count_of] = [a.order[places[0]], b.order[places[1]]];
                count_of += 1;
            }
        }
        count.triangles_tested(count_of as u64);
        let before = visitor.progress.direction;
        visitor.take_some(&pairs[..count_of])?;
        if visitor.progress.direction != before {
            *direction = Direction::of(visitor.progress.direction, task);
        }
    }
}

/// Squares that differ by no more count as equal, to choose the pairs that are tested together.
const ALIKE: f32 = 1.01;

/// The pairs that may be as near as that.
fn within(near: &[[f32; WIDTH]; WIDTH], most: f32) -> u64 {
    let places = near.as_flattened().iter().enumerate();
    places.fold(0, |pairs, (at, &near)| if is_further(near, most) { pairs } else { pairs | 1 << at })
}

/// The squares of how near the triangles of two leaves may be, in the resting one's lattice; false if all are
/// further than `most` along the direction.
#[inline(always)]
fn between_leaves<S: Simd>(
    simd: S,
    prepared: &PreparedLeaf<S::Eight>,
    (of_b, PlacedLeaf { q, error, .. }): (LeafRef, &PlacedLeaf<S::Eight>),
    direction: &Direction,
    most: f32,
    near: &mut [[f32; WIDTH]; WIDTH],
) -> bool {
    let (zero, five, error) = (simd.eight(0.0), simd.eight(5.0), simd.eight(*error));
    let w = simd.eights(&direction.resting);
    let (e1, e2) = (dot(w, prepared.e1), dot(w, prepared.e2));
    let mut ends = [0.0_f32; WIDTH];
    simd.store(dot(w, prepared.p0) + e1.max(e2).max(zero), &mut ends);
    let ends = &ends[..prepared.leaf.count as usize];
    let start = dot(w, q[0]).min(dot(w, q[1])).min(dot(w, q[2])) - five * error;
    // All of them at once: of most leaves that is enough.
    let end = ends.iter().fold(f32::NEG_INFINITY, |end, &x| if x > end { x } else { end });
    let along = (start - simd.eight(end)).max(zero);
    let columns = (1 << of_b.count) - 1;
    if (along * along).gt(simd.eight(most)).bits() & columns == columns {
        return false;
    }
    let (lo, hi, _) = leaf::extents(q);
    let (lo, hi) = (sub(lo, [error; 3]), add(hi, [error; 3]));
    for (i, (near, &end)) in near.iter_mut().zip(ends).enumerate() {
        let (low, high) = (at(simd, &prepared.bounds, 0, i), at(simd, &prepared.bounds, 3, i));
        let along = (start - simd.eight(end)).max(zero);
        let larger = squares(&lo, &hi, &low, &high, zero).max(along * along);
        simd.store(known(simd, larger), near);
    }
    true
}
