//! [`RigidGroup`]: links that fixed joints make one rigid body.
use super::{joint::JointKind, robot::Urdf, robot::children_of};
use crate::{error::Error, rigid};
use impinge::Pose;

/// Links that fixed joints connect, and their poses.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidGroup {
    /// Index of the link that is closest to the robot's root.
    pub root: usize,
    /// Indices of the links, and the pose of each in the frame of the group's root. The root is first.
    pub links: Vec<(usize, Pose)>,
}

impl Urdf {
    /// Groups of links that fixed joints connect. Each link is in one group; the first has the robot's root,
    /// and each group follows the group that carries it.
    ///
    /// A pose is the product of the origins of the joints between, from the root on, in f64. After n joints
    /// whose translations have the lengths l1 to ln, the rounding of the products has moved the link's
    /// origin by less than 17 n u (l1 + ... + ln), and has changed its rotation by less than 10 n u (u =
    /// 2^-53, n < 10^6; the proof is in `rigid.rs`). The errors of the origins themselves add to it.
    ///
    /// ```
    /// use impinge_robot::Urdf;
    /// let urdf = Urdf::parse(r#"<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    ///   <joint name="1" type="fixed"><parent link="a"/><child link="b"/><origin xyz="0 0 2"/></joint>
    ///   <joint name="2" type="continuous"><parent link="b"/><child link="c"/></joint></robot>"#)?;
    /// let groups = urdf.rigid_groups()?;
    /// assert_eq!((groups.len(), groups[0].root, groups[0].links.len()), (2, 0, 2));
    /// assert_eq!(groups[0].links[1].1.translation(), &[0.0, 0.0, 2.0]);
    /// # Ok::<(), impinge_robot::Error>(())
    /// ```
    ///
    /// # Errors
    /// A pose whose numbers overflow. The place is that of the joint.
    pub fn rigid_groups(&self) -> Result<Vec<RigidGroup>, Error> {
        let children = children_of(self.links.len(), &self.joints);
        let mut groups: Vec<RigidGroup> = Vec::new();
        let mut roots = vec![self.root];
        let mut next = 0;
        while let Some(&root) = roots.get(next) {
            next += 1;
            let mut links = vec![(root, Pose::IDENTITY)];
            let mut done = 0;
            while let Some(&(link, pose)) = links.get(done) {
                done += 1;
                for joint in children[link].iter().map(|&joint| &self.joints[joint]) {
                    if joint.kind != JointKind::Fixed {
                        roots.push(joint.child);
                        continue;
                    }
                    let pose = rigid::compose(&pose, &joint.origin).map_err(|e| {
                        Error::placed(joint.place, format!("the poses of fixed joints have no product: {e}"))
                    })?;
                    links.push((joint.child, pose));
                }
            }
            groups.push(RigidGroup { root, links });
        }
        Ok(groups)
    }
}
