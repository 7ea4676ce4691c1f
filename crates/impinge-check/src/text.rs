//! Text for a terminal.
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

/// Replaces control characters: a name from a file could command the terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The least number of characters to insert, to remove or to replace, to get from one text to another. Cost:
/// the product of both lengths.
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
    use super::{edits, folded, printable};

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
    fn edits_are_counted() {
        let cases =
            [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("ab", "ba", 2)];
        for (a, b, n) in cases {
            assert_eq!((edits(a, b), edits(b, a)), (n, n), "{a} {b}");
        }
    }
}
