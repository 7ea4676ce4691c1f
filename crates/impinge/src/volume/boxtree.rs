//! Restricted boxes (Zachmann 2002): a child is its parent's box cut by ONE plane across an axis,
//! { x in parent : +-x_k <= p }, in 4 1/2 bytes, or 8 1/2 with its link.
//!
//! # Layout
//! The paper counts 9 bytes a node: 4 for the plane, 4 for the pointer to the two children, which stand side by side, 1 for
//! axis and side. Its section 3.2.5 then moves both children's planes into the parent, to cut a child
//! before it is visited. That is what a node is here: 1 byte for both axes and sides, 2 planes, and 2 links, of which one to a leaf is the
//! run of its triangles, for a leaf needs no room of its own: 17 bytes, alignment 1. With n leaves the paper's 2n - 1 nodes take 18n - 9 bytes,
//! ours 17n - 17. Planes are stored in f32 as they are in the chart, not as distances from the parent's:
//! the same size, one rounding, outwards, and none that adds up.
//!
//! One plane a level leaves boxes slack where their triangles fill but a corner of the parent. Where that pays
//! ([`LOOSE`]), a node has one child, and cuts it with both planes. On the scene of `tests/effort.rs` that makes 185,760 volume
//! tests of 333,414, and a tree of 78,127 bytes of 48,904; one of whole boxes has 114,112.
//!
//! # Tests
//! A box is kept by how far it reaches in 6 directions, -x, -y, -z, x, y, z: its own f(d), and g(d) of its image in the
//! other's chart, g(d) = +-c_i + pad_i + sum_k |m_ik| f(d_k), where d_k is whichever of the two directions of axis k leads along d. A
//! direction separates if what one box reaches along it and the other against it sum to less than 0. A cut of direction c changes f(c) alone, and
//! those three g(d), one an axis, to which f(c) contributes: they are summed anew from all f, of which the parent's other five are
//! kept, so nothing is subtracted and nothing drifts. (Keeping the 18 products, too, would save 6 of 9 and carry 144 bytes more
//! with each volume of each waiting pair.) All other sums are as they were when the parent was tested, and need no test.
//!
//! * [`Overlap::SatLite`] (3.2.4), both charts: 1 + 3 directions. At worst 9 mul, 13 add, 4 compare; the paper counts 24. A cut resting
//!   box takes as many as a moving one.
//! * [`Overlap::Axis`] (3.2.1), the resting chart: for a moving box 3 directions, 9 mul, 12 add, 3 compare; for a resting box 1 add, 1 compare.
//! * [`Overlap::Lookup`] (3.2.2): the same with the 9 products from tables, f(d) rounded up to a multiple of 1/128.
//! * [`Overlap::Sat`] (3.2.3): SAT lite and then those of the 9 edge axes whose intervals a cut can change: 6, for e_i x m_j is at right angles
//!   to both edges. Each 9 mul, 8 add, 1 compare, after 15 add for all.
//!
//! That is for one plane; the only child of a node is cut by two, and then compared on all 9 edge axes.
//!
//! # Bounds
//! A point v of a moving box has its exact image within half of [`Motion::pad`] of the computed M v + c, or of any sum of
//! three products and an offset with at most 16 roundings, for the pad is made for doubled coordinates. g takes 3 products, 3 sums
//! and the one of c and pad: 7 roundings; so all of the pad is more than enough. Rounding a sum of two numbers does not change its sign. If a
//! pad is finite, no sum overflows; if it is not, g is infinite or NaN, and nothing is less than 0. A table's entry is that product for a number not less
//! than f, rounded, and then up to f32. The edge axes are those of `aabb.rs`: twice an image's
//! centre is g(d) - g(-d), two times 7 roundings of halved quantities and 1 more, 8 where `aabb.rs` has 4; it counts 13 in all and its pad covers 32.
mod map;
#[cfg(test)]
mod tests;

