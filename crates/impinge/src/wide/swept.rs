//! The walk of two trees for an interval of time: the pairs of triangles that may meet in it.
//!
//! Of a [`Drift`], a point y of the moving tree is at L y + t + s (W y + w) + bend, s from -1 to 1, in the
//! resting tree's frame. So all tests of a walk hold with one change: a moving volume has *room*, the
//! displacement s d of its box's middle, d = W c + w, and a spread |W| e + bend on each axis. Boxes grow by
//! |d| + spread. The interval of a volume along a normal n grows by |n.d| + |n|.spread: n.x of any point x of
//! it is within that much of n.x at the middle, and so the slab tests of `relative.rs` hold for every time.
//!
//! # Rounding
//! u = 2^-24. Let T bound all sums on the way to W y + w, for every y of the tree ([`Field::reach`]). With W
//! and w rounded to f32 the displacement is off by 4 u T. A product n.d rounds by 7 u T. With room, a
//! volume's middle may be further from the other's than `relative.rs` assumes, by less than 1.3 T (the bend
//! is at most T / 4 for turns of half a radian): products of such lengths round by 6 u T more in the direct
//! slab test and 15 u T in the mirrored one, and the last sums by 9 u T. The sum is below 64 u T, which the
//! spread has in every direction (`fuzz`). |turn| rounds by 4 u of its own bound, which `fuzz` has, too.
//!
//! In the mirrored test normals n' = L^-T m round by parts of |L^-1|, but may be as short as 1 / |L|. So 64
//! u T counts |L| |L^-1| times (`shear`), which is 1 where L changes all lengths by one factor. If both trees
//! turn, the bend may exceed T / 4; [`SweptTransform::bend`] has 1e-5 of itself, 168 u, for products with it.
//!
//! The transforms' own errors move a point by dL |y|_1 + dt on each axis, and so its displacement by no more
//! than the field's rate times that (`moved`; for corners of leaves, axis by axis, `skid`). The inverse that
//! takes displacements to the moving frame errs by 3 dL' T at most.
mod lists;

pub(crate) use self::lists::{SweptLists, SweptMarks, SweptPart};

use super::{
    apart,
    leaf::{self, LeafLattice, LeafRef},
    meet::{PreparedLeaf, place_leaf, prepare},
    node::{DecodedNode, WIDTH},
    node_pair::{NodeBoxes, Room, at, disjoint, map, open},
    relative::{RelativeTransforms, up},
    tree::{TreeView, WideTree},
    tree_pair::{NodePair, TreePair, WalkRange},
};
use crate::{
    SimdLevel,
    counters::Count,
    drift::{Drift, Field},
    motion::{Placement, Rotation},
    narrow::Narrow,
    simd::{Lanes, Mask, Ones, Simd, Work, detect},
    stop::StopFlag,
    triangle::{
        gap::{self, Constants},
        lanes::{LaneVector, add, dot, sub},
    },
    vector::{UNIT_F32, largest, length},
};

/// Node pairs are opened while the way is at most this part of the smaller node's size. More lets in too
/// much, as the bend grows with the square of the way.
const OF_NODE: f32 = 0.15;
/// The same for pairs of leaves.
const OF_LEAF: f32 = 0.25;
/// The least part of the larger volume's size that counts as the size of the smaller one: points have none.
const LEAST_PART: f32 = 1.0 / 1024.0;
/// Pairs of nodes and of leaves that have no more pairs than this are opened however long the way is: a leaf
/// of one point has no size, and f64 decides about it at once.
const FEW_LONG: u32 = 8;
/// While ways are longer than this part of the leaves' geometric mean size, pairs of triangles that are left
/// are tested by lanes again in both halves: f64 would find few more of them apart. Lanes round by a part of
/// the larger leaf's size, so that they are of no use for ways much shorter than that.
const SHORT: f32 = 1e-3;

/// The most work of a walk that does not give up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptBudget {
    pub(crate) node_pairs: usize,
    pub(crate) leaves: usize,
}

/// A field in f32.
#[derive(Clone, Copy, Debug)]
struct Field32 {
    linear: [[f32; 3]; 3],
    /// |linear|, rounded up.
    size: [[f32; 3]; 3],
    offset: [f32; 3],
}

