//! [`Kinematics`]: poses of a robot's links from positions of its joints, with bounds of their errors.
//!
//! # Meaning
//! The exact pose of a link is that of the real numbers: the product of the origins and motions from the root
//! on, for the f64 numbers that the file has as `xyz`, `rpy` and `axis`, and the f64 positions. Only an axis'
//! direction counts. A joint that follows another has the position multiplier * position + offset.
//!
//! The computed pose is the same on every machine. [`ApproximatePose::error`] bounds the distance of a point
//! of the link from its exact place: the errors of rotations count with the point's distance from the link's
//! origin, as the head of `pose/approximate.rs` of the core derives.
mod dof;

pub use self::dof::Dof;

use crate::{
    error::Error,
    quote::shown,
    rigid::ORIGIN_ERROR,
    urdf::{Joint, JointKind, Urdf},
};
use impinge::{Pose, pose::ApproximatePose};

/// The tree of links and joints of a robot, and its degrees of freedom.
///
/// ```
/// use impinge_robot::{Kinematics, Urdf};
/// let urdf = Urdf::parse(r#"<robot name="arm"><link name="base"/><link name="hand"/>
///   <joint name="shoulder" type="continuous"><parent link="base"/><child link="hand"/>
///     <origin xyz="0 0 1"/><axis xyz="0 0 1"/></joint></robot>"#)?;
/// let arm = Kinematics::new(&urdf)?;
/// let hand = arm.poses(&[90_f64.to_radians()])?[1];
/// let [x, y, z] = hand.pose().place([2., 0., 0.]);
/// assert!(x.abs() < 1e-15 && (y - 2.).abs() < 1e-15 && z == 1.);
/// assert!(hand.error(2.) < 1e-14);
/// # Ok::<(), impinge_robot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kinematics {
    links: Vec<TreeLink>,
    /// The links, each after its parent.
    order: Vec<usize>,
    joints: Vec<TreeJoint>,
    /// Joints, each after the one that it follows.
    joint_order: Vec<usize>,
    dofs: Vec<Dof>,
}

#[derive(Clone, Debug)]
struct TreeLink {
    /// Index of the joint whose child it is.
    joint: Option<usize>,
    depth: usize,
}

#[derive(Clone, Debug)]
struct TreeJoint {
    parent: usize,
    origin: ApproximatePose,
    axis: [f64; 3],
    motion: JointMotion,
    leader: Leader,
}

/// The kind of a joint's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointMotion {
    None,
    Rotation,
    Translation,
}

/// What determines a joint's position.
#[derive(Clone, Copy, Debug)]
enum Leader {
    /// Nothing: it is 0.
    Nothing,
    Dof(usize),
    Joint {
        joint: usize,
        multiplier: f64,
        offset: f64,
    },
}

/// The position of a joint, and a bound of its error.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointPosition {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

/// The degree of freedom that moves a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointDrive {
    pub(crate) dof: usize,
    /// Change of the joint's position over that of the degree of freedom.
    pub(crate) ratio: f64,
}

/// A joint of a chain of links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainJoint<'k> {
    pub(crate) joint: usize,
    /// The link that it moves.
    pub(crate) child: usize,
    pub(crate) origin: &'k ApproximatePose,
    pub(crate) axis: [f64; 3],
    pub(crate) motion: JointMotion,
}

impl Kinematics {
    /// The kinematics of a robot. Degrees of freedom are the joints that move and follow no other, in the
    /// order of the file: the order of yourdfpy. Pinocchio orders them by its walk of the tree, so exchange
    /// positions by names ([`Dof::name`]).
    ///
    /// # Errors
    /// A planar or floating joint: replace it by revolute and prismatic ones.
    pub fn new(urdf: &Urdf) -> Result<Self, Error> {
        let mut dofs = Vec::new();
        let mut joints = Vec::with_capacity(urdf.joints.len());
        for (index, joint) in urdf.joints.iter().enumerate() {
            joints.push(TreeJoint::new(index, joint, &mut dofs)?);
        }
        let mut links: Vec<TreeLink> =
            urdf.links.iter().map(|link| TreeLink { joint: link.joint, depth: 0 }).collect();
        let mut children = vec![Vec::new(); links.len()];
        for joint in &urdf.joints {
            children[joint.parent].push(joint.child);
        }
        let mut order = vec![urdf.root];
        let mut next = 0;
        while let Some(&parent) = order.get(next) {
            next += 1;
            for &child in &children[parent] {
                links[child].depth = links[parent].depth + 1;
                order.push(child);
            }
        }
        let joint_order = leaders_first(&joints);
        Ok(Self { links, order, joints, joint_order, dofs })
    }

