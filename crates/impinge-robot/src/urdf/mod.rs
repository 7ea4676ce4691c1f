//! URDF: links, joints and shapes of a robot. The format is that of
//! <https://wiki.ros.org/urdf/XML>, with capsules.
mod geometry;
mod groups;
mod joint;
mod link;
mod robot;

pub use self::{
    geometry::{Body, Geometry},
    groups::RigidGroup,
    joint::{Joint, JointKind, Limit, Mimic},
    link::Link,
    robot::Urdf,
};
