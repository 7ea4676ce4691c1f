//! Edges of planners: whether a robot is free of collisions on the whole way between two configurations.
//!
//! All joints move evenly: joint k is at q0 + t (q1 - q0) at time t, from 0 to 1. Of two shapes only the
//! joints between them count, so the one rests, and the other moves along [`Path::joints`] in the frame of
//! the first. [`Query::sweep`](impinge::Query::sweep) decides each pair for all times, over the real numbers,
//! the errors of all origins included.
//!
//! # Pairs that need no sweep
//! Let two shapes have a distance d in the middle. In the frame of the last link before
//! both, no point of a shape is moved from its place in the middle by more than half the sum of |dk| rk over
//! the joints behind that link: dk is the change of joint k, and rk the greatest distance of the shape from
//! its axis (`path/chain.rs` of the core). If half of both sums is less than d less the margin, the pair is
//! clear.
use super::{Robot, placed::PlacedShape, query::RobotQuery};
use crate::{
    error::Error,
    kinematics::{ChainJoint, JointMotion, JointPosition},
    rigid::{cross, dot},
};
use impinge::{
    Body, Pose,
    distance::Margin,
    path::{Path, PathJoint, PathMotion},
    pose::ApproximatePose,
    sweep::{Moving, Sweep, SweepOptions, Undecided},
};

/// What is proved about the way between two configurations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RobotSweep {
    /// No pair of parts is in collision at any time.
    Clear,
    /// A pair is in collision, and none is before `free_until`. Both times are equal if one is so at first.
    Contact {
        /// No time before this has a collision.
        free_until: f64,
        /// A time at which the parts are in collision.
        meets_at: f64,
        /// The parts.
        parts: [usize; 2],
    },
    /// Between two times a pair comes so near that neither is proved.
    Near {
        /// No time before this has a collision.
        free_until: f64,
        /// The end of the time that is undecided for these parts.
        until: f64,
        /// The parts.
        parts: [usize; 2],
        /// A later time at which there is a collision, if one was found.
        meets_at: Option<f64>,
        /// Why it is undecided.
        why: Undecided,
    },
}

impl RobotSweep {
    /// The time before which there certainly is no collision; 1 if there is none at all.
    pub fn free_until(&self) -> f64 {
        match self {
            Self::Clear => 1.0,
            Self::Contact { free_until, .. } | Self::Near { free_until, .. } => *free_until,
        }
    }
    /// A time at which there is a collision, if one was found.
    pub fn meets_at(&self) -> Option<f64> {
        match self {
            Self::Clear => None,
            Self::Contact { meets_at, .. } => Some(*meets_at),
            Self::Near { meets_at, .. } => *meets_at,
        }
    }
    /// The parts that meet, or come near; `None` if all is clear.
    pub fn parts(&self) -> Option<[usize; 2]> {
        match self {
            Self::Clear => None,
            Self::Contact { parts, .. } | Self::Near { parts, .. } => Some(*parts),
        }
    }
    fn of(sweep: Sweep, parts: [usize; 2]) -> Self {
        match sweep {
            Sweep::Clear => Self::Clear,
            Sweep::Contact { free_until, meets_at, .. } => Self::Contact { free_until, meets_at, parts },
            Sweep::Near { free_until, until, meets_at, why, .. } => {
                Self::Near { free_until, until, parts, meets_at, why }
            }
        }
    }
}

