//! [`KnownNames`]: findings of a baseline in words.
use crate::{groups::finding_word, size_units::SizeUnits};
use impinge::relation::RelationKind;
use impinge_check::{
    FindingKind,
    baseline::{Baseline, KnownFinding, Measures},
    parts::PartLabels,
};

/// Names of the parts of a baseline's findings, and words for their relations, as tables have them.
pub struct KnownNames<'a> {
    labels: PartLabels<'a>,
    units: SizeUnits,
}

impl<'a> KnownNames<'a> {
    /// The names of a baseline.
    pub fn new(baseline: &'a Baseline) -> Self {
        Self { labels: baseline.labels(), units: SizeUnits::of_baseline(baseline) }
    }
    /// The label of one of [`Baseline::parts`].
    pub fn label(&self, part: u32) -> String {
        self.labels.label(part as usize)
    }
    /// The labels of a finding's parts. The part that is inside the other comes first.
    pub fn parts(&self, finding: &KnownFinding) -> Vec<String> {
        let mut parts: Vec<String> = finding.parts().iter().map(|&part| self.label(part)).collect();
        if kind(finding) == Some(FindingKind::Clash(Some(RelationKind::Contains))) {
            parts.reverse();
        }
        parts
    }
    /// A length with its unit.
    pub fn length(&self, length: f64) -> String {
        self.units.with_length_unit(&self.units.length(length))
    }
    /// The volume of a finding, else its depth, else its distance, with the unit; empty without any.
    pub fn size(&self, finding: &KnownFinding) -> String {
        let length = |[_, hi]: [f64; 2]| self.length(hi);
        let Measures { volume, depth, distance, .. } = finding.measures;
        match (volume, depth, distance) {
            (Some(bounds), ..) => {
                let volume = self.units.volume(bounds);
                let has_unit = self.units.symbols()[1].is_some();
                if has_unit { self.units.with_volume_unit(&volume) } else { format!("{volume} vol") }
            }
            (_, Some(depth), _) => format!("{} deep", length(depth)),
            (.., Some(distance)) => format!("{} apart", length(distance)),
            _ => String::new(),
        }
    }
    /// The word for a finding's relation.
    pub fn word(finding: &KnownFinding) -> &'static str {
        kind(finding).map_or("other", finding_word)
    }
}

fn kind(finding: &KnownFinding) -> Option<FindingKind> {
    FindingKind::of_name(&finding.measures.relation)
}
