//! [`PlacedShape`]: a shape at its pose in the world, with a box around it.
use super::{part::RobotPart, shape::RobotShape};
use crate::error::Error;
use impinge::{Body, Model, Rounded, pose::ApproximatePose};

/// A shape in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedShape {
    pub(super) pose: ApproximatePose,
    /// The radius with the padding.
    pub(super) radius: f64,
    /// Bound of the distance of its points from their true places.
    pub(super) error: f64,
    /// A box around it, at the computed pose and at the true one.
    lower: [f64; 3],
    upper: [f64; 3],
    /// A ball around it has its center in the middle of the box.
    ball: f64,
}

impl PlacedShape {
    /// The shape of a part whose link has a pose; `None` for one that rests.
    pub(super) fn new(
        part: &RobotPart,
        shape: &RobotShape,
        link: Option<&ApproximatePose>,
    ) -> Result<Self, Error> {
        let pose = match link {
            Some(link) => {
                link.times(shape.pose()).map_err(|e| Error::new(format!("{}: {e}", part.name())))?
            }
            None => *shape.pose(),
        };
        let (radius, padding) = (shape.radius(), part.padding());
        // A sum that is rounded is rounded up.
        let radius =
            if radius == 0.0 || padding == 0.0 { radius + padding } else { (radius + padding).next_up() };
        let error = pose.error(shape.reach());
        let [lo, hi] = shape.model().extent();
        let (rows, t) = (pose.pose().rows(), pose.pose().translation());
        let middle = [0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0);
        let half = [0, 1, 2].map(|k| hi[k] / 2.0 - lo[k] / 2.0);
        let (mut lower, mut upper) = ([0.0; 3], [0.0; 3]);
        for i in 0..3 {
            let dot = |v: [f64; 3]| rows[i][0] * v[0] + rows[i][1] * v[1] + rows[i][2] * v[2];
            let sizes = |v: [f64; 3]| (0..3).map(|k| rows[i][k].abs() * v[k].abs()).sum::<f64>();
            let center = dot(middle) + t[i];
            // Some twenty roundings, each less than a part of 2^-53 of these sizes.
            let size = sizes(half) + sizes(middle) + t[i].abs() + radius;
            let room = sizes(half) + radius + error + 32.0 * f64::EPSILON * size + f64::MIN_POSITIVE;
            (lower[i], upper[i]) = (center - room, center + room);
        }
        let ball = (half.iter().map(|x| x * x).sum::<f64>().sqrt() + radius + error) * (1.0 + 1e-6);
        Ok(Self { pose, radius, error, lower, upper, ball })
    }
    /// A lower bound of the distance of two boxes, and so of the shapes. 0 if a number overflows.
    #[inline]
    pub(super) fn box_distance(&self, o: &Self) -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            // NaN becomes 0.
            let gap = (self.lower[k] - o.upper[k]).max(o.lower[k] - self.upper[k]).max(0.0);
            sum += gap * gap;
        }
        sum.sqrt() * (1.0 - 1e-12)
    }
    /// Center and radius of a ball around it. A pose's rows may be longer than 1 by 1e-6.
    pub(super) fn ball(&self) -> ([f64; 3], f64) {
        let center = [0, 1, 2].map(|k| self.lower[k] / 2.0 + self.upper[k] / 2.0);
        let size = center.iter().map(|x| x.abs()).sum::<f64>();
        (center, self.ball + 64.0 * f64::EPSILON * size)
    }
    /// False if the boxes, and so the shapes, have no point in common.
    #[inline]
    pub(super) fn may_meet(&self, o: &Self) -> bool {
        (0..3).all(|k| !(self.lower[k] > o.upper[k] || o.lower[k] > self.upper[k]))
    }
    /// False if a point of another shape is certainly not in the box.
    pub(super) fn may_have(&self, o: &Self, point: [f64; 3]) -> bool {
        let (rows, t) = (o.pose.pose().rows(), o.pose.pose().translation());
        (0..3).all(|k| {
            let terms = [rows[k][0] * point[0], rows[k][1] * point[1], rows[k][2] * point[2], t[k]];
            let at: f64 = terms.iter().sum();
            let room = terms.iter().map(|x| x.abs()).sum::<f64>() * (8.0 * f64::EPSILON);
            !(self.lower[k] > at + room || at - room > self.upper[k])
        })
    }
    /// A model of the shape at the pose, with the radius.
    pub(super) fn rounded<'m>(&self, model: &'m Model) -> Rounded<'m> {
        let rounded = Body::new(model, *self.pose.pose()).rounded(self.radius);
        rounded.unwrap_or_else(|error| unreachable!("radius and padding were checked: {error}"))
    }
    pub(super) fn body<'m>(&self, model: &'m Model) -> Body<'m> {
        Body::new(model, *self.pose.pose())
    }
}
