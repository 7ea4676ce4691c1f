//! How deep two convex sets of points are in each other, and a point of both.
//!
//! The set of all differences a - b of a convex body A and a convex body B is convex, and contains the origin
//! exactly if the bodies meet. The shortest translation of B that parts them ends on its boundary.
//! [`deepest`] grows a polyhedron of such differences (EPA): it takes the face with the least distance from
//! the origin, and adds the difference that is farthest along the face's normal, until there is none beyond
//! the face.
use super::{
    hull::Hull,
    vector::{Point, along, cross, dot, length, minus, unit},
};

/// A difference of a point of A and a point of B.
#[derive(Clone, Copy, Default)]
struct Difference {
    of: [Point; 2],
    value: Point,
}

/// A face of the polyhedron: corners against the clock from outside, unit normal, distance from the origin.
#[derive(Clone, Copy)]
struct Face {
    corners: [usize; 3],
    normal: Point,
    distance: f64,
}

/// How deep two convex bodies are in each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deep {
    /// The unit vector along which the second body parts from the first by the shortest way.
    pub(crate) normal: Point,
    /// The length of that way; translations by it part the bodies, but for roundings.
    pub(crate) depth: f64,
    /// The point of the first body that is deepest in the second, and of the second in the first.
    pub(crate) ends: [Point; 2],
    /// A point of both.
    pub(crate) point: Point,
}

/// So many points are added at most. The result is a translation that parts the bodies anyhow.
const MOST_POINTS: usize = 400;

/// The shortest translation that parts two bodies that meet.
pub(crate) fn deepest(a: &Hull<'_>, b: &Hull<'_>) -> Deep {
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    let mut farthest = |direction: Point| {
        let of = [a.farthest(direction), b.farthest(direction.map(|x| -x))];
        let found = Difference { of, value: minus(of[0], of[1]) };
        let depth = dot(found.value, direction);
        if depth < best.0 {
            best = (depth, direction);
        }
        found
    };
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let six = axes.map(|axis| [farthest(axis), farthest(axis.map(|x| -x))]);
    let size = six.iter().flatten().map(|point| length(point.value)).fold(0.0, f64::max);
    // A curved body would take points without end.
    let slack = if a.curved.is_some() || b.curved.is_some() { 1e-6 } else { 1e-12 } * size;
    let Some(mut polyhedron) = Polyhedron::start(six, slack, &mut farthest) else {
        // All differences lie in a plane: the normal of it parts the bodies at no cost.
        let (depth, normal) = best;
        let ends = [a.farthest(normal), b.farthest(normal.map(|x| -x))];
        return Deep { normal, depth: depth.max(0.0), ends, point: ends[0] };
    };
    let mut nearest = polyhedron.nearest();
    for _ in 0..MOST_POINTS {
        let face = polyhedron.faces[nearest];
        let next = farthest(face.normal);
        if dot(next.value, face.normal) - face.distance <= slack || !polyhedron.add(next, slack) {
            break;
        }
        nearest = polyhedron.nearest();
    }
    let (depth, normal) = best;
    let face = polyhedron.under_origin(polyhedron.faces[nearest].distance + slack);
    let ends = polyhedron.at(&face, face.normal.map(|x| x * face.distance));
    Deep { normal, depth: depth.max(0.0), ends, point: polyhedron.common(&face, ends) }
}

/// A convex polyhedron of differences.
struct Polyhedron {
    points: Vec<Difference>,
    faces: Vec<Face>,
    edges: Vec<[usize; 2]>,
}

impl Polyhedron {
    /// A tetrahedron, of points that are far along the axes or other directions; `None` if all are in a
    /// plane.
    fn start(
        six: [[Difference; 2]; 3],
        slack: f64,
        farthest: &mut impl FnMut(Point) -> Difference,
    ) -> Option<Self> {
        let span = |pair: &[Difference; 2]| length(minus(pair[0].value, pair[1].value));
        let [first, second] = six.into_iter().max_by(|a, b| span(a).total_cmp(&span(b)))?;
        let line = unit(minus(second.value, first.value))?;
        // The axis that is least along the line gives the best of two directions across it.
        let axis = (0..3).min_by(|&i, &j| line[i].abs().total_cmp(&line[j].abs()))?;
        let mut across = [0.0; 3];
        across[axis] = 1.0;
        let one = unit(cross(line, across))?;
        let off_line = |point: &Difference| {
            let from = minus(point.value, first.value);
            length(along(from, line, -dot(from, line)))
        };
        let farther =
            |direction: Point, off: &dyn Fn(&Difference) -> f64, by: &mut dyn FnMut(Point) -> Difference| {
                let pair = [by(direction), by(direction.map(|x| -x))];
                pair.into_iter().max_by(|a, b| off(a).total_cmp(&off(b)))
            };
        let mut third = farther(one, &off_line, farthest)?;
        if off_line(&third) <= slack {
            third = farther(cross(line, one), &off_line, farthest)?;
        }
        if off_line(&third) <= slack {
            return None;
        }
        let normal = unit(cross(minus(second.value, first.value), minus(third.value, first.value)))?;
        let off_plane = |point: &Difference| dot(minus(point.value, first.value), normal).abs();
        let fourth = farther(normal, &off_plane, farthest)?;
        if off_plane(&fourth) <= slack {
            return None;
        }
        let is_above = dot(minus(fourth.value, first.value), normal) > 0.0;
        let points = vec![first, second, third, fourth];
        let corners = match is_above {
            true => [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
            false => [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]],
        };
        let mut made = Self { points, faces: Vec::with_capacity(64), edges: Vec::with_capacity(16) };
        corners.iter().for_each(|&corners| made.push(corners));
        Some(made)
    }

