//! [`Column`]: the values that parts have for a key.
use super::{condition::FieldMatch, names::FieldValue};
use std::{borrow::Cow, collections::HashMap};

/// The values that parts have for a key, each different one once.
pub(crate) struct Column {
    /// For each part the index of its value.
    value_of: Vec<u32>,
    /// The different values; `None` for parts without one.
    pub(crate) values: Vec<Option<Cell>>,
    /// The texts of all values, one after the other: conditions read them in this order, and texts at random
    /// places in memory take ten times as long.
    texts: String,
}

pub(crate) struct Cell {
    /// The range of its text, in bytes.
    begin: usize,
    end: usize,
    number: Option<f64>,
    truth: Option<bool>,
}

pub(crate) struct CellText<'a> {
    text: &'a str,
    pub(crate) number: Option<f64>,
    truth: Option<bool>,
}

#[derive(PartialEq, Eq, Hash)]
enum Identity<'a> {
    None,
    Text(Cow<'a, str>),
    Number(u64),
    Truth(bool),
}

impl Column {
    /// The column with a value for each part.
    pub(crate) fn new<'a>(values: impl Iterator<Item = Option<FieldValue<'a>>>) -> Self {
        let mut column = Self { value_of: Vec::new(), values: Vec::new(), texts: String::new() };
        let mut seen = HashMap::new();
        for value in values {
            let identity = match &value {
                None => Identity::None,
                Some(FieldValue::Text(text)) => Identity::Text(text.clone()),
                Some(FieldValue::Number(number)) => Identity::Number(number.to_bits()),
                Some(FieldValue::Truth(truth)) => Identity::Truth(*truth),
            };
            let index = *seen.entry(identity).or_insert_with(|| {
                let entry = value.map(|value| column.cell(&value));
                column.values.push(entry);
                column.values.len() as u32 - 1
            });
            column.value_of.push(index);
        }
        column
    }
    /// The column with a number for each part.
    pub(crate) fn numbers(values: impl Iterator<Item = Option<f64>>) -> Self {
        Self::new(values.map(|value| value.map(FieldValue::Number)))
    }
    /// For each part, true if it has a value that fits.
    pub(crate) fn holds(&self, fits: impl Fn(&CellText<'_>) -> bool) -> Vec<bool> {
        let fits = |entry: &Option<Cell>| {
            entry.as_ref().is_some_and(|&Cell { begin, end, number, truth }| {
                fits(&CellText { text: &self.texts[begin..end], number, truth })
            })
        };
        let fitting: Vec<bool> = self.values.iter().map(fits).collect();
        self.value_of.iter().map(|&value| fitting[value as usize]).collect()
    }

    fn cell(&mut self, value: &FieldValue<'_>) -> Cell {
        let begin = self.texts.len();
        self.texts += &value.text();
        let truth = match (value, &self.texts[begin..]) {
            (FieldValue::Number(_), _) => None,
            (_, "true") => Some(true),
            (_, "false") => Some(false),
            _ => None,
        };
        Cell { begin, end: self.texts.len(), number: value.number(), truth }
    }
}

/// True if a value of the field `key` fits a condition. A glob of files without `/` applies to the last
/// component.
pub(crate) fn is_value(one: &FieldMatch, key: &str, value: &CellText<'_>) -> bool {
    match one {
        FieldMatch::Glob(glob) if key == "file" && !glob.has_slash() => {
            glob.fits(value.text.rsplit(['/', '\\']).next().unwrap_or_default())
        }
        FieldMatch::Glob(glob) => glob.fits(value.text),
        FieldMatch::Range(range) => value.number.is_some_and(|number| range.holds(number)),
        FieldMatch::Truth(truth) => value.truth == Some(*truth),
    }
}
