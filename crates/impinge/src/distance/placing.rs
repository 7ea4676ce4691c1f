//! Distances of triangles at two poses, in f64 with a bound.
use crate::{
    Pose, SimdLevel,
    simd::MOST_DOUBLES,
    triangle::closest::{self, Batch, Relative, RoundedTrianglePair, Shift, ToPoint, TriangleDistance},
    vector::{Triangle, UNIT, Vector, sub},
};

/// Two poses, prepared for distances of triangles at them.
pub(crate) struct PreparedPoses<'a> {
    poses: [&'a Pose; 2],
    /// True if their linear parts are the identity, which rounds nothing.
    plain: [bool; 2],
    /// The second translation less the first, and its error bound.
    shift: Vector,
    shift_off: f64,
}

impl<'a> PreparedPoses<'a> {
    /// The placing for poses in this order.
    pub(super) fn new(poses: [&'a Pose; 2]) -> Self {
        let plain = poses.map(|pose| pose.rows() == Pose::IDENTITY.rows());
        let [s, t] = poses.map(|pose| *pose.translation());
        let shift = sub(t, s);
        // A difference with 0 is not rounded.
        let rounded = [0, 1, 2].map(|k| if s[k] == 0.0 || t[k] == 0.0 { 0.0 } else { shift[k] });
        Self { poses, plain, shift, shift_off: UNIT * size(&rounded) }
    }
    /// R v for the corners of a triangle, and an error bound for all.
    #[inline(always)]
    fn turned(&self, which: usize, t: &Triangle) -> (Triangle, f64) {
        if self.plain[which] { (*t, 0.0) } else { self.turned_by_rows(which, t) }
    }
    fn turned_by_rows(&self, which: usize, t: &Triangle) -> (Triangle, f64) {
        let (rows, mut most) = (self.poses[which].rows(), 0.0);
        let turned = t.map(|v| {
            rows.map(|row| {
                let terms = [row[0] * v[0], row[1] * v[1], row[2] * v[2]];
                most = larger(most, terms[0].abs() + terms[1].abs() + terms[2].abs());
                terms[0] + terms[1] + terms[2]
            })
        });
        // Three roundings of a term at most, and those of `most`; the last covers underflow.
        (turned, 4.0 * UNIT * most + f64::MIN_POSITIVE)
    }
    /// R v for the corners of a triangle, and an error bound for each: see [`Self::turned`].
    fn turned_each(&self, which: usize, t: &Triangle) -> (Triangle, [f64; 3]) {
        if self.plain[which] {
            return (*t, [0.0; 3]);
        }
        let (rows, mut off) = (self.poses[which].rows(), [0.0; 3]);
        let mut turned = *t;
        for i in 0..3 {
            let mut most = 0.0;
            for k in 0..3 {
                let terms = [rows[k][0] * t[i][0], rows[k][1] * t[i][1], rows[k][2] * t[i][2]];
                most = larger(most, terms[0].abs() + terms[1].abs() + terms[2].abs());
                turned[i][k] = terms[0] + terms[1] + terms[2];
            }
            off[i] = 4.0 * UNIT * most + f64::MIN_POSITIVE;
        }
        (turned, off)
    }
    /// The f64 bounds of two triangles at the two poses, and the size of their coordinates relative to each
    /// other.
    pub(super) fn nearest(&self, p: &Triangle, q: &Triangle) -> (TriangleDistance, f64) {
        let (placed, pair) = self.placed(p, q);
        (placed.told(self, &closest::nearest(&pair)), placed.extent)
    }
    /// Two triangles relative to each other, for [`closest::nearest`].
    #[inline(always)]
    pub(super) fn placed(&self, p: &Triangle, q: &Triangle) -> (PairFrame, RoundedTrianglePair) {
        // Relative to the first translation, and then to p's first corner: near numbers are subtracted
        // without loss.
        let ((p, off_p), (q, off_q)) = (self.turned(0, p), self.turned(1, q));
        let far = largest(&p, &q);
        let origin = p[0];
        let p = p.map(|v| sub(v, origin));
        let q = q.map(|v| sub(add(v, self.shift), origin));
        let extent = largest(&p, &q);
        // Each difference counts as rounded, exact ones, too. `far` and the shift bound the sums before it,
        // which round nothing if the shift is 0.
        let sum =
            if self.shift == [0.0; 3] { 0.0 } else { UNIT * (far + size(&self.shift)) + self.shift_off };
        let off = larger(off_p, off_q) + sum + UNIT * extent;
        let Some((placed, down, off)) = PairFrame::scaled(origin, extent, off) else {
            let none = [[0.0; 3]; 3];
            return (
                PairFrame { origin, extent, exponent: None },
                RoundedTrianglePair { p: none, q: none, off: 0.0 },
            );
        };
        let scaled = |t: Triangle| t.map(|v| v.map(|x| down.times(x)));
        (placed, RoundedTrianglePair { p: scaled(p), q: scaled(q), off })
    }
    /// Puts two triangles in a lane, for [`Self::ask`].
    #[inline(always)]
    pub(super) fn set(&self, lane: usize, p: &Triangle, q: &Triangle, together: &mut Together) {
        let ((p, off_p), (q, off_q)) = (self.turned(0, p), self.turned(1, q));
        together.placed[lane % MOST_DOUBLES].origin = p[0];
        together.batch.set(lane, &p, &q, larger(off_p, off_q));
    }
    /// Computes the f64 bounds of the first `count` pairs by lanes: the same as [`Self::nearest`] for each.
    pub(super) fn ask(&self, level: SimdLevel, count: usize, Together { placed, batch }: &mut Together) {
        batch.place(level, count, &Shift { by: self.shift, off: self.shift_off, size: size(&self.shift) });
        for (lane, placed) in placed.iter_mut().enumerate().take(count) {
            let Relative { extent, off } = batch.relative(lane);
            match PairFrame::scaled(placed.origin, extent, off) {
                Some((place, down, off)) => {
                    *placed = place;
                    batch.scale(lane, down.0, off);
                }
                // This pair is computed alone.
                None => {
                    (placed.extent, placed.exponent) = (extent, None);
                    batch.scale(lane, [0.0; 2], 0.0);
                }
            }
        }
        batch.ask(level, count);
    }
    /// The f64 bounds of the first pose's origin, a point, and a triangle at the second pose.
    pub(super) fn nearest_to_point(&self, t: &Triangle) -> (TriangleDistance, f64) {
        let placed = self.placed_at_point(t);
        let AtPoint { near, offs, extent, .. } = &placed;
        if placed.is_plain() {
            return (self.told_of_point(&placed, &closest::to_point(near, offs)), *extent);
        }
        let point = *self.poses[0].translation();
        if !(*extent < f64::MAX && offs.iter().all(|off| *off < f64::MAX)) {
            return (TriangleDistance { points: [point; 2], lo: 0.0, hi: f64::INFINITY }, *extent);
        }
        // Between 1 and 2, so that nothing over- or underflows that matters.
        let exponent = ((extent.to_bits() >> 52) as i32 - 1023).max(-1022);
        let (down, up) = (Power::new(-exponent), Power::new(exponent));
        let scaled = near.map(|v| v.map(|x| down.times(x)));
        // A number that becomes subnormal is off by 2^-1074.
        let mut found =
            closest::to_point(&scaled, &offs.map(|off| down.times(off) * (1.0 + 4.0 * UNIT) + 1e-300));
        found.foot = found.foot.map(|x| up.times(x));
        (found.lo, found.hi) = (up.times(found.lo), up.times(found.hi));
        // Only what is subnormal is rounded.
        if exponent < -900 {
            (found.lo, found.hi) = (found.lo.next_down().max(0.0), found.hi.next_up());
        }
        (self.told_of_point(&placed, &found), *extent)
    }
    /// A triangle at the second pose, relative to the first one's origin.
    #[inline(always)]
    pub(super) fn placed_at_point(&self, t: &Triangle) -> AtPoint {
        let (turned, of_turned) = self.turned_each(1, t);
        let near = [add(turned[0], self.shift), add(turned[1], self.shift), add(turned[2], self.shift)];
        let sizes = [size(&near[0]), size(&near[1]), size(&near[2])];
        let extent = larger(larger(sizes[0], sizes[1]), sizes[2]);
        // `near` rounds by u of itself. Each corner has its own bound, so that all triangles with this corner
        // have the same. This sum rounds, too, and so do products with it.
        let off = |i: usize| (of_turned[i] + self.shift_off + UNIT * sizes[i]) * (1.0 + 8.0 * UNIT);
        AtPoint { turned, near, offs: [off(0), off(1), off(2)], extent }
    }
    /// The bounds in the world that follow from the ones found for the point.
    #[inline(always)]
    pub(super) fn told_of_point(&self, placed: &AtPoint, found: &ToPoint) -> TriangleDistance {
        let point = *self.poses[0].translation();
        let place = match found.corner {
            // Does not subtract and add the point's coordinates.
            Some(i) => self.place(1, placed.turned[i]),
            None => add(found.foot, point),
        };
        TriangleDistance { points: [point, place], lo: found.lo, hi: found.hi }
    }
    /// The place in the world of a vector relative to a translation.
    fn place(&self, which: usize, v: Vector) -> Vector {
        add(v, *self.poses[which].translation())
    }
}

/// Origin and scale of two triangles that were placed relative to each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairFrame {
    /// The first one's first corner.
    origin: Vector,
    /// The size of their coordinates.
    pub(super) extent: f64,
    /// They are divided by two to the power of this; `None` if they have no size, or too much.
    exponent: Option<i32>,
}

