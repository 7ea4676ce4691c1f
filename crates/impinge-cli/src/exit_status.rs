//! Exit statuses of the program.
/// The command succeeded and reports no finding.
pub(crate) const CLEAR: u8 = 0;
/// The command succeeded and reports findings.
pub(crate) const FINDINGS: u8 = 1;
/// The command failed; one line on stderr gives the reason.
pub(crate) const ERROR: u8 = 2;
