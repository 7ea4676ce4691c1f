//! The arguments of `impinge proxy` that name a part and what stands for it.
use crate::{args, robot::meshes::PackageOptions};
use anyhow::{anyhow, ensure};
use clap::{Args, ValueEnum};
use impinge_check::{Length, Unit};
use impinge_robot::{Body, Link};
use std::path::{Path, PathBuf};

/// The part and what stands for it.
#[derive(Args)]
pub(super) struct ProxyInputs {
    /// Mesh file, or URDF
    pub(super) part: PathBuf,

    /// Mesh, URDF, SRDF, or sphere model (YAML, XRDF, JSON, CSV, text)
    ///
    /// Without it, the collision geometry of the robot is tested. Links are matched by name.
    pub(super) proxy: Option<PathBuf>,

    /// Test this link alone
    ///
    /// May be given several times. For a mesh, it is the link of PROXY that stands for the mesh.
    #[arg(long, value_name = "NAME", help_heading = "Links")]
    pub(super) link: Vec<String>,

    /// Set the geometry of a robot that is to be covered: visual or collision
    #[arg(
        long,
        value_enum,
        value_name = "GEOMETRY",
        default_value = "visual",
        help_heading = "Links",
        hide_possible_values = true
    )]
    pub(super) geometry: Covered,

    /// Cover a link by its own shapes (link), or by those of all links fixed to it (robot)
    #[arg(
        long,
        value_enum,
        value_name = "SHAPES",
        default_value = "link",
        help_heading = "Links",
        hide_possible_values = true
    )]
    against: CoveringShapes,

    #[command(flatten)]
    pub(super) packages: PackageOptions,

    /// Require each point of the part to be LENGTH deep in one shape
    ///
    /// Then all points within LENGTH of the part are covered. A number without a unit is in the unit of the
    /// file; that of a URDF is the metre.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true, help_heading = "Cover")]
    pub(super) margin: Option<Length>,

    /// Use N threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads(), help_heading = "Run")]
    pub(super) threads: u16,
}

/// The geometry of a link that is to be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Covered {
    Visual,
    Collision,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CoveringShapes {
    Link,
    Robot,
}

impl Covered {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Visual => "visual",
            Self::Collision => "collision",
        }
    }
    pub(super) fn of(self, link: &Link) -> &[Body] {
        match self {
            Self::Visual => &link.visuals,
            Self::Collision => &link.collisions,
        }
    }
}

impl ProxyInputs {
    /// The visual geometry of a robot, and its collision geometry.
    pub(super) fn of_robot(robot: &Path, packages: &PackageOptions) -> Self {
        Self {
            part: robot.to_owned(),
            proxy: None,
            link: Vec::new(),
            geometry: Covered::Visual,
            against: CoveringShapes::Link,
            packages: packages.clone(),
            margin: None,
            threads: 0,
        }
    }
    pub(super) fn is_against_robot(&self) -> bool {
        self.against == CoveringShapes::Robot
    }
    /// An option's length in the unit of the file; 0 without the option.
    pub(super) fn length(
        &self,
        option: &str,
        given: &Option<Length>,
        unit: Option<Unit>,
    ) -> anyhow::Result<f64> {
        let Some(length) = given else { return Ok(0.0) };
        let found = length.within(unit);
        let found = found.ok_or_else(|| anyhow!("{option} {length}: the unit of the file is unknown"))?;
        ensure!(found > 0.0, "{option} {length}: give a positive length");
        Ok(found)
    }
}
