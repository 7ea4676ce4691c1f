//! What a baseline adds to findings. Every format asks here: a report without a baseline has nothing to add.
use impinge_check::{Finding, Report, baseline::Why};

/// The id of a finding, which stays the same from delivery to delivery.
pub(crate) fn id(report: &Report, finding: &Finding) -> Option<String> {
    report.status_of(finding).map(|seen| seen.id.to_string())
}

/// The status of a finding.
pub(crate) fn status(report: &Report, finding: &Finding) -> Option<&'static str> {
    report.status_of(finding).map(|seen| seen.status.name())
}

/// Why a finding was reopened.
pub(crate) fn why(report: &Report, finding: &Finding) -> Option<&'static str> {
    report.status_of(finding)?.why.map(Why::name)
}

/// Whether a finding makes a run fail: without a baseline each does.
pub(crate) fn fails(report: &Report, finding: &Finding) -> bool {
    report.status_of(finding).is_none_or(|seen| seen.status.counts())
}
