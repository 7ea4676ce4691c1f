//! [`Link`]: a rigid body of a robot.
use super::geometry::Body;
use crate::{
    error::{Error, Place},
    xml::Element,
};

/// A rigid body of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name.
    pub name: String,
    /// Shapes to draw.
    pub visuals: Vec<Body>,
    /// Shapes that collide.
    pub collisions: Vec<Body>,
    /// Index of the joint whose child it is, among the [joints](super::Urdf::joints); `None` for the root.
    pub joint: Option<usize>,
    /// The place of the element.
    pub place: Place,
}

impl Link {
    /// Reads a link, without its joint.
    pub(super) fn read(element: Element<'_>, name: String) -> Result<Self, Error> {
        Ok(Self {
            name,
            visuals: element.children_of("visual").map(Body::read).collect::<Result<_, _>>()?,
            collisions: element.children_of("collision").map(Body::read).collect::<Result<_, _>>()?,
            joint: None,
            place: element.place(),
        })
    }
}