impl Field32 {
    fn new(Field { linear, offset }: &Field) -> Self {
        Self {
            linear: linear.map(|row| row.map(|x| x as f32)),
            size: linear.map(|row| row.map(|x| up(x.abs()))),
            offset: offset.map(|x| x as f32),
        }
    }
    #[inline(always)]
    fn row(&self, k: usize, x: &[f32; 3]) -> f32 {
        let [a, b, c] = self.linear[k];
        a * x[0] + b * x[1] + c * x[2] + self.offset[k]
    }
    #[inline(always)]
    fn at(&self, x: &[f32; 3]) -> [f32; 3] {
        [self.row(0, x), self.row(1, x), self.row(2, x)]
    }
    #[inline(always)]
    fn spread(&self, k: usize, e: &[f32; 3]) -> f32 {
        let [a, b, c] = self.size[k];
        a * e[0] + b * e[1] + c * e[2]
    }
}

/// Ways of the moving tree's points in an interval, beside the transforms at its middle. All fields take
/// points of the moving tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptTransform {
    /// W and w, in the resting frame.
    way: Field32,
    /// The same in the moving frame.
    back: Field32,
    turn: Field32,
    bend_turn: f32,
    /// The bend per length of the moving frame, beside the bend of the box's middle.
    bend_radius: f32,
    /// The rest of the bend, and rounding.
    fuzz: f32,
    /// Rounding of `back`.
    back_fuzz: f32,
    /// Factors of lengths from the moving frame to the resting one, and back.
    norm: f32,
    back_norm: f32,
    /// The margin in the resting frame, for leaves: the transforms have it for nodes.
    margin: f32,
    /// A factor for the errors of corners: they move the way, too, on each axis.
    skid: f32,
}

impl SweptTransform {
    /// `drift` is that of the resting tree's normalized frame, which the tree turns by `turn`; `placement` is
    /// that of the trees' own frames at the middle.
    pub(crate) fn new(
        drift: &Drift,
        turn: &Rotation,
        Placement { to_resting, to_moving }: &Placement,
        reach: f64,
        margin: f64,
    ) -> Self {
        let drift = drift.turned(turn);
        let (way, turn) = (drift.way.after(to_resting), drift.turn.after(to_resting));
        let back = way.under(to_moving);
        // The fields round in f64, too, and the tree's turn is a rotation up to 1e-9.
        let shear = (to_resting.norm * to_moving.norm).max(1.0);
        let u = 64.0 * UNIT_F32 * shear + 1e-8 + 2.0 * drift.relative_error;
        // The position's error moves the way.
        let moved = length(to_resting.offset_error) + 5.2 * to_resting.linear_error * reach;
        let moved = moved * drift.way.rate();
        let fuzz = u * (way.reach(reach) + drift.bend_turn * turn.reach(reach)) + drift.bend_rest + moved;
        let skid = drift.way.linear.map(|row| row[0].abs() + row[1].abs() + row[2].abs());
        let back_error = 3.0 * to_moving.linear_error * way.reach(reach);
        Self {
            way: Field32::new(&way),
            back: Field32::new(&back),
            turn: Field32::new(&turn),
            bend_turn: up(drift.bend_turn * 1.0001),
            bend_radius: up(drift.bend_turn * drift.turn_rate * to_resting.norm * 1.0001),
            fuzz: up(fuzz * 1.0001),
            back_fuzz: up(u * back.reach(reach) + back_error),
            norm: up(to_resting.norm),
            back_norm: up(to_moving.norm * 1.0001),
            margin: up(margin * 1.0002),
            skid: up(1.0 + largest(skid)),
        }
    }
    /// The length of the displacement of a point.
    #[inline(always)]
    fn travel(&self, c: &[f32; 3]) -> f32 {
        size(&self.way.at(c))
    }
    /// The bend of all points within `radius` of a point.
    #[inline(always)]
    fn bend(&self, c: &[f32; 3], radius: f32) -> f32 {
        (self.bend_turn * size(&self.turn.at(c)) + self.bend_radius * radius + self.fuzz) * 1.00001
    }
}

#[inline(always)]
fn size(v: &[f32; 3]) -> f32 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

/// A box: its middle and its half sides.
#[derive(Clone, Copy)]
struct MiddleBox {
    c: [f32; 3],
    e: [f32; 3],
}

impl MiddleBox {
    #[inline(always)]
    fn of_sides((origin, sides): ([f32; 3], [f32; 3])) -> Self {
        let e = [0.5 * sides[0], 0.5 * sides[1], 0.5 * sides[2]];
        Self { c: [origin[0] + e[0], origin[1] + e[1], origin[2] + e[2]], e }
    }
    #[inline(always)]
    fn of_lattice(lattice: &LeafLattice, range: f32) -> Self {
        Self { c: lattice.origin, e: [lattice.step * range; 3] }
    }
}

/// The room of lanes of a node: see the head of this file.
#[derive(Clone, Copy)]
pub(super) struct RoomLanes<L> {
    d: LaneVector<L>,
    spread: LaneVector<L>,
}

