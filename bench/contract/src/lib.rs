//! The contract of all runners (see ../../README.md), in Rust; ../../runners/cpp/runner.h is its C++ version.
mod arguments;
pub mod assembly;
pub mod ccd;
pub mod curves;
pub mod many;
pub mod motion;
pub mod pairs;
pub mod points;
mod scene;
pub mod shapes;
mod sweep;

use self::sweep::Sweep;
pub use self::{
    arguments::{Arguments, Asked},
    scene::{Frame, Mesh, Pose, Scene},
};
use std::{
    fmt::Write as _,
    io::Write as _,
    process::ExitCode,
    time::{Duration, Instant},
};

/// An engine in the race.
pub trait Engine: Sized {
    /// The engine's own options, each with its default.
    const OPTIONS: &'static [(&'static str, &'static str)];
    /// Builds both hierarchies from the meshes of the scene; timed.
    fn build(a: Self::Input, b: Self::Input, arguments: &Arguments) -> Result<Self, String>;
    /// The engine's form of a mesh; the conversion is outside the clock, and its memory is not that of the
    /// hierarchy.
    type Input;
    /// Converts a mesh.
    fn input(mesh: &Mesh) -> Result<Self::Input, String>;
    /// Name and configuration.
    fn name(&self) -> String;
    /// Its version.
    fn version(&self) -> String;
    /// Rounding by the engine, and other notes for the reader of the record.
    fn notes(&self) -> String;
    /// Bytes of vertices and indices that building copied.
    fn copied(&self) -> usize;
    /// Bytes of both hierarchies by the engine's own count, if it has one.
    fn counted(&self) -> Option<usize> {
        None
    }
    /// Sets the poses, outside the clock.
    fn place(&mut self, frame: &Frame) -> Result<(), String>;
    /// Clears `pairs` and fills it with all pairs, or with at most one. Timed. If a call of the engine does
    /// not return the triangles that it found, any pair is pushed.
    fn query(&mut self, all: bool, pairs: &mut Vec<[u32; 2]>);
    /// Distance of the meshes. Timed.
    ///
    /// # Errors
    /// Returns an error if the engine has no such query.
    fn distance(&mut self) -> Result<f64, String> {
        Err("has no --query distance".to_owned())
    }
    /// True if their distance is at most `margin`. Timed.
    ///
    /// # Errors
    /// Returns an error if the engine has no such query.
    fn within(&mut self, _margin: f64) -> Result<bool, String> {
        Err("has no --query within".to_owned())
    }
}

/// Runs the whole program.
pub fn main<E: Engine>() -> ExitCode {
    match run::<E>() {
        Ok(text) => match std::io::stdout().lock().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => complain(&format!("cannot write the results: {error}")),
        },
        Err(why) => complain(&why),
    }
}

/// Prints one line on stderr, and returns status 2.
pub fn complain(why: &str) -> ExitCode {
    let program = std::env::args().next().unwrap_or_default();
    let program = program.rsplit('/').next().unwrap_or_default();
    eprintln!("{program}: {why}");
    ExitCode::from(2)
}

fn run<E: Engine>() -> Result<String, String> {
    let arguments = Arguments::parse(std::env::args().skip(1), E::OPTIONS)?;
    let scene = Scene::read(&arguments.scene)?;
    let inputs = (E::input(&scene.a)?, E::input(&scene.b)?);
    let before = heap_bytes();
    let start = Instant::now();
    let mut engine = E::build(inputs.0, inputs.1, &arguments)?;
    let build = start.elapsed();
    let held = heap_bytes() - before - engine.copied() as i64;
    if arguments.dump.is_empty() {
        measure(&mut engine, &scene, &arguments, build, held)
    } else {
        dump(&mut engine, &scene, &arguments)
    }
}

fn dump(engine: &mut impl Engine, scene: &Scene, arguments: &Arguments) -> Result<String, String> {
    let (mut text, mut pairs) = (String::new(), Vec::new());
    for &frame in &arguments.dump {
        let count = scene.frames.len();
        let poses =
            scene.frames.get(frame).ok_or_else(|| format!("--dump {frame}: the scene has {count} frames"))?;
        engine.place(poses)?;
        engine.query(arguments.query == Asked::Pairs, &mut pairs);
        pairs.sort_unstable();
        if arguments.dump.len() > 1 {
            line(&mut text, format_args!("#frame\t{frame}"));
        }
        for [i, j] in &pairs {
            line(&mut text, format_args!("{i}\t{j}"));
        }
    }
    Ok(text)
}

