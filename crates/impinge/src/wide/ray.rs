//! The traversal for rays: depth first, the child that the ray reaches first before the rest.
//!
//! # Boxes
//! u = 2^-24. In the tree's frame the ray is x + r g, with |g|_inf = 1 and r a multiple of t. The start x is
//! taken where the ray is nearest to the tree, so that it is not far off. Each coordinate of x is within
//! `off`, each of g within `skew`. Where the ray is inside of the tree's reach, |r| is at most T = 1.1 (|x| +
//! reach). With X = |x| + reach, a coordinate of a point of the ray is off by
//!
//! * off + T skew;
//! * T u for g's rounding to f32, and u X for that of x;
//! * less than that where a coordinate of g is next to 0, and is made 2^-60;
//! * 16 u X for the arithmetic. With h = e + pad a box is met for r between ((c - x) -+ h) / g. The quotient,
//!   two products and two sums round by 4 u of their terms, as if the sides were 16 u X elsewhere.
//!
//! So pad = off + T (skew + 2 u) + 20 u X.
//!
//! A slab is met where n.(c - x) + mid -+ (half + 4 pad) is r n.g. Its values are off by |n|_1 <= 1.7321
//! times what coordinates are, and round by 7 u of 2 X and of 4 X. Where n.g is next to 0, the slab excludes
//! nothing.
//!
//! # Leaves
//! In a leaf's lattice the ray starts nearest to the lattice's origin. Let A be [`ALPHA`], X and E bounds of
//! the coordinates of the corners less that start and of edges. Corners are off by `off` = A + the start's
//! own error + 4 u X, edges by 2 A and exact else; a component of g is off by `skew` + u. A component of c x
//! e is off by 4 A X + 2 E off + 4 A off and rounds by 4 u X E; its product with g, three of them times 1,
//! rounds by 16 u X E and is off by 6 X E (skew + u): in all less than
//!
//! 13 A X + 6 E off + 12 A off + X E (6 skew + 34 u).
//!
//! A triangle is not met if the ray passes edges on different sides by more than that.
use super::{
    leaf::{self, ALPHA, LeafLattice, LeafRef},
    node::{DecodedSlabs, QuantizedNode},
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
    triangle::lanes::{LaneVector, cross, dot, size, sub},
    vector::{UNIT, UNIT_F32},
    visitor::RayVisitor,
};

/// A tree and a ray.
#[derive(Clone, Copy)]
pub(crate) struct WideRayTask<'a> {
    pub(crate) tree: TreeView<'a>,
    /// The ray's origin, in the tree's frame.
    pub(crate) origin: RoundedVector,
    pub(crate) slope: &'a Slope,
    pub(crate) stop: StopFlag<'a>,
}

/// Shows the visitor all triangles that the ray may meet up to its limit, unless the stop flag is set.
pub(crate) fn walk(
    level: SimdLevel,
    task: WideRayTask<'_>,
    stack: &mut WaitingStack,
    count: &mut Count,
    visitor: &mut RayVisitor<'_>,
) {
    if task.tree.nodes.is_empty() {
        return;
    }
    let Some(line) = TreeRay::new(task.tree, task.origin, task.slope) else {
        // The pose has no bound, or numbers are too large.
        for &triangle in task.tree.order {
            if task.stop.is_set() {
                return;
            }
            visitor.take(triangle);
        }
        return;
    };
    detect(level).call(RayWalk { task, line, stack, count, visitor });
}

/// Data that rays of one direction share in a tree's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    g: [f64; 3],
    /// One over g.g.
    per_square: f64,
    /// g, and one over each of its coordinates.
    rounded: [f32; 3],
    over: [f32; 3],
    skew: f64,
    /// r = t `per_t` - `before`.
    per_t: f64,
    is_known: bool,
}

impl Slope {
    pub(crate) fn new(direction: &RoundedVector) -> Self {
        let per_t = largest(&direction.v);
        let over = 1.0 / per_t;
        let g = direction.v.map(|g| g * over);
        let skew = direction.error * over * (1.0 + 4.0 * UNIT) + 4.0 * UNIT;
        let rounded = g.map(|g| g as f32);
        Self {
            g,
            per_square: 1.0 / (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]),
            rounded,
            over: rounded.map(|g| 1.0 / if g.abs() < LEAST { LEAST } else { g }),
            skew,
            per_t,
            is_known: per_t > 1e-290 && per_t < 1e290 && skew < 1e-3,
        }
    }
}