impl RobotQuery {
    /// The first collision while all joints move evenly from `q0` to `q1`, proved for all times.
    ///
    /// It is decided for the true poses: [`RobotSweep::Clear`] holds over the real numbers. A contact is one
    /// of the computed poses, and cylinders count as the meshes around them. The options are those of
    /// [`Query::sweep`](impinge::Query::sweep); with [`SweepOptions::verdict_only`] the search ends at any
    /// contact, which is enough for planners.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Pose, sweep::SweepOptions};
    /// use impinge_robot::{Error, Robot, RobotQuery, RobotSweep, Urdf};
    /// use std::sync::Arc;
    /// let urdf = Urdf::parse(r#"<robot name="arm">
    ///   <link name="base"/>
    ///   <link name="hand"><collision><origin xyz="1 0 0"/>
    ///      <geometry><sphere radius="0.1"/></geometry></collision></link>
    ///   <joint name="shoulder" type="continuous"><parent link="base"/><child link="hand"/>
    ///      <axis xyz="0 0 1"/></joint>
    /// </robot>"#)?;
    /// let mut robot = Robot::new(&urdf, None, &mut |_| -> Result<_, Error> { unreachable!("no mesh") })?;
    /// // A thin plate across the way, which no end of the edge is near.
    /// let plate = Arc::new(Model::new(Mesh::cuboid([1e-6, 2., 2.]).unwrap()));
    /// let plate = robot.add_obstacle("plate", plate, Pose::IDENTITY, 0.)?;
    /// let sweep = RobotQuery::new().sweep(&robot, &[0.], &[3.], &SweepOptions::new())?;
    /// // cos(3 t) = 0.1 + 5e-7.
    /// let RobotSweep::Contact { free_until, meets_at, parts } = sweep else { panic!("{sweep:?}") };
    /// assert!(parts == [1, plate] && free_until <= 0.49021 && 0.490209 <= meets_at);
    /// # Ok::<(), impinge_robot::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of both configurations; more than 64 joints that move between two parts; a change of more than
    /// 2^20 radians.
    pub fn sweep(
        &mut self,
        robot: &Robot,
        q0: &[f64],
        q1: &[f64],
        options: &SweepOptions,
    ) -> Result<RobotSweep, Error> {
        robot.kinematics.positions_into(q0, &mut self.edge.ends[0])?;
        robot.kinematics.positions_into(q1, &mut self.edge.ends[1])?;
        let [after, end] = options.times();
        // What is inside of a solid stays there until surfaces meet.
        self.place_between(robot, q0, q1, after)?;
        if let Some(pair) = self.first(robot, Margin::ZERO) {
            let parts = robot.parts_of(pair);
            return Ok(RobotSweep::Contact { free_until: after, meets_at: after, parts });
        }
        self.place_between(robot, q0, q1, 0.5)?;
        let mut first = RobotSweep::Clear;
        let mut until = end;
        let margin = options.margin_up();
        self.list_obstacles(robot, |query, shape| query.reach(robot, shape, margin));
        for at in 0..robot.pairs.len() + self.obstacles.len() {
            let pair = self.pair(robot, at);
            if self.is_clear(robot, pair, margin) {
                continue;
            }
            let options = options.until(until).map_err(|e| Error::new(e.to_string()))?;
            let parts = robot.parts_of(pair);
            let refused = |e: impinge::Error| {
                let [a, b] = parts.map(|part| robot.parts[part].name());
                Error::new(format!("the way of '{b}' past '{a}': {e}"))
            };
            let sweep = self.sweep_pair(robot, pair, &options).map_err(refused)?;
            if sweep == Sweep::Clear {
                continue;
            }
            let met = [sweep.meets_at(), first.meets_at()].into_iter().flatten().reduce(f64::min);
            until = met.unwrap_or(until).min(until);
            if first == RobotSweep::Clear || sweep.free_until() < first.free_until() {
                first = RobotSweep::of(sweep, parts);
            }
            // What is undecided first may be followed by a contact of others.
            if let RobotSweep::Near { meets_at, .. } = &mut first {
                *meets_at = met;
            }
            if until <= after || (options.is_verdict_only() && met.is_some()) {
                break;
            }
        }
        Ok(first)
    }

    /// [`RobotQuery::sweep`] for many edges, on the threads of the query. `starts` and `ends` have one
    /// configuration after the other. The edges of a trajectory q have all but its last and all but its first
    /// configuration.
    ///
    /// # Errors
    /// Those of the first edge that has one; lists that are no configurations, or of different lengths.
    pub fn sweep_each(
        &mut self,
        robot: &Robot,
        starts: &[f64],
        ends: &[f64],
        options: &SweepOptions,
    ) -> Result<Vec<RobotSweep>, Error> {
        let count = robot.kinematics.dofs().len();
        if count == 0 || starts.len() != ends.len() || !starts.len().is_multiple_of(count) {
            let (starts, ends) = (starts.len(), ends.len());
            let what =
                format!("{starts} and {ends} positions are no two lists of configurations of {count} each");
            return Err(Error::new(what));
        }
        self.many(starts.len() / count, |query, k| {
            let of = k * count..(k + 1) * count;
            query.sweep(robot, &starts[of.clone()], &ends[of], options)
        })
    }

