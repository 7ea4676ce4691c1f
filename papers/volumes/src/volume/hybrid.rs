//! Hybrid trees (Hu et al. 2016): a cube on top of a tree of oriented boxes. `hybrid` is the paper's
//! algorithm II, with its leaf test; `hybrid-plain` is algorithm I, without. The root is { x : |x_i - c_i| <=
//! r }, 16 bytes; all nodes below are `obb-hull`, 60 bytes.
//!
//! c is the mean over corners of triangles (their equation 1), r the largest distance of a corner from c. So
//! the mesh lies in the ball of radius r. Under any linear map M the image of that ball lies in the ball of
//! radius r norm, [`Motion::norm`](impinge::hierarchy::Motion::norm), around the image of c. That ball lies
//! in the cube with generators r norm e_i, so a cube never has to be rotated. Cubes are boxes of `obb.rs`
//! with N = 1; for two of them the first three axes compare |c' - c| with the sum of radii, and no other axis
//! can separate.
//!
//! Below the cube comes one node with one child, the oriented box of the same triangles, so that a leaf's
//! volume is oriented even in a tree of one triangle. This costs up to two tests per query.
//!
//! Two fits leave ideas of the paper out, to measure each alone: [`Fit::Triangles`] takes RAPID's boxes below
//! the cube, [`Fit::Rapid`] at the root, too.
//!
//! Measurements, and why the leaf test does not pay here: `docs/notebook.md`, "The papers' volumes".
//!
//! # Bounds
//! [`ball::stored`] bounds the cube's fit and the intervals of `holds`. A cube's r is at most 14 and |c| at
//! most 4, and N = 1 is exact. In the sums of `obb.rs` a resting cube therefore has H <= 14 where boxes have
//! more; a moving one has |w| <= r norm <= 20 |M| on each axis. The centre's image and the difference of
//! centres round by 16 u |M| + 4 u |c| + 32 u, N's products with that by three times as much, with the
//! generators by 60 u |M|, and the sums by 3 u (H + 60 |M|): less than 320 u |M| + 16 u |c| + 200 u. The
//! slack contains 1152 u, 256 u and 1152 u of these. Lengths of generators are bounded by r times `norm`, and
//! N adds its 1e-6 to a term that is covered 4 times.
mod leaf;
#[cfg(test)]
mod tests;

use self::leaf::Corners;
use super::{
    Apart, NodeLayout, OverlapTest, SAT_AXES,
    bounding_volume::BoundingVolume,
    obb::{self, MovingObb, ObbHull, ObbPrecomputed, RestingObb},
    shape::{PlaneNormal, Shape},
};
use crate::{
    Fit, Overlap, Split,
    fit::ball::Ball,
    fit::ball::{self},
    line::{Interval, Line},
    link::Link,
    primitives::Primitives,
    refit::Refit,
};
use impinge::hierarchy::{Bounds, Placement, Vector};

/// A hybrid tree that stores the corners of triangles in their leaf's frame (`KEPT` = 1) or does not (0).
#[derive(Clone, Copy, Debug)]
pub(crate) struct HybridTree<const KEPT: usize>;

/// The paper's algorithm II.
pub(crate) type Hybrid = HybridTree<1>;
/// The paper's algorithm I.
pub(crate) type HybridPlain = HybridTree<0>;

/// A cube { x : |x_i - c_i| <= r }. Its contents also lie in the ball of radius r.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cube {
    centre: [f32; 3],
    radius: f32,
}

const _: () = assert!(size_of::<Cube>() == 16);

impl Cube {
    fn fit(primitives: &Primitives<'_>) -> Self {
        let points: Vec<Vector> = primitives.points().collect();
        let n = points.len() as f64;
        let mean = std::array::from_fn(|k| points.iter().map(|p| p[k]).sum::<f64>() / n);
        let (centre, radius) = ball::stored(&Ball { centre: mean, square: 0.0 }, &points, &primitives.bounds);
        Self { centre, radius }
    }
    /// True if the ball, not only the cube, contains the points: a moving cube must contain the ball's image.
    fn holds(&self, lo: &Vector, hi: &Vector) -> bool {
        let c = self.centre.map(f64::from);
        let far: Vector = std::array::from_fn(|k| (hi[k] - c[k]).abs().max((lo[k] - c[k]).abs()));
        obb::dot(&far, &far).sqrt() <= f64::from(self.radius)
    }
    fn prepare_resting(&self, precomputed: &ObbPrecomputed) -> RestingObb {
        RestingObb {
            centre: self.centre.map(f64::from),
            normals: diagonal(1.0),
            half: [f64::from(self.radius) + precomputed.slack; 3],
        }
    }
    fn prepare_moving(&self, precomputed: &ObbPrecomputed) -> MovingObb {
        let radius = f64::from(self.radius) * precomputed.norm;
        let centre = precomputed.motion.apply(self.centre.map(f64::from));
        MovingObb { centre, generators: diagonal(radius), lengths: [radius; 3] }
    }
}

