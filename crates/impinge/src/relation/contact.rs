//! Contacts of two triangles in more than points, which determine the cells beside them.
use crate::{
    exact::Predicates,
    triangle::exact::{IntervalEnds, intervals_overlap},
};

/// The contact of two triangles with areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TriangleContact {
    /// Nothing, or a point.
    Point,
    /// A segment, on which the inside of each crosses that of the other.
    Crossing,
    /// A part of their common plane; `same` if both face the same way.
    Area { same: bool },
    /// A segment that lies on an edge of one of them or of both; the edges' numbers.
    Line([Option<usize>; 2]),
}

const NEXT: [usize; 3] = [1, 2, 0];

/// The contact of two triangles: points 0, 1, 2 are the one, 3, 4, 5 the other.
pub(crate) fn contact(g: &impl Predicates) -> TriangleContact {
    let of_b = g.sides([0, 1, 2], [3, 4, 5]);
    if of_b == [0; 3] {
        return coplanar(g);
    }
    if !may_share_segment(of_b) {
        return TriangleContact::Point;
    }
    let of_a = g.sides([3, 4, 5], [0, 1, 2]);
    if !may_share_segment(of_a) {
        return TriangleContact::Point;
    }
    let is_met = match (edge_in_plane(of_a), edge_in_plane(of_b)) {
        (None, None) => {
            let cross = intervals_overlap(g, [0, 1, 2], of_a, [3, 4, 5], of_b, IntervalEnds::Open);
            return if cross { TriangleContact::Crossing } else { TriangleContact::Point };
        }
        (Some(a), None) => runs_inside(g, [a, NEXT[a]], [3, 4, 5]),
        (None, Some(b)) => runs_inside(g, [3 + b, 3 + NEXT[b]], [0, 1, 2]),
        (Some(a), Some(b)) => overlap_on_line(g, [a, NEXT[a]], [3 + b, 3 + NEXT[b]]),
    };
    if is_met {
        TriangleContact::Line([edge_in_plane(of_a), edge_in_plane(of_b)])
    } else {
        TriangleContact::Point
    }
}

/// True if a triangle has a segment in a plane, by the sides on which its corners lie, not all in it.
fn may_share_segment(sides: [i32; 3]) -> bool {
    sides.contains(&1) && sides.contains(&-1) || edge_in_plane(sides).is_some()
}

/// The edge whose ends lie in the plane.
fn edge_in_plane(sides: [i32; 3]) -> Option<usize> {
    (0..3).find(|&k| sides[k] == 0 && sides[NEXT[k]] == 0)
}

/// An axis along which a triangle is seen with an area, and the sign of that area.
pub(crate) fn view(g: &impl Predicates, t: [usize; 3]) -> (usize, i32) {
    g.view(t).unwrap_or((0, 1))
}

/// True if the line of an edge of a triangle has all of these points of its plane outside, or on it.
fn separates(g: &impl Predicates, t: [usize; 3], axis: usize, turn: i32, points: &[usize]) -> bool {
    (0..3).any(|k| points.iter().all(|&x| g.orient2d(axis, t[k], t[NEXT[k]], x) * turn <= 0))
}

/// True if a segment has more than a point in common with a triangle. Its line meets the inside.
fn runs_inside(g: &impl Predicates, segment: [usize; 2], t: [usize; 3]) -> bool {
    let (axis, turn) = view(g, t);
    !separates(g, t, axis, turn, &segment)
}

fn coplanar(g: &impl Predicates) -> TriangleContact {
    let (a, b) = ([0, 1, 2], [3, 4, 5]);
    let (axis, turn) = view(g, a);
    let turn_b = g.orient2d(axis, 3, 4, 5);
    if !separates(g, a, axis, turn, &b) && !separates(g, b, axis, turn_b, &a) {
        return TriangleContact::Area { same: turn == turn_b };
    }
    // They lie on different sides of a line, on which an edge of each may lie.
    for (k, next) in NEXT.into_iter().enumerate() {
        let of_b = b.map(|x| g.orient2d(axis, k, next, x));
        if let Some(edge) = edge_in_plane(of_b)
            && overlap_on_line(g, [k, next], [3 + edge, 3 + NEXT[edge]])
        {
            return TriangleContact::Line([Some(k), Some(edge)]);
        }
    }
    TriangleContact::Point
}

/// True if two segments of one line have more than a point in common.
fn overlap_on_line(g: &impl Predicates, [a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
    // Any axis on which the line is not seen as a point has the order of its points.
    let Some(axis) = (0..3).find(|&axis| g.compare(axis, a, b).is_ne()) else { return false };
    let ordered = |x, y| if g.compare(axis, x, y).is_le() { (x, y) } else { (y, x) };
    let ((a, b), (c, d)) = (ordered(a, b), ordered(c, d));
    g.compare(axis, a, d).is_lt() && g.compare(axis, c, b).is_lt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Pose,
        exact::{
            DyadicTransform, Fixed, Integer, IntegerPoints, Lattice, TwoTriangles, WIDTHS, Wide,
            are_collinear, at_size, at_width, on_lattice,
        },
        samples::{
            near_degenerate::{FAMILIES, near_degenerate},
            rng::Rng,
        },
        triangle::intersection::{Intersection, WHOLE},
    };

    type Triangle = [[f64; 3]; 3];

    /// Compares the kind of a contact with the vertices of the intersection, as curves have them.
    fn check(maps: &[DyadicTransform<3>; 2], p: &Triangle, q: &Triangle) -> usize {
        let six = TwoTriangles::new(maps, [p, q]);
        let kind = on_lattice!(at_size, &six, 3, TriangleContact, g => contact(g));
        let shared = on_lattice!(at_size, &six, 3, Intersection, g => Intersection::find(g, [WHOLE; 2]));
        let (is_same, kind_number) = match kind {
            TriangleContact::Point => (shared.len < 2, 0),
            TriangleContact::Crossing => (shared.len == 2 && shared.is_inside(), 1),
            TriangleContact::Line(_) => (shared.len == 2 && !shared.is_inside(), 2),
            TriangleContact::Area { .. } => (shared.len > 2, 3),
        };
        assert!(is_same, "{p:?} {q:?}: {kind:?} {:?}", shared.vertices());
        kind_number
    }

    #[test]
    fn kinds_are_those_of_the_vertices() {
        let (mut seen, mut rng) = ([0; 4], Rng::new(34));
        let still =
            [(); 2].map(|()| DyadicTransform::new(Pose::IDENTITY.rows(), Pose::IDENTITY.translation()));
        for round in 0..40_000 {
            let mut point = || {
                [0, 1, 2].map(|k| if k == 2 && round % 2 == 0 { 0.0 } else { f64::from(rng.below(4) as u32) })
            };
            let [p, q] = [[point(), point(), point()], [point(), point(), point()]];
            if !are_collinear(&p) && !are_collinear(&q) {
                seen[check(&still, &p, &q)] += 1;
            }
        }
        assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
        for i in 0..FAMILIES.len() as u64 * 1000 {
            let case = near_degenerate(34, i);
            let maps = [&case.pose_p, &case.pose_q]
                .map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
            if !are_collinear(&case.p) && !are_collinear(&case.q) {
                check(&maps, &case.p, &case.q);
            }
        }
    }
}
