//! Restricted boxes (Zachmann 2002): a child is its parent's box cut by ONE plane across an axis, { x in
//! parent : +-x_k <= p }, in 4 1/2 bytes, or 8 1/2 with its link.
//!
//! # Layout
//! The paper counts 9 bytes a node: 4 for the plane, 4 for the pointer to the two adjacent children, 1 for
//! axis and side. Its section 3.2.5 then moves both children's planes into the parent, to cut a child before
//! it is visited. A node here is the same: 1 byte for both axes and sides, 2 planes, and 2 links. A link to a
//! leaf is the range of its triangles, so a leaf needs no memory of its own: 17 bytes, alignment 1. With n
//! leaves the paper's 2n - 1 nodes take 18n - 9 bytes, ours 17n - 17. Planes are stored in f32 as positions
//! in the normalized frame, not as distances from the parent's: they have the same size and one outward
//! rounding, and errors do not add up from level to level.
//!
//! With one plane a level a box stays loose if its triangles fill only a corner of the parent. If a second
//! cut pays ([`LOOSE`]), a node has one child, and both planes cut it.
//!
//! # Tests
//! A box is stored as its reach in 6 directions, -x, -y, -z, x, y, z: its own f(d), and g(d) of its image in
//! the other's normalized frame, g(+-e_i) = +-(c_i + sum_k m_ik (f(e_k) - f(-e_k)) / 2) + pad_i + sum_k
//! |m_ik| (f(e_k) + f(-e_k)) / 2. A direction separates if the reach of one box along it and the reach of the
//! other against it sum to less than 0. A cut in direction c changes one f; the parent's other five stay. g
//! is summed again from f: nothing is subtracted from a parent's g, so errors do not accumulate. Zachmann
//! sums only the three g to which f(c) contributes; as vectors of 4 lanes all six take 8 products and 10
//! sums, hardly more than those three one by one (9, 9), and no branch. For the same reason all directions
//! are compared at once, although those that no cut touched cannot separate.
//!
//! * [`Overlap::SatLite`] (3.2.4): the directions of both normalized frames.
//! * [`Overlap::Axis`] (3.2.1): those of the resting frame; a resting box has no image.
//! * [`Overlap::Lookup`] (3.2.2): those of the resting frame, with products from tables, f(d) rounded up by
//!   at most 1/128.
//! * [`Overlap::Sat`] (3.2.3): SAT lite and then those of the 9 edge axes whose intervals a cut can change:
//!   6, for e_i x m_j is at right angles to both edges. Each 9 mul, 8 add, 1 compare, after 15 add for all.
//!   The only child of a node is cut by two planes, and compared on all 9.
//!
//! Profiles and experiments: `docs/notebook.md`, "The papers' volumes".
//!
//! # Bounds
//! All in f32, v = 2^-24; planes are f32, so f is exact. [`Motion::pad`] bounds the transform's error, and
//! more, on doubled coordinates. With A = |c_i| + 4.5 sum_k |m_ik| (coordinates are at most 4, by their
//! rounding to f32 a little more), the centre's sum rounds m, f - f, the product, c and three sums, 7 v A;
//! the width's as many times, 7 v B, B = A - |c_i| + pad_i; their sum v (A + B). So g is off by at most 8 v
//! (A + B), which is at most 8 v (S + pad_i) with S = 9 sum_k |m_ik| + 2 |c_i| + 9. 10 v S is added to the
//! pad: 8 v pad_i is less than 2 v S and half of [`Motion::pad`], which is spare. Products that underflow
//! lose 2^-149 each, less than 2^-20 of that. Rounding a sum of two numbers does not change its sign. If S or
//! the pad exceeds 1e30, or is undefined, the pad is NaN; if not, no sum overflows. A NaN is never
//! negative. The minimum of all directions may drop it or keep it: in both cases nothing is proved by it.
//!
//! A table's entry is the product of a number not less than f, rounded up; c, c and pad, and three sums round
//! 5 times, each at most v (S + pad_i).
//!
//! The edge axes are those of `aabb.rs`, in f64. Twice an image's centre is g(d) - g(-d), off by 2 (7 v A + v
//! (A + B)) < 16 v (S + pad_i): less than twice the pad, by which they are widened.
mod reach;
#[cfg(test)]
mod tests;
mod transform;