fn diagonal(x: f64) -> [Vector; 3] {
    [[x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, x]]
}

/// A volume of the tree: the root's cube, or any other node's oriented box.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DecodedHybrid {
    Cube(Cube),
    Oriented(ObbHull),
}

/// Rays and planes use the ball of a cube.
impl Shape for DecodedHybrid {
    type Ray = Line;
    type Direction = PlaneNormal;

    fn ray(line: &Line) -> Line {
        *line
    }
    #[inline(always)]
    fn passage(&self, line: &Line) -> Interval {
        match self {
            Self::Cube(Cube { centre, radius }) => line.ball(&centre.map(f64::from), f64::from(*radius)),
            Self::Oriented(oriented) => oriented.passage(line),
        }
    }
    fn direction(a: &Vector) -> PlaneNormal {
        PlaneNormal::new(a)
    }
    #[inline(always)]
    fn range(&self, direction: &PlaneNormal) -> Interval {
        match self {
            Self::Cube(Cube { centre, radius }) => direction.ball(&centre.map(f64::from), f64::from(*radius)),
            Self::Oriented(oriented) => oriented.range(direction),
        }
    }
}

/// The box below the cube.
fn oriented(primitives: &Primitives<'_>, fit: Fit) -> ObbHull {
    match fit {
        Fit::Triangles | Fit::Rapid => ObbHull::of_triangles(primitives),
        _ => ObbHull::of_hull(primitives),
    }
}

/// The data of the boxes, and the term that the leaf test adds to its error bounds.
pub(crate) struct HybridPrecomputed {
    boxes: ObbPrecomputed,
    fuzz: f64,
}

impl<const KEPT: usize> NodeLayout for HybridTree<KEPT> {
    type ChildBounds = [ObbHull; 2];
    type Links = [Link; 2];
    type Decoded = DecodedHybrid;
    type Leaf = [Corners; KEPT];
    const PAPER: &'static str =
        if KEPT > 0 { "Hu and others 2016 (algorithm II)" } else { "Hu and others 2016 (algorithm I)" };
    const OPERATIONS: [u32; 2] = ObbHull::OPERATIONS;
    const FITS: &'static [Fit] = &[Fit::Auto, Fit::Triangles, Fit::Rapid];
    const SPLIT: Split = ObbHull::SPLIT;
    const NO_LINKS: Self::Links = [Link::NONE; 2];

    fn enclose(all: &Primitives<'_>, fit: Fit) -> DecodedHybrid {
        match fit {
            Fit::Rapid => DecodedHybrid::Oriented(oriented(all, fit)),
            _ => DecodedHybrid::Cube(Cube::fit(all)),
        }
    }
    /// Below the cube comes the oriented box of the same triangles: even a tree of one leaf has an oriented
    /// box.
    fn is_loose(decoded: &DecodedHybrid, _: &Bounds) -> bool {
        matches!(decoded, DecodedHybrid::Cube(_))
    }
    fn encode(_: &DecodedHybrid, children: &[Primitives<'_>], fit: Fit) -> [ObbHull; 2] {
        let first = oriented(&children[0], fit);
        [first, children.get(1).map_or(first, |child| oriented(child, fit))]
    }
    #[inline(always)]
    fn decode(_: &DecodedHybrid, child_bounds: &[ObbHull; 2], slot: usize) -> DecodedHybrid {
        DecodedHybrid::Oriented(child_bounds[slot])
    }
    fn leaf(decoded: &DecodedHybrid, corners: &[Vector; 3]) -> [Corners; KEPT] {
        let kept = match decoded {
            DecodedHybrid::Oriented(leaf) => corners.map(|p| leaf.fractions(&p).map(|x| x as f32)),
            // A cube is never the volume of a leaf; if it were, NaN would prove nothing.
            DecodedHybrid::Cube(_) => [[f32::NAN; 3]; 3],
        };
        [kept; KEPT]
    }
    fn holds(decoded: &DecodedHybrid, lo: &Vector, hi: &Vector) -> bool {
        match decoded {
            DecodedHybrid::Cube(cube) => cube.holds(lo, hi),
            DecodedHybrid::Oriented(oriented) => oriented.holds(lo, hi),
        }
    }
}

impl<const KEPT: usize> OverlapTest for HybridTree<KEPT> {
    type Precomputed = HybridPrecomputed;
    type Resting = RestingObb;
    type Moving = MovingObb;
    const OVERLAPS: &'static [Overlap] = ObbHull::OVERLAPS;
    const TESTS: &'static [&'static str] = SAT_AXES;

