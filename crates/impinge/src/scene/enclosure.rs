//! The box that is put around a body in world coordinates.
use super::{
    bodies::Slot,
    bounds::{Ball, WorldBounds},
    oriented::PlacedObb,
};
use crate::{
    Model, Pose,
    broad_phase::Aabb,
    choice::choice,
    vector::UNIT,
    world::{WorldBox, known, rotated},
};

choice! {
    /// Kind of the box around a body. It changes the speed of a scene, never its results.
    pub enum Enclosure {
        /// The box around the mesh's own box at its pose: O(1) a move. Where two such boxes meet, the
        /// oriented boxes inside them are tested as well.
        #[default]
        Rotated = "rotated",
        /// A cube around a bounding sphere of the mesh (Hu et al. 2016, section 2): O(1) a move, looser, but
        /// its size never changes.
        Cubic = "cubic",
        /// The smallest box, exactly: O(vertices) a move. For bodies that rarely move.
        Exact = "exact",
    }
}

impl Enclosure {
    pub(super) fn of(self, slot: &Slot) -> WorldBounds {
        let Some(model) = slot.model.as_ref().filter(|model| !model.mesh().is_empty()) else {
            return WorldBounds::default();
        };
        let moved = slot.before.map_or(0.0, |before| moved(model, &before, &slot.pose));
        match self {
            Self::Rotated => WorldBounds {
                aabb: rotated(model, &slot.pose),
                oriented: Some(PlacedObb::new(model, &slot.pose)),
                moved,
                ..WorldBounds::default()
            },
            Self::Cubic => {
                let ball = slot.ball.unwrap_or_else(|| Ball::new(model));
                WorldBounds {
                    aabb: cubic(&ball, &slot.pose),
                    ball: Some(ball),
                    moved,
                    ..WorldBounds::default()
                }
            }
            Self::Exact => {
                let exact = WorldBox::new(model.mesh(), &slot.pose).map(Box::new);
                let aabb = exact.as_ref().map_or(Aabb::EMPTY, |b| known(b.lower(), b.upper()));
                WorldBounds { aabb, exact, moved, ..WorldBounds::default() }
            }
        }
    }
}

/// True if two bodies whose boxes meet may be within a margin by their exact or oriented boxes, too.
pub(super) fn meet(a: &Slot, b: &Slot, margin: f64) -> bool {
    // Exact boxes decide only a margin of 0.
    (margin > 0.0 || a.exact.as_ref().zip(b.exact.as_ref()).is_none_or(|(a, b)| a.meets(b)))
        && a.oriented.as_ref().zip(b.oriented.as_ref()).is_none_or(|(a, b)| !a.is_apart_from(b, margin))
}

/// An upper bound of the distance between a point of the mesh at pose `before` and the same point at pose
/// `now`.
///
/// The difference is dR v + dt, with v in c +- h: row by row it is at most |dR c + dt| + |dR| h. The bound is
/// the length of that vector.
fn moved(model: &Model, before: &Pose, now: &Pose) -> f64 {
    let [lo, hi] = model.extent();
    let row = |k: usize| {
        let (mut middle, mut half, mut size) = (now.translation()[k] - before.translation()[k], 0.0, 0.0);
        size += middle.abs();
        for j in 0..3 {
            let d = now.rows()[k][j] - before.rows()[k][j];
            let (c, h) = (lo[j] / 2.0 + hi[j] / 2.0, hi[j] / 2.0 - lo[j] / 2.0);
            middle += d * c;
            half += d.abs() * h;
            size += d.abs() * (c.abs() + h);
        }
        // A dozen roundings of values up to `size`.
        middle.abs() + half + 16.0 * UNIT * size
    };
    let [x, y, z] = [row(0), row(1), row(2)];
    // Squares of numbers below 1e-150 underflow.
    (x * x + y * y + z * z).sqrt() * (1.0 + 16.0 * UNIT) + 1e-150
}

/// The box of R v + t for v in a ball: |R (v - c)|_k <= |R_k| radius.
///
/// Error: five roundings for the centre, as in [`rotated`], and some more for half the side.
fn cubic(Ball { centre: c, radius }: &Ball, pose: &Pose) -> Aabb {
    let side = |k: usize| {
        let (row, t) = (&pose.rows()[k], pose.translation()[k]);
        let size = (row[0] * c[0]).abs() + (row[1] * c[1]).abs() + (row[2] * c[2]).abs() + t.abs();
        let centre = row[0] * c[0] + row[1] * c[1] + row[2] * c[2] + t;
        let length = (row[0] * row[0] + row[1] * row[1] + row[2] * row[2]).sqrt() + 1e-150;
        let half = length * radius * (1.0 + 16.0 * UNIT) + 8.0 * UNIT * size + f64::MIN_POSITIVE;
        [(centre - half).next_down(), (centre + half).next_up()]
    };
    let sides = [side(0), side(1), side(2)];
    known(sides.map(|s| s[0]), sides.map(|s| s[1]))
}
