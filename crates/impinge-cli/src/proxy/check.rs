//! `impinge proxy check`: whether collision models cover their parts.
use super::{
    inputs::ProxyInputs,
    links::ProxyInput,
    picture::picture,
    results::{ProxyResults, Verdict, decide},
};
use crate::{args, output::Sink, progress::Progress, report, threads};
use clap::{Args, ValueEnum};
use impinge_check::{Length, Pool};
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
  Covered         yes; no; nearly, within --tolerance; undecided, where the surfaces of several shapes
                  meet on the part
  Uncovered by    the greatest distance of a point of the part from the shapes, rounded up: the radii
                  have to grow by that
  At              this point, in the frame of the link
  Excess          the greatest distance of a point of a shape from the part, or from its inside
  Volume          the volume of all shapes over that of the part, if it is one closed mesh
Lengths are millimetres for a robot, and in the unit of the file for a mesh.

Sphere models: YAML and XRDF of cuRobo (without its buffers), JSON of foam (the finest level), SRDF
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

    /// Count a link as covered if no point of it is farther outside than LENGTH
    ///
    /// Exact tests find faces that are flush but for rounding, 1e-9 m apart.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true, help_heading = "Cover")]
    tolerance: Option<Length>,

    /// Set the format: table, json, csv, html or png [default: by the ending of FILE]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output", hide_possible_values = true)]
    format: Option<ProxyFormat>,

    /// Write the result to FILE (.txt, .json, .csv, .html or .png)
    ///
    /// A page has a picture of each link that is not covered; a PNG file shows the worst one.
    /// The file is complete or not written at all. A summary is printed. `-` is standard output.
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

/// Width and height of pictures in pixels: those of a page, and one by itself.
const PAGE_SIZE: [u32; 2] = [640, 480];
const PICTURE_SIZE: [u32; 2] = [1280, 960];

/// Pictures of the links that are to be drawn.
fn pictures(
    input: &ProxyInput,
    results: &ProxyResults,
    is_drawn: &[bool],
    size: [u32; 2],
    pool: &Pool,
    progress: &Progress,
) -> anyhow::Result<Vec<Option<Vec<u8>>>> {
    progress.stage("drawing, links", is_drawn.iter().filter(|is_drawn| **is_drawn).count() as u64);
    let places: Vec<usize> = (0..is_drawn.len()).collect();
    let drawn = pool.each(&places, |&i| {
        let depth = results.links[i].cover.depth[1];
        let depth = if depth > 0.0 { depth } else { f64::INFINITY };
        let png = is_drawn[i].then(|| picture(&input.links[i], depth, size)).transpose();
        progress.step(u64::from(is_drawn[i]));
        png
    });
    drawn.into_iter().collect()
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
    /// A picture of the link that sticks out most.
    Png,
}

impl ProxyCheck {
    /// Runs the command. Returns true if all parts are covered.
    pub(super) fn run(self) -> anyhow::Result<bool> {
        let inputs = [Some(&*self.inputs.part), self.inputs.proxy.as_deref()];
        let sink = Sink::new(self.output.as_deref(), inputs.into_iter().flatten())?;
        let format = args::chosen(self.format, self.output.as_deref(), ProxyFormat::Table)?;
        let pool = threads::pool_for(self.inputs.threads, std::iter::empty(), usize::MAX)?;
        let progress = Progress::new();
        let (input, results) = decide(&self.inputs, &self.tolerance, &pool, &progress)?;
        let pictures = match format {
            ProxyFormat::Html => {
                let is_drawn: Vec<bool> =
                    results.links.iter().map(|link| link.verdict != Verdict::Covered).collect();
                pictures(&input, &results, &is_drawn, PAGE_SIZE, &pool, &progress)?
            }
            ProxyFormat::Png => {
                let worst = results.worst();
                let is_drawn: Vec<bool> = (0..results.links.len()).map(|i| i == worst).collect();
                pictures(&input, &results, &is_drawn, PICTURE_SIZE, &pool, &progress)?
            }
            _ => Vec::new(),
        };
        drop(progress);
        sink.write(|out| match format {
            ProxyFormat::Table => report::proxy::people(&results, sink.columns(), out),
            ProxyFormat::Json => report::proxy::json(&results, out),
            ProxyFormat::Csv => report::proxy::csv(&results, out),
            ProxyFormat::Html => report::proxy_page::write(&results, &pictures, out),
            ProxyFormat::Png => Ok(out.write_all(pictures.iter().flatten().next().map_or(&[], |png| png))?),
        })?;
        sink.summary(&report::proxy::verdict(&results))?;
        Ok(results.is_covered())
    }
}
