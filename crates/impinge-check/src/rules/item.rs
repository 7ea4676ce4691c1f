//! [`Item`]: a value of a TOML file with its place, and typed access to it.
use super::{
    place::{Document, shortened, suggestion},
    quantity::Quantity,
};
use crate::values::error::Error;
use impinge_io::Unit;
use std::{borrow::Cow, fmt::Display};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A value of a TOML file.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    document: &'a Document<'a>,
    /// The key that leads to it.
    key: &'a str,
    value: &'a DeValue<'a>,
    /// Start of the value, in bytes. A table with a header starts there.
    at: usize,
    end: usize,
}

/// A key of a table, and its value.
pub(crate) struct Entry<'a> {
    pub(crate) key: &'a str,
    /// Start of the key, in bytes.
    pub(crate) at: usize,
    pub(crate) item: Item<'a>,
}

impl Entry<'_> {
    /// The line on which the key is.
    pub(crate) fn line(&self) -> usize {
        self.item.document.line(self.at)
    }
    pub(crate) fn error(&self, what: impl AsRef<str>) -> Error {
        self.item.document.error(self.at, what)
    }
}

impl<'a> Item<'a> {
    fn new(document: &'a Document<'a>, key: &'a str, key_at: usize, value: &'a Spanned<DeValue<'a>>) -> Self {
        let span = value.span();
        let at = if span.is_empty() { key_at } else { span.start };
        Self { document, key, value: value.get_ref(), at, end: span.end.max(at) }
    }
    pub(crate) fn value(&self) -> &'a DeValue<'a> {
        self.value
    }
    /// The value with another place for its errors.
    pub(crate) fn at(self, at: usize) -> Self {
        Self { at, ..self }
    }
    /// The line on which the value begins.
    pub(crate) fn line(&self) -> usize {
        self.document.line(self.at)
    }
    pub(crate) fn error(&self, what: impl AsRef<str>) -> Error {
        self.document.error(self.at, what)
    }
    /// The error of a value of another type.
    pub(crate) fn expected(&self, what: impl Display) -> Error {
        self.error(format!("'{}' must be {what} ({})", shortened(self.key), self.seen()))
    }
    /// The error of a word that is not among the known ones.
    pub(crate) fn unknown(&self, what: &str, word: &str, known: &[&'a str]) -> Error {
        let hint = match suggestion(word, known.iter().copied()) {
            none if none.is_empty() && known.len() <= 12 => format!("; known are {}", known.join(", ")),
            hint => hint,
        };
        self.error(format!("unknown {what} '{}'{hint}", shortened(word)))
    }
    /// The value, as errors show it.
    fn seen(&self) -> Cow<'static, str> {
        match self.value {
            DeValue::Array(_) => "an array".into(),
            DeValue::Table(_) => "a table".into(),
            _ => self.document.excerpt(self.at..self.end).into(),
        }
    }

