//! SRDF: groups of joints, pairs of links that are not checked, and spheres of links.
//!
//! The elements are those that <https://github.com/moveit/srdfdom/blob/ros2/src/model.cpp> reads.
//! `virtual_joint`, `end_effector`, `passive_joint` and `joint_property` are skipped.
use crate::{
    error::{Error, Place},
    model::{LinkSpheres, Sphere},
    quote::shown,
    xml::{Document, Element},
};
use std::collections::HashSet;

/// The semantic description of a robot.
///
/// ```
/// use impinge_robot::Srdf;
/// let srdf = Srdf::parse(r#"<robot name="arm">
///   <disable_collisions link1="base" link2="hand" reason="Never"/>
///   <link_sphere_approximation link="hand">
///     <sphere center="0 0 1" radius="0.05"/>
///   </link_sphere_approximation>
/// </robot>"#)?;
/// assert_eq!(srdf.disabled[0].reason.as_deref(), Some("Never"));
/// assert_eq!(srdf.spheres[0].spheres[0].radius.value, 0.05);
/// # Ok::<(), impinge_robot::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Srdf {
    /// Name of the robot.
    pub name: String,
    /// Groups of links and joints.
    pub groups: Vec<Group>,
    /// Named positions of the joints of groups.
    pub states: Vec<GroupState>,
    /// Pairs of `disable_collisions`: not checked.
    pub disabled: Vec<LinkPair>,
    /// Pairs of `enable_collisions`: checked though a default disables them.
    pub enabled: Vec<LinkPair>,
    /// Links of `disable_default_collisions`: checked against no link, except for the enabled pairs.
    pub disabled_links: Vec<String>,
    /// Spheres of links. MoveIt ignores spheres of radius 0 beside others of the link.
    pub spheres: Vec<LinkSpheres>,
}

/// A group of links and joints, as names.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its links.
    pub links: Vec<String>,
    /// Its joints.
    pub joints: Vec<String>,
    /// Chains of links, each from a base to a tip.
    pub chains: Vec<[String; 2]>,
    /// Groups whose content belongs to it.
    pub subgroups: Vec<String>,
    /// The place of the element.
    pub place: Place,
}

/// Named positions of the joints of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupState {
    /// Its name.
    pub name: String,
    /// Name of the group; SRDF demands it, but files of Pinocchio's models have none.
    pub group: Option<String>,
    /// Joints and their positions; a joint of several degrees of freedom has several numbers.
    pub joints: Vec<(String, Vec<f64>)>,
    /// The place of the element.
    pub place: Place,
}

/// A pair of links, as names.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPair {
    /// Names of the links.
    pub links: [String; 2],
    /// The reason, such as `Adjacent`, `Never` or `Default`.
    pub reason: Option<String>,
    /// The place of the element.
    pub place: Place,
}

impl Srdf {
    /// Reads the text of an SRDF file. Names are not looked up, as the robot is in another file.
    ///
    /// # Errors
    /// XML that is not well-formed or has a document type; a xacro template; missing attributes; numbers that
    /// are not finite; negative radii; two groups of a name, two states of a name and group, and two sphere
    /// approximations of a link. Each error has its place and names the remedy.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let document = Document::parse(text, "robot")?;
        let robot = document.root();
        let pairs =
            |name: &str| robot.children_of(name).map(LinkPair::read).collect::<Result<Vec<_>, Error>>();
        let disabled_links =
            robot.children_of("disable_default_collisions").map(|link| link.required("link"));
        let srdf = Self {
            name: robot.text("name")?.unwrap_or_default().into_owned(),
            groups: robot.children_of("group").map(Group::read).collect::<Result<_, _>>()?,
            states: robot.children_of("group_state").map(GroupState::read).collect::<Result<_, _>>()?,
            disabled: pairs("disable_collisions")?,
            enabled: pairs("enable_collisions")?,
            disabled_links: disabled_links.collect::<Result<_, _>>()?,
            spheres: read_spheres(robot)?,
        };
        unique(srdf.groups.iter().map(|group| (&group.name, group.place)), "group")?;
        unique(srdf.states.iter().map(|state| ((&state.group, &state.name), state.place)), "state")?;
        Ok(srdf)
    }
}

/// Refuses the second of two equal keys.
fn unique<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = (K, Place)>, kind: &str) -> Result<(), Error> {
    let mut known = HashSet::new();
    for (key, place) in keys {
        if !known.insert(key) {
            return Err(Error::placed(place, format!("a second {kind} has this name; rename one")));
        }
    }
    Ok(())
}

fn read_spheres(robot: Element<'_>) -> Result<Vec<LinkSpheres>, Error> {
    let mut links = Vec::new();
    let mut known = HashSet::new();
    for element in robot.children_of("link_sphere_approximation") {
        let link = element.required("link")?;
        if !known.insert(link.clone()) {
            return Err(
                element.error(format!("the link '{}' has spheres already; join the two", shown(&link)))
            );
        }
        let mut spheres = LinkSpheres::new(Some(link));
        for sphere in element.children_of("sphere") {
            let Some(center) = sphere.vector("center")? else {
                return Err(sphere.error("'sphere' needs the attribute 'center'"));
            };
            spheres.spheres.push(Sphere { center, radius: sphere.length("radius")? });
        }
        links.push(spheres);
    }
    Ok(links)
}

impl Group {
    fn read(element: Element<'_>) -> Result<Self, Error> {
        let names = |kind: &str| {
            element.children_of(kind).map(|child| child.required("name")).collect::<Result<Vec<_>, _>>()
        };
        let chains = element
            .children_of("chain")
            .map(|chain| Ok([chain.required("base_link")?, chain.required("tip_link")?]));
        Ok(Self {
            name: element.required("name")?,
            links: names("link")?,
            joints: names("joint")?,
            chains: chains.collect::<Result<_, Error>>()?,
            subgroups: names("group")?,
            place: element.place(),
        })
    }
}

impl GroupState {
    fn read(element: Element<'_>) -> Result<Self, Error> {
        let joints = element.children_of("joint").map(|joint| {
            let values = joint.numbers("value")?.filter(|values| !values.is_empty());
            let values =
                values.ok_or_else(|| joint.error("'joint' needs a number as the attribute 'value'"))?;
            Ok((joint.required("name")?, values))
        });
        Ok(Self {
            name: element.required("name")?,
            group: element.text("group")?.map(Into::into),
            joints: joints.collect::<Result<_, Error>>()?,
            place: element.place(),
        })
    }
}

impl LinkPair {
    fn read(element: Element<'_>) -> Result<Self, Error> {
        Ok(Self {
            links: [element.required("link1")?, element.required("link2")?],
            reason: element.text("reason")?.filter(|reason| !reason.is_empty()).map(Into::into),
            place: element.place(),
        })
    }
}
