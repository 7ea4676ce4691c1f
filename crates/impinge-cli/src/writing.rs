//! Arguments about how a report is written.
use crate::{
    args::{self, Format},
    output::Sink,
    question::Question,
};
use anyhow::bail;
use clap::Args;
use impinge_check::{Relations, Report};
use impinge_report::{CsvReport, JsonReport, KnownFault, ReportWriter, TableReport, summary};
use std::path::Path;

/// How what was found is written.
#[derive(Args)]
pub(crate) struct Writing {
    #[command(flatten)]
    output: args::Output,

    /// Rows of the table: if there are more, the first by rank are shown; 0 shows all. JSON and CSV always
    /// hold all.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// The default number of rows of the table.
const ROWS: usize = 100;

/// Why counts of findings are not written as CSV.
pub(crate) const NO_COUNTS: &str =
    "--what-if: is about the table and JSON; CSV has a row for each pair, and none for counts";

impl Writing {
    /// The file that is written, if there is to be one.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.output.as_deref()
    }
    /// The format that is written. Refuses options that have no meaning in it.
    pub(crate) fn format(&self, question: &Question) -> anyhow::Result<Format> {
        self.format_of(question.has_what_if())
    }
    /// The format that is written, of a check that counts findings at other clearances, or not.
    pub(crate) fn format_of(&self, has_what_if: bool) -> anyhow::Result<Format> {
        let format = self.output.format()?;
        if self.limit.is_some() && format != Format::Table {
            bail!("--limit: is about the table; JSON and CSV hold every clash");
        }
        if has_what_if && format == Format::Csv {
            bail!(NO_COUNTS);
        }
        Ok(format)
    }
    /// Writes the report, and a summary if it went into a file.
    pub(crate) fn write(
        &self,
        report: &Report,
        (format, show, faults): (Format, Relations, Option<Vec<KnownFault>>),
        sink: &Sink,
    ) -> anyhow::Result<()> {
        let rows = match self.limit.unwrap_or(ROWS) {
            0 => usize::MAX,
            limit => limit,
        };
        let writer: Box<dyn ReportWriter> = match format {
            Format::Table => {
                let table = TableReport::new().rows(rows).columns(sink.columns()).show(show);
                Box::new(match faults {
                    Some(faults) => table.example(faults),
                    None => table,
                })
            }
            Format::Json => Box::new(JsonReport),
            Format::Csv => Box::new(CsvReport::new()),
        };
        sink.write(|out| Ok(writer.write(report, out)?))?;
        sink.summary(&summary(report))
    }
}
