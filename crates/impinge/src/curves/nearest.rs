//! Coordinates of points where edges run through triangles, for as many nodes as f64 has lanes: the nearest
//! f64 of each, if numbers of twice the precision are enough to find it.
//!
//! # Errors
//! Let u = 2^-53. Sums and products, as in `triangle/double_double.rs`, are off by at most 8 u^2 (|x| + |y|)
//! and 8 u^2 |x y|. S bounds the sum of absolute values of R v + t over both bodies' corners and the axes. X
//! bounds the differences of coordinates of the edge's ends p and q and of corners of the triangle. As
//! derived there, placed coordinates are off by 24 u^2 S, differences by 64 u^2 S =: e, and the values a and
//! b of the triangle's plane at p and q by 25 X^2 e; they have different signs.
//!
//! * The part s = a / (a - b) of the edge, with values off by f each, is off by | a f' - b f'' | / (|a - b|
//!   |d|) <= f / |d|, where d is the difference as it is worked out: |a| + |b| = |a - b|. The difference
//!   rounds by 8 u^2 of itself.
//! * The quotient a / d is the quotient t of the first parts, off by 3 u of itself, and (a - d t) / d. The
//!   product is off by 8 u^2 |a|, the difference by 16 u^2 |a|, and the remainder is at most 3 u |a|; its
//!   first parts and their quotient round by 3 u: 33 u^2 |s|. As s <= 1, 64 u^2 cover both.
//! * A coordinate p + (q - p) s is off by 24 u^2 S + e + X (25 X^2 e / |d| + 64 u^2). Its product rounds by 8
//!   u^2 X and its sum by 8 u^2 (S + X). As X <= 2 S, all of that is at most e (4 + 25 X^3 / |d|).
//!
//! The code takes 8 in place of 4 and 32 in place of 25, for second orders and rounding of the bound. Where S
//! and X are between 2^-100 and 2^100, nothing that counts overflows; an underflow, off by 2^-1074, is far
//! below e >= 2^-200 and 25 X^2 e >= 2^-400; and for |d| < 2^-700 the bound is above 2^200. An overflow
//! proves nothing.
//!
//! Where a row of the edge's pose is a unit vector, or the negative of one, coordinates of its ends are v + t
//! or t - v. Two numbers hold these exactly, and in one way. If both ends have the same coordinate, the point
//! has it, too, and its first part is the nearest f64. Many edges are perpendicular to an axis.
//!
//! A number high + low that is off by less than |low| is not `high`. Its nearest f64 is `high` if that is the
//! nearest f64 of both ends of its interval. Sums of `low` are rounded by u^2 of `high`.
use super::{feature::NONE, placed::PlacedBodies, spot::Spot};
use crate::{
    Pose,
    simd::{Doubles, Lanes, MOST_DOUBLES, Mask, Simd, Work},
    triangle::double_double::{
        Double, DoubleVector, LanePose, RANGE, cross, difference, placed, placing, size_of,
    },
    vector::{UNIT, largest},
};
use std::ops::ControlFlow;

/// Rounds the coordinates of some nodes, and lists the others.
pub(super) struct NodeRoundingWork<'a> {
    pub(super) placed: &'a PlacedBodies<'a>,
    /// The body whose edges run through triangles of the other one.
    pub(super) body: usize,
    /// Numbers of the spots where they do.
    pub(super) numbers: &'a [u32],
    pub(super) spots: &'a mut [Spot],
    /// The nodes whose rounding is not certain.
    pub(super) left: &'a mut Vec<u32>,
}

/// The body whose edge runs through a triangle of the other one in a spot, if there is one.
#[inline(always)]
pub(super) fn piercing_body(spot: &Spot) -> Option<usize> {
    let [a, b] = &spot.key;
    if spot.own.is_some() || a[1] == NONE || b[1] == NONE || (a[2] == NONE) == (b[2] == NONE) {
        return None;
    }
    Some(usize::from(a[2] != NONE))
}

