//! Points where features of two placed bodies meet, as homogeneous integers: their comparison, location in
//! triangles, and correct rounding.
//!
//! A vertex is a placed corner. An edge p q runs through the plane of a triangle at (s_p q - s_q p) / (s_p -
//! s_q), with s the plane's values at its ends. Two edges that cross do so at the same point of p q, with s
//! the areas of p and of q with the other edge, seen along an axis along which the edges are not parallel.
//!
//! # Sizes
//! With coordinates of L bits, numerators have 4 L bits and denominators 3 L, and less than 8 for sums.
//! Compared with another such point, products have 7 L; with a plane, 6 L; and with a number m 2^e, the
//! longer one of numerator and denominator and 54 more. `Space` has room for 9 L + 48.
use super::{
    probe::{Coordinates, Exact, Number, PlacedPoints, Space, at_limbs, cross, dot, minus},
    twice::Twice,
};
use crate::{
    Pose,
    exact::{
        self, Fixed, IntegerPoints, Lattice, Magnitude, Predicates, TwoTriangles, WIDTHS, Wide, at_size,
        at_width,
    },
    vector::Vector,
};
use std::cmp::Ordering;

/// A feature of a body by its corners, as they are stored: one for a vertex, two for an edge, three for a
/// triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeatureCorners {
    /// The number of the body.
    pub(crate) body: usize,
    pub(crate) points: [Vector; 3],
    pub(crate) len: usize,
}

/// x / d, with d > 0.
struct Homogeneous<const N: usize> {
    x: Coordinates<Wide<N>>,
    d: Wide<N>,
}

/// The coordinates of a point, each the nearest f64; true if that is exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounding {
    pub(crate) point: Vector,
    pub(crate) exact: [bool; 3],
}

impl Space {
    /// Calls `ask` with the predicates on two triangles of these bodies.
    pub(crate) fn ask_triangles(
        &self,
        bodies: [usize; 2],
        triangles: [&[Vector; 3]; 2],
        ask: &mut dyn FnMut(&dyn Predicates),
    ) {
        // One function for each width: the widest takes 30 KB of stack.
        #[inline(never)]
        fn with<I: exact::Integer>(
            lattice: Lattice,
            six: &TwoTriangles<'_>,
            ask: &mut dyn FnMut(&dyn Predicates),
        ) {
            let mut placed = IntegerPoints::<I>::ZERO;
            placed.put(lattice, six);
            ask(&placed);
        }
        let maps = self.maps();
        let six = TwoTriangles::of([&maps[bodies[0]], &maps[bodies[1]]], triangles);
        let lattice = six.lattice();
        at_size!(lattice.bits, 3, I => with::<I>(lattice, &six, ask));
    }
    /// The point that two features have in common, rounded. They meet in one point.
    /// The space is that of these poses.
    pub(crate) fn round(&self, poses: [&Pose; 2], features: &[FeatureCorners; 2]) -> Rounding {
        quickly(poses, features).unwrap_or_else(|| self.round_exactly(features))
    }
    #[inline(never)]
    pub(crate) fn round_exactly(&self, features: &[FeatureCorners; 2]) -> Rounding {
        at_limbs!(self.limbs, N => {
            let at = Homogeneous::<N>::of(self, features);
            let mut rounding = Rounding { point: [0.0; 3], exact: [true; 3] };
            for k in 0..3 {
                (rounding.point[k], rounding.exact[k]) = quotient(&at.x[k], &at.d, self.unit());
            }
            rounding
        })
    }
    /// Compares two such points, by the first coordinate in which they differ.
    pub(crate) fn compare(&self, a: &[FeatureCorners; 2], b: &[FeatureCorners; 2]) -> Ordering {
        at_limbs!(self.limbs, N => {
            let (a, b) = (Homogeneous::<N>::of(self, a), Homogeneous::<N>::of(self, b));
            let by = |k: usize| a.x[k].times(&b.d).cmp(&b.x[k].times(&a.d));
            (0..3).map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        })
    }
    /// The feature of a triangle, an edge or a vertex in which such a point lies, as a set of corners. `None`
    /// if it lies beside these, or if the two features are parallel.
    pub(crate) fn locate(&self, at: &[FeatureCorners; 2], of: &FeatureCorners) -> Option<u8> {
        at_limbs!(self.limbs, N => {
            let at = Homogeneous::<N>::of(self, at);
            let corners = Exact::<N>(self).corners(of.body, &of.points);
            if Magnitude::sign(&at.d) == 0 { None } else { at.carrier(&corners[..of.len]) }
        })
    }
    /// True if such a point lies in the plane of a triangle that is not degenerate.
    pub(crate) fn is_in_plane(&self, at: &[FeatureCorners; 2], of: &FeatureCorners) -> bool {
        at_limbs!(self.limbs, N => {
            let at = Homogeneous::<N>::of(self, at);
            let [p, q, r] = Exact::<N>(self).corners(of.body, &of.points);
            let normal = cross(&minus(&q, &p), &minus(&r, &p));
            Magnitude::sign(&dot(&normal, &at.from(&p))) == 0
        })
    }
}

