//! Excerpts of a file in messages: printable and short.
use std::borrow::Cow;

/// A word for a message: readable, and short whatever the file contains.
pub(crate) fn show(word: &[u8]) -> String {
    printable(word, 40)
}

/// A path for a message, with a higher limit than a word: its end matters most.
pub(crate) fn show_path(path: &str) -> String {
    printable(path.as_bytes(), QUOTED)
}

/// Maximum number of characters of a file's own text that a message repeats.
const QUOTED: usize = 200;

/// A name for a message.
pub(crate) fn quoted(name: &str) -> String {
    printable(name.as_bytes(), QUOTED)
}

/// The first [`QUOTED`] characters of a message, if it has more.
pub(crate) fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A name as a file spells it, made printable. A long one is cut to its first thousand characters: thousands
/// of parts may have it.
pub(crate) fn name(bytes: &[u8]) -> String {
    printable(bytes.trim_ascii(), 1000)
}

fn printable(bytes: &[u8], most: usize) -> String {
    if bytes.len() <= most
        && !bytes.iter().fold(false, |other, b| other | !matches!(b, b' '..=b'~'))
        && let Ok(text) = str::from_utf8(bytes)
    {
        return text.to_owned();
    }
    // A character has at most 4 bytes.
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * most + 4)]);
    let mut text = head.replace(char::is_control, "\u{FFFD}");
    if let Some((cut, _)) = text.char_indices().nth(most - 1)
        && text[cut..].chars().nth(1).is_some()
    {
        text.truncate(cut);
        text.push('…');
    }
    text
}
