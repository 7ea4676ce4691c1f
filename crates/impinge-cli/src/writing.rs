//! Arguments about how a report is written.
use crate::{
    args,
    images::{self, Images},
    output::{self, Sink},
    progress::Progress,
    today::today,
};
use anyhow::bail;
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use impinge_check::{Relations, Report, baseline::Baseline, files, report::GroupBy};
use impinge_report::{
    BcfReport, BcfVersion, CsvReport, FORMATS, Format, GlbReport, HtmlReport, JsonReport, JunitReport,
    KnownFault, MarkdownReport, Pictures, ReportWriter, TableReport, XlsxReport, summary,
};
use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
};

/// Places and formats of a report.
#[derive(Args)]
pub(crate) struct Writing {
    /// Set the format [default: by the ending of FILE]
    ///
    /// Formats: table, json, html, csv, markdown, junit, dot, bcf, navisworks, glb, xlsx. Without --output
    /// the report is a table. With several outputs, their endings choose the formats.
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = formats(),
        help_heading = "Output",
        hide_possible_values = true
    )]
    format: Option<Format>,

    /// Write .html .json .csv .md .xml (JUnit) .bcf .xlsx .glb; repeatable
    ///
    /// The ending chooses the format: also .navisworks.xml, .txt (a table) and .dot (a graph of contacts).
    /// One run writes all files. A file is complete or not written at all. A summary is printed. `-` is
    /// standard output.
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Vec<PathBuf>,

    /// Show at most N rows, 0 for all [default: 100]
    ///
    /// The gravest come first. The default is 20 rows for Markdown, and 1000 cases for a suite of JUnit XML.
    /// A file with fewer rows than findings states how many it omits. Other formats always have all findings.
    #[arg(long, value_name = "N", help_heading = "Output")]
    limit: Option<usize>,

    /// Begin CSV with a byte order mark
    ///
    /// Some spreadsheets need it for letters beyond ASCII.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    csv_bom: bool,

    /// Limit the size of an HTML page or of a GLB
    ///
    /// A larger page omits the meshes of the least grave groups; it still lists all findings and their parts
    /// [default: 50M]. In a GLB the limit is the size of all meshes [default: 200M]
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = args::size,
        help_heading = "Output",
        hide_short_help = true
    )]
    max_size: Option<u64>,

    /// Set the version of BCF: 2.1 or 3.0 [default: 2.1]
    ///
    /// Many programs read only 2.1.
    #[arg(
        long,
        value_name = "VERSION",
        value_parser = bcf_versions(),
        help_heading = "Output",
        hide_short_help = true,
        hide_possible_values = true
    )]
    bcf_version: Option<BcfVersion>,
}

/// The default number of rows of the table.
const ROWS: usize = 100;

/// The default number of rows of each table in Markdown.
const MARKDOWN_ROWS: usize = 20;

/// The default number of cases in a suite of JUnit XML.
const CASES: usize = 1000;

/// Why counts of findings are not written as CSV.
const NO_COUNTS: &str = "--what-if: is about tables and JSON; no other format has a place for counts";

/// Every format by its name.
fn formats() -> impl TypedValueParser<Value = Format> {
    let values = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(values)
        .try_map(|name| FORMATS.iter().copied().find(|format| format.name == name).ok_or("no such format"))
}

/// Every version of BCF by its name.
fn bcf_versions() -> impl TypedValueParser<Value = BcfVersion> {
    let names = BcfVersion::ALL.map(BcfVersion::name);
    PossibleValuesParser::new(names).try_map(|name| {
        BcfVersion::ALL.into_iter().find(|version| version.name() == name).ok_or("no such version")
    })
}

/// The contents of the table besides findings that count.
pub(crate) struct Shown<'a> {
    pub(crate) relations: Relations,
    pub(crate) contacts: bool,
    /// The property that findings of a group share; `None` if all are listed.
    pub(crate) groups: Option<GroupBy>,
    /// True if groups have examples in place of points.
    pub(crate) statistics: bool,
    /// The folder for pictures of the groups.
    pub(crate) images: Option<&'a Images>,
    /// The faults of a built-in assembly.
    pub(crate) faults: Option<Vec<KnownFault>>,
    /// The baseline after this report, which a page edits, and whose comments BCF has.
    pub(crate) baseline: Option<Baseline>,
}

/// The results that are written, each with its place and format.
pub(crate) struct Outputs(Vec<(Format, Sink)>);

