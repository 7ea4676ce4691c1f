//! Exact comparison of the distances of two pairs of triangles, exact nearest points, and a test of triangles
//! that excludes all pairs which are no nearer than a given one.
//!
//! # Support
//! Let x and y be the nearest points of a pair, and w a vector along y - x. If no corner v of a triangle of
//! the first body has w.v > w.x, and none of the second w.v < w.y, then these two triangles are in half
//! spaces as far apart as x and y: they are no nearer than x and y. The test is of single triangles, so n
//! tests a side are enough for n^2 pairs.
//!
//! With [`FeaturePair`]s, u and v edges, d a difference and n a normal:
//!
//! | features | w | degree |
//! |---|---|---|
//! | corner, corner | d | 1 |
//! | corner, edge | (u.u) d - (u.d) u | 3 |
//! | corner, inside | n | 2 |
//! | edge, edge | u x v | 2 |
//!
//! # Sizes
//! Squares of distances are quotients of numbers of 6 L + 13 bits; two are compared by products of 12 L + 26.
//! The nearest points are quotients of 5 L + 16 bits by 4 L + 9.
use super::{EDGES, FeaturePair, TakeFeature, TriangleAt, for_each_feature};
use crate::{
    Pose,
    exact::{DyadicPoints, DyadicTransform, Lattice, wide::Wide},
    posed::{
        homogeneous::quotient,
        probe::{
            Coordinates, Exact, Number, PlacedPoints, RoundedNumber, Space, apart, at_limbs, cross, dot,
            leading, minus, scale_by,
        },
    },
    triangle::decide::Poses,
    vector::Triangle,
};
use std::cmp::Ordering;

type TrianglePairAt<'a> = [TriangleAt<'a>; 2];

/// Limbs for products of 12 L + 26 bits, L being 4198 at most.
const WIDEST: usize = 800;
const _: () = assert!(WIDEST * 64 >= 12 * 4198 + 26);

/// The space of some triangles of two bodies, for numbers of `times` L and `more` bits; and these bits.
fn space(poses: [&Pose; 2], points: [&[[f64; 3]]; 2], [times, more]: [usize; 2]) -> (Space, usize) {
    let maps = poses.map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
    let span = |k: usize| maps[k].span(&DyadicPoints::<1>::ranges(points[k]));
    let lattice = Lattice::new(span(0).and(span(1)));
    let bits = times * lattice.bits + more;
    (Space::with_bits(maps, lattice, bits), bits)
}

/// The nearest features, and the square of their distance, `over` by `under`.
struct NearestFeatures<const N: usize> {
    feature: FeaturePair,
    over: Wide<N>,
    under: Wide<N>,
}

impl<const N: usize> TakeFeature<N> for NearestFeatures<N> {
    #[inline(never)]
    fn take(&mut self, feature: FeaturePair, over: &Wide<N>, under: &Wide<N>) {
        if over.times(&self.under) < self.over.times(under) {
            (self.feature, self.over, self.under) = (feature, *over, *under);
        }
    }
}

#[inline(never)]
fn least<const N: usize>(space: &Space, [p, q]: [&Triangle; 2]) -> NearestFeatures<N> {
    let exact = Exact::<N>(space);
    let p = exact.corners(0, p);
    let q = exact.corners(1, q);
    // Infinitely far.
    let mut least =
        NearestFeatures { feature: FeaturePair::Corners([0; 2]), over: Wide::ONE, under: Wide::ZERO };
    for_each_feature(&p, &q, &mut least);
    least
}

/// Runs `$body` with a number of limbs `$n` that holds `$bits` bits.
macro_rules! at_bits {
    ($bits:expr, $n:ident => $body:expr) => {
        match $bits.div_ceil(64) {
            0..=12 => apart(|| {
                const $n: usize = 12;
                $body
            }),
            13..=32 => apart(|| {
                const $n: usize = 32;
                $body
            }),
            // For parts at turned poses: the widest numbers take 6 KB each.
            33..=64 => apart(|| {
                const $n: usize = 64;
                $body
            }),
            _ => apart(|| {
                const $n: usize = WIDEST;
                $body
            }),
        }
    };
}