#[inline(always)]
fn largest(v: &[f64; 3]) -> f64 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// The ray in the tree's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeRay {
    slope: Slope,
    x: [f64; 3],
    rounded: [f32; 3],
    off: f64,
    before: f64,
    pad: f32,
}

impl TreeRay {
    pub(super) const NONE: Self = Self {
        slope: Slope {
            g: [0.0; 3],
            per_square: 0.0,
            rounded: [0.0; 3],
            over: [0.0; 3],
            skew: 0.0,
            per_t: 0.0,
            is_known: false,
        },
        x: [0.0; 3],
        rounded: [0.0; 3],
        off: 0.0,
        before: 0.0,
        pad: 0.0,
    };
    #[inline]
    pub(super) fn new(tree: TreeView<'_>, origin: RoundedVector, slope: &Slope) -> Option<Self> {
        let Slope { g, per_square, skew, .. } = slope;
        let x = origin.v;
        let nearest = -(x[0] * g[0] + x[1] * g[1] + x[2] * g[2]) * per_square;
        let before = (nearest - 2.0 * tree.reach).max(0.0);
        let (mut start, far) = (x, largest(&x));
        let mut off = origin.error;
        if before > 0.0 {
            start = [x[0] + before * g[0], x[1] + before * g[1], x[2] + before * g[2]];
            off += before * skew + 4.0 * UNIT * (far + before);
        }
        let size = largest(&start) + tree.reach;
        let pad = off + 1.1 * size * (skew + 2.0 * UNIT_F32) + 20.0 * UNIT_F32 * size;
        // Beyond these limits boxes exclude nothing, f32 overflows, or T exceeds its bound above.
        let is_known = slope.is_known && size < 1e15 && before < 1e200 && off < 0.05 * size;
        let rounded = [start[0] as f32, start[1] as f32, start[2] as f32];
        is_known.then_some(Self { slope: *slope, x: start, rounded, off, before, pad: up(pad) })
    }
    /// The parameter r of the origin, t = 0, rounded down.
    pub(super) fn start(&self) -> f32 {
        let start = (-self.before * (1.0 + 8.0 * UNIT)) as f32;
        if start < 0.0 { start.next_down() } else { 0.0 }
    }
    /// The parameter r of a parameter t, rounded up.
    pub(super) fn r(&self, t: f64) -> f32 {
        let own = t * self.slope.per_t;
        let r = own - self.before + 8.0 * UNIT * (own + self.before);
        if r < f64::from(f32::MAX) { (r as f32).next_up() } else { f32::INFINITY }
    }
}

struct RayWalk<'a, 's, 'v> {
    task: WideRayTask<'a>,
    line: TreeRay,
    stack: &'s mut WaitingStack,
    count: &'s mut Count,
    visitor: &'s mut RayVisitor<'v>,
}

impl Work for RayWalk<'_, '_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { task, line, stack, count, visitor } = self;
        let tree = task.tree;
        let start = line.start();
        let mut end = line.r(visitor.limit);
        let mut far = furthest(end);
        let (mut node, mut steps) = (0, 0_usize);
        stack.clear();
        loop {
            let at = &tree.nodes[node as usize];
            count.volumes_tested(u64::from(at.used.count_ones()));
            let (near, met) = boxes(simd, at, &line, [start, end]);
            let mut next = stack.open(simd, node, near, met, far);
            node = loop {
                if steps & 15 == 0 && task.stop.is_set() {
                    return;
                }
                steps += 1;
                let Some((parent, lane)) = next else { return };
                prefetch(simd, tree, stack, far);
                let at = &tree.nodes[parent as usize];
                if at.leaves >> lane & 1 == 0 {
                    break at.child(lane);
                }
                let leaf = at.leaf(lane, tree.precision);
                count.leaves_met(u64::from(leaf.count));
                let mut left = triangles(simd, tree, &line, leaf);
                while left != 0 {
                    let i = left.trailing_zeros();
                    left &= left - 1;
                    count.triangles_tested(1);
                    visitor.take(tree.order[(leaf.first + i) as usize]);
                }
                end = line.r(visitor.limit);
                far = furthest(end);
                next = stack.pop(far);
            };
        }
    }
}

