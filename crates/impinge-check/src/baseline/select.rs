//! [`Selection`] of findings.
use super::{finding::KnownFinding, id::FindingId, status::Status, store::Baseline};
use crate::{rules::Glob, values::finding_kind::FindingKind};
use impinge::relation::RelationKind;

/// Selection of findings of a baseline, to list or to decide: those that meet all conditions.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// One of these ids; empty for any.
    pub ids: Vec<FindingId>,
    /// One of these statuses; empty for any.
    pub statuses: Vec<Status>,
    /// The name of the test.
    pub test: Option<String>,
    /// A pattern that matches the name, the file or the key of one of the parts.
    pub part: Option<Glob>,
    /// One of these groups, by their names ([`Baseline::group_of`]); empty for any.
    pub groups: Vec<FindingId>,
    /// One of these relations; empty for any.
    pub relations: Vec<SelectedRelation>,
    /// The largest common volume. A finding of unknown volume is not selected.
    pub max_volume: Option<f64>,
    /// Patterns for both parts. One part matches the first, the other one the second.
    pub between: Option<[Glob; 2]>,
}

/// A relation by which findings are selected, such as `overlap`, `inside` or `near`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectedRelation(&'static str, &'static [FindingKind]);

impl SelectedRelation {
    /// All relations.
    pub const ALL: [Self; 12] = [
        Self("overlap", &[FindingKind::Clash(Some(RelationKind::Overlap))]),
        Self(
            "inside",
            &[
                FindingKind::Clash(Some(RelationKind::Inside)),
                FindingKind::Clash(Some(RelationKind::Contains)),
            ],
        ),
        Self("duplicate", &[FindingKind::Clash(Some(RelationKind::Duplicate))]),
        Self("pierce", &[FindingKind::Clash(Some(RelationKind::Pierce))]),
        Self("surface-inside", &[FindingKind::Clash(Some(RelationKind::SurfaceInside))]),
        Self("meet", &[FindingKind::Clash(Some(RelationKind::Meet))]),
        Self("touch", &[FindingKind::Clash(Some(RelationKind::Touch))]),
        Self("near", &[FindingKind::Near]),
        Self("self", &[FindingKind::SelfIntersection]),
        Self("floating", &[FindingKind::Floating]),
        Self("lost-contact", &[FindingKind::LostContact]),
        Self("min-gap", &[FindingKind::MinGap]),
    ];
    /// Its word. Words of clashes are those of [`Relations`](crate::Relations).
    pub fn word(self) -> &'static str {
        self.0
    }
    /// True if it includes the relation with this name in baselines.
    fn holds(self, name: &str) -> bool {
        self.1.iter().any(|kind| kind.name() == name)
    }
}

impl Baseline {
    /// The findings that meet all conditions, sorted by id.
    pub fn select<'a>(&'a self, selection: &'a Selection) -> impl Iterator<Item = &'a KnownFinding> {
        let mut ids = selection.ids.clone();
        ids.sort_unstable();
        self.findings.iter().filter(move |finding| {
            (ids.is_empty() || ids.binary_search(&finding.id).is_ok()) && self.fits(selection, finding)
        })
    }
    fn fits(&self, selection: &Selection, finding: &KnownFinding) -> bool {
        let Selection { statuses, test, part, groups, relations, max_volume, between, ids: _ } = selection;
        let fits_part = |glob: &Glob| finding.parts().iter().any(|&part| self.is_named(part, glob));
        let fits_between = |[a, b]: &[Glob; 2]| match *finding.parts() {
            [first, second] => [[first, second], [second, first]]
                .iter()
                .any(|&[one, other]| self.is_named(one, a) && self.is_named(other, b)),
            _ => false,
        };
        let is_small = |most: f64| finding.measures.volume.is_some_and(|[_, hi]| hi <= most);
        (statuses.is_empty() || statuses.contains(&finding.status()))
            && test.as_ref().is_none_or(|test| **test == *finding.test)
            && part.as_ref().is_none_or(fits_part)
            && (groups.is_empty() || groups.contains(&self.group_of(finding)))
            && (relations.is_empty() || relations.iter().any(|one| one.holds(&finding.measures.relation)))
            && max_volume.is_none_or(is_small)
            && between.as_ref().is_none_or(fits_between)
    }
    /// True if a pattern matches the name, the file or the key of a part.
    fn is_named(&self, part: u32, glob: &Glob) -> bool {
        let known = &self.parts[part as usize];
        glob.fits(&known.name) || glob.fits(&known.file) || self.key(part).is_some_and(|key| glob.fits(key))
    }
}

#[cfg(test)]
mod tests {
    use super::SelectedRelation;
    use crate::values::relations::{self, Relations};
    use impinge::relation::RelationKind;

    /// Every relation has one word, which is that of the check's options.
    #[test]
    fn relations_have_the_words_of_options() {
        for kind in relations::ALL {
            let holds = |one: &&SelectedRelation| one.holds(relations::name(kind));
            let [one] = *SelectedRelation::ALL.iter().filter(holds).collect::<Vec<_>>() else {
                panic!("{kind:?}");
            };
            let set: Relations = one.word().parse().unwrap();
            assert!(set.holds(kind) && kind != RelationKind::Apart);
        }
    }
}