/// The result where twice the precision of f64 is enough.
#[inline(never)]
fn quickly(poses: [&Pose; 2], features: &[FeatureCorners; 2]) -> Option<Rounding> {
    let place = |i: usize, k: usize| Twice::place(poses[features[i].body], &features[i].points[k]);
    let at = match meeting([features[0].len, features[1].len], &place)? {
        CommonPoint::At(point) => point,
        CommonPoint::Between { ends: [p, q], values: [of_p, of_q] } => {
            let part = of_p.over(&of_p.minus(&of_q));
            // Where both ends have the same coordinate, this has it, too, exactly: many edges are
            // perpendicular to an axis.
            let x = |k: usize| p[k].plus(&q[k].minus(&p[k]).times(&part));
            [x(0), x(1), x(2)]
        }
    };
    let mut rounding = Rounding { point: [0.0; 3], exact: [true; 3] };
    for (k, x) in at.iter().enumerate() {
        (rounding.point[k], rounding.exact[k]) = x.round()?;
    }
    Some(rounding)
}

/// The point that two features have in common.
enum CommonPoint<T> {
    At(Coordinates<T>),
    /// The point of a segment where a linear function is 0. Its values at the ends are these, and differ.
    Between {
        ends: [Coordinates<T>; 2],
        values: [T; 2],
    },
}

/// The point that features with `lens` corners have in common. `None` if a sign is not certain.
// Not always inlined, nor are the two below: the widest integers would take a megabyte of one frame.
#[inline]
fn meeting<T: Number>(
    lens: [usize; 2],
    place: &impl Fn(usize, usize) -> Coordinates<T>,
) -> Option<CommonPoint<T>> {
    let ends = |i: usize| [place(i, 0), place(i, 1)];
    let triangle = |i: usize| [place(i, 0), place(i, 1), place(i, 2)];
    match lens {
        [1, _] => Some(CommonPoint::At(place(0, 0))),
        [_, 1] => Some(CommonPoint::At(place(1, 0))),
        [2, 2] => crossing(ends(0), &ends(1)),
        [2, _] => Some(piercing(ends(0), &triangle(1))),
        _ => Some(piercing(ends(1), &triangle(0))),
    }
}

#[inline]
fn piercing<T: Number>(ends: [Coordinates<T>; 2], t: &[Coordinates<T>; 3]) -> CommonPoint<T> {
    let normal = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
    let value = |x: &Coordinates<T>| dot(&normal, &minus(x, &t[0]));
    let values = [value(&ends[0]), value(&ends[1])];
    CommonPoint::Between { ends, values }
}

#[inline]
fn crossing<T: Number>(ends: [Coordinates<T>; 2], [r, s]: &[Coordinates<T>; 2]) -> Option<CommonPoint<T>> {
    let (along, other) = (minus(&ends[1], &ends[0]), minus(s, r));
    let normal = cross(&along, &other);
    let mut axis = 0;
    // The normal of two edges that cross is not 0.
    while normal[axis].sign()? == 0 && axis < 2 {
        axis += 1;
    }
    let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
    let value = |v: &Coordinates<T>| {
        let from = minus(v, r);
        from[x].times(&other[y]).minus(&from[y].times(&other[x]))
    };
    let values = [value(&ends[0]), value(&ends[1])];
    Some(CommonPoint::Between { ends, values })
}

