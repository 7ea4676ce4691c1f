//! `impinge proxy fix`: grows the radii of a collision model until it covers its part.
use super::{
    inputs::ProxyInputs,
    links::LinkInput,
    results::{Growth, decide, decide_links},
};
use crate::{output::Sink, progress::Progress, report, threads};
use anyhow::{bail, ensure};
use clap::Args;
use impinge_robot::with_radii;
use std::{mem::take, path::PathBuf};

const SHORT: &str = "\
Examples:
  impinge proxy fix panda.urdf -o panda-covered.urdf
  impinge proxy fix panda.urdf panda_spheres.yml -o spheres.yml
Details, exit status: impinge proxy fix --help";

const NOTES: &str = "\
All radii of a link grow by the same length, the least one that covers its part, to a thousandth. Links
that are covered stay as they are. The file keeps its format, and every byte but the digits of these
radii. Then each link is proved again with the radii as written.

Boxes and meshes have no radius. A link that only they stand for is left, and the exit status is 1.

Examples:
  impinge proxy fix panda.urdf -o panda-covered.urdf
  impinge proxy fix panda.urdf panda_spheres.yml -o spheres.yml

Exit status: 0 all covered now; 1 a link is not; 2 it could not be done.";

/// A growth adds no more than this part of itself to make the digits few.
const ROUNDING: f64 = 1e-3;

/// Radii grow again so often where other shapes than balls leave something.
const ROUNDS: usize = 8;

/// Grow the radii of a collision model until it covers its part
#[derive(Args)]
#[command(after_help = SHORT, after_long_help = NOTES)]
pub(super) struct ProxyFix {
    #[command(flatten)]
    inputs: ProxyInputs,

    /// Write the repaired collision model to FILE
    ///
    /// The file is complete or not written at all.
    #[arg(long, short, value_name = "FILE", required = true, help_heading = "Output")]
    output: PathBuf,
}

impl ProxyFix {
    /// Runs the command. Returns true if all parts are covered afterwards.
    pub(super) fn run(self) -> anyhow::Result<bool> {
        ensure!(
            !self.inputs.is_against_robot(),
            "--against robot: a repair needs the shapes of one link each"
        );
        let inputs = [Some(&*self.inputs.part), self.inputs.proxy.as_deref()];
        let sink = Sink::new(Some(&self.output), inputs.into_iter().flatten())?;
        let pool = threads::pool_for(self.inputs.threads, std::iter::empty(), usize::MAX)?;
        let progress = Progress::new();
        let (mut input, mut results) = decide(&self.inputs, &None, &pool, &progress)?;
        let source = input.proxy.as_ref().unwrap_or(&input.part);
        let Some(text) = &source.text else {
            bail!("{}: a mesh has no radii that could grow", source.path.display())
        };
        let mut all: Vec<Growth> = take(&mut results.links)
            .into_iter()
            .map(|before| Growth { by: 0.0, covered: before.cover.covered, before })
            .collect();
        // The depth by which each link is uncovered now.
        let mut depths: Vec<f64> = all.iter().map(|one| one.before.cover.depth[1]).collect();
        for _ in 0..ROUNDS {
            let mut open = Vec::new();
            for (i, link) in input.links.iter_mut().enumerate() {
                let has_radii = link.shapes.iter().any(|shape| shape.radius().is_some());
                if all[i].covered != Some(true) && has_radii && depths[i].is_finite() {
                    all[i].by += grow(link, depths[i]);
                    open.push(i);
                }
            }
            if open.is_empty() {
                break;
            }
            let links: Vec<LinkInput> = open.iter().map(|&i| input.links[i].clone()).collect();
            for (i, found) in open.iter().zip(decide_links(&links, [results.margin, 0.0], &pool, &progress)?)
            {
                all[*i].covered = found.cover.covered;
                depths[*i] = found.cover.depth[1];
            }
        }
        // A growth that does not help is not written.
        let is_done = |i: &usize| all[*i].covered == Some(true);
        let edits: Vec<_> = (0..all.len())
            .filter(is_done)
            .map(|i| &input.links[i])
            .flat_map(|link| &link.shapes)
            .filter_map(|shape| Some((shape.radius_at.clone()?, shape.radius()?)))
            .collect();
        let repaired = with_radii(text, &edits);
        all.iter_mut().filter(|one| one.covered != Some(true)).for_each(|one| one.by = 0.0);
        drop(progress);
        sink.write(|out| Ok(out.write_all(repaired.as_bytes())?))?;
        let stdout = Sink::Stdout;
        stdout.write(|out| report::proxy::growths(&all, &results, &self.output, stdout.columns(), out))?;
        Ok(all.iter().all(|one| one.covered == Some(true)))
    }
}

/// Grows the radii of a link by a length or a little more, so that they have few digits. Returns the length.
fn grow(link: &mut LinkInput, by: f64) -> f64 {
    let digits = (-(by * ROUNDING).log10()).ceil().clamp(0.0, 300.0) as usize;
    let mut most = by;
    for shape in &mut link.shapes {
        let Some(radius) = shape.radius() else { continue };
        let least = (radius + by).next_up();
        let rounded = |add: f64| format!("{:.digits$}", least + add).parse().unwrap_or(f64::INFINITY);
        let mut new = rounded(0.0);
        if new < least {
            new = rounded(10.0_f64.powi(-(digits as i32)));
        }
        most = most.max(new - radius);
        *shape = shape.clone().with_radius(new);
    }
    most
}
