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
    /// What a terminal shows in a line.
    pub(super) width: Option<u16>,
}

/// Where the names of a row stand: the first that fits into the terminal. They are never broken, for a name
/// that is broken cannot be searched for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// In columns, as everything else.
    Columns,
    /// In one column: the second below the first.
    OneColumn,
    /// On lines of their own above the numbers.
    Above,
}

impl Table<'_> {
    /// Writes what `rows` gives, which is asked twice: first for the columns' widths.
    pub(super) fn write<R: Iterator<Item = Vec<String>>>(
        &self,
        rows: impl Fn() -> R,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let width_of = |heading: &&str| heading.lines().map(|line| shown(line).width()).max().unwrap_or(0);
        let mut widths: Vec<usize> = self.headings.iter().map(width_of).collect();
        for row in rows() {
            for (width, cell) in widths.iter_mut().zip(&row) {
                *width = (*width).max(cell.width());
            }
        }
        let (names, widths) = self.arrange(&widths);
        let headings: Vec<String> = self.headings.iter().map(|heading| (*heading).to_owned()).collect();
        let [above, cells, below] = self.split(names, headings);
        let heading = |line: usize| {
            let cells = cells.iter().map(|heading| shown(heading.lines().nth(line).unwrap_or("")).to_owned());
            cells.collect::<Vec<_>>()
        };
        if names == Names::Above {
            writeln!(out, "{}", above.join(", "))?;
        }
        let height = cells.iter().map(|heading| heading.lines().count()).max().unwrap_or(0);
        for line in 0..height.max(1 + below.len()) {
            let mut cells = heading(line);
            if let Some(name) = line.checked_sub(1).and_then(|line| below.get(line)) {
                cells[0] = format!("{}{name}", " ".repeat(GAP));
            }
            self.write_line(names, &cells, &widths, out)?;
        }
        let indent = if names == Names::Above { GAP } else { 0 };
        writeln!(out, "{}", "─".repeat(indent + across(&widths)))?;
        for row in rows() {
            let [above, cells, below] = self.split(names, row);
            above.iter().try_for_each(|name| writeln!(out, "{name}"))?;
            self.write_line(names, &cells, &widths, out)?;
            below.iter().try_for_each(|name| writeln!(out, "{}{name}", " ".repeat(GAP)))?;
        }
        Ok(())
    }

    /// Where names stand, and how wide the columns are then, if each was as wide as `widths`.
    fn arrange(&self, widths: &[usize]) -> (Names, Vec<usize>) {
        let fits = |widths: &[usize]| self.width.is_none_or(|most| across(widths) <= usize::from(most));
        if self.names == 0 || fits(widths) {
            return (Names::Columns, widths.to_vec());
        }
        let (names, numbers) = widths.split_at(self.names);
        let below = names[1..].iter().map(|width| GAP + width).max().unwrap_or(0);
        let one_column = [&[names[0].max(below)], numbers].concat();
        if self.names > 1 && fits(&one_column) {
            return (Names::OneColumn, one_column);
        }
        (Names::Above, numbers.to_vec())
    }

    /// What of a row stands above its line, in it, and below it.
    fn split(&self, names: Names, mut row: Vec<String>) -> [Vec<String>; 3] {
        match names {
            Names::Columns => [Vec::new(), row, Vec::new()],
            Names::OneColumn => {
                let below = row.drain(1..self.names).collect();
                [Vec::new(), row, below]
            }
            Names::Above => {
                let numbers = row.split_off(self.names);
                [row, numbers, Vec::new()]
            }
        }
    }

    /// One line without blanks at its end.
    fn write_line(
        &self,
        names: Names,
        cells: &[String],
        widths: &[usize],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let missing = self.headings.len() - widths.len();
        // Numbers below a name are set off from it.
        let mut line = " ".repeat(if names == Names::Above { GAP } else { 0 });
        for (i, (cell, width)) in cells.iter().zip(widths).enumerate() {
            if i > 0 {
                line.push_str(&" ".repeat(GAP));
            }
            let blanks = " ".repeat(width.saturating_sub(cell.width()));
            let heading = if i == 0 && names != Names::Above { 0 } else { i + missing };
            let right = self.headings[heading].starts_with('>');
            let [before, after] = if right { [blanks.as_str(), ""] } else { ["", blanks.as_str()] };
            line.extend([before, cell, after]);
        }
        writeln!(out, "{}", line.trim_end())
    }
}

fn across(columns: &[usize]) -> usize {
    columns.iter().sum::<usize>() + GAP * columns.len().saturating_sub(1)
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
        let rows = [[long, "wall", "42"], ["wall", "roof", "1"]];
        let one_column = format!(
            "part                                  triangle\n\
             \u{20} meets part                             pairs\n\
             {}\n{long}        42\n  wall\n{:36}         1\n  roof\n",
            "─".repeat(46),
            "wall"
        );
        assert_eq!(written(Some(50), &rows), one_column);
        assert_eq!(written(Some(46), &rows), one_column);
        let above = format!(
            "part, meets part\n  triangle\n     pairs\n──────────\n\
             {long}\nwall\n        42\nwall\nroof\n         1\n"
        );
        assert_eq!(written(Some(45), &rows), above);
        assert_eq!(written(Some(1), &rows), above);
    }
}
