//! YAML, event by event, with byte ranges. Anchors, aliases and tags are refused in what is read, and skipped
//! elsewhere: an alias is never followed, so no file can grow.
use crate::{error::Error, quote::shown};
use granit_parser::{Event, Parser, ScalarStyle, StrInput};
use std::{borrow::Cow, ops::Range};

/// The events of a text.
pub(super) struct Yaml<'t> {
    pub(super) text: &'t str,
    parser: Parser<'t, StrInput<'t>>,
    /// The next event, if it has been looked at.
    next: Option<Token<'t>>,
}

/// A key of a map, and its range.
pub(super) type Key<'t> = (Cow<'t, str>, Range<usize>);

/// An event that matters here.
pub(super) enum Token<'t> {
    Map(Range<usize>),
    List(Range<usize>),
    /// A scalar with its text, and whether it is plain: neither quoted nor a block.
    Scalar {
        value: Cow<'t, str>,
        is_plain: bool,
        at: Range<usize>,
    },
    /// The end of a map or a list.
    End,
    /// An anchor, an alias or a tag, with its reason for refusal. After an anchor or a tag its node is lost,
    /// which does not matter to an error. The flag is true if a map or a list has begun.
    Refused(&'static str, Range<usize>, bool),
    /// The end of the document.
    Eof,
}

impl Token<'_> {
    fn begins_collection(&self) -> bool {
        matches!(self, Self::Map(_) | Self::List(_) | Self::Refused(_, _, true))
    }
}

const ANCHOR: &str = "anchors (&name) are not read here; delete it";
const ALIAS: &str = "aliases (*name) are not read here; write the value out";
const TAG: &str = "tags (!name) are not read here; delete it, or write the value out";

impl<'t> Yaml<'t> {
    /// Begins the first document of a text.
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, parser: Parser::new_from_str(text), next: None }
    }

    #[cold]
    pub(super) fn error(&self, at: &Range<usize>, what: impl Into<String>) -> Error {
        Error::at(self.text, at.start, what)
    }

    fn take(&mut self) -> Result<Token<'t>, Error> {
        if let Some(token) = self.next.take() {
            return Ok(token);
        }
        loop {
            let Some(event) = self.parser.next_event() else { return Ok(Token::Eof) };
            let (event, span) = event.map_err(|e| {
                let byte = e.marker().byte_offset().unwrap_or_default();
                Error::at(self.text, byte, format!("this is not well-formed YAML: {}", shown(&e.info())))
            })?;
            let at = span.byte_range().unwrap_or_default();
            let refused = |anchor: usize, has_tag: bool| match (anchor, has_tag) {
                (0, false) => None,
                (0, true) => Some(TAG),
                _ => Some(ANCHOR),
            };
            return Ok(match event {
                Event::Scalar(value, style, anchor, tag) => match refused(anchor, tag.is_some()) {
                    Some(why) => Token::Refused(why, at, false),
                    None => Token::Scalar { value, is_plain: style == ScalarStyle::Plain, at },
                },
                Event::MappingStart(_, anchor, tag) => match refused(anchor, tag.is_some()) {
                    Some(why) => Token::Refused(why, at, true),
                    None => Token::Map(at),
                },
                Event::SequenceStart(_, anchor, tag) => match refused(anchor, tag.is_some()) {
                    Some(why) => Token::Refused(why, at, true),
                    None => Token::List(at),
                },
                Event::MappingEnd | Event::SequenceEnd => Token::End,
                Event::Alias(_) | Event::UnresolvedAlias(_) => Token::Refused(ALIAS, at, false),
                Event::DocumentEnd | Event::StreamEnd => Token::Eof,
                _ => continue,
            });
        }
    }

    /// The next node, which is not the end of a collection.
    pub(super) fn node(&mut self) -> Result<Token<'t>, Error> {
        match self.take()? {
            Token::Refused(why, at, _) => Err(self.error(&at, why)),
            token => Ok(token),
        }
    }

    /// Enters a map.
    pub(super) fn map(&mut self, what: &str) -> Result<(), Error> {
        match self.node()? {
            Token::Map(_) => Ok(()),
            Token::List(at) | Token::Scalar { at, .. } => {
                Err(self.error(&at, format!("{what} must be a map")))
            }
            _ => Err(self.error(&self.end(), format!("{what} must be a map, but the file ends"))),
        }
    }

    /// Enters a list.
    pub(super) fn list(&mut self, what: &str) -> Result<(), Error> {
        match self.node()? {
            Token::List(_) => Ok(()),
            Token::Map(at) | Token::Scalar { at, .. } => {
                Err(self.error(&at, format!("{what} must be a list")))
            }
            _ => Err(self.error(&self.end(), format!("{what} must be a list, but the file ends"))),
        }
    }

    /// The empty range at the end of the text.
    pub(super) fn end(&self) -> Range<usize> {
        self.text.len()..self.text.len()
    }

    /// The next key of the map that is open; `None` at its end.
    pub(super) fn key(&mut self) -> Result<Option<Key<'t>>, Error> {
        match self.node()? {
            Token::Scalar { value, at, .. } if value == "<<" => {
                Err(self.error(&at, "merge keys (<<) are not read here; write the entries out"))
            }
            Token::Scalar { value, at, .. } => Ok(Some((value, at))),
            Token::Map(at) | Token::List(at) => Err(self.error(&at, "a key must be a name")),
            _ => Ok(None),
        }
    }

    /// True if the list that is open has another item; leaves the list otherwise.
    pub(super) fn has_item(&mut self) -> Result<bool, Error> {
        match self.take()? {
            Token::End | Token::Eof => Ok(false),
            token => {
                self.next = Some(token);
                Ok(true)
            }
        }
    }

    /// Skips the next node, with all that is in it.
    pub(super) fn skip(&mut self) -> Result<(), Error> {
        let mut depth = 0_usize;
        loop {
            match self.take()? {
                token if token.begins_collection() => depth += 1,
                Token::End => depth = depth.saturating_sub(1),
                Token::Eof => return Ok(()),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// The range of the next node, which must be a number that is not in quotes.
    pub(super) fn number(&mut self, what: &str) -> Result<Range<usize>, Error> {
        let (message, at) = match self.node()? {
            // The range of a plain scalar begins with its text.
            Token::Scalar { value, is_plain: true, at } => {
                let at = at.start..at.start + value.len();
                if self.text.get(at.clone()) == Some(&*value) {
                    return Ok(at);
                }
                ("must be one number", at)
            }
            Token::Scalar { at, .. } => ("is a text in quotes, not a number; delete the quotes", at),
            Token::Map(at) | Token::List(at) => ("must be one number", at),
            _ => ("is missing; write a number", self.end()),
        };
        Err(self.error(&at, format!("{what} {message}")))
    }

    /// Checks that nothing follows the document.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        for event in &mut self.parser {
            let (event, span) = event.map_err(|e| {
                let byte = e.marker().byte_offset().unwrap_or_default();
                Error::at(self.text, byte, format!("this is not well-formed YAML: {}", shown(&e.info())))
            })?;
            if let Event::DocumentStart(..) = event {
                let at = span.byte_range().unwrap_or_default();
                return Err(Error::at(
                    self.text,
                    at.start,
                    "a second document begins; write it to its own file",
                ));
            }
        }
        Ok(())
    }
}
