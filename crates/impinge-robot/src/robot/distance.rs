//! [`RobotQuery::distance`]: the least distance of a robot's pairs.
use super::{Robot, query::RobotQuery, shape::CylinderMesh};
use crate::error::Error;
use impinge::distance::{Accuracy, DistanceBounds, Margin};

/// The least distance of the pairs of a robot that are checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RobotDistance {
    /// The parts that are so near.
    pub parts: [usize; 2],
    /// The distance of their triangles less their radii, as an interval; 0 to 0 if they are in collision. The
    /// triangles are those of one shape of each part, and the points are on its surface, radius included.
    pub bounds: DistanceBounds,
    /// Bound of what the errors of the poses change in the least distance.
    pub error: f64,
}

impl RobotDistance {
    /// The unit vector from the second part's nearest point to the first's; `None` if they are in collision.
    pub(super) fn normal(&self) -> Option<[f64; 3]> {
        let [a, b] = self.bounds.points;
        let [x, y, z] = [0, 1, 2].map(|k| a[k] - b[k]);
        let length = x.hypot(y).hypot(z);
        (self.bounds.lo > 0.0 && length > 0.0).then(|| [x / length, y / length, z / length])
    }
}

/// The least distance of the pairs that were measured.
#[derive(Default)]
struct Measured {
    least: Option<RobotDistance>,
    /// The largest sum of errors of two shapes.
    error: f64,
}

impl Measured {
    /// A distance that is no less than the least; infinity if none was measured.
    fn most(&self) -> f64 {
        self.least.map_or(f64::INFINITY, |least| least.bounds.hi)
    }
}

impl RobotQuery {
    /// The least distance of the pairs that are checked; `None` if there is none.
    ///
    /// # Errors
    /// Those of the configuration.
    pub fn distance(&mut self, robot: &Robot, q: &[f64]) -> Result<Option<RobotDistance>, Error> {
        self.place(robot, q)?;
        // The obstacles whose boxes are nearest come first: they bound how far others are searched.
        let boxes = self.placed.iter().map(|shape| robot.resting().least_box_distance(shape.bounds()));
        let nearest = boxes.fold(f64::INFINITY, f64::min);
        let mut measured = Measured::default();
        self.near.clear();
        self.push_near(robot, robot.pairs.iter().copied());
        self.list_obstacles(robot, |_, _| nearest);
        let obstacles = std::mem::take(&mut self.obstacles);
        self.push_near(robot, obstacles.iter().copied());
        self.obstacles = obstacles;
        self.measure_near(robot, &mut measured);
        let most = measured.most();
        if most > nearest {
            self.list_obstacles(robot, |_, _| most);
            let obstacles = std::mem::take(&mut self.obstacles);
            self.near.clear();
            self.push_near(robot, obstacles.iter().copied());
            self.obstacles = obstacles;
            self.near.retain(|(distance, _)| *distance > nearest);
            self.measure_near(robot, &mut measured);
        }
        // Pairs that were not measured are farther apart than the least by their boxes, which have room for
        // their errors.
        let Measured { least, error } = measured;
        Ok(least.map(|least| RobotDistance { error: error * (1.0 + 1e-12), ..least }))
    }
    /// [`RobotQuery::distance`] for many configurations.
    ///
    /// # Errors
    /// As [`RobotQuery::in_collision_each`].
    pub fn distance_each(&mut self, robot: &Robot, q: &[f64]) -> Result<Vec<Option<RobotDistance>>, Error> {
        self.each(robot, q, |query, q| query.distance(robot, q))
    }

    fn push_near(&mut self, robot: &Robot, pairs: impl Iterator<Item = [u32; 2]>) {
        for pair in pairs {
            let [a, b] = pair.map(|shape| self.placed(robot, shape).bounds());
            let distance = a.distance(b);
            self.near.push((distance, pair));
        }
    }
    /// Measures the pairs of `near` whose boxes are not farther apart than the least distance so far.
    fn measure_near(&mut self, robot: &Robot, measured: &mut Measured) {
        self.near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for at in 0..self.near.len() {
            let (lower, mut pair) = self.near[at];
            // The points are in the order of the parts.
            pair.sort_unstable_by_key(|shape| robot.shapes[*shape as usize]);
            let most = measured.most();
            if lower > most {
                break;
            }
            let [a, b] = self.shapes(robot, pair);
            measured.error = measured.error.max(a.1.error + b.1.error);
            let (first, second) = (a.1.rounded(a.0.model()), b.1.rounded(b.0.model()));
            // Infinity is no margin.
            let accuracy =
                Margin::new(most).map_or_else(|_| Accuracy::new(), |most| Accuracy::new().above(most));
            let mut bounds = self.query.with_accuracy(accuracy).distance(&first, &second);
            if lower == 0.0 && self.is_one_inside(a, b, CylinderMesh::Outer) {
                // The points of the surfaces stay.
                bounds = bounds.or_else(|| self.query.distance(&first, &second));
                if let Some(bounds) = &mut bounds {
                    (bounds.lo, bounds.hi) = (0.0, 0.0);
                }
            }
            if let Some(bounds) = bounds
                && bounds.hi < most
            {
                measured.least = Some(RobotDistance { parts: robot.parts_of(pair), bounds, error: 0.0 });
            }
        }
    }
}
