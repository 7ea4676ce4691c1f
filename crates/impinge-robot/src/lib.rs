//! Readers of robots and of sphere models of their links; kinematics and exact collision checks.
//!
//! | Input | Type |
//! |---|---|
//! | URDF | [`Urdf`]: links with visual and collision geometry, joints |
//! | SRDF | [`Srdf`]: pairs that are not checked, groups, states, spheres |
//! | sphere models of cuRobo, foam, VAMP, MoveIt and others | [`SphereModel`], by [`spheres::parse`] |
//! | `package://` and other names of meshes | [`Packages::resolve`], [`RobotMeshes`] |
//!
//! | Query | Type |
//! |---|---|
//! | poses of links, with bounds of their errors | [`Kinematics`] |
//! | collisions and distances of a configuration | [`Robot`], [`RobotQuery`] |
//! | the gradient of a distance over the joints | [`RobotQuery::gradient`] |
//! | the first collision on the way between two configurations, proved | [`RobotQuery::sweep`] |
//! | the pairs of links that need no check | [`RobotQuery::acm`], [`Acm`] |
//!
//! A radius is a [`Number`]: its value and the byte range of its digits. [`with_radii`] replaces these
//! digits and nothing else. Every [`Error`] of a text has a line and a column. No input panics, and memory
//! is proportional to the input.
//!
//! ```no_run
//! use impinge_robot::{Geometry, Urdf, read_text};
//! use std::path::Path;
//! let path = Path::new("arm.urdf");
//! let text = read_text(path)?;
//! let urdf = Urdf::parse(&text).map_err(|e| e.in_file(path))?;
//! for link in &urdf.links {
//!     for body in &link.collisions {
//!         println!("{}: {:?} at {:?}", link.name, body.geometry, body.origin);
//!     }
//! }
//! # Ok::<(), impinge_robot::Error>(())
//! ```
#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod cover;
mod error;
mod file;
mod kinematics;
mod lint;
mod meshes;
mod model;
mod number;
mod packages;
mod quote;
mod rigid;
mod robot;
pub mod spheres;
pub mod srdf;
pub mod urdf;
mod xml;

pub use self::{
    error::{Error, Place},
    file::read_text,
    kinematics::{Dof, Kinematics},
    lint::{DisabledPair, DisabledPairs, DisabledUse},
    meshes::{MeshFile, RobotMeshes},
    model::{Capsule, FoamLevel, LinkSpheres, Sphere, SphereFormat, SphereModel},
    number::{Number, with_radii},
    packages::Packages,
    robot::{
        Acm, AcmClass, AcmPair, NeverProof, PairReason, PartKind, Robot, RobotDistance, RobotPart,
        RobotQuery, RobotShape, RobotSweep,
    },
    srdf::Srdf,
    urdf::{Body, Geometry, Joint, JointKind, Limit, Link, Mimic, RigidGroup, Urdf},
};
