//! Pairs of triangles, and their distances in f64 and in integers.
use super::placing::{PreparedPoses, Together, size};
use crate::{
    Body, Mesh, Pose, SimdLevel,
    margin::Margin,
    posed::distance::{SupportingPair, TriangleAt, about, compare, compare_pairs, nearest_points},
    triangle::closest::TriangleDistance,
    vector::{Triangle, Vector, sub},
};
use std::cmp::Ordering;

#[cfg(test)]
thread_local! {
    /// The number of exact comparisons.
    pub(super) static COMPARED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// One of the two operands of a distance: triangles at a pose, or the point at a pose's origin.
#[derive(Clone, Copy)]
pub(crate) struct MeshAt<'a> {
    pub(super) pose: &'a Pose,
    /// `None` for a point, which counts as one triangle.
    pub(super) mesh: Option<&'a Mesh>,
    extent: &'a [Vector; 2],
}

impl<'a> MeshAt<'a> {
    pub(crate) fn of(body: &'a Body<'a>) -> Self {
        Self { pose: &body.pose, mesh: Some(body.model.mesh()), extent: body.model.extent() }
    }
    /// The point to which a translation takes the origin.
    pub(crate) fn point(translation: &'a Pose) -> Self {
        Self { pose: translation, mesh: None, extent: &[[0.0; 3]; 2] }
    }
    pub(super) fn corners(&self, i: u32) -> Triangle {
        self.mesh.map_or([[0.0; 3]; 3], |mesh| mesh.corners(i))
    }
    /// Number of triangles.
    pub(super) fn len(&self) -> u32 {
        self.mesh.map_or(1, |mesh| mesh.len() as u32)
    }
    /// The size: no more than the longest side of the box, in the world, around the box of the triangles.
    pub(super) fn size(&self) -> f64 {
        let [lo, hi] = self.extent;
        let sides = sub(*hi, *lo);
        let longest = size(&sides);
        self.pose.rows().iter().fold(0.0, |most: f64, row| {
            let own = (row[0] * sides[0]).abs() + (row[1] * sides[1]).abs() + (row[2] * sides[2]).abs();
            most.max(own.min(size(row) * longest))
        })
    }
}

/// The pairs of triangles of two bodies, or of a point and a body.
pub(crate) struct TrianglePairDistances<'a> {
    pub(super) shapes: [MeshAt<'a>; 2],
    /// True if the second operand is the first one in an order that does not depend on the order of
    /// arguments, so that neither do the results.
    second_first: bool,
    pub(super) placing: PreparedPoses<'a>,
}

