//! `impinge pair`: two meshes at one pose or at many.
pub(crate) mod ask;
mod frame_query;
mod given;
pub(crate) mod grid;
mod listed;
mod named_part;
mod one_mesh;
pub(crate) mod results;
mod two_meshes;

use self::{
    ask::Ask,
    frame_query::{FrameQuery, Own},
    given::Subjects,
    listed::Listed,
    named_part::NamedPart,
    results::Results,
};
use crate::{
    args::{self, Format},
    input,
    output::Sink,
    poses::{self, Frame, Maps},
    progress::Progress,
    question::Rule,
    report, threads,
};
use anyhow::{Context, bail};
use clap::Args;
use impinge::{
    Body, BuildOptions, Mesh, Model, Pose, Threads,
    distance::{Accuracy, Margin},
};
use impinge_check::{Length, Pool, sources::Hull, values::Warning};
use std::{path::PathBuf, sync::Arc};

const NOTES: &str = "\
Poses: the twelve numbers of a pose are three rows of [R | t], with blanks or commas between them; a point v \
stands at R v + t. R must be a rotation to within 1e-6; --affine takes scaling, shear and mirrors, too.

--poses FILE has a frame a line: 12 numbers, the pose of B (A stays where --pose-a has put it), or 24, those \
of A and of B; # begins a comment. With a query of one mesh, 12 numbers are the pose of A. A FILE of NumPy \
(.npy) holds float64 of shape (N, 12), (N, 24), (N, 3, 4), (N, 2, 3, 4), (N, 4, 4) or (N, 2, 4, 4); the last \
row of 4 by 4 is 0 0 0 1. Frames are numbered from 0.

Examples:
  impinge pair a.stl b.stl                                do they meet?
  impinge pair a.stl b.stl --query pairs --format json    all triangle pairs
  impinge pair house.obj:slab house.obj:wall              two parts of one file
  impinge pair a.stl b.stl --query relation               apart, touch, overlap, one inside the other, ...
  impinge pair a.stl b.stl --query distance               how far apart, and where they are nearest
  impinge pair a.stl b.stl --query distance --solids      the same, 0 if one is inside the other
  impinge pair a.stl b.stl --query within --margin 5      is the distance at most 5, exactly?
  impinge pair a.glb b.glb --query within --margin 5mm    the same, whatever unit the files have
  impinge pair a.stl b.stl --query curves -o curves.glb   where do the surfaces meet? drawn as lines
  impinge pair a.stl b.stl --query penetration            how deep do they overlap?
  impinge pair a.stl --query locate --point 1,2,3         is the point inside?
  impinge pair a.stl --query ray-all --ray 0,0,0 0,0,1    what does a ray meet?
  impinge pair a.stl b.stl --pose-b '1 0 0 2.5  0 1 0 0  0 0 1 0'
  impinge pair arm.ply cell.ply --poses motion.npy --format csv -o out.csv
  impinge pair arm.ply cell.ply --poses motion.txt --repeat 5 --stats

Exit status: 0 the question is answered, whatever the answer; 2 it could not be.";

