//! [`RobotQuery`]: collisions and distances of a robot in a configuration.
use super::{
    Robot,
    placed::PlacedShape,
    shape::{CylinderMesh, RobotShape},
};
use crate::{error::Error, kinematics::JointPosition};
use impinge::{
    Query, Threads, certainty::Certainty, distance::Margin, path::PathJoint, pose::ApproximatePose,
    solid::Location,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The memory of queries about robots. Keep it: warm queries do not allocate, except for relations of solids
/// of which one may be inside the other.
///
/// Each query takes a robot and a configuration: the positions of its degrees of freedom, in the order of
/// [`Kinematics::dofs`](crate::Kinematics::dofs). Its errors are those of
/// [`Kinematics::poses`](crate::Kinematics::poses).
#[derive(Debug, Default)]
pub struct RobotQuery {
    pub(super) query: Query,
    threads: Threads,
    stop: Option<Arc<AtomicBool>>,
    pub(super) positions: Vec<JointPosition>,
    pub(super) poses: Vec<ApproximatePose>,
    pub(super) edge: EdgeMemory,
    /// The shapes that move.
    pub(super) placed: Vec<PlacedShape>,
    /// Pairs of a shape that moves and one that rests, which may be near.
    pub(super) obstacles: Vec<[u32; 2]>,
    found: Vec<[usize; 2]>,
    /// Pairs of shapes, and the distances of their boxes.
    pub(super) near: Vec<(f64, [u32; 2])>,
}

/// Memory of sweeps.
#[derive(Debug, Default)]
pub(super) struct EdgeMemory {
    /// Positions of the joints at both ends.
    pub(super) ends: [Vec<JointPosition>; 2],
    /// A configuration on the way.
    pub(super) q: Vec<f64>,
    pub(super) joints: Vec<PathJoint>,
}

/// A shape, and where it is.
pub(super) type Placed<'r> = (&'r RobotShape, PlacedShape);