    fn precompute(placement: &Placement, overlap: Overlap) -> HybridPrecomputed {
        let boxes = ObbHull::precompute(placement, overlap);
        HybridPrecomputed { fuzz: leaf::fuzz(&boxes), boxes }
    }
    fn prepare_resting(precomputed: &HybridPrecomputed, root: &DecodedHybrid) -> RestingObb {
        match root {
            DecodedHybrid::Cube(cube) => cube.prepare_resting(&precomputed.boxes),
            DecodedHybrid::Oriented(oriented) => oriented.prepare_resting(&precomputed.boxes),
        }
    }
    fn prepare_moving(precomputed: &HybridPrecomputed, root: &DecodedHybrid) -> MovingObb {
        match root {
            DecodedHybrid::Cube(cube) => cube.prepare_moving(&precomputed.boxes),
            DecodedHybrid::Oriented(oriented) => oriented.prepare_moving(&precomputed.boxes),
        }
    }
    #[inline(always)]
    fn separation(precomputed: &HybridPrecomputed, a: &RestingObb, b: &MovingObb) -> Option<u8> {
        ObbHull::separation(&precomputed.boxes, a, b)
    }
    #[inline(always)]
    fn resting_is_larger(precomputed: &HybridPrecomputed, a: &RestingObb, b: &MovingObb) -> bool {
        ObbHull::resting_is_larger(&precomputed.boxes, a, b)
    }
    #[inline(always)]
    fn gap(precomputed: &HybridPrecomputed, a: &RestingObb, b: &MovingObb) -> f64 {
        ObbHull::gap(&precomputed.boxes, a, b)
    }
    #[inline(always)]
    fn resting_child(
        precomputed: &HybridPrecomputed,
        _: &RestingObb,
        child_bounds: &[ObbHull; 2],
        slot: usize,
    ) -> RestingObb {
        child_bounds[slot].prepare_resting(&precomputed.boxes)
    }
    #[inline(always)]
    fn moving_child(
        precomputed: &HybridPrecomputed,
        _: &MovingObb,
        child_bounds: &[ObbHull; 2],
        slot: usize,
    ) -> MovingObb {
        child_bounds[slot].prepare_moving(&precomputed.boxes)
    }
    #[inline(always)]
    fn open_resting(
        precomputed: &HybridPrecomputed,
        _: &RestingObb,
        (child_bounds, count): (&[ObbHull; 2], usize),
        moving: &MovingObb,
        mut outcome: impl FnMut(usize, Result<RestingObb, Apart>),
    ) {
        for (slot, child) in child_bounds.iter().enumerate().take(count) {
            outcome(slot, child.test_resting(&precomputed.boxes, moving));
        }
    }
    #[inline(always)]
    fn open_moving(
        precomputed: &HybridPrecomputed,
        _: &MovingObb,
        (child_bounds, count): (&[ObbHull; 2], usize),
        resting: &RestingObb,
        mut outcome: impl FnMut(usize, Result<MovingObb, Apart>),
    ) {
        for (slot, child) in child_bounds.iter().enumerate().take(count) {
            outcome(slot, child.test_moving(&precomputed.boxes, resting));
        }
    }
    #[inline(always)]
    fn leaves_apart(
        precomputed: &HybridPrecomputed,
        (a, of_a): (&RestingObb, &[[Corners; KEPT]]),
        (b, of_b): (&MovingObb, &[[Corners; KEPT]]),
    ) -> bool {
        KEPT > 0
            && precomputed.boxes.faces
            && leaf::apart(precomputed.fuzz, (a, of_a.as_flattened()), (b, of_b.as_flattened()))
    }
}

impl<const KEPT: usize> Refit for HybridTree<KEPT> {}
