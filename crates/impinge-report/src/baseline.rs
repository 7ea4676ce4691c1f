//! What a baseline adds to findings. Every format asks here: a report without a baseline has nothing to add.
use impinge_check::{Finding, Report};

/// The id of a finding, which stays the same from delivery to delivery.
pub(crate) fn id(_report: &Report, _finding: &Finding) -> Option<String> {
    None
}

/// The status of a finding.
pub(crate) fn status(_report: &Report, _finding: &Finding) -> Option<&'static str> {
    None
}

/// Whether a finding makes a run fail: without a baseline each does.
pub(crate) fn fails(_report: &Report, _finding: &Finding) -> bool {
    true
}
