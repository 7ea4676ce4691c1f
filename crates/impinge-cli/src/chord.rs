//! Chord tolerances of parts whose triangles approximate curved surfaces, and what is certain of them.
use crate::finding::Rule;
use anyhow::Context;
use impinge::{Body, Certainty, Margin, Query};
use serde::{Deserialize, Serialize};

/// What is known of the true surfaces of parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chord {
    /// Of each part.
    tolerance: Margin,
    /// Of two parts together, rounded up.
    both: Margin,
    /// Which points are inside.
    rule: Rule,
}

impl Chord {
    pub(crate) fn new(tolerance: Margin, rule: Rule) -> anyhow::Result<Self> {
        let both = tolerance.plus(tolerance).context("--chord")?;
        Ok(Self { tolerance, both, rule })
    }
    pub(crate) fn tolerance(&self) -> f64 {
        self.tolerance.get()
    }
    /// How far apart triangles may be whose true surfaces are no farther apart than a length; rounded up.
    pub(crate) fn widened(&self, length: Margin) -> anyhow::Result<Margin> {
        length.plus(self.both).context("--chord")
    }
    /// A query by the rule.
    pub(crate) fn query(&self) -> Query {
        Query::new().inside(self.rule.inside())
    }
    /// Whether the true parts are at most this far apart, or in each other. `None` where they are certainly
    /// not.
    pub(crate) fn certainty(
        &self,
        query: &mut Query,
        [a, b]: [&Body<'_>; 2],
        clearance: Margin,
    ) -> Option<Sure> {
        match query.certainty(a, b, [self.tolerance; 2], clearance) {
            Certainty::Clear => None,
            Certainty::Definite => Some(Sure::Definite),
            _ => Some(Sure::Possible),
        }
    }
}

/// How certain a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sure {
    /// It holds of the true parts.
    Definite,
    /// It holds of the triangles, or nearly, and may not hold of the true parts.
    Possible,
}

impl Sure {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Definite => "definite",
            Self::Possible => "possible",
        }
    }
}

/// What is certain of the findings that count.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Chords {
    /// Of each part.
    pub(crate) tolerance: f64,
    pub(crate) definite: u64,
    pub(crate) possible: u64,
}