fn meet([a, b]: &TrianglePairAt<'_>) -> bool {
    Poses::new(a.pose, b.pose).meet(a.corners, b.corners)
}

/// Compares the distances of two pairs of triangles of the same two bodies, over the real numbers.
pub(crate) fn compare_pairs(x: TrianglePairAt<'_>, y: TrianglePairAt<'_>) -> Ordering {
    match [meet(&x), meet(&y)] {
        [true, true] => return Ordering::Equal,
        [true, false] => return Ordering::Less,
        [false, true] => return Ordering::Greater,
        [false, false] => (),
    }
    let both = [0, 1].map(|side| [*x[side].corners, *y[side].corners]);
    let poses = [x[0].pose, x[1].pose];
    let (space, bits) = space(poses, [both[0].as_flattened(), both[1].as_flattened()], [12, 26]);
    at_bits!(bits, N => {
        let x = least::<N>(&space, [x[0].corners, x[1].corners]);
        let y = least::<N>(&space, [y[0].corners, y[1].corners]);
        x.over.times(&y.under).cmp(&y.over.times(&x.under))
    })
}

/// The nearest features of two triangles that do not meet.
fn nearest_features([a, b]: TrianglePairAt<'_>) -> FeaturePair {
    let (space, bits) = space([a.pose, b.pose], [a.corners, b.corners], [12, 26]);
    at_bits!(bits, N => least::<N>(&space, [a.corners, b.corners]).feature)
}

/// The least square of a distance, rounded.
struct Nearly {
    square: f64,
    unit: i32,
}

impl<const N: usize> TakeFeature<N> for Nearly {
    #[inline(never)]
    fn take(&mut self, _: FeaturePair, over: &Wide<N>, under: &Wide<N>) {
        let ((m, shift_m), (n, shift_n)) = (leading(over), leading(under));
        self.square = self.square.min(scale_by(m / n, shift_m - shift_n + 2 * self.unit));
    }
}

/// An estimate of the distance of two triangles that do not meet, within some units of the last place if f64
/// holds its square. It proves nothing.
pub(crate) fn about([a, b]: TrianglePairAt<'_>) -> f64 {
    let (space, _) = space([a.pose, b.pose], [a.corners, b.corners], [6, 13]);
    let mut nearly = Nearly { square: f64::INFINITY, unit: space.unit() };
    at_limbs!(space.limbs, N => {
        let exact = Exact::<N>(&space);
        let p = exact.corners(0, a.corners);
        let q = exact.corners(1, b.corners);
        for_each_feature(&p, &q, &mut nearly);
    });
    nearly.square.sqrt()
}

/// The nearest points of two triangles that do not meet, each coordinate rounded to the nearest number.
pub(crate) fn nearest_points([a, b]: TrianglePairAt<'_>) -> [[f64; 3]; 2] {
    let feature = nearest_features([a, b]);
    // Quotients are compared with numbers of 54 bits more.
    let (space, _) = space([a.pose, b.pose], [a.corners, b.corners], [6, 80]);
    at_limbs!(space.limbs, N => rounded_points::<N>(&space, [a.corners, b.corners], feature))
}

