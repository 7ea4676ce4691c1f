//! [`Test`]: the pairs of parts to check, and the relations to report.
use super::{set::SetRef, severity::Severity};
use crate::values::{count::Count, length::Length, relations::Relations};

/// Kind of the findings that a test looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Find {
    /// Pairs of parts that have a relation, or are near.
    #[default]
    Pairs,
    /// Parts of `a`, and groups with such a part, that touch nothing else.
    Floating,
    /// Pairs of parts that had a point in common in an earlier delivery, and are apart now. A baseline
    /// ([`baseline`](crate::baseline)) stores the earlier pairs; without one the test has no findings.
    LostContact,
    /// Pairs of a part in `a` that moves through [`Test::poses`] and a part in `b` that stays, which come as
    /// near as the clearance at one of the poses, or between two of them ([`Test::between_poses`]). Parts in
    /// both sets move.
    MinGap,
}

impl Find {
    /// True if it needs each pair of parts of its sets examined.
    pub(crate) fn is_of_pairs(self) -> bool {
        match self {
            Self::Pairs | Self::LostContact => true,
            Self::Floating | Self::MinGap => false,
        }
    }
}

/// A test: pairs of a part in `a` and another part in `b`, and the relations to report.
///
/// Lengths without a unit in the file have the unit of the rules, if they state one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Test {
    /// The name, which no other test has.
    pub name: String,
    /// The kind of its findings.
    pub find: Find,
    /// The parts of one side.
    pub a: SetRef,
    /// The parts of the other side.
    pub b: SetRef,
    /// Relations that are findings.
    pub report: Relations,
    /// Clashes that are no deeper than this, or that a translation of at most this length removes, are
    /// shallow, and no findings.
    pub tolerance: Option<Length>,
    /// Pairs at most this far apart are findings.
    pub clearance: Option<Length>,
    /// Largest distance of the triangles of both sides from the true surfaces.
    pub chord: Option<Length>,
    /// The certainty that findings need; by default that of the check.
    pub count: Option<Count>,
    /// The name of the list of poses of a test of gaps ([`Rules::with_poses`](super::Rules::with_poses)).
    pub poses: Option<String>,
    /// Whether a test of gaps also examines every moment between two poses.
    pub between_poses: bool,
    /// The severity of its findings.
    pub severity: Severity,
    /// The line of the rules file on which it begins; 0 if it comes from no file.
    pub line: usize,
}

impl Test {
    /// A test of pairs of a part in each of two sets, from no file, with the usual relations.
    pub fn new(name: impl Into<String>, a: SetRef, b: SetRef) -> Self {
        Self {
            name: name.into(),
            find: Find::Pairs,
            a,
            b,
            report: Relations::USUAL,
            tolerance: None,
            clearance: None,
            chord: None,
            count: None,
            poses: None,
            between_poses: false,
            severity: Severity::default(),
            line: 0,
        }
    }
}
