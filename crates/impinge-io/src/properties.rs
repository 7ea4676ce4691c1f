//! [`Properties`] of a part: names with values.
use std::{collections::HashMap, fmt, slice, sync::Arc};

/// A value of a property.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PropertyValue {
    /// Text.
    Text(Arc<str>),
    /// A number.
    Number(f64),
    /// True or false.
    Truth(bool),
}

impl PropertyValue {
    /// The text; `None` for another type.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
    /// The number; `None` for another type.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
    /// The truth value; `None` for another type.
    pub fn as_truth(&self) -> Option<bool> {
        match self {
            Self::Truth(truth) => Some(*truth),
            _ => None,
        }
    }
}

/// Writes the value alone.
impl fmt::Display for PropertyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Truth(truth) => truth.fmt(f),
        }
    }
}

impl From<Arc<str>> for PropertyValue {
    fn from(text: Arc<str>) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for PropertyValue {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for PropertyValue {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<f64> for PropertyValue {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for PropertyValue {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

type Entry = (Arc<str>, PropertyValue);

/// Names with values, in the order of the input; every name occurs once.
///
/// An empty `Properties` has the size of a pointer. Clones share their content until one of them changes.
///
/// ```
/// use impinge_io::{Properties, PropertyValue};
/// let mut properties = Properties::new();
/// properties.insert("Material", "steel");
/// properties.insert("Mass", 2.5);
/// properties.insert("LoadBearing", true);
/// assert_eq!(properties.get("Mass").and_then(PropertyValue::as_number), Some(2.5));
/// let text: Vec<_> = properties.iter().map(|(name, value)| format!("{name}={value}")).collect();
/// assert_eq!(text, ["Material=steel", "Mass=2.5", "LoadBearing=true"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties(Option<Arc<Vec<Entry>>>);

impl Properties {
    /// No properties.
    pub fn new() -> Self {
        Self(None)
    }
    /// Sets a property and returns its old value. A new name goes to the end; a known one keeps its place.
    /// Cost: linear in the number of properties; [`Extend`] adds many in one pass.
    pub fn insert(
        &mut self,
        name: impl Into<Arc<str>>,
        value: impl Into<PropertyValue>,
    ) -> Option<PropertyValue> {
        let (name, value) = (name.into(), value.into());
        let list = self.list();
        if let Some((_, old)) = list.iter_mut().find(|(known, _)| *known == name) {
            return Some(std::mem::replace(old, value));
        }
        list.push((name, value));
        None
    }
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&PropertyValue> {
        self.as_slice().iter().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }
    /// Names and values, in order.
    pub fn iter(&self) -> PropertiesIter<'_> {
        PropertiesIter(self.as_slice().iter())
    }
    /// Number of properties.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn as_slice(&self) -> &[Entry] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
    fn list(&mut self) -> &mut Vec<Entry> {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

impl<N: Into<Arc<str>>, V: Into<PropertyValue>> Extend<(N, V)> for Properties {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, more: I) {
        let mut more = more.into_iter().peekable();
        if more.peek().is_none() {
            return;
        }
        let list = self.list();
        let mut index: HashMap<Arc<str>, usize> =
            list.iter().enumerate().map(|(i, (name, _))| (Arc::clone(name), i)).collect();
        for (name, value) in more {
            let (name, value) = (name.into(), value.into());
            match index.get(&name) {
                Some(&i) => list[i].1 = value,
                None => {
                    index.insert(Arc::clone(&name), list.len());
                    list.push((name, value));
                }
            }
        }
    }
}

impl<N: Into<Arc<str>>, V: Into<PropertyValue>> FromIterator<(N, V)> for Properties {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(all: I) -> Self {
        let mut properties = Self::new();
        properties.extend(all);
        properties
    }
}

impl<'a> IntoIterator for &'a Properties {
    type Item = (&'a str, &'a PropertyValue);
    type IntoIter = PropertiesIter<'a>;

    fn into_iter(self) -> PropertiesIter<'a> {
        self.iter()
    }
}

/// Iterator of [`Properties::iter`].
#[derive(Clone, Debug)]
pub struct PropertiesIter<'a>(slice::Iter<'a, Entry>);

impl<'a> Iterator for PropertiesIter<'a> {
    type Item = (&'a str, &'a PropertyValue);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| (&**name, value))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for PropertiesIter<'_> {}