use self::map::{Map, Row, Table};
use super::{Apart, Cluster, Collide, Fit, Placement, SAT_AXES, Volume, aabb::EdgeAxis};
use crate::{
    bounds::Bounds,
    build::Split,
    query::Overlap,
    tree::{Link, Node},
};

/// A box is cut once more, in a node of its own, if this part of its volume or more can be cut off by one plane.
const LOOSE: f32 = 0.3;

/// A tree of restricted boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxtree;

/// How far a box reaches in each direction: -lo, hi.
type Reach<T> = [T; 6];

const fn opposite(direction: usize) -> usize {
    (direction + 3) % 6
}

/// The planes of a node's children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuts {
    /// 3 bits for the direction of each, and [`Cuts::ONE_CHILD`].
    code: u8,
    planes: [[u8; 4]; 2],
}

const _: () = assert!(size_of::<Cuts>() == 9 && size_of::<Node<Boxtree>>() == 17);

impl Cuts {
    /// Both planes cut the only child.
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
    /// Direction and reach of a plane.
    #[inline(always)]
    fn plane(&self, i: usize) -> (usize, f32) {
        let direction = (self.code >> (3 * i) & 7) as usize;
        // Never more than 5, which saves the checks of what follows.
        (direction.min(5), f32::from_le_bytes(self.planes[i]))
    }
    /// Those of a child.
    #[inline(always)]
    fn of(&self, slot: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        (slot..slot + 1 + usize::from(self.has_one_child())).map(|i| self.plane(i & 1))
    }
}

fn reach(bounds: &Bounds) -> Reach<f32> {
    let ([a, b, c], [x, y, z]) = (bounds.lo.map(|x| -x), bounds.hi);
    [a, b, c, x, y, z]
}

/// The plane that cuts most off a box: its direction, its place, and the part of the volume that goes.
fn best_cut(live: &Reach<f32>, tight: &Reach<f32>) -> (usize, f32, f32) {
    let part = |d: usize| {
        let side = live[d] + live[opposite(d)];
        if side > 0.0 { (live[d] - tight[d]) / side } else { 0.0 }
    };
    let d = (1..6).fold(0, |best, d| if part(d) > part(best) { d } else { best });
    (d, tight[d], part(d))
}

fn cut(live: &Reach<f32>, direction: usize, plane: f32) -> Reach<f32> {
    let mut child = *live;
    child[direction] = plane;
    child
}

impl Volume for Boxtree {
    type Family = Cuts;
    type Links = [Link; 2];
    type Live = Reach<f32>;
    type Leaf = ();
    const PAPER: &'static str = "Zachmann 2002";
    // 9 products, 13 sums and 4 comparisons, of which 1 and 1 are the test of a cut that is not yet placed.
    const OPERATIONS: [u32; 2] = [8, 18];
    const FITS: &'static [Fit] = &[Fit::Auto];
    // Not `Split::Restricted`: that asks 336,347 volume tests on the scene of `tests/effort.rs`, its variant for the longest axis 256,347,
    // this 185,760.
    const SPLIT: Split = Split::Sah;
    const NO_LINKS: Self::Links = [Link::NONE; 2];

