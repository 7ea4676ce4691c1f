//! The neighbourhood of a line in which surfaces of two bodies meet: half-planes of both, in one circle, and
//! the sectors between them.
//!
//! A face that the line runs through has two half-planes at the line. An edge of a clean mesh has one for
//! each of its two triangles. The half-planes of both bodies, in the order of their angles, bound sectors. So
//! each sector touches a half-plane of one body. The side of this half-plane, and the sector of the other
//! body in which it lies, decide whether the sector is inside of both bodies.
use super::{contact::view, state::RelationState};
use crate::exact::Predicates;

/// A half-plane that begins at the line and contains a point, which is not on the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfPlane {
    /// Index of the point.
    pub(super) point: usize,
    /// True if the side towards greater angles is inside; true if that towards lesser ones is.
    pub(super) sides: [bool; 2],
}

/// Angles from one half-plane to another, in the order of their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Angle {
    Zero,
    Convex,
    Straight,
    Reflex,
}

/// The half-planes of one body, in any order: two, or one of an open mesh, whose sides do not count.
pub(super) type Fan = [Option<HalfPlane>; 2];

/// The angle around the line from point 0 to point 1 that leads from one half-plane to another.
fn angle<G: Predicates + ?Sized>(g: &G, r: usize, s: usize) -> Angle {
    match g.orient3d(0, 1, r, s) {
        1 => Angle::Convex,
        -1 => Angle::Reflex,
        _ => {
            let turn = |axis| (g.orient2d(axis, 0, 1, r), g.orient2d(axis, 0, 1, s));
            let seen = (0..3).map(turn).find(|(r, _)| *r != 0);
            if seen.is_some_and(|(r, s)| r == s) { Angle::Zero } else { Angle::Straight }
        }
    }
}

/// The place of a half-plane in another body's fan.
enum Where {
    /// A half-plane of the fan.
    On(HalfPlane),
    /// A sector, which is inside or not.
    In(bool),
}

fn locate<G: Predicates + ?Sized>(g: &G, h: usize, [first, second]: [HalfPlane; 2]) -> Where {
    let (from_first, width) = (angle(g, first.point, h), angle(g, first.point, second.point));
    if from_first == Angle::Zero {
        return Where::On(first);
    }
    if angle(g, h, second.point) == Angle::Zero {
        return Where::On(second);
    }
    let before = if from_first == width { g.orient3d(0, 1, h, second.point) > 0 } else { from_first < width };
    Where::In(if before { first.sides[0] } else { second.sides[0] })
}

/// The state with the cells around the line from point 0 to point 1. A body that is no solid has none inside.
pub(super) fn around<G: Predicates + ?Sized>(
    g: &G,
    fans: [Fan; 2],
    solid: [bool; 2],
    mut state: RelationState,
) -> RelationState {
    for (own, other) in [(0, 1), (1, 0)] {
        let [Some(first), Some(second)] = fans[other] else { continue };
        if !solid[other] {
            continue;
        }
        for half in fans[own].into_iter().flatten() {
            match locate(g, half.point, [first, second]) {
                Where::In(inside) => state.note_face(own, half.sides, [inside; 2], || false),
                Where::On(of_other) => state.note_face(own, half.sides, of_other.sides, || true),
            }
        }
    }
    state
}

/// The half-planes of a triangle that the line runs through, with the sides of its front and its back.
pub(super) fn of_plane(g: &impl Predicates, t: [usize; 3], [front, back]: [bool; 2]) -> Fan {
    let (axis, turn) = view(g, t);
    [1, -1].map(|way| {
        let point = t.into_iter().find(|&c| g.orient2d(axis, 0, 1, c) * turn == way)?;
        // Where line and point turn as the triangle does, angles grow towards its front.
        let sides = if way > 0 { [front, back] } else { [back, front] };
        Some(HalfPlane { point, sides })
    })
}