use self::{
    reach::{Half, Reach, Sides},
    transform::{BoxtreeTransform, Table},
};
use super::{
    Apart, NodeLayout, OverlapTest, SAT_AXES,
    aabb::EdgeAxis,
    shape::{PlaneNormal, Shape},
};
use crate::{
    Fit, Overlap, Split, gap,
    line::{Interval, Line},
    link::Link,
    primitives::Primitives,
    refit::Refit,
    tree::Node,
};
use impinge::hierarchy::{Bounds, Placement};

/// A box is cut once more, in a node of its own, if one plane can cut off at least this part of its volume.
const LOOSE: f32 = 0.2;

/// A tree of restricted boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxtree;

/// The code of no direction.
const NOWHERE: usize = 7;

#[inline(always)]
fn least(a: Half, b: Half) -> Half {
    std::array::from_fn(|i| if b[i] < a[i] { b[i] } else { a[i] })
}
#[inline(always)]
fn any_negative(a: Half) -> bool {
    let bits: [i32; 4] = std::array::from_fn(|i| if a[i] < 0.0 { -1 } else { 0 });
    bits[0] | bits[1] | bits[2] | bits[3] != 0
}

const fn opposite(direction: usize) -> usize {
    (direction + 3) % 6
}

/// The planes of a node's children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuts {
    /// 3 bits for each direction, and [`Cuts::ONE_CHILD`].
    code: u8,
    planes: [[u8; 4]; 2],
}

const _: () = assert!(size_of::<Cuts>() == 9 && size_of::<Node<Boxtree>>() == 17);

impl Cuts {
    /// Flag of a node with one child, which both planes cut.
    const ONE_CHILD: u8 = 1 << 6;

    fn new(cuts: [(usize, f32); 2], one_child: bool) -> Self {
        let [(c, p), (d, q)] = cuts;
        let code = (c | d << 3) as u8 | if one_child { Self::ONE_CHILD } else { 0 };
        Self { code, planes: [p.to_le_bytes(), q.to_le_bytes()] }
    }
    #[inline(always)]
    fn has_one_child(&self) -> bool {
        self.code & Self::ONE_CHILD != 0
    }
    /// The direction of a plane, and the box's reach in it after the cut.
    #[inline(always)]
    fn plane(&self, i: usize) -> (usize, f32) {
        ((self.code >> (3 * i) & 7) as usize, f32::from_le_bytes(self.planes[i]))
    }
    /// For each edge of a child's box, true if its edge axes may separate, although they did not separate the
    /// parent's.
    fn turned_edges(&self, slot: usize) -> [bool; 3] {
        let axis = self.plane(slot).0 % 3;
        std::array::from_fn(|k| k != axis || self.has_one_child())
    }
    /// The box of a child.
    #[inline(always)]
    fn apply(&self, parent: &Reach, slot: usize) -> Reach {
        let (direction, plane) = self.plane(slot & 1);
        let child = parent.cut(direction, plane);
        let (direction, plane) = self.plane(1);
        // No branch: if there are two children, the second cut is in no direction.
        child.cut(if self.has_one_child() { direction } else { NOWHERE }, plane)
    }
}

fn reach(bounds: &Bounds) -> Sides {
    let ([a, b, c], [x, y, z]) = (bounds.lo.map(|x| -x), bounds.hi);
    [a, b, c, x, y, z]
}

/// The plane that cuts the largest part off a box: its direction, its position, and that part of the volume.
fn best_cut(decoded: &Sides, tight: &Sides) -> (usize, f32, f32) {
    let part = |d: usize| {
        let side = decoded[d] + decoded[opposite(d)];
        if side > 0.0 { (decoded[d] - tight[d]) / side } else { 0.0 }
    };
    let d = (1..6).fold(0, |best, d| if part(d) > part(best) { d } else { best });
    (d, tight[d], part(d))
}

fn cut(decoded: &Sides, direction: usize, plane: f32) -> Sides {
    let mut child = *decoded;
    child[direction] = plane;
    child
}

