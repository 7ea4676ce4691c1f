//! Exact predicates on placed points: no rounding, no overflow, no allocation.
//!
//! A coordinate R v + t is a sum of three products and one number, all of them dyadic rationals m 2^e. Scaled
//! by one power of two they are integers, and so are differences, minors and determinants of them.
//! [`Lattice`] finds that power and the number of bits. Integers on the stack do the rest: [`Fixed`] of 1 to
//! 4 limbs for the numbers of most meshes, else [`Wide`], of which a few widths are compiled. The largest
//! holds every number that finite f64 coordinates can give (`MAX_BITS`), so the exact stage has no failure
//! case.
mod contact;
mod coordinate;
pub(crate) mod distance;
mod fixed;
mod homogeneous;
mod integer;
mod lattice;
mod placed;
pub(crate) mod probe;
pub(crate) mod ray;
pub(crate) mod region;
mod sixty_bits;
pub(crate) mod twice;
pub(crate) mod wide;

pub(crate) use self::contact::Places;
pub(crate) use self::coordinate::Coordinate;
pub(crate) use self::homogeneous::{Corners, Rounding};
use self::{
    fixed::Fixed,
    integer::{Integer, WIDTHS, at_size, at_width},
    lattice::{DyadicTransform, Lattice, TwoTriangles},
    placed::IntegerPoints,
    wide::Wide,
};
use crate::{
    Pose,
    vector::UNIT,
    vector::{cross, dot, sub},
};
use std::{cell::Cell, cmp::Ordering};

/// The signs that the exact triangle test asks for, of six points: 0 to 2 the first triangle's, 3 to 5 the
/// second's.
pub(crate) trait Predicates {
    /// Sign of det(b - a, c - a, d - a), up to one fixed factor.
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32;
    /// Sign of the 2 x 2 determinant in the plane that is left when coordinate `axis` is dropped.
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32;
    /// Compares coordinate `axis` of two points.
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering;
    /// Whether two points are equal.
    fn same(&self, a: usize, b: usize) -> bool {
        (0..3).all(|axis| self.compare(axis, a, b).is_eq())
    }
    /// On which side of the plane of three points three others lie.
    fn sides(&self, t: [usize; 3], points: [usize; 3]) -> [i32; 3] {
        points.map(|i| self.orient3d(t[0], t[1], t[2], i))
    }
    /// The axes in the order in which dropping one is likely to keep the shape of a triangle: a guess.
    fn axes(&self, _corners: [usize; 3]) -> [usize; 3] {
        [0, 1, 2]
    }
}

/// Predicates on six points of two triangles at the same pose, which need not be moved: floating point where
/// it is certain, Shewchuk's adaptive predicates (crate `robust`) in the plane.
///
/// [`is_in_safe_range`] makes sure that nothing over- or underflows.
pub(crate) struct SamePosePredicates<'a> {
    points: &'a [[f64; 3]; 6],
    /// Set where the sign of orient3d was not certain: then there is no answer.
    unsure: Cell<bool>,
}

impl<'a> SamePosePredicates<'a> {
    fn new(points: &'a [[f64; 3]; 6]) -> Self {
        Self { points, unsure: Cell::new(false) }
    }
}

/// The plane of three points as they are stored, for the signs of others; all in the safe range.
pub(crate) struct Plane<'a> {
    corners: [&'a [f64; 3]; 3],
    /// A normal, and the permanents of its coordinates: sums of their monomials' absolute values.
    n: [f64; 3],
    permanents: [f64; 3],
    /// The axis that the plane is perpendicular to, if there is one.
    axis: Option<usize>,
}

impl<'a> Plane<'a> {
    #[inline(always)]
    pub(crate) fn new(corners: [&'a [f64; 3]; 3]) -> Self {
        let [a, b, c] = corners;
        let (u, v) = (sub(*b, *a), sub(*c, *a));
        let (n, u, v) = (cross(u, v), u.map(f64::abs), v.map(f64::abs));
        let permanents = [u[1] * v[2] + u[2] * v[1], u[2] * v[0] + u[0] * v[2], u[0] * v[1] + u[1] * v[0]];
        Self { corners, n, permanents, axis: (0..3).find(|&k| a[k] == b[k] && a[k] == c[k]) }
    }
    /// Sign of det(b - a, c - a, d - a); `None` if it takes longer integers.
    #[inline(always)]
    pub(crate) fn side(&self, d: &[f64; 3]) -> Option<i32> {
        let w = sub(*d, *self.corners[0]);
        // Many faces of CAD models are perpendicular to an axis: four points of one need no expansions.
        if self.axis.is_some_and(|k| w[k] == 0.0) {
            return Some(0);
        }
        let det = dot(self.n, w);
        let permanent = dot(self.permanents, w.map(f64::abs));
        // A monomial rounds at most 3 times for differences, 2 for products, 1 in the minor, 2 in the sum: 8
        // u of itself, of which the permanent is the sum; and its own rounding.
        if det.abs() <= 10.0 * UNIT * permanent {
            return self.exactly(d);
        }
        Some(float_sign(det))
    }
    #[inline(never)]
    fn exactly(&self, d: &[f64; 3]) -> Option<i32> {
        let [a, b, c] = self.corners;
        sixty_bits::orient3d([a, b, c, d])
    }
}

impl SamePosePredicates<'_> {
    #[inline(always)]
    fn side(&self, plane: &Plane<'_>, d: usize) -> i32 {
        plane.side(&self.points[d]).unwrap_or_else(|| {
            self.unsure.set(true);
            0
        })
    }
    #[inline(always)]
    fn plane(&self, [a, b, c]: [usize; 3]) -> Plane<'_> {
        Plane::new([&self.points[a], &self.points[b], &self.points[c]])
    }
}