impl Writing {
    /// The files that are written.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.output.iter().map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }
    /// The results that are written, of a check that counts findings at other clearances, or not. Refuses
    /// what can be seen to fail before the work is done, to replace one of the `inputs`, two results in one
    /// file, and options that have no meaning in any of the formats.
    pub(crate) fn results<'a>(
        &self,
        inputs: impl IntoIterator<Item = &'a Path> + Clone,
        has_what_if: bool,
    ) -> anyhow::Result<Outputs> {
        if self.format.is_some() && self.output.len() > 1 {
            bail!("--format: is about one result; of several, the ending of each file gives its format");
        }
        let mut sinks = Vec::new();
        if self.output.is_empty() {
            sinks.push(Sink::new(None, [])?);
        }
        for (i, path) in self.output.iter().enumerate() {
            if let Some(other) = self.output[..i].iter().find(|other| files::is_one_place(other, path)) {
                bail!("-o: {} and {} are one place", other.display(), path.display());
            }
            sinks.push(Sink::new(Some(path), inputs.clone())?);
        }
        let formats = self.formats()?;
        let has = |names: &[&str]| formats.iter().any(|format| names.contains(&format.name));
        let is_printed = self.output.is_empty() || self.files().count() < self.output.len();
        if is_printed && has(&["glb", "xlsx"]) && std::io::stdout().is_terminal() {
            bail!("a GLB or XLSX file is no sight for a terminal; say where to write it, as -o clashes.glb");
        }
        if self.limit.is_some() && !has(&["table", "markdown", "junit"]) {
            let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
            bail!(
                "--limit: sets the rows of tables and Markdown and the cases of JUnit XML; {} holds every finding: \
                 leave --limit out",
                names.join(", ")
            );
        }
        if self.csv_bom && !has(&["csv"]) {
            bail!("--csv-bom: is about CSV");
        }
        if self.max_size.is_some() && !has(&["html", "glb"]) {
            bail!("--max-size: is about HTML and GLB");
        }
        if self.bcf_version.is_some() && !has(&["bcf"]) {
            bail!("--bcf-version: is about BCF");
        }
        if has_what_if
            && formats
                .iter()
                .all(|format| matches!(format.name, "csv" | "junit" | "bcf" | "navisworks" | "glb" | "xlsx"))
        {
            bail!(NO_COUNTS);
        }
        Ok(Outputs(formats.into_iter().zip(sinks).collect()))
    }
    /// The format of each result. Refuses endings that stand for no format: such a file must not end up with
    /// a table in it.
    fn formats(&self) -> anyhow::Result<Vec<Format>> {
        if self.output.is_empty() {
            return Ok(vec![self.format.unwrap_or(FORMATS[0])]);
        }
        self.output.iter().map(|path| self.format.map_or_else(|| format_of(path), Ok)).collect()
    }
    fn rows(&self, usual: usize) -> usize {
        match self.limit {
            Some(0) => usize::MAX,
            Some(limit) => limit,
            None => usual,
        }
    }
    /// The most rows that a table shows, if all results are tables that do not show all.
    pub(crate) fn most_rows(&self, results: &Outputs) -> Option<usize> {
        let rows = |(format, _): &(Format, Sink)| match format.name {
            "table" => Some(self.rows(ROWS)),
            "markdown" => Some(self.rows(MARKDOWN_ROWS)),
            _ => None,
        };
        let rows: Option<Vec<usize>> = results.0.iter().map(rows).collect();
        rows?.into_iter().max().filter(|&rows| rows < usize::MAX)
    }
    /// Writes all results, and a summary if they went into files. Each picture is drawn once for all of them
    /// and for the folder of images.
    pub(crate) fn write(
        &self,
        report: &Report,
        shown: &Shown<'_>,
        results: &Outputs,
        threads: u16,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let writers: Vec<_> =
            results.0.iter().map(|(format, sink)| (self.writer(*format, shown, sink), sink)).collect();
        let uses = writers.iter().flat_map(|(writer, _)| writer.pictures(report));
        let pictures = Pictures::new(report).share(uses);
        images::draw(&pictures, shown.images, shown.groups.as_ref(), threads, progress)?;
        for (writer, sink) in &writers {
            sink.write(|out| Ok(writer.write_with(&pictures, out)?))?;
        }
        let sinks: Vec<&Sink> = writers.iter().map(|(_, sink)| *sink).collect();
        output::print_summary(&sinks, &summary(report, Sink::Stdout.columns()))
    }
    fn writer(&self, format: Format, shown: &Shown<'_>, sink: &Sink) -> Box<dyn ReportWriter> {
        let by = shown.groups.clone();
        match format.name {
            "table" => {
                let table = TableReport::new().rows(self.rows(ROWS)).columns(sink.columns());
                let table = table.show(shown.relations).contacts(shown.contacts);
                let table = table.groups(by).statistics(shown.statistics);
                Box::new(match &shown.faults {
                    Some(faults) => table.example(faults.clone()),
                    None => table,
                })
            }
            "markdown" => {
                let markdown = MarkdownReport::new().rows(self.rows(MARKDOWN_ROWS));
                let folder = shown.images.and_then(Images::folder).map(|folder| from_file(sink, folder));
                let markdown = folder.into_iter().fold(markdown, MarkdownReport::pictures);
                Box::new(markdown.groups(by).statistics(shown.statistics))
            }
            "junit" => Box::new(JunitReport::new().cases(self.rows(CASES)).groups(by)),
            "html" => {
                let html = HtmlReport::new().groups(by);
                let html = self.max_size.into_iter().fold(html, HtmlReport::max_size);
                Box::new(shown.baseline.iter().fold(html, |html, next| html.baseline(next.to_text())))
            }
            "bcf" => {
                let bcf = BcfReport::new().groups(by).date(today());
                let bcf = self.bcf_version.into_iter().fold(bcf, BcfReport::version);
                Box::new(shown.baseline.iter().fold(bcf, |bcf, next| bcf.baseline(next.clone())))
            }
            "glb" => {
                let glb = GlbReport::new().groups(by.unwrap_or_default());
                Box::new(self.max_size.into_iter().fold(glb, GlbReport::max_size))
            }
            "xlsx" => Box::new(XlsxReport::new().groups(by.unwrap_or_default())),
            "json" => Box::new(JsonReport::new().groups(by.unwrap_or_default())),
            "csv" => Box::new(CsvReport::new().byte_order_mark(self.csv_bom).groups(by.unwrap_or_default())),
            _ => (format.writer)(),
        }
    }
}

