//! [`Report`]: what a check found, which of it counts, and what was examined.
pub(crate) mod part_facts;
mod ruled;
pub(crate) mod saved;

use crate::{
    against_baseline::AgainstBaseline,
    chord::{Chords, Sure, Tolerances},
    clash::{self, Clash, Clashes},
    contact::Contact,
    coverage::{Coverage, Distances, SelfIntersecting, Solids},
    demands::Demands,
    depth::{self, Depth},
    file_units::CoordinateUnit,
    finding::Finding,
    floating::Floating,
    graph::ContactGraph,
    motion_gaps::MotionGap,
    near::{Clearance, Near, Nears},
    offsets::FileOffset,
    omission::Omission,
    pairs::Pairs,
    parts::Parts,
    placed_shapes::PlacedShapes,
    question::Question,
    records::Records,
    relations::{self, Relations},
    rules::{Rules, Severity},
    self_intersections,
    settings::Asked,
    slight::Slight,
    test_summary::{DEFAULT_TEST, IgnoreSummary, SELF_INTERSECTIONS_TEST, TestSummary},
    warning::Warning,
    what_if::{WhatIf, WhatIfTolerance},
};
use impinge::{
    broad_phase::Aabb,
    distance::Margin,
    relation::RelationKind,
    solid::{Closedness, FillRule},
};
use impinge_io::{Assembly, Unit};
use std::{cmp::Reverse, sync::Arc};

/// What a check found: clashes, near pairs, facts of each part, and the numbers of what was examined.
///
/// Indices of parts are those of the assembly. Lists are in the order of these indices; [`Report::ranked`]
/// has the gravest clash first.
pub struct Report {
    assembly: Option<Arc<Assembly>>,
    parts: Parts,
    clashes: Clashes,
    coverage: Coverage,
    warnings: Vec<Warning>,
    omissions: Vec<Omission>,
    offsets: Vec<FileOffset>,
    unit: CoordinateUnit,
    question: Question,
    rule: Option<FillRule>,
    counted: Relations,
    tolerance: Option<f64>,
    chords: Option<Tolerances>,
    nears: Option<Nears>,
    counting: u64,
    tolerances: Vec<f64>,
    findings: Vec<Finding>,
    tests: Vec<TestSummary>,
    rules: Option<OfRules>,
    slight: Option<Slight>,
    compared: Option<AgainstBaseline>,
    not_examined: Vec<[u32; 2]>,
    floating: Option<Vec<Floating>>,
    motion_gaps: Option<Vec<MotionGap>>,
    within: Option<self_intersections::OfParts>,
    placed: Option<PlacedShapes>,
}

