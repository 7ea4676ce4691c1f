//! Makes excerpts of a file printable and short, for messages.

/// Maximum number of characters of a file that a message repeats.
const QUOTED: usize = 80;

/// A text of a file for a message. Control characters, and characters that change the direction of others,
/// become U+FFFD.
pub(crate) fn shown(text: &str) -> String {
    let is_hidden = |c: char| c.is_control() || is_format(c);
    let mut quoted: String =
        text.chars().take(QUOTED).map(|c| if is_hidden(c) { '\u{FFFD}' } else { c }).collect();
    if text.chars().nth(QUOTED).is_some() {
        quoted.push('…');
    }
    quoted
}

/// Names for a message, in order: `a, b and 3 more`.
pub(crate) fn shown_list<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 5;
    let more = names.len().saturating_sub(MOST);
    let shown: Vec<String> = names.take(MOST).map(|name| format!("'{}'", shown(name))).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &more
}

/// True for characters that are invisible or change the direction of others.
fn is_format(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