impl RobotQuery {
    /// A query without memory yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the threads of batches. Without the feature `rayon` they run on the calling thread.
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Runs queries until a flag is set, which other threads may do: as
    /// [`Query::with_stop`](impinge::Query::with_stop). Their results do not count then.
    ///
    /// # Errors
    /// The flag is set.
    pub fn with_stop<T>(
        &mut self,
        flag: &Arc<AtomicBool>,
        queries: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, impinge::Error> {
        // The query has the flag while it is in its place.
        let mut query = std::mem::take(&mut self.query);
        let before = self.stop.replace(Arc::clone(flag));
        let done = query.with_stop(flag, |query| {
            std::mem::swap(query, &mut self.query);
            let done = queries(self);
            std::mem::swap(query, &mut self.query);
            done
        });
        (self.query, self.stop) = (query, before);
        done
    }
    /// True if the flag of [`RobotQuery::with_stop`] is set.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// True if a pair of parts is in collision, or within its own margin ([`Robot::set_margin`]). Cylinders
    /// count as the meshes around them.
    ///
    /// # Errors
    /// Those of the configuration.
    pub fn in_collision(&mut self, robot: &Robot, q: &[f64]) -> Result<bool, Error> {
        self.place(robot, q)?;
        Ok(self.first(robot, Margin::ZERO).is_some())
    }
    /// True if a pair of parts is in collision, or no farther apart than the margin.
    ///
    /// # Errors
    /// Those of the configuration.
    pub fn within(&mut self, robot: &Robot, q: &[f64], margin: Margin) -> Result<bool, Error> {
        self.place(robot, q)?;
        Ok(self.first(robot, margin).is_some())
    }
    /// All pairs of parts in collision, sorted.
    ///
    /// # Errors
    /// Those of the configuration.
    pub fn colliding_pairs(&mut self, robot: &Robot, q: &[f64]) -> Result<&[[usize; 2]], Error> {
        self.near_pairs(robot, q, Margin::ZERO)
    }
    /// All pairs of parts that are in collision, or no farther apart than the margin, sorted.
    ///
    /// # Errors
    /// Those of the configuration.
    pub fn near_pairs(&mut self, robot: &Robot, q: &[f64], margin: Margin) -> Result<&[[usize; 2]], Error> {
        self.place(robot, q)?;
        self.list_obstacles_within(robot, margin);
        self.found.clear();
        for at in 0..robot.pairs.len() + self.obstacles.len() {
            let pair = self.pair(robot, at);
            let parts = robot.parts_of(pair);
            if self.found.last() != Some(&parts) && self.is_hit(robot, pair, margin) {
                self.found.push(parts);
            }
        }
        self.found.sort_unstable();
        self.found.dedup();
        Ok(&self.found)
    }
    /// Whether the robot is in collision at the true poses, with the true cylinders: certainly, certainly
    /// not, or possibly.
    ///
    /// It is clear if all shapes are farther apart than their errors, and none is inside another. It is
    /// definite if two shapes with radii are within these less the errors; if one is inside another and
    /// farther from its surface than the errors; or if [`Query::certainty`] proves that two solids overlap,
    /// with the errors as tolerances. Surfaces that only cross are possible, as are contacts.
    ///
    /// # Errors
    /// Those of the configuration.
    pub fn certainty(&mut self, robot: &Robot, q: &[f64]) -> Result<Certainty, Error> {
        self.place(robot, q)?;
        let mut most = Certainty::Clear;
        self.list_obstacles(robot, |_, _| 0.0);
        for at in 0..robot.pairs.len() + self.obstacles.len() {
            most = most.max(self.certainty_of(robot, self.pair(robot, at)));
            if most == Certainty::Definite {
                break;
            }
        }
        Ok(most)
    }

    /// [`RobotQuery::in_collision`] for many configurations, one after the other in `q`, on the threads of
    /// the query.
    ///
    /// # Errors
    /// Those of the first configuration that has one; positions that are not a multiple of the degrees of
    /// freedom.
    pub fn in_collision_each(&mut self, robot: &Robot, q: &[f64]) -> Result<Vec<bool>, Error> {
        self.each(robot, q, |query, q| query.in_collision(robot, q))
    }
    /// [`RobotQuery::certainty`] for many configurations.
    ///
    /// # Errors
    /// As [`RobotQuery::in_collision_each`].
    pub fn certainty_each(&mut self, robot: &Robot, q: &[f64]) -> Result<Vec<Certainty>, Error> {
        self.each(robot, q, |query, q| query.certainty(robot, q))
    }
    pub(super) fn each<T: Send>(
        &mut self,
        robot: &Robot,
        q: &[f64],
        one: impl Fn(&mut Self, &[f64]) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let count = robot.kinematics().dofs().len();
        if count == 0 || !q.len().is_multiple_of(count) {
            let what = format!("{} positions are no list of configurations of {count} each", q.len());
            return Err(Error::new(what));
        }
        self.many(q.len() / count, |query, k| one(query, &q[k * count..(k + 1) * count]))
    }
    /// The results for the numbers below `count`; the error is the first one's.
    pub(super) fn many<T: Send>(
        &mut self,
        count: usize,
        one: impl Fn(&mut Self, usize) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        match self.threads {
            #[cfg(feature = "rayon")]
            Threads::Pool => {
                use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
                let stop = self.stop.clone();
                let run = |query: &mut Self, k| match &stop {
                    None => one(query, k),
                    Some(flag) => query
                        .with_stop(flag, |query| one(query, k))
                        .unwrap_or_else(|stopped| Err(Error::new(stopped.to_string()))),
                };
                let results: Vec<_> = (0..count).into_par_iter().map_init(Self::new, run).collect();
                results.into_iter().collect()
            }
            _ => (0..count).map(|k| one(self, k)).collect(),
        }
    }

    /// Computes the poses and boxes of the shapes that move.
    pub(super) fn place(&mut self, robot: &Robot, q: &[f64]) -> Result<(), Error> {
        robot.kinematics.poses_into(q, &mut self.positions, &mut self.poses)?;
        self.placed.clear();
        for index in 0..robot.moving {
            let (part, shape) = robot.shape(index);
            let link = part.link().unwrap_or(robot.kinematics.root());
            self.placed.push(PlacedShape::on_link(part, shape, &self.poses[link])?);
        }
        Ok(())
    }
    /// A shape as it is placed.
    pub(super) fn placed<'q>(&'q self, robot: &'q Robot, shape: u32) -> &'q PlacedShape {
        let index = shape as usize;
        self.placed.get(index).unwrap_or_else(|| &robot.resting().placed()[index - robot.moving])
    }
    /// Lists the pairs of a shape that moves and one that rests whose boxes are not farther apart than the
    /// reach of the first, less those that are allowed.
    pub(super) fn list_obstacles(&mut self, robot: &Robot, reach: impl Fn(&Self, u32) -> f64) {
        let mut obstacles = std::mem::take(&mut self.obstacles);
        obstacles.clear();
        for (shape, placed) in (0..).zip(&self.placed) {
            robot.resting().for_each_within(placed.bounds(), reach(self, shape), |rests| {
                obstacles.push([shape, robot.moving as u32 + rests]);
            });
        }
        obstacles.retain(|&pair| robot.allowed.get(robot.parts_of(pair)).is_none());
        obstacles.sort_unstable();
        self.obstacles = obstacles;
    }
    /// A pair of shapes that move, and behind these one of `obstacles`.
    pub(super) fn pair(&self, robot: &Robot, at: usize) -> [u32; 2] {
        robot.pairs.get(at).copied().unwrap_or_else(|| self.obstacles[at - robot.pairs.len()])
    }
    pub(super) fn shapes<'r>(&self, robot: &'r Robot, pair: [u32; 2]) -> [Placed<'r>; 2] {
        pair.map(|k| (robot.shape(k as usize).1, *self.placed(robot, k)))
    }
    pub(super) fn first(&mut self, robot: &Robot, margin: Margin) -> Option<[u32; 2]> {
        let first = robot.pairs.iter().copied().find(|&pair| self.is_hit(robot, pair, margin));
        if first.is_some() {
            return first;
        }
        self.list_obstacles_within(robot, margin);
        for at in 0..self.obstacles.len() {
            let pair = self.obstacles[at];
            if self.is_hit(robot, pair, margin) {
                return Some(pair);
            }
        }
        None
    }

