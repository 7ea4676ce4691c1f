//! [`Joint`]: the motion of a link against another.
use super::geometry::read_origin;
use crate::{
    error::{Error, Place},
    quote::shown,
    xml::Element,
};
use impinge::Pose;

/// A joint of two links. The pose of the child in the frame of the parent is the motion of the joint by
/// its position, then `origin`.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// The kind of its motion.
    pub kind: JointKind,
    /// Index of the parent among the [links](super::Urdf::links).
    pub parent: usize,
    /// Index of the child among the [links](super::Urdf::links).
    pub child: usize,
    /// Pose of the joint in the frame of the parent. It is the pose of the child at position 0.
    pub origin: Pose,
    /// Axis of rotation, direction of translation, or normal of the plane, in the frame of the joint. As the
    /// file has it: its length need not be 1, but is not 0 for a joint that uses it. (1, 0, 0) by default.
    pub axis: [f64; 3],
    /// Limits of the position; `None` if the file gives none.
    pub limit: Option<Limit>,
    /// The joint that this one follows.
    pub mimic: Option<Mimic>,
    /// The place of the element.
    pub place: Place,
}

/// The kind of motion of a [`Joint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// No motion.
    Fixed,
    /// A rotation about its axis, within limits.
    Revolute,
    /// A rotation about its axis, without limits.
    Continuous,
    /// A translation along its axis, within limits.
    Prismatic,
    /// Motions in the plane whose normal is its axis.
    Planar,
    /// All rigid motions.
    Floating,
}

/// Limits of a [`Joint`], in radians or metres and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Lowest position, 0 by default.
    pub lower: f64,
    /// Highest position, 0 by default.
    pub upper: f64,
    /// Highest speed.
    pub velocity: Option<f64>,
    /// Highest force or torque.
    pub effort: Option<f64>,
}

/// The rule of a joint that follows another: position = multiplier * position of the other + offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic {
    /// Index of the other joint among the [joints](super::Urdf::joints).
    pub joint: usize,
    /// 1 by default.
    pub multiplier: f64,
    /// 0 by default.
    pub offset: f64,
}

impl JointKind {
    fn read(element: Element<'_>) -> Result<Self, Error> {
        Ok(match &*element.required("type")? {
            "fixed" => Self::Fixed,
            "revolute" => Self::Revolute,
            "continuous" => Self::Continuous,
            "prismatic" => Self::Prismatic,
            "planar" => Self::Planar,
            "floating" => Self::Floating,
            other => {
                let what = "known are fixed, revolute, continuous, prismatic, planar and floating";
                return Err(element.error(format!("the joint type '{}' is unknown; {what}", shown(other))));
            }
        })
    }
    /// True if the axis means something.
    fn has_axis(self) -> bool {
        !matches!(self, Self::Fixed | Self::Floating)
    }
}

impl Joint {
    /// Reads a joint; `link` and `joint` find indices by names.
    pub(super) fn read(
        element: Element<'_>,
        name: String,
        link: impl Fn(&str) -> Option<usize>,
        joint: impl Fn(&str) -> Option<usize>,
    ) -> Result<Self, Error> {
        let kind = JointKind::read(element)?;
        let end = |end: &str| {
            let Some(element) = element.child(end)? else {
                return Err(element.error(format!("the joint '{}' has no {end}; add one", shown(&name))));
            };
            let target = element.required("link")?;
            link(&target).ok_or_else(|| {
                element.error(format!(
                    "the link '{}' does not exist; add it or correct the name",
                    shown(&target)
                ))
            })
        };
        let (parent, child) = (end("parent")?, end("child")?);
        let axis = match element.child("axis")? {
            Some(axis) => axis.vector("xyz")?.unwrap_or([1.0, 0.0, 0.0]),
            None => [1.0, 0.0, 0.0],
        };
        if kind.has_axis() && axis == [0.0; 3] {
            return Err(
                element.error(format!("the axis of the joint '{}' is zero; give a direction", shown(&name)))
            );
        }
        let limit = element.child("limit")?.map(|limit| Limit::read(limit, kind)).transpose()?;
        let mimic = match element.child("mimic")? {
            Some(mimic) => Some(Mimic::read(mimic, joint)?),
            None => None,
        };
        let origin = read_origin(element)?;
        Ok(Self { name, kind, parent, child, origin, axis, limit, mimic, place: element.place() })
    }
}

impl Limit {
    fn read(element: Element<'_>, kind: JointKind) -> Result<Self, Error> {
        let limit = Self {
            lower: element.number("lower")?.unwrap_or(0.0),
            upper: element.number("upper")?.unwrap_or(0.0),
            velocity: element.number("velocity")?,
            effort: element.number("effort")?,
        };
        if matches!(kind, JointKind::Revolute | JointKind::Prismatic) && limit.lower > limit.upper {
            let what = format!("the lower limit {} exceeds the upper limit {}", limit.lower, limit.upper);
            return Err(element.error(what + "; exchange them"));
        }
        Ok(limit)
    }
}

impl Mimic {
    fn read(element: Element<'_>, joint: impl Fn(&str) -> Option<usize>) -> Result<Self, Error> {
        let target = element.required("joint")?;
        let joint = joint(&target).ok_or_else(|| {
            element
                .error(format!("the joint '{}' does not exist; add it or correct the name", shown(&target)))
        })?;
        Ok(Self {
            joint,
            multiplier: element.number("multiplier")?.unwrap_or(1.0),
            offset: element.number("offset")?.unwrap_or(0.0),
        })
    }
}
