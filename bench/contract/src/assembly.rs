//! Race of whole assemblies (see ../../README.md): RUNNER FILE, read by impinge's own readers.
use crate::{complain, spent};
use impinge_io::Format;
pub use impinge_io::Part;
use std::{fmt::Write as _, io::Write as _, path::Path, process::ExitCode};

/// Counts of an engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// Pairs of parts such that a triangle of one meets a triangle of the other.
    pub clashing: usize,
    /// Pairs of triangles that meet, of different parts.
    pub triangle_pairs: usize,
    /// Degenerate triangles that the engine skipped.
    pub left_out: usize,
}

/// A library in the race of assemblies.
pub trait AssemblyLibrary {
    /// Name and configuration.
    const NAME: &'static str;
    /// Version of the library.
    const VERSION: &'static str;
    /// Method, and other notes for the reader of the record.
    const NOTES: &'static str;
    /// Whether it takes parts with poses of their own.
    const TAKES_POSES: bool = false;
    /// Finds every clash; timed.
    ///
    /// # Errors
    /// Returns the reason if the library refuses a mesh.
    fn find(parts: &[Part]) -> Result<Found, String>;
}

/// Runs the whole program.
pub fn main<L: AssemblyLibrary>() -> ExitCode {
    match run::<L>() {
        Ok(text) => match std::io::stdout().lock().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => complain(&format!("cannot write the results: {error}")),
        },
        Err(why) => complain(&why),
    }
}

fn run<L: AssemblyLibrary>() -> Result<String, String> {
    let mut words = std::env::args_os().skip(1);
    let (Some(file), None) = (words.next(), words.next()) else {
        return Err("usage: RUNNER FILE".to_owned());
    };
    let file = Path::new(&file);
    if !L::TAKES_POSES && Format::of(file) != Some(Format::Obj) {
        return Err(format!("{}: only OBJ files are supported, whose parts have no pose", file.display()));
    }
    let begin = spent()?;
    let assembly = impinge_io::read(file).map_err(|error| error.to_string())?;
    let read = spent()?;
    let found = L::find(&assembly.parts)?;
    let end = spent()?;

    let mut text = String::new();
    for (key, value) in [
        ("engine", L::NAME.to_owned()),
        ("version", L::VERSION.to_owned()),
        ("flags", crate::compiled_by()),
        ("notes", L::NOTES.to_owned()),
        ("parts", assembly.parts.len().to_string()),
        ("triangles", assembly.triangles().to_string()),
        ("left_out", found.left_out.to_string()),
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "#{key}\t{value}");
    }
    let milliseconds = |from, to: std::time::Duration| (to - from).as_secs_f64() * 1e3;
    let Found { clashing, triangle_pairs, .. } = found;
    let (reading, rest) = (milliseconds(begin, read), milliseconds(read, end));
    let _ = writeln!(text, "{clashing}\t{triangle_pairs}\t{reading:.3}\t{rest:.3}");
    Ok(text)
}
