//! Arguments about how a report is written.
use crate::output::Sink;
use anyhow::bail;
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use impinge_check::{GroupBy, Relations, Report};
use impinge_report::{
    CsvReport, FORMATS, Format, JsonReport, KnownFault, ReportWriter, TableReport, summary,
};
use std::path::{Path, PathBuf};

/// Where a report is written, and in which form.
#[derive(Args)]
pub(crate) struct Writing {
    /// How to write the result. Without it the ending of FILE gives the format; without FILE it is a table.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    format: Option<Format>,

    /// Write the result to FILE: whole or, if anything goes wrong, not at all. A summary is printed.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Rows of the table: if there are more, the first by rank are shown; 0 shows all. Other formats always
    /// hold all.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Begin CSV with a byte order mark: some spreadsheets take letters beyond ASCII for others without it.
    #[arg(long)]
    csv_bom: bool,
}

/// The default number of rows of the table.
const ROWS: usize = 100;

/// Why counts of findings are not written as CSV.
const NO_COUNTS: &str =
    "--what-if: is about the table and JSON; CSV has a row for each pair, and none for counts";

/// Every format by its name.
fn formats() -> impl TypedValueParser<Value = Format> {
    let values = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(values)
        .try_map(|name| FORMATS.iter().copied().find(|format| format.name == name).ok_or("no such format"))
}

/// What the table shows besides what counts.
pub(crate) struct Shown {
    pub(crate) relations: Relations,
    pub(crate) contacts: bool,
    /// What findings of a group have in common; `None` if all are listed.
    pub(crate) groups: Option<GroupBy>,
    /// Whether groups have examples in place of points.
    pub(crate) statistics: bool,
    /// The faults of a built-in assembly.
    pub(crate) faults: Option<Vec<KnownFault>>,
}

impl Writing {
    /// The file that is written, if there is to be one.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }
    /// The format that is written, of a check that counts findings at other clearances, or not. Refuses
    /// options that have no meaning in it, and endings that stand for no format: such a file must not end up
    /// with a table in it.
    pub(crate) fn format(&self, has_what_if: bool) -> anyhow::Result<Format> {
        let extension = self.output().and_then(Path::extension).filter(|_| self.format.is_none());
        let format = match (self.format, extension) {
            (Some(format), _) => format,
            (None, None) => FORMATS[0],
            (None, Some(extension)) => {
                let extension = extension.to_string_lossy().to_lowercase();
                let Some(format) = FORMATS.iter().find(|format| format.extension == extension) else {
                    let known: Vec<_> = FORMATS.iter().map(|format| format.extension).collect();
                    let name = self.output().unwrap_or(Path::new("")).display();
                    bail!(
                        "{name}: no result is written as .{extension}, only as .{}; or say --format",
                        known.join(", .")
                    );
                };
                *format
            }
        };
        if self.limit.is_some() && format.name != "table" {
            bail!("--limit: is about the table; other formats hold every clash");
        }
        if self.csv_bom && format.name != "csv" {
            bail!("--csv-bom: is about CSV");
        }
        if has_what_if && format.name == "csv" {
            bail!(NO_COUNTS);
        }
        Ok(format)
    }
    /// How many rows are shown, if it is a table that does not show all.
    pub(crate) fn rows(&self, format: Format) -> Option<usize> {
        let limit = self.limit.unwrap_or(ROWS);
        (format.name == "table" && limit > 0).then_some(limit)
    }
    /// Writes the report, and a summary if it went into a file.
    pub(crate) fn write(
        &self,
        report: &Report,
        (format, shown): (Format, Shown),
        sink: &Sink,
    ) -> anyhow::Result<()> {
        let rows = self.rows(format).unwrap_or(usize::MAX);
        let writer: Box<dyn ReportWriter> = match format.name {
            "table" => {
                let table = TableReport::new().rows(rows).columns(sink.columns());
                let table = table
                    .show(shown.relations)
                    .contacts(shown.contacts)
                    .groups(shown.groups)
                    .statistics(shown.statistics);
                Box::new(match shown.faults {
                    Some(faults) => table.example(faults),
                    None => table,
                })
            }
            "json" => Box::new(JsonReport::new().groups(shown.groups.unwrap_or_default())),
            "csv" => Box::new(CsvReport::new().byte_order_mark(self.csv_bom)),
            _ => (format.writer)(),
        };
        sink.write(|out| Ok(writer.write(report, out)?))?;
        sink.summary(&summary(report))
    }
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
        Ok(words.writing.format(false)?.name)
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
            ("c.graphml", "graphml"),
            ("c.svg", "svg"),
        ] {
            assert_eq!(format(&["-o", file]).unwrap(), name, "{file}");
            assert_eq!(format(&["-o", file, "--format", "json"]).unwrap(), "json", "{file}");
        }
        assert_eq!(format(&[]).unwrap(), "table");
        for wrong in ["c.table", "engine.glb"] {
            let said = format(&["-o", wrong]).unwrap_err().to_string();
            assert!(said.contains(".txt, .json, .csv, .dot, .graphml, .svg; or say"), "{said}");
            assert_eq!(format(&["-o", wrong, "--format", "csv"]).unwrap(), "csv");
        }
        assert!(format(&["-o", "c.json", "--csv-bom"]).is_err());
        assert!(format(&["--format", "xlsx"]).is_err());
    }
}