impl Work for NodeRoundingWork<'_> {
    /// Breaks if it is stopped.
    type Out = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        let Self { placed: of, body, numbers, spots, left } = self;
        let [edges, faces] = [of.bodies[body], of.bodies[1 - body]];
        let size = reach(&edges.pose, edges.model.reach()).max(reach(&faces.pose, faces.model.reach()));
        if !(RANGE[0]..RANGE[1]).contains(&size) {
            left.extend_from_slice(numbers);
            return ControlFlow::Continue(());
        }
        let poses = [&edges.pose, &faces.pose];
        let rows = edges.pose.rows();
        let straight = [is_unit(&rows[0]), is_unit(&rows[1]), is_unit(&rows[2])];
        let (ends, corners) = (edges.model.mesh().points(), faces.model.mesh().points());
        for chunk in numbers.chunks(S::DOUBLES) {
            of.stop.check()?;
            let mut columns = [[0.0; MOST_DOUBLES]; 15];
            for (lane, &number) in chunk.iter().enumerate() {
                let key = &spots[number as usize].key;
                for (k, &vertex) in key[body].iter().take(2).enumerate() {
                    let [x, y, z] = ends[vertex as usize];
                    (columns[3 * k][lane], columns[3 * k + 1][lane], columns[3 * k + 2][lane]) = (x, y, z);
                }
                for (k, &vertex) in key[1 - body].iter().enumerate() {
                    let [x, y, z] = corners[vertex as usize];
                    let k = k + 2;
                    (columns[3 * k][lane], columns[3 * k + 1][lane], columns[3 * k + 2][lane]) = (x, y, z);
                }
            }
            let mut found = [[0.0; MOST_DOUBLES]; 3];
            let (certain, exact) =
                simd.call(NodeBatch { columns: &columns, poses, size, straight, found: &mut found });
            for (lane, &number) in chunk.iter().enumerate() {
                if certain >> lane & 1 == 1 {
                    let spot = &mut spots[number as usize];
                    spot.point = [found[0][lane], found[1][lane], found[2][lane]];
                    spot.exact =
                        [exact[0] >> lane & 1 == 1, exact[1] >> lane & 1 == 1, exact[2] >> lane & 1 == 1];
                } else {
                    left.push(number);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// True if one number is 1 or -1 and the others are 0.
fn is_unit(row: &[f64; 3]) -> bool {
    let of = |wanted: f64| row.iter().filter(|x| x.abs() == wanted).count();
    of(0.0) == 2 && of(1.0) == 1
}

/// An upper bound of the sums |R v| + |t| of absolute values, on every axis.
fn reach(pose: &Pose, reach: &[f64; 3]) -> f64 {
    let of = |i: usize| {
        let row = pose.rows()[i].map(f64::abs);
        row[0] * reach[0] + row[1] * reach[1] + row[2] * reach[2] + pose.translation()[i].abs()
    };
    largest([of(0), of(1), of(2)]) * (1.0 + 8.0 * UNIT)
}

/// A batch of as many nodes as there are lanes.
struct NodeBatch<'a> {
    /// The edge's ends and the triangle's corners.
    columns: &'a [[f64; MOST_DOUBLES]; 15],
    poses: [&'a Pose; 2],
    size: f64,
    /// The axes along which the edge's ends are placed without rounding.
    straight: [bool; 3],
    found: &'a mut [[f64; MOST_DOUBLES]; 3],
}

impl Work for NodeBatch<'_> {
    /// The lanes in which all three coordinates are certain, and those in which each is exact, too.
    type Out = (u32, [u32; 3]);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (u32, [u32; 3]) {
        let Self { columns, poses, size, straight, found } = self;
        let zero = simd.doubles(0.0);
        let to: [LanePose<S::Doubles>; 2] = [placing(simd, poses[0]), placing(simd, poses[1])];
        let mut points = [[Double { high: zero, low: zero }; 3]; 5];
        for (k, point) in points.iter_mut().enumerate() {
            let v = [
                simd.load_doubles(&columns[3 * k]),
                simd.load_doubles(&columns[3 * k + 1]),
                simd.load_doubles(&columns[3 * k + 2]),
            ];
            *point = placed(&to[usize::from(k > 1)], &v, zero);
        }
        let [p, q, t0, t1, t2] = &points;
        let (u, v) = (difference(t1, t0), difference(t2, t0));
        let (from, to, along) = (difference(p, t0), difference(q, t0), difference(q, p));
        let normal = cross(&u, &v);
        let (of_p, of_q) = (value(&normal, &from), value(&normal, &to));
        let x = size_of(&u).max(size_of(&v)).max(size_of(&from)).max(size_of(&to)).max(size_of(&along));
        let all = of_p.minus(of_q);
        let part = of_p.over(all, zero);
        let [scale, least, most] = [64.0 * UNIT * UNIT * size, 2.0 * RANGE[0], 0.5 * RANGE[1]];
        let condition = x * x * x / all.high.abs();
        let off = condition.mul_add(simd.doubles(32.0), simd.doubles(8.0)) * simd.doubles(scale);
        let square = simd.doubles(2.0 * UNIT * UNIT);
        let mut certain = (x.gt(simd.doubles(least)) & simd.doubles(most).gt(x)).bits();
        let mut exact = [0; 3];
        for k in 0..3 {
            let Double { mut high, low } = p[k].plus(along[k].times(part));
            let size = high.abs();
            let off = size.mul_add(square, off);
            let (lower, upper) = (high + (low - off), high + (low + off));
            // No comparison with NaN is true: a lane in which all of these are has none.
            let sane = low.abs().gt(off) & size.gt(simd.doubles(1e-280)) & simd.doubles(most).gt(size);
            let mut sure = sane.bits() & !(high.gt(lower) | upper.gt(high)).bits();
            if straight[k] {
                let finite = |x: &S::Doubles| simd.doubles(most).gt(x.abs());
                let ends = finite(&p[k].high) & finite(&p[k].low) & finite(&q[k].high) & finite(&q[k].low);
                // Compares the parts: a difference would be rounded.
                let highs = p[k].high.gt(q[k].high) | q[k].high.gt(p[k].high);
                let other = highs | p[k].low.gt(q[k].low) | q[k].low.gt(p[k].low);
                let same = ends.bits() & !other.bits();
                // Only 0 is less than the least positive number.
                exact[k] = same & simd.doubles(f64::from_bits(1)).gt(p[k].low.abs()).bits();
                sure = sure & other.bits() | same;
                // Turns -0 into 0.
                high = high.or_else(other, p[k].high) + zero;
            }
            certain &= sure;
            simd.store_doubles(high, &mut found[k]);
        }
        (certain, exact)
    }
}

#[inline(always)]
fn value<L: Doubles>(n: &DoubleVector<L>, v: &DoubleVector<L>) -> Double<L> {
    n[0].times(v[0]).plus(n[1].times(v[1])).plus(n[2].times(v[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{
        near_degenerate::{FAMILIES, near_degenerate},
        rng::Rng,
    };
    use crate::{Body, Mesh, Model, SimdLevel, curves::trust::Trust, simd::detect, triangle::intersection};

    type Triangle = [[f64; 3]; 3];

    /// Every certain node of two triangles, with every instruction set, is that of integers.
    fn check([p, q]: [Triangle; 2], poses: [Pose; 2]) -> [usize; 2] {
        let model = |t: Triangle| Model::new(Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap());
        let models = [model(p), model(q)];
        let bodies = [0, 1].map(|x| Body::new(&models[x], poses[x]));
        let of = PlacedBodies::new([&bodies[0], &bodies[1]], Trust::Features, crate::stop::StopFlag(None));
        let mut spots = Vec::new();
        of.space.ask_triangles([0, 1], [&p, &q], &mut |g| {
            intersection::each(g, &mut |cell| {
                for carriers in &cell.vertices[..cell.len] {
                    let key = [0, 1].map(|x| of.feature(x, 0, carriers[x]));
                    spots.push(Spot {
                        key,
                        own: None,
                        pair: [0; 2],
                        point: [0.0; 3],
                        exact: [true; 3],
                        dirty: false,
                    });
                }
            });
        });
        let (mut certain, mut all) = (0, 0);
        for &level in SimdLevel::ALL {
            for body in 0..2 {
                let numbers: Vec<u32> = (0..spots.len() as u32)
                    .filter(|&number| piercing_body(&spots[number as usize]) == Some(body))
                    .collect();
                let mut left = Vec::new();
                let (numbers, spots, left) = (&numbers, &mut spots, &mut left);
                let work = NodeRoundingWork { placed: &of, body, numbers, spots, left };
                assert!(detect(level).call(work).is_continue());
                for &number in numbers.iter().filter(|number| !left.contains(number)) {
                    let spot = &spots[number as usize];
                    let want = of.space.round_exactly(&of.meeting(spot));
                    assert_eq!((spot.point, spot.exact), (want.point, want.exact), "{p:?} {q:?} {poses:?}");
                    certain += 1;
                }
                all += numbers.len();
            }
        }
        [certain, all]
    }

    #[test]
    fn what_is_certain_is_what_integers_say() {
        let (mut certain, mut all) = ([0; 2], [0; 2]);
        let mut rng = Rng::new(93);
        for i in 0..FAMILIES.len() as u64 * 1000 {
            let case = near_degenerate(94, i);
            // The testkit's poses are of another build of this library.
            let own = |rows: &[[f64; 3]; 3], t: &[f64; 3]| Pose::affine(*rows, *t).unwrap();
            let poses = [
                own(case.pose_p.rows(), case.pose_p.translation()),
                own(case.pose_q.rows(), case.pose_q.translation()),
            ];
            let of_case = check([case.p, case.q], poses);
            // Few bits: many coordinates are short, and others lie midway between two numbers.
            let mut triangle = || [(); 3].map(|()| [(); 3].map(|()| rng.int(-6, 6) as f64));
            let triangles = [triangle(), triangle()];
            let far = 2.0_f64.powi(rng.int(0, 54) as i32);
            let poses = [Pose::IDENTITY, Pose::from_translation([far, 0.0, 0.0]).unwrap()];
            let moved = triangles[1].map(|[x, y, z]| [x - far, y, z]);
            for (k, [some, of_all]) in [of_case, check([triangles[0], moved], poses)].into_iter().enumerate()
            {
                (certain[k], all[k]) = (certain[k] + some, all[k] + of_all);
            }
        }
        assert!(certain.iter().all(|&n| n > 200) && certain[1] < all[1], "{certain:?} of {all:?}");
    }
    /// The ends of an edge have x that differ by less than numbers of twice the precision keep of a
    /// difference.
    #[test]
    fn ends_whose_difference_is_rounded_away_are_not_one() {
        let half = 2.0_f64.powi(-53);
        let a = [[half, -1.0, 0.0], [half.next_down(), 2.0, 0.0], [0.0, 0.5, 5.0]];
        let b = [[-1.0, 1.0, 1.0], [5.0, 1.0, 1.0], [2.0, -1.0, -2.0]];
        let poses = [Pose::from_translation([1.0 + f64::EPSILON, 0.0, 0.0]).unwrap(), Pose::IDENTITY];
        let [_, all] = check([a, b], poses);
        assert!(all > 0);
        // Where the ends are one, that is certain.
        let [certain, all] = check([[[half, -1.0, 0.0], [half, 2.0, 0.0], [0.0, 0.5, 5.0]], b], poses);
        assert!(0 < certain && certain <= all, "{certain} of {all}");
    }
}
