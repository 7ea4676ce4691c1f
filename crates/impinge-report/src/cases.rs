//! [`Cases`]: what has a row or an entry of its own, the gravest first.
use impinge_check::{
    Finding, Groups, Report,
    records::Depth,
    report::{Group, GroupBy},
};
use std::sync::Arc;

/// Groups of findings, or findings one by one; the gravest first. With a baseline only those that are listed.
pub(crate) enum Cases {
    Groups(Groups),
    /// Indices in [`Report::findings`].
    Findings(Vec<u32>),
}

/// A group of findings, or one finding.
pub(crate) struct Case {
    pub(crate) labels: Option<[Arc<str>; 2]>,
    /// Indices in [`Report::findings`], the gravest first.
    pub(crate) findings: Vec<u32>,
    pub(crate) size: Size,
}

/// The numbers of findings: of several the largest, or the least distance.
#[derive(Clone, Copy, Default)]
pub(crate) struct Size {
    /// Bounds.
    pub(crate) volume: Option<[f64; 2]>,
    pub(crate) clear_by: Option<f64>,
    pub(crate) distance: Option<f64>,
}

impl Cases {
    /// The groups of a report, or its findings where there is nothing to group by.
    pub(crate) fn new(report: &Report, by: Option<&GroupBy>) -> Self {
        match by {
            Some(by) => Self::Groups(Groups::by(report, by)),
            None => {
                let findings = report.findings();
                let listed = |&i: &u32| report.is_listed(i as usize);
                let mut order: Vec<u32> = (0..findings.len() as u32).filter(listed).collect();
                order.sort_by_cached_key(|&i| report.rank_of(&findings[i as usize]));
                Self::Findings(order)
            }
        }
    }
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Groups(groups) => groups.groups.len(),
            Self::Findings(findings) => findings.len(),
        }
    }
    /// What there are so many of.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Groups(_) => "group",
            Self::Findings(_) => "finding",
        }
    }
    /// The groups, if there are any.
    pub(crate) fn groups(&self) -> Option<&Groups> {
        match self {
            Self::Groups(groups) => Some(groups),
            Self::Findings(_) => None,
        }
    }
    /// The test of a case.
    pub(crate) fn test(&self, report: &Report, i: usize) -> u32 {
        match self {
            Self::Groups(groups) => groups.groups[i].test,
            Self::Findings(findings) => report.findings()[findings[i] as usize].test,
        }
    }
    /// How many findings a case has.
    pub(crate) fn count(&self, i: usize) -> usize {
        match self {
            Self::Groups(groups) => groups.groups[i].findings.len(),
            Self::Findings(_) => 1,
        }
    }
    pub(crate) fn get(&self, report: &Report, i: usize) -> Case {
        match self {
            Self::Groups(groups) => Case::of_group(&groups.groups[i]),
            Self::Findings(findings) => {
                let finding = &report.findings()[findings[i] as usize];
                Case { labels: None, findings: vec![findings[i]], size: Size::of(report, finding) }
            }
        }
    }
}

impl Case {
    pub(crate) fn of_group(group: &Group) -> Self {
        let &Group { volume, clear_by, distance, .. } = group;
        Self {
            labels: group.labels.clone(),
            findings: group.findings.clone(),
            size: Size { volume, clear_by, distance },
        }
    }
    /// The finding that stands for all.
    pub(crate) fn gravest(&self, report: &Report) -> Finding {
        report.findings()[self.findings[0] as usize]
    }
}

impl Size {
    /// That of one finding.
    pub(crate) fn of(report: &Report, finding: &Finding) -> Self {
        let depth = report.clash_of(finding).and_then(|clash| report.depth(clash));
        Self {
            volume: depth.and_then(|depth| depth.overlap_volume),
            clear_by: depth.and_then(Depth::separating_length),
            distance: report.distance_of(finding),
        }
    }
}
