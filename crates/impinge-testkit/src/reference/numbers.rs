//! Exact points and planes, and meshes as integers.
//!
//! Corners are integers of at most [`LARGEST`] = 2^10. These are bounds in bits of all later numbers:
//!
//! * edges 11; normals, which are two products of two edges, 23; offsets, a normal times a corner, 35;
//! * a point x / w where three planes meet: w is a determinant of three normals, which is six products of 69
//!   bits, 72; x has one column of offsets instead, 84;
//! * the side of such a point of a plane, n x + d w: 23 + 84 + 2 = 109.
//!
//! So i128 suffices for all of them.
use crate::oracle::Term;
use impinge::{Mesh, Pose};

/// The largest coordinate of a corner.
pub(super) const LARGEST: i64 = 1 << 10;

/// Corners of a triangle as integers.
pub(super) type IntegerTriangle = [[i64; 3]; 3];

/// The point x / w; w is positive.
#[derive(Clone, Copy, Debug)]
pub(super) struct RationalPoint {
    pub(super) x: [i128; 3],
    pub(super) w: i128,
}

impl RationalPoint {
    #[cfg(test)]
    pub(super) fn integer(x: [i64; 3]) -> Self {
        Self { x: x.map(i128::from), w: 1 }
    }
    /// Coordinates in f64, rounded.
    pub(super) fn rounded(&self) -> [f64; 3] {
        self.x.map(|x| x as f64 / self.w as f64)
    }
}

/// The plane n x + d = 0 in lowest terms. The first coordinate of n that is not 0 is positive, so that equal
/// planes have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plane {
    pub(super) n: [i128; 3],
    d: i128,
}

impl Plane {
    /// The plane n x + d = 0, for n other than 0.
    pub(super) fn new(n: [i128; 3], d: i128) -> Self {
        let common = n.into_iter().fold(d, gcd);
        let is_negative = n.into_iter().find(|&x| x != 0).is_some_and(|x| x < 0);
        let by = if is_negative { -common } else { common };
        Self { n: n.map(|x| x / by), d: d / by }
    }
    /// The plane of a triangle, if it is not degenerate.
    pub(super) fn of(triangle: &IntegerTriangle) -> Option<Self> {
        let n = normal(triangle);
        (n != [0; 3]).then(|| Self::new(n, -dot(n, triangle[0])))
    }
    /// The planes through the edges of a triangle, parallel to an axis that its own plane is not parallel to.
    pub(super) fn through_edges(triangle: &IntegerTriangle) -> Option<[Self; 3]> {
        let n = normal(triangle);
        let axis = (0..3).find(|&k| n[k] != 0)?;
        Some([0, 1, 2].map(|i| {
            let [p, q] = [triangle[i], triangle[(i + 1) % 3]];
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut n = [0; 3];
            (n[j], n[k]) = (i128::from(q[k] - p[k]), i128::from(p[j] - q[j]));
            Self::new(n, -dot(n, p))
        }))
    }
    /// n x + d w, positive on the side to which n points.
    pub(super) fn value(&self, p: &RationalPoint) -> i128 {
        (0..3).map(|k| self.n[k] * p.x[k]).sum::<i128>() + self.d * p.w
    }
    pub(super) fn value_at(&self, p: [i64; 3]) -> i128 {
        dot(self.n, p) + self.d
    }
    /// The point in which three planes meet, if there is one.
    pub(super) fn common(planes: [&Self; 3]) -> Option<RationalPoint> {
        let [a, b, c] = planes.map(|plane| [plane.n[0], plane.n[1], plane.n[2]]);
        let w = determinant([a, b, c]);
        if w == 0 {
            return None;
        }
        let x = [0, 1, 2].map(|k| {
            let mut rows = [a, b, c];
            for (row, plane) in rows.iter_mut().zip(planes) {
                row[k] = -plane.d;
            }
            determinant(rows) * w.signum()
        });
        Some(RationalPoint { x, w: w.abs() })
    }
}

/// Twice the area vector. It points to where the corners are seen in counterclockwise order.
pub(super) fn normal(t: &IntegerTriangle) -> [i128; 3] {
    let edge = |k: usize| [0, 1, 2].map(|i| i128::from(t[k][i] - t[0][i]));
    let (u, v) = (edge(1), edge(2));
    [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        u[i] * v[j] - u[j] * v[i]
    })
}

fn dot(n: [i128; 3], p: [i64; 3]) -> i128 {
    (0..3).map(|k| n[k] * i128::from(p[k])).sum()
}

fn determinant([a, b, c]: [[i128; 3]; 3]) -> i128 {
    let minor = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
    a[0] * minor(1, 2) + a[1] * minor(2, 0) + a[2] * minor(0, 1)
}

