//! `impinge pair`: two meshes at one pose or at many.
pub(crate) mod ask;
mod frame_query;
mod given;
mod listed;
mod meet;
mod near;
mod one_mesh;
pub(crate) mod pair_query;
pub(crate) mod results;
pub(crate) mod rows;

use self::{
    ask::Ask,
    frame_query::{FrameQuery, Own},
    given::Subjects,
    listed::Listed,
    results::Results,
};
use crate::{
    args::{self, Format},
    named_part::NamedPart,
    output::Sink,
    poses::{self, Frame, Maps},
    progress::Progress,
    question::Rule,
    report, threads,
    two_meshes::{TwoMeshes, build},
};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use impinge::{
    Body, Mesh, Pose,
    distance::{Accuracy, Margin},
};
use impinge_check::{
    Length, Pool,
    values::{Warning, text::folded},
};
use std::{path::PathBuf, sync::Arc};

const SHORT: &str = "\
Examples:
  impinge pair a.stl b.stl                          do they meet?
  impinge pair a.stl --query locate --point 1,2,3   is the point inside?
Formats of poses, exit status, rare options: impinge pair --help";

/// The end of the short help: the queries, and examples.
pub(crate) fn short_help() -> String {
    let names = |is_of_one: bool| {
        let own = Ask::value_variants().iter().filter(|ask| ask.is_of_one_mesh == is_of_one);
        own.map(|ask| ask.name).collect::<Vec<_>>().join(", ")
    };
    let list = |whose: &str, of_one| {
        folded(&format!("Queries of {whose}: {}", names(of_one)), Some(98)).replace('\n', "\n  ")
    };
    format!("{}\n{}\n\n{SHORT}", list("A and B", false), list("A alone", true))
}

const NOTES: &str = "\
A pose has twelve numbers, three rows of [R | t], with blanks or commas between them: it places a
point v at R v + t. R must be a rotation to within 1e-6. With --affine it may scale, shear, mirror.

A text of poses has a line for each frame: the 12 numbers of B's pose (A stays at --pose-a), or the
24 of A's and B's. In queries of one mesh 12 numbers are A's pose. # begins a comment. A file of
NumPy (.npy) has float64 of shape (N, 12), (N, 24), (N, 3, 4), (N, 2, 3, 4), (N, 4, 4) or
(N, 2, 4, 4); the last row of 4 by 4 is 0 0 0 1. Frames are numbered from 0.

Examples:
  impinge pair a.stl b.stl                                do they meet?
  impinge pair house.obj:slab house.obj:wall --query relation
  impinge pair a.stl b.stl --query distance               how far apart are they, and where?
  impinge pair a.glb b.glb --query within --margin 5mm    are they at most 5 mm apart?
  impinge pair a.stl --query locate --point 1,2,3         is the point inside?
  impinge pair arm.ply cell.ply --poses motion.npy --format csv -o out.csv

Exit status: 0 the query has a result, whatever it is; 2 it could not be done.";

/// Query two meshes, or points, rays or a region and one mesh, at one pose or many
///
/// A and B are files, or parts of files, as house.obj:IfcSlab_37777. The triangles of all parts of a file are
/// one mesh, numbered from 0 in the order of the file. Vertices of parts with a pose of their own are placed,
/// and rounded once to f64.
#[derive(Args)]
#[command(after_long_help = NOTES)]
pub(crate) struct Pair {
    /// First mesh: a file, or FILE:PART; - is standard input
    a: PathBuf,

    /// Second mesh; not for queries of A alone
    b: Option<PathBuf>,

    /// Place A: 12 numbers, row by row
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Poses")]
    pose_a: Option<String>,

