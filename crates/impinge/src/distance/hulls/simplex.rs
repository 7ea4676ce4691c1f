//! The part of a simplex that is nearest to the origin, in rounded arithmetic.
use crate::vector::{Vector, cross, dot, sub};

/// Up to three differences of points of two bodies, whose hull contains a point near the origin. Between
/// steps each of them counts for that point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VertexSimplex {
    len: usize,
    corners: [SimplexCorner; 4],
}

/// A difference of two points.
#[derive(Clone, Copy, Debug, Default)]
struct SimplexCorner {
    at: Vector,
    pair: [u32; 2],
}

/// A point of a simplex, and the corners that it is a mean of.
#[derive(Clone, Copy)]
struct Nearest {
    at: Vector,
    len: usize,
    of: [usize; 3],
}

impl VertexSimplex {
    /// True if this pair of points is a corner.
    pub(super) fn has(&self, pair: [u32; 2]) -> bool {
        self.corners[..self.len].iter().any(|corner| corner.pair == pair)
    }
    /// Adds a corner, and keeps those that the nearest point is a mean of. Returns that point, or `None` if
    /// the simplex contains the origin.
    pub(super) fn add(&mut self, at: Vector, pair: [u32; 2]) -> Option<Vector> {
        self.corners[self.len] = SimplexCorner { at, pair };
        self.len += 1;
        let nearest = match self.len {
            1 => Nearest { at, len: 1, of: [0; 3] },
            2 => self.of_edge([0, 1]),
            3 => self.of_face([0, 1, 2]),
            _ => self.of_solid()?,
        };
        let all = self.corners;
        self.len = nearest.len;
        for (corner, &i) in self.corners.iter_mut().zip(&nearest.of[..nearest.len]) {
            *corner = all[i];
        }
        Some(nearest.at)
    }
    /// The normal of three corners.
    pub(super) fn normal(&self) -> Option<Vector> {
        (self.len == 3).then(|| {
            let [a, b, c] = [0, 1, 2].map(|i| self.corners[i].at);
            cross(sub(b, a), sub(c, a))
        })
    }
    fn of_edge(&self, [i, j]: [usize; 2]) -> Nearest {
        let [a, b] = [i, j].map(|i| self.corners[i].at);
        let u = sub(b, a);
        let (x, square) = (-dot(a, u), dot(u, u));
        if x <= 0.0 {
            return Nearest { at: a, len: 1, of: [i; 3] };
        }
        if x >= square {
            return Nearest { at: b, len: 1, of: [j; 3] };
        }
        let x = x / square;
        Nearest { at: [a[0] + x * u[0], a[1] + x * u[1], a[2] + x * u[2]], len: 2, of: [i, j, j] }
    }
    fn of_face(&self, of: [usize; 3]) -> Nearest {
        let [a, b, c] = of.map(|i| self.corners[i].at);
        let n = cross(sub(b, a), sub(c, a));
        let square = dot(n, n);
        // Weights of the corners, in squares of the normal.
        let sides = [[b, c], [c, a], [a, b]].map(|[p, q]| dot(cross(p, sub(q, p)), n));
        if square > 0.0 && sides.iter().all(|side| *side > 0.0) {
            let height = dot(a, n) / square;
            return Nearest { at: n.map(|x| height * x), len: 3, of };
        }
        let [i, j, k] = of;
        let mut best: Option<(f64, Nearest)> = None;
        for (edge, side) in [[j, k], [k, i], [i, j]].into_iter().zip(sides) {
            // The nearest point is on an edge beyond which the origin is.
            if side > 0.0 {
                continue;
            }
            let nearest = self.of_edge(edge);
            let square = dot(nearest.at, nearest.at);
            if best.as_ref().is_none_or(|(least, _)| square < *least) {
                best = Some((square, nearest));
            }
        }
        best.map_or_else(|| self.of_edge([i, j]), |(_, nearest)| nearest)
    }
    /// The nearest of the faces beyond which the origin is.
    fn of_solid(&self) -> Option<Nearest> {
        let mut best: Option<(f64, Nearest)> = None;
        for (face, other) in [([0, 1, 3], 2), ([1, 2, 3], 0), ([2, 0, 3], 1), ([0, 1, 2], 3)] {
            let [a, b, c] = face.map(|i| self.corners[i].at);
            let n = cross(sub(b, a), sub(c, a));
            let (origin, inside) = (-dot(a, n), dot(sub(self.corners[other].at, a), n));
            if origin * inside > 0.0 {
                continue;
            }
            let nearest = self.of_face(face);
            let square = dot(nearest.at, nearest.at);
            if best.as_ref().is_none_or(|(least, _)| square < *least) {
                best = Some((square, nearest));
            }
        }
        best.map(|(_, nearest)| nearest)
    }
}
