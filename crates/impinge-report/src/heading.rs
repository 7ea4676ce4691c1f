//! [`Heading`]: headings of columns of numbers.
use impinge_check::{Report, Unit};

/// Heading of a column of numbers.
pub(crate) struct Heading {
    /// Name of the quantity, in one line or two.
    pub(crate) what: &'static str,
    pub(crate) unit: Option<&'static str>,
}

impl Heading {
    /// Heading for a [`Table`](crate::Table), with the unit in the second line.
    pub(crate) fn of_table(&self) -> String {
        let Self { what, unit } = self;
        match unit {
            Some(unit) if what.contains('\n') => format!(">{what}, {unit}"),
            Some(unit) => format!(">{what}\n{unit}"),
            None => format!(">{what}"),
        }
    }
    /// Heading for Markdown, in one line.
    pub(crate) fn of_markdown(&self) -> String {
        let what = self.what.replace('\n', " ");
        self.unit.map_or_else(|| format!(">{what}"), |unit| format!(">{what} ({unit})"))
    }
}

/// Headings of the coordinates of an example, for a [`Table`](crate::Table).
pub(crate) fn example_headings(report: &Report, first: &'static str) -> [String; 3] {
    let unit = report.unit().map(Unit::symbol);
    [first, "y", "z"].map(|what| Heading { what, unit }.of_table())
}