impl PairFrame {
    /// Origin and scale for this extent; the factor; and the error bound `off` after scaling. `None` if the
    /// triangles have no size, or too much.
    #[inline(always)]
    fn scaled(origin: Vector, extent: f64, off: f64) -> Option<(Self, Power, f64)> {
        if !(extent > 0.0 && extent < f64::MAX && off < f64::MAX) {
            return None;
        }
        // Between 1 and 2, so that nothing over- or underflows that matters.
        let exponent = ((extent.to_bits() >> 52) as i32 - 1023).max(-1022);
        let down = Power::new(-exponent);
        // A number that becomes subnormal is off by 2^-1074.
        let off = down.times(off) * (1.0 + 4.0 * UNIT) + 1e-300;
        Some((Self { origin, extent, exponent: Some(exponent) }, down, off))
    }
    /// The bounds in the world that follow from the ones found for the triangles.
    #[inline]
    pub(super) fn told(&self, placing: &PreparedPoses<'_>, found: &TriangleDistance) -> TriangleDistance {
        let Some(exponent) = self.exponent else {
            let points = [placing.place(0, self.origin); 2];
            return TriangleDistance { points, lo: 0.0, hi: f64::INFINITY };
        };
        let up = Power::new(exponent);
        let place = |v: Vector| placing.place(0, add(v.map(|x| up.times(x)), self.origin));
        let [lo, hi] = up_by(exponent, &up, [found.lo, found.hi]);
        TriangleDistance { points: found.points.map(place), lo, hi }
    }
}