    fn enclose(all: &Cluster<'_>, _: Fit) -> Self::Live {
        reach(&all.bounds)
    }
    fn is_loose(live: &Self::Live, bounds: &Bounds) -> bool {
        best_cut(live, &reach(bounds)).2 > LOOSE
    }
    fn seal(parent: &Self::Live, children: &[Cluster<'_>], _: Fit) -> Cuts {
        let best = |live, child: &Cluster<'_>| {
            let (direction, plane, _) = best_cut(live, &reach(&child.bounds));
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
    fn live(parent: &Self::Live, family: &Cuts, slot: usize) -> Self::Live {
        family.of(slot).fold(*parent, |live, (direction, plane)| cut(&live, direction, plane))
    }
    fn leaf(_: &Self::Live, _: &[[f64; 3]; 3]) {}
    fn holds(live: &Self::Live, lo: &[f64; 3], hi: &[f64; 3]) -> bool {
        (0..3).all(|k| -f64::from(live[k]) <= lo[k] && hi[k] <= f64::from(live[k + 3]))
    }
}

/// Both maps, and what the chosen test needs.
pub(crate) struct Frame {
    to_resting: Map,
    to_moving: Map,
    /// Whether the moving chart's directions are tested, too.
    both: bool,
    table: Option<Table>,
    edges: Option<[[EdgeAxis; 3]; 3]>,
    /// |det M|: what a moving box's volume is multiplied by.
    stretch: f64,
}

/// A box in its own chart, and its image in the other's: of the resting box only where that is tested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    own: Reach<f64>,
    image: Reach<f64>,
}

impl Placed {
    /// A measure of volume in which a flat box has one, too.
    #[inline(always)]
    fn volume(&self) -> f64 {
        const THIN: f64 = 1e-12;
        let side = |k: usize| self.own[k] + self.own[k + 3] + THIN;
        side(0) * side(1) * side(2)
    }
}

/// The edge axis that separates; `changed` leaves out those that a cut did not touch.
#[inline(always)]
fn separating_edge(
    edges: &[[EdgeAxis; 3]; 3],
    a: &Placed,
    b: &Placed,
    changed: impl Fn(usize, usize) -> bool,
) -> Option<u8> {
    let side = |v: &Placed| std::array::from_fn(|k| v.own[k + 3] + v.own[k]);
    let (resting, moving): ([f64; 3], [f64; 3]) = (side(a), side(b));
    let d = std::array::from_fn(|k| (b.image[k + 3] - b.image[k]) - (a.own[k + 3] - a.own[k]));
    let mut axes = (0..9).map(|e| (e / 3, e % 3));
    axes.find(|&(i, j)| changed(i, j) && edges[i][j].separates(&d, &resting, &moving))
        .map(|(i, j)| (6 + 3 * i + j) as u8)
}

impl Frame {
    /// What a moving box reaches in the resting chart.
    #[inline(always)]
    fn in_resting(&self, direction: usize, row: &Row, own: &Reach<f64>) -> f64 {
        match &self.table {
            None => row.reach(own),
            Some(table) => table.reach(row, direction, own),
        }
    }
    /// Cuts a resting box, unless that takes it off the moving one, which its parent may have met.
    #[inline(always)]
    fn cut_resting(
        &self,
        parent: &Placed,
        family: &Cuts,
        slot: usize,
        moving: &Placed,
    ) -> Result<Placed, Apart> {
        let mut child = *parent;
        for (c, plane) in family.of(slot) {
            child.own[c] = f64::from(plane);
            if child.own[c] + moving.image[opposite(c)] < 0.0 {
                return Err(Apart { test: c as u8 % 3, placed: false });
            }
            if self.both {
                for (d, row) in &self.to_moving.changed[c] {
                    child.image[*d] = row.reach(&child.own);
                    if child.image[*d] + moving.own[opposite(*d)] < 0.0 {
                        return Err(Apart { test: 3 + *d as u8 % 3, placed: true });
                    }
                }
            }
        }
        if let Some(edges) = &self.edges {
            let (axis, one) = (family.plane(slot).0 % 3, family.has_one_child());
            if let Some(test) = separating_edge(edges, &child, moving, |i, _| one || i != axis) {
                return Err(Apart { test, placed: true });
            }
        }
        Ok(child)
    }
    /// The same for a moving box.
    #[inline(always)]
    fn cut_moving(
        &self,
        parent: &Placed,
        family: &Cuts,
        slot: usize,
        resting: &Placed,
    ) -> Result<Placed, Apart> {
        let mut child = *parent;
        for (c, plane) in family.of(slot) {
            child.own[c] = f64::from(plane);
            if self.both && child.own[c] + resting.image[opposite(c)] < 0.0 {
                return Err(Apart { test: 3 + c as u8 % 3, placed: false });
            }
            for (d, row) in &self.to_resting.changed[c] {
                child.image[*d] = self.in_resting(*d, row, &child.own);
                if child.image[*d] + resting.own[opposite(*d)] < 0.0 {
                    return Err(Apart { test: *d as u8 % 3, placed: true });
                }
            }
        }
        if let Some(edges) = &self.edges {
            let (axis, one) = (family.plane(slot).0 % 3, family.has_one_child());
            if let Some(test) = separating_edge(edges, resting, &child, |_, j| one || j != axis) {
                return Err(Apart { test, placed: true });
            }
        }
        Ok(child)
    }
}

impl Collide for Boxtree {
    type Frame = Frame;
    type Resting = Placed;
    type Moving = Placed;
    const OVERLAPS: &'static [Overlap] = &[Overlap::SatLite, Overlap::Axis, Overlap::Lookup, Overlap::Sat];
    const TESTS: &'static [&'static str] = SAT_AXES;

