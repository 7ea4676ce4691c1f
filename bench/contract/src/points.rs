//! Queries with points and rays to one mesh (see ../../README.md): files, clock, output.
use crate::{Mesh, complain, line, scene::Reader, spent};
use std::{io::Write as _, path::Path, process::ExitCode};

/// The kind of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Distance of the surface from a point, the first three numbers.
    Closest = 0,
    /// First hit of a ray, origin and direction: t, or infinity.
    First = 1,
    /// Location of a point by parity: 1 inside, 0.5 on the surface, 0 outside.
    Inside = 2,
}

/// Queries of one kind.
#[derive(Clone, Debug)]
pub struct Questions {
    /// Name of the selection.
    pub name: String,
    /// Kind of the queries.
    pub kind: Kind,
    /// Three or six numbers of each query; the others are 0.
    pub asked: Vec<[f64; 6]>,
}

/// A mesh and its queries.
#[derive(Clone, Debug)]
pub struct File {
    /// The mesh at its pose.
    pub mesh: Mesh,
    /// Sets of queries in their order.
    pub sets: Vec<Questions>,
}

impl File {
    /// Writes the file.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let mut bytes = b"IMPPOINT".to_vec();
        let count = |n: usize, bytes: &mut Vec<u8>| bytes.extend((n as u32).to_le_bytes());
        count(1, &mut bytes);
        count(self.mesh.points.len(), &mut bytes);
        count(self.mesh.triangles.len(), &mut bytes);
        bytes.extend(self.mesh.points.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend(self.mesh.triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes()));
        count(self.sets.len(), &mut bytes);
        for set in &self.sets {
            count(set.name.len(), &mut bytes);
            bytes.extend(set.name.bytes());
            count(set.kind as usize, &mut bytes);
            count(set.asked.len(), &mut bytes);
            bytes.extend(set.asked.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        }
        std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    }
    fn read(path: &str) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: cannot be read: {error}"))?;
        let mut reader = Reader { bytes: &bytes, at: 0 };
        questions(&mut reader).map_err(|why| format!("{path}: byte {}: {why}", reader.at))
    }
}

fn questions(reader: &mut Reader<'_>) -> Result<File, String> {
    if &reader.take::<8>("the magic number")? != b"IMPPOINT" || reader.u32("the version")? != 1 {
        return Err("not a file of point queries of version 1".to_owned());
    }
    let mesh = reader.mesh()?;
    let count = reader.count("the number of sets", 12)?;
    let mut set = |_| {
        let length = reader.count("the length of a name", 1)?;
        let name = (0..length).map(|_| Ok(reader.take::<1>("a name")?[0])).collect::<Result<_, String>>()?;
        let name = String::from_utf8(name).map_err(|error| error.to_string())?;
        let kind = match reader.u32("a kind")? {
            0 => Kind::Closest,
            1 => Kind::First,
            2 => Kind::Inside,
            kind => return Err(format!("there is no query kind {kind}")),
        };
        let count = reader.count("the number of questions", 48)?;
        let mut six = |_| {
            let ([a, b, c], [d, e, f]) = (reader.numbers("a question")?, reader.numbers("a question")?);
            Ok::<_, String>([a, b, c, d, e, f])
        };
        Ok(Questions { name, kind, asked: (0..count).map(&mut six).collect::<Result<_, _>>()? })
    };
    Ok(File { mesh, sets: (0..count).map(&mut set).collect::<Result<_, _>>()? })
}

/// A library in the race of points.
pub trait Answerer: Sized {
    /// Name, version, and notes for the reader of the record.
    const ABOUT: [&'static str; 3];
    /// Builds its structures; not timed.
    ///
    /// # Errors
    /// Returns an error if the library refuses the mesh.
    fn build(mesh: &Mesh) -> Result<Self, String>;
    /// Appends two bounds for the result of each query; they are equal for a single number. Timed.
    /// Returns false if the library has no such query.
    fn answer(&mut self, set: &Questions, answers: &mut Vec<[f64; 2]>) -> bool;
}

/// `RUNNER FILE PASSES ANSWERS`: a line for each set, with nanoseconds of processor time a query, the least
/// of PASSES passes after an untimed one, or `-`; and all results into the file ANSWERS.
pub fn main<A: Answerer>() -> ExitCode {
    match run::<A>().and_then(|text| std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run<A: Answerer>() -> Result<String, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, passes, out] = &*words else { return Err("usage: RUNNER FILE PASSES ANSWERS".to_owned()) };
    let passes: usize = passes.parse().map_err(|_| format!("`{passes}` is not a number"))?;
    let file = File::read(file)?;
    let mut answerer = A::build(&file.mesh)?;
    let (mut text, mut bytes, mut answers) = (String::new(), Vec::new(), Vec::new());
    for (key, value) in ["engine", "version", "notes"].into_iter().zip(A::ABOUT) {
        line(&mut text, format_args!("#{key}\t{value}"));
    }
    for (number, set) in file.sets.iter().enumerate() {
        answers.clear();
        if !answerer.answer(set, &mut answers) {
            line(&mut text, format_args!("{number}\t{}\t-", set.name));
            continue;
        }
        let mut least = f64::INFINITY;
        for _ in 0..passes {
            answers.clear();
            let start = spent()?;
            answerer.answer(set, &mut answers);
            least = least.min((spent()? - start).as_nanos() as f64);
        }
        line(&mut text, format_args!("{number}\t{}\t{:.1}", set.name, least / set.asked.len() as f64));
        bytes.extend(answers.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    }
    std::fs::write(out, bytes).map_err(|error| format!("{out}: {error}"))?;
    Ok(text)
}
