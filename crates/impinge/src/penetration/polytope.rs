//! A convex polytope that grows by points outside of it, with a lower bound of the distance of each face's
//! plane from the origin.
//!
//! Corners are f64 vectors, taken as exact, in a frame where no coordinate is more than 1. The polytope begins
//! as a tetrahedron. A point replaces the faces that it is in front of, the *visible* ones, by faces from
//! their border to itself, as in `mesh/hull.rs`. Signs are exact, so that no face is degenerate.
//!
//! # Proof of a ball inside
//! [`Polytope::ball`] does not depend on these signs. It only takes two facts:
//!
//! 1. The faces are a closed chain. The tetrahedron is one. What replaces the visible faces is the cone of a
//!    point over their border, which has the same border.
//! 2. As seen from the origin o each face (a, b, c) turns the same way: det(a, b, c) > 0, by more than its
//!    error.
//!
//! So the projection of the faces to a sphere around o is a closed chain without anything that cancels. It
//! covers each direction, and each ray from o leaves through a face. If the planes of all faces are at least
//! r away from o, that is at r or farther: all of the ball of radius r is between o and points of faces. With
//! rays both ways o is in the hull of the corners, too. So the hull contains the ball.
//!
//! # Bounds
//! The distance of a plane is det(a, b, c) / |n| with n = (b - a) x (c - a). Both are computed with error
//! bounds ([`RoundedNumber`]), and in twice the precision if these are not small, as for slivers ([`Twice`]).
//! The length |n| is at most the square root of the sum of (|n_k| + e_k)^2, which rounds by 4 u. A quotient
//! rounds by u. The code takes 16 u.
use crate::{
    exact::InPlane,
    posed::{
        probe::{Coordinates, Number, RoundedNumber, cross, dot as product, minus},
        twice::Twice,
    },
    vector::{UNIT, Vector, cross as plain_cross, dot, sub},
};

/// Relative errors from which on a plane is computed in twice the precision.
const COARSE: f64 = 64.0 * UNIT;
/// Faces with a shorter normal have no bound, so that squares do not underflow.
const LEAST_NORMAL: f64 = 1e-140;

/// A face of the polytope, counter-clockwise as seen from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct PolytopeFace {
    corners: [u32; 3],
    /// About the outer normal of length 1.
    pub(super) n: Vector,
    /// About the distance of its plane from the origin; negative if the origin is in front of it.
    distance: f64,
    /// A point is certainly in front of the plane, or behind it, if n . p differs from `distance` by more.
    slack: f64,
    /// Lower bound of the distance.
    pub(super) at_least: f64,
}

/// Memory of a polytope.
#[derive(Debug, Default)]
pub(super) struct Polytope {
    points: Vec<Vector>,
    faces: Vec<PolytopeFace>,
    /// Edges of visible faces without their opposites.
    border: Vec<[u32; 2]>,
    visible: Vec<bool>,
}

impl Polytope {
    /// A tetrahedron of four of these points, extended by the others; false if there is none.
    pub(super) fn begin(&mut self, seeds: &[Vector]) -> bool {
        self.points.clear();
        self.faces.clear();
        let Some(mut corners) = tetrahedron(seeds) else { return false };
        let [a, b, c, d] = corners;
        match InPlane::new(&[a, b, c]).side(&d) {
            0 => return false,
            // The fourth is behind the others' plane.
            side if side > 0 => corners.swap(0, 1),
            _ => {}
        }
        self.points.extend(corners);
        for corners in [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]] {
            self.push(corners);
        }
        for seed in seeds {
            self.add(*seed);
        }
        true
    }
    /// The number of points that were corners.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }
    /// The face with the least distance from the origin.
    pub(super) fn nearest(&self) -> Option<&PolytopeFace> {
        let known = self.faces.iter().filter(|face| !face.at_least.is_nan());
        known.reduce(|best, face| if face.at_least < best.at_least { face } else { best })
    }
    /// The radius of a ball around the origin that the hull certainly contains: 0 if there is none.
    pub(super) fn ball(&self) -> f64 {
        // NaN is no bound.
        let is_around = !self.faces.is_empty() && self.faces.iter().all(|face| face.at_least > 0.0);
        let least = self.faces.iter().map(|face| face.at_least).fold(f64::INFINITY, f64::min);
        if is_around { least } else { 0.0 }
    }

    /// Adds a point; false if it is in front of no face.
    pub(super) fn add(&mut self, p: Vector) -> bool {
        let Self { points, faces, border, visible } = self;
        visible.clear();
        visible.extend(faces.iter().map(|face| {
            let ahead = dot(face.n, p) - face.distance;
            if ahead.abs() > face.slack {
                return ahead > 0.0;
            }
            InPlane::new(&face.corners.map(|i| points[i as usize])).side(&p) > 0
        }));
        border.clear();
        for i in (0..faces.len()).rev().filter(|&i| visible[i]) {
            let [a, b, c] = faces.swap_remove(i).corners;
            for [from, to] in [[a, b], [b, c], [c, a]] {
                // An edge between two faces that go is in neither direction.
                match border.iter().position(|edge| *edge == [to, from]) {
                    Some(at) => drop(border.swap_remove(at)),
                    None => border.push([from, to]),
                }
            }
        }
        if border.is_empty() {
            return false;
        }
        let number = points.len() as u32;
        points.push(p);
        for at in 0..self.border.len() {
            let [a, b] = self.border[at];
            self.push([a, b, number]);
        }
        true
    }

    fn push(&mut self, corners: [u32; 3]) {
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        let mut plane = FacePlane::of([a, b, c].map(|p| p.map(|x| RoundedNumber::new(x, 0.0))), bounds);
        if !plane.is_fine() {
            plane = FacePlane::of([a, b, c].map(|p| p.map(Twice::exactly)), |x| x.rounded());
        }
        self.faces.push(plane.face(corners));
    }
}