impl Outputs {
    /// True if a result has the format of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(format, _)| format.name == name)
    }
    /// The name of a format that shows contacts, if a result has one. The check has to measure contacts for
    /// it.
    pub(crate) fn of_contacts(&self) -> Option<&'static str> {
        self.0.iter().map(|(format, _)| format).find(|format| format.contacts).map(|format| format.name)
    }
}

/// The path of a folder as a page in the sink's file names it; for stdout that of the current folder.
fn from_file(sink: &Sink, folder: &Path) -> String {
    // The folder itself may not exist yet.
    let parent = |path: &Path| {
        let parent = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
        parent.canonicalize().unwrap_or_else(|_| parent.to_owned())
    };
    let start = match sink {
        Sink::File(path) => parent(path),
        Sink::Stdout => parent(Path::new("page")),
    };
    let folder = parent(folder).join(folder.file_name().unwrap_or_default());
    let common = start.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return folder.to_string_lossy().into_owned();
    }
    let up = start.components().skip(common).map(|_| "..".to_owned());
    let down = folder.components().skip(common).map(|one| one.as_os_str().to_string_lossy().into_owned());
    let path = up.chain(down).collect::<Vec<_>>().join("/");
    if path.is_empty() { ".".to_owned() } else { path }
}

/// The format that the ending of a file's name stands for; without one it is a table.
fn format_of(path: &Path) -> anyhow::Result<Format> {
    let Some(extension) = path.extension() else { return Ok(FORMATS[0]) };
    let extension = extension.to_string_lossy().to_lowercase();
    let Some(format) = Format::of_file(path) else {
        let known: Vec<_> = FORMATS.iter().map(|format| format.extension).collect();
        bail!(
            "{}: no result is written as .{extension}, only as .{}; --format names one",
            path.display(),
            known.join(", .")
        );
    };
    Ok(format)
}

#[cfg(test)]
mod tests {
    use super::Writing;
    use clap::Parser;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        writing: Writing,
    }

    fn format(words: &[&str]) -> anyhow::Result<&'static str> {
        let words = Words::try_parse_from(["check"].iter().chain(words))?;
        Ok(words.writing.results([], false)?.0[0].0.name)
    }

    #[test]
    fn the_ending_of_a_file_says_the_format() {
        for (file, name) in [
            ("c.csv", "csv"),
            ("c.JSON", "json"),
            ("c.txt", "table"),
            ("c", "table"),
            ("/dev/null", "table"),
            ("c.dot", "dot"),
            ("c.glb", "glb"),
            ("c.xlsx", "xlsx"),
            ("c.html", "html"),
            ("c.md", "markdown"),
            ("c.xml", "junit"),
            ("c.bcf", "bcf"),
            ("c.Navisworks.XML", "navisworks"),
            ("navisworks.xml", "junit"),
        ] {
            assert_eq!(format(&["-o", file]).unwrap(), name, "{file}");
            assert_eq!(format(&["-o", file, "--format", "json"]).unwrap(), "json", "{file}");
        }
        assert_eq!(format(&[]).unwrap(), "table");
        for wrong in ["c.table", "engine.stl"] {
            let said = format(&["-o", wrong]).unwrap_err().to_string();
            assert!(
                said.contains(
                    ".txt, .json, .html, .csv, .md, .xml, .dot, .bcf, .navisworks.xml, .glb, .xlsx; --format"
                ),
                "{said}"
            );
            assert_eq!(format(&["-o", wrong, "--format", "csv"]).unwrap(), "csv");
        }
        assert!(format(&["-o", "c.json", "--csv-bom"]).is_err());
        assert!(format(&["--format", "ods"]).is_err());
    }
}
