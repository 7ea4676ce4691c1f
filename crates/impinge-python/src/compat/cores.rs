//! Two convex cores that overlap: the shortest translation that parts them, and a point of both.
//!
//! [`Query::penetration`] computes the translation for solids that overlap. A core that is a point, a segment
//! or flat is no solid, and solids that only touch have no translation to take a direction from. The normal
//! is then that of a face of M, the hull of all differences of the first core's corners and the second's: of
//! the face nearest to the origin.
use super::{
    shape::Placed,
    vector::{Point, back, cross, dot, length, minus, unit},
};
use impinge::{
    Body, Mesh, Query, contact::contact_point, penetration::PenetrationParts, query::ContactPairs,
    solid::Location,
};

/// Two cores, and their hulls.
pub(super) struct Cores<'a> {
    pub(super) shapes: [&'a Placed; 2],
    pub(super) hulls: [Body<'a>; 2],
}

/// A direction, and the length of the translation of the second core along it that parts both.
#[derive(Clone, Copy)]
pub(super) struct WayOut {
    pub(super) normal: Point,
    pub(super) length: f64,
}

/// The directions that come first among equally short ways. FCL has the first one for equal cubes.
const AXES: [Point; 6] =
    [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
/// The most differences whose hull is built for cores that touch. The triangles that meet are enough there.
const MOST_OF_TOUCHING: usize = 4096;
/// The most differences whose hull is built.
const MOST: usize = 1 << 20;
/// Faces of M that are smaller than this part of its squared size are slivers, whose normals are roundings.
const SLIVER: f64 = 1e-9;

impl Cores<'_> {
    fn are_solid(&self) -> bool {
        self.hulls.iter().all(|hull| hull.model.solid().status().is_closed())
    }

    /// The shortest translation of the second core after which both have no inner point in common.
    pub(super) fn way_out(&self, query: &mut Query, pairs: &ContactPairs<'_>) -> WayOut {
        let [a, b] = self.shapes;
        // The greatest height of the first above the least height of the second.
        let along = |normal: Point| {
            let length = dot(minus(a.farthest(normal), b.farthest(back(normal))), normal);
            WayOut { normal, length: length.max(0.0) }
        };
        let best = self.separating_translation(query, pairs).unwrap_or_else(|| {
            let normal = self.normal_of_differences(pairs);
            let [one, other] = [normal, back(normal)].map(along);
            if other.length < one.length { other } else { one }
        });
        let width = along(best.normal).length + along(back(best.normal)).length;
        let equal = AXES.into_iter().map(along).find(|way| way.length <= best.length + 1e-12 * width);
        equal.unwrap_or(best)
    }

    /// The shortest separating translation of solids that overlap.
    fn separating_translation(&self, query: &mut Query, pairs: &ContactPairs<'_>) -> Option<WayOut> {
        if !self.are_solid() {
            return None;
        }
        let parts = PenetrationParts::new().separating_translation(true).separating_distance(true);
        let found = query.penetration_of_pairs(pairs, &parts);
        let [_, length] = found.separating_distance?;
        Some(WayOut { normal: unit(found.separating_translation?)?, length })
    }

    /// A normal, of either sign, of the face of M that is nearest to the origin.
    fn normal_of_differences(&self, pairs: &ContactPairs<'_>) -> Point {
        let most = if self.are_solid() { MOST_OF_TOUCHING } else { MOST };
        let all = self.shapes.map(Placed::corners);
        let is_few = all[0].len().saturating_mul(all[1].len()) <= most;
        let [of_a, of_b] = if is_few { &all } else { &self.corners_that_meet(pairs) };
        let differences: Vec<Point> =
            of_a.iter().flat_map(|&p| of_b.iter().map(move |&q| minus(p, q))).collect();
        let Ok(hull) = Mesh::hull(&differences) else { return AXES[0] };
        let Some(&first) = hull.points().first() else { return AXES[0] };
        let sides = hull.points().iter().map(|&point| minus(point, first));
        let longest = sides.max_by(|a, b| length(*a).total_cmp(&length(*b))).unwrap_or_default();
        let faces = (0..hull.len() as u32).filter_map(|face| {
            let [p, q, r] = hull.corners(face);
            let area = cross(minus(q, p), minus(r, p));
            let normal = unit(area).filter(|_| length(area) > SLIVER * dot(longest, longest))?;
            Some((dot(normal, p), normal))
        });
        let nearest = faces.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, normal)| normal);
        // Directions across a segment are normals of it: the axis that is least along it gives a certain one.
        let axis = (0..3).min_by(|&i, &j| longest[i].abs().total_cmp(&longest[j].abs()));
        let across = || unit(cross(longest, AXES[2 * axis.unwrap_or(0)]));
        nearest.or_else(across).unwrap_or(AXES[0])
    }

    /// The corners of the triangles that meet.
    fn corners_that_meet(&self, pairs: &ContactPairs<'_>) -> [Vec<Point>; 2] {
        [0, 1].map(|side| {
            let Body { model, pose } = &self.hulls[side];
            let triangles = pairs.as_slice().iter().map(|pair| model.mesh().triangles()[pair[side] as usize]);
            let mut corners: Vec<u32> = triangles.flatten().collect();
            corners.sort_unstable();
            corners.dedup();
            corners.into_iter().map(|i| pose.place(model.mesh().points()[i as usize])).collect()
        })
    }

    /// A point of both, half way along the normal between points that are high and low.
    pub(super) fn common_point(&self, query: &mut Query, pairs: &ContactPairs<'_>, normal: Point) -> Point {
        let [a, b] = &self.hulls;
        let mut common = Vec::new();
        // The outermost corners come first, as in FCL: for equal bodies they are in both.
        for (shape, other) in [(self.shapes[0], b), (self.shapes[1], a)] {
            if other.model.solid().status().is_closed() {
                let ends = [normal, back(normal)].map(|direction| shape.farthest(direction));
                let places = query.locate(other, &ends);
                let inside = ends.iter().zip(places).filter(|(_, place)| **place != Location::Outside);
                common.extend(inside.map(|(point, _)| *point));
            }
        }
        let [low, high] = [back(normal), normal].map(|direction| self.highest_pair(pairs, direction));
        let points = [high, low].into_iter().flatten().map(|pair| contact_point(a, b, pair).point);
        common.extend(points);
        let by_height = |p: &&Point, q: &&Point| dot(**p, normal).total_cmp(&dot(**q, normal));
        // The first of equally high points.
        let (low, high) = (common.iter().min_by(by_height), common.iter().rev().max_by(by_height));
        let [Some(low), Some(high)] = [low, high] else { return self.shapes[0].farthest(normal) };
        [0, 1, 2].map(|k| 0.5 * low[k] + 0.5 * high[k])
    }

    /// The first of the pairs of triangles that meet highest, by the range of heights that both have.
    fn highest_pair(&self, pairs: &ContactPairs<'_>, normal: Point) -> Option<[u32; 2]> {
        let directions = self.shapes.map(|shape| shape.local_direction(normal));
        let origins = self.shapes.map(|shape| dot(*shape.pose.translation(), normal));
        let range = |side: usize, triangle: u32| {
            let corners = self.hulls[side].model.mesh().corners(triangle);
            let heights = corners.map(|corner| dot(corner, directions[side]) + origins[side]);
            let least = heights.into_iter().fold(f64::INFINITY, f64::min);
            [least, heights.into_iter().fold(f64::NEG_INFINITY, f64::max)]
        };
        let mut best = (f64::NEG_INFINITY, None);
        for &pair in pairs.as_slice() {
            let ([low_a, high_a], [low_b, high_b]) = (range(0, pair[0]), range(1, pair[1]));
            let height = low_a.max(low_b) + high_a.min(high_b);
            if height > best.0 {
                best = (height, Some(pair));
            }
        }
        best.1
    }
}
