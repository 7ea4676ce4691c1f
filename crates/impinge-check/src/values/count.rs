//! [`Count`]: the certainty that a finding needs to count.
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The certainty that a finding needs to count, where triangles approximate the true parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// A finding must hold of the true parts for certain.
    Definite,
    /// A finding must hold of the triangles, or nearly.
    Possible,
}

impl Count {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Definite, Self::Possible];

    /// The name, for programs and people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Definite => "definite",
            Self::Possible => "possible",
        }
    }
}

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|count| count.name() == text);
        found.ok_or_else(|| "definite or possible".to_owned())
    }
}
