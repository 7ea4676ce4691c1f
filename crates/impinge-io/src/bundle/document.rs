//! The document of a bundle, field by field.
use super::digest::Digest;
use crate::PropertyValue;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, Visitor},
    ser::SerializeMap,
};
use std::{borrow::Cow, fmt};

/// The fields that state the format of the others.
#[derive(Deserialize)]
pub(super) struct Head<'a> {
    #[serde(borrow)]
    pub(super) format: Option<Cow<'a, str>>,
    pub(super) format_version: Option<serde_json::Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BundleDocument<'a> {
    #[serde(rename = "format")]
    _format: de::IgnoredAny,
    #[serde(rename = "format_version")]
    _format_version: de::IgnoredAny,
    /// Name and version of the program that wrote the bundle, for people.
    #[serde(rename = "writer")]
    _writer: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) sources: Vec<SourceEntry<'a>>,
    pub(super) meshes: Vec<MeshEntry>,
    #[serde(borrow)]
    pub(super) parts: Vec<PartEntry<'a>>,
    #[serde(borrow)]
    pub(super) warnings: Vec<WarningEntry<'a>>,
    #[serde(borrow)]
    pub(super) omissions: Vec<OmissionEntry<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceEntry<'a> {
    #[serde(borrow)]
    pub(super) file: Cow<'a, str>,
    pub(super) parts: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) digest: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unit: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) up: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) offset: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) settings: Option<Cow<'a, str>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeshEntry {
    pub(super) hash: Digest,
    pub(super) points: u64,
    pub(super) triangles: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartEntry<'a> {
    /// `None` in version 1.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    /// `None` if it equals the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) guid: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) class: Option<Cow<'a, str>>,
    pub(super) source: u64,
    pub(super) mesh: u64,
    /// The rows of a 3x4 matrix.
    pub(super) pose: [f64; 12],
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) baked: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) chord: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rounding: Option<f64>,
    #[serde(default, borrow, skip_serializing_if = "Entries::is_empty")]
    pub(super) properties: Entries<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WarningEntry<'a> {
    #[serde(borrow)]
    pub(super) file: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) text: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OmissionEntry<'a> {
    #[serde(borrow)]
    pub(super) file: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) guid: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) class: Option<Cow<'a, str>>,
    pub(super) count: u64,
    /// The name of an [`OmissionKind`](crate::OmissionKind).
    #[serde(borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) reason: Cow<'a, str>,
}

/// Properties, in their order, as an object of JSON.
#[derive(Default)]
pub(super) struct Entries<'a>(pub(super) Vec<(Cow<'a, str>, Value<'a>)>);

impl Entries<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}

/// A name that may borrow from the document.
#[derive(Deserialize)]
#[serde(transparent)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Entries<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of properties")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some((Name(name), value)) = map.next_entry::<Name<'de>, Value<'de>>()? {
                    entries.push((name, value));
                }
                Ok(Entries(entries))
            }
        }
        from.deserialize_map(Object)
    }
}

/// A value of a property: a string, a number or a truth value of JSON. JSON has no NaN and no infinity; these
/// are an object with their name, `{"number": "nan"}`.
#[derive(Clone)]
pub(super) enum Value<'a> {
    Text(Cow<'a, str>),
    Number(f64),
    Truth(bool),
}

impl<'a> From<&'a PropertyValue> for Value<'a> {
    fn from(value: &'a PropertyValue) -> Self {
        match value {
            PropertyValue::Text(text) => Self::Text(Cow::Borrowed(text)),
            PropertyValue::Number(number) => Self::Number(*number),
            PropertyValue::Truth(truth) => Self::Truth(*truth),
        }
    }
}

const NUMBER: &str = "number";
const NOT_FINITE: [(&str, f64); 3] =
    [("nan", f64::NAN), ("infinity", f64::INFINITY), ("-infinity", f64::NEG_INFINITY)];

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => to.serialize_str(text),
            Self::Truth(truth) => to.serialize_bool(*truth),
            Self::Number(number) => {
                let named = NOT_FINITE.iter().find(|(_, other)| number.total_cmp(other).is_eq());
                let named = named.or_else(|| NOT_FINITE.first().filter(|_| number.is_nan()));
                let Some((name, _)) = named else { return to.serialize_f64(*number) };
                let mut map = to.serialize_map(Some(1))?;
                map.serialize_entry(NUMBER, name)?;
                map.end()
            }
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Value<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, a number, true or false")
            }
            fn visit_bool<E>(self, truth: bool) -> Result<Value<'de>, E> {
                Ok(Value::Truth(truth))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Value<'de>, E> {
                Ok(Value::Number(number))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Value<'de>, E> {
                Ok(Value::Number(number as f64))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Value<'de>, E> {
                Ok(Value::Number(number as f64))
            }
            fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
                Ok(Value::Text(Cow::Owned(text.to_owned())))
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
                Ok(Value::Text(Cow::Borrowed(text)))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value<'de>, A::Error> {
                let entry = map.next_entry::<Name<'de>, Name<'de>>()?;
                let known = entry.filter(|(name, _)| name.0 == NUMBER).and_then(|(_, Name(value))| {
                    NOT_FINITE.iter().find(|(name, _)| *name == value).map(|&(_, number)| number)
                });
                match (known, map.next_key::<Name<'de>>()?) {
                    (Some(number), None) => Ok(Value::Number(number)),
                    _ => Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
                }
            }
        }
        from.deserialize_any(Any)
    }
}