    /// Place B: 12 numbers, row by row
    #[arg(
        long,
        value_name = "M",
        allow_hyphen_values = true,
        conflicts_with = "poses",
        help_heading = "Poses"
    )]
    pose_b: Option<String>,

    /// Query at each pose of a text or .npy file
    #[arg(long, value_name = "FILE", help_heading = "Poses")]
    poses: Option<PathBuf>,

    /// Accept poses that scale, shear or mirror
    #[arg(long, help_heading = "Poses")]
    affine: bool,

    /// Choose the query
    #[arg(long, value_enum, default_value = "boolean", help_heading = "Query")]
    query: Ask,

    /// Set the distance that a query compares with
    ///
    /// `within`, `pairs-within` and `certainty` need it. `distance` and `closest-points` then measure nothing
    /// that is farther apart.
    ///
    /// A number without a unit (um, mm, cm, m, in, ft) is in the unit of the files.
    #[arg(
        long,
        value_name = "LENGTH",
        value_parser = args::length,
        allow_hyphen_values = true,
        help_heading = "Query"
    )]
    margin: Option<Length>,

    /// Accept intervals of this relative width, such as 0.01
    ///
    /// For `distance`, `farthest` and `closest-points`. Wider intervals take less time. By default an
    /// interval is as narrow as floating point allows; `farthest` may stop earlier, after a fixed number of
    /// steps.
    #[arg(
        long,
        value_name = "FRACTION",
        value_parser = args::ratio,
        allow_hyphen_values = true,
        help_heading = "Query"
    )]
    rel: Option<Margin>,

    /// Take A and B as solids: 0 apart if one is inside the other
    ///
    /// For `distance`. By default only surfaces count.
    #[arg(long, help_heading = "Query")]
    solids: bool,

    /// Choose which points are inside a closed mesh
    ///
    /// For queries of solids and --solids: nonzero, positive or even-odd, as of impinge check.
    #[arg(
        long,
        value_enum,
        value_name = "RULE",
        default_value = "nonzero",
        help_heading = "Query",
        hide_short_help = true,
        hide_possible_values = true
    )]
    fill_rule: Rule,

    /// Stop with an error beyond this number of listed rows
    ///
    /// The rows of all frames are counted together. A row of `pairs` takes 16 bytes of memory, one of
    /// `curves` 400, others up to 200. The default is 4 million; for `pairs` and `curves` it is a million
    /// plus 32 for each triangle, but at most 40 million for `pairs` and 4 million for `curves`.
    #[arg(long, value_name = "N", help_heading = "Limits", hide_short_help = true)]
    max_pairs: Option<u64>,

    /// Set the chord error of A
    ///
    /// For `certainty`: how far the triangles of A are from the true surface.
    #[arg(
        long,
        value_name = "LENGTH",
        value_parser = args::length,
        allow_hyphen_values = true,
        help_heading = "Query",
        hide_short_help = true
    )]
    chord_a: Option<Length>,

    /// Set the chord error of B
    ///
    /// For `certainty`.
    #[arg(
        long,
        value_name = "LENGTH",
        value_parser = args::length,
        allow_hyphen_values = true,
        help_heading = "Query",
        hide_short_help = true
    )]
    chord_b: Option<Length>,

    #[command(flatten)]
    subjects: Subjects,

    /// Time each query N times and report the least
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Run",
        hide_short_help = true
    )]
    repeat: u32,

    /// Report tests of volumes and of triangles, and times
    #[arg(long, help_heading = "Run", hide_short_help = true)]
    stats: bool,

    /// Name a file as another in the report: the Python package passes converted files
    #[arg(long, hide = true, num_args = 2, value_names = ["FILE", "NAME"])]
    shown_as: Vec<PathBuf>,

    /// Use N threads; 0 is one for each core
    ///
    /// Each thread takes some of the frames, or a share of one large query for pairs. With several threads,
    /// times are less exact: they slow each other down.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = args::threads(), help_heading = "Run")]
    threads: u16,

    #[command(flatten)]
    coordinates: args::Coordinates,

    #[command(flatten)]
    output: args::Output,

    #[command(flatten)]
    reading: args::Reading,
}

