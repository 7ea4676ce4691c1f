//! [`Place`]: position and rotation of a part.
use super::shape::{ShapeMeasures, mixed};
use impinge::{Mesh, Pose};

/// Largest distance of two equal places of a part, as a fraction of its radius.
const SAME: f64 = 1e-3;
/// Largest difference of two equal turns, which are rounded more, as a fraction of the radius.
const SAME_TURN: f64 = 1e-2;

/// Place of a part: its centroid, and two vectors that turn with it. The numbers are rounded; places are
/// compared with a tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Centroid of the placed surface.
    pub centroid: [f64; 3],
    /// Two sums of the vectors from the centroid to the points, with fixed random weights that depend on the
    /// index of the point. Their length is about the part's radius. They can be compared between meshes with
    /// the same index lists, even if the shape has symmetries.
    pub turn: [[f64; 3]; 2],
}

impl Place {
    /// The place of a mesh in its own frame, not rounded.
    pub(super) fn of(mesh: &Mesh) -> Self {
        let points = mesh.points();
        let Some(&origin) = points.first() else { return Self { centroid: [0.0; 3], turn: [[0.0; 3]; 2] } };
        let count = points.len() as f64;
        let mean = |values: &mut dyn Iterator<Item = ([f64; 3], f64)>, total: f64| {
            let mut sum = [0.0; 3];
            values.for_each(|(v, weight)| add(&mut sum, sub(v, origin), weight));
            [0, 1, 2].map(|k| origin[k] + sum[k] / total)
        };
        let pieces = || {
            (0..mesh.len() as u32).map(|i| {
                let [a, b, c] = mesh.corners(i);
                let [x, y] = [sub(b, a), sub(c, a)];
                let cross =
                    [0, 1, 2].map(|k| x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3]);
                let middle = [0, 1, 2].map(|k| a[k] + ((b[k] - a[k]) + (c[k] - a[k])) / 3.0);
                (middle, square(cross).sqrt())
            })
        };
        let total: f64 = pieces().map(|(_, weight)| weight).sum();
        let centroid = if total > 0.0 {
            mean(&mut pieces(), total)
        } else {
            mean(&mut points.iter().map(|v| (*v, 1.0)), count)
        };
        let turn = [1, 2].map(|seed| {
            let mut sum = [0.0; 3];
            for (v, i) in points.iter().zip(0_u64..) {
                let weight = mixed(i ^ (seed << 60)) as i64 as f64 / i64::MAX as f64;
                add(&mut sum, sub(*v, centroid), weight);
            }
            // The mean square of such a weight is 1/3.
            sum.map(|x| x / (count / 3.0).sqrt())
        });
        Self { centroid, turn }
    }
    /// The place after a motion, rounded for a part of this radius.
    pub(super) fn placed(&self, pose: &Pose, radius: f64) -> Self {
        let fine = decimals(SAME * radius * 1e-2);
        let coarse = decimals(SAME_TURN * radius * 1e-1);
        let turned = |v: [f64; 3]| pose.rows().map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
        Self {
            centroid: pose.place(self.centroid).map(|x| at_decimals(x, fine)),
            turn: self.turn.map(|v| turned(v).map(|x| at_decimals(x, coarse))),
        }
    }
    /// Distance between the two centroids.
    pub fn distance(&self, other: &Self) -> f64 {
        square(sub(self.centroid, other.centroid)).sqrt()
    }
    /// Sum of the squared distances of the centroids and of the turns, for parts of one shape. The least sum
    /// over all pairs recovers a translation that parts have in common.
    pub(super) fn cost(&self, other: &Self) -> f64 {
        let turns = (0..2).map(|i| square(sub(self.turn[i], other.turn[i])));
        square(sub(self.centroid, other.centroid)) + turns.sum::<f64>()
    }
    /// True if both places of a part with this shape are the same, with the same turn.
    pub(super) fn is_same(&self, other: &Self, shape: &ShapeMeasures) -> bool {
        let turned =
            (0..2).any(|i| square(sub(self.turn[i], other.turn[i])).sqrt() > SAME_TURN * shape.radius());
        self.distance(other) <= self.tolerance(shape) && !turned
    }
    /// Largest distance at which a part of this shape is still at this place.
    pub(super) fn tolerance(&self, shape: &ShapeMeasures) -> f64 {
        let far = self.centroid.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        // The bound is positive for a single point, too.
        (SAME * shape.radius()).max(1e-9 * far).max(1e-100)
    }
}

fn add(sum: &mut [f64; 3], v: [f64; 3], weight: f64) {
    (0..3).for_each(|k| sum[k] += weight * v[k]);
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn square(a: [f64; 3]) -> f64 {
    a[0] * a[0] + a[1] * a[1] + a[2] * a[2]
}

/// Number of decimals that distinguish numbers with this difference; `None` if it is zero.
fn decimals(difference: f64) -> Option<i32> {
    (difference > 0.0 && difference.is_finite()).then(|| (-difference.log10()).ceil() as i32)
}

/// Rounds to this number of decimals, which may be negative. Larger numbers stay as they are.
fn at_decimals(x: f64, decimals: Option<i32>) -> f64 {
    let finite = if x.is_finite() { x } else { 0.0 };
    let Some(decimals) = decimals else { return finite + 0.0 };
    let power = (0..decimals.unsigned_abs().min(300)).fold(1.0_f64, |power, _| power * 10.0);
    let scaled = if decimals < 0 { finite / power } else { finite * power };
    // Above 2^52 every number is an integer.
    if scaled.abs() > 4.5e15 {
        return finite;
    }
    (if decimals < 0 { scaled.round() * power } else { scaled.round() / power }) + 0.0
}