    pub(crate) fn text(&self) -> Result<&'a str, Error> {
        self.value.as_str().ok_or_else(|| self.expected("text"))
    }
    pub(crate) fn flag(&self) -> Result<bool, Error> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }
    /// A text that is not empty.
    pub(crate) fn some_text(&self) -> Result<&'a str, Error> {
        let text = self.text()?;
        if text.trim().is_empty() {
            return Err(self.error(format!("'{}' must not be empty", shortened(self.key))));
        }
        Ok(text)
    }
    /// The text of a number, as the parsers of Rust read it.
    pub(crate) fn number(&self) -> Option<Cow<'a, str>> {
        match self.value {
            DeValue::Integer(integer) if integer.radix() == 10 => Some(integer.as_str().into()),
            DeValue::Integer(integer) => {
                let value = u64::from_str_radix(integer.as_str(), integer.radix());
                // "NaN" is refused: nobody needs numbers beyond u64 in another base.
                Some(value.map_or("NaN".into(), |value| value.to_string().into()))
            }
            DeValue::Float(float) => Some(float.as_str().into()),
            _ => None,
        }
    }
    /// Reads a number or a text with `read`.
    pub(crate) fn read<T>(
        &self,
        what: &str,
        read: impl FnOnce(&str) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let text = match self.number() {
            Some(number) => number,
            None => Cow::Borrowed(self.value.as_str().ok_or_else(|| self.expected(what))?),
        };
        read(&text).map_err(|error| {
            let error = shortened(&error.to_string());
            self.error(format!("'{}' must be {what}: {error} ({})", shortened(self.key), self.seen()))
        })
    }
    /// The items of an array.
    pub(crate) fn list(&self) -> Option<Vec<Self>> {
        let one = |value| Self::new(self.document, self.key, self.at, value);
        Some(self.value.as_array()?.iter().map(one).collect())
    }
    /// The items of an array, or the one item that is no array.
    pub(crate) fn each(&self) -> Vec<Self> {
        self.list().unwrap_or_else(|| vec![*self])
    }
    /// The entries of a table, in the order of the file.
    pub(crate) fn entries(&self) -> Option<Vec<Entry<'a>>> {
        Some(entries(self.document, self.value.as_table()?))
    }
    /// A table with only these keys.
    pub(crate) fn table(&self, known: &[&'a str]) -> Result<Table<'a>, Error> {
        let entries = self.entries().ok_or_else(|| self.expected("a table"))?;
        Table::new(self.document, self.key, self.at, entries, known)
    }
    /// The tables of an array of tables.
    pub(crate) fn tables(&self, known: &[&'a str]) -> Result<Vec<Table<'a>>, Error> {
        let Some(list) = self.list() else {
            let what = format!("an array of tables: write [[{}]]", shortened(self.key));
            return Err(self.expected(what));
        };
        list.iter().map(|item| item.table(known)).collect()
    }
}

fn entries<'a>(document: &'a Document<'a>, table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let entry = |(key, value): (&'a Spanned<Cow<'a, str>>, &'a Spanned<DeValue<'a>>)| {
        let (at, key) = (key.span().start, &**key.get_ref());
        Entry { key, at, item: Item::new(document, key, at, value) }
    };
    let mut entries: Vec<_> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.at);
    entries
}

/// A table with a fixed list of keys.
pub(crate) struct Table<'a> {
    document: &'a Document<'a>,
    key: &'a str,
    at: usize,
    entries: Vec<Entry<'a>>,
}

impl<'a> Table<'a> {
    /// The whole file.
    pub(crate) fn root(
        document: &'a Document<'a>,
        table: &'a DeTable<'a>,
        known: &[&'a str],
    ) -> Result<Self, Error> {
        Self::new(document, "", 0, entries(document, table), known)
    }
    fn new(
        document: &'a Document<'a>,
        key: &'a str,
        at: usize,
        entries: Vec<Entry<'a>>,
        known: &[&'a str],
    ) -> Result<Self, Error> {
        if let Some(entry) = entries.iter().find(|entry| !known.contains(&entry.key)) {
            return Err(Item { at: entry.at, ..entry.item }.unknown("key", entry.key, known));
        }
        Ok(Self { document, key, at, entries })
    }
    pub(crate) fn get(&self, key: &str) -> Option<Item<'a>> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.item)
    }
    /// The value of a key that must be there.
    pub(crate) fn need(&self, key: &str) -> Result<Item<'a>, Error> {
        let whose =
            if self.key.is_empty() { "the file".to_owned() } else { format!("'{}'", shortened(self.key)) };
        self.get(key).ok_or_else(|| self.document.error(self.at, format!("{whose} needs '{key}'")))
    }
    /// The line on which the table begins.
    pub(crate) fn line(&self) -> usize {
        self.document.line(self.at)
    }
    /// The quantity of a key, if it is present. A number without a unit is in `unit`.
    pub(crate) fn quantity<Q: Quantity>(
        &self,
        key: &str,
        unit: Option<Unit>,
        what: &str,
    ) -> Result<Option<Q>, Error> {
        self.get(key).map(|item| item.read(what, |text| Q::read(text, unit))).transpose()
    }
}
