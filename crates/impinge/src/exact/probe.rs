//! Points in general position: which side of any plane they lie on is never 0.
//!
//! What is true in an open set near a point x is found by a *probe*, the point x + e u + e^2 v + e^3 w, where
//! u, v and w are independent and e is so small that making it smaller changes no sign. A plane's value there
//! has the sign of the first of its values at x, u, v, w that is not 0 (of the directions: the product with
//! its normal), and one of the last three is not. So no ray from a probe runs through an edge or along a
//! triangle, and no question has a degenerate case.
//!
//! x may be the point in which three planes meet: homogeneous coordinates, so that nothing is divided.
//!
//! # Sizes
//! Placed coordinates are integers of L bits on one lattice of both bodies. The point common to three planes
//! of triangles has 7 L bits and the denominator 6 L; the value of a fourth plane, 9 L, and less than 32 for
//! sums. [`WIDTHS`] hold that for L = 4198, which is all that f64 can give.
use super::{
    Predicates,
    integer::Magnitude,
    lattice::{DyadicTransform, ExponentRange, Lattice, Points},
    wide::Wide,
};
use crate::{Mesh, Pose};
use std::cmp::Ordering;

/// Limbs that are compiled.
pub(crate) const WIDTHS: [usize; 2] = [32, 600];

/// Three coordinates.
pub(crate) type Point<const N: usize> = [Wide<N>; 3];