    /// Places all shapes at a time of an edge.
    fn place_between(&mut self, robot: &Robot, q0: &[f64], q1: &[f64], t: f64) -> Result<(), Error> {
        let mut q = std::mem::take(&mut self.edge.q);
        q.clear();
        // At 0 the start itself. Sums of weighted positions do not overflow.
        q.extend(q0.iter().zip(q1).map(|(a, b)| if t == 0.0 { *a } else { (1.0 - t) * a + t * b }));
        let placed = self.place(robot, &q);
        self.edge.q = q;
        placed
    }

    /// True if the shapes in the middle are farther apart than both move: see the head of the file.
    fn is_clear(&mut self, robot: &Robot, pair: [u32; 2], margin: f64) -> bool {
        let [a, b] = pair.map(|k| self.placed(robot, k).error);
        let room = (0.5 * self.ways(robot, pair) + margin + robot.margin_of(pair) + a + b) * (1.0 + 1e-9);
        // An infinite room is no margin.
        Margin::new(room).is_ok_and(|room| !self.are_near(robot, pair, room))
    }
    /// The distance from a shape in the middle, beyond which what rests is clear.
    fn reach(&self, robot: &Robot, shape: u32, margin: f64) -> f64 {
        let placed = self.placed(robot, shape);
        let root = robot.kinematics.root();
        let link = robot.shape(shape as usize).0.link().unwrap_or(root);
        let way = self.way(robot, link, root, placed);
        (0.5 * way + margin + robot.most_margin() + placed.error + robot.resting().error()) * (1.0 + 1e-9)
    }
    /// Bound of the sum of the ways of both shapes' points, in the frame of the last link before both, from
    /// the middle, where all is placed.
    pub(super) fn ways(&self, robot: &Robot, pair: [u32; 2]) -> f64 {
        let (links, top) = robot.links_of(pair);
        let way = |k: usize| self.way(robot, links[k], top, self.placed(robot, pair[k]));
        way(0) + way(1)
    }
    /// Bound of the way of a shape's points in the frame of a link before it.
    fn way(&self, robot: &Robot, link: usize, top: usize, shape: &PlacedShape) -> f64 {
        let (center, radius) = shape.ball();
        let mut way = 0.0;
        for joint in robot.kinematics.joints_up(link, top) {
            let [from, to] = self.ends_of(&joint);
            let change = ((to.value - from.value).abs() + from.error + to.error) * (1.0 + 1e-9);
            match joint.motion {
                JointMotion::None => {}
                JointMotion::Translation => way += change,
                JointMotion::Rotation => {
                    let pose = self.poses[joint.child].pose();
                    // The error of the pose is far less than a part of 1e-6.
                    let axis = pose.rows().map(|row| dot(row, joint.axis));
                    let arm = [0, 1, 2].map(|k| center[k] - pose.translation()[k]);
                    let [x, y, z] = cross(axis, arm);
                    let across = (dot([x, y, z], [x, y, z]) / dot(axis, axis)).sqrt();
                    let far = dot(arm, arm).sqrt() + radius;
                    way += change * (across + radius + 0.5 * way + 1e-6 * far);
                }
            }
        }
        // NaN, if lengths over- or underflow, is not less than a distance.
        way * (1.0 + 1e-9)
    }
    fn ends_of(&self, joint: &ChainJoint<'_>) -> [JointPosition; 2] {
        [0, 1].map(|k| self.edge.ends[k][joint.joint])
    }

