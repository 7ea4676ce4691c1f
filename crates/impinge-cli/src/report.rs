//! How results are written; what they are is decided elsewhere.
pub(crate) mod check;
pub(crate) mod info;
mod names;
mod numbers;
pub(crate) mod pair;
mod table;
pub(crate) mod volumes;

pub(crate) use self::numbers::{count, count_of, grouped, shortest};
use self::{
    names::Names,
    numbers::{Coordinates, amount, amount_beside},
    table::Table,
};

use crate::input::Warning;
use serde::{Serialize, Serializer};

/// A list that is written item by item as it is made, and is never whole in memory.
struct Stream<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Stream<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// What to add to a table's last line about what readers had to say.
fn warned(warnings: &[Warning]) -> String {
    match warnings.len() as u64 {
        0 => String::new(),
        n => format!(" {} on stderr.", count(n, "warning")),
    }
}

/// `text` in lines of at most `columns`, where its words allow it. Digits are kept together: 22 941.
pub(crate) fn folded(text: &str, columns: Option<u16>) -> String {
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

#[cfg(test)]
mod tests {
    use super::{Stream, folded, printable};

    #[test]
    fn a_long_line_is_folded_between_words() {
        assert_eq!(folded("all 31 clash. 22 941 meet.", Some(12)), "all 31\nclash.\n22 941 meet.");
        assert_eq!(folded("all 31 clash.", None), "all 31 clash.");
        assert_eq!(folded("unbreakable a", Some(3)), "unbreakable\na");
    }

    #[test]
    fn a_name_cannot_command_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\nc"), "a\u{fffd}[2Jb\u{fffd}c");
    }

    #[test]
    fn a_stream_is_a_list() {
        assert_eq!(serde_json::to_string(&Stream(|| 1..4)).unwrap(), "[1,2,3]");
        assert_eq!(serde_json::to_string(&Stream(|| 1..1)).unwrap(), "[]");
    }
}