fn bounds(x: &RoundedNumber) -> [f64; 2] {
    [x.value(), x.error()]
}

/// A plane's normal and determinant, each number with its error bound.
struct FacePlane {
    n: [[f64; 2]; 3],
    determinant: [f64; 2],
}

impl FacePlane {
    #[inline(always)]
    fn of<N: Number>([a, b, c]: [Coordinates<N>; 3], bounds: impl Fn(&N) -> [f64; 2]) -> Self {
        let n = cross(&minus(&b, &a), &minus(&c, &a));
        Self { determinant: bounds(&product(&n, &a)), n: n.each_ref().map(bounds) }
    }
    /// The sum of the errors of the normal.
    fn error(&self) -> f64 {
        self.n[0][1] + self.n[1][1] + self.n[2][1]
    }
    fn length(&self) -> f64 {
        let n = self.n.map(|[x, _]| x);
        dot(n, n).sqrt()
    }
    fn is_fine(&self) -> bool {
        let coarse = COARSE * self.length();
        self.error() <= coarse && self.determinant[1] <= coarse
    }
    fn face(&self, corners: [u32; 3]) -> PolytopeFace {
        let length = self.length();
        let n = self.n.map(|[x, _]| x / length);
        let [value, error] = self.determinant;
        let below = value - error;
        let longest = self.n.map(|[x, error]| x.abs() + error);
        let longest = dot(longest, longest).sqrt() * (1.0 + 16.0 * UNIT);
        // A negative number is no bound, but orders faces.
        let at_least = if length > LEAST_NORMAL { below / longest * (1.0 - 16.0 * UNIT) } else { f64::NAN };
        // Both numbers are divided by the same length, so that its error does not change the sign of n . p less
        // the distance. No coordinate of p is more than 1. Quotients and sums round by some 16 u.
        let off = 2.0 * (self.error() / length + error / length) + 64.0 * UNIT;
        let slack = if length > LEAST_NORMAL { off } else { f64::INFINITY };
        PolytopeFace { corners, n, distance: value / length, slack, at_least }
    }
}

/// Directions across points that are about in one plane, or on one line.
pub(super) fn across(seeds: &[Vector]) -> [Vector; 2] {
    let Some((a, b)) = farthest_pair(seeds) else { return [[0.0; 3]; 2] };
    let along = sub(b, a);
    let k = (0..3).min_by(|&i, &k| along[i].abs().total_cmp(&along[k].abs())).unwrap_or(0);
    let first = plain_cross(along, [0, 1, 2].map(|i| f64::from(i == k)));
    let second = plain_cross(along, first);
    match off_line(seeds, a, b) {
        Some(c) => [plain_cross(along, sub(c, a)), second],
        None => [first, second],
    }
}

/// Four points that are far apart, unless all of them are about in one plane.
fn tetrahedron(seeds: &[Vector]) -> Option<[Vector; 4]> {
    let (a, b) = farthest_pair(seeds)?;
    let c = off_line(seeds, a, b)?;
    let normal = plain_cross(sub(b, a), sub(c, a));
    let d = greatest(seeds, |p| dot(normal, sub(p, a)).abs())?;
    Some([a, b, c, d])
}

/// The first point, and the one that is farthest from it.
fn farthest_pair(seeds: &[Vector]) -> Option<(Vector, Vector)> {
    let a = *seeds.first()?;
    Some((a, greatest(seeds, |p| dot(sub(p, a), sub(p, a)))?))
}

fn off_line(seeds: &[Vector], a: Vector, b: Vector) -> Option<Vector> {
    greatest(seeds, |p| {
        let normal = plain_cross(sub(b, a), sub(p, a));
        dot(normal, normal)
    })
}

/// The point with the greatest positive size.
fn greatest(seeds: &[Vector], size: impl Fn(Vector) -> f64) -> Option<Vector> {
    let sizes = seeds.iter().map(|p| (size(*p), *p));
    let best = sizes.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.filter(|best| best.0 > 0.0).map(|(_, p)| p)
}
