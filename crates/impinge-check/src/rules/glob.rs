//! [`Glob`]: a pattern of text.
use crate::error::Error;
use std::{fmt, str::FromStr};

/// A pattern of text. Upper and lower case differ.
///
/// * `*` matches any characters, also `/`, and also none.
/// * `?` matches one character.
/// * `[abx-z]` matches one of the characters a, b, x, y, z. `[!abc]` matches one other character. A `]` right
///   after `[` or `[!` is a member, and so is a `-` at either end.
/// * `\` takes the next character as it is.
///
/// ```
/// use impinge_check::rules::Glob;
///
/// let glob: Glob = "IPE*[13]".parse()?;
/// assert!(glob.fits("IPE 201") && !glob.fits("IPE 202"));
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Glob {
    text: String,
    tokens: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Character(char),
    /// `?`
    One,
    /// `*`
    Many,
    /// Closed ranges of characters, or all others.
    Class {
        is_negated: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Token {
    /// Whether one character fits. [`Token::Many`] is handled by [`Glob::fits`].
    fn fits(&self, c: char) -> bool {
        match self {
            Self::Character(own) => *own == c,
            Self::One => true,
            Self::Many => false,
            Self::Class { is_negated, ranges } => {
                ranges.iter().any(|&(low, high)| (low..=high).contains(&c)) != *is_negated
            }
        }
    }
}

impl Glob {
    /// Whether the whole text fits. Cost: at most the product of the two lengths; mostly their sum.
    pub fn fits(&self, text: &str) -> bool {
        let mut rest = text.chars();
        let mut at = 0;
        // The tokens after the last `*`, and the text that it has not taken. Its shortest match is tried
        // first: a later `*` can take whatever an earlier one could.
        let mut last_many = None;
        loop {
            if self.tokens.get(at) == Some(&Token::Many) {
                at += 1;
                if at == self.tokens.len() {
                    return true;
                }
                last_many = Some((at, rest.clone()));
                continue;
            }
            match (rest.next(), self.tokens.get(at)) {
                (None, None) => return true,
                (Some(c), Some(token)) if token.fits(c) => at += 1,
                // The text is at its end, and no longer match of a `*` leaves more.
                (None, Some(_)) => return false,
                _ => {
                    let Some((after, untaken)) = &mut last_many else { return false };
                    untaken.next();
                    (at, rest) = (*after, untaken.clone());
                }
            }
        }
    }
    /// The pattern that only this text fits.
    pub(crate) fn literal(text: &str) -> Self {
        Self { text: text.to_owned(), tokens: text.chars().map(Token::Character).collect() }
    }
    /// Whether the pattern has a `/` of its own.
    pub(crate) fn has_slash(&self) -> bool {
        self.tokens.contains(&Token::Character('/'))
    }
    /// The pattern as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Glob {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut tokens = Vec::new();
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            let token = match c {
                '*' => Token::Many,
                '?' => Token::One,
                '[' => class(&mut rest)?,
                '\\' => Token::Character(escaped(&mut rest)?),
                c => Token::Character(c),
            };
            if token != Token::Many || tokens.last() != Some(&Token::Many) {
                tokens.push(token);
            }
        }
        Ok(Self { text: text.to_owned(), tokens })
    }
}

fn escaped(rest: &mut std::str::Chars<'_>) -> Result<char, Error> {
    rest.next().ok_or_else(|| Error::new("a glob ends with '\\'; write \\\\ for the character"))
}

/// The class after a `[`.
fn class(rest: &mut std::str::Chars<'_>) -> Result<Token, Error> {
    let open = || Error::new("a glob has '[' without ']'; write \\[ for the character");
    let is_negated = rest.as_str().starts_with('!');
    if is_negated {
        rest.next();
    }
    let mut ranges = Vec::new();
    loop {
        let mut low = rest.next().ok_or_else(open)?;
        if low == ']' && !ranges.is_empty() {
            return Ok(Token::Class { is_negated, ranges });
        }
        if low == '\\' {
            low = escaped(rest)?;
        }
        let mut high = low;
        let mut after = rest.clone();
        if after.next() == Some('-') && after.as_str().chars().next().is_some_and(|c| c != ']') {
            *rest = after;
            high = rest.next().ok_or_else(open)?;
            if high == '\\' {
                high = escaped(rest)?;
            }
            if high < low {
                return Err(Error::new(format!("a glob has the empty range '{low}-{high}'")));
            }
        }
        ranges.push((low, high));
    }
}