    fn sweep_pair(
        &mut self,
        robot: &Robot,
        pair: [u32; 2],
        options: &SweepOptions,
    ) -> Result<Sweep, impinge::Error> {
        // The first one rests: an obstacle, if there is one.
        let is_obstacle = |k: u32| robot.shape(k as usize).0.link().is_none();
        let [a, b] = if is_obstacle(pair[1]) { [pair[1], pair[0]] } else { pair };
        let ([link_a, link_b], top) = robot.links_of([a, b]);
        let [(_, shape_a), (_, shape_b)] = [a, b].map(|k| robot.shape(k as usize));
        // An exact pose stays. Another one's inverse begins the chain.
        let is_exact = shape_a.pose().turn_error() == 0.0 && shape_a.pose().shift_error() == 0.0;
        let (rests_at, fixed) = if is_exact {
            (*shape_a.pose().pose(), ApproximatePose::IDENTITY)
        } else {
            (Pose::IDENTITY, shape_a.pose().inverse()?)
        };
        let mut joints = std::mem::take(&mut self.edge.joints);
        joints.clear();
        let path = self.path(robot, [link_a, link_b, top], &mut joints, fixed, shape_b.pose());
        self.edge.joints = joints;
        let path = path?;
        let [placed_a, placed_b] = [a, b].map(|k| *self.placed(robot, k));
        let resting = Body::new(shape_a.model(), rests_at).rounded(placed_a.radius)?;
        let moving = Moving::new(shape_b.model(), &path).rounded(placed_b.radius)?;
        let own = robot.margin_of(pair);
        if own == 0.0 {
            return Ok(self.query.sweep(resting, moving, options));
        }
        let margin = Margin::sum([options.margin_up(), own, 0.0])?;
        Ok(self.query.sweep(resting, moving, &options.margin(margin)))
    }
    /// The path of a shape at a pose in the frame of `to`, in the frame of the link `from`, where a fixed
    /// pose comes first: up to the last link before both, and down.
    fn path(
        &self,
        robot: &Robot,
        [from, to, top]: [usize; 3],
        joints: &mut Vec<PathJoint>,
        mut fixed: ApproximatePose,
        last: &ApproximatePose,
    ) -> Result<Path, impinge::Error> {
        for joint in robot.kinematics.joints_up(from, top) {
            self.push(joints, &mut fixed, &joint, -1.0)?;
            fixed = fixed.times(&joint.origin.inverse()?)?;
        }
        let down: Vec<_> = robot.kinematics.joints_up(to, top).collect();
        for joint in down.iter().rev() {
            fixed = fixed.times(joint.origin)?;
            self.push(joints, &mut fixed, joint, 1.0)?;
        }
        Path::joints(joints, fixed.times(last)?)
    }
    /// Adds a joint's motion to a chain, with a sign; `fixed` is the pose after the last one that moves.
    fn push(
        &self,
        joints: &mut Vec<PathJoint>,
        fixed: &mut ApproximatePose,
        joint: &ChainJoint<'_>,
        sign: f64,
    ) -> Result<(), impinge::Error> {
        let [from, to] = self.ends_of(joint);
        let motion = match joint.motion {
            JointMotion::None => return Ok(()),
            JointMotion::Rotation => PathMotion::Rotation,
            JointMotion::Translation => PathMotion::Translation,
        };
        let by = to.value - from.value;
        if by == 0.0 {
            let error = from.error.max(to.error);
            let still = match motion {
                PathMotion::Rotation => ApproximatePose::rotation(joint.axis, sign * from.value, error)?,
                PathMotion::Translation => {
                    ApproximatePose::translation(joint.axis, sign * from.value, error)?
                }
            };
            // Ends with errors may differ a little.
            if error == 0.0 {
                *fixed = fixed.times(&still)?;
                return Ok(());
            }
        }
        // The difference rounds once.
        let error = (from.error + to.error + by.abs() * f64::EPSILON) * (1.0 + 1e-9);
        let before = std::mem::replace(fixed, ApproximatePose::IDENTITY);
        joints.push(PathJoint {
            before,
            motion,
            axis: joint.axis,
            from: sign * from.value,
            by: sign * by,
            error,
        });
        Ok(())
    }
}
