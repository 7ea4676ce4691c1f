//! Formats of results.
use clap::ValueEnum;

/// The columns of the terminal, if there is one.
pub(crate) fn columns() -> Option<u16> {
    terminal_size::terminal_size().map(|(width, _)| width.0)
}

/// The format of a result.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
}
