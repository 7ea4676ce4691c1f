//! Text in XML 1.0.
use std::borrow::Cow;

/// A text in XML, also between double quotes: characters that XML cannot hold are replaced.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !matches!(c, '<' | '>' | '&' | '"') && is_xml(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c if is_xml(c) => out.push(c),
            _ => out.push(char::REPLACEMENT_CHARACTER),
        }
    }
    Cow::Owned(out)
}

/// A text without characters that XML cannot hold, and with lines that end as XML's do.
pub(crate) fn permitted(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| is_xml(c) && c != '\r') {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(text.chars().map(|c| if is_xml(c) { c } else { char::REPLACEMENT_CHARACTER }).collect())
}

/// Whether XML 1.0 can hold a character (section 2.2).
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escaped("<a> & \"b\"\0"), "&lt;a&gt; &amp; &quot;b&quot;\u{fffd}");
        assert_eq!(escaped("]]>\u{ffff}"), "]]&gt;\u{fffd}");
        assert_eq!(escaped("plain"), "plain");
    }
}
