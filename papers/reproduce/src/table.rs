//! Tables: complete for a spreadsheet, rounded for a reader.
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One entry of a table. In JSON a number, a text, or an object for one that is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Cell {
    Count(u64),
    /// Finite. Readers see three digits.
    Number(f64),
    Text(String),
    /// Not measured, or not printed by the paper: empty in a spreadsheet, and the reason (or nothing) for a
    /// reader.
    Missing {
        missing: Cow<'static, str>,
    },
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
impl From<f64> for Cell {
    /// Number of a cell. A number that is not finite, such as 0 / 0, gives an empty cell.
    fn from(x: f64) -> Self {
        if x.is_finite() { Self::Number(x) } else { Self::missing("undefined") }
    }
}
impl From<usize> for Cell {
    fn from(n: usize) -> Self {
        Self::Count(n as u64)
    }
}
impl From<u64> for Cell {
    fn from(n: u64) -> Self {
        Self::Count(n)
    }
}
impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or_else(|| Self::missing(""), Into::into)
    }
}

impl Cell {
    /// An empty cell, and the reason for a reader.
    pub(crate) fn missing(why: &'static str) -> Self {
        Self::Missing { missing: why.into() }
    }
    fn full(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(n) => n.to_string(),
            Self::Number(x) => x.to_string(),
            Self::Missing { .. } => String::new(),
        }
    }
    fn for_reader(&self) -> String {
        match self {
            Self::Text(text) => text.replace('|', "\\|"),
            Self::Count(n) => grouped(*n),
            Self::Number(x) => rounded(*x),
            Self::Missing { missing } => missing.clone().into_owned(),
        }
    }
    fn is_number(&self) -> bool {
        matches!(self, Self::Count(_) | Self::Number(_))
    }
}

/// Number with three digits, or with all digits before the point.
pub(crate) fn rounded(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    // Rounded first: 9.996 has two digits before the point then.
    let exponent = format!("{x:.2e}").split('e').nth(1).and_then(|e| e.parse::<i32>().ok()).unwrap_or(0);
    match usize::try_from(2 - exponent) {
        Ok(decimals) => format!("{x:.decimals$}"),
        Err(_) => with_commas(&format!("{x:.0}")),
    }
}

/// 22941 as 22,941.
pub(crate) fn grouped(n: u64) -> String {
    with_commas(&n.to_string())
}

fn with_commas(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let mut out = sign.to_owned();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Rows under headings, which name the units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    /// File name without the extension.
    pub(crate) file: String,
    pub(crate) caption: String,
    headings: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(crate) fn new<S: Into<String>>(
        file: impl Into<String>,
        caption: impl Into<String>,
        headings: impl IntoIterator<Item = S>,
    ) -> Self {
        let headings = headings.into_iter().map(Into::into).collect();
        Self { file: file.into(), caption: caption.into(), headings, rows: Vec::new() }
    }
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.headings.len(), "{}: a row does not fit its headings", self.file);
        self.rows.push(cells);
    }

    pub(crate) fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let rows = self.rows.iter().map(|row| row.iter().map(Cell::full).collect());
        let mut whole = true;
        for row in [self.headings.clone()].into_iter().chain(rows) {
            whole &= writer.write_record(&row).is_ok();
        }
        match writer.into_inner() {
            Ok(bytes) if whole => bytes,
            // Rows are as long as the headings, and writing to memory cannot fail.
            _ => unreachable!("{}: a table cannot be written to memory", self.file),
        }
    }

    /// The table in GitHub's Markdown.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let right = |k: usize| self.rows.iter().any(|row| row[k].is_number());
        let mut out = line(self.headings.clone());
        out += &line(
            (0..self.headings.len()).map(|k| if right(k) { "--:" } else { "---" }.to_owned()).collect(),
        );
        for row in &self.rows {
            out += &line(row.iter().map(Cell::for_reader).collect());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("t", "A table.", ["scene", "time (us)", "Nv", "the paper's"]);
        table.row([
            "a, \"b\" | c".into(),
            1234.5678.into(),
            22_941_usize.into(),
            Cell::missing("not measured"),
        ]);
        table.row(["d".into(), 0.000_123_45.into(), 0_usize.into(), Some(3.0).into()]);
        table
    }

    #[test]
    fn a_spreadsheet_gets_every_digit() {
        assert_eq!(
            String::from_utf8(table().csv()).unwrap(),
            "scene,time (us),Nv,the paper's\n\"a, \"\"b\"\" | c\",1234.5678,22941,\nd,0.00012345,0,3\n"
        );
    }

    #[test]
    fn a_reader_gets_three() {
        assert_eq!(
            table().markdown(),
            "| scene | time (us) | Nv | the paper's |\n| --- | --: | --: | --: |\n\
             | a, \"b\" \\| c | 1,235 | 22,941 | not measured |\n| d | 0.000123 | 0 | 3.00 |\n"
        );
        for (x, text) in
            [(9.996, "10.0"), (-12_345.6, "-12,346"), (0.0, "0"), (999.6, "1,000"), (1.0, "1.00")]
        {
            assert_eq!(rounded(x), text);
        }
    }
}
