//! Tables for people, written row by row: a table of two million rows takes no more memory than one of two.
use std::{
    io::{self, Write},
    ops::Range,
};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Number of blanks between two columns.
const GAP: usize = 2;
/// Between two names on one line.
const BETWEEN_NAMES: &str = ", ";

/// A table. Names of parts, which may be long, come first in a row; numbers follow.
pub struct Table<'a> {
    /// Headings, which may have several lines. One that begins with `>` and its column are aligned to the
    /// right.
    pub headings: &'a [&'a str],
    /// Number of columns, from the left, that contain names.
    pub names: usize,
    /// Number of columns, from the right, that stay together, such as a point's. They have a line of their
    /// own if nothing else fits into the terminal.
    pub together: usize,
    /// Number of columns of the terminal. Without a terminal, names of more than 48 columns are cut in their
    /// middle.
    pub width: Option<u16>,
}

/// Maximum number of columns of a name without a terminal; a longer one is cut in its middle.
pub(crate) const MOST_OF_NAME: usize = 48;

/// Cuts a name of more than `most` columns in its middle.
pub(crate) fn cut(name: String, most: usize) -> String {
    if name.width() <= most {
        return name;
    }
    // One column holds the mark in the middle.
    let (before, after) = (most / 2, most - most / 2 - 1);
    /// Number of bytes of the first characters that together have at most `most` columns.
    fn fitting(characters: impl Iterator<Item = char>, most: usize) -> usize {
        let mut used = 0;
        let fits = characters.take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= most
        });
        fits.map(char::len_utf8).sum()
    }
    let (start, end) = (fitting(name.chars(), before), fitting(name.chars().rev(), after));
    format!("{}…{}", &name[..start], &name[name.len() - end..])
}

/// Place of a row's names: the first variant that fits into the terminal. A name is never broken there,
/// because nobody can search for a broken name. Without a terminal, names of more than [`MOST_OF_NAME`]
/// columns are cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NamePlace {
    /// In columns, like everything else.
    Columns,
    /// In one column: the second below the first.
    OneColumn,
    /// On one line above the numbers, commas between them.
    OneLine,
    /// On lines of their own above the numbers.
    Above,
}

struct Layout {
    names: NamePlace,
    /// Widths of those cells that are in columns.
    widths: Vec<usize>,
    /// Number of these in the first line of a row; the others are in a second one.
    first: usize,
}

impl Layout {
    /// Indentation of lines below their names.
    fn indent(&self) -> usize {
        if matches!(self.names, NamePlace::OneLine | NamePlace::Above) { GAP } else { 0 }
    }
    fn width(&self) -> usize {
        let [first, second] = self.lines().map(|columns| across(&self.widths[columns]));
        self.indent() + first.max(second)
    }
    /// Columns of each line.
    fn lines(&self) -> [Range<usize>; 2] {
        [0..self.first, self.first..self.widths.len()]
    }
}

