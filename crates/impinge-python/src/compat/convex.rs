//! Penetration depth of two convex sets of points, and a point of both.
//!
//! The set of all differences a - b of a convex body A and a convex body B is convex, and contains the origin
//! exactly if the bodies meet. The shortest translation of B that parts them ends on its boundary.
//! [`deepest`] grows a polyhedron of such differences (EPA): it takes the face with the least distance from
//! the origin, and adds the difference that is farthest along the face's normal, until there is none beyond
//! the face.
use super::{
    hull::{Difference, Hull, farthest},
    vector::{Point, along, cross, dot, length, length_1, minus, unit},
};
use std::cell::Cell;

/// A face of the polyhedron: corners against the clock from outside, unit normal, distance from the origin.
#[derive(Clone, Copy)]
struct Face {
    corners: [u32; 3],
    normal: Point,
    distance: f64,
}

/// Penetration depth of two convex bodies.
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

/// The largest number of points that are added. At this limit, too, the result is a translation that parts
/// the bodies.
const MOST_POINTS: usize = 400;

/// The shortest translation that parts two bodies that meet; `known` are differences about the origin.
pub(crate) fn deepest(a: &Hull<'_>, b: &Hull<'_>, known: Option<[Difference; 4]>) -> Deep {
    let best = Cell::new((f64::INFINITY, [1.0, 0.0, 0.0]));
    let mut next = |direction: Point| {
        let found = farthest(a, b, direction);
        let depth = dot(found.value, direction);
        if depth < best.get().0 {
            best.set((depth, direction));
        }
        found
    };
    // A curved body would take points without end.
    let part = if a.curved.is_some() || b.curved.is_some() { 1e-6 } else { 1e-12 };
    let start = match known.and_then(Polyhedron::about) {
        Some(polyhedron) => {
            let size = polyhedron.points.iter().map(|point| length(point.value)).fold(0.0, f64::max);
            Some((polyhedron, part * size))
        }
        None => {
            // The first of equally short ways counts: back along x, as FCL has it for equal cubes.
            let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let six = axes.map(|axis| [next(axis.map(|x| 0.0 - x)), next(axis)]);
            let size = six.iter().flatten().map(|point| length(point.value)).fold(0.0, f64::max);
            Polyhedron::start(six, part * size, &mut next).map(|polyhedron| (polyhedron, part * size))
        }
    };
    let Some((mut polyhedron, slack)) = start else {
        // All differences lie in a plane: the normal of it parts the bodies at no cost.
        let (depth, normal) = best.get();
        let ends = [a.farthest(normal), b.farthest(normal.map(|x| -x))];
        return Deep { normal, depth: depth.max(0.0), ends, point: ends[0] };
    };
    let mut nearest = polyhedron.nearest();
    for _ in 0..MOST_POINTS {
        // No translation that is shorter than the nearest face's distance parts the bodies.
        let [x, y, z, distance] = polyhedron.planes[nearest];
        if best.get().0 - distance <= slack {
            break;
        }
        let point = next([x, y, z]);
        // Slivers would be added without end.
        if best.get().0 - distance <= slack || !polyhedron.add(point, slack) {
            break;
        }
        nearest = polyhedron.nearest();
    }
    let (depth, normal) = best.get();
    let face = polyhedron.under_origin(normal, polyhedron.planes[nearest][3] + slack);
    let ends = polyhedron.at(&face, face.normal.map(|x| x * face.distance));
    let found = Deep { normal, depth: depth.max(0.0), ends, point: polyhedron.common(&face, ends) };
    if a.curved.is_some() || b.curved.is_some() {
        return found;
    }
    between_corners(a, b, &found, slack).unwrap_or(found)
}

/// The same depth with corners for its ends, if the line through corners of both bodies has the direction of
/// the normal on either side, as in bodies of equal shape and orientation. FCL has such points, too.
fn between_corners(a: &Hull<'_>, b: &Hull<'_>, found: &Deep, slack: f64) -> Option<Deep> {
    let (normal, back) = (found.normal, found.normal.map(|x| -x));
    let [near, far] = [normal, back].map(|direction| farthest(a, b, direction));
    let lengths = [dot(near.value, normal), dot(far.value, back)];
    let is_along = |one: &Difference, direction: Point, length: f64| {
        length >= 0.0 && length_1(minus(one.value, direction.map(|x| x * length))) <= slack
    };
    let sum = lengths[0] + lengths[1];
    if !(is_along(&near, normal, lengths[0]) && is_along(&far, back, lengths[1]) && sum > 0.0) {
        return None;
    }
    // The origin is between both differences, and the same mean of either body's corners is a point of both.
    let part = lengths[0] / sum;
    let point = [0, 1, 2].map(|k| {
        let of = |side: usize| (1.0 - part) * near.of[side][k] + part * far.of[side][k];
        0.5 * (of(0) + of(1))
    });
    Some(Deep { ends: near.of, point, ..*found })
}