fn measure(
    engine: &mut impl Engine,
    scene: &Scene,
    arguments: &Arguments,
    build: Duration,
    held: i64,
) -> Result<String, String> {
    struct Row {
        us: Vec<f64>,
        first: f64,
        hit: bool,
        count: usize,
        digest: u64,
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut pairs = Vec::new();
    let sweep = Sweep::new(arguments.sweep);
    let begin = Instant::now();
    // Whole passes, not one frame many times over, so that caches and branch predictors do not adapt to one
    // frame.
    'passes: for pass in 0..=arguments.repeat {
        for (i, frame) in scene.frames.iter().enumerate() {
            engine.place(frame)?;
            sweep.run();
            let clock = Clock::start(arguments.query)?;
            let found = match arguments.query {
                Asked::Pairs | Asked::First => {
                    engine.query(arguments.query == Asked::Pairs, &mut pairs);
                    None
                }
                Asked::Distance => Some(engine.distance()?),
                Asked::Within(margin) => Some(if engine.within(margin)? { 0.0 } else { 1.0 }),
            };
            let us = clock.elapsed()?.as_secs_f64() * 1e6;
            if pass == 0 {
                let hit = found.map_or(!pairs.is_empty(), |x| x == 0.0);
                let count = if found.is_none() { pairs.len() } else { usize::from(hit) };
                let digest = match (arguments.query, found) {
                    (Asked::Pairs, _) => digest(&pairs),
                    (Asked::Distance, Some(x)) => x.to_bits(),
                    _ => u64::from(hit),
                };
                rows.push(Row { us: Vec::new(), first: us, hit, count, digest });
            } else {
                rows[i].us.push(us);
            }
            if arguments.limit.is_some_and(|limit| begin.elapsed() > limit) {
                break 'passes;
            }
        }
    }
    let mut text = String::new();
    for (key, value) in [
        ("engine", engine.name()),
        ("version", engine.version()),
        ("flags", compiled_by()),
        ("notes", engine.notes()),
        ("build_ms", format!("{:.3}", build.as_secs_f64() * 1e3)),
        ("bytes", held.to_string()),
    ] {
        line(&mut text, format_args!("#{key}\t{value}"));
    }
    if let Some(bytes) = engine.counted() {
        line(&mut text, format_args!("#counted\t{bytes}"));
    }
    for (i, row) in rows.iter_mut().enumerate() {
        // The time was up before a second pass.
        if row.us.is_empty() {
            row.us.push(row.first);
        }
        row.us.sort_by(f64::total_cmp);
        let half = row.us.len() / 2;
        let median =
            if row.us.len() % 2 == 1 { row.us[half] } else { (row.us[half - 1] + row.us[half]) / 2.0 };
        let (hit, count, digest) = (u8::from(row.hit), row.count, row.digest);
        line(&mut text, format_args!("{i}\t{median:.3}\t{hit}\t{count}\t{digest:016x}"));
    }
    Ok(text)
}

/// Clock of a query. Distances are long enough for the clock of the process, which ignores other work on the
/// machine but takes some tenths of a microsecond to read.
enum Clock {
    Wall(Instant),
    Process(Duration),
}

impl Clock {
    fn start(query: Asked) -> Result<Self, String> {
        Ok(match query {
            Asked::Distance => Self::Process(spent()?),
            _ => Self::Wall(Instant::now()),
        })
    }
    fn elapsed(&self) -> Result<Duration, String> {
        match self {
            Self::Wall(start) => Ok(start.elapsed()),
            Self::Process(start) => Ok(spent()? - *start),
        }
    }
}

/// Writing to a string cannot fail.
fn line(text: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(what);
    text.push('\n');
}

/// A digest independent of the order of the pairs: it compares frames without listing them.
fn digest(pairs: &[[u32; 2]]) -> u64 {
    pairs.iter().fold(0, |sum: u64, &[i, j]| {
        // The finaliser of splitmix64.
        let mut z = (u64::from(i) << 32 | u64::from(j)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        sum.wrapping_add(z ^ z >> 31)
    })
}

/// Bytes that the heap holds for the program.
fn heap_bytes() -> i64 {
    // SAFETY: mallinfo2 has no arguments, and reads the allocator's own books under its lock.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks as i64 + info.hblkhd as i64
}

/// Processor time of the process with all its threads: other work on the machine does not count.
///
/// # Errors
/// Returns an error if there is no such clock.
pub fn spent() -> Result<Duration, String> {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec that outlives the call.
    match unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) } {
        0 => Ok(Duration::new(now.tv_sec as u64, now.tv_nsec as u32)),
        _ => Err("no clock of the process".to_owned()),
    }
}

/// The compiler of a runner, and its flags.
pub fn compiled_by() -> String {
    format!("{} {}", env!("BENCH_RUSTC"), option_env!("BENCH_FLAGS").unwrap_or("unknown"))
}
