//! `impinge sweep`: the first contact of two meshes in motion, proved for every moment.
mod motion;
pub(crate) mod results;

use self::{
    motion::MotionOptions,
    results::{PartLookup, SweepResults, enclosure, moment_of},
};
use crate::{
    args::{self, Form},
    named_part::NamedPart,
    output::Sink,
    progress::Progress,
    question::Rule,
    report, threads,
    two_meshes::{TwoMeshes, build},
};
use anyhow::Context;
use clap::{ArgGroup, Args};
use impinge::{
    Body, Query,
    distance::Margin,
    sweep::{Moving, Sweep as Outcome, SweepOptions},
};
use impinge_check::Length;
use std::path::PathBuf;

const SHORT: &str = "\
Examples:
  impinge sweep rack.stl tray.stl --by 0,0,250         pull the tray out
  impinge sweep cell.ply arm.ply --poses motion.npy    through all poses of a file
Poses, results, exit status, rare options: impinge sweep --help";

const NOTES: &str = "\
Poses and files of poses are those of `impinge pair`: 12 numbers, or 24 for A and B, which then
both move. They must be rigid. The time t runs from 0 to 1. Frames follow each other in equal times.

The result holds for every moment, not for samples:
  clear       no contact at any time
  contact     none before `free_until`, one at `meets_at`; at most --resolution lies between them
  undecided   A and B come too near each other for a proof, or --max-intervals ended the work
With --margin, a contact is a distance of at most the margin.

JSON has `result`, `free_until`, `meets_at`, `undecided` (why, and until when), `frames` (those
before and after the contact), `enclosed` (the relation if one is inside the other at the start),
`moment`, `after` (of --after) and `warnings`. A moment has its `time`, `pose_a`, `pose_b`, `triangle_a`, `triangle_b`,
`part_a`, `part_b`, `point_a`, `point_b`, and bounds of the points' `distance`.

Examples:
  impinge sweep rack.stl tray.stl --by 0,0,250
  impinge sweep rack.glb:frame rack.glb:door --axis 0,0,1 --point 0.4,0,0 --angle 110
  impinge sweep cell.ply arm.ply --poses motion.npy --margin 5mm --unit mm

Exit status: 0 clear; 1 contact, undecided, or one inside the other; 2 it could not be done.";

/// Find the first contact of two meshes in motion, proved for every moment
///
/// B moves and A rests. A and B are files, or parts of files, as house.obj:IfcSlab_37777. The triangles of
/// all parts of a file are one mesh, numbered from 0 in the order of the file. Vertices of parts with a pose
/// of their own are placed, and rounded once to f64.
#[derive(Args)]
#[command(
    after_help = SHORT,
    after_long_help = NOTES,
    group = ArgGroup::new("motion").required(true).args(["to", "by", "axis", "poses"])
)]
pub(crate) struct Sweep {
    /// Mesh that rests: a file, or FILE:PART; - is standard input
    a: PathBuf,

    /// Mesh that moves: a file, or FILE:PART
    b: PathBuf,

    #[command(flatten)]
    motion: MotionOptions,

    /// Count a distance of at most LENGTH as contact
    ///
    /// A number without a unit (um, mm, cm, m, in, ft) is in the unit of the files.
    #[arg(
        long,
        value_name = "LENGTH",
        value_parser = args::length,
        allow_hyphen_values = true,
        help_heading = "Contact"
    )]
    margin: Option<Length>,

    /// Ignore contact before the time TIME
    ///
    /// For meshes that touch at the start, as a part that is lifted from its support: 1e-6, say. What happens
    /// before is not part of the result.
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 0.0,
        help_heading = "Contact",
        hide_default_value = true,
        hide_short_help = true
    )]
    after: f64,

    /// Compare surfaces only: ignore insides of solids
    ///
    /// By default one mesh inside the other at the start sets exit status 1, too.
    #[arg(long, help_heading = "Contact")]
    surfaces: bool,

    /// Stop at any contact, not at the first
    ///
    /// This takes less time if there is a contact. The exit status is the same.
    #[arg(long, help_heading = "Contact")]
    any: bool,

    /// Choose which points are inside a closed mesh
    ///
    /// nonzero, positive or even-odd, as of impinge check.
    #[arg(
        long,
        value_enum,
        value_name = "RULE",
        default_value = "nonzero",
        conflicts_with = "surfaces",
        help_heading = "Contact",
        hide_short_help = true,
        hide_possible_values = true
    )]
    fill_rule: Rule,

    /// Find the time of contact to this part of the whole [default: 1e-9]
    #[arg(
        long,
        value_name = "FRACTION",
        value_parser = args::ratio,
        allow_hyphen_values = true,
        help_heading = "Accuracy"
    )]
    resolution: Option<Margin>,

    /// Do not resolve motions shorter than LENGTH
    ///
    /// A and B that come nearer than that without contact may be undecided. The default is 2^-30 of the size
    /// of the smaller mesh.
    #[arg(
        long,
        value_name = "LENGTH",
        value_parser = args::length,
        allow_hyphen_values = true,
        help_heading = "Accuracy"
    )]
    tolerance: Option<Length>,

    /// Stop undecided beyond N intervals of time
    ///
    /// An interval takes some microseconds.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000_000,
        help_heading = "Limits",
        hide_short_help = true
    )]
    max_intervals: u64,

    /// Name a file as another in the report: the Python package passes converted files
    #[arg(long, hide = true, num_args = 2, value_names = ["FILE", "NAME"])]
    shown_as: Vec<PathBuf>,

    /// Use N threads; 0 is one for each core
    ///
    /// Threads read files and build trees. The sweep itself takes one.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = args::threads(), help_heading = "Run")]
    threads: u16,

    #[command(flatten)]
    coordinates: args::Coordinates,

    #[command(flatten)]
    output: args::Outcome,

    #[command(flatten)]
    reading: args::Reading,
}