impl Predicates for SamePosePredicates<'_> {
    #[inline(always)]
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32 {
        self.side(&self.plane([a, b, c]), d)
    }
    /// What the plane is needs to be found out once.
    #[inline(always)]
    fn sides(&self, t: [usize; 3], points: [usize; 3]) -> [i32; 3] {
        let plane = self.plane(t);
        [self.side(&plane, points[0]), self.side(&plane, points[1]), self.side(&plane, points[2])]
    }
    #[inline(always)]
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32 {
        let p =
            |i: usize| robust::Coord { x: self.points[i][(axis + 1) % 3], y: self.points[i][(axis + 2) % 3] };
        float_sign(robust::orient2d(p(a), p(b), p(c)))
    }
    #[inline(always)]
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering {
        // Finite by construction of the mesh; `partial_cmp` because -0.0 and 0.0 are the same number.
        self.points[a][axis].partial_cmp(&self.points[b][axis]).unwrap_or(Ordering::Equal)
    }
}

fn float_sign(x: f64) -> i32 {
    i32::from(x > 0.0) - i32::from(x < 0.0)
}

/// Whether Shewchuk's predicates neither overflow nor underflow on coordinates like `x`.
///
/// Every |x| that is not 0 lies in [2^-298, 2^300], so each is a multiple of 2^-350; every term of every
/// expansion is then a multiple of 2^-1050, hence representable, and is less than 2^910, far from overflow.
pub(crate) fn is_in_safe_range(x: f64) -> bool {
    const LEAST: f64 = f64::from_bits((1023 - 298) << 52);
    const MOST: f64 = f64::from_bits((1023 + 300) << 52);
    (x == 0.0) | ((LEAST <= x.abs()) & (x.abs() <= MOST))
}

/// The same of all coordinates of some points.
pub(crate) fn are_in_safe_range(points: &[[f64; 3]]) -> bool {
    // No early exit: so it is done some at a time.
    points.as_flattened().iter().fold(true, |all, &x| all & is_in_safe_range(x))
}

/// Runs `$body` with `$g`, the predicates on the six points, in integers that are enough: of those that the
/// macro `$at` knows.
macro_rules! on_lattice {
    ($at:ident, $six:expr, $degree:expr, $g:ident => $body:expr) => {
        on_lattice!($at, $six, $degree, bool, $g => $body)
    };
    ($at:ident, $six:expr, $degree:expr, $out:ty, $g:ident => $body:expr) => {{
        // One function for each width: the widest takes 30 KB of stack.
        #[inline(never)]
        fn with<I: Integer>(lattice: Lattice, six: &TwoTriangles<'_>) -> $out {
            let mut placed = IntegerPoints::<I>::ZERO;
            placed.put(lattice, six);
            let $g = &placed;
            $body
        }
        let lattice = $six.lattice();
        $at!(lattice.bits, $degree, I => with::<I>(lattice, $six))
    }};
}

