//! [`PlacedShape`]: a shape at its pose in the world, with a box around it.
use super::{part::RobotPart, shape::RobotShape};
use crate::error::Error;
use impinge::{Body, Model, Rounded, pose::ApproximatePose};
use std::array;

/// A shape in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedShape {
    pub(super) pose: ApproximatePose,
    /// The radius with the padding.
    pub(super) radius: f64,
    /// Bound of the distance of its points from their true places.
    pub(super) error: f64,
    /// A box around it, at the computed pose and at the true one.
    bounds: ShapeBox,
    /// A ball around it has its center in the middle of the box.
    ball: f64,
}

/// A box with sides along the axes. No corner is NaN.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapeBox {
    lower: [f64; 3],
    upper: [f64; 3],
}

impl ShapeBox {
    /// A lower bound of the distance of two boxes, and so of the shapes in them.
    #[inline]
    pub(super) fn distance(&self, o: &Self) -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            // The difference of two infinite ends is NaN, which becomes 0.
            let gap = (self.lower[k] - o.upper[k]).max(o.lower[k] - self.upper[k]).max(0.0);
            sum += gap * gap;
        }
        sum.sqrt() * (1.0 - 1e-12)
    }
    /// False if the boxes, and so the shapes in them, have no point in common.
    #[inline]
    pub(super) fn may_meet(&self, o: &Self) -> bool {
        (0..3).all(|k| self.lower[k] <= o.upper[k] && o.lower[k] <= self.upper[k])
    }
    /// The box around both.
    pub(super) fn with(&self, o: &Self) -> Self {
        Self {
            lower: array::from_fn(|k| self.lower[k].min(o.lower[k])),
            upper: array::from_fn(|k| self.upper[k].max(o.upper[k])),
        }
    }
    /// Its middle, rounded.
    pub(super) fn middle(&self) -> [f64; 3] {
        array::from_fn(|k| self.lower[k] / 2.0 + self.upper[k] / 2.0)
    }
}

impl PlacedShape {
    /// The shape of a part whose link has a pose.
    pub(super) fn on_link(
        part: &RobotPart,
        shape: &RobotShape,
        link: &ApproximatePose,
    ) -> Result<Self, Error> {
        let pose = link.times(shape.pose()).map_err(|e| Error::new(format!("{}: {e}", part.name())))?;
        Ok(Self::at(pose, part, shape))
    }
    /// The shape of a part at a pose in the world.
    pub(super) fn at(pose: ApproximatePose, part: &RobotPart, shape: &RobotShape) -> Self {
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
            // NaN becomes infinite.
            (lower[i], upper[i]) =
                ((center - room).max(f64::NEG_INFINITY), (center + room).min(f64::INFINITY));
        }
        let ball = (half.iter().map(|x| x * x).sum::<f64>().sqrt() + radius + error) * (1.0 + 1e-6);
        Self { pose, radius, error, bounds: ShapeBox { lower, upper }, ball }
    }
    /// A box around it.
    pub(super) fn bounds(&self) -> &ShapeBox {
        &self.bounds
    }
    /// Center and radius of a ball around it. A pose's rows may be longer than 1 by 1e-6.
    pub(super) fn ball(&self) -> ([f64; 3], f64) {
        let center = self.bounds.middle();
        let size = center.iter().map(|x| x.abs()).sum::<f64>();
        (center, self.ball + 64.0 * f64::EPSILON * size)
    }
    /// False if a point of another shape is certainly not in the box of this one's mesh, which turns with it.
    ///
    /// For this pose x = R v + t, the point of the box is v with R^T R v = R^T (x - t). R^T R is the identity
    /// but for 3e-6 (spectral norm), which leaves room for all roundings, too: they are a part of 1e-14 of the
    /// sizes that are added here.
    pub(super) fn may_have(&self, mesh: &Model, o: &Self, point: [f64; 3]) -> bool {
        let (of_o, of_self) = (o.pose.pose(), self.pose.pose());
        let mut sizes = 0.0;
        let x = [0, 1, 2].map(|k| {
            let row = of_o.rows()[k];
            let terms = [
                row[0] * point[0],
                row[1] * point[1],
                row[2] * point[2],
                of_o.translation()[k],
                -of_self.translation()[k],
            ];
            sizes += terms.iter().map(|term| term.abs()).sum::<f64>();
            terms.iter().sum::<f64>()
        });
        let rows = of_self.rows();
        let room = 1e-5 * (x[0].abs() + x[1].abs() + x[2].abs()) + 1e-12 * sizes;
        let [lower, upper] = mesh.extent();
        (0..3).all(|k| {
            let v = rows[0][k] * x[0] + rows[1][k] * x[1] + rows[2][k] * x[2];
            // True for NaN.
            !(lower[k] > v + room || v - room > upper[k])
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
