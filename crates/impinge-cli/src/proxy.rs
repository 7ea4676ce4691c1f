//! `impinge proxy`: whether collision models cover their parts, and the repair of those that do not.
mod check;
pub(crate) mod fix;
mod links;
mod picture;
pub(crate) mod results;

use self::{check::ProxyCheck, fix::ProxyFix};
use crate::args;
use anyhow::{anyhow, ensure};
use clap::{Args, Subcommand, ValueEnum};
use impinge_check::{Length, Unit};
use impinge_robot::{Body, Link, Packages};
use std::path::PathBuf;

/// Prove that collision models cover their parts
///
/// Planners and simulators test spheres, capsules, hulls and coarse meshes in place of parts. Where a part
/// sticks out of them, a robot that is free hits something.
#[derive(Args)]
pub(crate) struct ProxyCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Check(Box<ProxyCheck>),
    Fix(Box<ProxyFix>),
}

impl ProxyCommand {
    /// Runs the command. Returns true if all parts are covered.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        match self.what {
            What::Check(check) => check.run(),
            What::Fix(fix) => fix.run(),
        }
    }
}

/// The part and what stands for it.
#[derive(Args)]
struct ProxyInputs {
    /// Mesh file, or URDF
    part: PathBuf,

    /// Mesh, URDF, SRDF, or sphere model (YAML, XRDF, JSON, CSV, text)
    ///
    /// Without it, the collision geometry of the robot is tested. Links are matched by name.
    proxy: Option<PathBuf>,

    /// Test this link alone
    ///
    /// May be given several times. For a mesh, it is the link of PROXY that stands for the mesh.
    #[arg(long, value_name = "NAME", help_heading = "Links")]
    link: Vec<String>,

    /// Set the geometry of a robot that is to be covered
    #[arg(long, value_enum, value_name = "GEOMETRY", default_value = "visual", help_heading = "Links")]
    geometry: Covered,

    /// Set the shapes that may cover a link: its own, or those of all links that fixed joints connect to it
    #[arg(long, value_enum, value_name = "SHAPES", default_value = "link", help_heading = "Links")]
    against: Against,

    /// Search package:// paths of meshes in FOLDER
    ///
    /// FOLDER is a package, or contains packages. May be given several times. Folders above the URDF and those
    /// of ROS_PACKAGE_PATH and AMENT_PREFIX_PATH are searched, too.
    #[arg(long, value_name = "FOLDER", help_heading = "Links")]
    package_path: Vec<PathBuf>,

    /// Require each point of the part to be LENGTH deep in one shape
    ///
    /// Then all points within LENGTH of the part are covered. A number without a unit is in the unit of the
    /// file; that of a URDF is the metre.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    margin: Option<Length>,

    /// Count a link as covered if no point of it is farther outside than LENGTH
    ///
    /// Exact tests find faces that are flush but for rounding, 1e-9 m apart.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    tolerance: Option<Length>,

    /// Use N threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads(), help_heading = "Run")]
    threads: u16,
}

/// The geometry of a link that is to be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Covered {
    Visual,
    Collision,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Against {
    Link,
    Robot,
}

impl Covered {
    fn name(self) -> &'static str {
        match self {
            Self::Visual => "visual",
            Self::Collision => "collision",
        }
    }
    fn of(self, link: &Link) -> &[Body] {
        match self {
            Self::Visual => &link.visuals,
            Self::Collision => &link.collisions,
        }
    }
}

impl ProxyInputs {
    fn is_against_robot(&self) -> bool {
        self.against == Against::Robot
    }
    fn packages(&self) -> Packages {
        let given = self.package_path.iter().fold(Packages::new(), Packages::with_folder);
        let lists = ["ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"].into_iter().filter_map(std::env::var_os);
        lists.fold(given, |packages, list| packages.with_list(&list))
    }
    /// An option's length in the unit of the file; 0 without the option.
    fn length(&self, option: &str, given: &Option<Length>, unit: Option<Unit>) -> anyhow::Result<f64> {
        let Some(length) = given else { return Ok(0.0) };
        let found = length.within(unit);
        let found = found.ok_or_else(|| anyhow!("{option} {length}: the unit of the file is unknown"))?;
        ensure!(found > 0.0, "{option} {length}: give a positive length");
        Ok(found)
    }
}
