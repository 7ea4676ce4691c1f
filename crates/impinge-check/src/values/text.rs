//! Text for a terminal.
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// Folds `text` into lines of at most `columns`, between words.
pub fn folded(text: &str, columns: Option<u16>) -> String {
    let width = columns.map_or(usize::MAX, usize::from);
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => word.clone_into(line),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// Replaces control characters, which could command the terminal. Escapes invisible characters and those that
/// change the direction of text, which could make a name read as another one.
pub fn printable(text: &str) -> String {
    let text = impinge_io::visible(text);
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A writer of JSON for a terminal, which writes invisible characters as escapes such as `\u202e`.
pub struct VisibleJson<W>(W);

impl<W: Write> VisibleJson<W> {
    /// A writer to `out`. Each piece that is written must consist of whole characters.
    pub fn new(out: W) -> Self {
        Self(out)
    }
}

impl<W: Write> Write for VisibleJson<W> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        match str::from_utf8(piece) {
            Ok(text) if !piece.is_ascii() => {
                let mut units = [0; 2];
                for c in text.chars() {
                    let mut own = [0; 4];
                    let own = c.encode_utf8(&mut own);
                    if matches!(impinge_io::visible(own), Cow::Borrowed(_)) {
                        self.0.write_all(own.as_bytes())?;
                        continue;
                    }
                    // Only the strings of JSON have such characters.
                    for unit in c.encode_utf16(&mut units) {
                        write!(self.0, "\\u{unit:04x}")?;
                    }
                }
            }
            _ => self.0.write_all(piece)?,
        }
        Ok(piece.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The least number of insertions, deletions and replacements of characters that turn one text into the
/// other. Cost: the product of both lengths.
pub fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &b) in b.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{VisibleJson, edits, folded, printable};
    use std::io::Write as _;

    #[test]
    fn a_long_line_is_folded_between_words() {
        assert_eq!(folded("all 31 clash. 22,941 meet.", Some(12)), "all 31\nclash.\n22,941 meet.");
        assert_eq!(folded("all 31 clash.", None), "all 31 clash.");
        assert_eq!(folded("unbreakable a", Some(3)), "unbreakable\na");
    }

    #[test]
    fn a_name_cannot_command_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\nc"), "a\u{fffd}[2Jb\u{fffd}c");
    }

    #[test]
    fn a_name_cannot_read_as_another() {
        for c in
            ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}').chain("\u{200e}\u{200f}\u{61c}".chars())
        {
            let name = format!("bolt{c}gpj.exe");
            assert_eq!(printable(&name), format!("bolt\\u{{{:x}}}gpj.exe", u32::from(c)));
            assert_eq!(printable(&printable(&name)), printable(&name));
            let mut json = Vec::new();
            VisibleJson::new(&mut json).write_all(format!("\"{name} Träger\"").as_bytes()).unwrap();
            let text = format!("\"bolt\\u{:04x}gpj.exe Träger\"", u32::from(c));
            assert_eq!(str::from_utf8(&json).unwrap(), text);
            assert_eq!(serde_json::from_slice::<String>(&json).unwrap(), format!("{name} Träger"));
        }
        let mut json = Vec::new();
        VisibleJson::new(&mut json).write_all("\"\u{e0041}\"".as_bytes()).unwrap();
        assert_eq!(serde_json::from_slice::<String>(&json).unwrap(), "\u{e0041}");
        // Names in their languages' own spelling.
        for name in ["Stütze 🔩", "می\u{200c}خواهم", "क्\u{200d}ष", "👩\u{200d}🔧"] {
            assert_eq!(printable(name), name);
        }
    }

    #[test]
    fn edits_are_counted() {
        let cases =
            [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("ab", "ba", 2)];
        for (a, b, n) in cases {
            assert_eq!((edits(a, b), edits(b, a)), (n, n), "{a} {b}");
        }
    }
}
