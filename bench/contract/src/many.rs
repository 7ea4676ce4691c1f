//! Races of many bodies: bodies that all move, and boxes only. ../../runners/cpp/many.h is the C++ version.
//!
//! `RUNNER FILE --method NAME [--query first|pairs] [--warm N] [--frames N]`. Frames run once, in order: some
//! untimed, then the timed ones. Standard output: `#key<TAB>value`, then a line per timed frame: frame,
//! nanoseconds of processor time, number of pairs, number of pairs of triangles, digest of the set of pairs.
use crate::{Mesh, Pose, complain, digest, line, scene::Reader, spent};
use std::{collections::BTreeMap, io::Write as _, process::ExitCode};

/// A scene of many bodies.
#[derive(Debug, Default)]
pub struct Bodies {
    /// Shapes.
    pub meshes: Vec<Mesh>,
    /// Mesh of each body.
    pub bodies: Vec<u32>,
    /// Poses of all bodies in each frame.
    pub frames: Vec<Vec<Pose>>,
}

/// The least and the greatest corner of a box.
pub type Corners = [[f64; 3]; 2];

/// A method under test.
pub trait Race<Frame: ?Sized> {
    /// Sets a frame, outside the clock.
    ///
    /// # Errors
    /// Returns an error if the frame is invalid.
    fn place(&mut self, frame: &Frame) -> Result<(), String>;
    /// Finds all pairs. Timed.
    fn update(&mut self);
    /// Results of the last update, outside the clock: pairs into `pairs`, and the number of pairs of
    /// triangles if the query needs it.
    fn found(&mut self, pairs: &mut Vec<[u32; 2]>) -> usize;
}

/// A method of the race, and notes for the reader of the record.
pub type Made<F> = Result<(Box<dyn Race<[F]>>, String), String>;

/// A library.
pub trait ManyBodiesLibrary {
    /// Its name.
    const NAME: &'static str;
    /// Its version.
    const VERSION: &'static str;
    /// Makes a method for bodies, and its notes. With `all` it finds all pairs of triangles, otherwise only
    /// which bodies meet.
    ///
    /// # Errors
    /// Returns an error if there is no method of that name, or if it refuses the scene.
    fn bodies(scene: &Bodies, method: &str, all: bool) -> Made<Pose>;
    /// Makes a method for boxes.
    ///
    /// # Errors
    /// Returns an error if there is no method of that name.
    fn boxes(first: &[Corners], method: &str) -> Made<Corners>;
}