/// The lower and the upper corner.
#[inline(always)]
fn corners_of(sides: &Sides) -> [[f64; 3]; 2] {
    let [a, b, c, x, y, z] = sides.map(f64::from);
    [[-a, -b, -c], [x, y, z]]
}

impl Shape for Sides {
    type Ray = Line;
    type Direction = PlaneNormal;

    fn ray(line: &Line) -> Line {
        *line
    }
    #[inline(always)]
    fn passage(&self, line: &Line) -> Interval {
        let [lo, hi] = corners_of(self);
        line.cuboid(&lo, &hi)
    }
    fn direction(a: &[f64; 3]) -> PlaneNormal {
        PlaneNormal::new(a)
    }
    #[inline(always)]
    fn range(&self, direction: &PlaneNormal) -> Interval {
        let [lo, hi] = corners_of(self);
        direction.cuboid(&lo, &hi)
    }
}

impl NodeLayout for Boxtree {
    type ChildBounds = Cuts;
    type Links = [Link; 2];
    type Decoded = Sides;
    type Leaf = ();
    const PAPER: &'static str = "Zachmann 2002";
    // Count lanes in use: 12 sums and 12 comparisons; 24 products and 30 sums.
    const OPERATIONS: [u32; 2] = [24, 54];
    const FITS: &'static [Fit] = &[Fit::Auto];
    // Not `Split::Restricted`: see `tests/volumes/effort.txt`.
    const SPLIT: Split = Split::Sah;
    const NO_LINKS: Self::Links = [Link::NONE; 2];

    fn enclose(all: &Primitives<'_>, _: Fit) -> Self::Decoded {
        reach(&all.bounds)
    }
    fn is_loose(decoded: &Self::Decoded, bounds: &Bounds) -> bool {
        best_cut(decoded, &reach(bounds)).2 > LOOSE
    }
    fn encode(parent: &Self::Decoded, children: &[Primitives<'_>], _: Fit) -> Cuts {
        let best = |decoded, child: &Primitives<'_>| {
            let (direction, plane, _) = best_cut(decoded, &reach(&child.bounds));
            (direction, plane)
        };
        let first = best(parent, &children[0]);
        match children {
            [only] => Cuts::new([first, best(&cut(parent, first.0, first.1), only)], true),
            [_, second, ..] => Cuts::new([first, best(parent, second)], false),
            [] => Cuts::new([first, first], false),
        }
    }
    #[inline(always)]
    fn decode(parent: &Self::Decoded, child_bounds: &Cuts, slot: usize) -> Self::Decoded {
        let Reach { back: [a, b, c, _], ahead: [x, y, z, _] } = child_bounds.apply(&Reach::new(parent), slot);
        [a, b, c, x, y, z]
    }
    fn leaf(_: &Self::Decoded, _: &[[f64; 3]; 3]) {}
    fn holds(decoded: &Self::Decoded, lo: &[f64; 3], hi: &[f64; 3]) -> bool {
        (0..3).all(|k| -f64::from(decoded[k]) <= lo[k] && hi[k] <= f64::from(decoded[k + 3]))
    }
}

/// Both directions of the relative transform, and the data of the chosen test.
pub(crate) struct BoxtreePrecomputed {
    to_resting: BoxtreeTransform,
    to_moving: BoxtreeTransform,
    /// True if the directions of the moving tree's normalized frame are tested, too.
    both: bool,
    table: Option<Table>,
    edges: Option<[[EdgeAxis; 3]; 3]>,
    /// |det M|, the factor of a moving box's volume.
    volume_scale: f32,
    /// See [`gap::factor`].
    factor: f64,
}

/// A box in its own normalized frame, and its image in the other's; a resting box has an image only if the
/// test needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransformedBoxtree {
    own: Reach,
    image: Reach,
}

impl TransformedBoxtree {
    /// The volume; a flat box counts as having some thickness.
    #[inline(always)]
    fn volume(&self) -> f32 {
        const THIN: f32 = 1e-9;
        let Reach { back, ahead } = &self.own;
        let side: Half = std::array::from_fn(|i| back[i] + ahead[i] + THIN);
        (side[0] * side[1]) * (side[2] * side[3])
    }
}