    /// The degrees of freedom.
    pub fn dofs(&self) -> &[Dof] {
        &self.dofs
    }
    /// Index of the degree of freedom of a joint's name.
    pub fn dof(&self, name: &str) -> Option<usize> {
        self.dofs.iter().position(|dof| dof.name == name)
    }
    /// Number of links.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// Poses of all links in the frame of the root, in the order of [`Urdf::links`]. Positions are in the
    /// order of [`Kinematics::dofs`], in radians and metres. Limits are not checked.
    ///
    /// # Errors
    /// As many positions as there are degrees of freedom are needed, all finite; a pose that overflows.
    pub fn poses(&self, q: &[f64]) -> Result<Vec<ApproximatePose>, Error> {
        let (mut poses, mut positions) = (Vec::new(), Vec::new());
        self.poses_into(q, &mut positions, &mut poses)?;
        Ok(poses)
    }
    /// [`Kinematics::poses`], in memory that is used again.
    pub(crate) fn poses_into(
        &self,
        q: &[f64],
        positions: &mut Vec<JointPosition>,
        poses: &mut Vec<ApproximatePose>,
    ) -> Result<(), Error> {
        self.positions_into(q, positions)?;
        poses.clear();
        poses.resize(self.links.len(), ApproximatePose::IDENTITY);
        for &link in &self.order {
            let Some(index) = self.links[link].joint else { continue };
            let joint = &self.joints[index];
            let pose = poses[joint.parent].times(&joint.origin).and_then(|pose| {
                let at = positions[index];
                match joint.motion {
                    JointMotion::None => Ok(pose),
                    JointMotion::Rotation => pose.turned(joint.axis, at.value, at.error),
                    JointMotion::Translation => {
                        pose.times(&ApproximatePose::translation(joint.axis, at.value, at.error)?)
                    }
                }
            });
            poses[link] =
                pose.map_err(|e| Error::new(format!("the pose of link {link} has no f64 numbers: {e}")))?;
        }
        Ok(())
    }

    /// Checks the positions of the degrees of freedom.
    pub(crate) fn check(&self, q: &[f64]) -> Result<(), Error> {
        if q.len() != self.dofs.len() {
            let (found, needed) = (q.len(), self.dofs.len());
            return Err(Error::new(format!(
                "{found} positions, but the robot has {needed} degrees of freedom"
            )));
        }
        match q.iter().position(|x| !x.is_finite()) {
            Some(at) => {
                let name = shown(&self.dofs[at].name);
                Err(Error::new(format!("the position of '{name}' is {}; it must be finite", q[at])))
            }
            None => Ok(()),
        }
    }
    /// The position of each joint.
    pub(crate) fn positions_into(&self, q: &[f64], positions: &mut Vec<JointPosition>) -> Result<(), Error> {
        self.check(q)?;
        positions.clear();
        positions.resize(self.joints.len(), JointPosition::default());
        for &index in &self.joint_order {
            positions[index] = match self.joints[index].leader {
                Leader::Nothing => JointPosition::default(),
                Leader::Dof(dof) => JointPosition { value: q[dof], error: 0.0 },
                Leader::Joint { joint, multiplier, offset } => {
                    let leader = positions[joint];
                    // Rounded once: half a unit of the last place, or less than the least normal number.
                    let value = multiplier.mul_add(leader.value, offset);
                    let error = multiplier.abs() * leader.error + value.abs() * (f64::EPSILON / 2.0);
                    JointPosition { value, error: error * (1.0 + 1e-12) + f64::MIN_POSITIVE }
                }
            };
        }
        Ok(())
    }

