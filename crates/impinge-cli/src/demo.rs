//! `impinge demo`: a built-in assembly as a file.
use crate::{input::BuiltIn, output::Sink};
use anyhow::bail;
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  impinge demo gearbox -o gearbox.glb
  impinge check gearbox.glb              finds what `impinge check` finds";

/// Write a built-in assembly as a GLB file.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// Which assembly.
    #[arg(value_enum)]
    name: BuiltIn,

    /// Where to: written whole or, if anything goes wrong, not at all.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Demo {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let Some(path) = self.output else {
            bail!("a GLB file is no sight for a terminal; say where to write it, for example -o gearbox.glb");
        };
        Sink::new(Some(&path))?.write(|out| {
            let _ = (self.name.parts(), out);
            bail!("SKELETON until impinge_io::write_glb lands")
        })
    }
}