/// The edge axis that separates, among those whose edges are both marked in `changed`.
///
/// Not inlined: in the traversal's loop it would take registers even if the test does not run. And as its
/// arguments have addresses, boxes stay in memory, and the stack of the traversal is pushed and popped by
/// whole vectors, not lane by lane.
#[inline(never)]
fn separating_edge(
    edges: &[[EdgeAxis; 3]; 3],
    a: &TransformedBoxtree,
    b: &TransformedBoxtree,
    changed: [[bool; 3]; 2],
) -> Option<u8> {
    let sum = |r: &Reach, sign: f64| -> [f64; 3] {
        std::array::from_fn(|k| f64::from(r.ahead[k]) + sign * f64::from(r.back[k]))
    };
    let (resting, moving) = (sum(&a.own, 1.0), sum(&b.own, 1.0));
    let (from, to) = (sum(&a.own, -1.0), sum(&b.image, -1.0));
    let d = std::array::from_fn(|k| to[k] - from[k]);
    let mut axes = (0..9).map(|e| (e / 3, e % 3));
    axes.find(|&(i, j)| changed[0][i] && changed[1][j] && edges[i][j].separates(&d, &resting, &moving))
        .map(|(i, j)| (6 + 3 * i + j) as u8)
}

/// A lower bound of the distance of two boxes in one frame: the length of their separations along its axes.
/// Each is a sum of two f32, off by 2^-24 of itself.
#[inline(always)]
fn distance(own: &Reach, image: &Reach) -> f64 {
    let [back, ahead] = own.overlap(image);
    let separation = |k: usize| gap::larger(gap::positive(-f64::from(back[k])), -f64::from(ahead[k]));
    gap::length([0, 1, 2].map(separation)) * (1.0 - 1.0 / f64::from(1 << 22))
}

const ALL: [bool; 3] = [true; 3];

impl BoxtreePrecomputed {
    #[inline(always)]
    fn rest_own(&self, own: Reach) -> TransformedBoxtree {
        TransformedBoxtree { own, image: if self.both { self.to_moving.image(&own) } else { own } }
    }
    #[inline(always)]
    fn place_own(&self, own: Reach) -> TransformedBoxtree {
        let image = match &self.table {
            None => self.to_resting.image(&own),
            Some(table) => table.image(own),
        };
        TransformedBoxtree { own, image }
    }
    /// The direction that separates, among those that are tested.
    #[inline(always)]
    fn separating_face(&self, a: &TransformedBoxtree, b: &TransformedBoxtree) -> Option<u8> {
        let of_a = a.own.overlap(&b.image);
        let mut low = least(of_a[0], of_a[1]);
        let mut of_b = [[0.0; 4]; 2];
        if self.both {
            of_b = b.own.overlap(&a.image);
            low = least(low, least(of_b[0], of_b[1]));
        }
        if !any_negative(low) {
            return None;
        }
        let axis = |v: &[Half; 2]| (0..3).find(|&k| v[0][k] < 0.0 || v[1][k] < 0.0);
        // Always `Some`, so that the search is optimised away if the caller does not need the axis.
        Some(axis(&of_a).unwrap_or_else(|| 3 + axis(&of_b).unwrap_or(2)) as u8)
    }
}

