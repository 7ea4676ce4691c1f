//! Points in general position: they lie in no plane.
//!
//! A *probe* is a point x + e u + e^2 v + e^3 w, where u, v and w are independent and e is so small that a
//! smaller one changes no sign. It finds what is true in an open set near the point x. Take a plane's values
//! at x, u, v and w; for directions that is the product with the plane's normal. The value at the probe has
//! the sign of the first of these four that is not 0, and one of the last three is not. So no ray from a
//! probe runs through an edge or along a triangle, and no query has a degenerate case.
//!
//! x may be the point in which three planes meet, in homogeneous coordinates, so that nothing is divided.
//!
//! # Exact products
//! Faces and edges of assemblies are mostly perpendicular to axes, and many of their planes and lines meet in
//! one point. Normals and directions count up to a positive factor; so one with a single component that is
//! not 0 is taken as a unit vector along its axis ([`shortened`]). Products with it are then exact, and three
//! such planes meet in a point with coordinates of the mesh: no integers are needed to find that a fourth one
//! has it, too. A component that is certainly 0 makes every product 0, whatever the other bound.
//!
//! # Sizes
//! Placed coordinates are integers of L bits on one lattice of both bodies. The point common to three planes
//! of triangles has 7 L bits and the denominator 6 L; the value of a fourth plane, 9 L, and less than 48 for
//! sums and slopes. [`WIDTHS`] hold that for L = 4198, which is all that f64 can give.
use crate::{
    Mesh, Pose,
    exact::{DyadicPoints, DyadicTransform, ExponentRange, Lattice, Magnitude, Wide},
    vector::UNIT,
};

mod number;
mod points;
mod signs;

pub(crate) use self::{
    number::{Number, RoundedNumber},
    points::SpacePoints,
    signs::{Algebra, world_axis},
};

/// The compiled numbers of limbs.
pub(crate) const WIDTHS: [usize; 3] = [12, 32, 600];

/// Three coordinates.
pub(crate) type Coordinates<T> = [T; 3];

