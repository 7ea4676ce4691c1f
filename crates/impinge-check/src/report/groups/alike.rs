//! [`Group`]: findings of the same two shapes, or of the same two labels.
use super::placements::Placements;
use crate::{
    parts::placed_shapes::PlacedShapes,
    report::{Report, finding::Finding, finding_size::FindingSize},
    values::finding_kind::FindingKind,
};
use std::{collections::HashMap, hash::Hash, sync::Arc};

/// A group of findings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Group {
    /// The index of the test in [`Report::tests`].
    pub test: u32,
    /// The kind of the gravest finding.
    pub kind: FindingKind,
    /// The two labels, if groups have labels.
    pub labels: Option<[Arc<str>; 2]>,
    /// Indices of findings in [`Report::findings`], the gravest first.
    pub findings: Vec<u32>,
    /// Number of different relative placements of the two shapes. Findings with one placement are copies of
    /// one finding. Without shapes, the number of findings.
    pub placements: usize,
    /// The greatest measures of its findings: the greatest lower and the greatest upper bound of volumes, the
    /// least upper bound of distances. No separating distance if a finding has none.
    pub size: FindingSize,
}

impl Group {
    pub(super) fn of(finding: &Finding) -> Self {
        Self {
            test: finding.test,
            kind: finding.kind,
            labels: None,
            findings: Vec::new(),
            placements: 0,
            size: FindingSize::default(),
        }
    }
    /// A group of one finding.
    pub(super) fn only(report: &Report, index: u32) -> Self {
        let mut group = Self::of(&report.findings()[index as usize]);
        group.add(report, index);
        group.placements = 1;
        group
    }
    /// Adds a finding that is no graver than those before it.
    pub(super) fn add(&mut self, report: &Report, index: u32) {
        let finding = &report.findings()[index as usize];
        let size = report.size_of(finding);
        self.size = if self.findings.is_empty() { size } else { self.size.and(&size) };
        self.findings.push(index);
    }
}

/// Groups in the order of their first findings, so that the gravest group comes first.
fn groups<K: Hash + Eq>(
    report: &Report,
    order: &[u32],
    key: impl Fn(&Finding) -> K,
    mut add: impl FnMut(usize, &Finding),
) -> Vec<Group> {
    let (mut groups, mut index): (Vec<Group>, HashMap<K, usize>) = Default::default();
    for &i in order {
        let finding = &report.findings()[i as usize];
        let group = *index.entry(key(finding)).or_insert_with(|| {
            groups.push(Group::of(finding));
            groups.len() - 1
        });
        groups[group].add(report, i);
        add(group, finding);
    }
    groups
}

/// The shapes of a report's parts.
fn placed(report: &Report) -> &PlacedShapes {
    report.input.shapes.get_or_init(|| match report.assembly() {
        Some(assembly) => PlacedShapes::new(&assembly.parts),
        None => PlacedShapes::of_numbers(report.parts().map(|part| (part.mesh(), part.pose()))),
    })
}

/// Groups findings by test, shapes and relation.
pub(super) fn of_shapes(report: &Report, order: &[u32]) -> Vec<Group> {
    let placed = placed(report);
    let mut places: Vec<Placements> = Vec::new();
    let key = |finding: &Finding| (finding.test, placed.key(finding.pair(), finding.kind).0);
    let add = |group: usize, finding: &Finding| {
        let [a, b] = finding.pair();
        let (_, is_swapped) = placed.key([a, b], finding.kind);
        if group == places.len() {
            places.push(Placements::default());
        }
        places[group].add(placed.placement(if is_swapped { [b, a] } else { [a, b] }));
    };
    let mut groups = groups(report, order, key, add);
    groups.iter_mut().zip(places).for_each(|(group, places)| group.placements = places.count());
    groups
}

/// Groups findings by test and the labels of their parts.
pub(super) fn of_labels(report: &Report, order: &[u32], labels: &[Arc<str>]) -> Vec<Group> {
    let none: Arc<str> = Arc::from("");
    let of = |finding: &Finding| {
        let [a, b] = finding.pair().map(|part| labels.get(part as usize).unwrap_or(&none));
        if b < a { [b, a] } else { [a, b] }
    };
    let mut groups = groups(report, order, |finding| (finding.test, of(finding)), |_, _| ());
    for group in &mut groups {
        group.labels = Some(of(&report.findings()[group.findings[0] as usize]).map(Arc::clone));
        group.placements = group.findings.len();
    }
    groups
}