impl<S: Simd> Room<S> for &SweptTransform {
    type Lanes = RoomLanes<S::Eight>;
    type Pairs = RoomLanes<S::Pairs>;

    #[inline(always)]
    fn widen(
        self,
        simd: S,
        DecodedNode { node, boxes }: DecodedNode<'_, S::Eight>,
        side: &mut NodeBoxes<S::Eight>,
        [low, high]: &mut [LaneVector<S::Eight>; 2],
    ) -> Self::Lanes {
        let all = MiddleBox::of_sides(node.frame());
        let bend = self.bend(&all.c, size(&all.e));
        let bend_back = bend * self.back_norm + self.back_fuzz;
        let d = map(simd, &self.way.linear, boxes.c, &self.way.offset);
        let back = map(simd, &self.back.linear, boxes.c, &self.back.offset);
        let spread = map(simd, &self.way.size, boxes.e, &[bend; 3]);
        let spread_back = map(simd, &self.back.size, boxes.e, &[bend_back; 3]);
        for k in 0..3 {
            let room = d[k].abs() + spread[k];
            side.transformed_lo[k] = side.transformed_lo[k] - room;
            side.transformed_hi[k] = side.transformed_hi[k] + room;
            let room = back[k].abs() + spread_back[k];
            side.lo[k] = side.lo[k] - room;
            side.hi[k] = side.hi[k] + room;
            let room = (self.back.row(k, &all.c).abs() + self.back.spread(k, &all.e) + bend_back) * 1.00001;
            let room = simd.eight(room);
            low[k] = low[k] - room;
            high[k] = high[k] + room;
        }
        RoomLanes { d, spread }
    }
    #[inline(always)]
    fn picked(simd: S, lanes: &Self::Lanes, j: S::Index) -> Self::Pairs {
        RoomLanes { d: simd.lookups(lanes.d, j), spread: simd.lookups(lanes.spread, j) }
    }
    #[inline(always)]
    fn widened(room: &Self::Pairs, n: LaneVector<S::Pairs>, half: S::Pairs) -> S::Pairs {
        dot(n, room.d).abs() + (dot([n[0].abs(), n[1].abs(), n[2].abs()], room.spread) + half)
    }
}