pub(crate) fn minus<T: Number>(a: &Coordinates<T>, b: &Coordinates<T>) -> Coordinates<T> {
    [a[0].minus(&b[0]), a[1].minus(&b[1]), a[2].minus(&b[2])]
}
pub(crate) fn cross<T: Number>(a: &Coordinates<T>, b: &Coordinates<T>) -> Coordinates<T> {
    let minor = |i: usize, j: usize| a[i].product(&b[j]).minus(&a[j].product(&b[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
pub(crate) fn dot<T: Number>(a: &Coordinates<T>, b: &Coordinates<T>) -> T {
    a[0].product(&b[0]).plus(&a[1].product(&b[1])).plus(&a[2].product(&b[2]))
}
/// A direction up to a positive factor; a unit vector if it runs along an axis.
fn shortened<T: Number>(direction: Coordinates<T>) -> Coordinates<T> {
    let signs = [0, 1, 2].map(|k| direction[k].sign());
    let along = (0..3).find(|&k| signs[(k + 1) % 3] == Some(0) && signs[(k + 2) % 3] == Some(0));
    match along.map(|k| (k, signs[k])) {
        Some((k, Some(sign))) if sign != 0 => {
            let mut unit = [T::ZERO; 3];
            unit[k] = T::small(sign);
            unit
        }
        _ => direction,
    }
}

/// The plane n . x = h, up to a positive factor.
#[derive(Debug)]
pub(crate) struct ProbePlane<T> {
    /// One of its points.
    point: Coordinates<T>,
    normal: Coordinates<T>,
    offset: T,
}

impl<T: Number> ProbePlane<T> {
    /// The plane through a point, with a normal.
    fn through(p: &Coordinates<T>, normal: Coordinates<T>) -> Self {
        let normal = shortened(normal);
        Self { point: *p, offset: dot(&normal, p), normal }
    }
    /// The plane of a triangle, its normal right-handed.
    pub(crate) fn of(p: &[Coordinates<T>; 3]) -> Self {
        Self::through(&p[0], cross(&minus(&p[1], &p[0]), &minus(&p[2], &p[0])))
    }
    /// The plane through two points along a direction, with the normal (q - p) x d. `from` is p or q.
    pub(crate) fn along(
        p: &Coordinates<T>,
        q: &Coordinates<T>,
        direction: &Coordinates<T>,
        from: &Coordinates<T>,
    ) -> Self {
        Self::through(from, cross(&shortened(minus(q, p)), direction))
    }
    /// The side of the plane on which a point lies.
    pub(crate) fn side(&self, p: &Coordinates<T>) -> Option<i32> {
        dot(&self.normal, &minus(p, &self.point)).sign()
    }
    /// The first axis along which its normal has a component.
    pub(crate) fn axis(&self) -> Option<usize> {
        (0..3).find(|&k| self.normal[k].sign().is_some_and(|sign| sign != 0))
    }
}

/// A point in general position: see the module's head.
#[derive(Debug)]
pub(crate) struct Probe<T> {
    x: Coordinates<T>,
    /// The divisor of the coordinates of x.
    denominator: T,
    /// Its sign.
    of_denominator: i32,
    directions: [Coordinates<T>; 3],
}

/// The side of a plane on which a probe lies, and the direction that decides; `None` if its point does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneSide {
    pub(crate) direction: Option<usize>,
    pub(crate) sign: i32,
}

impl PlaneSide {
    /// The sign, with directions reversed where `signs` are -1.
    pub(crate) fn turned(self, signs: [i32; 3]) -> i32 {
        self.direction.map_or(self.sign, |k| self.sign * signs[k])
    }
}

/// The intersection of three planes.
pub(crate) enum PlaneIntersection<T> {
    /// More or less than a point.
    Nowhere,
    Unsure,
    At(Probe<T>),
}

impl<T: Number> Probe<T> {
    /// The probe near corner 0 of a triangle, above its plane.
    pub(crate) fn at_corner(p: &[Coordinates<T>; 3]) -> Self {
        let (u, v) = (shortened(minus(&p[1], &p[0])), shortened(minus(&p[2], &p[0])));
        let w = shortened(cross(&u, &v));
        Self { x: p[0], denominator: T::ONE, of_denominator: 1, directions: [u, v, w] }
    }
    /// The probe near the point common to three planes. Its directions run along the line of the first and
    /// second, then along that of the first and third, then off the first one.
    pub(crate) fn where_meet(
        plane: &ProbePlane<T>,
        second: &ProbePlane<T>,
        third: &ProbePlane<T>,
    ) -> PlaneIntersection<T> {
        let (u, v) = (cross(&plane.normal, &second.normal), cross(&plane.normal, &third.normal));
        let denominator = dot(&u, &third.normal);
        let Some(of_denominator) = denominator.sign() else { return PlaneIntersection::Unsure };
        if of_denominator == 0 {
            return PlaneIntersection::Nowhere;
        }
        let w = cross(&second.normal, &third.normal);
        // n1 x n2 = u, n3 x n1 = -v.
        let x = |k: usize| {
            let first = w[k].product(&plane.offset).minus(&v[k].product(&second.offset));
            first.plus(&u[k].product(&third.offset))
        };
        let x = [x(0), x(1), x(2)];
        let directions = [shortened(u), shortened(v), plane.normal];
        PlaneIntersection::At(Self { x, denominator, of_denominator, directions })
    }
    /// True if x is a point for certain.
    pub(crate) fn is_at(&self, p: &Coordinates<T>) -> bool {
        (0..3).all(|k| self.x[k].minus(&p[k].times(&self.denominator)).sign() == Some(0))
    }
    /// The side of a plane on which it lies; `along` are those of its first two directions that certainly run
    /// along the plane.
    pub(crate) fn beside(&self, plane: &ProbePlane<T>, along: [bool; 2]) -> Option<PlaneSide> {
        let away = |k: usize| self.x[k].minus(&plane.point[k].product(&self.denominator));
        let at = dot(&plane.normal, &[away(0), away(1), away(2)]);
        match at.sign()? {
            0 => {}
            sign => return Some(PlaneSide { direction: None, sign: sign * self.of_denominator }),
        }
        let [first, second] = along;
        for (k, is_along) in [first, second, false].into_iter().enumerate() {
            if !is_along {
                match dot(&plane.normal, &self.directions[k]).sign()? {
                    0 => {}
                    sign => return Some(PlaneSide { direction: Some(k), sign }),
                }
            }
        }
        Some(PlaneSide { direction: None, sign: 0 })
    }
    /// The side of the second and the third plane of [`where_meet`](Self::where_meet), which are 0 at x.
    pub(crate) fn beside_own(&self, third: bool) -> PlaneSide {
        // n2 . v = -denominator, n3 . u = denominator.
        let sign = if third { self.of_denominator } else { -self.of_denominator };
        PlaneSide { direction: Some(usize::from(!third)), sign }
    }
}

impl ProbePlane<RoundedNumber> {
    /// True if nothing in it is rounded.
    pub(crate) fn is_exact(&self) -> bool {
        self.normal.iter().chain(&self.point).chain([&self.offset]).all(|x| x.error() == 0.0)
    }
}

impl Probe<RoundedNumber> {
    /// x, and its error bound.
    pub(crate) fn place(&self) -> ([f64; 3], f64) {
        let [x, y, z] = self.x.each_ref().map(|x| x.over(&self.denominator));
        ([x[0], y[0], z[0]], crate::vector::largest([x[1], y[1], z[1]]))
    }
}

impl<const N: usize> Probe<Wide<N>> {
    /// x, in units of the lattice, and its error bound.
    pub(crate) fn place(&self, unit: i32) -> ([f64; 3], f64) {
        let (d, shift_d) = leading(&self.denominator);
        let x = self.x.each_ref().map(|x| {
            let (m, shift) = leading(x);
            scale_by(m / d, shift - shift_d + unit)
        });
        (x, crate::vector::largest(x.map(f64::abs)) * 16.0 * UNIT + f64::MIN_POSITIVE)
    }
}

/// The leading 62 bits as a number, and the number of bits by which to shift it up.
pub(crate) fn leading(x: &impl Magnitude) -> (f64, i32) {
    let shift = x.bits().saturating_sub(62);
    (f64::from(x.sign()) * x.shifted_down(shift) as f64, shift as i32)
}

/// x 2^e, which may be infinite or 0.
pub(crate) fn scale_by(x: f64, e: i32) -> f64 {
    let half = e / 2;
    x * 2.0_f64.powi(half) * 2.0_f64.powi(e - half)
}

/// The ranges of bits of the coordinates of a mesh's points, axis by axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoordinateBits([ExponentRange; 3]);

impl CoordinateBits {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        Self::of_points(mesh.points())
    }
    pub(crate) fn of_points(points: &[[f64; 3]]) -> Self {
        Self(DyadicPoints::<1>::ranges(points))
    }
}

/// All points of two placed meshes, as integers.
pub(crate) struct Space {
    maps: [DyadicTransform<3>; 2],
    lattice: Lattice,
    /// Limbs that hold the numbers of probes and planes.
    pub(crate) limbs: usize,
}

impl Space {
    /// The space of meshes at poses. Equal poses change no sign, and do not count.
    pub(crate) fn new(poses: [&Pose; 2], bits: [&CoordinateBits; 2]) -> Self {
        Self::in_world(if poses[0] == poses[1] { [&Pose::IDENTITY; 2] } else { poses }, bits)
    }
    /// The space of meshes at poses, in the world.
    pub(crate) fn in_world(poses: [&Pose; 2], bits: [&CoordinateBits; 2]) -> Self {
        let maps = poses.map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
        let span = maps[0].span(&bits[0].0).and(maps[1].span(&bits[1].0));
        let lattice = Lattice::new(span);
        let directions = maps.iter().map(DyadicTransform::direction_bits).max().unwrap_or(0);
        Self::with_bits(maps, lattice, 9 * lattice.bits + 48 + directions.saturating_sub(lattice.bits))
    }
    /// A space with room for numbers of `bits` bits.
    pub(crate) fn with_bits(maps: [DyadicTransform<3>; 2], lattice: Lattice, bits: usize) -> Self {
        let limbs = WIDTHS.into_iter().find(|limbs| limbs * 64 >= bits).unwrap_or(WIDTHS[2]);
        Self { maps, lattice, limbs }
    }
    pub(crate) fn maps(&self) -> &[DyadicTransform<3>; 2] {
        &self.maps
    }
    /// Bits of a coordinate, without sign.
    pub(crate) fn bits(&self) -> usize {
        self.lattice.bits
    }
    /// A length, in units of the lattice.
    pub(crate) fn length<const N: usize>(&self, d: f64) -> Wide<N> {
        self.lattice.number(d)
    }
    /// The size of a unit in the world, as an exponent of two.
    pub(crate) fn unit(&self) -> i32 {
        self.lattice.lo
    }
}

/// Placed points in numbers of some kind.
pub(crate) trait PlacedPoints {
    type Number: Number;
    /// A point of a body, placed.
    fn point(&self, body: usize, v: &[f64; 3]) -> Coordinates<Self::Number>;
    /// The corners of a triangle.
    fn corners(&self, body: usize, t: &[[f64; 3]; 3]) -> [Coordinates<Self::Number>; 3] {
        // Not `map`: without optimisation that has room for a dozen copies on the stack.
        [self.point(body, &t[0]), self.point(body, &t[1]), self.point(body, &t[2])]
    }
    /// The directions that the axes of a body have in the world, up to one positive factor.
    fn axes(&self, body: usize) -> [Coordinates<Self::Number>; 3];
    /// An oblique direction of a body: in its own frame 1 along an axis, and [`SLOPES`] along the next two.
    fn oblique(&self, body: usize, axis: usize) -> Coordinates<Self::Number> {
        let axes = self.axes(body);
        let times = [1.0, SLOPES[0], SLOPES[1]].map(|times| Self::Number::small((times * SLOPE_UNIT) as i32));
        let along = |i: usize, k: usize| axes[(axis + i) % 3][k].times(&times[i]);
        let sum = |k: usize| along(0, k).plus(&along(1, k)).plus(&along(2, k));
        [sum(0), sum(1), sum(2)]
    }
}

/// Rays run obliquely: parts of assemblies have so many faces and edges in line that a ray along an axis
/// would meet them edge-on. Multiples of 1 / [`SLOPE_UNIT`].
pub(crate) const SLOPES: [f64; 2] = [38.0 / SLOPE_UNIT, 41.0 / SLOPE_UNIT];
const SLOPE_UNIT: f64 = 128.0;

/// Placed points as integers.
#[derive(Clone, Copy)]
pub(crate) struct Exact<'a, const N: usize>(pub(crate) &'a Space);

impl<const N: usize> PlacedPoints for Exact<'_, N> {
    type Number = Wide<N>;
    fn point(&self, body: usize, v: &[f64; 3]) -> Coordinates<Wide<N>> {
        let (lattice, map) = (self.0.lattice, &self.0.maps[body]);
        let mut points = DyadicPoints::<1>::ZERO;
        points.take(&[*v]);
        let coordinate = |k: usize| lattice.coordinate::<Wide<N>, 3, 1>(map, &points, k, 0);
        [coordinate(0), coordinate(1), coordinate(2)]
    }
    fn axes(&self, body: usize) -> [Coordinates<Wide<N>>; 3] {
        let columns = self.0.maps[body].columns();
        let number = |axis: usize, k: usize| {
            let (m, shift) = columns[axis][k];
            Wide::new(i128::from(m), shift)
        };
        let direction = |axis: usize| [number(axis, 0), number(axis, 1), number(axis, 2)];
        [direction(0), direction(1), direction(2)]
    }
}