/// The contents of the files.
struct Loaded {
    /// One, or two.
    meshes: Vec<Arc<Mesh>>,
    /// The longest side of the larger one's box.
    size: f64,
    warnings: Vec<Warning>,
    /// `--margin`, `--chord-a` and `--chord-b` in the files' unit.
    lengths: [Option<Margin>; 3],
}

impl Pair {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let meshes: Vec<&PathBuf> = [&self.a].into_iter().chain(&self.b).collect();
        let named: Vec<NamedPart> = meshes.iter().map(|path| NamedPart::new(path, &self.shown_as)).collect();
        // The Python package reads a file, and gives its bundle.
        let inputs = named.iter().flat_map(|one| [&*one.file, one.file_name()]).chain(self.poses.as_deref());
        let sink = Sink::new(self.output.output.as_deref(), inputs.chain(self.subjects.files()))?;
        let drawing = self.output.drawing().filter(|_| self.query.is_drawn);
        let format = if drawing.is_some() { Format::Json } else { self.output.format()? };
        // Wrong arguments are refused before any file is read.
        self.check_options()?;
        let frames = self.frames()?;
        if drawing.is_some() && frames.len() != 1 {
            bail!("--output: a drawing shows one frame, and there are {}", frames.len());
        }
        let files = named.iter().map(|one| &*one.file);
        let pool = threads::pool_for(self.threads, files, frames.len())?;
        let progress = Progress::new();

        let mut given = self.subjects.read(self.reading.most_bytes())?;
        let Loaded { meshes, size, warnings, lengths } = self.load(&named, &pool, &progress)?;
        let [margin, chord_a, chord_b] = lengths;
        given.margin = margin;
        given.chords = [chord_a, chord_b].map(Option::unwrap_or_default);
        given.stop = self.stop(margin)?;
        let triangles: Vec<usize> = match &self.b {
            Some(_) => [&meshes[0], &meshes[meshes.len() - 1]].map(|mesh| mesh.len()).to_vec(),
            None => vec![meshes[0].len()],
        };
        let (ask, stats, solids) = (self.query, self.stats, self.solids);
        let files = named.iter().map(NamedPart::label).collect();
        let models = build(&meshes, &pool, &progress);
        let (a, b) = (&models[0], &models[models.len() - 1]);
        let asked = FrameQuery {
            ask,
            repeat: self.repeat,
            count: self.stats || format == Format::Csv,
            divide: frames.len() < pool.threads(),
            fill_rule: self.fill_rule,
            given,
            listed: Listed::new(self.max_pairs, ask, [a, b]),
        };
        if self.solids || self.query.is_of_solids {
            // Once a mesh, as trees are: no frame's time has it.
            progress.stage("looking at solids, triangles", (a.mesh().len() + b.mesh().len()) as u64);
            for model in &models {
                model.solid();
            }
        }
        progress.stage("frames", frames.len() as u64);
        let frames = pool.in_order(
            frames.len(),
            || Own::new(&asked),
            |own, i| {
                let (pose_a, pose_b) = frames[i];
                let answer = asked.answer(&Body::new(a, pose_a), &Body::new(b, pose_b), own);
                progress.step(1);
                answer
            },
        );
        drop(progress);
        asked.listed.check()?;