/// Writes the pattern as it was given.
impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Glob").field(&self.text).finish()
    }
}

/// Splits a list of patterns at its commas, but for those that are escaped or in a class.
pub(crate) fn split_list(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut begin, mut is_escaped, mut class_from) = (0, false, None);
    for (at, c) in text.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (c, class_from) {
            ('\\', _) => is_escaped = true,
            ('[', None) => class_from = Some(at + if text[at + 1..].starts_with('!') { 2 } else { 1 }),
            // A `]` at the begin of a class is a member.
            (']', Some(from)) if at > from => class_from = None,
            (',', None) => {
                pieces.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[begin..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::{Glob, split_list};

    fn fits(glob: &str, text: &str) -> bool {
        glob.parse::<Glob>().unwrap().fits(text)
    }

    /// Written from the definition: the first character of the pattern decides, `*` takes every length.
    fn reference(glob: &[char], text: &[char]) -> bool {
        match glob.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) => (0..=text.len()).any(|i| reference(rest, &text[i..])),
            Some(('?', rest)) => !text.is_empty() && reference(rest, &text[1..]),
            Some((c, rest)) => text.first() == Some(c) && reference(rest, &text[1..]),
        }
    }

    #[test]
    fn every_short_pattern_fits_as_defined() {
        let words = |alphabet: &[char], most: usize| {
            let mut all = vec![Vec::new()];
            let mut last = all.clone();
            for _ in 0..most {
                let longer = |word: &Vec<char>| {
                    let word = word.clone();
                    alphabet.iter().map(move |&c| [&word[..], &[c]].concat())
                };
                last = last.iter().flat_map(longer).collect();
                all.extend(last.clone());
            }
            all
        };
        let texts = words(&['a', 'b'], 5);
        for glob in words(&['a', 'b', '*', '?'], 5) {
            let parsed: Glob = String::from_iter(&glob).parse().unwrap();
            for text in &texts {
                assert_eq!(
                    parsed.fits(&String::from_iter(text)),
                    reference(&glob, text),
                    "{glob:?} {text:?}"
                );
            }
        }
    }

    #[test]
    fn classes_and_escapes() {
        for (glob, text, is) in [
            ("[abc]", "b", true),
            ("[abc]", "d", false),
            ("[!abc]", "d", true),
            ("[!abc]", "a", false),
            ("[!abc]", "", false),
            ("[a-cx]", "b", true),
            ("[a-cx]", "-", false),
            ("[a-]", "-", true),
            ("[-a]", "-", true),
            ("[]]", "]", true),
            ("[!]]", "]", false),
            ("[]-a]", "_", true),
            (r"[\]a]", "]", true),
            (r"[\--0]", "/", true),
            ("[!", "", false),
            (r"\*", "*", true),
            (r"\*", "a", false),
            (r"\\", r"\", true),
            ("孔?", "孔1", true),
            ("[à-é]", "è", true),
            ("a*", "a/b", true),
            ("A", "a", false),
        ] {
            if glob != "[!" {
                assert_eq!(fits(glob, text), is, "{glob} {text}");
            }
        }
        for (glob, why) in [
            ("[", "without ']'"),
            ("[!", "without"),
            ("a[b", "without"),
            ("[a-", "without"),
            ("[z-a]", "'z-a'"),
            ("a\\", "ends with"),
        ] {
            let error = glob.parse::<Glob>().unwrap_err().to_string();
            assert!(error.contains(why), "{glob}: {error}");
        }
        assert!("a[/]".parse::<Glob>().is_ok_and(|glob| !glob.has_slash()));
        assert!("a/*".parse::<Glob>().is_ok_and(|glob| glob.has_slash()));
    }

    #[test]
    fn many_stars_take_no_exponential_time() {
        let glob: Glob = "*a".repeat(500).parse().unwrap();
        assert!(!glob.fits(&"b".repeat(10_000)) && glob.fits(&"a".repeat(500)));
        assert!(!glob.fits(&format!("{}b", "a".repeat(5_000))));
    }

    #[test]
    fn lists_are_split_at_commas() {
        assert_eq!(split_list("a*,b"), ["a*", "b"]);
        assert_eq!(split_list(r"a\,b,[,],[!],],"), [r"a\,b", "[,]", "[!],]", ""]);
        assert_eq!(split_list(""), [""]);
    }
}
