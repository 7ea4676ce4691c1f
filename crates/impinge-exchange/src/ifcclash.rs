//! JSON of ifcclash: a list of clash sets, each with its clashes.
use crate::{
    error::Error,
    list::{ClashList, Element, Entry, ListFormat},
};
use serde::{Deserialize, Deserializer, de};
use std::fmt;

#[derive(Deserialize)]
struct ClashSet {
    #[serde(default)]
    name: Option<String>,
    /// `intersection`, `collision` or `clearance`.
    #[serde(default)]
    mode: Option<String>,
    /// Absent for a set that was not run.
    #[serde(default)]
    clashes: Option<Clashes>,
}

#[derive(Deserialize)]
struct Clash {
    a_global_id: String,
    b_global_id: String,
    #[serde(default)]
    a_ifc_class: Option<String>,
    #[serde(default)]
    b_ifc_class: Option<String>,
    #[serde(default)]
    a_name: Option<String>,
    #[serde(default)]
    b_name: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    distance: Option<f64>,
}

/// Clashes in the order of the file: as an object by name, or as a list.
struct Clashes(Vec<Clash>);

impl<'de> Deserialize<'de> for Clashes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> de::Visitor<'de> for Either {
            type Value = Clashes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object or a list of clashes")
            }
            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Clashes, A::Error> {
                let mut all = Vec::new();
                while let Some((_, clash)) = map.next_entry::<de::IgnoredAny, Clash>()? {
                    all.push(clash);
                }
                Ok(Clashes(all))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Clashes, A::Error> {
                let mut all = Vec::new();
                while let Some(clash) = list.next_element()? {
                    all.push(clash);
                }
                Ok(Clashes(all))
            }
        }
        from.deserialize_any(Either)
    }
}

pub(crate) fn parse(text: &[u8]) -> Result<ClashList, Error> {
    let wrong = |error: serde_json::Error| Error::new(format!("as JSON of ifcclash: {error}"));
    let sets: Vec<ClashSet> = match text.first() {
        Some(b'[') => serde_json::from_slice(text).map_err(wrong)?,
        _ => vec![serde_json::from_slice(text).map_err(wrong)?],
    };
    let mut entries = Vec::new();
    let mut run = 0;
    for (i, set) in sets.into_iter().enumerate() {
        let test = set.name.unwrap_or_else(|| format!("clash set {}", i + 1));
        let Some(Clashes(clashes)) = set.clashes else { continue };
        run += 1;
        for (k, clash) in clashes.into_iter().enumerate() {
            let element = |id: String, name: Option<String>, class: Option<String>| Element {
                ids: vec![id],
                name: name.filter(|name| !name.is_empty()),
                class,
                ..Element::default()
            };
            entries.push(Entry {
                name: format!("{test} {}", k + 1),
                test: Some(test.clone()),
                word: clash.kind.or_else(|| set.mode.clone()),
                status: None,
                distance: clash.distance,
                elements: vec![
                    element(clash.a_global_id, clash.a_name, clash.a_ifc_class),
                    element(clash.b_global_id, clash.b_name, clash.b_ifc_class),
                ],
                findings: Vec::new(),
            });
        }
    }
    if run == 0 {
        return Err(Error::new(
            "as JSON of ifcclash: no clash set has 'clashes': it was not run, or is no result",
        ));
    }
    Ok(ClashList { format: ListFormat::IfcClash, entries })
}
