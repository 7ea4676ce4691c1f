//! [`Cases`]: the groups or findings that have a row or an entry each, the gravest first.
use impinge_check::{
    Finding, Groups, Report,
    report::{FindingSize, Group, GroupBy},
};
use std::sync::Arc;

/// Groups of findings, or single findings; the gravest first. With a baseline, only those that are listed.
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
    /// Largest sizes of its findings, and their least distance.
    pub(crate) size: FindingSize,
}

impl Cases {
    /// The groups of a report, or its findings if `by` is `None`.
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
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Groups(_) => "group",
            Self::Findings(_) => "finding",
        }
    }
    /// The groups; `None` for single findings.
    pub(crate) fn groups(&self) -> Option<&Groups> {
        match self {
            Self::Groups(groups) => Some(groups),
            Self::Findings(_) => None,
        }
    }
    pub(crate) fn test(&self, report: &Report, i: usize) -> u32 {
        match self {
            Self::Groups(groups) => groups.groups[i].test,
            Self::Findings(findings) => report.findings()[findings[i] as usize].test,
        }
    }
    /// Number of findings of a case.
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
                Case { labels: None, findings: vec![findings[i]], size: report.size_of(finding) }
            }
        }
    }
}

impl Case {
    pub(crate) fn of_group(group: &Group) -> Self {
        Self { labels: group.labels.clone(), findings: group.findings.clone(), size: group.size }
    }
    /// The gravest finding, which represents all.
    pub(crate) fn gravest(&self, report: &Report) -> Finding {
        report.findings()[self.findings[0] as usize]
    }
}