impl<const N: usize> Homogeneous<N> {
    fn of(space: &Space, features: &[FeatureCorners; 2]) -> Self {
        let place = |i: usize, k: usize| Exact::<N>(space).point(features[i].body, &features[i].points[k]);
        let lens = [features[0].len, features[1].len];
        let (x, d) = match meeting(lens, &place) {
            Some(CommonPoint::At(x)) => (x, Wide::ONE),
            Some(CommonPoint::Between { ends: [p, q], values: [of_p, of_q] }) => {
                let x = |k: usize| Number::minus(&of_p.times(&q[k]), &of_q.times(&p[k]));
                ([x(0), x(1), x(2)], Number::minus(&of_p, &of_q))
            }
            // Signs of integers are certain.
            None => ([Wide::ZERO; 3], Wide::ONE),
        };
        if Magnitude::sign(&d) < 0 {
            return Self { x: minus(&[Wide::ZERO; 3], &x), d: Number::minus(&Wide::ZERO, &d) };
        }
        Self { x, d }
    }
    /// d (x - p).
    fn from(&self, p: &Coordinates<Wide<N>>) -> Coordinates<Wide<N>> {
        let coordinate = |k: usize| self.x[k].minus(&p[k].times(&self.d));
        [coordinate(0), coordinate(1), coordinate(2)]
    }
    fn carrier(&self, corners: &[Coordinates<Wide<N>>]) -> Option<u8> {
        let is_zero = |v: &Coordinates<Wide<N>>| v.iter().all(|x| Magnitude::sign(x) == 0);
        match corners {
            [p] => is_zero(&self.from(p)).then_some(1),
            [p, q] => {
                let (along, x, y) = (minus(q, p), self.from(p), self.from(q));
                let turned = cross(&along, &x);
                if !is_zero(&turned) {
                    return None;
                }
                let axis = (0..3).find(|&k| Magnitude::sign(&along[k]) != 0)?;
                let way = Magnitude::sign(&along[axis]);
                match (Magnitude::sign(&x[axis]) * way, Magnitude::sign(&y[axis]) * way) {
                    (0, _) => Some(1),
                    (_, 0) => Some(2),
                    (1, -1) => Some(3),
                    _ => None,
                }
            }
            [p, q, r] => {
                let normal = cross(&minus(q, p), &minus(r, p));
                let [x, y, z] = [self.from(p), self.from(q), self.from(r)];
                if Magnitude::sign(&dot(&normal, &x)) != 0 {
                    return None;
                }
                let axis = (0..3).find(|&k| Magnitude::sign(&normal[k]) != 0)?;
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let turn = Magnitude::sign(&normal[axis]);
                let mut carrier = 7;
                for (from, along, opposite) in
                    [(&x, minus(q, p), 2), (&y, minus(r, q), 0), (&z, minus(p, r), 1)]
                {
                    let side = along[i].times(&from[j]).minus(&along[j].times(&from[i]));
                    match Magnitude::sign(&side) * turn {
                        -1 => return None,
                        0 => carrier &= !(1 << opposite),
                        _ => {}
                    }
                }
                Some(carrier)
            }
            _ => None,
        }
    }
}

/// The leading `bits` bits, and the number of bits by which to shift them up.
fn leading<const N: usize>(x: &Wide<N>, bits: u32) -> (u64, i32) {
    let shift = x.bits().saturating_sub(bits);
    (x.shifted_down(shift), shift as i32)
}

/// x / d 2^unit, rounded to the nearest f64, ties to even, and whether that is exact. d > 0.
///
/// A quotient of the leading 62 bits of both is off by less than 2^-60 of itself, and 3 u for its rounding:
/// the nearest f64 is at most a few numbers away from it. Comparisons with the points midway between
/// neighbours find it.
pub(super) fn quotient<const N: usize>(x: &Wide<N>, d: &Wide<N>, unit: i32) -> (f64, bool) {
    let sign = Magnitude::sign(x);
    if sign == 0 {
        return (0.0, true);
    }
    let x = if sign < 0 { Wide::ZERO.minus(x) } else { *x };
    // Compares x / d 2^unit with m 2^e.
    let against = |m: u64, e: i32| -> Ordering {
        let of_d = d.times(&Wide::new(i128::from(m), 0));
        // The longer one is the greater, and is not computed: there may be no room for it.
        let (up, down) = ((unit - e).max(0) as u32, (e - unit).max(0) as u32);
        let longer = (x.bits() + up).cmp(&(of_d.bits() + down));
        longer.then_with(|| {
            let shifted = |x: &Wide<N>, by: u32| if by == 0 { *x } else { x.times(&Wide::new(1, by)) };
            shifted(&x, up).cmp(&shifted(&of_d, down))
        })
    };
    let ((m, shift), (n, shift_d)) = (leading(&x, 62), leading(d, 62));
    let mut bits = power(m as f64 / n as f64, shift - shift_d + unit).min(f64::MAX).to_bits();
    // For a positive number: its mantissa and the exponent of its last bit.
    let parts = |bits: u64| {
        let (raw, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) }
    };
    let midway = |bits: u64| {
        let (m, e) = parts(bits);
        against(2 * m + 1, e - 1)
    };
    let is_odd = |bits: u64| bits % 2 == 1;
    // The successor of the largest number is infinite.
    while bits < f64::INFINITY.to_bits() {
        let beyond = midway(bits);
        if beyond.is_gt() || beyond.is_eq() && is_odd(bits) {
            bits += 1;
        } else {
            break;
        }
    }
    while bits > 0 {
        let before = midway(bits - 1);
        if before.is_lt() || before.is_eq() && is_odd(bits) {
            bits -= 1;
        } else {
            break;
        }
    }
    let (m, e) = parts(bits);
    let exact = bits < f64::INFINITY.to_bits() && against(m, e).is_eq();
    let size = f64::from_bits(bits);
    // Never -0.
    (if sign < 0 { 0.0 - size } else { size }, exact)
}

/// x 2^e, roughly where that is subnormal; infinite or 0 beyond the range of f64.
fn power(x: f64, e: i32) -> f64 {
    let e = e.clamp(-2200, 2200);
    let part = e / 3;
    x * 2.0_f64.powi(part) * 2.0_f64.powi(part) * 2.0_f64.powi(e - 2 * part)
}
