//! Two poses, made ready to tell how far triangles at them are apart, in f64 with a bound.
use crate::{
    Pose,
    triangle::closest::{self, Nearest, Pair, ToPoint},
    vector::{UNIT, Vector, sub},
};

type Triangle = [Vector; 3];

/// Two poses, made ready to tell how far triangles at them are apart.
pub(crate) struct Placing<'a> {
    poses: [&'a Pose; 2],
    /// Whether their linear parts are the identity, which rounds nothing.
    plain: [bool; 2],
    /// The second translation less the first, and how far it may be off.
    shift: Vector,
    shift_off: f64,
}

impl<'a> Placing<'a> {
    /// Of poses in this order.
    pub(super) fn new(poses: [&'a Pose; 2]) -> Self {
        let plain = poses.map(|pose| pose.rows() == Pose::IDENTITY.rows());
        let [s, t] = poses.map(|pose| *pose.translation());
        let shift = sub(t, s);
        // Nothing is rounded where 0 is subtracted, or from 0.
        let rounded = [0, 1, 2].map(|k| if s[k] == 0.0 || t[k] == 0.0 { 0.0 } else { shift[k] });
        Self { poses, plain, shift, shift_off: UNIT * size(&rounded) }
    }
    /// R v for the corners of a triangle, and how far it may be off.
    fn turned(&self, which: usize, t: &Triangle) -> (Triangle, f64) {
        if self.plain[which] {
            return (*t, 0.0);
        }
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
    /// R v for the corners of a triangle, and how far each may be off: see [`Self::turned`].
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
    /// What f64 tells of two triangles at the two poses, and the size of their coordinates relative to each
    /// other.
    pub(super) fn nearest(&self, p: &Triangle, q: &Triangle) -> (Nearest, f64) {
        let (placed, pair) = self.placed(p, q);
        (placed.told(self, &closest::nearest(&pair)), placed.extent)
    }
    /// Two triangles relative to each other, for [`closest::nearest`].
    #[inline(always)]
    pub(super) fn placed(&self, p: &Triangle, q: &Triangle) -> (Placed, Pair) {
        // Relative to the first translation, and then to p's first corner: what is near is subtracted without
        // loss.
        let ((p, off_p), (q, off_q)) = (self.turned(0, p), self.turned(1, q));
        let far = largest(&p, &q);
        let origin = p[0];
        let p = p.map(|v| sub(v, origin));
        let q = q.map(|v| sub(add(v, self.shift), origin));
        let extent = largest(&p, &q);
        // Each difference is rounded; nothing is where the shift is none and the difference is exact, which
        // is not looked at. `far` and the shift bound what is rounded before.
        let sum =
            if self.shift == [0.0; 3] { 0.0 } else { UNIT * (far + size(&self.shift)) + self.shift_off };
        let off = larger(off_p, off_q) + sum + UNIT * extent;
        // Between 1 and 2, so that nothing over- or underflows that matters.
        if !(extent > 0.0 && extent < f64::MAX && off < f64::MAX) {
            let none = [[0.0; 3]; 3];
            return (Placed { origin, extent, exponent: None }, Pair { p: none, q: none, off: 0.0 });
        }
        let exponent = ((extent.to_bits() >> 52) as i32 - 1023).max(-1022);
        let down = Power::new(-exponent);
        let scaled = |t: Triangle| t.map(|v| v.map(|x| down.times(x)));
        // What becomes subnormal is off by 2^-1074.
        let off = down.times(off) * (1.0 + 4.0 * UNIT) + 1e-300;
        (Placed { origin, extent, exponent: Some(exponent) }, Pair { p: scaled(p), q: scaled(q), off })
    }
    /// The same of the first pose's origin, a point, and a triangle at the second pose.
    pub(super) fn nearest_to_point(&self, t: &Triangle) -> (Nearest, f64) {
        let placed = self.placed_at_point(t);
        let AtPoint { near, offs, extent, .. } = &placed;
        if placed.is_plain() {
            return (self.told_of_point(&placed, &closest::to_point(near, offs)), *extent);
        }
        let point = *self.poses[0].translation();
        if !(*extent < f64::MAX && offs.iter().all(|off| *off < f64::MAX)) {
            return (Nearest { points: [point; 2], lo: 0.0, hi: f64::INFINITY }, *extent);
        }
        // Between 1 and 2, so that nothing over- or underflows that matters.
        let exponent = ((extent.to_bits() >> 52) as i32 - 1023).max(-1022);
        let (down, up) = (Power::new(-exponent), Power::new(exponent));
        let scaled = near.map(|v| v.map(|x| down.times(x)));
        // What becomes subnormal is off by 2^-1074.
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
        // The last sum rounds by u of itself. By corner, so that all triangles with a corner tell the same.
        let off = |i: usize| of_turned[i] + self.shift_off + UNIT * sizes[i];
        AtPoint { turned, near, offs: [off(0), off(1), off(2)], extent }
    }
    /// What is told by what was found of it.
    #[inline(always)]
    pub(super) fn told_of_point(&self, placed: &AtPoint, found: &ToPoint) -> Nearest {
        let point = *self.poses[0].translation();
        let place = match found.corner {
            // Not back and forth through the point's own coordinates.
            Some(i) => self.place(1, placed.turned[i]),
            None => add(found.foot, point),
        };
        Nearest { points: [point, place], lo: found.lo, hi: found.hi }
    }
    /// What is relative to a translation, in the world.
    fn place(&self, which: usize, v: Vector) -> Vector {
        add(v, *self.poses[which].translation())
    }
}

/// Where two triangles are that were placed relative to each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placed {
    /// The first one's first corner.
    origin: Vector,
    /// The size of their coordinates.
    pub(super) extent: f64,
    /// They are divided by two to the power of this; `None` if they have no size, or too much.
    exponent: Option<i32>,
}

impl Placed {
    /// What is told by what was found of the triangles.
    #[inline]
    pub(super) fn told(&self, placing: &Placing<'_>, found: &Nearest) -> Nearest {
        let Some(exponent) = self.exponent else {
            let points = [placing.place(0, self.origin); 2];
            return Nearest { points, lo: 0.0, hi: f64::INFINITY };
        };
        let up = Power::new(exponent);
        let place = |v: Vector| placing.place(0, add(v.map(|x| up.times(x)), self.origin));
        let (lo, hi) = (up.times(found.lo), up.times(found.hi));
        // Only what is subnormal is rounded.
        let (lo, hi) = if exponent < -900 { (lo.next_down().max(0.0), hi.next_up()) } else { (lo, hi) };
        Nearest { points: found.points.map(place), lo, hi }
    }
}

/// A triangle relative to a point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AtPoint {
    /// Its corners, but for the translations.
    turned: Triangle,
    /// Less the point.
    pub(super) near: Triangle,
    /// How far each corner may be off.
    pub(super) offs: [f64; 3],
    /// The size of its coordinates.
    pub(super) extent: f64,
}

impl AtPoint {
    /// Whether [`closest::to_point`] may be asked without scaling.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        (closest::LEAST_SIZE..=closest::MOST_SIZE).contains(&self.extent)
            && self.offs.iter().all(|off| *off < f64::MAX)
    }
}

/// A power of two, as a product of two, for numbers of any size.
struct Power([f64; 2]);

impl Power {
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

/// NaN if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}
