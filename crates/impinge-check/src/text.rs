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

#[cfg(test)]
mod tests {
    use super::{folded, printable};

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
}