/// The walk for one interval. It adds to the lists what may meet and is left for shorter intervals.
pub(crate) struct SweptWalk<'a, 'f> {
    pub(crate) trees: [&'a WideTree; 2],
    /// At the middle of the interval.
    pub(crate) transforms: &'a RelativeTransforms,
    pub(crate) swept: &'a SweptTransform,
    pub(crate) narrow: &'a Narrow<'a>,
    /// The input.
    pub(crate) part: SweptPart,
    pub(crate) lists: &'f mut SweptLists,
    pub(crate) memory: &'f mut SweptMemory,
    pub(crate) budget: SweptBudget,
    pub(crate) count: &'f mut Count,
    pub(crate) may_meet: &'f mut dyn FnMut([u32; 2]) -> bool,
}

/// Memory of one walk.
#[derive(Debug, Default)]
pub(crate) struct SweptMemory {
    stack: Vec<NodePair>,
    leaves: Vec<[LeafRef; 2]>,
}

/// Walks; false if that takes more than the budget. Then what it added to the lists means nothing.
pub(crate) fn walk(level: SimdLevel, walk: SweptWalk<'_, '_>) -> bool {
    // The pairs that are left decide how an interval is divided, and so the times of a contact.
    detect(level).call_unfused(walk)
}

impl Work for SweptWalk<'_, '_> {
    type Out = bool;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        let Self { trees: [a, b], transforms, swept, narrow, part, lists, memory, budget, count, may_meet } =
            self;
        let (a, b) = (a.view(), b.view());
        let trees = TreePair {
            a,
            b,
            transforms,
            narrow,
            eager: false,
            within: false,
            deepest: false,
            part: WalkRange::All,
            stop: StopFlag(None),
        };
        let SweptMemory { stack, leaves } = memory;
        stack.clear();
        leaves.clear();
        stack.extend_from_slice(&lists.node_pairs[part.from.node_pairs..part.to.node_pairs]);
        leaves.extend_from_slice(&lists.leaves[part.from.leaves..part.to.leaves]);
        let mut opened = 0;
        while let Some(node_pair) = stack.pop() {
            let (node_a, node_b) = (&a.nodes[node_pair.a as usize], &b.nodes[node_pair.b as usize]);
            let moving = MiddleBox::of_sides(node_b.frame());
            let size = smaller(node_a.half_sides(), node_b.half_sides() * swept.norm);
            if swept.travel(&moving.c) > OF_NODE * size {
                if are_apart(transforms, swept, &MiddleBox::of_sides(node_a.frame()), &moving) {
                    continue;
                }
                if node_pair.rows.count_ones() * node_pair.columns.count_ones() > FEW_LONG {
                    lists.node_pairs.push(node_pair);
                    continue;
                }
            }
            open(simd, &trees, swept, node_pair, stack, leaves, count);
            opened += 1;
            if opened > budget.node_pairs || leaves.len() > budget.leaves {
                return false;
            }
        }
        let mut prepared: Option<PreparedLeaf<S::Eight>> = None;
        for &[leaf, other] in leaves.iter() {
            let of_a = LeafLattice::read(&a.words[leaf.words as usize..]);
            let of_b = LeafLattice::read(&b.words[other.words as usize..]);
            let resting = MiddleBox::of_lattice(&of_a, a.precision.range());
            let moving = MiddleBox::of_lattice(&of_b, b.precision.range());
            let travel = swept.travel(&moving.c);
            // The diagonal of a cube is sqrt 3 as long as its side.
            let radius = moving.e[0] * 1.7321;
            let sizes = [resting.e[0] * 1.7321, radius * swept.norm];
            let size = smaller(sizes[0], sizes[1]);
            let short = SHORT * (size * sizes[0].max(sizes[1])).sqrt();
            let (is_long, are_few) = (travel > OF_LEAF * size, leaf.count * other.count <= FEW_LONG);
            if is_long && are_apart(transforms, swept, &resting, &moving) {
                continue;
            }
            if is_long && !are_few {
                lists.leaves.push([leaf, other]);
                continue;
            }
            count.leaves_met(u64::from(leaf.count) * u64::from(other.count));
            let of_leaf = match &prepared {
                Some(prepared) if prepared.leaf == leaf => prepared,
                _ => &*prepared.insert(prepare(simd, a, leaf)),
            };
            let bend = swept.bend(&moving.c, radius) + swept.margin;
            let by_lanes =
                if is_long { None } else { near(simd, [a, b], transforms, swept, of_leaf, other, bend) };
            let mut pairs = by_lanes.unwrap_or_else(|| apart::all(leaf, other));
            if pairs != 0 && by_lanes.is_some() && !are_few && travel > short {
                lists.leaves.push([leaf, other]);
                continue;
            }
            while pairs != 0 {
                let at = pairs.trailing_zeros();
                pairs &= pairs - 1;
                let [i, j] = [leaf.first + (at >> 3), other.first + (at & 7)];
                let pair = [a.order[i as usize], b.order[j as usize]];
                if may_meet(pair) {
                    lists.pairs.push(pair);
                }
            }
        }
        for k in part.from.pairs..part.to.pairs {
            let pair = lists.pairs[k];
            if may_meet(pair) {
                lists.pairs.push(pair);
            }
        }
        true
    }
}

/// The size of the smaller of two volumes.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    a.min(b).max(a.max(b) * LEAST_PART)
}

