//! [`Groups`]: findings that are alike, findings that share parts, and the parts that explain most of them.
mod alike;
mod close;
mod connected;
mod cover;
mod placements;

pub use self::{alike::Group, connected::Connected, cover::Explained};

use crate::report::{Report, finding::Finding};
use std::sync::Arc;

/// The property that findings of one group share.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum GroupBy {
    /// The same two shapes and the same relation: 'M6 bolt in housing, 24 times'. No distance is chosen.
    #[default]
    Shapes,
    /// The same two labels. The list has a label for each part of the assembly, such as its contractor or its
    /// layer.
    Labels(Vec<Arc<str>>),
    /// A chain of findings: the points of two neighbours are at most this far apart.
    Near(f64),
}

/// Findings in groups, few enough for a person to look through.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Groups {
    /// Every finding in one group, the group with the gravest finding first.
    pub groups: Vec<Group>,
    /// Parts that findings connect, and the findings between them, the most findings first.
    pub connected: Vec<Connected>,
    /// The parts that resolve most findings. Each is in the most findings that contain no part before it.
    pub explained: Vec<Explained>,
}

impl Groups {
    /// Groups the findings of a report by shapes and relation.
    pub fn new(report: &Report) -> Self {
        Self::by(report, &GroupBy::Shapes)
    }
    /// Groups the findings of a report; with a baseline, those that are new or reopened. Cost: O(n log n) for
    /// n findings.
    pub fn by(report: &Report, by: &GroupBy) -> Self {
        let findings = report.findings();
        let order = order(report);
        let groups = groups(report, by, &order);
        let ranked: Vec<Finding> = order.iter().map(|&i| findings[i as usize]).collect();
        Self {
            groups,
            connected: connected::connected(&ranked, report.part_count()),
            explained: cover::explained(&ranked, report.part_count()),
        }
    }
    /// The groups of all findings, also of those that are not new or reopened. Without `by` each finding is a
    /// group.
    pub fn of_all(report: &Report, by: Option<&GroupBy>) -> Vec<Group> {
        let order = sorted(report, |_| true);
        match by {
            Some(by) => groups(report, by, &order),
            None => order.into_iter().map(|i| Group::only(report, i)).collect(),
        }
    }
    /// The index in [`Groups::groups`] of the group of each finding; `None` for a finding without a group.
    pub fn numbers(report: &Report, by: &GroupBy) -> Vec<Option<u32>> {
        let groups = groups(report, by, &order(report));
        let mut numbers = vec![None; report.findings().len()];
        for (number, group) in (0..).zip(groups) {
            group.findings.iter().for_each(|&i| numbers[i as usize] = Some(number));
        }
        numbers
    }
}

/// The findings that are grouped, the gravest first.
fn order(report: &Report) -> Vec<u32> {
    sorted(report, |i| report.is_listed(i as usize))
}

/// Some of the findings, the gravest first.
fn sorted(report: &Report, is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
    let findings = report.findings();
    let mut order: Vec<u32> = (0..findings.len() as u32).filter(|&i| is_wanted(i)).collect();
    order.sort_by_cached_key(|&i| report.rank_of(&findings[i as usize]));
    order
}

fn groups(report: &Report, by: &GroupBy, order: &[u32]) -> Vec<Group> {
    match by {
        GroupBy::Shapes => alike::of_shapes(report, order),
        GroupBy::Labels(labels) => alike::of_labels(report, order, labels),
        GroupBy::Near(length) => close::groups(report, order, *length),
    }
}