    /// The joints on the way from a link up to its ancestor.
    pub(crate) fn joints_up(&self, from: usize, to: usize) -> impl Iterator<Item = ChainJoint<'_>> {
        let mut link = from;
        std::iter::from_fn(move || {
            let child = link;
            let index = self.links[child].joint.filter(|_| child != to)?;
            let TreeJoint { parent, origin, axis, motion, .. } = &self.joints[index];
            link = *parent;
            Some(ChainJoint { joint: index, child, origin, axis: *axis, motion: *motion })
        })
    }
    /// The degree of freedom that moves a joint.
    pub(crate) fn drive(&self, mut joint: usize) -> Option<JointDrive> {
        let mut ratio = 1.0;
        loop {
            match self.joints[joint].leader {
                Leader::Nothing => return None,
                Leader::Dof(dof) => return Some(JointDrive { dof, ratio }),
                Leader::Joint { joint: leader, multiplier, .. } => {
                    ratio *= multiplier;
                    joint = leader;
                }
            }
        }
    }
    /// Index of the root among the links.
    pub(crate) fn root(&self) -> usize {
        self.order[0]
    }
    /// The last link that is on both ways from the root.
    pub(crate) fn common_ancestor(&self, mut a: usize, mut b: usize) -> usize {
        let parent = |link: usize| self.links[link].joint.map_or(link, |joint| self.joints[joint].parent);
        while a != b {
            if self.links[a].depth >= self.links[b].depth {
                a = parent(a);
            } else {
                b = parent(b);
            }
        }
        a
    }
    /// True if only fixed joints are between two links.
    pub(crate) fn is_rigid(&self, a: usize, b: usize) -> bool {
        let top = self.common_ancestor(a, b);
        let mut joints = self.joints_up(a, top).chain(self.joints_up(b, top));
        joints.all(|joint| joint.motion == JointMotion::None)
    }
}

impl TreeJoint {
    fn new(index: usize, joint: &Joint, dofs: &mut Vec<Dof>) -> Result<Self, Error> {
        let motion = match joint.kind {
            JointKind::Fixed => JointMotion::None,
            JointKind::Revolute | JointKind::Continuous => JointMotion::Rotation,
            JointKind::Prismatic => JointMotion::Translation,
            JointKind::Planar | JointKind::Floating => {
                let kind = if joint.kind == JointKind::Planar { "planar" } else { "floating" };
                let what = format!(
                    "the joint '{}' is {kind}, which is not supported; use revolute and prismatic joints",
                    shown(&joint.name)
                );
                return Err(Error::placed(joint.place, what));
            }
        };
        let leader = match (motion, &joint.mimic) {
            (JointMotion::None, _) => Leader::Nothing,
            (_, Some(mimic)) => {
                Leader::Joint { joint: mimic.joint, multiplier: mimic.multiplier, offset: mimic.offset }
            }
            (_, None) => {
                dofs.push(Dof::new(index, joint));
                Leader::Dof(dofs.len() - 1)
            }
        };
        let error = if joint.origin.rows() == Pose::IDENTITY.rows() { 0.0 } else { ORIGIN_ERROR };
        let origin = ApproximatePose::within(joint.origin, error, 0.0);
        Ok(Self { parent: joint.parent, origin, axis: joint.axis, motion, leader })
    }
}

/// The joints, each after the one that it follows. The reader has refused cycles.
fn leaders_first(joints: &[TreeJoint]) -> Vec<usize> {
    let mut order = Vec::with_capacity(joints.len());
    let mut is_done = vec![false; joints.len()];
    let mut followers = Vec::new();
    for start in 0..joints.len() {
        let mut at = start;
        while !is_done[at] {
            is_done[at] = true;
            followers.push(at);
            match joints[at].leader {
                Leader::Joint { joint, .. } => at = joint,
                Leader::Nothing | Leader::Dof(_) => break,
            }
        }
        order.extend(followers.drain(..).rev());
    }
    order
}
