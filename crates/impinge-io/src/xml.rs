//! Attributes of XML tags, for readers of several formats.
use crate::{Error, error::Place};
use quick_xml::{
    XmlVersion,
    events::{
        BytesStart,
        attributes::{Attribute, Attributes},
    },
};
use std::borrow::Cow;

/// An error without a place, which the caller adds.
#[cold]
pub(crate) fn wrong(what: impl Into<String>) -> Error {
    Error::invalid(Place::File, what)
}

/// An attribute by its whole name, unescaped.
pub(crate) fn attribute<'t>(tag: &'t BytesStart<'_>, name: &str) -> Result<Option<Cow<'t, str>>, Error> {
    attribute_of(tag.attributes(), name)
}

/// One of a tag's attributes by its whole name, unescaped.
pub(crate) fn attribute_of<'t>(all: Attributes<'t>, name: &str) -> Result<Option<Cow<'t, str>>, Error> {
    let mut found = None;
    for a in unchecked(all) {
        let a = a?;
        if a.key.0 == name && found.replace(a).is_some() {
            return Err(twice(name));
        }
    }
    found.map(|a| unescape(&a)).transpose()
}

/// All attributes of a tag; their names may repeat.
pub(crate) fn raw_attributes<'t>(
    tag: &'t BytesStart<'_>,
) -> impl Iterator<Item = Result<Attribute<'t>, Error>> {
    unchecked(tag.attributes())
}

/// The XML reader's own search for repeated names is off, as it costs n^2 for n attributes; callers that
/// search for a name check that it occurs once.
fn unchecked(mut all: Attributes<'_>) -> impl Iterator<Item = Result<Attribute<'_>, Error>> {
    all.with_checks(false);
    all.map(|a| a.map_err(|e| wrong("an attribute is malformed").because(e)))
}

#[cold]
fn twice(name: &str) -> Error {
    wrong(format!("the attribute '{name}' occurs twice"))
}

pub(crate) fn unescape<'t>(a: &Attribute<'t>) -> Result<Cow<'t, str>, Error> {
    a.normalized_value(XmlVersion::Implicit1_0).map_err(|e| wrong("an attribute is malformed").because(e))
}

/// Required attributes, not unescaped: numbers contain nothing to unescape.
pub(crate) fn attributes<'t, const N: usize>(
    tag: &'t BytesStart<'_>,
    names: [&str; N],
) -> Result<[Cow<'t, str>; N], Error> {
    let mut found = [const { None }; N];
    for a in raw_attributes(tag) {
        let a = a?;
        if let Some(i) = names.iter().position(|name| *name == a.key.0)
            && found[i].replace(a.value).is_some()
        {
            return Err(twice(names[i]));
        }
    }
    if found.iter().any(Option::is_none) {
        let tag = tag.local_name();
        return Err(wrong(format!("'{}' needs the attributes {}", tag.as_ref(), names.join(", "))));
    }
    Ok(found.map(Option::unwrap_or_default))
}