impl<'a> TrianglePairDistances<'a> {
    pub(crate) fn new(shapes: [MeshAt<'a>; 2]) -> Self {
        let second_first = match shapes.map(|shape| shape.mesh) {
            [Some(a), Some(b)] => {
                let [p, q] = shapes.map(|shape| shape.pose);
                is_second_first([(p, a), (q, b)])
            }
            // A point comes first.
            _ => false,
        };
        let [a, b] = shapes.map(|shape| shape.pose);
        Self { shapes, second_first, placing: PreparedPoses::new(if second_first { [b, a] } else { [a, b] }) }
    }
    pub(super) fn corners(&self, [i, j]: [u32; 2]) -> [Triangle; 2] {
        [self.shapes[0].corners(i), self.shapes[1].corners(j)]
    }
    /// True if the first operand is a point.
    pub(super) fn has_point(&self) -> bool {
        self.shapes[0].mesh.is_none()
    }
    /// The pair in the order of [`is_second_first`].
    pub(super) fn key(&self, [i, j]: [u32; 2]) -> [u32; 2] {
        if self.second_first { [j, i] } else { [i, j] }
    }
    /// The f64 bounds of a pair, and how large coordinates are.
    pub(super) fn nearest(&self, pair: [u32; 2]) -> (TriangleDistance, f64) {
        if self.has_point() {
            return self.placing.nearest_to_point(&self.shapes[1].corners(pair[1]));
        }
        let [p, q] = self.corners(pair);
        if self.second_first {
            let (mut nearest, size) = self.placing.nearest(&q, &p);
            nearest.points.reverse();
            return (nearest, size);
        }
        self.placing.nearest(&p, &q)
    }
    /// Computes the f64 bounds of at most [`MOST_DOUBLES`](crate::simd::MOST_DOUBLES) pairs of triangles
    /// together.
    pub(super) fn ask(&self, level: SimdLevel, pairs: &[[u32; 2]], together: &mut Together) {
        for (lane, &pair) in pairs.iter().enumerate() {
            let [p, q] = self.corners(pair);
            let (p, q) = if self.second_first { (&q, &p) } else { (&p, &q) };
            self.placing.set(lane, p, q, together);
        }
        self.placing.ask(level, pairs.len(), together);
    }
    /// The result of one pair of [`Self::ask`].
    pub(super) fn told(&self, lane: usize, together: &Together) -> TriangleDistance {
        let mut nearest = together.told(&self.placing, lane);
        if self.second_first {
            nearest.points.reverse();
        }
        nearest
    }
    /// Compares a pair's distance with the sum of the numbers d, exactly.
    pub(super) fn compare(&self, pair: [u32; 2], d: &[f64]) -> Ordering {
        #[cfg(test)]
        COMPARED.with(|count| count.set(count.get() + 1));
        let [p, q] = self.corners(pair);
        let [a, b] = self.placed([&p, &q]);
        compare(a, b, d)
    }
    fn placed<'t>(&'t self, [p, q]: [&'t Triangle; 2]) -> [TriangleAt<'t>; 2] {
        let [a, b] = self.shapes.map(|shape| shape.pose);
        [TriangleAt { pose: a, corners: p }, TriangleAt { pose: b, corners: q }]
    }
    /// An estimate of the distance of a pair that does not meet, within some units of the last place.
    pub(super) fn about(&self, pair: [u32; 2]) -> f64 {
        let [p, q] = self.corners(pair);
        about(self.placed([&p, &q]))
    }
    /// Compares the distances of two pairs, exactly.
    pub(super) fn compare_pairs(&self, x: [u32; 2], y: [u32; 2]) -> Ordering {
        #[cfg(test)]
        COMPARED.with(|count| count.set(count.get() + 1));
        let ([p, q], [r, s]) = (self.corners(x), self.corners(y));
        compare_pairs(self.placed([&p, &q]), self.placed([&r, &s]))
    }
    /// A support that proves that other triangles are no nearer than a pair.
    pub(super) fn support(&self, pair: [u32; 2]) -> SupportingPair {
        let [p, q] = self.corners(pair);
        SupportingPair::new(self.placed([&p, &q]))
    }
    /// The nearest points of a pair, rounded to the nearest numbers; `None` if it meets.
    pub(super) fn points(&self, pair: [u32; 2]) -> Option<[Vector; 2]> {
        if self.compare(pair, &[]).is_eq() {
            return None;
        }
        let [p, q] = self.corners(pair);
        let [a, b] = self.placed([&p, &q]);
        if !self.second_first {
            return Some(nearest_points([a, b]));
        }
        let [y, x] = nearest_points([b, a]);
        Some([x, y])
    }
    /// True if the two triangles are no further apart than the margin.
    pub(crate) fn are_within(&self, pair: [u32; 2], margin: &Margin) -> bool {
        let (TriangleDistance { lo, hi, .. }, _) = self.nearest(pair);
        hi <= margin.down() || lo <= margin.get() && self.compare(pair, margin.parts()).is_le()
    }
}

/// True if the second body is the first one in an order that does not depend on the order of arguments.
pub(crate) fn is_second_first([(p, a), (q, b)]: [(&Pose, &Mesh); 2]) -> bool {
    pub(super) fn key<'a>(pose: &Pose, mesh: &'a Mesh) -> impl PartialOrd + use<'a> {
        (*pose.translation(), *pose.rows(), mesh.points(), mesh.triangles())
    }
    key(q, b) < key(p, a)
}