        let results = Results { files, triangles, size, ask, margin, solids, stats, frames, warnings };
        sink.write(|out| match drawing {
            Some(drawing) => report::pair::draw(&results, drawing, out),
            None => report::pair::write(&results, format, sink.columns(), out),
        })?;
        sink.summary(&report::pair::verdict(&results))
    }

    /// Refuses options that the query does not take, and a query without what it needs.
    fn check_options(&self) -> anyhow::Result<()> {
        let name = self.query.name;
        match (self.query.is_of_one_mesh, &self.b) {
            (true, Some(_)) => bail!("--query {name}: is about one mesh, and there are two"),
            (false, None) => bail!("--query {name}: is about two meshes, A and B, and there is one"),
            (true, None) if self.pose_b.is_some() => bail!("--pose-b: there is no B"),
            _ => {}
        }
        let is_ruled = self.fill_rule != Rule::default() && !self.solids;
        let own = [
            ("--margin", self.margin.is_some()),
            ("--rel", self.rel.is_some()),
            ("--solids", self.solids),
            ("--max-pairs", self.max_pairs.is_some()),
            ("--chord-a", self.chord_a.is_some()),
            ("--chord-b", self.chord_b.is_some()),
        ];
        let given = own.into_iter().chain(self.subjects.options()).filter(|(_, is_given)| *is_given);
        let given: Vec<&str> = given.map(|(option, _)| option).collect();
        if is_ruled && !self.query.takes("--fill-rule") {
            bail!("--fill-rule: is about {} and --solids", Ask::takers("--fill-rule"));
        }
        if let Some(option) = given.iter().find(|option| !self.query.takes(option)) {
            bail!("{option}: is about {}", Ask::takers(option));
        }
        match self.query.needs {
            Some((some, what)) if !some.iter().any(|option| given.contains(option)) => {
                bail!("--query {name}: takes {what}")
            }
            _ => Ok(()),
        }
    }

    /// The meshes of A and of B; one mesh if both are the same.
    fn load(&self, named: &[NamedPart], pool: &Pool, progress: &Progress) -> anyhow::Result<Loaded> {
        let files = TwoMeshes::read(named, &self.reading, &self.coordinates, pool, progress)?;
        let length = |name, given: &Option<Length>| {
            let length = given.as_ref().map(|length| files.units.length(name, length)).transpose()?;
            anyhow::Ok(length.map(Margin::new).transpose()?)
        };
        let lengths = [
            length("--margin", &self.margin)?,
            length("--chord-a", &self.chord_a)?,
            length("--chord-b", &self.chord_b)?,
        ];
        let (size, meshes) = (files.size(), files.merged(named)?);
        Ok(Loaded { meshes, size, warnings: files.warnings, lengths })
    }

    /// Accuracy of distances.
    fn stop(&self, margin: Option<Margin>) -> anyhow::Result<Accuracy> {
        let mut stop = Accuracy::new();
        if let Some(margin) = margin {
            stop = stop.above(margin);
        }
        if let Some(rel) = self.rel {
            stop = stop.rel(rel.get())?;
        }
        Ok(if self.solids { stop.solids() } else { stop })
    }

    /// The poses of A and of B in each frame.
    fn frames(&self) -> anyhow::Result<Vec<(Pose, Pose)>> {
        let maps = if self.affine { Maps::Affine } else { Maps::RigidByDefault };
        let given = |text: &Option<String>, name: &'static str| match text {
            Some(text) => poses::parse(text, maps).context(name).map(Some),
            None => Ok(None),
        };
        let pose_a = given(&self.pose_a, "--pose-a")?;
        let Some(path) = &self.poses else {
            let pose_b = given(&self.pose_b, "--pose-b")?;
            let rest = pose_a.unwrap_or_default();
            if self.query.is_of_one_mesh {
                return Ok(vec![(rest, rest)]);
            }
            return Ok(vec![(rest, pose_b.unwrap_or_default())]);
        };
        let frames = poses::read(path, maps, self.reading.most_bytes())?;
        if self.query.is_of_one_mesh {
            if pose_a.is_some() || frames[0].a.is_some() {
                bail!("{}: a frame of one mesh is 12 numbers, its pose, without --pose-a", path.display());
            }
            return Ok(frames.into_iter().map(|Frame { b, .. }| (b, b)).collect());
        }
        if pose_a.is_some() && frames[0].a.is_some() {
            bail!("{}: its 24 numbers a frame place A, and so does --pose-a", path.display());
        }
        let rest = pose_a.unwrap_or_default();
        Ok(frames.into_iter().map(|Frame { a, b }| (a.unwrap_or(rest), b)).collect())
    }
}