impl Sweep {
    /// Runs the command. Returns true if A and B are clear of each other.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let named = [&self.a, &self.b].map(|path| NamedPart::new(path, &self.shown_as));
        let inputs = named.iter().flat_map(|one| [&*one.file, one.file_name()]).chain(self.motion.file());
        let sink = Sink::new(self.output.output.as_deref(), inputs)?;
        let form = self.output.form()?;
        // Wrong arguments are refused before any file is read.
        let mut options = SweepOptions::new().verdict_only(self.any).most_intervals(self.max_intervals);
        options = options.after(self.after).context("--after")?;
        if let Some(resolution) = self.resolution {
            options = options.resolution(resolution.get()).context("--resolution")?;
        }
        let motion = self.motion.read(self.reading.most_bytes())?;
        motion.paths(|length| Ok(length.number()))?;

        let pool = threads::pool(self.threads, named.iter().map(|one| &*one.file))?;
        let progress = Progress::new();
        let files = TwoMeshes::read(&named, &self.reading, &self.coordinates, &pool, &progress)?;
        let length = |name, given: &Option<Length>| {
            given.as_ref().map(|length| anyhow::Ok(files.units.length(name, length)?)).transpose()
        };
        let margin = length("--margin", &self.margin)?.map(Margin::new).transpose()?.unwrap_or_default();
        options = options.margin(margin);
        if let Some(tolerance) = length("--tolerance", &self.tolerance)? {
            options = options.tolerance(tolerance).context("--tolerance")?;
        }
        let paths = motion.paths(|advance| Ok(files.units.length("--advance", advance)?))?;
        let lookups = [0, 1].map(|side| PartLookup::new(&files.parts[side.min(files.parts.len() - 1)]));
        let size = files.size();
        let meshes = files.merged(&named)?;
        let warnings = files.warnings;
        let models = build(&meshes, &pool, &progress);
        let [a, b] = [&models[0], &models[models.len() - 1]];

        progress.stage("deciding the motion, triangles", (a.mesh().len() + b.mesh().len()) as u64);
        let mut query = Query::new().fill_rule(self.fill_rule.fill_rule());
        // The relation at the start, or at the time from which contact counts.
        let still = Body::new(a, paths.pose_a(self.after));
        let rests: Moving<'_> = match &paths.a {
            Some(path) => Moving::new(a, path),
            None => still.into(),
        };
        let outcome = query.sweep(rests, Moving::new(b, &paths.b), &options);
        let meets_at_start = matches!(outcome, Outcome::Contact { meets_at, .. } if meets_at <= self.after);
        let enclosed = if self.surfaces || meets_at_start {
            None
        } else {
            enclosure(query.relation(&still, &Body::new(b, paths.b.at(self.after))))
        };
        let results = SweepResults {
            files: named.iter().map(NamedPart::label).collect(),
            triangles: [a, b].map(|model| model.mesh().len()),
            moment: moment_of(&outcome, [a, b], &paths, &lookups, &mut query)?,
            has_parts: lookups.map(|parts| parts.count() > 1),
            moves_a: paths.a.is_some() || motion.places_a(),
            has_frames: self.motion.file().is_some(),
            path: paths.b,
            outcome,
            any: self.any,
            after: self.after,
            most_intervals: self.max_intervals,
            enclosed,
            margin,
            size,
            warnings,
        };
        drop(progress);
        sink.write(|out| match form {
            Form::Table => report::sweep::people(&results, sink.columns(), out),
            Form::Json => report::sweep::json(&results, out),
        })?;
        sink.summary(&report::sweep::verdict(&results))?;
        Ok(results.is_clear())
    }
}
