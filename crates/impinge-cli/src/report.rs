//! How results are written; what they are is decided elsewhere.
pub(crate) mod check;
pub(crate) mod info;
pub(crate) mod pair;
pub(crate) mod volumes;

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, presets::NOTHING,
};
use impinge_io::Part;
use std::{collections::HashMap, path::Path};

/// A table in the one style of this program; as wide as it needs, or folded into `columns`.
///
/// A heading that begins with `>` stands over numbers, to the right. Only the columns of `part`s are folded.
fn table(headings: &[&str], columns: Option<u16>) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING.header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_header(headings.iter().map(|heading| Cell::new(heading.trim_start_matches('>'))));
    for (column, heading) in table.column_iter_mut().zip(headings) {
        column.set_padding((0, 2));
        if heading.starts_with('>') {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if !heading.contains("part") {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    if let Some(columns) = columns {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    }
    table
}

/// 22941 as `22 941`.
fn grouped(n: impl Into<u64>) -> String {
    let digits = n.into().to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// `1 part`, `2 parts`: for nouns whose plural is an s.
fn count(n: impl Into<u64>, noun: &str) -> String {
    let n = n.into();
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// `text` in lines of at most `columns`, where its words allow it. Digits are kept together: 22 941.
fn folded(text: &str, columns: Option<u16>) -> String {
    let width = columns.map_or(usize::MAX, usize::from);
    let mut lines: Vec<String> = vec![String::new()];
    let ends_in_digit = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        let mut word = word.to_owned();
        while let Some(more) =
            words.next_if(|next| ends_in_digit(&word) && next.starts_with(|c: char| c.is_ascii_digit()))
        {
            word = format!("{word} {more}");
        }
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = word,
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines.join("\n")
}

/// `text` without control characters: names come from files, and a terminal obeys what it is sent.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Parts under names that people can tell apart.
struct Names<'a> {
    /// The files, each once, in order.
    files: Vec<&'a Path>,
    /// By part: its name, before it the number of its file where there are several, and behind it its index where
    /// several parts of the file have that name.
    labels: Vec<String>,
}

impl<'a> Names<'a> {
    fn new(parts: impl Iterator<Item = &'a Part> + Clone) -> Self {
        let mut files: Vec<&Path> = Vec::new();
        let mut bearers: HashMap<(usize, &str), usize> = HashMap::new();
        let mut names = Vec::new();
        for part in parts {
            let file = files.iter().position(|file| *file == &*part.file).unwrap_or_else(|| {
                files.push(&part.file);
                files.len() - 1
            });
            *bearers.entry((file, &part.name)).or_default() += 1;
            names.push((file, &*part.name));
        }
        let label = |(i, name): (usize, (usize, &str))| {
            let file = if files.len() > 1 { format!("[{}]", name.0 + 1) } else { String::new() };
            let index = if bearers[&name] > 1 { format!("#{i}") } else { String::new() };
            let words = [file, printable(name.1), index];
            words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let labels = names.iter().copied().enumerate().map(label).collect();
        Self { files, labels }
    }

    /// A line for each file: what it holds.
    fn list(&self, parts: impl Iterator<Item = &'a Part> + Clone) -> String {
        let line = |(i, file): (usize, &&Path)| {
            let own = || parts.clone().filter(|part| *part.file == **file);
            let triangles: u64 = own().map(|part| part.mesh.len() as u64).sum();
            let number = if self.files.len() > 1 { format!("[{}] ", i + 1) } else { String::new() };
            let file = printable(&file.to_string_lossy());
            let parts = count(own().count() as u64, "part");
            format!("{number}{file}: {parts}, {}\n", count(triangles, "triangle"))
        };
        self.files.iter().enumerate().map(line).collect()
    }
}

/// Writes coordinates that stand under each other with one number of decimals: six digits for the largest.
struct Coordinates {
    decimals: usize,
    scientific: bool,
}

impl Coordinates {
    fn like(values: impl IntoIterator<Item = f64>) -> Self {
        let largest = values.into_iter().filter(|c| c.is_finite()).fold(0.0_f64, |m, c| m.max(c.abs()));
        // 0 counts as 1: nothing is known of the scale.
        let exponent = if largest > 0.0 { largest.log10().floor() } else { 0.0 };
        // In -5 ..= 5, or scientific: the cast is exact.
        let scientific = !(-5.0..=5.0).contains(&exponent);
        Self { decimals: if scientific { 5 } else { (5.0 - exponent) as usize }, scientific }
    }
    fn show(&self, c: f64) -> String {
        let shown = match self.scientific {
            true => format!("{c:.*e}", self.decimals),
            false => format!("{c:.*}", self.decimals),
        };
        match shown.strip_prefix('-') {
            Some(zero) if zero.bytes().all(|digit| b"0.e".contains(&digit)) => zero.to_owned(),
            _ => shown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Coordinates, Names, count, folded, grouped, printable};
    use impinge::{Mesh, Pose};
    use impinge_io::Part;

    fn part(name: &str, file: &str) -> Part {
        Part::new(name, std::path::Path::new(file), Mesh::default(), Pose::IDENTITY)
    }

    #[test]
    fn numbers_for_people() {
        for (n, text) in
            [(0, "0"), (999, "999"), (1000, "1 000"), (22_941, "22 941"), (1_234_567, "1 234 567")]
        {
            assert_eq!(grouped(n as u64), text);
        }
        assert_eq!(count(1_u64, "part"), "1 part");
        assert_eq!(count(0_u64, "part"), "0 parts");
    }

    #[test]
    fn coordinates_have_six_digits_at_most() {
        let show = |scale: f64, c: f64| Coordinates::like([scale]).show(c);
        assert_eq!(show(123.4, 1.0 / 3.0), "0.333");
        assert_eq!(show(-123.4, -0.0004), "0.000");
        assert_eq!(show(0.0, 0.0), "0.00000");
        assert_eq!(show(1e9, 1e9), "1.00000e9");
        assert_eq!(show(1e-9, 0.0), "0.00000e0");
        assert_eq!(show(f64::INFINITY, 2.5), "2.50000");
    }

    #[test]
    fn a_long_line_is_folded_between_words() {
        assert_eq!(folded("all 31 clash. 22 941 meet.", Some(12)), "all 31\nclash.\n22 941 meet.");
        assert_eq!(folded("all 31 clash.", None), "all 31 clash.");
        assert_eq!(folded("unbreakable a", Some(3)), "unbreakable\na");
    }

    #[test]
    fn a_label_names_one_part() {
        let parts = [part("nut", "a"), part("nut", "a"), part("bolt", "a")];
        assert_eq!(Names::new(parts.iter()).labels, ["nut #0", "nut #1", "bolt"]);
        let parts = [part("nut", "x/a.obj"), part("nut", "y/a.obj")];
        let names = Names::new(parts.iter());
        assert_eq!(names.labels, ["[1] nut", "[2] nut"]);
        assert_eq!(
            names.list(parts.iter()),
            "[1] x/a.obj: 1 part, 0 triangles\n[2] y/a.obj: 1 part, 0 triangles\n"
        );
    }

    #[test]
    fn a_name_cannot_command_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\nc"), "a\u{fffd}[2Jb\u{fffd}c");
    }
}