/// The parameters at which the ray may enter a node's children, and the lanes that it may meet between two
/// parameters.
#[inline(always)]
pub(super) fn boxes<S: Simd>(
    simd: S,
    node: &QuantizedNode,
    line: &TreeRay,
    [start, end]: [f32; 2],
) -> (S::Eight, u8) {
    let boxes = node.boxes(simd);
    let pad = simd.eight(line.pad);
    let (mut from, mut to) = (simd.eight(start), simd.eight(end));
    let (x, g) = (simd.eights(&line.rounded), simd.eights(&line.slope.rounded));
    let d = sub(boxes.c, x);
    for (k, &over) in line.slope.over.iter().enumerate() {
        let over = simd.eight(over);
        let (middle, half) = (d[k] * over, (boxes.e[k] + pad) * over.abs());
        from = from.max(middle - half);
        to = to.min(middle + half);
    }
    let four = pad + pad + pad + pad;
    for which in 0..usize::from(node.slabs) {
        let DecodedSlabs { n, mid, half } = node.slabs(simd, which & 1);
        let along = dot(n, g);
        let is_across = along.abs().gt(simd.eight(1e-6));
        let over = simd.eight(1.0) / along.or_else(is_across, simd.eight(1.0));
        let (middle, half) = ((dot(n, d) + mid) * over, (half + four) * over.abs());
        from = from.max((middle - half).or_else(is_across, from));
        to = to.min((middle + half).or_else(is_across, to));
    }
    // NaN, where it has no bound.
    let first = simd.eight(start);
    let near = from.or_else(from.gt(first), first);
    (near, (!from.gt(to).bits() & u32::from(node.used)) as u8)
}

/// Least size of a direction's coordinates, 2^-60: smaller ones count as this.
const LEAST: f32 = 1.0 / (1_u64 << 60) as f32;

/// The triangles of a leaf that the ray may meet, as bits.
#[inline(always)]
pub(super) fn triangles<S: Simd>(simd: S, tree: TreeView<'_>, line: &TreeRay, leaf: LeafRef) -> u32 {
    let lattice = LeafLattice::read(&tree.words[leaf.words as usize..]);
    let q = leaf::corners(simd, tree.words, leaf, tree.precision);
    let (Slope { g, per_square, skew, .. }, range) = (&line.slope, f64::from(tree.precision.range()));
    let ([a, b, c], [x, y, z]) = (lattice.origin, line.x);
    let away = [f64::from(a) - x, f64::from(b) - y, f64::from(c) - z];
    let r = (away[0] * g[0] + away[1] * g[1] + away[2] * g[2]) * per_square;
    let per_unit = f64::from(lattice.per_unit);
    let (mut x, mut far, mut passed) = ([0.0_f32; 3], 0.0_f64, r.abs());
    for k in 0..3 {
        let own = (r * g[k] - away[k]) * per_unit;
        far = far.max(own.abs());
        passed = passed.max(away[k].abs());
        x[k] = own as f32;
    }
    let far = far + range;
    let error = (line.off + r.abs() * skew + 8.0 * UNIT * passed) * per_unit;
    let a = f64::from(ALPHA);
    let off = a + error + 4.0 * UNIT_F32 * far;
    let constant = simd.eight(up(13.0 * a * far + 12.0 * a * off));
    let factor = simd.eight(up(6.0 * off + far * (6.0 * skew + 34.0 * UNIT_F32)));
    let (x, g) = (simd.eights(&x), simd.eights(&line.slope.rounded));
    let c = [sub(q[0], x), sub(q[1], x), sub(q[2], x)];
    let e = [sub(q[1], q[0]), sub(q[2], q[1]), sub(q[0], q[2])];
    let longest = size(e[0]).max(size(e[1])).max(size(e[2]));
    let bound = longest.mul_add(factor, constant);
    let (above, below) = sides(&c, &e, g, bound, simd.eight(0.0));
    !(above & below) & ((1_u32 << leaf.count) - 1)
}

/// The lanes in which the ray passes an edge on the one side, and on the other.
#[inline(always)]
fn sides<L: Lanes>(
    c: &[LaneVector<L>; 3],
    e: &[LaneVector<L>; 3],
    g: LaneVector<L>,
    bound: L,
    zero: L,
) -> (u32, u32) {
    let sides = [dot(cross(c[0], e[0]), g), dot(cross(c[1], e[1]), g), dot(cross(c[2], e[2]), g)];
    let most = sides[0].max(sides[1]).max(sides[2]);
    let least = sides[0].min(sides[1]).min(sides[2]);
    (most.gt(bound).bits(), (zero - bound).gt(least).bits())
}