impl Report {
    pub(crate) fn new(
        parts: Parts,
        records: Records,
        (question, asked): (Question, &Asked),
        (warnings, unit): (Vec<Warning>, CoordinateUnit),
    ) -> Self {
        let not_examined = records.not_examined();
        let Records { clashes, nears } = records;
        let [clashing, contained] = clashes.touching();
        let count = parts.parts.len();
        let chords = asked.chord.as_ref().map(|chord| {
            Tolerances::known(
                chord,
                parts.parts.iter().map(|part| chord.of(&part.name, part.stated)).collect(),
            )
        });
        let coverage = Coverage {
            parts: count,
            parts_not_examined: 0,
            parts_left_out: 0,
            part_pairs: question.pairs.count(count),
            boxes_overlap: clashes.boxes_overlap,
            pairs_left_out: 0,
            tested: clashes.boxes_overlap - clashes.not_examined.len() as u64,
            not_examined: not_examined.len() as u64,
            clashing,
            triangle_pairs: clashes.list.iter().map(|clash| clash.triangle_pairs).sum(),
            solids: asked.rule.map(|_| Solids::new(&clashes, &parts, contained)),
            clearance: nears.as_ref().map(|nears| Distances::new(nears, not_examined.len() as u64)),
            chord: None,
            self_intersections: None,
        };
        let mut report = Self {
            assembly: None,
            parts,
            clashes,
            coverage,
            warnings,
            omissions: Vec::new(),
            offsets: Vec::new(),
            unit,
            question,
            rule: asked.rule,
            counted: asked.counted,
            tolerance: asked.tolerance,
            chords,
            nears,
            counting: 0,
            tolerances: asked.tolerances.clone(),
            findings: Vec::new(),
            tests: Vec::new(),
            rules: None,
            slight: None,
            compared: None,
            not_examined,
            floating: None,
            motion_gaps: None,
            within: None,
            placed: None,
        };
        let count =
            |is: &dyn Fn(&Clash) -> bool| report.clashes().iter().filter(|clash| is(clash)).count() as u64;
        let counting = count(&|clash| report.counts(clash));
        let shallow = report.tolerance.map(|_| count(&|clash| report.is_shallow(clash)));
        report.counting = counting;
        let clashes = (0..).zip(report.clashes()).filter(|(_, clash)| report.counts(clash));
        let of_clashes = clashes.map(|(i, clash)| Finding::of_clash(0, clash, i));
        let of_near = (0..).zip(report.near()).map(|(i, near)| Finding::of_near(0, near, i));
        let mut findings: Vec<Finding> = of_clashes.chain(of_near).collect();
        findings.sort_unstable_by_key(|finding| (finding.test, finding.pair()));
        report.findings = findings;
        let findings = report.findings.len() as u64;
        report.tests = vec![report.only_test()];
        report.coverage.chord = report.chords.as_ref().map(|chords| report.certainties(chords));
        if let Some(solids) = &mut report.coverage.solids {
            (solids.findings, solids.shallow) = (findings, shallow);
        }
        report
    }
    pub(crate) fn with_compared(self, compared: AgainstBaseline) -> Self {
        Self { compared: Some(compared), ..self }
    }
    pub(crate) fn of_baseline(&self) -> Option<&AgainstBaseline> {
        self.compared.as_ref()
    }
    pub(crate) fn with_slight(self, extents: &[Aabb]) -> Self {
        let thickness = |clash: &Clash| {
            let [a, b] = clash.parts.map(|part| &extents[part as usize]);
            (0..3).map(|k| (a.hi[k] - b.lo[k]).min(b.hi[k] - a.lo[k])).fold(f64::INFINITY, f64::min)
        };
        let is_deep = |clash: &&Clash| clash.relation.is_some_and(depth::is_defined) && self.counts(clash);
        let thicknesses = self.clashes().iter().filter(is_deep).map(thickness);
        Self { slight: Slight::of(self.size(), thicknesses), ..self }
    }
    /// What the files state besides the parts.
    pub(crate) fn with_omissions(mut self, omissions: Vec<Omission>, offsets: Vec<FileOffset>) -> Self {
        let (failed, left_out): (Vec<_>, Vec<_>) = omissions.iter().partition(|it| it.is_failed());
        self.coverage.parts_not_examined = Omission::count(failed.into_iter());
        self.coverage.parts_left_out = Omission::count(left_out.into_iter());
        Self { omissions, offsets, ..self }
    }
    pub(crate) fn with_assembly(self, assembly: Arc<Assembly>) -> Self {
        Self { assembly: Some(assembly), ..self }
    }

    /// The shapes of a report without an assembly.
    pub(crate) fn with_placed(self, placed: PlacedShapes) -> Self {
        Self { placed: Some(placed), ..self }
    }
    pub(crate) fn placed(&self) -> Option<&PlacedShapes> {
        self.placed.as_ref()
    }

    pub(crate) fn with_self_intersections(mut self, within: Option<self_intersections::OfParts>) -> Self {
        self.coverage.self_intersections = within.as_ref().map(|all| SelfIntersecting {
            parts: all.iter().flatten().filter(|found| found.triangle_pairs > 0).count() as u64,
            not_examined: all.iter().filter(|found| found.is_none()).count() as u64,
        });
        if let Some(all) = &within {
            let test = self.test_of_self_intersections();
            let before = self.findings.len();
            for (part, found) in (0..).zip(all) {
                if found.as_ref().is_some_and(|found| found.triangle_pairs > 0) {
                    self.findings.push(Finding::of_part(test as u32, part));
                }
            }
            self.tests[test].findings += (self.findings.len() - before) as u64;
            self.findings.sort_unstable_by_key(|finding| (finding.test, finding.pair()));
        }
        self.within = within;
        self
    }
    /// The index of the test that has self-intersections: the only one, or with rules one of its own.
    fn test_of_self_intersections(&mut self) -> usize {
        if self.rules.is_none() {
            return 0;
        }
        let own = self.tests.iter().position(|test| test.name == SELF_INTERSECTIONS_TEST);
        own.unwrap_or_else(|| {
            self.tests.push(TestSummary::of_self_intersections());
            self.tests.len() - 1
        })
    }