impl Table<'_> {
    /// Writes the rows of `rows`. Calls it twice, first to find the columns' widths.
    pub fn write<R: Iterator<Item = Vec<String>>>(
        &self,
        rows: impl Fn() -> R,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let rows = || {
            rows().map(|mut row| {
                if self.width.is_none() {
                    row[..self.names]
                        .iter_mut()
                        .for_each(|name| *name = cut(std::mem::take(name), MOST_OF_NAME));
                }
                row
            })
        };
        let width_of = |heading: &&str| heading.lines().map(|line| shown(line).width()).max().unwrap_or(0);
        let mut widths: Vec<usize> = self.headings.iter().map(width_of).collect();
        // The width of names on one line; `None` if the end of a name would be unclear.
        let mut line = Some(0);
        for row in rows() {
            for (width, cell) in widths.iter_mut().zip(&row) {
                *width = (*width).max(cell.width());
            }
            let names = &row[..self.names];
            let joined = names.iter().map(|name| name.width() + BETWEEN_NAMES.len()).sum::<usize>();
            let is_clear = !names.iter().any(|name| name.contains(BETWEEN_NAMES));
            line = line.filter(|_| is_clear).map(|line| joined.saturating_sub(BETWEEN_NAMES.len()).max(line));
        }
        let layout = self.arrange(&widths, line);
        let headings: Vec<String> = self.headings.iter().map(|heading| (*heading).to_owned()).collect();
        let [above, cells, below] = self.split(layout.names, headings);
        let heading = |line: usize| {
            let cells = cells.iter().map(|heading| shown(heading.lines().nth(line).unwrap_or("")).to_owned());
            cells.collect::<Vec<_>>()
        };
        if !above.is_empty() {
            writeln!(out, "{}", above.join(BETWEEN_NAMES))?;
        }
        for columns in layout.lines() {
            let height = cells[columns.clone()].iter().map(|heading| heading.lines().count()).max();
            for line in 0..height.map_or(0, |height| height.max(1 + below.len())) {
                let mut cells = heading(line);
                if let Some(name) = line.checked_sub(1).and_then(|line| below.get(line)) {
                    cells[0] = format!("{}{name}", " ".repeat(GAP));
                }
                self.write_line(&layout, columns.clone(), &cells, out)?;
            }
        }
        writeln!(out, "{}", "─".repeat(layout.width()))?;
        for row in rows() {
            let [above, cells, below] = self.split(layout.names, row);
            above.iter().try_for_each(|name| writeln!(out, "{name}"))?;
            for columns in layout.lines().into_iter().filter(|columns| !columns.is_empty()) {
                self.write_line(&layout, columns, &cells, out)?;
            }
            below.iter().try_for_each(|name| writeln!(out, "{}{name}", " ".repeat(GAP)))?;
        }
        Ok(())
    }

    /// Layout of rows whose columns are as wide as `widths`. `line` is the width of all names on one line;
    /// `None` if they cannot be on one.
    fn arrange(&self, widths: &[usize], line: Option<usize>) -> Layout {
        let has_room = |width: usize| self.width.is_none_or(|most| width <= usize::from(most));
        let in_one_line =
            |names, widths: &[usize]| Layout { names, widths: widths.to_vec(), first: widths.len() };
        let columns = in_one_line(NamePlace::Columns, widths);
        if self.names == 0 || has_room(columns.width()) {
            return columns;
        }
        let (names, numbers) = widths.split_at(self.names);
        let below = names[1..].iter().map(|width| GAP + width).max().unwrap_or(0);
        let one_column = in_one_line(NamePlace::OneColumn, &[&[names[0].max(below)], numbers].concat());
        if self.names > 1 && has_room(one_column.width()) {
            return one_column;
        }
        let names = if line.is_some_and(has_room) { NamePlace::OneLine } else { NamePlace::Above };
        let above = in_one_line(names, numbers);
        let first = numbers.len().saturating_sub(self.together);
        let in_two = Layout { first, ..in_one_line(names, numbers) };
        // If neither fits, the terminal breaks lines: shorter ones less often.
        if has_room(above.width()) || first == 0 { above } else { in_two }
    }

    /// The cells of a row that are above its line, in it, and below it.
    fn split(&self, names: NamePlace, mut row: Vec<String>) -> [Vec<String>; 3] {
        match names {
            NamePlace::Columns => [Vec::new(), row, Vec::new()],
            NamePlace::OneColumn => {
                let below = row.drain(1..self.names).collect();
                [Vec::new(), row, below]
            }
            NamePlace::OneLine | NamePlace::Above => {
                let numbers = row.split_off(self.names);
                let above = if names == NamePlace::Above { row } else { vec![row.join(BETWEEN_NAMES)] };
                [above, numbers, Vec::new()]
            }
        }
    }

    /// Writes one line, without blanks at its end.
    fn write_line(
        &self,
        layout: &Layout,
        columns: Range<usize>,
        cells: &[String],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let missing = self.headings.len() - layout.widths.len();
        let mut line = " ".repeat(layout.indent());
        for i in columns.clone() {
            if i > columns.start {
                line.push_str(&" ".repeat(GAP));
            }
            let blanks = " ".repeat(layout.widths[i].saturating_sub(cells[i].width()));
            let heading = if i == 0 && layout.indent() == 0 { 0 } else { i + missing };
            let right = self.headings[heading].starts_with('>');
            let [before, after] = if right { [blanks.as_str(), ""] } else { ["", blanks.as_str()] };
            line.extend([before, &cells[i], after]);
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
        let headings = ["part", "meets part", ">triangle\npairs"];
        let table = Table { headings: &headings, names: 2, together: 0, width };
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
                    Öse, 孔  tip            1,000\n";
        let rows = [["frame", "blade", "1"], ["Öse, 孔", "tip", "1,000"]];
        assert_eq!(written(None, &rows), wide);
        assert_eq!(written(Some(29), &rows), wide);
    }

    #[test]
    fn without_a_terminal_a_long_name_is_cut_in_its_middle() {
        let long = format!("{}{}", "a".repeat(150), "z".repeat(150));
        let text = written(None, &[[&long, "wall", "42"]]);
        let cut = format!("{}…{}", "a".repeat(24), "z".repeat(23));
        assert!(text.contains(&format!("\n{cut}  wall  ")), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 48 + 2 + 10 + 2 + 8), "{text}");
        assert!(written(Some(500), &[[&long, "wall", "42"]]).contains(&long));
        // Wide characters take two columns, and none is broken.
        let wide = "孔".repeat(30);
        let text = written(None, &[[&wide, "wall", "42"]]);
        assert!(text.contains(&format!("\n{}…{}  wall", "孔".repeat(12), "孔".repeat(11))), "{text}");
        let fits = "b".repeat(48);
        assert!(written(None, &[[&fits, "wall", "42"]]).contains(&fits));
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
        let one_line = format!(
            "part, meets part\n  triangle\n     pairs\n──────────\n\
             {long}, wall\n        42\nwall, roof\n         1\n"
        );
        assert_eq!(written(Some(45), &rows), one_line);
        assert_eq!(written(Some(42), &rows), one_line);
        let above = format!(
            "part, meets part\n  triangle\n     pairs\n──────────\n\
             {long}\nwall\n        42\nwall\nroof\n         1\n"
        );
        assert_eq!(written(Some(41), &rows), above);
        assert_eq!(written(Some(1), &rows), above);
        // With a comma in a name, its end would be unclear.
        let with_comma = written(Some(45), &[[long, "wall", "42"], ["a, b", "c", "1"]]);
        assert!(with_comma.contains("\na, b\nc\n         1\n"), "{with_comma}");
    }

    #[test]
    fn a_point_stays_in_one_line() {
        let headings = ["part", "other part", "relation", ">volume", ">at x", ">y"];
        let row = ["frame", "blade", "overlap", "1.25", "155000.000", "463000.000"];
        let written = |width| {
            let table = Table { headings: &headings, names: 2, together: 2, width: Some(width) };
            let mut out = Vec::new();
            table.write(|| [row.map(str::to_owned).to_vec()].into_iter(), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let one = "part, other part\n\
                   \u{20} relation  volume        at x           y\n\
                   ──────────────────────────────────────────\n\
                   frame, blade\n\
                   \u{20} overlap     1.25  155000.000  463000.000\n";
        let two = "part, other part\n\
                   \u{20} relation  volume\n\
                   \u{20}       at x           y\n\
                   ────────────────────────\n\
                   frame, blade\n\
                   \u{20} overlap     1.25\n\
                   \u{20} 155000.000  463000.000\n";
        assert_eq!(written(42), one);
        assert_eq!(written(41), two);
        assert_eq!(written(24), two);
    }
}
