//! Lines, words and numbers of text formats, parsed from bytes without making a string.
use crate::{
    Error,
    number::{decimal, short_integer},
    quote::show,
};

/// The lines of a text with their numbers; a line feed, a carriage return, or both end a line.
#[derive(Clone)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self::behind(0, text)
    }
    /// The lines of a text that follows `number` other lines.
    pub(crate) fn behind(number: u64, text: &'a [u8]) -> Self {
        let mark: &[u8] = if number == 0 { b"\xEF\xBB\xBF" } else { b"" };
        Self { rest: text.strip_prefix(mark).unwrap_or(text), number }
    }
    /// Number of the line returned last, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
    /// The text that has not been returned.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }
    /// Skips the next line, which the caller has read up to `at`. Returns false and does nothing if the rest
    /// of the line is not blank.
    #[inline]
    pub(crate) fn pass(&mut self, at: usize) -> bool {
        self.rest = match &self.rest[skip_spaces(self.rest, at)..] {
            [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] | [b'\r', rest @ ..] | rest @ [] => rest,
            _ => return false,
        };
        self.number += 1;
        true
    }
    /// The next line that contains a word before its comment, which starts at `#`; the comment is cut off.
    pub(crate) fn next_content(&mut self) -> Option<&'a [u8]> {
        loop {
            let line = self.next()?;
            let line = &line[..memchr::memchr(b'#', line).unwrap_or(line.len())];
            if line.iter().any(|b| !is_blank(*b)) {
                return Some(line);
            }
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = memchr::memchr2(b'\n', b'\r', self.rest).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = match rest {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => rest,
        };
        Some(line)
    }
}

/// True if a byte separates words.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

/// End of the run of blanks that starts at `at` and contains no line end; the run may be empty.
#[inline(always)]
pub(crate) fn skip_spaces(text: &[u8], at: usize) -> usize {
    let is_word = |at| text.get(at).is_none_or(|b| !matches!(b, b' ' | b'\t'));
    // Nearly always one blank.
    if is_word(at) {
        at
    } else if is_word(at + 1) {
        at + 1
    } else {
        skip_more_spaces(text, at + 2)
    }
}

#[cold]
#[inline(never)]
fn skip_more_spaces(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

#[derive(Clone)]
pub(crate) struct Words<'a>(pub(crate) &'a [u8]);

impl<'a> Words<'a> {
    /// The rest of the line, without blanks at its ends.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0.trim_ascii()
    }
    /// The next word as a number; consumes nothing and returns `None` if [`decimal`] cannot parse it.
    pub(crate) fn decimal(&mut self) -> Option<f64> {
        let (value, end) = decimal(self.0, skip_spaces(self.0, 0))?;
        self.pass(end).then_some(value)
    }
    /// The next word as a whole number of up to seven digits; otherwise consumes nothing.
    pub(crate) fn short_integer(&mut self) -> Option<u32> {
        let (value, end) = short_integer(self.0, skip_spaces(self.0, 0))?;
        self.pass(end).then_some(value)
    }
    /// Continues at `end` and returns true if a word ends there.
    #[inline]
    fn pass(&mut self, end: usize) -> bool {
        let rest = &self.0[end..];
        let ends = rest.first().is_none_or(|b| is_blank(*b));
        if ends {
            self.0 = rest;
        }
        ends
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.0.iter().position(|b| !is_blank(*b))?;
        let rest = &self.0[start..];
        let end = rest.iter().position(|b| is_blank(*b)).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.0 = rest;
        Some(word)
    }
}

/// A finite f64, correctly rounded, from a word of any kind.
#[cold]
pub(crate) fn float(word: &[u8], line: u64) -> Result<f64, Error> {
    match str::from_utf8(word).ok().and_then(|w| w.parse::<f64>().ok()) {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => Err(Error::line(line, format!("the coordinate '{}' is not finite", show(word)))),
        None => Err(Error::line(line, format!("'{}' is not a number", show(word)))),
    }
}

/// The next three words as a point.
#[inline]
pub(crate) fn point(words: &mut Words<'_>, line: u64) -> Result<[f64; 3], Error> {
    let mut p = [0.0; 3];
    for (i, coordinate) in p.iter_mut().enumerate() {
        if let Some(value) = words.decimal() {
            *coordinate = value;
            continue;
        }
        let word = words.next().ok_or_else(|| too_few_coordinates(i, line))?;
        *coordinate = float(word, line)?;
    }
    Ok(p)
}

#[cold]
fn too_few_coordinates(found: usize, line: u64) -> Error {
    Error::line(line, format!("a vertex needs 3 coordinates, this one has {found}"))
}

#[inline]
pub(crate) fn integer(word: &[u8], line: u64) -> Result<i64, Error> {
    str::from_utf8(word)
        .ok()
        .and_then(|w| w.parse().ok())
        .ok_or_else(|| Error::line(line, format!("'{}' is not a whole number", show(word))))
}
