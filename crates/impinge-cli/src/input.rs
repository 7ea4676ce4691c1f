//! Parts from files. The one place where this program meets the readers.
use crate::{args::Reading, progress::Progress, standard_input};
use anyhow::anyhow;
use impinge_check::{
    Assembly, Part, Pool, Unit,
    sources::{FileUnits, Hull, Omission, Source, offset_warnings, unit_warnings},
    values::{Warning, text::printable},
};
use impinge_io::Limits;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The contents of the input files.
pub(crate) struct Files {
    /// The parts of all, in file order.
    pub(crate) assembly: Assembly,
    /// The number of parts of each file.
    pub(crate) counts: Vec<usize>,
    /// The number of sources of each file. A bundle may have several.
    pub(crate) sources: Vec<usize>,
    /// The number of warnings of the readers. The warnings after these compare files.
    pub(crate) of_readers: usize,
}

impl Files {
    /// The parts of each file.
    pub(crate) fn each(self) -> (Vec<Vec<Part>>, Vec<impinge_io::Warning>) {
        let mut parts = self.assembly.parts.into_iter();
        let files = self.counts.iter().map(|&count| parts.by_ref().take(count).collect());
        (files.collect(), self.assembly.warnings)
    }
}

/// Warnings that are printed; a file can give rise to a million, and JSON lists them all.
const PRINTED: usize = 20;

/// Reads files, several at once. Warnings also go to stderr.
pub(crate) fn read(
    paths: &[PathBuf],
    reading: &Reading,
    pool: &Pool,
    progress: &Progress,
) -> anyhow::Result<Files> {
    standard_input::check(paths, reading)?;
    let options = options(reading);
    // The reader reports a file whose size cannot be read.
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |meta| meta.len());
    let inputs = paths.iter().map(|path| Input::of(path, &options)).collect::<anyhow::Result<Vec<_>>>()?;
    let all: Vec<PathBuf> = inputs.iter().flat_map(|input| input.files.iter().cloned()).collect();
    progress.stage(stage_name(&all), all.iter().map(size).sum());
    let done = pool.each(&all, |path| {
        let file = read_one(path, reading, &options);
        progress.step(size(path));
        file
    });
    let mut files =
        Files { assembly: Assembly::default(), counts: Vec::new(), sources: Vec::new(), of_readers: 0 };
    let mut hulls = Vec::with_capacity(all.len());
    let mut done = done.into_iter();
    for input in inputs {
        let (mut parts, mut sources) = (0, 0);
        for (path, file) in input.files.iter().zip(done.by_ref()) {
            let file = file.map_err(with_hint)?;
            parts += file.parts.len();
            let own = by_source(path, &file);
            sources += own.len();
            hulls.extend(own.into_iter().map(|(source, parts)| (source, Hull::of(parts))));
            files.assembly.append(file);
        }
        files.counts.push(parts);
        files.sources.push(sources);
        files.assembly.warnings.extend(input.warnings);
        files.assembly.omissions.extend(input.omissions);
    }
    files.of_readers = files.assembly.warnings.len();
    files.assembly.warnings.extend(unit_warnings(&hulls));
    files.assembly.warnings.extend(offset_warnings(hulls.iter().map(|(source, _)| source)));
    let warnings: Vec<Warning> = files.assembly.warnings.iter().map(Warning::from).collect();
    print_warnings(&warnings, progress);
    Ok(files)
}

/// Reads files one after the other, each while `take` has the parts of the one before; then its warnings are
/// with those of all. At most the parts of two files are in memory.
pub(crate) fn read_in_turn(
    paths: &[PathBuf],
    reading: &Reading,
    pool: &Pool,
    progress: &Progress,
    mut take: impl FnMut(Vec<(Source, Vec<Part>)>) -> anyhow::Result<()> + Send,
) -> anyhow::Result<(Vec<Warning>, Vec<Omission>)> {
    standard_input::check(paths, reading)?;
    let options = options(reading);
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |meta| meta.len());
    progress.stage(stage_name(paths), paths.iter().map(size).sum());
    let mut inputs =
        paths.iter().map(|path| Input::of(path, &options)).collect::<anyhow::Result<Vec<_>>>()?;
    let paths: Vec<PathBuf> = inputs.iter_mut().flat_map(|input| std::mem::take(&mut input.files)).collect();
    let read = |i: usize| paths.get(i).map(|path| read_one(path, reading, &options).map_err(with_hint));
    let (mut warnings, mut omissions) = (Vec::new(), Vec::new());
    for input in inputs {
        warnings.extend(input.warnings.iter().map(Warning::from));
        omissions.extend(input.omissions.iter().map(Omission::from));
    }
    let mut next = read(0);
    for (i, path) in paths.iter().enumerate() {
        let Some(file) = next else { break };
        let file = file?;
        warnings.extend(file.warnings.iter().map(Warning::from));
        omissions.extend(file.omissions.iter().map(Omission::from));
        let sources: Vec<_> =
            by_source(path, &file).into_iter().map(|(source, parts)| (source, parts.to_vec())).collect();
        drop(file);
        let (taken, following) = pool.join(|| take(sources), || read(i + 1));
        taken?;
        next = following;
        progress.step(size(path));
    }
    Ok((warnings, omissions))
}

