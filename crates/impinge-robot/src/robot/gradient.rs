//! The gradient of a distance over the positions of the degrees of freedom.
//!
//! Let a and b be the nearest points of two parts, d > 0 their distance, n = (a - b) / d. If they are unique,
//! d is differentiable, and its derivative is that for points which the parts carry along: that nearest points
//! slide on the surfaces does not count, as d is least there (Danskin's theorem). Joint k turns what is
//! behind it about the unit axis w through o, or moves it along w, so that
//!
//! ```text
//! dd/dqk = n . (va - vb)      v = w x (p - o), or w, for the point p of a part behind the joint; else 0
//! ```
//!
//! Joints before both parts move them as one, and count 0. A joint that follows another adds to that one's
//! entry, with its multiplier.
use super::{Robot, distance::RobotDistance, query::RobotQuery};
use crate::{
    error::Error,
    kinematics::{JointDrive, JointMotion},
    rigid::{cross, dot},
};

impl RobotQuery {
    /// The gradient of a distance that [`RobotQuery::distance`] returned for this robot and configuration:
    /// its change per radian or metre of each degree of freedom, rounded. It points to where the two parts are
    /// farther apart.
    ///
    /// `None` if the parts are in collision, where the distance is 0 and no gradient is defined. Where
    /// several points or pairs are equally near, as of parallel faces, the least distance has a kink. The
    /// gradient is then that of the points of `distance`, one of several. Points are off by some 2^-47 of the
    /// coordinates' size, so below a distance of about this size the direction is noise.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Pose};
    /// use impinge_robot::{Error, Robot, RobotQuery, Urdf};
    /// use std::sync::Arc;
    /// let urdf = Urdf::parse(r#"<robot name="arm">
    ///   <link name="base"/>
    ///   <link name="hand"><collision><origin xyz="2 0 0"/>
    ///      <geometry><sphere radius="0.1"/></geometry></collision></link>
    ///   <joint name="shoulder" type="continuous"><parent link="base"/><child link="hand"/>
    ///      <axis xyz="0 0 1"/></joint>
    /// </robot>"#)?;
    /// let mut robot = Robot::new(&urdf, None, &mut |_| -> Result<_, Error> { unreachable!("no mesh") })?;
    /// let wall = Arc::new(Model::new(Mesh::cuboid([9., 2., 9.]).unwrap()));
    /// robot.add_obstacle("wall", wall, Pose::from_translation([0., 3., 0.]).unwrap(), 0.)?;
    /// let (mut query, q) = (RobotQuery::new(), [0.5]);
    /// let distance = query.distance(&robot, &q)?.unwrap(); // 2 - 2 sin q - 0.1
    /// let gradient = query.gradient(&robot, &q, &distance)?.unwrap();
    /// assert!((gradient[0] + 2. * q[0].cos()).abs() < 1e-12);
    /// # Ok::<(), impinge_robot::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the configuration; a part that the robot does not have.
    pub fn gradient(
        &mut self,
        robot: &Robot,
        q: &[f64],
        distance: &RobotDistance,
    ) -> Result<Option<Vec<f64>>, Error> {
        robot.check_part(distance.parts[0])?;
        robot.check_part(distance.parts[1])?;
        robot.kinematics.poses_into(q, &mut self.positions, &mut self.poses)?;
        let Some(n) = distance.normal() else { return Ok(None) };
        let mut gradient = vec![0.0; q.len()];
        let links = distance.parts.map(|part| robot.parts[part].link().unwrap_or(robot.kinematics.root()));
        let top = robot.kinematics.common_ancestor(links[0], links[1]);
        for ((link, point), sign) in links.into_iter().zip(distance.bounds.points).zip([1.0, -1.0]) {
            for joint in robot.kinematics.joints_up(link, top) {
                let Some(JointDrive { dof, ratio }) = robot.kinematics.drive(joint.joint) else { continue };
                let pose = self.poses[joint.child].pose();
                let [x, y, z] = pose.rows().map(|row| dot(row, joint.axis));
                let length = x.hypot(y).hypot(z);
                let axis = [x / length, y / length, z / length];
                let rate = match joint.motion {
                    JointMotion::None => continue,
                    JointMotion::Translation => dot(n, axis),
                    JointMotion::Rotation => {
                        let arm = [0, 1, 2].map(|k| point[k] - pose.translation()[k]);
                        dot(n, cross(axis, arm))
                    }
                };
                gradient[dof] += sign * ratio * rate;
            }
        }
        Ok(Some(gradient))
    }
}
