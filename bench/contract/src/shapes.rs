//! Queries of a sphere, a capsule, a hull or a mesh against a hull or a mesh (see ../../README.md): files,
//! clock, output.
use crate::{Frame, Mesh, Pose, complain, line, scene::Reader, spent};
use std::{io::Write as _, path::Path, process::ExitCode};

/// A shape in its own frame.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A sphere around the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A capsule along the z axis.
    Capsule {
        /// Its radius.
        radius: f64,
        /// Length of its segment.
        height: f64,
    },
    /// A convex hull: its vertices, and its faces outwards.
    Hull(Mesh),
    /// A mesh, which counts as its surface.
    Mesh(Mesh),
}

/// Two shapes, a margin, and many poses of both.
#[derive(Clone, Debug)]
pub struct ShapeFile {
    /// Name of the pair.
    pub name: String,
    /// Margin of [`Query::Within`].
    pub margin: f64,
    /// The shapes.
    pub shapes: [Shape; 2],
    /// Poses of both shapes.
    pub frames: Vec<Frame>,
}

/// A query in the race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// 1 if the shapes meet, else 0.
    First,
    /// Distance, 0 if they meet.
    Distance,
    /// 1 if they are no farther apart than the margin, else 0.
    Within,
}

impl Query {
    /// All queries with their names, in the order of the output.
    pub const ALL: [(&'static str, Self); 3] =
        [("first contact", Self::First), ("distance", Self::Distance), ("within", Self::Within)];
}

impl ShapeFile {
    /// Writes the file.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let mut bytes = b"IMPSHAPE".to_vec();
        let count = |n: usize, bytes: &mut Vec<u8>| bytes.extend((n as u32).to_le_bytes());
        count(1, &mut bytes);
        count(self.name.len(), &mut bytes);
        bytes.extend(self.name.bytes());
        bytes.extend(self.margin.to_le_bytes());
        let none = Mesh::default();
        for shape in &self.shapes {
            let (kind, radius, height, mesh) = match shape {
                Shape::Sphere { radius } => (0, *radius, 0.0, &none),
                Shape::Capsule { radius, height } => (1, *radius, *height, &none),
                Shape::Hull(mesh) => (2, 0.0, 0.0, mesh),
                Shape::Mesh(mesh) => (3, 0.0, 0.0, mesh),
            };
            count(kind, &mut bytes);
            bytes.extend([radius, height].iter().flat_map(|x: &f64| x.to_le_bytes()));
            count(mesh.points.len(), &mut bytes);
            count(mesh.triangles.len(), &mut bytes);
            bytes.extend(mesh.points.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend(mesh.triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes()));
        }
        count(self.frames.len(), &mut bytes);
        for Pose { rows, translation } in self.frames.as_flattened() {
            bytes.extend(rows.as_flattened().iter().chain(translation).flat_map(|x| x.to_le_bytes()));
        }
        std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    }
    fn read(path: &str) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: cannot be read: {error}"))?;
        let mut reader = Reader { bytes: &bytes, at: 0 };
        file(&mut reader).map_err(|why| format!("{path}: byte {}: {why}", reader.at))
    }
}

fn file(reader: &mut Reader<'_>) -> Result<ShapeFile, String> {
    if &reader.take::<8>("the magic number")? != b"IMPSHAPE" || reader.u32("the version")? != 1 {
        return Err("not a file of shapes of version 1".to_owned());
    }
    let length = reader.count("the length of the name", 1)?;
    let name = (0..length).map(|_| Ok(reader.take::<1>("the name")?[0])).collect::<Result<_, String>>()?;
    let name = String::from_utf8(name).map_err(|error| error.to_string())?;
    let margin = f64::from_le_bytes(reader.take("the margin")?);
    let shapes = [shape(reader)?, shape(reader)?];
    let count = reader.count("the number of frames", 192)?;
    let frames = (0..count).map(|_| Ok([reader.pose()?, reader.pose()?])).collect::<Result<_, String>>()?;
    Ok(ShapeFile { name, margin, shapes, frames })
}

fn shape(reader: &mut Reader<'_>) -> Result<Shape, String> {
    let kind = reader.u32("a kind")?;
    let [radius, height] = [reader.take("a radius")?, reader.take("a height")?].map(f64::from_le_bytes);
    let mesh = reader.mesh()?;
    match kind {
        0 => Ok(Shape::Sphere { radius }),
        1 => Ok(Shape::Capsule { radius, height }),
        2 => Ok(Shape::Hull(mesh)),
        3 => Ok(Shape::Mesh(mesh)),
        kind => Err(format!("there is no kind {kind} of shapes")),
    }
}

/// A library in the race of shapes.
pub trait ShapeAnswerer: Sized {
    /// Name, version, and notes for the reader of the record.
    const ABOUT: [&'static str; 3];
    /// Builds its shapes and converts the poses; not timed. `way` is one of the library's ways to query, or
    /// empty.
    ///
    /// # Errors
    /// Returns an error if the library refuses a shape or has no such way.
    fn build(file: &ShapeFile, way: &str) -> Result<Self, String>;
    /// Appends two bounds of the result in each frame; they are equal for a single number. Timed.
    /// Returns false if the library has no such query.
    fn answer(&mut self, query: Query, answers: &mut Vec<[f64; 2]>) -> bool;
}

/// `RUNNER FILE PASSES RESULTS [WAY]`: a line for each query, with nanoseconds of processor time a frame, the
/// median of PASSES passes after an untimed one, or `-`; and all results into the file RESULTS.
pub fn main<A: ShapeAnswerer>() -> ExitCode {
    match run::<A>().and_then(|text| std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run<A: ShapeAnswerer>() -> Result<String, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, passes, out, way @ ..] = &*words else {
        return Err("usage: RUNNER FILE PASSES RESULTS [WAY]".to_owned());
    };
    let passes: usize = passes.parse().map_err(|_| format!("`{passes}` is not a number"))?;
    let file = ShapeFile::read(file)?;
    let mut answerer = A::build(&file, way.first().map_or("", String::as_str))?;
    let (mut text, mut bytes, mut answers) = (String::new(), Vec::new(), Vec::new());
    for (key, value) in ["engine", "version", "notes"].into_iter().zip(A::ABOUT) {
        line(&mut text, format_args!("#{key}\t{value}"));
    }
    for (name, query) in Query::ALL {
        answers.clear();
        if !answerer.answer(query, &mut answers) {
            line(&mut text, format_args!("{name}\t-"));
            continue;
        }
        let mut spans = Vec::new();
        for _ in 0..passes.max(1) {
            answers.clear();
            let start = spent()?;
            answerer.answer(query, &mut answers);
            spans.push((spent()? - start).as_nanos() as f64);
        }
        spans.sort_by(f64::total_cmp);
        let median = spans[spans.len() / 2];
        line(&mut text, format_args!("{name}\t{:.1}", median / file.frames.len() as f64));
        bytes.extend(answers.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    }
    std::fs::write(out, bytes).map_err(|error| format!("{out}: {error}"))?;
    Ok(text)
}
