//! `impinge convert`: the parts of files as one bundle.
use crate::{
    args,
    input::{self, Files},
    omitted,
    output::Sink,
    progress::Progress,
    threads,
};
use anyhow::{Context, bail};
use clap::Args;
use impinge_check::{Assembly, Unit, parts::distinct_meshes, values::Warning};
use impinge_report::{SummaryLine, aligned};
use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
};

const BRIEF: &str = "\
Examples:
  impinge convert house.obj pipes.stl -o site.impinge
  impinge convert parts.zip --unit mm -o parts.impinge";

const EXAMPLES: &str = "\
Examples:
  impinge convert engine.glb -o engine.impinge
  impinge convert house.obj pipes.stl -o site.impinge   the parts of both, as one assembly
  impinge convert parts.zip --unit mm -o parts.impinge  all files of a ZIP, in millimetres
  impinge check site.impinge                            the same report as of the files
  impinge info site.impinge

A bundle has all numbers without rounding, names, units, warnings, and the SHA-256 digest of each
file. It is a ZIP archive of a JSON document and raw arrays: docs/files.md describes it.

Exit status: 0 done, 2 the work could not be done: then no file is written.";

/// Write the parts of files as one bundle
///
/// The parts of all files become one assembly in one file, *.impinge, which every command reads. Meshes of
/// equal content are stored once. Equal inputs become equal bytes.
#[derive(Args)]
#[command(after_help = BRIEF, after_long_help = EXAMPLES)]
pub(crate) struct Convert {
    /// STL, OBJ, PLY, OFF, glTF, GLB, 3MF, DAE, .impinge; a folder or ZIP of these
    ///
    /// `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Write the bundle to FILE, whose name ends in .impinge
    ///
    /// It is complete or not written at all.
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,

    /// State the unit of the coordinates: um, mm, cm, m, in, ft
    ///
    /// Numbers do not change. A warning names each file (glTF, GLB, 3MF, DAE) that states another unit.
    #[arg(long, value_name = "UNIT", value_parser = args::unit, help_heading = "Input")]
    unit: Option<Unit>,

    /// Use N threads [default: one for each core]
    ///
    /// N is at most eight for each core.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = args::threads(),
        help_heading = "Run",
        hide_default_value = true
    )]
    threads: u16,

    #[command(flatten)]
    reading: args::Reading,
}

impl Convert {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let output = &self.output;
        if !output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("impinge")) {
            bail!("{}: only bundles are written; the name must end in .impinge", output.display());
        }
        let sink = Sink::new(Some(output), self.files.iter().map(PathBuf::as_path))?;
        let progress = Progress::new();
        let pool = threads::pool(self.threads, self.files.iter().map(PathBuf::as_path))?;
        let Files { mut assembly, sources, of_readers, .. } =
            input::read(&self.files, &self.reading, &pool, &progress)?;
        // Who reads the bundle compares its files again.
        assembly.warnings.truncate(of_readers);
        if let Some(unit) = self.unit {
            self.state(unit, &mut assembly, &progress);
        }
        let mut rest = &mut *assembly.sources;
        for (path, count) in self.files.iter().zip(sources) {
            let (own, others) = rest.split_at_mut(count.min(rest.len()));
            rest = others;
            // A bundle's source is another file, whose digest the bundle has or has not.
            let is_folder = path.is_dir();
            for source in own {
                let file = Arc::clone(&source.file);
                if (*file == **path || is_folder && file.starts_with(path))
                    && source.digest.is_none()
                    && fs::metadata(&file).is_ok_and(|meta| meta.is_file())
                {
                    let (bytes, digest) = impinge_io::file_digest(&file)
                        .with_context(|| format!("cannot read {}", file.display()))?;
                    (source.bytes, source.digest) = (Some(bytes), Some(digest));
                }
            }
        }
        let (meshes, _) = distinct_meshes(&assembly.parts);
        let size = meshes.iter().map(|mesh| (24 * mesh.points().len() + 12 * mesh.len()) as u64).sum();
        progress.stage("writing the bundle, bytes", size);
        let mut written = 0;
        sink.write(|out| {
            let mut counted = Counted { out, progress: &progress, bytes: 0 };
            impinge_io::write_bundle(&assembly, &mut counted)?;
            written = counted.bytes;
            Ok(())
        })?;
        drop(progress);
        sink.summary(&summary(&assembly, meshes.len(), written))
    }

    /// States the unit of all files. Each that states another one gets a warning, which the bundle keeps.
    fn state(&self, unit: Unit, assembly: &mut Assembly, progress: &Progress) {
        for source in &mut assembly.sources {
            let other = source.unit.replace(unit).filter(|other| *other != unit);
            if let Some(other) = other {
                let text =
                    format!("states the unit {}; --unit {} replaces it", other.symbol(), unit.symbol());
                let warning = impinge_io::Warning::new(Arc::clone(&source.file), None, text);
                progress.warn(&Warning::from(&warning).line());
                assembly.warnings.push(warning);
            }
        }
    }
}

/// Parts, meshes, bytes, and what is missing.
fn summary(assembly: &Assembly, meshes: usize, bytes: u64) -> String {
    let mut lines = vec![
        SummaryLine::new("Parts", assembly.parts.len() as u64, ""),
        SummaryLine::new("Meshes", meshes as u64, ""),
        SummaryLine::new("Bytes", bytes, ""),
    ];
    lines.extend(omitted::lines(&assembly.omissions));
    let warnings: Vec<_> = assembly.warnings.iter().map(Warning::from).collect();
    lines.extend(SummaryLine::of_warnings(&warnings));
    aligned(&lines, Sink::Stdout.columns())
}

/// Counts bytes, and reports progress.
struct Counted<'a> {
    out: &'a mut dyn Write,
    progress: &'a Progress,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.progress.step(written as u64);
        self.bytes += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
