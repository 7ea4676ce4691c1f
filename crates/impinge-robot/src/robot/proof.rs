//! [`NeverProof`]: the proof that two parts never collide, by cells of the box of joints.
//!
//! A cell is the product of intervals of the degrees of freedom between two shapes. On the straight way from
//! its middle to any configuration of it, joint k changes by hk at most, half its interval. So no point of a
//! shape moves farther, in the frame of the last link before both, than the sum of hk rk: the bound of
//! `edge.rs` with a change of 2 hk. The cell is clear if the shapes in its middle are farther apart than both
//! sums, the errors of the poses included. Otherwise the middle is tested, and the interval that moves most
//! is halved. The cells are tried breadth first.
use super::{Robot, query::RobotQuery};
use crate::{
    error::Error,
    kinematics::{JointDrive, JointMotion, JointPosition},
    quote::shown,
};
use impinge::distance::Margin;
use std::collections::VecDeque;

/// The result of [`RobotQuery::prove_never`].
#[derive(Clone, Debug, PartialEq)]
pub enum NeverProof {
    /// The parts collide in no configuration within the limits.
    Never {
        /// Number of cells of the proof.
        cells: usize,
    },
    /// They collide in this one.
    Collides {
        /// The configuration.
        q: Vec<f64>,
        /// Number of cells until then.
        cells: usize,
    },
    /// Neither was found.
    Undecided {
        /// Number of cells.
        cells: usize,
    },
}

impl Robot {
    /// The interval of each degree of freedom: its limits, or a full turn.
    pub(super) fn ranges(&self) -> Result<Vec<[f64; 2]>, Error> {
        let pi = std::f64::consts::PI;
        let ranges = self.kinematics.dofs().iter().map(|dof| match [dof.lower, dof.upper] {
            // The f64 number is less than pi: a little more makes a full turn.
            _ if dof.is_continuous => Ok([-pi.next_up(), pi.next_up()]),
            [lower, upper] if lower.is_finite() && upper.is_finite() => Ok([lower, upper]),
            _ => Err(Error::new(format!("the joint '{}' has no limits; add some", shown(&dof.name)))),
        });
        ranges.collect()
    }
}

impl RobotQuery {
    /// Tries to prove that two parts never collide within the limits, for the true poses; cylinders count as
    /// the meshes around them. Joints between the parts alone count, and each takes 10 to 15 times the cells.
    ///
    /// # Errors
    /// A joint that translates has no limits; a part does not exist; a pose overflows.
    pub fn prove_never(
        &mut self,
        robot: &Robot,
        parts: [usize; 2],
        most_cells: usize,
    ) -> Result<NeverProof, Error> {
        robot.check_part(parts[0])?;
        robot.check_part(parts[1])?;
        let ranges = robot.ranges()?;
        let middle: Vec<f64> = ranges.iter().map(|[lower, upper]| lower / 2.0 + upper / 2.0).collect();
        let halves: Vec<f64> =
            ranges.iter().map(|[lower, upper]| (upper / 2.0 - lower / 2.0).next_up()).collect();
        let [of_a, of_b] = parts.map(|part| robot.shapes_of(part));
        let pairs: Vec<[u32; 2]> = of_a.flat_map(|i| of_b.clone().map(move |j| [i, j])).collect();
        let mut cells = 0;
        let mut open = VecDeque::new();
        for &pair in &pairs {
            open.clear();
            open.push_back((middle.clone(), halves.clone()));
            while let Some((q, half)) = open.pop_front() {
                cells += 1;
                if cells > most_cells {
                    return Ok(NeverProof::Undecided { cells: most_cells });
                }
                let [lower, upper] = [-1.0, 1.0].map(|sign| {
                    q.iter().zip(&half).map(|(q, h)| q + sign * h * (1.0 + 1e-12)).collect::<Vec<_>>()
                });
                robot.kinematics.positions_into(&lower, &mut self.edge.ends[0])?;
                robot.kinematics.positions_into(&upper, &mut self.edge.ends[1])?;
                self.place(robot, &q)?;
                let ways = self.ways(robot, pair);
                let [a, b] = pair.map(|k| self.placed(robot, k).error);
                let room = (0.5 * ways + a + b) * (1.0 + 1e-9);
                // An infinite room is no margin.
                if Margin::new(room).is_ok_and(|room| !self.are_near(robot, pair, room)) {
                    continue;
                }
                if self.are_near(robot, pair, Margin::ZERO) {
                    return Ok(NeverProof::Collides { q, cells });
                }
                let Some(dof) = self.most_moving(robot, pair, half.len()) else {
                    return Ok(NeverProof::Undecided { cells });
                };
                // Both halves reach a little beyond their common end.
                let mut narrow = half;
                narrow[dof] = narrow[dof] / 2.0 + f64::EPSILON * (q[dof].abs() + narrow[dof]);
                let (mut low, mut high) = (q.clone(), q);
                low[dof] -= narrow[dof];
                high[dof] += narrow[dof];
                open.push_back((low, narrow.clone()));
                open.push_back((high, narrow));
            }
        }
        Ok(NeverProof::Never { cells })
    }

    /// The degree of freedom between two shapes that moves them most in the cell.
    fn most_moving(&self, robot: &Robot, pair: [u32; 2], dofs: usize) -> Option<usize> {
        let mut moved = vec![0.0; dofs];
        let (links, top) = robot.links_of(pair);
        for (link, shape) in links.into_iter().zip(pair) {
            let (center, radius) = self.placed(robot, shape).ball();
            for joint in robot.kinematics.joints_up(link, top) {
                let Some(JointDrive { dof, .. }) = robot.kinematics.drive(joint.joint) else { continue };
                let [from, to]: [JointPosition; 2] = [0, 1].map(|k| self.edge.ends[k][joint.joint]);
                let t = self.poses[joint.child].pose().translation();
                let arm = (0..3).map(|k| (center[k] - t[k]).powi(2)).sum::<f64>().sqrt() + radius;
                let arm = if joint.motion == JointMotion::Rotation { arm } else { 1.0 };
                moved[dof] += (to.value - from.value).abs() * arm;
            }
        }
        let most = (0..dofs).max_by(|a, b| moved[*a].total_cmp(&moved[*b]))?;
        (moved[most] > 0.0).then_some(most)
    }
}