/// Bounds scaled back.
#[inline(always)]
fn up_by(exponent: i32, up: &Power, [lo, hi]: [f64; 2]) -> [f64; 2] {
    let (lo, hi) = (up.times(lo), up.times(hi));
    // Only what is subnormal is rounded.
    if exponent < -900 { [lo.next_down().max(0.0), hi.next_up()] } else { [lo, hi] }
}

/// Pairs that one call decides together.
#[derive(Debug, Default)]
pub(super) struct Together {
    placed: [PairFrame; MOST_DOUBLES],
    batch: Batch,
}

impl Together {
    /// The bounds of a pair's distance, and the size of its coordinates; `None` if it is computed alone.
    #[inline(always)]
    pub(super) fn bounds(&self, lane: usize) -> Option<([f64; 2], f64)> {
        let PairFrame { extent, exponent, .. } = self.placed[lane % MOST_DOUBLES];
        let exponent = exponent?;
        Some((up_by(exponent, &Power::new(exponent), self.batch.bounds(lane)), extent))
    }
    /// The bounds of a pair's distance, and the points.
    pub(super) fn told(&self, placing: &PreparedPoses<'_>, lane: usize) -> TriangleDistance {
        self.placed[lane % MOST_DOUBLES].told(placing, &self.batch.found(lane))
    }
}

/// A triangle relative to a point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AtPoint {
    /// Its corners, but for the translations.
    turned: Triangle,
    /// The corners less the point.
    pub(super) near: Triangle,
    /// Error bound of each corner.
    pub(super) offs: [f64; 3],
    /// The size of its coordinates.
    pub(super) extent: f64,
}

impl AtPoint {
    /// True if [`closest::to_point`] needs no scaling.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        (closest::LEAST_SIZE..=closest::MOST_SIZE).contains(&self.extent)
            && self.offs.iter().all(|off| *off < f64::MAX)
    }
}