#[inline(never)]
fn rounded_points<const N: usize>(
    space: &Space,
    [p, q]: [&Triangle; 2],
    feature: FeaturePair,
) -> [[f64; 3]; 2] {
    let exact = Exact::<N>(space);
    let corners = [exact.corners(0, p), exact.corners(1, q)];
    let edge = |side: usize, k: usize| {
        let [from, to] = EDGES[k];
        (corners[side][from], minus(&corners[side][to], &corners[side][from]))
    };
    // from + direction part / whole.
    let round =
        |from: &Coordinates<Wide<N>>, direction: &Coordinates<Wide<N>>, part: &Wide<N>, whole: &Wide<N>| {
            let coordinate = |k: usize| {
                let x = from[k].times(whole).plus(&direction[k].times(part));
                quotient(&x, whole, space.unit()).0
            };
            [coordinate(0), coordinate(1), coordinate(2)]
        };
    let itself = |side: usize, k: usize| round(&corners[side][k], &[Wide::ZERO; 3], &Wide::ZERO, &Wide::ONE);
    let mut points = [[0.0; 3]; 2];
    match feature {
        FeaturePair::Corners([i, k]) => points = [itself(0, i), itself(1, k)],
        FeaturePair::CornerAndEdge { side, corner, edge: k } => {
            let (start, u) = edge(1 - side, k);
            let along = dot(&u, &minus(&corners[side][corner], &start));
            points[side] = itself(side, corner);
            points[1 - side] = round(&start, &u, &along, &dot(&u, &u));
        }
        FeaturePair::CornerAndInside { side, corner } => {
            let (t, v) = (&corners[1 - side], &corners[side][corner]);
            let n = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
            points[side] = itself(side, corner);
            points[1 - side] = round(v, &n, &dot(&n, &minus(&t[0], v)), &dot(&n, &n));
        }
        FeaturePair::Edges([i, k]) => {
            let ((a, u), (c, v)) = (edge(0, i), edge(1, k));
            let (n, w) = (cross(&u, &v), minus(&c, &a));
            let whole = dot(&n, &n);
            points[0] = round(&a, &u, &dot(&cross(&w, &v), &n), &whole);
            points[1] = round(&c, &v, &dot(&cross(&w, &u), &n), &whole);
        }
    }
    points
}

/// A pair of triangles, and a direction along which others are compared with it: see the module's head.
#[derive(Clone, Debug)]
pub(crate) struct SupportingPair {
    poses: [Pose; 2],
    corners: [Triangle; 2],
    /// `None` if the two meet: nothing is nearer.
    feature: Option<FeaturePair>,
    /// The planes in f64, if these are precise enough for the sign of w.
    planes: Option<Planes<RoundedNumber>>,
}

/// w, and a point of either triangle in the plane that bounds its half space.
#[derive(Clone, Copy, Debug)]
struct Planes<T> {
    w: Coordinates<T>,
    ends: [Coordinates<T>; 2],
}

/// A function for each kind of feature: without optimisation a function keeps all its points of wide integers
/// at once, and all kinds together overflow the stack of a small thread.
impl<T: Number> Planes<T> {
    /// The planes of a feature; `None` if a sign is not certain.
    fn of(feature: FeaturePair, corners: &[[Coordinates<T>; 3]; 2]) -> Option<Self> {
        match feature {
            FeaturePair::Corners([i, k]) => Self::between(&corners[0][i], &corners[1][k]),
            FeaturePair::CornerAndEdge { side, corner, edge } => {
                Self::of_edge(&corners[side][corner], edge_of(&corners[1 - side], edge), side)
            }
            FeaturePair::CornerAndInside { side, corner } => {
                Self::of_inside(&corners[side][corner], &corners[1 - side], side)
            }
            FeaturePair::Edges([i, k]) => Self::of_edges(edge_of(&corners[0], i), edge_of(&corners[1], k)),
        }
    }
    #[inline]
    fn between(a: &Coordinates<T>, b: &Coordinates<T>) -> Option<Self> {
        Some(Self { w: minus(b, a), ends: [*a, *b] })
    }
    /// The planes of a corner of a side and an edge of the other one.
    #[inline]
    fn of_edge(corner: &Coordinates<T>, [from, to]: [&Coordinates<T>; 2], side: usize) -> Option<Self> {
        let (d, u) = (minus(corner, from), minus(to, from));
        let (whole, along) = (dot(&u, &u), dot(&u, &d));
        let across = |k: usize| d[k].product(&whole).minus(&u[k].product(&along));
        let w = turned([across(0), across(1), across(2)], side == 0);
        Some(Self { w, ends: in_order(corner, from, side) })
    }
    /// The planes of a corner of a side and the inside of the other one.
    #[inline]
    fn of_inside(corner: &Coordinates<T>, t: &[Coordinates<T>; 3], side: usize) -> Option<Self> {
        let ends = in_order(corner, &t[0], side);
        let n = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
        let height = dot(&n, &minus(&ends[1], &ends[0])).sign()?;
        Some(Self { w: turned(n, height < 0), ends })
    }
    #[inline]
    fn of_edges([a, to]: [&Coordinates<T>; 2], [c, end]: [&Coordinates<T>; 2]) -> Option<Self> {
        let n = cross(&minus(to, a), &minus(end, c));
        let apart = dot(&n, &minus(c, a)).sign()?;
        Some(Self { w: turned(n, apart < 0), ends: [*a, *c] })
    }
    /// True if a corner of a side is in that side's half space; `None` if that is not certain.
    fn is_behind(&self, side: usize, v: &Coordinates<T>) -> Option<bool> {
        let sign = dot(&self.w, &minus(v, &self.ends[side])).sign()?;
        Some(if side == 0 { sign <= 0 } else { sign >= 0 })
    }
}

