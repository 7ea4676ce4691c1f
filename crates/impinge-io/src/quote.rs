//! Makes excerpts of a file printable and short, for messages. Names of parts are data: they keep invisible
//! characters.
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
    cut_to(bytes.trim_ascii(), 1000)
}

/// Replaces invisible characters, and those that change the direction of others, by escapes such as
/// `\u{202e}`: they can make a name read as another one. Control characters and the joiners that scripts
/// need stay.
///
/// ```
/// assert_eq!(impinge_io::visible("bolt\u{202e}txt"), r"bolt\u{202e}txt");
/// assert_eq!(impinge_io::visible("Träger 1"), "Träger 1");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(2 * text.len());
    for c in text.chars() {
        if is_invisible(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// True for format characters of Unicode, separators of lines, fillers and tags. False for U+200C and U+200D,
/// which Persian, Indic scripts and emoji need.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

fn printable(bytes: &[u8], most: usize) -> String {
    match cut_to(bytes, most) {
        text if text.is_ascii() => text,
        text => visible(&text).into_owned(),
    }
}

/// Replaces control characters and cuts the text to at most `most` characters.
fn cut_to(bytes: &[u8], most: usize) -> String {
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
