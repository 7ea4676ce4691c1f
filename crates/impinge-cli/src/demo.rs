//! `impinge demo`: a built-in assembly as a file.
use crate::{built_in::BuiltIn, output::Sink};
use anyhow::bail;
use clap::Args;
use impinge_check::values::numbers::count;
use std::{
    io::{self, Write},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  impinge demo gearbox -o gearbox.glb
  impinge check gearbox.glb              finds what `impinge check` finds";

/// Write a built-in assembly as a GLB file.
///
/// glTF is in metres, so that millimetres are divided by 1,000, and its coordinates are f32, to which the
/// quotients are rounded: the same parts clash as in the assembly that is built in.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// Assembly: gearbox or lattice
    #[arg(value_enum, hide_possible_values = true)]
    name: BuiltIn,

    /// Write the assembly to FILE, complete or not at all
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

impl Demo {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let Some(path) = self.output else {
            bail!("a GLB file is no sight for a terminal; say where to write it, for example -o gearbox.glb");
        };
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb")) {
            bail!("{}: only GLB is written; the name must end in .glb", path.display());
        }
        let sink = Sink::new(Some(&path), [])?;
        let parts = self.name.in_metres()?;
        let mut rounded = 0;
        sink.write(|out| {
            rounded = impinge_io::write_glb(&parts, out)?;
            Ok(())
        })?;
        if rounded > 0 {
            // Where stderr is closed, nobody reads the warning.
            let _ = writeln!(io::stderr(), "impinge: warning: {rounded} coordinates were rounded to f32");
        }
        sink.summary(&format!("{} in metres, the unit of glTF.", count(parts.len() as u64, "part")))
    }
}