/// True if two boxes stay apart in the interval, by six axes and by the line between their middles. Where
/// numbers are compared, all terms of the right side are positive and round by less than the factor adds;
/// what the left side rounds is in the pad, or a hundredth of 1e-5 of its square.
#[inline(always)]
fn are_apart(
    transforms: &RelativeTransforms,
    swept: &SweptTransform,
    resting: &MiddleBox,
    moving: &MiddleBox,
) -> bool {
    let bend = swept.bend(&moving.c, size(&moving.e));
    let to = &transforms.to_resting;
    let (mut d, mut way, mut half) = ([0.0_f32; 3], [0.0_f32; 3], [0.0_f32; 3]);
    for k in 0..3 {
        let [x, y, z] = to.r[k];
        d[k] = x * moving.c[0] + y * moving.c[1] + z * moving.c[2] + to.t[k] - resting.c[k];
        way[k] = swept.way.row(k, &moving.c);
        let [x, y, z] = to.size[k];
        let image = x * moving.e[0] + y * moving.e[1] + z * moving.e[2] + to.pad[k];
        half[k] = image + swept.way.spread(k, &moving.e) + bend + resting.e[k];
        if d[k].abs() > (half[k] + way[k].abs()) * 1.00001 {
            return true;
        }
    }
    let product = |x: &[f32; 3], y: &[f32; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    let abs = [d[0].abs(), d[1].abs(), d[2].abs()];
    let square = product(&d, &d);
    let most = product(&abs, &half) + product(&d, &way).abs() + 4e-6 * product(&abs, &way.map(f32::abs));
    square > most * 1.00001 + 1e-5 * square + 1e-30 * (abs[0] + abs[1] + abs[2])
}

/// The pairs of two leaves' triangles that may come within `bend` of each other in the interval; `None` if
/// the leaves' sizes are so different that f32 may overflow.
///
/// A corner's own error, alpha steps, also moves its displacement, on each axis by no more than the way's
/// linear part does. Displacements round as the head of this file says.
#[inline(always)]
fn near<S: Simd>(
    simd: S,
    [tree_a, tree_b]: [TreeView<'_>; 2],
    transforms: &RelativeTransforms,
    swept: &SweptTransform,
    a: &PreparedLeaf<S::Eight>,
    other: LeafRef,
    bend: f32,
) -> Option<u64> {
    let all = apart::all(a.leaf, other);
    let placed = place_leaf(simd, tree_a, tree_b, &transforms.leaves, a, other)?;
    // Displacements of the corners, in steps of the resting lattice.
    let own = LeafLattice::read(&tree_b.words[other.words as usize..]);
    let local = leaf::corners(simd, tree_b.words, other, tree_b.precision);
    let per_step = a.lattice.per_unit;
    let scale = simd.eight(own.step * per_step);
    let middle = swept.way.at(&own.origin);
    let t = [middle[0] * per_step, middle[1] * per_step, middle[2] * per_step];
    let ways = [
        map(simd, &swept.way.linear, times(local[0], scale), &t),
        map(simd, &swept.way.linear, times(local[1], scale), &t),
        map(simd, &swept.way.linear, times(local[2], scale), &t),
    ];
    let (bend, error) = (bend * per_step, swept.skid * placed.error);
    let (lo, hi, _) = leaf::extents(&placed.q);
    let reach = simd.eight(up(f64::from(error) + f64::from(bend)));
    let mut room = [reach; 3];
    for k in 0..3 {
        room[k] = ways[0][k].abs().max(ways[1][k].abs()).max(ways[2][k].abs()) + reach;
    }
    let (lo, hi) = (sub(lo, room), add(hi, room));
    let mut pairs = 0;
    for i in 0..(a.leaf.count as usize).min(WIDTH) {
        let apart = disjoint(&lo, &hi, &at(simd, &a.bounds, 0, i), &at(simd, &a.bounds, 3, i));
        pairs |= u64::from(!apart.bits() & 0xff) << (8 * i);
    }
    pairs &= all;
    if pairs == 0 {
        return Some(0);
    }
    // `gap` takes numbers up to 2. Ways are no longer than `far`.
    let far = 4.0 * (t[0].abs() + t[1].abs() + t[2].abs() + placed.range);
    let down = f32::from_bits((253 - (far.to_bits() >> 23)) << 23);
    let by = simd.eight(down);
    let constants = Constants::new(simd, 1.001 * (error * down + 16.0 * UNIT_F32 as f32));
    let bend = simd.pairs(bend * down * 1.00001);
    let [p0, e1, e2] = [times(a.p0, by), times(a.e1, by), times(a.e2, by)];
    let q = [times(placed.q[0], by), times(placed.q[1], by), times(placed.q[2], by)];
    let ways = [times(ways[0], by), times(ways[1], by), times(ways[2], by)];
    let zero = simd.pairs(0.0);
    for by_edges in [false, true] {
        let mut ones = Ones::NONE;
        simd.ones(pairs, &mut ones);
        let (count, mut start, mut apart) = (pairs.count_ones() as usize, 0, 0);
        while start < count {
            let (i, j) = simd.rows_and_columns(&ones, start);
            let p0 = simd.lookups(p0, i);
            let of = gap::MovingPairs {
                at_middle: gap::GapPairs {
                    e: [simd.lookups(e1, i), simd.lookups(e2, i)],
                    q: [
                        sub(simd.lookups(q[0], j), p0),
                        sub(simd.lookups(q[1], j), p0),
                        sub(simd.lookups(q[2], j), p0),
                    ],
                },
                ways: [simd.lookups(ways[0], j), simd.lookups(ways[1], j), simd.lookups(ways[2], j)],
                bend,
            };
            let gaps = if by_edges { of.by_edges(&constants) } else { of.by_faces(&constants) };
            apart |= u64::from(gaps.gt(zero).bits()) << start;
            start += S::PAIRS;
        }
        pairs &= !simd.deposit(apart, pairs);
        if pairs == 0 {
            return Some(0);
        }
    }
    Some(pairs)
}

#[inline(always)]
fn times<L: Lanes>(v: LaneVector<L>, by: L) -> LaneVector<L> {
    [v[0] * by, v[1] * by, v[2] * by]
}
