//! Places in the text of a rules file, and errors that name them.
use crate::values::{error::Error, text};

/// The text of a rules file with the offsets of its lines.
pub(crate) struct Document<'a> {
    file: &'a str,
    text: &'a str,
    /// The start of each line, in bytes.
    lines: Vec<usize>,
}

/// Largest number of characters of the file that an error quotes.
const QUOTED: usize = 200;

impl<'a> Document<'a> {
    pub(crate) fn new(file: &'a str, text: &'a str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|&(_, c)| c == b'\n').map(|(at, _)| at + 1);
        Self { file, text, lines: std::iter::once(0).chain(after_breaks).collect() }
    }
    /// The number of the line with this byte, from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|&begin| begin <= at)
    }
    /// The error `FILE:LINE:COLUMN: what`. Columns are counted in characters, from 1.
    pub(crate) fn error(&self, at: usize, what: impl AsRef<str>) -> Error {
        let at = self.text.floor_char_boundary(at);
        let line = self.line(at);
        let column = self.text[self.lines[line - 1]..at].chars().count() + 1;
        Error::new(text::printable(&format!("{}:{line}:{column}: {}", self.file, what.as_ref())))
    }
    /// A short excerpt of the file.
    pub(crate) fn excerpt(&self, range: std::ops::Range<usize>) -> String {
        let [from, to] = [range.start, range.end].map(|at| self.text.floor_char_boundary(at));
        shortened(self.text.get(from..to).unwrap_or_default())
    }
}

/// Makes a text of the file printable and short, for an error.
pub(crate) fn shortened(word: &str) -> String {
    let head: String = word.chars().take(QUOTED).collect();
    let more = if head.len() < word.len() { "…" } else { "" };
    text::printable(&head) + more
}

/// The end of an error about an unknown word: `; did you mean 'x'?`, if one of the known ones is similar.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let length = word.chars().count();
    // A third of the letters may be wrong, and two of a short word: 'nmae'.
    let most = (length / 3).max(length.min(4) / 2);
    let similar = |other: &&str| length <= 60 && other.chars().count().abs_diff(length) <= most;
    let nearest = known.into_iter().filter(similar).map(|other| (text::edits(word, other), other)).min();
    match nearest {
        Some((count, other)) if count <= most => format!("; did you mean '{}'?", shortened(other)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, shortened, suggestion};

    #[test]
    fn places_are_counted_in_lines_and_characters() {
        let document = Document::new("f", "aé\r\nß\x1b\n");
        let place = |at| document.error(at, "x\n").to_string();
        assert_eq!(
            [0, 1, 3, 5, 7, 9].map(place),
            ["f:1:1", "f:1:2", "f:1:3", "f:2:1", "f:2:2", "f:3:1"].map(|p| format!("{p}: x\u{fffd}"))
        );
        // Within a character, and behind the end.
        assert_eq!([2, 99].map(place), ["f:1:2", "f:3:1"].map(|p| format!("{p}: x\u{fffd}")));
        assert_eq!(document.excerpt(5..8), "ß\u{fffd}");
        assert_eq!(shortened(&"é".repeat(201)), "é".repeat(200) + "…");
        assert_eq!(shortened(&"é".repeat(200)), "é".repeat(200));
    }

    #[test]
    fn the_nearest_word_is_suggested() {
        assert_eq!(suggestion("tolerence", ["test", "tolerance"]), "; did you mean 'tolerance'?");
        assert_eq!(suggestion("nmae", ["name", "file"]), "; did you mean 'name'?");
        assert_eq!(suggestion("x", ["a", "b"]), "");
        assert_eq!(suggestion(&"x".repeat(1000), ["x"]), "");
    }
}
