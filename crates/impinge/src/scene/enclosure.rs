//! Boxes of bodies in the world.
use super::{bodies::Slot, oriented::Oriented};
use crate::{Model, Pose, WorldBox, broad_phase::Aabb, choice::choice, motion::UNIT};

choice! {
    /// What a body's box in the world is made of.
    pub enum Enclosure {
        /// The box around that of the mesh in its own frame, turned, which is compared with others where these boxes meet: O(1) a move.
        #[default]
        Rotated = "rotated",
        /// A cube around a ball around the mesh: only its centre moves (Hu et al. 2016, section 2). O(1) a move; larger, but of one size.
        Cubic = "cubic",
        /// The least box, over the real numbers: O(vertices) a move. For what stands still.
        Exact = "exact",
    }
}

/// A body's box.
#[derive(Debug, Default)]
pub(super) struct Enclosed {
    pub(super) extent: Aabb,
    pub(super) exact: Option<Box<WorldBox>>,
    pub(super) oriented: Option<Oriented>,
    pub(super) ball: Option<Ball>,
    /// How far its points have moved since the last update, at most.
    pub(super) moved: f64,
}

/// A ball around a mesh, in its own frame: O(vertices) to make, so that it is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    centre: [f64; 3],
    radius: f64,
}

impl Ball {
    /// About the middle of the mesh's box. (Hu et al. take the mean of the corners, equation (1); either may be the better.)
    fn new(model: &Model) -> Self {
        let [lo, hi] = model.extent();
        let centre = [0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0);
        let mesh = model.mesh();
        let radius = mesh.triangles().as_flattened().iter().fold(0.0, |most: f64, &i| {
            let v = mesh.points()[i as usize];
            let d = [0, 1, 2].map(|k| v[k] - centre[k]);
            most.max((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt())
        });
        // Eight roundings; the square of what is very small underflows to 0.
        Self { centre, radius: radius * (1.0 + 16.0 * UNIT) + 1e-150 }
    }
}

impl Enclosure {
    pub(super) fn of(self, slot: &Slot) -> Enclosed {
        let Some(model) = slot.model.as_ref().filter(|model| !model.mesh().is_empty()) else {
            return Enclosed::default();
        };
        let moved = slot.before.map_or(0.0, |before| moved(model, &before, &slot.pose));
        match self {
            Self::Rotated => Enclosed {
                extent: rotated(model, &slot.pose),
                oriented: Some(Oriented::new(model, &slot.pose)),
                moved,
                ..Enclosed::default()
            },
            Self::Cubic => {
                let ball = slot.ball.unwrap_or_else(|| Ball::new(model));
                Enclosed { extent: cubic(&ball, &slot.pose), ball: Some(ball), moved, ..Enclosed::default() }
            }
            Self::Exact => {
                let exact = WorldBox::new(model.mesh(), &slot.pose).map(Box::new);
                let extent = exact.as_ref().map_or(Aabb::EMPTY, |b| known(b.lower(), b.upper()));
                Enclosed { extent, exact, moved, ..Enclosed::default() }
            }
        }
    }
}

/// Whether two bodies' boxes meet, as far as more is known than their extents.
pub(super) fn meet(a: &Slot, b: &Slot) -> bool {
    a.exact.as_ref().zip(b.exact.as_ref()).is_none_or(|(a, b)| a.meets(b))
        && a.oriented.as_ref().zip(b.oriented.as_ref()).is_none_or(|(a, b)| !a.is_apart_from(b))
}

/// NaN, which an overflow leaves behind, means that nothing is known.
fn known(lo: [f64; 3], hi: [f64; 3]) -> Aabb {
    Aabb { lo: lo.map(|x| x.max(f64::NEG_INFINITY)), hi: hi.map(|x| x.min(f64::INFINITY)) }
}

/// x = R v + t with v in [lo, hi]: row by row the least and the greatest of each product, in the sum five roundings of no more than |R| |v| + |t|, one of them for the bound's own.
fn rotated(model: &Model, pose: &Pose) -> Aabb {
    let [lo, hi] = model.extent();
    let side = |k: usize| {
        let (row, t) = (&pose.rows()[k], pose.translation()[k]);
        let (mut least, mut most, mut size) = (t, t, t.abs());
        for j in 0..3 {
            let (x, y) = (row[j] * lo[j], row[j] * hi[j]);
            least += x.min(y);
            most += x.max(y);
            size += x.abs().max(y.abs());
        }
        let error = 6.0 * UNIT * size + f64::MIN_POSITIVE;
        [least - error, most + error]
    };
    let sides = [side(0), side(1), side(2)];
    known(sides.map(|s| s[0]), sides.map(|s| s[1]))
}

/// How far the points of a mesh are from where they were, at most: of dR v + dt, with v = c +- h, each row at most |dR c + dt| + |dR| h, and the length of that.
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
        // A dozen roundings of what `size` sums.
        middle.abs() + half + 16.0 * UNIT * size
    };
    let [x, y, z] = [row(0), row(1), row(2)];
    // What is smaller than 1e-150 would be lost by squaring.
    (x * x + y * y + z * z).sqrt() * (1.0 + 16.0 * UNIT) + 1e-150
}

/// |R (v - c)|_k <= |R_k| radius; the centre with five roundings, as above, the half side with some more.
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
