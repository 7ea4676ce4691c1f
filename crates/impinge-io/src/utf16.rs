//! Text in UTF-16, converted to UTF-8.
use std::borrow::Cow;

/// Byte order of text with a UTF-16 byte order mark, as the function that reads a code unit.
fn utf16(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    match bytes {
        [0xFF, 0xFE, ..] => Some(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// True if a text starts with a UTF-16 byte order mark.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    utf16(bytes).is_some()
}

/// Converts text with a UTF-16 byte order mark to UTF-8; returns anything else unchanged.
pub(crate) fn utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(number) = utf16(bytes) else { return Cow::Borrowed(bytes) };
    let (pairs, odd) = bytes[2..].as_chunks();
    let mut text: String = char::decode_utf16(pairs.iter().map(|&pair| number(pair)))
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    if !odd.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Cow::Owned(text.into_bytes())
}
