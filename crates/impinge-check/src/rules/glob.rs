//! [`Glob`]: a pattern of text.
use crate::values::error::Error;
use std::{fmt, str::FromStr};

/// A pattern of text. Upper and lower case differ.
///
/// * `*` matches any characters, also `/`, and also none.
/// * `?` matches one character.
/// * `[abx-z]` matches one of the characters a, b, x, y, z. `[!abc]` matches one other character. A `]` right
///   after `[` or `[!` is a member; a `-` at either end is one too.
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
    /// The pieces between the `*`; one piece without a `*`.
    pieces: Vec<Piece>,
}

/// A pattern of a fixed number of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Only this text fits: the common case, and the fast one.
    Literal(String),
    Tokens(Vec<Token>),
}

/// A pattern of one character.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Character(char),
    /// `?`
    One,
    /// Closed ranges of characters, or all others.
    Class {
        is_negated: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Token {
    fn fits(&self, c: char) -> bool {
        match self {
            Self::Character(own) => *own == c,
            Self::One => true,
            Self::Class { is_negated, ranges } => {
                ranges.iter().any(|&(low, high)| (low..=high).contains(&c)) != *is_negated
            }
        }
    }
}

impl Piece {
    fn new(tokens: Vec<Token>) -> Self {
        let literal = tokens.iter().map(|token| match token {
            Token::Character(c) => Some(*c),
            _ => None,
        });
        literal.collect::<Option<String>>().map_or(Self::Tokens(tokens), Self::Literal)
    }
    /// End of the match at the beginning of `text`.
    fn at_begin(&self, text: &str) -> Option<usize> {
        match self {
            Self::Literal(literal) => begins(text.as_bytes(), literal.as_bytes()).then_some(literal.len()),
            Self::Tokens(tokens) => {
                let mut rest = text.chars();
                let fits = |token: &Token| rest.next().is_some_and(|c| token.fits(c));
                tokens.iter().all(fits).then(|| text.len() - rest.as_str().len())
            }
        }
    }
    /// Start of the match at the end of `text`.
    fn at_end(&self, text: &str) -> Option<usize> {
        match self {
            Self::Literal(literal) => {
                let begin = text.len().checked_sub(literal.len())?;
                begins(&text.as_bytes()[begin..], literal.as_bytes()).then_some(begin)
            }
            Self::Tokens(tokens) => {
                let mut rest = text.chars();
                let fits = |token: &Token| rest.next_back().is_some_and(|c| token.fits(c));
                tokens.iter().rev().all(fits).then_some(rest.as_str().len())
            }
        }
    }
    /// End of the first match in `text`.
    fn after_first(&self, text: &str) -> Option<usize> {
        match self {
            Self::Literal(literal) => text.find(&**literal).map(|at| at + literal.len()),
            Self::Tokens(_) => {
                text.char_indices().find_map(|(at, _)| self.at_begin(&text[at..]).map(|length| at + length))
            }
        }
    }
}

/// True if a text begins with another one. Most differ in the first byte, and a loop is then faster than a
/// call of `memcmp`. A match of UTF-8 texts never begins within a character.
fn begins(text: &[u8], begin: &[u8]) -> bool {
    text.len() >= begin.len() && text.iter().zip(begin).all(|(a, b)| a == b)
}

impl Glob {
    /// True if the whole text fits. Cost: at most the product of the two lengths; mostly their sum.
    pub fn fits(&self, text: &str) -> bool {
        let [first, middle @ .., last] = &*self.pieces else {
            return self.pieces[0].at_begin(text) == Some(text.len());
        };
        let Some(begin) = first.at_begin(text) else { return false };
        let Some(end) = last.at_end(&text[begin..]) else { return false };
        let mut rest = &text[begin..begin + end];
        // The first match of each piece suffices: it leaves the most text for the others.
        middle.iter().all(|piece| {
            let end = piece.after_first(rest);
            rest = &rest[end.unwrap_or(0)..];
            end.is_some()
        })
    }
    /// The pattern that fits only this text.
    pub(crate) fn literal(text: &str) -> Self {
        Self { text: text.to_owned(), pieces: vec![Piece::Literal(text.to_owned())] }
    }
    /// True if the pattern has a `/` outside of classes.
    pub(crate) fn has_slash(&self) -> bool {
        self.pieces.iter().any(|piece| match piece {
            Piece::Literal(literal) => literal.contains('/'),
            Piece::Tokens(tokens) => tokens.contains(&Token::Character('/')),
        })
    }
    /// The pattern as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Glob {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (mut pieces, mut tokens) = (Vec::new(), Vec::new());
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            match c {
                '*' => pieces.push(Piece::new(std::mem::take(&mut tokens))),
                '?' => tokens.push(Token::One),
                '[' => tokens.push(class(&mut rest)?),
                '\\' => tokens.push(Token::Character(escaped(&mut rest)?)),
                c => tokens.push(Token::Character(c)),
            }
        }
        pieces.push(Piece::new(tokens));
        Ok(Self { text: text.to_owned(), pieces })
    }
}

fn escaped(rest: &mut std::str::Chars<'_>) -> Result<char, Error> {
    rest.next().ok_or_else(|| Error::new("a glob ends with '\\'; write \\\\ for the character"))
}

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
            // A `]` at the beginning of a class is a member.
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
