//! `impinge pair`: two meshes at one pose or at many.
mod listed;
mod named_part;
pub(crate) mod results;

use self::{
    listed::Listed,
    named_part::NamedPart,
    results::{Ask, FrameResult, QueryResult, Results},
};
use crate::{
    args::{self, Format},
    input,
    output::Sink,
    poses::{self, Frame, Maps},
    progress::Progress,
    question::Rule,
    report,
};
use anyhow::{Context, bail};
use clap::Args;
use impinge::{
    Body, Model, Pose, Query, Threads,
    contact::contact_point,
    distance::{Accuracy, Margin},
    query::ContactPairs,
};
use impinge_check::{FileUnits, Hull, Length, Pool, Warning};
use impinge_volumes::{Kind, Options};
use std::{
    mem,
    path::PathBuf,
    time::{Duration, Instant},
};

const NOTES: &str = "\
Poses: the twelve numbers of a pose are three rows of [R | t], with blanks or commas between them; a point v \
stands at R v + t. R must be a rotation to within 1e-6; --affine takes scaling, shear and mirrors, too.

--poses FILE has a frame a line: 12 numbers, the pose of B (A stays where --pose-a has put it), or 24, those \
of A and of B; # begins a comment. A FILE of NumPy (.npy) holds float64 of shape (N, 12), (N, 24), \
(N, 3, 4), (N, 2, 3, 4), (N, 4, 4) or (N, 2, 4, 4); the last row of 4 by 4 is 0 0 0 1. Frames are numbered \
from 0.

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
  impinge pair a.stl b.stl --pose-b '1 0 0 2.5  0 1 0 0  0 0 1 0'
  impinge pair arm.ply cell.ply --poses motion.npy --format csv -o out.csv
  impinge pair arm.ply cell.ply --poses motion.txt --repeat 5 --stats

Exit status: 0 the question is answered, whatever the answer; 2 it could not be.";

/// Ask which triangles of two meshes meet, what they are to each other as solids, how far apart they are, or
/// along which lines their surfaces meet, at one pose or at many.
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

    /// The second mesh: the same, or another.
    b: PathBuf,

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

    /// With `--query within`: the distance to compare with. With `--query distance`: what is further apart is
    /// not measured, and has no distance. In the files' unit, or with a unit, as 5mm.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    margin: Option<Length>,

    /// With `--query distance`: how wide its interval may be, as a part of the distance; it is found sooner.
    /// 0.01 asks for a hundredth. Without, it is as good as floating point tells.
    #[arg(long, value_name = "PART", value_parser = args::ratio, allow_hyphen_values = true)]
    rel: Option<Margin>,

    /// With `--query distance`: A and B are solids, which are 0 apart if one is inside the other. Without,
    /// only surfaces count.
    #[arg(long)]
    solids: bool,

    /// With `--query relation` or `--solids`: which points are inside of a mesh whose edges close.
    #[arg(long, value_enum, value_name = "RULE", default_value = "nonzero")]
    fill_rule: Rule,

    /// With `--query pairs` or `--query curves`: most triangle pairs that are listed, of all frames together;
    /// more are an error. A pair takes some 16 bytes of memory, and 400 for curves. Without, the limit is a
    /// million and 32 for each triangle, but 40 million at most, and 4 million for curves.
    #[arg(long, value_name = "N")]
    max_pairs: Option<u64>,

    /// Time each frame's query N times, and report the least.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Say how much work it was: tests of volumes and of triangles, which tests separated volumes, and times.
    #[arg(long)]
    stats: bool,

    /// Threads that share the frames, and large queries for pairs, with volume wide, where there are fewer
    /// frames than threads; 0 means as many as there are cores. With more than one, the times are less
    /// honest: threads slow each other down.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = args::threads())]
    threads: u16,

    #[command(flatten)]
    coordinates: args::Coordinates,

    #[command(flatten)]
    compare: args::Compare,

    #[command(flatten)]
    tree: args::Tree,

    #[command(flatten)]
    output: args::Output,

    #[command(flatten)]
    reading: args::Reading,
}

/// The contents of the files.
struct Loaded {
    /// One, or two.
    models: Vec<Model>,
    /// The longest side of the larger one's box.
    size: f64,
    warnings: Vec<Warning>,
    /// `--margin` in the files' unit.
    margin: Option<Margin>,
}