/// A convex polyhedron of differences. Faces are in two lists of the same length.
struct Polyhedron {
    points: Vec<Difference>,
    corners: Vec<[u32; 3]>,
    /// Unit normals, and distances from the origin.
    planes: Vec<[f64; 4]>,
    edges: Vec<[u32; 2]>,
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
        Some(Self::of([first, second, third, fourth], dot(minus(fourth.value, first.value), normal)))
    }

    /// A tetrahedron, unless it is so flat that its faces have no good normals.
    fn about(four: [Difference; 4]) -> Option<Self> {
        let [a, b, c] = [1, 2, 3].map(|i| minus(four[i].value, four[0].value));
        let volume = dot(cross(a, b), c);
        let size = dot(a, a).max(dot(b, b)).max(dot(c, c)).sqrt();
        (volume.abs() > 1e-3 * size.powi(3)).then(|| Self::of(four, volume))
    }

    /// A tetrahedron: `side` is positive if the fourth corner is where the first three go against the clock.
    fn of(four: [Difference; 4], side: f64) -> Self {
        let corners = match side > 0.0 {
            true => [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
            false => [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]],
        };
        let mut points = Vec::with_capacity(32);
        points.extend(four);
        let (faces, planes) = (Vec::with_capacity(64), Vec::with_capacity(64));
        let mut made = Self { points, corners: faces, planes, edges: Vec::with_capacity(16) };
        corners.iter().for_each(|&corners| made.push(corners));
        made
    }

    fn push(&mut self, corners: [u32; 3]) {
        let [a, b, c] = corners.map(|i| self.points[i as usize].value);
        let normal = cross(minus(b, a), minus(c, a));
        let square = dot(normal, normal);
        let plane = if square > 0.0 && square.is_finite() {
            let scale = 1.0 / square.sqrt();
            let [x, y, z] = normal.map(|x| x * scale);
            [x, y, z, dot([x, y, z], a)]
        } else {
            // A sliver without a normal is never the nearest face.
            [0.0, 0.0, 0.0, f64::INFINITY]
        };
        self.corners.push(corners);
        self.planes.push(plane);
    }

    fn face(&self, i: usize) -> Face {
        let [x, y, z, distance] = self.planes[i];
        Face { corners: self.corners[i], normal: [x, y, z], distance }
    }

    fn nearest(&self) -> usize {
        let (mut best, mut least) = (0, f64::INFINITY);
        for (i, &[.., distance]) in self.planes.iter().enumerate() {
            if distance < least {
                (best, least) = (i, distance);
            }
        }
        best
    }

    /// The face below the origin among faces that are no farther than `limit`, such as those of one facet;
    /// those across the normal come first, as there may be other ways of the same length.
    fn under_origin(&self, normal: Point, limit: f64) -> Face {
        let least_part = |face: &Face| {
            let parts = self.parts(face, face.normal.map(|x| x * face.distance));
            parts[0].min(parts[1]).min(parts[2]) / (parts[0] + parts[1] + parts[2])
        };
        let near = || (0..self.planes.len()).filter(|&i| self.planes[i][3] <= limit).map(|i| self.face(i));
        let is_across = |face: &Face| dot(face.normal, normal) > 1.0 - 1e-12;
        let inmost = |faces: &mut dyn Iterator<Item = Face>| {
            faces.max_by(|a, b| least_part(a).total_cmp(&least_part(b)))
        };
        inmost(&mut near().filter(is_across)).or_else(|| inmost(&mut near())).unwrap_or_else(|| self.face(0))
    }

    /// The areas, doubled and times that of the face, between a point of a face's plane and its sides.
    fn parts(&self, face: &Face, point: Point) -> [f64; 3] {
        let [a, b, c] = face.corners.map(|i| self.points[i as usize].value);
        let normal = cross(minus(b, a), minus(c, a));
        let part = |p: Point, q: Point| dot(cross(minus(p, point), minus(q, point)), normal);
        [part(b, c), part(c, a), part(a, b)]
    }

    /// Adds a point that is outside; returns whether it changed anything.
    fn add(&mut self, point: Difference, slack: f64) -> bool {
        let number = self.points.len() as u32;
        self.edges.clear();
        let (before, mut i) = (self.planes.len(), 0);
        while i < self.planes.len() {
            let [x, y, z, distance] = self.planes[i];
            if dot(point.value, [x, y, z]) - distance <= 0.25 * slack {
                i += 1;
                continue;
            }
            self.planes.swap_remove(i);
            let [a, b, c] = self.corners.swap_remove(i);
            for edge in [[a, b], [b, c], [c, a]] {
                // An edge between two faces that go is in neither direction.
                match self.edges.iter().position(|&[x, y]| [y, x] == edge) {
                    Some(at) => drop(self.edges.swap_remove(at)),
                    None => self.edges.push(edge),
                }
            }
        }
        if self.planes.len() == before || self.edges.is_empty() {
            return false;
        }
        self.points.push(point);
        for at in 0..self.edges.len() {
            let [a, b] = self.edges[at];
            self.push([a, b, number]);
        }
        true
    }

    /// The points of A and B whose difference is a point of a face.
    fn at(&self, face: &Face, point: Point) -> [Point; 2] {
        let [a, b, c] = face.corners.map(|i| self.points[i as usize]);
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
        let each = (0..self.planes.len()).map(|i| (exit(&self.face(i)), i));
        let (near, Some((far, i))) = (nearest.distance.max(0.0), each.min_by(|a, b| a.0.total_cmp(&b.0)))
        else {
            return ends[0];
        };
        let face = self.face(i);
        if !(far.is_finite() && far > 0.0) {
            return ends[0];
        }
        let others = self.at(&face, back.map(|x| x * far));
        let part = near / (near + far);
        // By either body it is the same point, but for roundings.
        [0, 1, 2].map(|k| {
            let of = |side: usize| (1.0 - part) * ends[side][k] + part * others[side][k];
            0.5 * (of(0) + of(1))
        })
    }
}
