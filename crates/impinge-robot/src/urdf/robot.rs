//! [`Urdf`]: the links and joints of a robot.
use super::{joint::Joint, link::Link};
use crate::{
    error::Error,
    quote::{shown, shown_list},
    xml::{Document, Element},
};
use std::collections::HashMap;

/// A robot: a tree of links, joined by joints.
///
/// ```
/// use impinge_robot::{Geometry, Urdf};
/// let urdf = Urdf::parse(r#"<robot name="arm">
///   <link name="base"/>
///   <link name="hand">
///     <collision><origin xyz="0 0 1"/><geometry><sphere radius="0.05"/></geometry></collision>
///   </link>
///   <joint name="wrist" type="continuous"><parent link="base"/><child link="hand"/></joint>
/// </robot>"#)?;
/// assert_eq!(urdf.links[urdf.root].name, "base");
/// let body = &urdf.links[1].collisions[0];
/// assert_eq!(body.origin.translation(), &[0.0, 0.0, 1.0]);
/// assert!(matches!(&body.geometry, Geometry::Sphere { radius } if radius.value == 0.05));
/// # Ok::<(), impinge_robot::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Urdf {
    /// Name of the robot.
    pub name: String,
    /// Links in the order of the file.
    pub links: Vec<Link>,
    /// Joints in the order of the file.
    pub joints: Vec<Joint>,
    /// Index of the link that is no child.
    pub root: usize,
}

impl Urdf {
    /// Reads the text of a URDF file. Elements that URDF does not define (`gazebo`, `transmission`,
    /// `ros2_control`), and inertias and materials, are skipped.
    ///
    /// # Errors
    /// XML that is not well-formed or has a document type; a xacro template; numbers that are not finite;
    /// negative radii, lengths and sizes; a scale or an axis of 0; joint types and geometries that URDF does
    /// not define; names that occur twice or that nothing has; links that do not form one tree. Each error
    /// has its place and names the remedy.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let document = Document::parse(text, "robot")?;
        let robot = document.root();
        let link_names = names(robot, "link")?;
        let joint_names = names(robot, "joint")?;
        let links = robot.children_of("link").map(|element| Link::read(element, element.required("name")?));
        let mut links: Vec<Link> = links.collect::<Result<_, _>>()?;
        let joints: Vec<Joint> = robot
            .children_of("joint")
            .map(|element| {
                let link = |name: &str| link_names.get(name).copied();
                let joint = |name: &str| joint_names.get(name).copied();
                Joint::read(element, element.required("name")?, link, joint)
            })
            .collect::<Result<_, _>>()?;
        let root = tree(robot, &mut links, &joints)?;
        check_mimics(&joints)?;
        Ok(Self { name: robot.text("name")?.unwrap_or_default().into_owned(), links, joints, root })
    }

    /// Index of the link of a name.
    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }
    /// Index of the joint of a name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }
}

/// The names of the elements `kind` and their numbers; each name may occur once.
fn names(robot: Element<'_>, kind: &str) -> Result<HashMap<String, usize>, Error> {
    let mut names = HashMap::new();
    for (index, element) in robot.children_of(kind).enumerate() {
        let name = element.required("name")?;
        let message = format!("a second {kind} has the name '{}'; rename one", shown(&name));
        if names.insert(name, index).is_some() {
            return Err(element.error(message));
        }
    }
    Ok(names)
}

/// Sets the joint of each link, and returns the root of the tree.
fn tree(robot: Element<'_>, links: &mut [Link], joints: &[Joint]) -> Result<usize, Error> {
    for (index, joint) in joints.iter().enumerate() {
        let child = &mut links[joint.child];
        if let Some(first) = child.joint.replace(index) {
            let what = format!(
                "the link '{}' is already the child of the joint '{}'; a link has one parent",
                shown(&child.name),
                shown(&joints[first].name)
            );
            return Err(Error::placed(joint.place, what));
        }
    }
    if links.is_empty() {
        return Err(robot.error("the robot has no link; add one"));
    }
    let roots: Vec<usize> = (0..links.len()).filter(|&link| links[link].joint.is_none()).collect();
    if let [_, second, ..] = roots[..] {
        let names: Vec<&str> = roots.iter().map(|&root| &*links[root].name).collect();
        let what = format!("{} links have no parent: {}", roots.len(), shown_list(names.into_iter()));
        return Err(Error::placed(links[second].place, what + "; join all but one to others"));
    }
    // Links that the walk from the root reaches. With one parent for each link, the others lie on cycles or
    // behind them.
    let mut reached = vec![false; links.len()];
    let children = children_of(links.len(), joints);
    let mut open = roots.clone();
    while let Some(link) = open.pop() {
        reached[link] = true;
        open.extend(children[link].iter().map(|&joint| joints[joint].child));
    }
    match (roots.first(), reached.iter().position(|reached| !reached)) {
        (Some(&root), None) => Ok(root),
        (_, unreached) => {
            // The first `links.len()` steps to the parent end on the cycle, and the others pass all of it.
            let mut link = unreached.unwrap_or_default();
            let mut first = usize::MAX;
            for step in 0..2 * links.len() {
                let joint = links[link].joint.unwrap_or_default();
                if step >= links.len() {
                    first = first.min(joint);
                }
                link = joints[joint].parent;
            }
            let joint = &joints[first];
            let what = "the joint '{}' closes a cycle of links; URDF describes trees: remove one joint of it";
            Err(Error::placed(joint.place, what.replace("{}", &shown(&joint.name))))
        }
    }
}

/// For each link the joints whose parent it is, in the order of the file.
pub(super) fn children_of(links: usize, joints: &[Joint]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); links];
    for (index, joint) in joints.iter().enumerate() {
        children[joint.parent].push(index);
    }
    children
}

/// Refuses joints that follow themselves, directly or through others.
fn check_mimics(joints: &[Joint]) -> Result<(), Error> {
    // The walk on which a joint was met first: 0 for none.
    let mut walk = vec![0; joints.len()];
    for start in 0..joints.len() {
        let mut at = start;
        while walk[at] == 0 {
            walk[at] = start + 1;
            match joints[at].mimic {
                Some(mimic) => at = mimic.joint,
                None => break,
            }
        }
        if walk[at] == start + 1 && joints[at].mimic.is_some() {
            let what = format!("the joint '{}' follows itself; correct its mimic", shown(&joints[at].name));
            return Err(Error::placed(joints[at].place, what));
        }
    }
    Ok(())
}
