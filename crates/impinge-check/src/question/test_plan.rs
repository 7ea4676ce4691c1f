//! [`TestPlan`]: the tests of a check, applied to the parts of an assembly.
//!
//! Every check is a list of tests: those of its rules, or one of all pairs. Parts in the same sets are of one
//! class. The tests of a pair depend on the classes of its parts, except for conditions on both parts
//! together (`between`). So the plan finds the tests of two classes once.
mod ledger;

pub(crate) use self::ledger::{Candidate, Ledger, TestCounts};

use crate::{
    question::{
        settings::Settings,
        test_summary::{DEFAULT_TEST, SELF_INTERSECTIONS_TEST},
    },
    rules::{Fields, Find, Members, Rules, SetRef, Test},
    sources::file_units::CoordinateUnit,
    values::{count::Count, date::Date, digest::Digest, relations::Relations},
};
use anyhow::{Context, bail};
use impinge::{Pose, distance::Margin};
use impinge_io::Assembly;
use std::{
    collections::HashMap,
    fmt::Write,
    ops::Deref,
    sync::{Arc, PoisonError, RwLock},
};

pub(crate) struct TestPlan {
    assembly: Arc<Assembly>,
    rules: Arc<Rules>,
    is_by_rules: bool,
    pub(crate) members: Members,
    pub(crate) tests: Vec<TestNumbers>,
    pub(crate) ignores: Vec<IgnoreNumbers>,
    /// The largest placement error of the parts of each set.
    placements: Vec<(SetRef, f64)>,
    /// The tests of pairs, where all parts are of one class.
    only: Option<PairTests>,
    of_classes: RwLock<HashMap<[u32; 2], Arc<PairTests>>>,
    /// The index of the test that reports self-intersections.
    pub(crate) of_self_intersections: Option<usize>,
    /// True if pairs outside of all tests are examined, too: the contact graph needs all.
    pub(crate) asks_all: bool,
    /// Digest of all numbers and sets, for caches.
    digest: Digest,
}

/// A test, with lengths in the unit of the coordinates.
pub(crate) struct TestNumbers {
    pub(crate) test: Test,
    pub(crate) tolerance: Option<f64>,
    /// With chord errors at least 0: parts that may meet are near.
    pub(crate) clearance: Option<Margin>,
    pub(crate) chord: Option<Margin>,
    /// The certainty that its findings need; `None` before `with_count`.
    pub(crate) count: Option<Count>,
}

/// The bounds of an ignore rule, in the unit of the coordinates.
pub(crate) struct IgnoreNumbers {
    pub(crate) max_depth: Option<f64>,
    pub(crate) max_volume: Option<f64>,
    pub(crate) is_expired: bool,
}

/// The tests of pairs of two classes.
#[derive(Default)]
pub(crate) struct PairTests {
    pub(crate) tests: Vec<PairTest>,
    /// Relations whose depths are computed.
    pub(crate) relations: Relations,
    /// Distances up to which the pair is near, ascending.
    pub(crate) clearances: Vec<Margin>,
}

/// A test of pairs of two classes.
pub(crate) struct PairTest {
    pub(crate) test: u32,
    /// Ignore rules that remove a pair before its triangles are tested, if they hold between its parts.
    removing: Vec<u32>,
    /// Ignore rules that depend on the relation or the depth.
    pub(crate) leaving_out: Vec<u32>,
}

/// [`PairTests`] of a plan.
pub(crate) enum PairTestsRef<'a> {
    Only(&'a PairTests),
    OfClasses(Arc<PairTests>),
}

impl Deref for PairTestsRef<'_> {
    type Target = PairTests;

    fn deref(&self) -> &PairTests {
        match self {
            Self::Only(tests) => tests,
            Self::OfClasses(tests) => tests,
        }
    }
}

