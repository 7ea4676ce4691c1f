//! [`KnownNames`]: findings of a baseline in words.
use crate::groups::finding_word;
use impinge::relation::RelationKind;
use impinge_check::{
    FindingKind,
    baseline::{Baseline, KnownFinding},
    parts::PartLabels,
};

/// Names of the parts of a baseline's findings, and words for their relations, as tables have them.
pub struct KnownNames<'a> {
    labels: PartLabels<'a>,
}

impl<'a> KnownNames<'a> {
    /// The names of a baseline.
    pub fn new(baseline: &'a Baseline) -> Self {
        Self { labels: baseline.labels() }
    }
    /// The label of one of [`Baseline::parts`].
    pub fn label(&self, part: u32) -> String {
        self.labels.label(part as usize)
    }
    /// The labels of a finding's parts: the one that is inside the other first.
    pub fn parts(&self, finding: &KnownFinding) -> Vec<String> {
        let mut parts: Vec<String> = finding.parts().iter().map(|&part| self.label(part)).collect();
        if kind(finding) == Some(FindingKind::Clash(Some(RelationKind::Contains))) {
            parts.reverse();
        }
        parts
    }
    /// The word for a finding's relation.
    pub fn word(finding: &KnownFinding) -> &'static str {
        kind(finding).map_or("other", finding_word)
    }
}

fn kind(finding: &KnownFinding) -> Option<FindingKind> {
    FindingKind::of_name(&finding.measures.relation)
}
