//! [`Cell`]: a value of a sheet as XML.
use std::{
    borrow::Cow,
    io::{self, Write},
};

pub(super) enum Cell<'a> {
    Empty,
    Text(Cow<'a, str>),
    Number(f64),
    Count(u64),
    Is(bool),
}

impl<'a> Cell<'a> {
    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }
    pub(super) fn some_text(text: Option<impl Into<Cow<'a, str>>>) -> Self {
        text.map_or(Self::Empty, Self::text)
    }
    pub(super) fn number(number: Option<f64>) -> Self {
        number.map_or(Self::Empty, Self::Number)
    }
    pub(super) fn is(is: Option<bool>) -> Self {
        is.map_or(Self::Empty, Self::Is)
    }
    /// The cells of a point or vector.
    pub(super) fn point(point: Option<[f64; 3]>) -> [Self; 3] {
        point.map_or([Self::Empty, Self::Empty, Self::Empty], |point| point.map(Self::Number))
    }
    pub(super) fn write(
        &self,
        column: usize,
        row: usize,
        style: Style,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let style = style as u32;
        let at = || format!("{}{row}", letters(column));
        match self {
            Self::Empty => Ok(()),
            // The shortest digits that parse to the same number. A spreadsheet has no infinite numbers.
            Self::Number(number) if number.is_finite() => {
                write!(out, "<c r=\"{}\" s=\"{style}\"><v>{number:?}</v></c>", at())
            }
            Self::Number(number) => Self::text(number.to_string()).write(column, row, Style::Text, out),
            Self::Count(count) => write!(out, "<c r=\"{}\" s=\"{style}\"><v>{count}</v></c>", at()),
            Self::Is(is) => {
                write!(out, "<c r=\"{}\" s=\"{style}\" t=\"b\"><v>{}</v></c>", at(), u8::from(*is))
            }
            Self::Text(text) => {
                let text = fitting(text);
                let text = escaped(&text);
                write!(
                    out,
                    "<c r=\"{}\" s=\"{style}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>",
                    at()
                )
            }
        }
    }
    /// The usual style of the value.
    pub(super) fn style(&self) -> Style {
        if matches!(self, Self::Text(_)) { Style::Text } else { Style::Plain }
    }
}

/// The index of a style in the workbook.
#[derive(Clone, Copy)]
pub(super) enum Style {
    Plain = 0,
    Header = 1,
    /// Stays text when somebody edits the cell.
    Text = 2,
}

/// The letters of a column, from 0: A to Z, AA and so on.
pub(super) fn letters(column: usize) -> String {
    let (rest, last) = (column / 26, char::from(b'A' + (column % 26) as u8));
    if rest == 0 { last.to_string() } else { letters(rest - 1) + &last.to_string() }
}

/// Maximum number of UTF-16 units of a cell.
const MOST: usize = 32_767;

/// Text that fits into a cell: longer text is cut, and states its length in UTF-16 units.
fn fitting(text: &str) -> Cow<'_, str> {
    if text.len() <= MOST {
        return Cow::Borrowed(text);
    }
    let length: usize = text.chars().map(char::len_utf16).sum();
    if length <= MOST {
        return Cow::Borrowed(text);
    }
    let end = format!(" ... [cut: {length} characters]");
    let mut left = MOST - end.len();
    let fits = |c: &char| {
        let is = c.len_utf16() <= left;
        left -= if is { c.len_utf16() } else { left };
        is
    };
    Cow::Owned(text.chars().take_while(fits).collect::<String>() + &end)
}

/// Text as XML. Characters that XML does not have, and underscores that would begin an escape, are written as
/// `_xHHHH_` (ECMA-376, ST_Xstring).
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !matches!(c, '<' | '>' | '&' | '"' | '_' | '\u{fffe}' | '\u{ffff}') && c >= ' ';
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut xml = String::with_capacity(text.len() + 16);
    for (i, c) in text.char_indices() {
        match c {
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '&' => xml.push_str("&amp;"),
            '"' => xml.push_str("&quot;"),
            '_' if is_escape(&text[i..]) => xml.push_str("_x005F_"),
            '\t' | '\n' => xml.push(c),
            '\u{fffe}' | '\u{ffff}' | ..' ' => xml.push_str(&format!("_x{:04X}_", c as u32)),
            c => xml.push(c),
        }
    }
    Cow::Owned(xml)
}

/// True if text begins with an escape.
fn is_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 7
        && bytes.starts_with(b"_x")
        && bytes[2..6].iter().all(u8::is_ascii_hexdigit)
        && bytes[6] == b'_'
}

#[cfg(test)]
mod tests {
    use super::{MOST, escaped, fitting, letters};

    #[test]
    fn columns_have_letters() {
        assert_eq!([0, 25, 26, 51, 52, 701, 702].map(letters), ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
        assert_eq!(escaped("\u{7}\r\n\t\u{ffff}"), "_x0007__x000D_\n\t_xFFFF_");
        assert_eq!(escaped("_x0041_ a_b _x00 _X0041_"), "_x005F_x0041_ a_b _x00 _X0041_");
        assert_eq!(escaped("مرحبا \u{202e}x"), "مرحبا \u{202e}x");
    }

    #[test]
    fn long_text_is_cut_and_says_so() {
        let fits = "é".repeat(MOST);
        assert_eq!(fitting(&fits), fits);
        let long = "😀".repeat(MOST);
        let cut = fitting(&long);
        assert!(cut.ends_with("... [cut: 65534 characters]") && cut.starts_with("😀"), "{cut}");
        let length = cut.encode_utf16().count();
        assert!(length == MOST || length == MOST - 1, "{length}");
    }
}