/// What `ask` finds out by the signs of six points as they are stored, whose coordinates are in the safe
/// range; `None` if that takes longer integers.
#[inline(always)]
pub(crate) fn as_stored<T>(
    points: &[[f64; 3]; 6],
    ask: impl FnOnce(&SamePosePredicates<'_>) -> T,
) -> Option<T> {
    let raw = SamePosePredicates::new(points);
    let answer = ask(&raw);
    (!raw.unsure.get()).then_some(answer)
}

/// Whether two triangles at one pose share a point, their coordinates being in the safe range; `None` if that
/// takes longer integers.
pub(crate) fn meet_as_stored(p: &[[f64; 3]; 3], q: &[[f64; 3]; 3]) -> Option<bool> {
    as_stored(&[p[0], p[1], p[2], q[0], q[1], q[2]], |six| crate::triangle::exact::meet(six))
}

/// Two poses, prepared for the exact stage once for all pairs of a query.
#[derive(Clone, Debug)]
pub(crate) struct Poses {
    /// One injective map moves both bodies: it changes nothing about the answer.
    same: bool,
    maps: [DyadicTransform<3>; 2],
}

impl Poses {
    pub(crate) fn new(a: &Pose, b: &Pose) -> Self {
        let same = a == b;
        let maps = if same { [&Pose::IDENTITY; 2] } else { [a, b] };
        Self { same, maps: maps.map(|pose| DyadicTransform::new(pose.rows(), pose.translation())) }
    }
    /// Whether two triangles share a point, the one placed by the first pose and the other by the second,
    /// decided over the real numbers.
    pub(crate) fn meet(&self, p: &[[f64; 3]; 3], q: &[[f64; 3]; 3]) -> bool {
        let in_safe_range = || p.iter().chain(q).flatten().all(|&x| is_in_safe_range(x));
        if self.same
            && in_safe_range()
            && let Some(answer) = meet_as_stored(p, q)
        {
            return answer;
        }
        let six = TwoTriangles::new(&self.maps, [p, q]);
        on_lattice!(at_size, &six, 3, g => crate::triangle::exact::meet(g))
    }
    /// Whether two triangles with corners 0 and 1 in common, 2 the one's third and `third` the other's, meet
    /// beyond the edge 0 1; at equal poses.
    pub(crate) fn fold(&self, t: &[[f64; 3]; 3], third: &[f64; 3]) -> bool {
        let six = [t[0], t[1], t[2], *third, *third, *third];
        if six.iter().flatten().all(|&x| is_in_safe_range(x)) {
            let raw = SamePosePredicates::new(&six);
            let answer = crate::triangle::neighbours::fold(&raw);
            if !raw.unsure.get() {
                return answer;
            }
        }
        let six = TwoTriangles::new(&self.maps, [t, &[*third; 3]]);
        on_lattice!(at_width, &six, 3, g => crate::triangle::neighbours::fold(g))
    }
}

/// Whether three points lie on one line.
pub(crate) fn are_collinear(p: &[[f64; 3]; 3]) -> bool {
    fn flat(g: &impl Predicates) -> bool {
        (0..3).all(|axis| g.orient2d(axis, 0, 1, 2) == 0)
    }
    if p.iter().flatten().all(|&x| is_in_safe_range(x)) {
        return flat(&SamePosePredicates::new(&[p[0], p[1], p[2], p[0], p[1], p[2]]));
    }
    let still = Poses::new(&Pose::IDENTITY, &Pose::IDENTITY);
    let six = TwoTriangles::new(&still.maps, [p, &[[0.0; 3]; 3]]);
    on_lattice!(at_width, &six, 2, g => flat(g))
}

/// Whether a point lies in the plane of a triangle, which has an area.
pub(crate) fn are_coplanar(t: &[[f64; 3]; 3], point: &[f64; 3]) -> bool {
    if t.iter().chain([point]).flatten().all(|&x| is_in_safe_range(x))
        && let Some(side) = Plane::new([&t[0], &t[1], &t[2]]).side(point)
    {
        return side == 0;
    }
    let still = Poses::new(&Pose::IDENTITY, &Pose::IDENTITY);
    let six = TwoTriangles::new(&still.maps, [t, &[*point; 3]]);
    on_lattice!(at_width, &six, 3, g => g.orient3d(0, 1, 2, 3) == 0)
}

/// Whether the linear map with these rows is singular.
pub(crate) fn is_singular(rows: &[[f64; 3]; 3]) -> bool {
    handedness(rows) == 0
}

/// The sign of the determinant of the linear map with these rows.
pub(crate) fn handedness(rows: &[[f64; 3]; 3]) -> i32 {
    if rows.iter().flatten().all(|&x| is_in_safe_range(x)) {
        let six = [[0.0; 3], rows[0], rows[1], rows[2], [0.0; 3], [0.0; 3]];
        let raw = SamePosePredicates::new(&six);
        let sign = raw.orient3d(0, 1, 2, 3);
        if !raw.unsure.get() {
            return sign;
        }
    }
    let still = Poses::new(&Pose::IDENTITY, &Pose::IDENTITY);
    // The first triangle is the origin, thrice.
    let six = TwoTriangles::new(&still.maps, [&[[0.0; 3]; 3], rows]);
    on_lattice!(at_width, &six, 3, i32, g => g.orient3d(0, 3, 4, 5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_testkit::{
        near_degenerate::{FAMILIES, near_degenerate},
        oracle,
    };
    use std::collections::BTreeMap;

    /// What decides when floating point decides nothing, and how wide it is.
    fn by_integers_alone(six: &TwoTriangles<'_>) -> (bool, usize) {
        let lattice = six.lattice();
        let answer = at_size!(lattice.bits, 3, I => {
            let mut placed = IntegerPoints::<I>::ZERO;
            placed.put(lattice, six);
            placed.distrust();
            crate::triangle::exact::meet(&placed)
        });
        let limbs = integer::limbs(lattice.bits);
        (answer, if limbs <= 4 { limbs } else { integer::width(lattice.bits, 3) })
    }

    fn check(tally: &mut BTreeMap<usize, [u32; 2]>, pair: [([[f64; 3]; 3], Pose); 2], want: bool) {
        let [(p, a), (q, b)] = pair;
        let [maps, exchanged] = [[a, b], [b, a]]
            .map(|poses| poses.map(|pose| DyadicTransform::new(pose.rows(), pose.translation())));
        let (answer, width) = by_integers_alone(&TwoTriangles::new(&maps, [&p, &q]));
        assert_eq!(answer, want, "{width} limbs alone: {pair:?}");
        let placed = |maps, p, q| Poses { same: false, maps }.meet(p, q);
        assert_eq!(placed(maps, &p, &q), want, "{width} limbs: {pair:?}");
        assert_eq!(placed(exchanged, &q, &p), want, "{width} limbs, exchanged: {pair:?}");
        assert_eq!(Poses::new(&a, &b).meet(&p, &q), want, "{width} limbs, equal poses apart: {pair:?}");
        tally.entry(width).or_default()[usize::from(want)] += 1;
    }

    #[test]
    fn integers_of_every_width_decide_as_the_oracle_does() {
        let mut tally = BTreeMap::new();
        for i in 0..FAMILIES.len() as u64 * 4000 {
            let case = near_degenerate(31, i);
            let want = oracle::intersects(&case.p, &case.pose_p, &case.q, &case.pose_q);
            // The testkit's poses are of another build of this library.
            let own = |rows: &[[f64; 3]; 3], t: &[f64; 3]| Pose::affine(*rows, *t).unwrap();
            let a = own(case.pose_p.rows(), case.pose_p.translation());
            let b = own(case.pose_q.rows(), case.pose_q.translation());
            check(&mut tally, [(case.p, a), (case.q, b)], want);
        }
        // A touch at the origin of what reaches from one end of f64 to the other, and some of the way.
        for (huge, tiny) in [(f64::MAX, f64::from_bits(1)), (2.0_f64.powi(70), 2.0_f64.powi(-70))] {
            let rows = [[huge, 0.0, 0.0], [0.0, tiny, 0.0], [0.0, 0.0, 1.0]];
            let stretched = Pose::affine(rows, [0.0; 3]).unwrap();
            let p = [[-huge, 0.0, 0.0], [huge, tiny, 0.0], [huge, -tiny, 0.0]];
            for (z, want) in [(0.0, true), (tiny, false)] {
                let q = [[0.0, 0.0, z], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
                check(&mut tally, [(p, stretched), (q, Pose::IDENTITY)], want);
            }
        }
        for width in [1, 2, 3, 4, 16, 64, 200] {
            let seen = tally.get(&width);
            assert!(seen.is_some_and(|s| s[0] > 0 && s[1] > 0), "{width} limbs: {seen:?} of {tally:?}");
        }
    }

    #[test]
    fn collinear_means_exactly_collinear() {
        let on = [[1.0; 3], [2.0; 3], [0.1; 3]];
        let beside = [[1.0; 3], [2.0; 3], [0.1, 0.1, 0.1_f64.next_up()]];
        // The same at the ends of the range, where floating-point products under- and overflow.
        for scale in [1.0, 1e-300, 1e-322, 8e307] {
            assert!(are_collinear(&on.map(|p| p.map(|c| c * scale))), "{scale}");
        }
        for exponent in [0, -1000, 1022] {
            let scaled = beside.map(|p| p.map(|c| c * 2.0_f64.powi(exponent)));
            assert!(!are_collinear(&scaled), "2^{exponent}");
        }
        let tiny = f64::from_bits(1);
        assert!(!are_collinear(&[[0.0; 3], [tiny, 0.0, 0.0], [0.0, tiny, 0.0]]));
        assert!(are_collinear(&[[0.0; 3], [tiny, 0.0, 0.0], [3.0 * tiny, 0.0, 0.0]]));
        assert!(are_collinear(&[[7.0; 3]; 3]));
    }

    #[test]
    fn singular_means_exactly_singular() {
        let rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
        assert!(is_singular(&rows));
        let mut near = rows;
        near[2][2] += 2e-15;
        assert!(!is_singular(&near));
        assert!(!is_singular(&[[1e-300, 0.0, 0.0], [0.0, 1e300, 0.0], [0.0, 0.0, 5e-324]]));
    }
}
