//! [`TestSummary`]: a test of a check, and the numbers of its pairs.
use crate::{
    rules::Severity,
    values::{count::Count, relations::Relations},
};
use serde::Serialize;

/// The name of the test of a check without rules.
pub const DEFAULT_TEST: &str = "check";

/// The name of the test of self-intersections of a check with rules, since the rules' tests are about pairs.
pub const SELF_INTERSECTIONS_TEST: &str = "self-intersections";

/// A test of a check, and the numbers of its pairs. A check without rules has one, for all of its pairs.
///
/// `asked` = `boxes_apart` + `ignored` + `not_examined` + `tested`. A pair counts in each test that applies
/// to it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TestSummary {
    /// Its name.
    pub name: String,
    /// The severity of its findings.
    #[serde(serialize_with = "severity_name")]
    pub severity: Severity,
    /// The relations that it reports.
    pub report: Relations,
    /// The tolerance. A clash is shallow, and no finding of this test, if it is no deeper, or if the check
    /// finds a translation of at most this length that separates the parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// The clearance: pairs that are at most this far apart without meeting are findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clearance: Option<f64>,
    /// Pairs of parts that it applies to.
    pub asked: u64,
    /// Pairs among these whose boxes do not meet, or are further apart than the clearance.
    pub boxes_apart: u64,
    /// Pairs that an ignore rule removed before their triangles were tested, or that the choice of pairs
    /// leaves out though their boxes are near.
    pub ignored: u64,
    /// Pairs that were not tested for lack of time.
    pub not_examined: u64,
    /// Pairs whose triangles were tested.
    pub tested: u64,
    /// Tested pairs with a relation that the test reports, but that rounded coordinates may have made
    /// ([`Report::is_within_rounding`](crate::Report::is_within_rounding)).
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub within_rounding: u64,
    /// Tested pairs with a relation that the test reports, and that its tolerance leaves out.
    pub shallow: u64,
    /// The certainty that findings need, if triangles approximate the true parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// Tested pairs that would be findings if possible ones counted.
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub possible: u64,
    /// Tested pairs with a relation that the test reports, and that an ignore rule removes by their relation
    /// or measures.
    pub ignored_findings: u64,
    /// Its findings.
    pub findings: u64,
}

impl TestSummary {
    /// The test of self-intersections, about no pairs.
    pub(crate) fn of_self_intersections() -> Self {
        Self {
            name: SELF_INTERSECTIONS_TEST.to_owned(),
            severity: Severity::default(),
            report: Relations::NONE,
            tolerance: None,
            clearance: None,
            asked: 0,
            boxes_apart: 0,
            ignored: 0,
            not_examined: 0,
            tested: 0,
            within_rounding: 0,
            shallow: 0,
            count: None,
            possible: 0,
            ignored_findings: 0,
            findings: 0,
        }
    }
}

/// An ignore rule, and the numbers of pairs and findings that it removed.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct IgnoreSummary {
    /// Its reason.
    pub reason: String,
    /// Its line in the file.
    pub line: usize,
    /// The last day on which it applies, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// True if that day has passed.
    pub is_expired: bool,
    /// Pairs that it removed before their triangles were tested; a pair counts for each test.
    pub pairs: u64,
    /// Findings that it removed by their relation or their measures.
    pub findings: u64,
}

fn severity_name<S: serde::Serializer>(severity: &Severity, to: S) -> Result<S::Ok, S::Error> {
    severity.name().serialize(to)
}