    /// The parts with their meshes; `None` of a report that was put together from tasks.
    pub fn assembly(&self) -> Option<&Arc<Assembly>> {
        self.assembly.as_ref()
    }
    /// How many parts there are.
    pub fn part_count(&self) -> usize {
        self.parts.parts.len()
    }
    /// The longest side of [`Report::extent`]; 0 if there is none. Numbers of digits follow from it.
    pub fn size(&self) -> f64 {
        self.sides().map_or(0.0, |sides| sides.into_iter().fold(0.0, f64::max))
    }
    /// The least and the greatest corner of the box around all parts, rounded outwards; `None` if no part has
    /// a triangle.
    pub fn extent(&self) -> Option<[[f64; 3]; 2]> {
        self.parts.extent
    }
    /// The sides of [`Report::extent`]; `None` if one is too long for an f64, too.
    pub fn sides(&self) -> Option<[f64; 3]> {
        let [low, high] = self.extent()?;
        let sides: [f64; 3] = std::array::from_fn(|k| high[k] - low[k]);
        sides.iter().all(|side| side.is_finite()).then_some(sides)
    }
    /// The unit of all coordinates and lengths, if they have one.
    pub fn unit(&self) -> Option<Unit> {
        self.unit.unit()
    }
    /// The unit, and whether the files or the caller state it.
    pub fn coordinate_unit(&self) -> CoordinateUnit {
        self.unit
    }
    /// Warnings of the readers.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Parts of the files that the assembly has not: those that were left out on purpose, and those that no
    /// mesh could be made of, which were not examined.
    pub fn omissions(&self) -> &[Omission] {
        &self.omissions
    }

    /// Offsets of coordinates from those of a map, as files state them. None is applied.
    pub fn offsets(&self) -> &[FileOffset] {
        &self.offsets
    }