/// A power of two, as a product of two, for numbers of any size.
struct Power([f64; 2]);

impl Power {
    #[inline(always)]
    fn new(e: i32) -> Self {
        let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
        Self([power(e / 2), power(e - e / 2)])
    }
    fn times(&self, x: f64) -> f64 {
        x * self.0[0] * self.0[1]
    }
}

fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn size(v: &Vector) -> f64 {
    larger(larger(v[0].abs(), v[1].abs()), v[2].abs())
}

/// The largest coordinate of two triangles; NaN if any is. Without branches, which would be taken at random.
#[inline(always)]
fn largest(p: &Triangle, q: &Triangle) -> f64 {
    let (mut most, mut is_number) = (0.0, true);
    for x in p.as_flattened().iter().chain(q.as_flattened()) {
        let x = x.abs();
        most = if x > most { x } else { most };
        is_number &= !x.is_nan();
    }
    if is_number { most } else { f64::NAN }
}

/// The larger number; NaN if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;

    /// Poses of all sorts: none, moved, turned, stretched, far away.
    fn pose(rng: &mut Rng, kind: usize) -> Pose {
        let t = rng.point(3.0);
        match kind % 5 {
            0 => Pose::IDENTITY,
            1 => Pose::from_translation(t).unwrap(),
            2 => Pose::from_quaternion([0.1, t[0], t[1], t[2]], rng.point(1e-3)).unwrap(),
            3 => Pose::affine([0, 1, 2].map(|_| rng.point(2.0)), t).unwrap(),
            _ => Pose::from_translation(t.map(|x| x * 1e9)).unwrap(),
        }
    }

    #[test]
    fn lanes_tell_the_same_bits_as_pairs_alone() {
        let (mut rng, mut together) = (Rng::new(3), Together::default());
        let bits = |TriangleDistance { points: [x, y], lo, hi }: TriangleDistance| {
            [x[0], x[1], x[2], y[0], y[1], y[2], lo, hi].map(f64::to_bits)
        };
        let mut told = [0; 2];
        for round in 0..4_000 {
            let poses = [pose(&mut rng, round), pose(&mut rng, round / 5)];
            let placing = PreparedPoses::new([&poses[0], &poses[1]]);
            // The largest overflow where they are summed up, or placed.
            let scale = [1.0, 1e-5, 1e-300, 1e150, 1e307, 4e307][round / 25 % 6];
            let mut triangle = |kind: usize| -> Triangle {
                let [a, b, c] = [(); 3].map(|()| match kind % 3 {
                    0 => rng.point(2.0).map(f64::round).map(|x| x * scale),
                    _ => rng.point(2.0).map(|x| x * scale),
                });
                if kind.is_multiple_of(11) { [a; 3] } else { [a, b, c] }
            };
            let pairs: [[Triangle; 2]; MOST_DOUBLES] = std::array::from_fn(|lane| {
                let p = triangle(round + lane);
                // Equal points have no size.
                if lane % 5 == 4 { [[p[0]; 3]; 2] } else { [p, triangle(round / 3 + lane)] }
            });
            let count = 1 + round % MOST_DOUBLES;
            for &level in SimdLevel::ALL {
                (0..).zip(&pairs).for_each(|(lane, [p, q])| placing.set(lane, p, q, &mut together));
                placing.ask(level, count, &mut together);
                for (lane, [p, q]) in pairs.iter().enumerate().take(count) {
                    let (alone, size) = placing.nearest(p, q);
                    let Some((bounds, extent)) = together.bounds(lane) else {
                        let is_large =
                            p.as_flattened().iter().chain(q.as_flattened()).any(|x| x.abs() > 1e300);
                        assert!(alone.hi == f64::INFINITY || is_large, "{level:?}: {p:?} {q:?}");
                        told[0] += 1;
                        continue;
                    };
                    assert_eq!(bits(together.told(&placing, lane)), bits(alone), "{level:?}: {p:?} {q:?}");
                    assert_eq!(bounds.map(f64::to_bits), [alone.lo, alone.hi].map(f64::to_bits));
                    assert_eq!(extent.to_bits(), size.to_bits());
                    told[1] += 1;
                }
            }
        }
        assert!(told[0] > 1_000 && told[1] > 10_000, "{told:?}");
    }
}
