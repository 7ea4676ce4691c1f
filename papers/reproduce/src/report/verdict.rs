//! Claims of papers, and verdicts on them.
use serde::{Deserialize, Serialize};

/// Verdict on a claim of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outcome {
    Holds,
    InPart,
    DoesNotHold,
    NotMeasured,
    /// Three measurements of times give more than one outcome.
    Varies,
    /// The machine was too busy for a claim about times.
    NotJudged,
}

impl Outcome {
    pub(super) const ALL: [Self; 6] =
        [Self::Holds, Self::InPart, Self::DoesNotHold, Self::NotMeasured, Self::Varies, Self::NotJudged];

    /// Verdict on a claim about several cases.
    pub(crate) fn of(cases: impl IntoIterator<Item = bool>) -> Self {
        let (mut all, mut any, mut n) = (true, false, 0);
        for case in cases {
            (all, any, n) = (all && case, any || case, n + 1);
        }
        match (n, all, any) {
            (0, _, _) => Self::NotMeasured,
            (_, true, _) => Self::Holds,
            (_, _, true) => Self::InPart,
            _ => Self::DoesNotHold,
        }
    }
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::InPart => "holds in part",
            Self::DoesNotHold => "does not hold here",
            Self::NotMeasured => "not measured",
            Self::Varies => "varies between measurements",
            Self::NotJudged => "not judged",
        }
    }
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::InPart => "part",
            Self::DoesNotHold => "not",
            Self::NotMeasured | Self::Varies | Self::NotJudged => "open",
        }
    }
}

/// Basis of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum By {
    /// Times: other work on the machine can change the verdict.
    Times,
    /// Counts: the verdict is the same on every machine.
    Counts,
}

/// A claim of a paper, and its verdict by one measurement.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// The claim, with its place in the paper.
    pub(crate) claim: String,
    pub(crate) by: By,
    /// The condition for the claim to hold.
    pub(crate) rule: &'static str,
    pub(crate) measured: String,
    pub(crate) outcome: Outcome,
    /// Possible reason that it does not hold; shown only then.
    pub(crate) why: &'static str,
}

/// A claim of a paper, and its verdict by all measurements: what is stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judged {
    pub(crate) claim: String,
    pub(crate) by: By,
    pub(crate) rule: String,
    pub(crate) measured: String,
    pub(crate) outcome: Outcome,
    pub(crate) why: String,
}

impl From<Verdict> for Judged {
    fn from(Verdict { claim, by, rule, measured, outcome, why }: Verdict) -> Self {
        Self { claim, by, rule: rule.into(), measured, outcome, why: why.into() }
    }
}
