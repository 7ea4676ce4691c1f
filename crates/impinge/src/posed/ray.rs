//! Exact intersection of a ray with a placed triangle.
//!
//! Let o + t d be the ray, c_i the corners less o, e = c_j - c_i the edge from corner i to the next one, and
//! n the normal.
//!
//! * If n.d is not 0, the line meets the plane at t = n.c / n.d. It meets the triangle if no (c_i x c_j).d
//!   has the other sign than n.d, which is their sum.
//! * If n.d is 0, the line and the triangle have a segment, a point or nothing in common. The triangle may be
//!   a segment or a point itself. The common part ends in corners on the line, and where edges go from one
//!   side of the line to the other. Corners on the line have c x d = 0 and t = c_k / d_k, for any axis k
//!   where d_k is not 0. Such edges have (c_i x c_j).d = 0, as they lie in one plane with the line, and t =
//!   (c_i x c_j)_k / (d x e)_k, for any axis k where (d x e)_k is not 0.
//!
//! # Which triangles count as crossed
//! The ray is moved by p = (s, s^2, s^3), s being positive and so small that a smaller one changes nothing
//! (Edelsbrunner and Muecke 1990). Then it meets no edge, nor a triangle in whose plane it runs: p.(e x d) is
//! subtracted from each (c_i x c_j).d, and the first of the terms that is not 0 decides. All triangles take
//! the same p, so that a ray that leaves one across an edge enters the next.
//!
//! # Corners
//! If the line runs through corner i and crosses the plane there, t is c_k / d_k, too. We take that quotient:
//! it and its rounded interval are the same for all triangles that have the corner.
//!
//! # Sizes
//! Coordinates are integers of L bits, those of d of D bits on a lattice of their own, and differences one
//! bit longer. So the numerators above have at most 3 L + 9 bits and the denominators 2 L + D + 8; two
//! quotients are compared by products of 5 L + D + 17 bits. To compare one with t_max = m 2^f, one side is
//! shifted by |e - f|, where 2^e is the factor of all quotients.
use super::{
    distance::TriangleAt,
    probe::{Coordinates, Exact, PlacedPoints, Space, at_limbs, cross, dot, leading, minus, scale_by},
};
use crate::{
    Pose,
    exact::{DyadicPoints, DyadicTransform, ExponentRange, Lattice, Magnitude, Wide},
    vector::UNIT,
};
use std::cmp::Ordering;

/// A ray from t = 0 to t = `until`, which may be infinite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RayAt<'a> {
    pub(crate) origin: &'a [f64; 3],
    pub(crate) direction: &'a [f64; 3],
    pub(crate) until: f64,
}

/// The intersection of a ray and a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RayIntersection {
    /// Intervals that hold the least and the greatest t.
    pub(crate) enter: [f64; 2],
    pub(crate) leave: [f64; 2],
    /// The sign of n.d if the moved ray crosses the triangle, else 0.
    pub(crate) crossing: i8,
    /// The corner where the ray crosses the triangle's plane, if it does so at one, neither at its start nor
    /// at its end.
    pub(crate) corner: Option<usize>,
}

/// The intersection of a ray and a triangle, if there is one.
pub(crate) fn meet(ray: &RayAt<'_>, t: TriangleAt<'_>) -> Option<RayIntersection> {
    let scales = Scales::new(ray, &[t]);
    at_limbs!(scales.space.limbs, N => {
        let on = On::<N>::new(ray, &scales, t.corners);
        let hit = on.meet(&scales)?;
        Some(RayIntersection {
            enter: hit.enter.rounded(&scales, ray.until),
            leave: hit.leave.rounded(&scales, ray.until),
            crossing: hit.crossing,
            corner: hit.corner,
        })
    })
}

/// Compares the t at which a ray enters two triangles of one body. It meets both.
pub(crate) fn compare(ray: &RayAt<'_>, [a, b]: [TriangleAt<'_>; 2]) -> Ordering {
    let scales = Scales::new(ray, &[a, b]);
    at_limbs!(scales.space.limbs, N => {
        let on = |t: &TriangleAt<'_>| On::<N>::new(ray, &scales, t.corners);
        let enter = |t: &TriangleAt<'_>| on(t).meet(&scales).map(|hit| hit.enter);
        match (enter(&a), enter(&b)) {
            (Some(a), Some(b)) => a.compare(&b),
            // The ray meets both.
            _ => Ordering::Equal,
        }
    })
}

/// Units, and the limbs that numbers take.
struct Scales {
    space: Space,
    direction: Lattice,
    until: Lattice,
    limit: f64,
    /// All quotients have the factor 2^`unit`.
    unit: i32,
}