/// The greatest common divisor, not negative.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = match (u64::try_from(a), u64::try_from(b)) {
            (Ok(x), Ok(y)) => (u128::from(y), u128::from(x % y)),
            _ => (b, a % b),
        };
    }
    a.cast_signed()
}

/// The triangles of two placed meshes in one system of integers, and the length of its unit as an exponent of
/// two. `None` if they need more than [`LARGEST`].
pub(super) fn integers(bodies: [(&Mesh, &Pose); 2]) -> Option<([Vec<IntegerTriangle>; 2], i32)> {
    let mut terms: [Vec<[Term; 4]>; 2] = Default::default();
    for (list, (mesh, pose)) in terms.iter_mut().zip(bodies) {
        for &corner in mesh.triangles().iter().flatten() {
            let v = mesh.points()[corner as usize];
            for axis in 0..3 {
                let row = pose.rows()[axis];
                let product = |k: usize| Term::of(row[k]).times(Term::of(v[k]));
                list.push([product(0), product(1), product(2), Term::of(pose.translation()[axis])]);
            }
        }
    }
    let used = || terms.iter().flatten().flatten().filter(|term| term.mantissa != 0);
    let unit = used().map(|term| term.exponent).min().unwrap_or(0);
    let mut sums: [Vec<i128>; 2] = Default::default();
    for (sums, terms) in sums.iter_mut().zip(&terms) {
        for four in terms {
            let mut sum = 0_i128;
            for term in four.iter().filter(|term| term.mantissa != 0) {
                let left = u32::try_from(term.exponent - unit).ok().filter(|&left| left < 60)?;
                // The mantissa may have 106 bits. With a shift by up to 60, these are too many for i128.
                let room = term.mantissa.unsigned_abs().leading_zeros();
                if room < left + 4 {
                    return None;
                }
                sum += term.mantissa << left;
            }
            sums.push(sum);
        }
    }
    // Sums may have more factors of two in common than terms have.
    let twos = sums.iter().flatten().map(|x| x.trailing_zeros()).min().unwrap_or(0).min(120);
    sums.iter_mut().flatten().for_each(|x| *x >>= twos);
    for axis in 0..3 {
        let all = || sums.iter().flat_map(|list| list.iter().skip(axis).step_by(3));
        let (Some(&lo), Some(&hi)) = (all().min(), all().max()) else { break };
        let centre = lo + (hi - lo) / 2;
        for list in &mut sums {
            list.iter_mut().skip(axis).step_by(3).for_each(|x| *x -= centre);
        }
    }
    let fits = sums.iter().flatten().all(|x| x.abs() <= i128::from(LARGEST));
    let triangle = |c: &[i128]| [0, 1, 2].map(|i| [0, 1, 2].map(|k| c[3 * i + k] as i64));
    fits.then(|| (sums.map(|list| list.chunks_exact(9).map(triangle).collect()), unit + twos as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_equal_whatever_triangle_they_are_from() {
        let a = Plane::of(&[[0, 0, 2], [4, 0, 2], [0, 6, 2]]).unwrap();
        let b = Plane::of(&[[1, 1, 2], [0, 6, 2], [-4, 0, 2]]).unwrap();
        assert_eq!((a, a), (b, Plane { n: [0, 0, 1], d: -2 }));
        assert_eq!(Plane::of(&[[0, 0, 0], [1, 1, 1], [3, 3, 3]]), None);
        let p = Plane::common([&a, &Plane::new([1, 1, 0], -3), &Plane::new([1, -1, 0], 0)]).unwrap();
        assert_eq!(p.rounded(), [1.5, 1.5, 2.0]);
        assert_eq!(a.value(&p), 0);
        assert_eq!((gcd(12, -18), gcd(0, -5), gcd(1 << 80, 3 << 70)), (6, 5, 1 << 70));
    }

    #[test]
    fn placed_meshes_are_integers_without_rounding() {
        let points = vec![[0.1; 3], [0.0; 3], [1.0, 0.0, 0.0]];
        let mesh = Mesh::new(points, vec![[0, 1, 2]]).unwrap();
        assert!(integers([(&mesh, &Pose::IDENTITY), (&mesh, &Pose::IDENTITY)]).is_none());
        let mesh = Mesh::new(vec![[0.0; 3], [0.25, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap();
        let far = Pose::from_translation([1e15, 0.0, 0.0]).unwrap();
        let ([a, b], unit) = integers([(&mesh, &far), (&mesh, &far)]).unwrap();
        assert_eq!((&a, unit), (&b, -2));
        assert_eq!(a, [[[0, -2, 0], [1, -2, 0], [0, 2, 0]]]);
        assert!(integers([(&mesh, &far), (&mesh, &Pose::IDENTITY)]).is_none());
    }
}
