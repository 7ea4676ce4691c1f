//! `impinge proxy check`: whether collision models cover their parts.
use super::{ProxyInputs, results::decide};
use crate::{args, output::Sink, progress::Progress, report, threads};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const SHORT: &str = "\
Examples:
  impinge proxy check panda.urdf                      collision against visual geometry
  impinge proxy check panda.urdf panda_spheres.yml    spheres of cuRobo against the visual geometry
  impinge proxy check link6.obj spheres.csv           lines x,y,z,r
Results, exit status: impinge proxy check --help";

const NOTES: &str = "\
A part is the surface of its triangles. It is covered if each of its points is in a shape: a ball, a
capsule, a cylinder, a box, or a mesh with its inside if it is closed. That is proved for all points, not
sampled. Numbers are exact as the file has them; poses are those that f64 gives.

Columns:
  Covered         yes, no, or undecided where the surfaces of several shapes meet on the part
  Uncovered by    the greatest distance of a point of the part from the shapes, rounded up: the radii
                  have to grow by that
  At              this point, in the frame of the link
  Excess          the greatest distance of a point of a shape from the part, or from its inside
  Volume          the volume of all shapes over that of the part, if its mesh is closed
Lengths are millimetres for a robot, and in the unit of the file for a mesh.

Sphere models: YAML and XRDF of cuRobo, JSON of foam (the finest level), SRDF
(link_sphere_approximation), lines x y z r, and JSON of impinge:
  {\"format\": \"impinge-proxy\", \"version\": 1, \"links\": {\"hand\": {\"spheres\": [[0, 0, 0.1, 0.05]]}}}

Meshes of a robot are scaled to metres by the unit that they state. The upward axis of a file is ignored,
as ROS does.

Exit status: 0 all covered; 1 not covered, or undecided; 2 it could not be done.";

/// Prove whether a collision model covers its part, and by how much it does not
#[derive(Args)]
#[command(after_help = SHORT, after_long_help = NOTES)]
pub(super) struct ProxyCheck {
    #[command(flatten)]
    inputs: ProxyInputs,

    /// Set the format: table, json, csv or html [default: by the ending of FILE]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output", hide_possible_values = true)]
    format: Option<ProxyFormat>,

    /// Write the result to FILE (.txt, .json, .csv or .html)
    ///
    /// The file is complete or not written at all. A summary is printed. `-` is standard output.
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

/// Format of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProxyFormat {
    /// For people.
    Table,
    /// For programs; every number in full.
    Json,
    /// For spreadsheets.
    Csv,
    /// A page with pictures.
    Html,
}

impl ProxyCheck {
    /// Runs the command. Returns true if all parts are covered.
    pub(super) fn run(self) -> anyhow::Result<bool> {
        let inputs = [Some(&*self.inputs.part), self.inputs.proxy.as_deref()];
        let sink = Sink::new(self.output.as_deref(), inputs.into_iter().flatten())?;
        let format = args::chosen(self.format, self.output.as_deref(), ProxyFormat::Table)?;
        let pool = threads::pool_for(self.inputs.threads, std::iter::empty(), usize::MAX)?;
        let progress = Progress::new();
        let (_, results) = decide(&self.inputs, &pool, &progress)?;
        drop(progress);
        sink.write(|out| match format {
            ProxyFormat::Table => report::proxy::people(&results, sink.columns(), out),
            ProxyFormat::Json => report::proxy::json(&results, out),
            ProxyFormat::Csv => report::proxy::csv(&results, out),
            ProxyFormat::Html => todo!(),
        })?;
        sink.summary(&report::proxy::verdict(&results))?;
        Ok(results.is_covered())
    }
}
