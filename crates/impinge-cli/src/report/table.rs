//! Tables for people, written row by row: a table of two million rows takes no more memory than one of two.
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Between two columns.
const GAP: usize = 2;

/// Names of parts, which may be long, come first in a row; numbers follow.
pub(super) struct Table<'a> {
    /// Headings may have several lines. One that begins with `>` stands over numbers, to the right.
    pub(super) headings: &'a [&'a str],
    /// How many columns, from the left, hold names.
    pub(super) names: usize,
    /// What a terminal shows in a line. Where a row would be longer, its names stand on lines of their own
    /// above the numbers, and are never broken: a name that is broken cannot be searched for.
    pub(super) width: Option<u16>,
}

impl Table<'_> {
    /// Writes what `rows` gives, which is asked twice: first for the columns' widths.
    pub(super) fn write<R: Iterator<Item = Vec<String>>>(
        &self,
        rows: impl Fn() -> R,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut widths: Vec<usize> = self
            .headings
            .iter()
            .map(|heading| heading.lines().map(|line| shown(line).width()).max())
            .map(Option::unwrap_or_default)
            .collect();
        for row in rows() {
            for (width, cell) in widths.iter_mut().zip(&row) {
                *width = (*width).max(cell.width());
            }
        }
        let across =
            |columns: &[usize]| columns.iter().sum::<usize>() + GAP * columns.len().saturating_sub(1);
        let stacked = self.names > 0 && self.width.is_some_and(|most| across(&widths) > usize::from(most));
        // Numbers below a name are set off from it by an empty first column.
        let (from, indent) = if stacked { (self.names, GAP) } else { (0, 0) };

        self.write_headings(&widths, (from, indent), out)?;
        let rule = if stacked { indent + across(&widths[from..]) } else { across(&widths) };
        writeln!(out, "{}", "─".repeat(rule))?;
        for row in rows() {
            if stacked {
                row[..from].iter().try_for_each(|name| writeln!(out, "{name}"))?;
            }
            self.write_line(&row, &widths, (from, indent), out)?;
        }
        Ok(())
    }

    fn write_headings(&self, widths: &[usize], place: (usize, usize), out: &mut dyn Write) -> io::Result<()> {
        let height = self.headings.iter().map(|heading| heading.lines().count()).max().unwrap_or_default();
        if place.0 > 0 {
            let names: Vec<_> = self.headings[..place.0].iter().map(|name| name.replace('\n', " ")).collect();
            writeln!(out, "{}", names.join(", "))?;
        }
        for line in 0..height {
            let cells: Vec<String> = self
                .headings
                .iter()
                .map(|heading| shown(heading.lines().nth(line).unwrap_or_default()).to_owned())
                .collect();
            self.write_line(&cells, widths, place, out)?;
        }
        Ok(())
    }

    /// One line of the columns from `from` on, without blanks at its end.
    fn write_line(
        &self,
        cells: &[String],
        widths: &[usize],
        (from, indent): (usize, usize),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut line = " ".repeat(indent);
        for (i, cell) in cells.iter().enumerate().skip(from) {
            if i > from {
                line.push_str(&" ".repeat(GAP));
            }
            let blanks = " ".repeat(widths[i].saturating_sub(cell.width()));
            let right = self.headings[i].starts_with('>');
            let [before, after] = if right { [blanks.as_str(), ""] } else { ["", blanks.as_str()] };
            line.extend([before, cell, after]);
        }
        writeln!(out, "{}", line.trim_end())
    }
}

/// A line of a heading without the mark of its alignment.
fn shown(heading: &str) -> &str {
    heading.trim_start_matches('>')
}

#[cfg(test)]
mod tests {
    use super::Table;

    fn written(width: Option<u16>, rows: &[[&str; 3]]) -> String {
        let table = Table { headings: &["part", "meets part", ">triangle\npairs"], names: 2, width };
        let mut out = Vec::new();
        let rows = || rows.iter().map(|row| row.map(str::to_owned).to_vec());
        table.write(rows, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let wide = "part     meets part  triangle\n\
                    \u{20}                       pairs\n\
                    ─────────────────────────────\n\
                    frame    blade              1\n\
                    Öse, 孔  tip            1 000\n";
        let rows = [["frame", "blade", "1"], ["Öse, 孔", "tip", "1 000"]];
        assert_eq!(written(None, &rows), wide);
        assert_eq!(written(Some(29), &rows), wide);
    }

    #[test]
    fn a_name_is_never_broken() {
        let long = "IfcBeam_10108_3JPq8Lr7j608o_19_tHVwL";
        let table = written(Some(40), &[[long, "wall of bricks", "42"]]);
        assert_eq!(
            table,
            format!(
                "part, meets part\n  triangle\n     pairs\n──────────\n{long}\nwall of bricks\n        42\n"
            )
        );
    }
}