    fn list_obstacles_within(&mut self, robot: &Robot, margin: Margin) {
        let reach = (margin.get() + robot.most_margin()).next_up();
        self.list_obstacles(robot, |_, _| reach);
    }
    /// [`Self::are_near`] with the pair's own margin, too.
    fn is_hit(&mut self, robot: &Robot, pair: [u32; 2], margin: Margin) -> bool {
        let own = robot.margin_of(pair);
        if own == 0.0 {
            return self.are_near(robot, pair, margin);
        }
        // A sum that is no number is more than all distances.
        let sum = Margin::sum([margin.get(), own, 0.0]).or_else(|_| Margin::new(f64::MAX));
        self.are_near(robot, pair, sum.unwrap_or(margin))
    }
    /// True if the shapes of a pair, as they are placed, are in collision or within the margin.
    pub(super) fn are_near(&mut self, robot: &Robot, pair: [u32; 2], margin: Margin) -> bool {
        let [a, b] = pair.map(|k| self.placed(robot, k).bounds());
        let is_zero = margin.get() == 0.0;
        let is_beside = if is_zero { !a.may_meet(b) } else { a.distance(b) > margin.get() };
        if is_beside {
            return false;
        }
        let [a, b] = self.shapes(robot, pair);
        let (first, second) = (a.1.rounded(a.0.model()), b.1.rounded(b.0.model()));
        let is_near = if is_zero {
            self.query.intersects(&first, &second)
        } else {
            self.query.within(&first, &second, margin)
        };
        is_near || self.is_one_inside(a, b, CylinderMesh::Outer)
    }
    /// True if one of two shapes, whose surfaces are apart, is inside the other or has a part inside.
    /// Cylinders are the meshes of `kind`.
    pub(super) fn is_one_inside(&mut self, a: Placed<'_>, b: Placed<'_>, kind: CylinderMesh) -> bool {
        let may_have = |outer: &Placed<'_>, inner: &Placed<'_>| {
            let mesh = outer.0.model();
            inner.0.samples().iter().any(|&point| outer.1.may_have(mesh, &inner.1, point))
                && outer.0.is_solid()
        };
        if !(may_have(&a, &b) || may_have(&b, &a)) {
            return false;
        }
        let bodies = [&a, &b].map(|(shape, placed)| placed.body(shape.mesh_of(kind)));
        // A relation takes triangles with an area. A point or segment is farther from the surface than its
        // radius, which is more than the rounding of its point.
        for (inner, outer) in [(&a, &bodies[1]), (&b, &bodies[0])] {
            if inner.0.is_axis() {
                let place = |&point| inner.1.pose.pose().place(point);
                let mut points = inner.0.samples().iter().map(place);
                return points.any(|point| self.query.locate(outer, &[point]) == [Location::Inside]);
            }
        }
        self.query.relation(&bodies[0], &bodies[1]).overlaps()
    }

    fn certainty_of(&mut self, robot: &Robot, pair: [u32; 2]) -> Certainty {
        let [a, b] = self.shapes(robot, pair);
        // Boxes have room for the errors.
        if !a.1.bounds().may_meet(b.1.bounds()) {
            return Certainty::Clear;
        }
        let errors = [a.1.error, b.1.error].map(Margin::new);
        let ([Ok(error_a), Ok(error_b)], Ok(both)) = (errors, Margin::sum([a.1.error, b.1.error, 0.0]))
        else {
            return Certainty::Possible;
        };
        if !self.are_near(robot, pair, both) {
            return Certainty::Clear;
        }
        let [first, second] = [&a, &b].map(|(shape, placed)| placed.body(shape.mesh_of(CylinderMesh::Inner)));
        // Rounded down: radii, sum and difference are off by less than four parts of 2^-53.
        let radii =
            (a.1.radius + b.1.radius) * (1.0 - 4.0 * f64::EPSILON) - both.get() * (1.0 + 4.0 * f64::EPSILON);
        if radii > 0.0 && Margin::new(radii).is_ok_and(|radii| self.query.within(&first, &second, radii)) {
            return Certainty::Definite;
        }
        let [of_a, of_b] = [&a, &b].map(|(shape, placed)| placed.rounded(shape.mesh_of(CylinderMesh::Inner)));
        if !self.query.within(&of_a, &of_b, both) {
            let is_inside = self.is_one_inside(a, b, CylinderMesh::Inner);
            return if is_inside { Certainty::Definite } else { Certainty::Possible };
        }
        match self.query.certainty(&first, &second, [error_a, error_b], Margin::ZERO) {
            Certainty::Definite => Certainty::Definite,
            _ => Certainty::Possible,
        }
    }
}
