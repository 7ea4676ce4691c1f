//! Contacts of two triangles in more than points, which determine the cells beside them.
use crate::{
    exact::Predicates,
    triangle::{
        exact::{IntervalEnds, intervals_overlap},
        intersection::{Intersection, WHOLE},
    },
};

/// The contact of two triangles with areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contact {
    /// Nothing, or a point.
    Point,
    /// A segment, on which the inside of each crosses that of the other.
    Crossing,
    /// A part of their common plane, which both see from the same side, or not.
    Area { same: bool },
    /// A segment that lies on an edge of one of them or of both; the edges' numbers.
    Line([Option<usize>; 2]),
}

/// Points 0, 1, 2 are the one, 3, 4, 5 the other. Most contacts need few signs; the others are read off the
/// vertices of the intersection.
pub(crate) fn contact(g: &impl Predicates) -> Contact {
    let (a, b) = ([0, 1, 2], [3, 4, 5]);
    let of_b = g.sides(a, b);
    if of_b != [0; 3] {
        if !may_share_segment(of_b) {
            return Contact::Point;
        }
        let of_a = g.sides(b, a);
        if !may_share_segment(of_a) {
            return Contact::Point;
        }
        if !has_edge_in_plane(of_a) && !has_edge_in_plane(of_b) {
            let cross = intervals_overlap(g, (a, of_a), (b, of_b), IntervalEnds::Open);
            return if cross { Contact::Crossing } else { Contact::Point };
        }
    }
    let shared = Intersection::find(g, [WHOLE; 2]);
    match shared.len {
        0 | 1 => Contact::Point,
        2 => {
            let across = shared.common_edges(0, 1);
            // Edge k lies across from corner k + 2.
            let edge = |first: u32| (0..3).find(|k| across >> (first + (k + 2) % 3) & 1 == 1);
            Contact::Line([edge(0), edge(3)].map(|k| k.map(|k| k as usize)))
        }
        _ => {
            let (axis, turn) = g.view(a).unwrap_or((0, 1));
            Contact::Area { same: g.orient2d(axis, 3, 4, 5) == turn }
        }
    }
}

/// Whether a triangle whose corners lie on these sides of a plane, not all in it, has a segment of it.
fn may_share_segment(sides: [i32; 3]) -> bool {
    sides.contains(&1) && sides.contains(&-1) || has_edge_in_plane(sides)
}

fn has_edge_in_plane(sides: [i32; 3]) -> bool {
    sides.iter().filter(|&&side| side == 0).count() > 1
}