    fn push(&mut self, corners: [usize; 3]) {
        let [a, b, c] = corners.map(|i| self.points[i].value);
        let normal = unit(cross(minus(b, a), minus(c, a)));
        // A sliver without a normal is never the nearest face.
        let distance = normal.map_or(f64::INFINITY, |normal| dot(normal, a));
        self.faces.push(Face { corners, normal: normal.unwrap_or_default(), distance });
    }

    fn nearest(&self) -> usize {
        let by_distance = |&i: &usize, &j: &usize| self.faces[i].distance.total_cmp(&self.faces[j].distance);
        (0..self.faces.len()).min_by(by_distance).unwrap_or(0)
    }

    /// Of faces that are no farther than `limit`, such as those of one facet, the one below the origin.
    fn under_origin(&self, limit: f64) -> Face {
        let least_part = |face: &Face| {
            let parts = self.parts(face, face.normal.map(|x| x * face.distance));
            parts[0].min(parts[1]).min(parts[2]) / (parts[0] + parts[1] + parts[2])
        };
        let near = self.faces.iter().filter(|face| face.distance <= limit);
        *near.max_by(|a, b| least_part(a).total_cmp(&least_part(b))).unwrap_or(&self.faces[0])
    }

    /// The areas, doubled and times that of the face, between a point of a face's plane and its sides.
    fn parts(&self, face: &Face, point: Point) -> [f64; 3] {
        let [a, b, c] = face.corners.map(|i| self.points[i].value);
        let normal = cross(minus(b, a), minus(c, a));
        let part = |p: Point, q: Point| dot(cross(minus(p, point), minus(q, point)), normal);
        [part(b, c), part(c, a), part(a, b)]
    }

    /// Adds a point that is outside; returns whether it changed anything.
    fn add(&mut self, point: Difference, slack: f64) -> bool {
        let number = self.points.len();
        self.edges.clear();
        let edges = &mut self.edges;
        let before = self.faces.len();
        self.faces.retain(|face| {
            if dot(point.value, face.normal) - face.distance <= 0.25 * slack {
                return true;
            }
            let [a, b, c] = face.corners;
            for edge in [[a, b], [b, c], [c, a]] {
                // An edge between two faces that go is in neither direction.
                match edges.iter().position(|&[x, y]| [y, x] == edge) {
                    Some(at) => drop(edges.swap_remove(at)),
                    None => edges.push(edge),
                }
            }
            false
        });
        if self.faces.len() == before || self.edges.is_empty() {
            return false;
        }
        self.points.push(point);
        for [a, b] in std::mem::take(&mut self.edges) {
            self.push([a, b, number]);
        }
        true
    }

    /// The points of A and B whose difference is a point of a face.
    fn at(&self, face: &Face, point: Point) -> [Point; 2] {
        let [a, b, c] = face.corners.map(|i| self.points[i]);
        let parts = self.parts(face, point).map(|part| part.max(0.0));
        let sum: f64 = parts.iter().sum();
        let weights = if sum > 0.0 { parts.map(|part| part / sum) } else { [1.0, 0.0, 0.0] };
        [0, 1].map(|side| {
            [0, 1, 2]
                .map(|k| weights[0] * a.of[side][k] + weights[1] * b.of[side][k] + weights[2] * c.of[side][k])
        })
    }

    /// A point of both bodies: the origin is between the nearest point of the boundary, the difference of
    /// `ends`, and the point where the line from there through the origin leaves the polyhedron.
    fn common(&self, nearest: &Face, ends: [Point; 2]) -> Point {
        let back = nearest.normal.map(|x| -x);
        let exit = |face: &Face| {
            let slope = dot(face.normal, back);
            if slope > 1e-9 { face.distance / slope } else { f64::INFINITY }
        };
        let leaving = self.faces.iter().min_by(|a, b| exit(a).total_cmp(&exit(b)));
        let (near, Some(face)) = (nearest.distance.max(0.0), leaving) else { return ends[0] };
        let far = exit(face);
        if !(far.is_finite() && far > 0.0) {
            return ends[0];
        }
        let others = self.at(face, back.map(|x| x * far));
        let part = near / (near + far);
        // By either body it is the same point, but for roundings.
        [0, 1, 2].map(|k| {
            let of = |side: usize| (1.0 - part) * ends[side][k] + part * others[side][k];
            0.5 * (of(0) + of(1))
        })
    }
}