    fn frame(placement: &Placement, overlap: Overlap) -> Frame {
        let m = &placement.to_resting.linear;
        let minor = |j: usize, k: usize| m[1][j] * m[2][k] - m[1][k] * m[2][j];
        let det = m[0][0] * minor(1, 2) + m[0][1] * minor(2, 0) + m[0][2] * minor(0, 1);
        Frame {
            to_resting: Map::new(&placement.to_resting),
            to_moving: Map::new(&placement.to_moving),
            both: matches!(overlap, Overlap::SatLite | Overlap::Sat),
            table: (overlap == Overlap::Lookup).then(|| Table::new(&placement.to_resting)),
            edges: (overlap == Overlap::Sat).then(|| EdgeAxis::all(&placement.to_resting)),
            stretch: det.abs(),
        }
    }
    fn rest(frame: &Frame, root: &Reach<f32>) -> Placed {
        let own = root.map(f64::from);
        Placed { own, image: frame.to_moving.rows.map(|row| row.reach(&own)) }
    }
    fn place(frame: &Frame, root: &Reach<f32>) -> Placed {
        let own = root.map(f64::from);
        Placed { own, image: std::array::from_fn(|d| frame.in_resting(d, &frame.to_resting.rows[d], &own)) }
    }
    #[inline(always)]
    fn separation(frame: &Frame, a: &Placed, b: &Placed) -> Option<u8> {
        let axis = |d: usize| d as u8 % 3;
        let of_a = (0..6).find(|&d| a.own[d] + b.image[opposite(d)] < 0.0).map(axis);
        let of_b =
            || (0..6).find(|&d| frame.both && b.own[d] + a.image[opposite(d)] < 0.0).map(|d| 3 + axis(d));
        of_a.or_else(of_b).or_else(|| separating_edge(frame.edges.as_ref()?, a, b, |_, _| true))
    }
    #[inline(always)]
    fn resting_is_larger(frame: &Frame, a: &Placed, b: &Placed) -> bool {
        a.volume() >= b.volume() * frame.stretch
    }
    #[inline(always)]
    fn open_resting(
        frame: &Frame,
        parent: &Placed,
        (family, count): (&Cuts, usize),
        moving: &Placed,
        mut outcome: impl FnMut(usize, Result<Placed, Apart>),
    ) {
        for slot in 0..count {
            outcome(slot, frame.cut_resting(parent, family, slot, moving));
        }
    }
    #[inline(always)]
    fn open_moving(
        frame: &Frame,
        parent: &Placed,
        (family, count): (&Cuts, usize),
        resting: &Placed,
        mut outcome: impl FnMut(usize, Result<Placed, Apart>),
    ) {
        for slot in 0..count {
            outcome(slot, frame.cut_moving(parent, family, slot, resting));
        }
    }
}