/// An argument: a file, or the files of a folder.
struct Input {
    files: Vec<PathBuf>,
    warnings: Vec<impinge_io::Warning>,
    omissions: Vec<impinge_io::Omission>,
}

impl Input {
    fn of(path: &Path, options: &impinge_io::Options) -> anyhow::Result<Self> {
        if standard_input::is(path) || !path.is_dir() {
            return Ok(Self { files: vec![path.to_owned()], warnings: Vec::new(), omissions: Vec::new() });
        }
        let impinge_io::FolderFiles { files, warnings, omissions, .. } =
            impinge_io::folder_files(path, options).map_err(with_hint)?;
        Ok(Self { files, warnings, omissions })
    }
}

/// The contents of a file, or of standard input.
fn read_one(
    path: &Path,
    reading: &Reading,
    options: &impinge_io::Options,
) -> Result<Assembly, impinge_io::Error> {
    if standard_input::is(path) {
        let format = reading.input_format;
        return impinge_io::read_from(io::stdin().lock(), standard_input::NAME, format, options);
    }
    impinge_io::read_with(path, options)
}

/// The sources of a file that was read, one at least, with their parts. Only a bundle has several, or one
/// that is not the file itself.
fn by_source<'a>(path: &Path, file: &'a Assembly) -> Vec<(Source, &'a [Part])> {
    let mut rest = &*file.parts;
    let mut sources: Vec<_> = file
        .sources
        .iter()
        .map(|source| {
            let (own, others) = rest.split_at(source.parts.min(rest.len()));
            rest = others;
            (source.clone(), own)
        })
        .collect();
    if sources.is_empty() {
        sources.push((Source::new(path), rest));
    }
    sources
}

/// The unit of coordinates. Warns if it is another than files state.
pub(crate) fn units(
    assembly: &Assembly,
    stated: Option<Unit>,
    progress: &Progress,
) -> anyhow::Result<FileUnits> {
    let units = FileUnits::of(assembly, stated)?;
    if let Some(warning) = units.warning() {
        progress.warn(&Warning::from(&warning).line());
    }
    Ok(units)
}

/// To stderr.
pub(crate) fn print_warnings(warnings: &[Warning], progress: &Progress) {
    for warning in warnings.iter().take(PRINTED) {
        progress.warn(&warning.line());
    }
    if let Some(more @ 1..) = warnings.len().checked_sub(PRINTED) {
        progress.warn(&format!("there are {more} more; --format json lists all"));
    }
}

/// The options in the readers' form.
fn options(reading: &Reading) -> impinge_io::Options {
    let usual = Limits::new();
    let limits = usual
        .with_parts(reading.max_parts.unwrap_or(usual.parts))
        .with_points(reading.max_points.unwrap_or(usual.points))
        .with_triangles(reading.max_triangles.unwrap_or(usual.triangles))
        .with_bytes(reading.max_bytes.unwrap_or(usual.bytes));
    impinge_io::Options::new().with_limits(limits).with_outside_folder(reading.outside_folder)
}

/// The error, and which option of ours would have prevented it.
fn with_hint(error: impinge_io::Error) -> anyhow::Error {
    let hint = match &error {
        error if error.is_too_large() => {
            "--max-parts, --max-points, --max-triangles and --max-bytes set limits"
        }
        error if error.is_outside_folder() => "--outside-folder allows it",
        _ => return error.into(),
    };
    anyhow!("{:#} ({hint})", anyhow::Error::from(error))
}

fn stage_name(paths: &[PathBuf]) -> String {
    match paths {
        [path] => {
            let path = standard_input::shown(path);
            let name = path.file_name().unwrap_or(path.as_os_str());
            format!("reading {}, bytes", printable(&name.to_string_lossy()))
        }
        _ => format!("reading {} files, bytes", paths.len()),
    }
}
