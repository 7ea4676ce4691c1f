//! Values that files store by name, so that their order in the program is free to change.
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The values of a type and their names.
pub(crate) trait StoredByName: Copy + 'static {
    /// Each value that a file may contain, once.
    const VALUES: &'static [Self];
    /// The name of a value; different values have different names.
    fn name(self) -> &'static str;
}

pub(crate) fn serialize<T: StoredByName, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.name().serialize(to)
}

/// The value with this name.
///
/// # Errors
/// No value has it.
pub(crate) fn deserialize<'de, T: StoredByName, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let name = String::deserialize(from)?;
    let value = T::VALUES.iter().copied().find(|value| value.name() == name);
    value.ok_or_else(|| D::Error::custom(format!("unknown name '{}'", crate::values::text::printable(&name))))
}

/// Serialization by name of values that may be missing.
pub(crate) mod option {
    use super::StoredByName;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    struct Value<T: StoredByName>(#[serde(with = "super")] T);

    pub(crate) fn serialize<T: StoredByName, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(T::name).serialize(to)
    }

    pub(crate) fn deserialize<'de, T: StoredByName, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        Ok(Option::<Value<T>>::deserialize(from)?.map(|Value(value)| value))
    }
}

#[cfg(test)]
mod tests {
    use super::StoredByName;
    use impinge::{relation::RelationKind, solid::Closedness};
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeSet;

    #[derive(Serialize, Deserialize)]
    struct Row {
        #[serde(with = "super::option")]
        kind: Option<RelationKind>,
        #[serde(with = "super")]
        status: Closedness,
    }

    fn check<T: StoredByName + PartialEq + std::fmt::Debug>() {
        let names: BTreeSet<&str> = T::VALUES.iter().map(|value| value.name()).collect();
        assert_eq!(names.len(), T::VALUES.len());
    }

    #[test]
    fn values_are_stored_by_name() {
        check::<RelationKind>();
        check::<Closedness>();
        for kind in RelationKind::VALUES.iter().copied().map(Some).chain([None]) {
            for &status in Closedness::VALUES {
                let bytes = postcard::to_stdvec(&Row { kind, status }).unwrap();
                let text = String::from_utf8_lossy(&bytes);
                assert!(text.contains(status.name()) && kind.is_none_or(|kind| text.contains(kind.name())));
                let row: Row = postcard::from_bytes(&bytes).unwrap();
                assert_eq!((row.kind, row.status), (kind, status));
            }
        }
        let unknown = postcard::to_stdvec(&(Some("beside"), "open")).unwrap();
        assert!(postcard::from_bytes::<Row>(&unknown).is_err());
    }
}