impl Pair {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let named = [&self.a, &self.b].map(|path| NamedPart::new(path));
        let inputs = [Some(&named[0].file), Some(&named[1].file), self.poses.as_ref()];
        let sink =
            Sink::new(self.output.output.as_deref(), inputs.into_iter().flatten().map(PathBuf::as_path))?;
        let drawing = self.output.drawing().filter(|_| self.query == Ask::Curves);
        let format = if drawing.is_some() { Format::Json } else { self.output.format()? };
        // Wrong arguments are refused before any file is read.
        if self.query != Ask::Relation && !self.solids && self.fill_rule != Rule::default() {
            bail!("--fill-rule: is about --query relation and --solids");
        }
        let about_distance = [("--rel", self.rel.is_some()), ("--solids", self.solids)];
        if let Some((name, _)) =
            about_distance.iter().find(|(_, given)| *given && self.query != Ask::Distance)
        {
            bail!("{name}: is about --query distance");
        }
        match (self.query, &self.margin) {
            (Ask::Within, None) => bail!("--query within: takes a distance to compare with, --margin LENGTH"),
            (Ask::Distance | Ask::Within, _) | (_, None) => {}
            (_, Some(_)) => bail!("--margin: is about --query distance and --query within"),
        }
        if self.max_pairs.is_some() && !matches!(self.query, Ask::Pairs | Ask::Curves) {
            bail!("--max-pairs: is about --query pairs and --query curves");
        }
        let overlap = self.compare.overlap(self.tree.kind())?;
        let options = self.tree.options()?.overlap(overlap);
        let frames = self.frames()?;
        if drawing.is_some() && frames.len() != 1 {
            bail!("--output: a drawing shows one frame, and there are {}", frames.len());
        }
        let pool = Pool::new(self.threads)?;
        let progress = Progress::new();

        let Loaded { models, size, mut warnings, margin } = self.load(&named, &options, &pool, &progress)?;
        if matches!(self.query, Ask::Distance | Ask::Within) && self.tree.kind() != Kind::Wide {
            let text = "this volume has no traversal for distances: every pair of triangles is compared";
            let file = format!("--volume {}", self.tree.kind().name());
            let warning = Warning::new(file, None, text);
            progress.warn(&warning.line());
            warnings.push(warning);
        }
        let (a, b) = (&models[0], &models[models.len() - 1]);
        let asked = FrameQuery {
            ask: self.query,
            repeat: self.repeat,
            count: self.stats || format == Format::Csv,
            divide: frames.len() < pool.threads(),
            fill_rule: self.fill_rule,
            margin,
            stop: self.stop(margin)?,
            listed: Listed::new(self.max_pairs, self.query, [a, b]),
        };
        if self.solids || matches!(self.query, Ask::Relation | Ask::Curves) {
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

        let triangles = [a, b].map(|model| model.mesh().len());
        let (ask, stats, kind) = (self.query, self.stats, self.tree.kind());
        let files = [self.a, self.b];
        let solids = self.solids;
        let results = Results { files, triangles, size, ask, margin, solids, stats, kind, frames, warnings };
        sink.write(|out| match drawing {
            Some(drawing) => report::pair::draw(&results.frames[0], drawing, out),
            None => report::pair::write(&results, format, sink.columns(), out),
        })?;
        sink.summary(&report::pair::verdict(&results))
    }

