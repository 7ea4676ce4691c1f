//! The rows of the page: groups of all findings.
use impinge_check::{
    Groups, Report,
    report::{Group, GroupBy},
};

/// The rows in the page's order. Rows with a finding that is new or reopened come first, and so do these
/// findings in a row; then the gravest come first. Without a baseline all findings are new.
pub(super) fn rows(report: &Report, by: Option<&GroupBy>) -> Vec<Group> {
    let mut rows = Groups::of_all(report, by);
    let is_known = |&i: &u32| !report.is_listed(i as usize);
    rows.iter_mut().for_each(|row| row.findings.sort_by_key(is_known));
    rows.sort_by_key(|row| row.findings.first().is_none_or(is_known));
    rows
}

/// All findings: the first of each row, then the others.
pub(super) fn in_order(rows: &[Group]) -> impl Iterator<Item = u32> {
    let first = rows.iter().filter_map(|row| row.findings.first());
    first.chain(rows.iter().flat_map(|row| row.findings.iter().skip(1))).copied()
}