impl TestPlan {
    /// The tests of rules, for parts whose coordinates have this unit. Rules without tests have one, as
    /// `settings` state it.
    pub(crate) fn new(
        rules: &Arc<Rules>,
        today: Date,
        settings: &Settings,
        assembly: &Arc<Assembly>,
        coordinates: CoordinateUnit,
    ) -> anyhow::Result<Self> {
        let members = rules.members(&assembly.parts, coordinates)?;
        let unit = coordinates.unit();
        let at = |line: usize| match line {
            0 => rules.file().to_owned(),
            line => format!("{}:{line}", rules.file()),
        };
        let unknown = |line: usize| {
            let remedy = "state it: unit = \"m\" in the rules";
            format!("{}: the unit of the coordinates is unknown; {remedy}", at(line))
        };
        let mut tests = Vec::new();
        for test in rules.tests() {
            let length = |length: &Option<crate::Length>| {
                let number =
                    length.as_ref().map(|length| length.within(unit).with_context(|| unknown(test.line)));
                anyhow::Ok(number.transpose()?.map(Margin::new).transpose()?)
            };
            tests.push(TestNumbers {
                tolerance: length(&test.tolerance)?.map(Margin::get),
                clearance: length(&test.clearance)?,
                chord: length(&test.chord)?,
                // A test that states the error reports possible findings, too.
                count: test.count.or(settings.count).or(test.chord.as_ref().map(|_| Count::Possible)),
                test: test.clone(),
            });
        }
        for TestNumbers { test, .. } in &tests {
            if let Some(name) = test.poses.as_deref().filter(|name| rules.poses_of(name).is_none()) {
                bail!("{}: the poses '{name}' are not given", at(test.line));
            }
        }
        if tests.is_empty() {
            tests.push(TestNumbers::of_all(settings)?);
        } else if settings.tolerance.is_some() || settings.clearance.is_some() {
            bail!("{}: its tests state tolerances and clearances; state them there", rules.file());
        }
        // A check of no pair must not look like a clean one.
        if !rules.scopes().iter().all(|&scope| members.has_pair(scope)) {
            bail!("only, between: no pair of parts has such names");
        }
        let asks = |test: &TestNumbers| match test.test.find {
            Find::Pairs | Find::LostContact | Find::MinGap => members.has_pair([test.test.a, test.test.b]),
            Find::Floating => members.count(test.test.a) > 0,
        };
        if !tests.iter().any(asks) && assembly.parts.len() > 1 {
            bail!("{}: its tests ask no pair of parts", rules.file());
        }
        let mut ignores = Vec::new();
        for ignore in rules.ignores() {
            let depth = ignore.max_depth.as_ref().map(|length| length.within(unit));
            let volume = ignore.max_volume.as_ref().map(|volume| volume.within(unit));
            if depth == Some(None) || volume == Some(None) {
                bail!("{}", unknown(ignore.line));
            }
            ignores.push(IgnoreNumbers {
                max_depth: depth.flatten(),
                max_volume: volume.flatten(),
                is_expired: ignore.has_expired(today),
            });
        }
        let mut placements = Vec::new();
        for placement in rules.placements() {
            let error = placement.error.within(unit).with_context(|| unknown(placement.line))?;
            placements.push((placement.set, Margin::new(error)?.get()));
        }
        let mut plan = Self {
            assembly: Arc::clone(assembly),
            rules: Arc::clone(rules),
            is_by_rules: **rules != Rules::default(),
            members,
            tests,
            ignores,
            placements,
            only: None,
            of_classes: RwLock::default(),
            of_self_intersections: None,
            asks_all: settings.contacts,
            digest: Digest::of(&[]),
        };
        plan.asks_all |= plan.finds_floating();
        plan.prepare();
        Ok(plan)
    }
    /// The plan of a check without rules: one test of all pairs of `parts` parts.
    pub(crate) fn of_all_pairs(settings: &Settings, parts: usize) -> anyhow::Result<Self> {
        let mut plan = Self {
            assembly: Arc::default(),
            rules: Arc::default(),
            is_by_rules: false,
            members: Members::of_no_set(parts),
            tests: vec![TestNumbers::of_all(settings)?],
            ignores: Vec::new(),
            placements: Vec::new(),
            only: None,
            of_classes: RwLock::default(),
            of_self_intersections: None,
            asks_all: false,
            digest: Digest::of(&[]),
        };
        plan.prepare();
        Ok(plan)
    }
    /// Adds chord errors: in each test of pairs, parts that may meet are near.
    pub(crate) fn with_chord_errors(mut self) -> Self {
        for test in self.tests.iter_mut().filter(|test| test.test.find.is_of_pairs()) {
            test.clearance.get_or_insert(Margin::ZERO);
        }
        self.prepare();
        self
    }
    /// Sets the certainty that findings need, in tests that state none.
    pub(crate) fn with_count(mut self, count: Count) -> Self {
        self.tests.iter_mut().for_each(|test| {
            test.count.get_or_insert(count);
        });
        self
    }
    /// Derives the tests of the only class, and the digest.
    fn prepare(&mut self) {
        self.of_classes = RwLock::default();
        self.only = (self.members.class_count() == 1).then(|| self.new_tests([0; 2]));
        self.digest = self.own_digest();
    }
    /// The rules, if a caller states some.
    pub(crate) fn rules_stated(&self) -> Option<&Rules> {
        self.is_by_rules.then_some(&*self.rules)
    }
    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }
    /// The tolerance of the one test of all pairs; `None` if rules state tests.
    pub(crate) fn tolerance_of_all(&self) -> Option<f64> {
        self.tests.first().filter(|_| self.rules.tests().is_empty())?.tolerance
    }
    pub(crate) fn with_all_pairs(mut self, is: bool) -> Self {
        self.asks_all |= is;
        self
    }
    /// Sets whether self-intersections are reported: in the test of a check without rules, otherwise in a
    /// test of their own.
    pub(crate) fn with_self_intersections(mut self, is: bool) -> Self {
        let named = || self.tests.iter().position(|test| test.test.name == SELF_INTERSECTIONS_TEST);
        let own = || if self.is_by_rules { named().unwrap_or(self.tests.len()) } else { 0 };
        self.of_self_intersections = is.then(own);
        self
    }

    /// A digest of all that results depend on, except the sets of each part.
    fn own_digest(&self) -> Digest {
        let mut text = String::new();
        for TestNumbers { test, tolerance, clearance, chord, count: _ } in &self.tests {
            let clearance = clearance.map(Margin::get);
            let sets = (test.a, test.b, self.rules.scopes());
            let all =
                (&test.name, test.find, sets, test.report, tolerance, clearance, chord.map(Margin::get));
            let _ = writeln!(text, "{all:?}");
        }
        let _ = writeln!(text, "{:?}", self.placements);
        for (rule, IgnoreNumbers { max_depth, max_volume, is_expired }) in
            self.rules.ignores().iter().zip(&self.ignores)
        {
            let _ = writeln!(text, "{rule:?} {max_depth:?} {max_volume:?} {is_expired}");
        }
        Digest::of(text.as_bytes())
    }
    /// A digest of all that results about a part depend on besides its mesh, its pose and the settings;
    /// `None` without rules.
    pub(crate) fn digest_of(&self, part: u32) -> Option<Digest> {
        self.rules_stated()?;
        let mut bytes = self.digest.bytes().to_vec();
        let sets = (0..self.rules.sets().len()).map(SetRef::Set);
        bytes.extend(sets.map(|set| u8::from(self.holds(part, set))));
        Some(Digest::of(&bytes))
    }

    pub(crate) fn finds_floating(&self) -> bool {
        self.tests.iter().any(|test| test.test.find == Find::Floating)
    }
    pub(crate) fn finds_lost_contacts(&self) -> bool {
        self.tests.iter().any(|test| test.test.find == Find::LostContact)
    }
    pub(crate) fn holds(&self, part: u32, set: SetRef) -> bool {
        self.members.holds(part as usize, set)
    }
    /// True if a test of a pair counts possible findings, too.
    pub(crate) fn count_possible(&self, tests: &PairTests) -> bool {
        tests.tests.iter().any(|own| self.tests[own.test as usize].count != Some(Count::Definite))
    }
    pub(crate) fn of_pair(&self, pair: [u32; 2]) -> PairTestsRef<'_> {
        if let Some(only) = &self.only {
            return PairTestsRef::Only(only);
        }
        let [a, b] = self.classes(pair);
        let key = [a.min(b), a.max(b)];
        if let Some(tests) = self.of_classes.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return PairTestsRef::OfClasses(Arc::clone(tests));
        }
        let tests = Arc::new(self.new_tests(key));
        let mut all = self.of_classes.write().unwrap_or_else(PoisonError::into_inner);
        PairTestsRef::OfClasses(Arc::clone(all.entry(key).or_insert(tests)))
    }
    fn classes(&self, pair: [u32; 2]) -> [u32; 2] {
        pair.map(|part| self.members.class(part as usize))
    }
    fn new_tests(&self, classes: [u32; 2]) -> PairTests {
        let mut all = PairTests::default();
        let are_in = |sets| self.members.is_pair_of_classes(classes, sets);
        if !self.rules.scopes().iter().all(|&scope| are_in(scope)) {
            return all;
        }
        for (i, TestNumbers { test, clearance, .. }) in (0..).zip(&self.tests) {
            if !test.find.is_of_pairs() || !are_in([test.a, test.b]) {
                continue;
            }
            let mut own = PairTest { test: i, removing: Vec::new(), leaving_out: Vec::new() };
            let mut is_removed = false;
            for (k, (rule, numbers)) in (0..).zip(self.rules.ignores().iter().zip(&self.ignores)) {
                if numbers.is_expired || !rule.is_of_test(&test.name) || !are_in([rule.a, rule.b]) {
                    continue;
                }
                if numbers.is_bounded() || rule.findings.is_some() {
                    own.leaving_out.push(k);
                } else {
                    own.removing.push(k);
                    is_removed |= rule.between.is_empty();
                }
            }
            if !is_removed {
                all.relations = all.relations.and(test.report);
                all.clearances.extend(*clearance);
            }
            all.tests.push(own);
        }
        all.clearances.sort_by(|a, b| a.get().total_cmp(&b.get()));
        all.clearances.dedup();
        all
    }
    fn fields(&self, part: u32) -> Fields<'_> {
        self.rules.fields(&self.assembly.parts[part as usize])
    }
    /// The first of some ignore rules that holds between two parts.
    pub(crate) fn first_between(&self, rules: impl Iterator<Item = u32>, [a, b]: [u32; 2]) -> Option<u32> {
        let mut fields = None;
        rules.into_iter().find(|&rule| {
            let rule = &self.rules.ignores()[rule as usize];
            rule.between.is_empty() || {
                let (a, b) = fields.get_or_insert_with(|| (self.fields(a), self.fields(b)));
                rule.is_between(a, b)
            }
        })
    }
    /// The ignore rule that removes a pair from a test, if any.
    pub(crate) fn removed_by(&self, test: &PairTest, pair: [u32; 2]) -> Option<u32> {
        self.first_between(test.removing.iter().copied(), pair)
    }
    pub(crate) fn has_placement_errors(&self) -> bool {
        !self.placements.is_empty()
    }
    /// The sum of the placement errors of two parts, rounded up.
    pub(crate) fn placement_error(&self, pair: [u32; 2]) -> f64 {
        self.placement_error_of(self.classes(pair))
    }
    fn placement_error_of(&self, classes: [u32; 2]) -> f64 {
        let [a, b] = classes.map(|class| {
            let of = self.placements.iter().filter(|(set, _)| self.members.class_holds(class, *set));
            of.map(|&(_, error)| error).fold(0.0, f64::max)
        });
        match (a == 0.0, b == 0.0) {
            (true, _) => b,
            (_, true) => a,
            _ => (a + b).next_up(),
        }
    }
    /// True if both parts are in the sets that limit all tests.
    pub(crate) fn is_in_scopes(&self, [a, b]: [u32; 2]) -> bool {
        self.rules.scopes().iter().all(|&scope| self.members.is_pair([a as usize, b as usize], scope))
    }
    /// The ignore rule that removes a pair from a test of gaps along poses, if any. Rules with bounds of
    /// clashes do not apply.
    pub(crate) fn removed_from_motion(&self, test: usize, pair: [u32; 2]) -> Option<u32> {
        let name = &self.tests[test].test.name;
        let [a, b] = pair.map(|part| part as usize);
        let rules = (0..).zip(self.rules.ignores().iter().zip(&self.ignores));
        let applying = rules.filter(|(_, (rule, numbers))| {
            !numbers.is_expired
                && !numbers.is_bounded()
                && rule.is_of_test(name)
                && rule.is_of_near()
                && self.members.is_pair([a, b], [rule.a, rule.b])
        });
        self.first_between(applying.map(|(i, _)| i), pair)
    }
    /// True if a test of gaps along poses is about a pair: one part moves, and the other one stays.
    pub(crate) fn is_of_motion(&self, test: usize, [a, b]: [u32; 2]) -> bool {
        let test = &self.tests[test].test;
        let moves = |part: u32| self.holds(part, test.a);
        let stays = |part: u32| self.holds(part, test.b) && !moves(part);
        (moves(a) && stays(b) || moves(b) && stays(a)) && self.is_in_scopes([a, b])
    }
    /// The tests of gaps along poses, with the poses.
    pub(crate) fn motions(&self) -> impl Iterator<Item = (usize, &[Pose])> {
        let tests = self.tests.iter().enumerate();
        tests.filter_map(|(i, test)| Some((i, self.rules.poses_of(test.test.poses.as_deref()?)?)))
    }
    /// The largest chord error that tests state for a part.
    pub(crate) fn chord_of(&self, part: u32) -> Option<Margin> {
        let is_of = |test: &&TestNumbers| self.holds(part, test.test.a) || self.holds(part, test.test.b);
        let lengths = self.tests.iter().filter(is_of).filter_map(|test| test.chord);
        lengths.reduce(|a, b| if a.get() < b.get() { b } else { a })
    }
    /// The largest clearance of any test.
    pub(crate) fn reach(&self) -> Option<Margin> {
        let of_pairs = self.tests.iter().filter(|test| test.test.find.is_of_pairs());
        let lengths = of_pairs.filter_map(|test| test.clearance);
        lengths.reduce(|a, b| if a.get() < b.get() { b } else { a })
    }
}

impl TestNumbers {
    /// The test of all pairs, as settings state it.
    fn of_all(settings: &Settings) -> anyhow::Result<Self> {
        let margin = |length: Option<f64>| length.map(Margin::new).transpose();
        let mut test = Test::new(DEFAULT_TEST, SetRef::All, SetRef::All);
        test.report = settings.report;
        let tolerance = margin(settings.tolerance)?.map(Margin::get);
        let clearance = margin(settings.clearance)?;
        Ok(Self { test, tolerance, clearance, chord: None, count: settings.count })
    }
}

impl IgnoreNumbers {
    pub(crate) fn is_bounded(&self) -> bool {
        self.max_depth.is_some() || self.max_volume.is_some()
    }
}