/// Placed points, rounded, relative to an origin.
#[derive(Clone, Debug)]
pub(crate) struct RoundedPoints {
    poses: [Pose; 2],
    same: bool,
    pub(crate) origin: [f64; 3],
}

impl RoundedPoints {
    /// The space of bodies at poses, near a point of one of them.
    pub(crate) fn new(poses: [&Pose; 2], body: usize, v: &[f64; 3]) -> Self {
        let mut near = Self { poses: poses.map(|&pose| pose), same: poses[0] == poses[1], origin: [0.0; 3] };
        // Equal stored coordinates differ by exactly 0, which is worth more than an origin.
        if !near.same {
            near.origin = near.point(body, v).map(|x| x.value());
        }
        near
    }
}

impl PlacedPoints for RoundedPoints {
    type Number = RoundedNumber;
    fn point(&self, body: usize, v: &[f64; 3]) -> Coordinates<RoundedNumber> {
        let pose = &self.poses[body];
        [0, 1, 2].map(|k| {
            let origin = self.origin[k];
            if self.same {
                return RoundedNumber::new(v[k], 0.0);
            }
            let row = pose.rows()[k];
            let terms = [0, 1, 2].map(|i| row[i] * v[i]);
            let t = pose.translation()[k];
            let sum = terms[0] + terms[1] + terms[2] + t;
            let size = terms[0].abs() + terms[1].abs() + terms[2].abs() + t.abs();
            RoundedNumber::new(sum, 5.0 * UNIT * size + f64::MIN_POSITIVE)
                .minus(&RoundedNumber::new(origin, 0.0))
        })
    }
    fn axes(&self, body: usize) -> [Coordinates<RoundedNumber>; 3] {
        let rows = if self.same { Pose::IDENTITY.rows() } else { self.poses[body].rows() };
        [0, 1, 2].map(|axis| rows.map(|row| RoundedNumber::new(row[axis], 0.0)))
    }
}

/// Reverses a direction.
pub(crate) fn reversed<T: Number>(direction: &Coordinates<T>) -> Coordinates<T> {
    minus(&[T::ZERO; 3], direction)
}

/// Calls a function in a frame of its own: the widest integers take much of a stack.
#[inline(never)]
pub(crate) fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Runs `$body` with the number of limbs `$n`.
macro_rules! at_limbs {
    ($limbs:expr, $n:ident => $body:expr) => {
        match $limbs {
            12 => $crate::posed::probe::apart(|| {
                const $n: usize = $crate::posed::probe::WIDTHS[0];
                $body
            }),
            32 => $crate::posed::probe::apart(|| {
                const $n: usize = $crate::posed::probe::WIDTHS[1];
                $body
            }),
            _ => $crate::posed::probe::apart(|| {
                const $n: usize = $crate::posed::probe::WIDTHS[2];
                $body
            }),
        }
    };
}
pub(crate) use at_limbs;

#[cfg(test)]
mod tests;