fn difference<const N: usize>(a: &Wide<N>, b: &Wide<N>) -> Wide<N> {
    let mut x = *a;
    x.subtract(b);
    x
}
fn minus<const N: usize>(a: &Point<N>, b: &Point<N>) -> Point<N> {
    std::array::from_fn(|k| difference(&a[k], &b[k]))
}
fn cross<const N: usize>(a: &Point<N>, b: &Point<N>) -> Point<N> {
    let minor = |i: usize, j: usize| difference(&a[i].times(&b[j]), &a[j].times(&b[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
fn dot<const N: usize>(a: &Point<N>, b: &Point<N>) -> Wide<N> {
    let mut sum = a[0].times(&b[0]);
    sum.add(&a[1].times(&b[1]));
    sum.add(&a[2].times(&b[2]));
    sum
}
fn scaled<const N: usize>(a: &Point<N>, by: &Wide<N>) -> Point<N> {
    std::array::from_fn(|k| a[k].times(by))
}

/// n . x = h.
pub(crate) struct Plane<const N: usize> {
    normal: Point<N>,
    offset: Wide<N>,
}

impl<const N: usize> Plane<N> {
    /// Through a point, with a normal.
    fn through(p: &Point<N>, normal: Point<N>) -> Self {
        Self { offset: dot(&normal, p), normal }
    }
    /// Of a triangle, its normal right-handed.
    pub(crate) fn of(p: &[Point<N>; 3]) -> Self {
        Self::through(&p[0], cross(&minus(&p[1], &p[0]), &minus(&p[2], &p[0])))
    }
    /// Through two points, along a direction: normal (q - p) x d.
    pub(crate) fn along(p: &Point<N>, q: &Point<N>, direction: &Point<N>) -> Self {
        Self::through(p, cross(&minus(q, p), direction))
    }
    /// On which side of it a point lies.
    pub(crate) fn side(&self, p: &Point<N>) -> i32 {
        difference(&dot(&self.normal, p), &self.offset).sign()
    }
    /// The axis along which its normal has a component, the first one.
    pub(crate) fn axis(&self) -> Option<usize> {
        (0..3).find(|&k| self.normal[k].sign() != 0)
    }
}

/// A point in general position: see the head.
pub(crate) struct Probe<const N: usize> {
    x: Point<N>,
    /// What the coordinates of x are to be divided by; positive.
    denominator: Wide<N>,
    directions: [Point<N>; 3],
    signs: [i32; 3],
}

impl<const N: usize> Probe<N> {
    /// Near corner 0 of a triangle, above its plane.
    pub(crate) fn at_corner(p: &[Point<N>; 3]) -> Self {
        let (u, v) = (minus(&p[1], &p[0]), minus(&p[2], &p[0]));
        let w = cross(&u, &v);
        Self { x: p[0], denominator: one(), directions: [u, v, w], signs: [1; 3] }
    }
    /// Near a point.
    pub(crate) fn at(p: &Point<N>) -> Self {
        let axis = |k: usize| std::array::from_fn(|i| if i == k { one() } else { Wide::ZERO });
        Self { x: *p, denominator: one(), directions: [axis(0), axis(1), axis(2)], signs: [1; 3] }
    }
    /// Near the point common to three planes: along the line of the first and second, then along that of the
    /// first and third, then off the first one. `None` if they have more or less than a point in common.
    pub(crate) fn where_meet(plane: &Plane<N>, second: &Plane<N>, third: &Plane<N>) -> Option<Self> {
        let (u, v) = (cross(&plane.normal, &second.normal), cross(&plane.normal, &third.normal));
        let mut denominator = dot(&u, &third.normal);
        let sign = denominator.sign();
        if sign == 0 {
            return None;
        }
        // n1 x n2 = u, n3 x n1 = -v.
        let mut x = scaled(&cross(&second.normal, &third.normal), &plane.offset);
        let (of_second, of_third) = (scaled(&v, &second.offset), scaled(&u, &third.offset));
        for k in 0..3 {
            x[k].subtract(&of_second[k]);
            x[k].add(&of_third[k]);
        }
        if sign < 0 {
            negate(&mut denominator);
            x.iter_mut().for_each(negate);
        }
        Some(Self { x, denominator, directions: [u, v, plane.normal], signs: [1; 3] })
    }
    /// The same with the directions reversed where -1 is given.
    pub(crate) fn turn(&mut self, signs: [i32; 3]) {
        self.signs = signs;
    }
    /// On which side of a plane it lies: 1 or -1.
    pub(crate) fn side(&self, plane: &Plane<N>) -> i32 {
        let at = difference(&dot(&plane.normal, &self.x), &plane.offset.times(&self.denominator));
        let along = (0..3).map(|k| self.signs[k] * dot(&plane.normal, &self.directions[k]).sign());
        std::iter::once(at.sign()).chain(along).find(|&sign| sign != 0).unwrap_or(0)
    }
    /// x in f64, in units of the lattice: each coordinate within 2^-50 of itself, and 2^-50 of the largest.
    pub(crate) fn approximate(&self, lattice_unit: i32) -> [f64; 3] {
        let (d, shift_d) = leading(&self.denominator);
        self.x.each_ref().map(|x| {
            let (m, shift) = leading(x);
            scale_by(m / d, shift - shift_d + lattice_unit)
        })
    }
}

/// Reverses a sign.
pub(crate) fn negate<const N: usize>(x: &mut Wide<N>) {
    *x = difference(&Wide::ZERO, x);
}

fn one<const N: usize>() -> Wide<N> {
    Wide::new(1, 0)
}

/// The leading bits as a number, and by how many bits it is to be shifted up.
fn leading<const N: usize>(x: &Wide<N>) -> (f64, i32) {
    let shift = x.bits().saturating_sub(62);
    (f64::from(x.sign()) * x.shifted_down(shift) as f64, shift as i32)
}

/// x 2^e, which may be infinite or 0.
fn scale_by(x: f64, e: i32) -> f64 {
    let half = e / 2;
    x * 2.0_f64.powi(half) * 2.0_f64.powi(e - half)
}

/// Which bits the coordinates of a mesh's points have, axis by axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoordinateBits([ExponentRange; 3]);

impl CoordinateBits {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        Self(Points::<1>::ranges(mesh.points()))
    }
}

/// All points of two placed meshes, as integers.
pub(crate) struct Space {
    maps: [DyadicTransform<3>; 2],
    lattice: Lattice,
    /// Limbs that hold what probes and planes make of them.
    pub(crate) limbs: usize,
}

impl Space {
    /// Of meshes at poses. Equal poses change no sign, and are left out.
    pub(crate) fn new(poses: [&Pose; 2], bits: [&CoordinateBits; 2]) -> Self {
        let poses = if poses[0] == poses[1] { [&Pose::IDENTITY; 2] } else { poses };
        let maps = poses.map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
        let span = maps[0].span(&bits[0].0).and(maps[1].span(&bits[1].0));
        let lattice = Lattice::new(span);
        let directions = maps.iter().map(DyadicTransform::direction_bits).max().unwrap_or(0);
        let needed = 9 * lattice.bits + 32 + directions.saturating_sub(lattice.bits);
        let limbs = WIDTHS.into_iter().find(|limbs| limbs * 64 >= needed).unwrap_or(WIDTHS[1]);
        Self { maps, lattice, limbs }
    }
    /// A point of a body, placed.
    pub(crate) fn point<const N: usize>(&self, body: usize, v: &[f64; 3]) -> Point<N> {
        let mut points = Points::<1>::ZERO;
        points.take(&[*v]);
        std::array::from_fn(|k| self.lattice.coordinate::<Wide<N>, 3, 1>(&self.maps[body], &points, k, 0))
    }
    /// The direction that an axis of a body has in the world, up to a positive factor.
    pub(crate) fn axis<const N: usize>(&self, body: usize, axis: usize) -> Point<N> {
        let column = self.maps[body].column(axis);
        column.map(|(m, shift)| Wide::new(i128::from(m), shift))
    }
    /// A direction of the world.
    pub(crate) fn world_axis<const N: usize>(axis: usize) -> Point<N> {
        std::array::from_fn(|k| if k == axis { one() } else { Wide::ZERO })
    }
    /// What a unit is in the world, as an exponent of two.
    pub(crate) fn unit(&self) -> i32 {
        self.lattice.lo
    }
}

/// Six points of a space.
pub(crate) struct SpacePoints<const N: usize>([Point<N>; 6]);

impl<const N: usize> SpacePoints<N> {
    /// Of these bodies. Boxed, as the widest take 90 KB.
    pub(crate) fn new(space: &Space, points: &[(usize, [f64; 3]); 6]) -> Box<Self> {
        let mut all = Box::new(Self([[Wide::ZERO; 3]; 6]));
        for (to, (body, v)) in all.0.iter_mut().zip(points) {
            *to = space.point(*body, v);
        }
        all
    }
}

impl<const N: usize> Predicates for SpacePoints<N> {
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32 {
        Plane::through(&self.0[a], cross(&minus(&self.0[b], &self.0[a]), &minus(&self.0[c], &self.0[a])))
            .side(&self.0[d])
    }
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32 {
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let from = |i: usize, k: usize| difference(&self.0[i][k], &self.0[a][k]);
        difference(&from(b, x).times(&from(c, y)), &from(b, y).times(&from(c, x))).sign()
    }
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering {
        self.0[a][axis].cmp(&self.0[b][axis])
    }
}

/// Runs `$body` with the number of limbs `$n`.
macro_rules! at_limbs {
    ($limbs:expr, $n:ident => $body:expr) => {
        if $limbs == $crate::exact::probe::WIDTHS[0] {
            const $n: usize = $crate::exact::probe::WIDTHS[0];
            $body
        } else {
            const $n: usize = $crate::exact::probe::WIDTHS[1];
            $body
        }
    };
}
pub(crate) use at_limbs;
