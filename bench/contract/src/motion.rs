//! A mesh at rest and one that moves (see ../../README.md): files, clock, output.
use crate::{Mesh, Pose, complain, line, scene::Reader, spent};
use std::{io::Write as _, path::Path, process::ExitCode, time::Duration};

/// Processor time of all passes of a run, after which no pass begins.
const MOST: Duration = Duration::from_secs(2);

/// A mesh at rest, at the identity, and one that moves at constant velocities from time 0 to 1: its origin
/// moves straight, and it turns about its origin.
#[derive(Clone, Debug)]
pub struct MotionFile {
    /// Name of the scene.
    pub name: String,
    /// Whether both meshes are convex.
    pub convex: bool,
    /// The mesh at rest, and the one that moves.
    pub meshes: [Mesh; 2],
    /// Pose at time 0.
    pub start: Pose,
    /// Way of the origin.
    pub way: [f64; 3],
    /// Axis of the turn, times the angle in radians.
    pub turn: [f64; 3],
}

impl MotionFile {
    /// Writes the file.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let mut bytes = b"IMPMOTIO".to_vec();
        let count = |n: usize, bytes: &mut Vec<u8>| bytes.extend((n as u32).to_le_bytes());
        count(1, &mut bytes);
        count(self.name.len(), &mut bytes);
        bytes.extend(self.name.bytes());
        count(usize::from(self.convex), &mut bytes);
        for mesh in &self.meshes {
            count(mesh.points.len(), &mut bytes);
            count(mesh.triangles.len(), &mut bytes);
            bytes.extend(mesh.points.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend(mesh.triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes()));
        }
        let Pose { rows, translation } = &self.start;
        let numbers = rows.as_flattened().iter().chain(translation).chain(&self.way).chain(&self.turn);
        bytes.extend(numbers.flat_map(|x| x.to_le_bytes()));
        std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    }
    fn read(path: &str) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: cannot be read: {error}"))?;
        let mut reader = Reader { bytes: &bytes, at: 0 };
        file(&mut reader).map_err(|why| format!("{path}: byte {}: {why}", reader.at))
    }
}

fn file(reader: &mut Reader<'_>) -> Result<MotionFile, String> {
    if &reader.take::<8>("the magic number")? != b"IMPMOTIO" || reader.u32("the version")? != 1 {
        return Err("not a file of a motion of version 1".to_owned());
    }
    let length = reader.count("the length of the name", 1)?;
    let name = (0..length).map(|_| Ok(reader.take::<1>("the name")?[0])).collect::<Result<_, String>>()?;
    let name = String::from_utf8(name).map_err(|error| error.to_string())?;
    let convex = reader.u32("whether it is convex")? != 0;
    let meshes = [reader.mesh()?, reader.mesh()?];
    let start = reader.pose()?;
    let [way, turn] = [reader.numbers("the way")?, reader.numbers("the turn")?];
    Ok(MotionFile { name, convex, meshes, start, way, turn })
}

/// The verdict of a library about a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// `contact`, `clear` or `undecided`.
    pub verdict: &'static str,
    /// Bounds of the first time of contact; NaN without one.
    pub between: [f64; 2],
    /// Further values by their keys.
    pub more: Vec<(&'static str, String)>,
}

impl Outcome {
    /// There is no contact.
    pub fn clear() -> Self {
        Self { verdict: "clear", between: [f64::NAN; 2], more: Vec::new() }
    }
    /// A contact at one time.
    pub fn contact(time: f64) -> Self {
        Self { verdict: "contact", between: [time; 2], more: Vec::new() }
    }
}

/// A library in the race of motions.
pub trait Sweeper: Sized {
    /// Name, version, and notes for the reader of the record.
    const ABOUT: [&'static str; 3];
    /// Builds its models and its motion; not timed. `way` is one of the library's ways to decide, or empty.
    ///
    /// # Errors
    /// Returns an error if the library refuses the scene or has no such way.
    fn build(file: &MotionFile, way: &str) -> Result<Self, String>;
    /// The first contact. Timed.
    ///
    /// # Errors
    /// Returns an error if the library fails.
    fn sweep(&mut self) -> Result<Outcome, String>;
}

/// `RUNNER FILE PASSES [WAY]`: a line with the verdict, the bounds of the time, and microseconds of processor
/// time: the median of PASSES passes after an untimed one. Passes that take more than two seconds are fewer;
/// then the first one counts, too.
pub fn main<S: Sweeper>() -> ExitCode {
    match run::<S>().and_then(|text| std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run<S: Sweeper>() -> Result<String, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, passes, way @ ..] = &*words else {
        return Err("usage: RUNNER FILE PASSES [WAY]".to_owned());
    };
    let passes: usize = passes.parse().map_err(|_| format!("`{passes}` is not a number"))?;
    let mut sweeper = S::build(&MotionFile::read(file)?, way.first().map_or("", String::as_str))?;
    let (mut spans, begin) = (Vec::new(), spent()?);
    let mut found = None;
    while spans.len() <= passes.max(1) && spent()? - begin < MOST {
        let start = spent()?;
        let outcome = sweeper.sweep()?;
        spans.push((spent()? - start).as_secs_f64() * 1e6);
        found = Some(outcome);
    }
    if spans.len() > passes {
        spans.remove(0);
    }
    spans.sort_by(f64::total_cmp);
    let Outcome { verdict, between: [lo, hi], more } = found.ok_or("no pass")?;
    let mut text = String::new();
    for (key, value) in ["engine", "version", "notes"].into_iter().zip(S::ABOUT) {
        line(&mut text, format_args!("#{key}\t{value}"));
    }
    for (key, value) in more {
        line(&mut text, format_args!("#{key}\t{value}"));
    }
    line(&mut text, format_args!("{verdict}\t{lo:?}\t{hi:?}\t{:.3}", spans[spans.len() / 2]));
    Ok(text)
}