/// Query two meshes, or points, rays or a region and one mesh, at one pose or at many: which triangles meet,
/// the relation as solids, distance, penetration, intersection curves, and the other queries of the library.
///
/// A and B are files, or single parts of files, as house.obj:IfcSlab_37777: each of them is one soup of
/// triangles: its parts' triangles one after the other, numbered from 0 in file order. Where a file places
/// its parts by poses of their own, each coordinate of a placed vertex is rounded once, to the nearest f64;
/// parts that lie where they are drawn are not rounded.
#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Pair {
    /// The first mesh: a file, or FILE:PART. - is standard input.
    a: PathBuf,

    /// The second mesh: the same, or another. Queries of one mesh take A alone.
    b: Option<PathBuf>,

    /// Where A stands: 12 numbers, row by row.
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pose_a: Option<String>,

    /// Where B stands: 12 numbers, row by row.
    #[arg(long, value_name = "M", allow_hyphen_values = true, conflicts_with = "poses")]
    pose_b: Option<String>,

    /// A frame for each line of a text, or for each row of an .npy file.
    #[arg(long, value_name = "FILE")]
    poses: Option<PathBuf>,

    /// Take maps that scale, shear or mirror as poses, too.
    #[arg(long)]
    affine: bool,

    /// What to ask.
    #[arg(long, value_enum, default_value_t = Ask::Boolean)]
    query: Ask,

    /// With `--query within`, `pairs-within` and `certainty`: the distance to compare with. With `distance`
    /// and `closest-points`: what is further apart is not measured, and has no distance. In the files' unit,
    /// or with a unit, as 5mm.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    margin: Option<Length>,

    /// With `--query distance`, `farthest` and `closest-points`: how wide an interval may be, as a part of
    /// the distance, as 0.01; larger is faster. Without, it is as narrow as floating point makes it; with
    /// `farthest` as its limit of steps does.
    #[arg(long, value_name = "PART", value_parser = args::ratio, allow_hyphen_values = true)]
    rel: Option<Margin>,

    /// With `--query distance`: A and B are solids, which are 0 apart if one is inside the other. Without,
    /// only surfaces count.
    #[arg(long)]
    solids: bool,

    /// With queries of solids, and `--solids`: which points are inside of a mesh whose edges close.
    #[arg(long, value_enum, value_name = "RULE", default_value = "nonzero")]
    fill_rule: Rule,

    /// Most triangle pairs that are listed, of all frames together, or points, hits or triangles; more are an
    /// error. With `--query pairs` one takes some 16 bytes of memory, 400 with `curves`, and up to 200 with
    /// other queries. Without, the limit is a million and 32 for each triangle, but 40 million at most with
    /// `pairs` and 4 million with `curves`; and 4 million with other queries.
    #[arg(long, value_name = "N")]
    max_pairs: Option<u64>,

    /// With `--query certainty`: chord tolerance of A, how far its triangles are from the true surface.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    chord_a: Option<Length>,

    /// With `--query certainty`: chord tolerance of B.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    chord_b: Option<Length>,

    #[command(flatten)]
    subjects: Subjects,

    /// Time each frame's query N times, and report the least.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Say how much work it was: tests of volumes and of triangles, and times.
    #[arg(long)]
    stats: bool,

    /// Name a file as another in the report: the Python package passes converted files
    #[arg(long, hide = true, num_args = 2, value_names = ["FILE", "NAME"])]
    shown_as: Vec<PathBuf>,

    /// Threads that share the frames, and large queries for pairs where there are fewer frames than threads;
    /// 0 means as many as there are cores. With more than one, times are less exact: threads slow each other
    /// down.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = args::threads())]
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
        let drawing = self.output.drawing().filter(|_| self.query == Ask::Curves);
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
        if self.solids || self.query.is_of_solids() {
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
            Some(drawing) => report::pair::draw(&results.frames[0], drawing, out),
            None => report::pair::write(&results, format, sink.columns(), out),
        })?;
        sink.summary(&report::pair::verdict(&results))
    }

    /// Refuses options that the query does not take, and a query without what it needs.
    fn check_options(&self) -> anyhow::Result<()> {
        let name = self.query.name();
        match (self.query.is_of_one_mesh(), &self.b) {
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
        match self.query.needs() {
            Some((some, what)) if !some.iter().any(|option| given.contains(option)) => {
                bail!("--query {name}: takes {what}")
            }
            _ => Ok(()),
        }
    }

    /// The meshes of A and of B; one mesh if both are the same. A file is read once.
    fn load(&self, named: &[NamedPart], pool: &Pool, progress: &Progress) -> anyhow::Result<Loaded> {
        let mut paths = named.iter().map(|one| one.file.clone()).collect::<Vec<_>>();
        paths.dedup();
        let files = input::read(&paths, &self.reading, pool, progress)?;
        let units = input::units(&files.assembly, self.coordinates.unit, progress)?;
        let length = |name, given: &Option<Length>| {
            let length = given.as_ref().map(|length| units.length(name, length)).transpose()?;
            anyhow::Ok(length.map(Margin::new).transpose()?)
        };
        let lengths = [
            length("--margin", &self.margin)?,
            length("--chord-a", &self.chord_a)?,
            length("--chord-b", &self.chord_b)?,
        ];
        let (files, warnings) = files.each();
        let warnings = warnings.iter().map(Warning::from).collect();
        let named = if named[0] == named[named.len() - 1] { &named[..1] } else { named };
        let files = named
            .iter()
            .map(|one| {
                let place = usize::from(one.file != paths[0]);
                one.of(&files[place])
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let size = files.iter().map(|parts| Hull::of(parts).size()).fold(0.0, f64::max);
        let meshes = named
            .iter()
            .zip(files)
            .map(|(one, parts)| {
                impinge_io::merged(&parts).with_context(|| one.file_name().display().to_string())
            })
            .collect::<anyhow::Result<_>>()?;
        Ok(Loaded { meshes, size, warnings, lengths })
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
        let maps = if self.affine { Maps::Affine } else { Maps::Rigid };
        let given = |text: &Option<String>, name: &'static str| match text {
            Some(text) => poses::parse(text, maps).context(name).map(Some),
            None => Ok(None),
        };
        let pose_a = given(&self.pose_a, "--pose-a")?;
        let Some(path) = &self.poses else {
            let pose_b = given(&self.pose_b, "--pose-b")?;
            let rest = pose_a.unwrap_or_default();
            if self.query.is_of_one_mesh() {
                return Ok(vec![(rest, rest)]);
            }
            return Ok(vec![(rest, pose_b.unwrap_or_default())]);
        };
        let frames = poses::read(path, maps, self.reading.most_bytes())?;
        if self.query.is_of_one_mesh() {
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

/// Trees of the meshes.
fn build(meshes: &[Arc<Mesh>], pool: &Pool, progress: &Progress) -> Vec<Model> {
    progress.stage("building trees, triangles", meshes.iter().map(|mesh| mesh.len() as u64).sum());
    let options = BuildOptions::new().threads(Threads::Pool);
    let build = |mesh: &Arc<Mesh>| {
        let model = pool.install(|| Model::new(Arc::clone(mesh), &options));
        progress.step(mesh.len() as u64);
        model
    };
    meshes.iter().map(build).collect()
}