    /// All pairs of parts that meet, or where one is inside the other, whether they count or not.
    pub fn clashes(&self) -> &[Clash] {
        &self.clashes.list
    }
    /// The clashes, the gravest first: clashes that count, by size, then by relation, and by the most pairs
    /// of triangles. The size is the volume in common that is proved; where none is, the upper bound, which ranks
    /// below. Of parts that have none in common, as of a surface in a solid, it is the volume of a cube over the
    /// length of the separating translation.
    pub fn ranked(&self) -> impl ExactSizeIterator<Item = &Clash> {
        let all = self.clashes();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_unstable_by_key(|&i| (self.rank(&all[i]), i));
        order.into_iter().map(|i| &all[i])
    }
    /// The key by which [`Report::ranked`] sorts.
    pub fn rank(&self, clash: &Clash) -> impl Ord + use<> {
        let place = match clash.relation {
            // Whichever part is the inner one.
            Some(RelationKind::BInA) => relations::place(RelationKind::AInB),
            kind => kind.map_or(0, relations::place),
        };
        (!self.counts(clash), Reverse(self.size_of(clash)), place, Reverse(clash.triangle_pairs))
    }
    /// A number that grows with the size of a clash: 0 without a depth. By what is proved; below all of these,
    /// by the upper bound.
    pub(crate) fn size_of(&self, clash: &Clash) -> u64 {
        // Sizes are not negative: their bits have their order, and the first bit is free.
        match self.depth(clash).map(Depth::size) {
            Some([lo, _]) if lo > 0.0 => lo.to_bits() | 1 << 63,
            Some([_, hi]) => hi.to_bits(),
            None => 0,
        }
    }
    /// How deep a clash is, if the check included that.
    pub fn depth(&self, clash: &Clash) -> Option<&Depth> {
        self.clashes.depth(clash)
    }
    /// What the surfaces of two parts have in common that touch, if the check measured that
    /// ([`Check::contacts`](crate::Check::contacts)): where surfaces meet and insides do not, and of equal
    /// parts. `None` where too many triangle pairs meet to be listed, too.
    pub fn contact(&self, clash: &Clash) -> Option<&Contact> {
        self.clashes.contact(clash)
    }
    /// What touches what: an edge for each clash.
    pub fn contact_graph(&self) -> ContactGraph {
        let is_solid = |part: u32| self.part(part).closedness().is_some_and(Closedness::is_closed);
        ContactGraph::new(self.part_count(), self.clashes(), |clash| self.contact(clash), is_solid)
    }
    /// Parts and groups that touch nothing else, in the order of their first parts, if the check looked for
    /// them ([`Check::floating`](crate::Check::floating)).
    pub fn floating(&self) -> Option<&[Floating]> {
        self.floating.as_deref()
    }
    /// The pairs of parts that come too near to each other at one of the poses of a motion, sorted by test
    /// and parts, if a test asked for them ([`Find::MinGap`](crate::rules::Find::MinGap)).
    pub fn motion_gaps(&self) -> Option<&[MotionGap]> {
        self.motion_gaps.as_deref()
    }
    /// Whether a clash counts as a finding, of one test at least.
    pub fn counts(&self, clash: &Clash) -> bool {
        match self.of_rules(clash) {
            Some([is_finding, _]) => is_finding,
            None => self.is_of_interest(clash) && !self.clashes.is_shallow(clash),
        }
    }
    /// Whether a clash would count, but for a tolerance.
    pub fn is_shallow(&self, clash: &Clash) -> bool {
        match self.of_rules(clash) {
            Some([is_finding, is_shallow]) => is_shallow && !is_finding,
            None => self.is_of_interest(clash) && self.clashes.is_shallow(clash),
        }
    }
    /// Whether some test has a clash as a finding, and whether one would but for its tolerance.
    fn of_rules(&self, clash: &Clash) -> Option<[bool; 2]> {
        let rules = self.rules.as_ref()?;
        let place = self.clashes().binary_search_by_key(&clash.parts, |clash| clash.parts).ok()?;
        Some(rules.of_clashes[place])
    }
    /// The ignore rules, and how often each applied. Empty without rules.
    pub fn ignores(&self) -> &[IgnoreSummary] {
        self.rules.as_ref().map_or(&[], |rules| &rules.ignores)
    }
    /// The rules of the check, if it has any.
    pub fn rules(&self) -> Option<&Rules> {
        self.rules.as_ref().map(|rules| &*rules.demands.rules)
    }
    pub(crate) fn demands(&self) -> Option<&Demands> {
        self.rules.as_ref().map(|rules| &*rules.demands)
    }
    /// Clashes that may be rounding noise; `None` of a report that was put together from tasks.
    pub fn slight(&self) -> Option<Slight> {
        self.slight
    }
    /// Whether the depth of a clash was wanted, but too many triangle pairs meet to be listed.
    pub fn is_unmeasured(&self, clash: &Clash) -> bool {
        let triangles = clash.parts.map(|part| self.part(part).triangles());
        clash.triangle_pairs > depth::pair_limit(triangles) as u64
            && self.depth(clash).is_some_and(Depth::is_unknown)
    }
    /// The parts of a clash, the one that is to be named first in front: the one that is inside the other, or
    /// the surface.
    pub fn in_order(&self, clash: &Clash) -> [u32; 2] {
        let [a, b] = clash.parts;
        let is_closed = || self.part(a).closedness().is_some_and(Closedness::is_closed);
        if clash::is_exchanged(clash.relation, is_closed) { [b, a] } else { [a, b] }
    }
    fn is_of_interest(&self, clash: &Clash) -> bool {
        clash.relation.is_none_or(|kind| self.counted.holds(kind))
    }