/// Runs the whole program.
pub fn main<L: ManyBodiesLibrary>() -> ExitCode {
    match run::<L>().and_then(|text| std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

struct MovingBox {
    centre: [f64; 3],
    half: f64,
    step: [f64; 3],
}

impl MovingBox {
    fn advance(&mut self) {
        for (x, step) in self.centre.iter_mut().zip(&mut self.step) {
            if *x + *step < 0.0 || *x + *step > 1.0 {
                *step = -*step;
            }
            *x += *step;
        }
    }
    fn corners(&self) -> Corners {
        [self.centre.map(|x| x - self.half), self.centre.map(|x| x + self.half)]
    }
}

fn run<L: ManyBodiesLibrary>() -> Result<String, String> {
    let (mut file, mut options) = (None, BTreeMap::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.strip_prefix("--") {
            Some(name) => {
                options.insert(name.to_owned(), words.next().ok_or_else(|| format!("{word} needs a value"))?);
            }
            None => file = Some(word),
        }
    }
    let file =
        file.ok_or("usage: RUNNER FILE --method NAME [--query first|pairs] [--warm N] [--frames N]")?;
    let mut take = |name: &str, default: &str| options.remove(name).unwrap_or_else(|| default.to_owned());
    let (method, query) = (take("method", ""), take("query", "first"));
    let mut number = |name: &str, default: &str| {
        let text = take(name, default);
        text.parse::<usize>().map_err(|_| format!("--{name} must be a number, not `{text}`"))
    };
    let (warm, frames) = (number("warm", "10")?, number("frames", "1000000")?);
    if let Some(name) = options.keys().next() {
        return Err(format!("no such option: --{name}"));
    }
    let bytes = std::fs::read(&file).map_err(|error| format!("{file}: cannot be read: {error}"))?;
    let mut reader = Reader { bytes: &bytes, at: 0 };
    let at = |why: String, at: usize| format!("{file}: byte {at}: {why}");
    let magic = reader.take::<8>("the magic number").map_err(|why| at(why, 0))?;
    let (mut rows, about);
    match &magic {
        b"IMPMANYB" => {
            let scene = bodies(&mut reader).map_err(|why| at(why, reader.at))?;
            let (mut race, notes) = L::bodies(&scene, &method, query == "pairs")?;
            rows = Rows::default();
            for (i, frame) in scene.frames.iter().enumerate().take(warm + frames) {
                rows.frame(&mut *race, frame, i, i >= warm)?;
            }
            about = notes;
        }
        b"IMPBOXES" => {
            let mut moving = boxes(&mut reader).map_err(|why| at(why, reader.at))?;
            let mut frame: Vec<_> = moving.iter().map(MovingBox::corners).collect();
            let (mut race, notes) = L::boxes(&frame, &method)?;
            rows = Rows::default();
            for i in 0..warm + frames {
                rows.frame(&mut *race, &frame, i, i >= warm)?;
                for (one, corners) in moving.iter_mut().zip(&mut frame) {
                    one.advance();
                    *corners = one.corners();
                }
            }
            about = notes;
        }
        _ => return Err(at("begins neither with IMPMANYB nor with IMPBOXES".to_owned(), 0)),
    }
    let mut text = String::new();
    let flags = crate::compiled_by();
    for (key, value) in [("engine", L::NAME), ("version", L::VERSION), ("flags", &flags), ("notes", &about)] {
        line(&mut text, format_args!("#{key}\t{value}"));
    }
    Ok(text + &rows.text)
}

#[derive(Default)]
struct Rows {
    text: String,
    pairs: Vec<[u32; 2]>,
}

impl Rows {
    fn frame<F: ?Sized>(
        &mut self,
        race: &mut dyn Race<F>,
        frame: &F,
        i: usize,
        timed: bool,
    ) -> Result<(), String> {
        race.place(frame)?;
        let start = spent()?;
        race.update();
        let ns = (spent()? - start).as_nanos();
        if timed {
            self.pairs.clear();
            let triangles = race.found(&mut self.pairs);
            for pair in &mut self.pairs {
                pair.sort_unstable();
            }
            let (count, digest) = (self.pairs.len(), digest(&self.pairs));
            line(&mut self.text, format_args!("{i}\t{ns}\t{count}\t{triangles}\t{digest:016x}"));
        }
        Ok(())
    }
}

fn version(reader: &mut Reader<'_>) -> Result<(), String> {
    match reader.u32("the version")? {
        1 => Ok(()),
        version => Err(format!("version {version}, not 1")),
    }
}

fn bodies(reader: &mut Reader<'_>) -> Result<Bodies, String> {
    version(reader)?;
    let count = reader.count("the number of meshes", 8)?;
    let meshes: Vec<_> = (0..count).map(|_| reader.mesh()).collect::<Result<_, _>>()?;
    let count = reader.count("the number of bodies", 4)?;
    let bodies: Vec<_> = (0..count).map(|_| reader.u32("a body")).collect::<Result<_, _>>()?;
    if bodies.iter().any(|&mesh| mesh as usize >= meshes.len()) {
        return Err("a body has a mesh that does not exist".to_owned());
    }
    let count = reader.count("the number of frames", 96 * bodies.len())?;
    let frame = |_| bodies.iter().map(|_| reader.pose()).collect::<Result<_, _>>();
    let frames = (0..count).map(frame).collect::<Result<_, _>>()?;
    Ok(Bodies { meshes, bodies, frames })
}

fn boxes(reader: &mut Reader<'_>) -> Result<Vec<MovingBox>, String> {
    version(reader)?;
    let count = reader.count("the number of boxes", 56)?;
    let mut one = || {
        let centre = reader.numbers("a centre")?;
        let half = f64::from_le_bytes(reader.take("half a side")?);
        Ok(MovingBox { centre, half, step: reader.numbers("a step")? })
    };
    (0..count).map(|_| one()).collect()
}
