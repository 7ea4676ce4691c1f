//! [`Omission`]: parts of the files that are missing in the assembly.
use crate::values::named::{self, StoredByName};
use impinge_io::OmissionKind;
use serde::{Deserialize, Serialize};

impl StoredByName for OmissionKind {
    const VALUES: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        Self::name(self)
    }
}

/// A part of a file that is missing in the assembly, or several such parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Omission {
    /// The file that contains it.
    pub file: String,
    /// The kind: left out on purpose, or not convertible.
    #[serde(with = "named")]
    pub kind: OmissionKind,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Identifier that the input gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
    /// Type that the input gives.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Number of parts.
    pub count: u64,
    /// The reason why it is missing.
    pub reason: String,
}

impl From<&impinge_io::Omission> for Omission {
    fn from(omission: &impinge_io::Omission) -> Self {
        let text = |text: &Option<std::sync::Arc<str>>| text.as_deref().map(str::to_owned);
        Self {
            file: omission.file.to_string_lossy().into_owned(),
            kind: omission.kind,
            name: text(&omission.name),
            guid: text(&omission.guid),
            class: text(&omission.class),
            count: omission.count as u64,
            reason: omission.reason.to_string(),
        }
    }
}

impl Omission {
    /// True if the part could not be converted, so that it was not examined.
    pub fn is_failed(&self) -> bool {
        self.kind == OmissionKind::Failed
    }
    pub(crate) fn count<'a>(some: impl Iterator<Item = &'a Self>) -> u64 {
        some.fold(0, |sum, omission| sum.saturating_add(omission.count))
    }
}