    /// The trees of A and of B; one tree if both are the same. A file is read once.
    fn load(
        &self,
        named: &[NamedPart; 2],
        options: &Options,
        pool: &Pool,
        progress: &Progress,
    ) -> anyhow::Result<Loaded> {
        let mut paths = named.each_ref().map(|one| one.file.clone()).to_vec();
        paths.dedup();
        let files = input::read(&paths, &self.reading, pool, progress)?;
        let units = FileUnits::of(&files.assembly, self.coordinates.unit)?;
        let margin = self.margin.as_ref().map(|length| units.length("--margin", length)).transpose()?;
        let margin = margin.map(Margin::new).transpose()?;
        let (files, warnings) = files.each();
        let warnings = warnings.iter().map(Warning::from).collect();
        let named = if named[0] == named[1] { &named[..1] } else { named };
        let files = named
            .iter()
            .map(|one| {
                let place = usize::from(one.file != paths[0]);
                one.of(&files[place])
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let size = files.iter().map(|parts| Hull::of(parts).size()).fold(0.0, f64::max);
        let triangles = files.iter().flatten().map(|part| part.mesh.len() as u64).sum();
        progress.stage("building trees, triangles", triangles);
        let models = named
            .iter()
            .zip(files)
            .map(|(one, parts)| {
                let soup = input::merged(parts).with_context(|| one.file.display().to_string())?;
                let triangles = soup.len() as u64;
                let model = pool.install(|| options.build(soup))?;
                progress.step(triangles);
                Ok(model)
            })
            .collect::<anyhow::Result<_>>()?;
        Ok(Loaded { models, size, warnings, margin })
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
            return Ok(vec![(pose_a.unwrap_or_default(), pose_b.unwrap_or_default())]);
        };
        let frames = poses::read(path, maps, self.reading.most_bytes())?;
        if pose_a.is_some() && frames[0].a.is_some() {
            bail!("{}: its 24 numbers a frame place A, and so does --pose-a", path.display());
        }
        let rest = pose_a.unwrap_or_default();
        Ok(frames.into_iter().map(|Frame { a, b }| (a.unwrap_or(rest), b)).collect())
    }
}

/// The query of every frame.
struct FrameQuery {
    ask: Ask,
    repeat: u32,
    /// Count the work, in a second query that is not timed.
    count: bool,
    /// Divide queries: there are more threads than frames.
    divide: bool,
    fill_rule: Rule,
    margin: Option<Margin>,
    stop: Accuracy,
    listed: Listed,
}

impl FrameQuery {
    fn answer(&self, a: &Body<'_>, b: &Body<'_>, own: &mut Own) -> FrameResult {
        let (mut time, mut found) = (Duration::MAX, QueryResult::Pairs);
        own.counting.reset_counters();
        own.pairs.clear();
        let mut listed = 0;
        for _ in 0..if self.listed.is_over() { 0 } else { self.repeat } {
            let start = Instant::now();
            (found, listed) = self.run(a, b, &mut own.query, &mut own.pairs);
            time = time.min(start.elapsed());
        }
        self.listed.add(listed);
        if self.count && !self.listed.is_over() {
            let _ = self.run(a, b, &mut own.counting, &mut own.pairs);
        }
        let work = own.counting.counters().unwrap_or_default();
        let point = own.pairs.first().map(|&first| contact_point(a, b, first).point);
        FrameResult { pairs: own.pairs.clone(), found, point, work, time }
    }

    /// The result of the query, and the number of pairs to list.
    fn run(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        query: &mut Query,
        pairs: &mut Vec<[u32; 2]>,
    ) -> (QueryResult, u64) {
        let mut listed = 0;
        let found = match self.ask {
            Ask::Boolean => {
                pairs.clear();
                pairs.extend(query.first_contact(a, b));
                QueryResult::Pairs
            }
            Ask::Pairs => {
                listed = query.pairs_at_most(a, b, self.listed.most(), pairs).count;
                QueryResult::Pairs
            }
            Ask::Relation => {
                let relation = query.relation(a, b);
                pairs.clear();
                pairs.extend(relation.witness);
                QueryResult::Relation(relation)
            }
            Ask::Distance => QueryResult::Distance(query.distance(a, b, self.stop)),
            Ask::Curves => {
                let (found, all) = query.contact_pairs_at_most(a, b, self.listed.most(), mem::take(pairs));
                listed = found.count;
                // The result for too many pairs is an error.
                let curves = all.as_ref().map(|all| query.curves_of_pairs(all).clone()).unwrap_or_default();
                *pairs = all.map(ContactPairs::into_vec).unwrap_or_default();
                pairs.clear();
                QueryResult::Curves(Box::new(curves))
            }
            // `--query within` requires a margin.
            Ask::Within => QueryResult::Within(query.within(a, b, self.margin.unwrap_or_default())),
        };
        (found, listed)
    }
}

/// The state that a thread keeps from one frame to the next.
struct Own {
    /// Timed.
    query: Query,
    /// Not timed.
    counting: Query,
    pairs: Vec<[u32; 2]>,
}

impl Own {
    fn new(asked: &FrameQuery) -> Self {
        let inside = asked.fill_rule.fill_rule();
        // Large queries are divided if threads are left for it.
        let threads = if asked.divide { Threads::Pool } else { Threads::One };
        let query = Query::new().fill_rule(inside).threads(threads);
        Self { query, counting: Query::new().fill_rule(inside).counting(true), pairs: Vec::new() }
    }
}