    /// Pairs that are near without meeting: all of them count. Empty without a clearance and without chord
    /// tolerances.
    pub fn near(&self) -> &[Near] {
        self.nears.as_ref().map_or(&[], |nears| &nears.list)
    }
    /// The lengths that a near pair was compared with: the clearance and [`Check::what_if`](crate::Check),
    /// widened by the chord tolerances of both parts.
    pub fn compared(&self, near: &Near) -> Vec<f64> {
        let plan = self.demands().map(|demands| demands.plan(near.parts));
        let demand = plan.as_deref().map(|plan| &plan.demand);
        let compared = |clearance: &Clearance| clearance.compared(self.chords.as_ref(), near.parts, demand);
        let lengths = self.nears.as_ref().map(|nears| compared(&nears.asked));
        lengths.map_or_else(Vec::new, |lengths| lengths.each().map(Margin::get).collect())
    }
    /// Whether the check was about distances, and up to which length near pairs are listed, if they are.
    pub fn clearance(&self) -> Option<Option<f64>> {
        self.nears.as_ref().map(|nears| nears.asked.limit.map(Margin::get))
    }
    /// How many pairs are near, and how many findings there are, at each clearance of
    /// [`Check::what_if`](crate::Check::what_if).
    pub fn what_if(&self) -> impl Iterator<Item = WhatIf> {
        self.nears
            .iter()
            .flat_map(|nears| nears.asked.what_if.iter().zip(&nears.counts))
            .map(|(margin, &near)| WhatIf { clearance: margin.get(), near, findings: self.counting + near })
    }
    /// How many findings there are at each tolerance of
    /// [`Check::what_if_tolerance`](crate::Check::what_if_tolerance), and how many it makes shallow.
    pub fn what_if_tolerance(&self) -> impl Iterator<Item = WhatIfTolerance> {
        let depth = |finding: &Finding| self.clash_of(finding).and_then(|clash| self.depth(clash));
        self.tolerances.iter().map(move |&tolerance| {
            let is_shallow =
                |finding: &&Finding| depth(finding).is_some_and(|depth| depth.is_within(tolerance));
            let shallow = self.findings.iter().filter(is_shallow).count() as u64;
            WhatIfTolerance { tolerance, shallow, findings: self.findings.len() as u64 - shallow }
        })
    }
    /// Pairs that were left alone as the run was stopped, sorted.
    pub fn not_examined(&self) -> &[[u32; 2]] {
        &self.not_examined
    }

    /// All findings, sorted by test and parts. A pair of parts has one for each test that reports it.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
    /// The tests, and the numbers of the pairs of each.
    pub fn tests(&self) -> &[TestSummary] {
        &self.tests
    }
    /// The one test of a check without rules.
    fn only_test(&self) -> TestSummary {
        let coverage = &self.coverage;
        let tested = coverage.clearance.as_ref().map_or(coverage.tested, |distances| distances.tested);
        TestSummary {
            name: DEFAULT_TEST.to_owned(),
            severity: Severity::default(),
            report: self.counted,
            tolerance: self.tolerance,
            clearance: self.clearance().flatten(),
            asked: coverage.part_pairs,
            boxes_apart: coverage.part_pairs - tested - coverage.not_examined,
            ignored: 0,
            not_examined: coverage.not_examined,
            tested,
            shallow: coverage.solids.as_ref().and_then(|solids| solids.shallow).unwrap_or(0),
            ignored_findings: 0,
            findings: self.findings.len() as u64,
        }
    }
    /// Numbers of examined pairs and of results.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }
    /// The pairs of parts that the check was about.
    pub fn pairs(&self) -> &Pairs {
        &self.question.pairs
    }
    /// Which points are inside of parts; `None` if they were taken for surfaces.
    pub fn fill_rule(&self) -> Option<FillRule> {
        self.rule
    }
    /// The length of a translation that makes a clash shallow, if the check had one.
    pub fn tolerance(&self) -> Option<f64> {
        self.tolerance
    }
    /// The one chord tolerance of all parts, `Some(None)` if parts have several, `None` without one.
    pub fn chord(&self) -> Option<Option<f64>> {
        self.chords.as_ref().map(|chords| chords.chord.only().map(Margin::get))
    }
    /// Whether no part states a chord error.
    fn states_no_chord(&self) -> bool {
        self.parts.parts.iter().all(|part| part.stated.chord.is_none())
    }
    /// How certain those findings are that count.
    fn certainties(&self, chords: &Tolerances) -> Chords {
        let clashes = self.clashes().iter().filter(|clash| self.counts(clash));
        let certainties =
            || clashes.clone().map(|c| c.certainty).chain(self.near().iter().map(|n| n.certainty));
        let count = |sure| certainties().filter(|&found| found == Some(sure)).count() as u64;
        Chords {
            tolerance: chords.chord.largest().get(),
            is_largest: chords.chord.only().is_none(),
            is_of_rounding: !chords.chord.is_given && self.states_no_chord(),
            definite: count(Sure::Definite),
            possible: count(Sure::Possible),
        }
    }
}

/// What rules decide.
struct OfRules {
    demands: Arc<Demands>,
    ignores: Vec<IgnoreSummary>,
    /// For each clash whether it is a finding, and whether it would be but for a tolerance.
    of_clashes: Vec<[bool; 2]>,
}