impl Scales {
    fn new(ray: &RayAt<'_>, triangles: &[TriangleAt<'_>]) -> Self {
        let pose = triangles[0].pose;
        let maps = [&Pose::IDENTITY, pose].map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
        let mut span = maps[0].span(&DyadicPoints::<1>::ranges(&[*ray.origin]));
        for t in triangles {
            span = span.and(maps[1].span(&DyadicPoints::<1>::ranges(t.corners)));
        }
        let [x, y, z] = ray.direction.map(ExponentRange::of);
        let limit = ray.until;
        let of_limit = if limit < f64::INFINITY { limit } else { 0.0 };
        let (lattice, direction) = (Lattice::new(span), Lattice::new(x.and(y).and(z)));
        let until = Lattice::new(ExponentRange::of(of_limit));
        let unit = lattice.lo - direction.lo;
        let (shift, l, d) = ((unit - until.lo).unsigned_abs() as usize, lattice.bits, direction.bits);
        let bits = (5 * l + d + 24).max(3 * l + d + until.bits + 24 + shift);
        Self { space: Space::with_bits(maps, lattice, bits), direction, until, limit, unit }
    }
}

/// num / den, den being positive.
#[derive(Clone, Copy)]
struct Quotient<const N: usize> {
    num: Wide<N>,
    den: Wide<N>,
}

impl<const N: usize> Quotient<N> {
    const ZERO: Self = Self { num: Wide::ZERO, den: Wide::ONE };

    #[inline(never)]
    fn new(num: &Wide<N>, den: &Wide<N>) -> Self {
        if den.sign() < 0 {
            let negative = |x: &Wide<N>| {
                let mut negative = Wide::ZERO;
                negative.subtract(x);
                negative
            };
            return Self { num: negative(num), den: negative(den) };
        }
        Self { num: *num, den: *den }
    }
    #[inline(never)]
    fn compare(&self, o: &Self) -> Ordering {
        self.num.times(&o.den).cmp(&o.num.times(&self.den))
    }
    /// Compares it with the ray's end.
    #[inline(never)]
    fn compare_with_end(&self, scales: &Scales) -> Ordering {
        if scales.limit == f64::INFINITY {
            return Ordering::Less;
        }
        let shift = scales.unit - scales.until.lo;
        let power = Wide::new(1, shift.unsigned_abs());
        let end = scales.until.number::<Wide<N>>(scales.limit).times(&self.den);
        if shift >= 0 { self.num.times(&power).cmp(&end) } else { self.num.cmp(&end.times(&power)) }
    }
    /// An interval that holds it, if it lies between 0 and `until`. Both numbers are cut off after 62 bits
    /// and rounded to 53, and the quotient is rounded: 4 u in all.
    #[inline(never)]
    fn rounded(&self, scales: &Scales, until: f64) -> [f64; 2] {
        if self.num.sign() == 0 {
            return [0.0; 2];
        }
        let ((m, shift), (d, of_d)) = (leading(&self.num), leading(&self.den));
        let x = scale_by(m / d, shift - of_d + scales.unit);
        let lo = (x * (1.0 - 8.0 * UNIT)).min(f64::MAX).next_down().max(0.0);
        [lo.min(until), (x * (1.0 + 8.0 * UNIT)).next_up().min(until)]
    }
}

struct Hit<const N: usize> {
    enter: Quotient<N>,
    leave: Quotient<N>,
    crossing: i8,
    corner: Option<usize>,
}

/// A ray and a triangle in integers.
struct On<const N: usize> {
    /// The corners, less the ray's origin.
    c: [Coordinates<Wide<N>>; 3],
    d: Coordinates<Wide<N>>,
    limit: f64,
}

/// The sign of the first of some numbers that is not 0.
fn first_sign<const N: usize>(v: &Coordinates<Wide<N>>) -> i32 {
    v.iter().map(Magnitude::sign).find(|&sign| sign != 0).unwrap_or(0)
}