impl OverlapTest for Boxtree {
    type Precomputed = BoxtreePrecomputed;
    type Resting = TransformedBoxtree;
    type Moving = TransformedBoxtree;
    const OVERLAPS: &'static [Overlap] = &[Overlap::SatLite, Overlap::Axis, Overlap::Lookup, Overlap::Sat];
    const TESTS: &'static [&'static str] = SAT_AXES;

    fn precompute(placement: &Placement, overlap: Overlap) -> BoxtreePrecomputed {
        let m = &placement.to_resting.linear;
        let minor = |j: usize, k: usize| m[1][j] * m[2][k] - m[1][k] * m[2][j];
        let det = m[0][0] * minor(1, 2) + m[0][1] * minor(2, 0) + m[0][2] * minor(0, 1);
        let to_resting = BoxtreeTransform::new(&placement.to_resting);
        let edges = || {
            let by = to_resting.pad().map(|x| 2.0 * x);
            EdgeAxis::all(&placement.to_resting).map(|of_one| of_one.map(|edge| edge.widened(&by)))
        };
        BoxtreePrecomputed {
            both: matches!(overlap, Overlap::SatLite | Overlap::Sat),
            table: (overlap == Overlap::Lookup).then(|| Table::new(&placement.to_resting)),
            edges: (overlap == Overlap::Sat).then(edges),
            to_resting,
            to_moving: BoxtreeTransform::new(&placement.to_moving),
            volume_scale: det.abs() as f32,
            factor: gap::factor(placement),
        }
    }
    fn prepare_resting(precomputed: &BoxtreePrecomputed, root: &Sides) -> TransformedBoxtree {
        precomputed.rest_own(Reach::new(root))
    }
    fn prepare_moving(precomputed: &BoxtreePrecomputed, root: &Sides) -> TransformedBoxtree {
        precomputed.place_own(Reach::new(root))
    }
    #[inline(always)]
    fn separation(
        precomputed: &BoxtreePrecomputed,
        a: &TransformedBoxtree,
        b: &TransformedBoxtree,
    ) -> Option<u8> {
        let face = precomputed.separating_face(a, b);
        face.or_else(|| separating_edge(precomputed.edges.as_ref()?, a, b, [ALL; 2]))
    }
    #[inline(always)]
    fn resting_is_larger(
        precomputed: &BoxtreePrecomputed,
        a: &TransformedBoxtree,
        b: &TransformedBoxtree,
    ) -> bool {
        a.volume() >= b.volume() * precomputed.volume_scale
    }
    #[inline(always)]
    fn gap(precomputed: &BoxtreePrecomputed, a: &TransformedBoxtree, b: &TransformedBoxtree) -> f64 {
        let mut most = distance(&a.own, &b.image);
        if precomputed.both {
            most = gap::larger(most, distance(&b.own, &a.image) * precomputed.factor);
        }
        most
    }
    #[inline(always)]
    fn resting_child(
        precomputed: &BoxtreePrecomputed,
        parent: &TransformedBoxtree,
        child_bounds: &Cuts,
        slot: usize,
    ) -> TransformedBoxtree {
        precomputed.rest_own(child_bounds.apply(&parent.own, slot))
    }
    #[inline(always)]
    fn moving_child(
        precomputed: &BoxtreePrecomputed,
        parent: &TransformedBoxtree,
        child_bounds: &Cuts,
        slot: usize,
    ) -> TransformedBoxtree {
        precomputed.place_own(child_bounds.apply(&parent.own, slot))
    }
    #[inline(always)]
    fn open_resting(
        precomputed: &BoxtreePrecomputed,
        parent: &TransformedBoxtree,
        (child_bounds, count): (&Cuts, usize),
        moving: &TransformedBoxtree,
        mut outcome: impl FnMut(usize, Result<TransformedBoxtree, Apart>),
    ) {
        for slot in 0..count {
            let child = precomputed.rest_own(child_bounds.apply(&parent.own, slot));
            let test = precomputed.separating_face(&child, moving).or_else(|| {
                separating_edge(
                    precomputed.edges.as_ref()?,
                    &child,
                    moving,
                    [child_bounds.turned_edges(slot), ALL],
                )
            });
            match test {
                None => outcome(slot, Ok(child)),
                Some(test) => outcome(slot, Err(Apart { test, transformed: true })),
            }
        }
    }
    #[inline(always)]
    fn open_moving(
        precomputed: &BoxtreePrecomputed,
        parent: &TransformedBoxtree,
        (child_bounds, count): (&Cuts, usize),
        resting: &TransformedBoxtree,
        mut outcome: impl FnMut(usize, Result<TransformedBoxtree, Apart>),
    ) {
        for slot in 0..count {
            let child = precomputed.place_own(child_bounds.apply(&parent.own, slot));
            let test = precomputed.separating_face(resting, &child).or_else(|| {
                separating_edge(
                    precomputed.edges.as_ref()?,
                    resting,
                    &child,
                    [ALL, child_bounds.turned_edges(slot)],
                )
            });
            match test {
                None => outcome(slot, Ok(child)),
                Some(test) => outcome(slot, Err(Apart { test, transformed: true })),
            }
        }
    }
}

impl Refit for Boxtree {}
