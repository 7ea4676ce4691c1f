//! JSON with the places of radii: a raw value borrows from the text, so its address gives its offset.
use crate::{
    error::Error,
    number::{self, Number},
    quote::shown,
};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use std::{collections::HashSet, fmt, marker::PhantomData};

/// Reads a whole text. Errors have their place.
pub(super) fn read<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, Error> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(body).map_err(|e| {
        // Columns of serde_json are bytes, from 1; 0 is the line end before.
        let skipped =
            body.split_inclusive('\n').take(e.line().saturating_sub(1)).map(str::len).sum::<usize>();
        let byte = text.len() - body.len() + skipped + e.column().saturating_sub(1);
        let message = e.to_string();
        let what = message.rsplit_once(" at line ").map_or(&*message, |(what, _)| what);
        Error::at(text, byte, shown(what))
    })
}

/// The radius that a raw value of the text writes.
pub(super) fn radius(text: &str, raw: &RawValue) -> Result<Number, Error> {
    let digits = raw.get();
    let start = (digits.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    let at = start..start.wrapping_add(digits.len());
    if text.get(at.clone()) != Some(digits) {
        return Err(Error::new("a radius is not in the text"));
    }
    number::length(text, at, "radius")
}

/// The entries of an object, in order. No name may occur twice.
pub(super) struct Entries<T>(pub(super) Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

struct EntriesVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
    type Value = Entries<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<T>, A::Error> {
        let mut entries = Vec::new();
        let mut known = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if !known.insert(name.clone()) {
                return Err(A::Error::custom(format!("a second entry '{}'; delete one", shown(&name))));
            }
            entries.push((name, map.next_value()?));
        }
        Ok(Entries(entries))
    }
}