#[inline(never)]
fn exact_planes<const N: usize>(
    space: &Space,
    [p, q]: [&Triangle; 2],
    feature: FeaturePair,
) -> Option<Planes<Wide<N>>> {
    let exact = Exact::<N>(space);
    // No `map`: without optimisation it holds six copies.
    let corners = [exact.corners(0, p), exact.corners(1, q)];
    Planes::of(feature, &corners)
}

/// The ends of an edge.
#[inline]
fn edge_of<T>(t: &[Coordinates<T>; 3], k: usize) -> [&Coordinates<T>; 2] {
    EDGES[k].map(|corner| &t[corner])
}

/// A direction, reversed if `is_turned`.
#[inline]
fn turned<T: Number>(w: Coordinates<T>, is_turned: bool) -> Coordinates<T> {
    if is_turned { minus(&[T::ZERO; 3], &w) } else { w }
}

/// A point of a side and one of the other; the first side's comes first.
#[inline]
fn in_order<T: Number>(own: &Coordinates<T>, other: &Coordinates<T>, side: usize) -> [Coordinates<T>; 2] {
    if side == 0 { [*own, *other] } else { [*other, *own] }
}

/// A placed point. A coordinate that is not rounded has no error.
fn place(pose: &Pose, v: &[f64; 3]) -> Coordinates<RoundedNumber> {
    let known = |x: f64| RoundedNumber::new(x, 0.0);
    [0, 1, 2].map(|k| {
        let row = pose.rows()[k].map(known);
        let v = v.map(known);
        dot(&row, &v).plus(&known(pose.translation()[k]))
    })
}

impl SupportingPair {
    pub(crate) fn new([a, b]: TrianglePairAt<'_>) -> Self {
        let feature = (!meet(&[a, b])).then(|| nearest_features([a, b]));
        let poses = [*a.pose, *b.pose];
        let corners = [*a.corners, *b.corners];
        let placed = [0, 1].map(|side| corners[side].map(|v| place(&poses[side], &v)));
        let planes = feature.and_then(|feature| Planes::of(feature, &placed));
        Self { poses, corners, feature, planes }
    }
    /// True if a triangle of a side lies in that side's half space, exactly.
    pub(crate) fn is_behind(&self, side: usize, t: &Triangle) -> bool {
        let Some(feature) = self.feature else { return true };
        let by_f64 = |v: &[f64; 3]| self.planes.as_ref()?.is_behind(side, &place(&self.poses[side], v));
        let known = t.each_ref().map(by_f64);
        if known.contains(&Some(false)) {
            return false;
        }
        known == [Some(true); 3] || self.is_behind_exactly(feature, side, t)
    }
    #[inline(never)]
    fn is_behind_exactly(&self, feature: FeaturePair, side: usize, t: &Triangle) -> bool {
        let [p, q] = &self.corners;
        let more = [*p, *q, *t];
        // On the other side the pair's triangle, twice.
        let points = |k: usize| [more[k], if k == side { *t } else { more[k] }];
        let (of_p, of_q) = (points(0), points(1));
        let (space, _) =
            space([&self.poses[0], &self.poses[1]], [of_p.as_flattened(), of_q.as_flattened()], [6, 13]);
        at_limbs!(space.limbs, N => {
            // Signs of integers are certain.
            exact_planes::<N>(&space, [p, q], feature).is_some_and(|planes| {
                let exact = Exact::<N>(&space);
                exact.corners(side, t).iter().all(|v| planes.is_behind(side, v) == Some(true))
            })
        })
    }
}