impl<const N: usize> On<N> {
    #[inline(never)]
    fn new(ray: &RayAt<'_>, scales: &Scales, corners: &[[f64; 3]; 3]) -> Self {
        let exact = Exact::<N>(&scales.space);
        let origin = exact.point(0, ray.origin);
        let from = |i: usize| minus(&exact.point(1, &corners[i]), &origin);
        let [x, y, z] = ray.direction;
        let along = |x: &f64| scales.direction.number::<Wide<N>>(*x);
        Self { c: [from(0), from(1), from(2)], d: [along(x), along(y), along(z)], limit: ray.until }
    }
    #[inline(never)]
    fn edge(&self, i: usize) -> Coordinates<Wide<N>> {
        minus(&self.c[(i + 1) % 3], &self.c[i])
    }
    /// c_i x c_j.
    #[inline(never)]
    fn moment(&self, i: usize) -> Coordinates<Wide<N>> {
        cross(&self.c[i], &self.c[(i + 1) % 3])
    }
    /// The sign of (c_i x c_j).d.
    #[inline(never)]
    fn side(&self, i: usize) -> i32 {
        dot(&self.moment(i), &self.d).sign()
    }
    /// The sign of -p.(e x d) for the moved ray.
    #[inline(never)]
    fn moved_side(&self, i: usize) -> i32 {
        -first_sign(&cross(&self.edge(i), &self.d))
    }
    fn meet(&self, scales: &Scales) -> Option<Hit<N>> {
        let n = cross(&self.edge(0), &self.edge(1));
        let den = dot(&n, &self.d);
        let way = den.sign();
        if way == 0 {
            return self.meet_along(scales);
        }
        self.meet_across(scales, &n, &den)
    }
    /// The intersection, if the ray crosses the triangle's plane.
    #[inline(never)]
    fn meet_across(&self, scales: &Scales, n: &Coordinates<Wide<N>>, den: &Wide<N>) -> Option<Hit<N>> {
        let (way, mut is_crossed, mut is_on) = (den.sign(), true, [false; 3]);
        for (i, is_on) in is_on.iter_mut().enumerate() {
            let side = self.side(i);
            if side == -way {
                return None;
            }
            *is_on = side == 0;
            is_crossed &= if side == 0 { self.moved_side(i) } else { side } == way;
        }
        // Edge i begins at corner i.
        let corner = (0..3).find(|&i| is_on[i] && is_on[(i + 2) % 3]);
        let t = match corner.and_then(|i| self.along(i)) {
            Some(t) => t,
            None => Quotient::new(&dot(n, &self.c[0]), den),
        };
        let (start, end) = (t.num.sign(), t.compare_with_end(scales));
        if start < 0 || end == Ordering::Greater {
            return None;
        }
        // An end on the plane is moved off it, by -p.n.
        let moved = -first_sign(n) * way;
        is_crossed &= if start == 0 { moved > 0 } else { true };
        is_crossed &= if end == Ordering::Equal { moved < 0 } else { true };
        let corner = corner.filter(|_| start > 0 && end == Ordering::Less);
        Some(Hit { enter: t, leave: t, crossing: if is_crossed { way as i8 } else { 0 }, corner })
    }
    /// The intersection, if the ray runs along the triangle's plane or the triangle has none.
    #[inline(never)]
    fn meet_along(&self, scales: &Scales) -> Option<Hit<N>> {
        let mut ends: Option<[Quotient<N>; 2]> = None;
        for i in 0..3 {
            for t in [self.at_corner(i), self.at_edge(i)].into_iter().flatten() {
                widen(&mut ends, &t);
            }
        }
        let [least, most] = ends?;
        if most.num.sign() < 0 || least.compare_with_end(scales) == Ordering::Greater {
            return None;
        }
        let enter = if least.num.sign() < 0 { Quotient::ZERO } else { least };
        let leave = if most.compare_with_end(scales) == Ordering::Greater { self.end(scales) } else { most };
        Some(Hit { enter, leave, crossing: 0, corner: None })
    }
    /// The t of corner i, if it is on the line.
    #[inline(never)]
    fn at_corner(&self, i: usize) -> Option<Quotient<N>> {
        let c = &self.c[i];
        if first_sign(&cross(c, &self.d)) != 0 {
            return None;
        }
        self.along(i)
    }
    /// The t of corner i, which is on the line.
    fn along(&self, i: usize) -> Option<Quotient<N>> {
        let k = (0..3).find(|&k| self.d[k].sign() != 0)?;
        Some(Quotient::new(&self.c[i][k], &self.d[k]))
    }
    /// The t where the line meets the edge from corner i to the next one, between its ends.
    #[inline(never)]
    fn at_edge(&self, i: usize) -> Option<Quotient<N>> {
        let across = cross(&self.d, &self.edge(i));
        let k = (0..3).find(|&k| across[k].sign() != 0)?;
        if self.side(i) != 0 {
            return None;
        }
        let side = |i: usize| cross(&self.d, &self.c[i])[k].sign();
        (side(i) * side((i + 1) % 3) < 0).then(|| Quotient::new(&self.moment(i)[k], &across[k]))
    }
    /// t_max, in the units of other quotients.
    #[inline(never)]
    fn end(&self, scales: &Scales) -> Quotient<N> {
        let shift = scales.unit - scales.until.lo;
        let (power, m) = (Wide::new(1, shift.unsigned_abs()), scales.until.number::<Wide<N>>(self.limit));
        if shift >= 0 {
            Quotient { num: m, den: power }
        } else {
            Quotient { num: m.times(&power), den: Wide::ONE }
        }
    }
}

#[inline(never)]
fn widen<const N: usize>(ends: &mut Option<[Quotient<N>; 2]>, t: &Quotient<N>) {
    match ends {
        None => *ends = Some([*t; 2]),
        Some([least, most]) => {
            if t.compare(least) == Ordering::Less {
                *least = *t;
            }
            if t.compare(most) == Ordering::Greater {
                *most = *t;
            }
        }
    }
}
