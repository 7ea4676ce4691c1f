//! [`Asked`]: the query of a check for the parts of an assembly.
use crate::{
    parts::chord::{Chord, Sure},
    question::pair_limit::PairLimit,
    question::{
        clearance::Clearance,
        depth_of::DepthOf,
        settings::Settings,
        test_plan::{PairTests, TestPlan},
    },
    values::count::Count,
};
use anyhow::bail;
use impinge::{distance::Margin, relation::RelationKind, solid::FillRule};

pub(crate) struct Asked {
    /// The rule for inner points of parts; `None` if parts are surfaces.
    pub(crate) rule: Option<FillRule>,
    /// The clashes whose depth is computed.
    pub(crate) depth: DepthOf,
    /// True if the check measures contacts of surfaces that meet while insides do not.
    pub(crate) contacts: bool,
    pub(crate) tests: TestPlan,
    pub(crate) clearance: Option<Clearance>,
    pub(crate) chord: Option<Chord>,
    /// The tolerances at which findings are counted, too; ascending, each once.
    pub(crate) what_if_tolerances: Vec<f64>,
    pub(crate) max_pairs: u64,
}

impl Asked {
    /// True if the check computes the depth of two parts with this relation. A clash that is only possible,
    /// and does not count, has a depth only if more than the list of findings depends on it.
    pub(crate) fn wants_depth(&self, kind: RelationKind, tests: &PairTests, certainty: Option<Sure>) -> bool {
        let may_count = || {
            certainty != Some(Sure::Possible)
                || self.depth == DepthOf::All
                || self.needs_all_depths()
                || self.tests.count_possible(tests)
        };
        self.depth.includes(kind, tests.relations) && may_count()
    }
    /// True if a tolerance or a rule needs the depths of clashes that are not shown.
    pub(crate) fn needs_all_depths(&self) -> bool {
        self.tests.rules_stated().is_some()
            || self.tests.tests.iter().any(|test| test.tolerance.is_some())
            || !self.what_if_tolerances.is_empty()
    }
    /// The limit of tested pairs.
    pub(crate) fn pair_limit(&self) -> PairLimit {
        PairLimit { most: self.max_pairs, reach: self.clearance.as_ref().map(Clearance::reach) }
    }
}

impl Settings {
    /// Returns an error if settings contradict each other.
    pub(crate) fn validate(&self) -> anyhow::Result<()> {
        self.asked_of_largest(None, 0).map(drop)
    }
    /// The query of a check without rules about this number of parts. `stated` is the largest chord error
    /// that a part states.
    pub(crate) fn asked_of_largest(&self, stated: Option<Margin>, parts: usize) -> anyhow::Result<Asked> {
        let chord = Chord::of_largest(self.given_chords(), stated)?;
        self.asked(TestPlan::of_all_pairs(self, parts)?, chord)
    }
    /// The query with these tests and chord errors. Returns an error if settings contradict each other.
    pub(crate) fn asked(&self, mut tests: TestPlan, chord: Option<Chord>) -> anyhow::Result<Asked> {
        if self.surfaces && !self.chord.is_empty() {
            bail!("chord: it has no meaning in a check of surfaces alone");
        }
        if self.surfaces && self.rounding {
            bail!("rounding: it has no meaning in a check of surfaces alone");
        }
        if self.tolerance.is_some() && self.depth == DepthOf::None {
            bail!("tolerance: it needs depths, which depth none leaves out");
        }
        if !self.what_if_tolerance.is_empty() && self.depth == DepthOf::None {
            bail!("what-if tolerances: need depths, and depths are switched off");
        }
        if !self.what_if_tolerance.is_empty() && self.surfaces {
            bail!("what-if tolerances: have no meaning in a check of surfaces alone");
        }
        let margins = self.what_if_tolerance.iter().map(|&length| Ok(Margin::new(length)?.get()));
        let mut what_if_tolerances = margins.collect::<anyhow::Result<Vec<f64>>>()?;
        what_if_tolerances.sort_by(f64::total_cmp);
        what_if_tolerances.dedup();
        let what_if = self.what_if.iter().map(|&length| Margin::new(length)).collect::<Result<_, _>>()?;
        if let Some(chord) = &chord {
            // A file that states its errors has nominal fits: their possible clashes are not of interest.
            let count = chord.stated().map_or(Count::Possible, |_| Count::Definite);
            tests = tests.with_chord_errors().with_count(count);
        }
        Ok(Asked {
            rule: (!self.surfaces).then_some(self.fill_rule),
            depth: self.depth,
            contacts: self.contacts,
            clearance: Clearance::new(tests.reach(), what_if, chord.clone())?,
            tests,
            chord,
            what_if_tolerances,
            max_pairs: self.max_pairs,
        })
    }
}
