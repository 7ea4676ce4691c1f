//! [`Report`]: the results of a check, the findings that count, and the numbers of examined pairs.
mod against_baseline;
mod compared;
pub(crate) mod coverage;
mod explanation;
pub(crate) mod finding;
mod finding_size;
pub(crate) mod groups;
mod judge;
mod judged;
mod kind;
mod kinds;
mod part_facts;
mod ranking;
mod saved;
mod slight;
pub(crate) mod verdict;
mod what_if;

pub use self::{
    coverage::{Coverage, Distances, RelationCounts, SelfIntersecting, Solids},
    explanation::{Explanation, PairDecision},
    finding_size::FindingSize,
    groups::{Connected, Explained, Group, GroupBy},
    part_facts::PartFacts,
    saved::Origin,
    slight::Slight,
    what_if::{WhatIf, WhatIfTolerance},
};
pub use crate::question::test_summary::{DEFAULT_TEST, IgnoreSummary, SELF_INTERSECTIONS_TEST, TestSummary};

use self::{against_baseline::AgainstBaseline, finding::Finding, judged::Judged};
use crate::{
    parts::{
        Parts,
        chord::{Chords, Sure, Tolerances},
        placed_shapes::PlacedShapes,
    },
    question::{Question, asked::Asked, depth_of, pairs::Pairs, test_plan::TestPlan},
    records::{
        Records,
        clash::{self, Clash},
        contact::Contact,
        depth::{self, Depth},
        floating::Floating,
        graph::ContactGraph,
        motion_gaps::MotionGap,
        near::Near,
    },
    rules::Rules,
    sources::{file_units::CoordinateUnit, offsets::FileOffset, omission::Omission},
    values::{relations, warning::Warning},
};
use impinge::{
    broad_phase::Aabb,
    distance::Margin,
    relation::RelationKind,
    solid::{Closedness, FillRule},
};
use impinge_io::{Assembly, Unit};
use std::{
    cmp::Reverse,
    sync::{Arc, OnceLock},
};

/// The result of a check: clashes, near pairs, facts of each part, and the numbers of examined pairs.
///
/// Indices of parts are those of the assembly. Lists are in the order of these indices; [`Report::ranked`]
/// has the gravest clash first.
pub struct Report {
    pub(crate) input: Input,
    question: Question,
    asked: Asked,
    chords: Option<Tolerances>,
    records: Records,
    judged: Judged,
    coverage: Coverage,
    warnings: Vec<Warning>,
    not_examined: Vec<[u32; 2]>,
    slight: Option<Slight>,
    compared: Option<AgainstBaseline>,
}

pub(crate) struct Input {
    /// `None` for a report that was merged from tasks.
    pub(crate) assembly: Option<Arc<Assembly>>,
    pub(crate) parts: Parts,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) omissions: Vec<Omission>,
    pub(crate) offsets: Vec<FileOffset>,
    pub(crate) unit: CoordinateUnit,
    /// The shapes of the parts. They are set from the start if there is no assembly, otherwise on first use.
    pub(crate) shapes: OnceLock<PlacedShapes>,
}

impl Report {
    pub(crate) fn with_compared(self, compared: AgainstBaseline) -> Self {
        Self { compared: Some(compared), ..self }
    }
    pub(crate) fn of_baseline(&self) -> Option<&AgainstBaseline> {
        self.compared.as_ref()
    }
    /// Counts clashes that may be rounding noise. `extents` are the boxes of the parts.
    pub(crate) fn with_slight(self, extents: &[Aabb]) -> Self {
        let thickness = |clash: &Clash| {
            let [a, b] = clash.parts.map(|part| &extents[part as usize]);
            (0..3).map(|k| (a.hi[k] - b.lo[k]).min(b.hi[k] - a.lo[k])).fold(f64::INFINITY, f64::min)
        };
        let counting = self.clashes().iter().zip(&self.judged.of_clashes).filter(|(_, of)| of.is_finding);
        let deep = counting.filter(|(clash, _)| clash.relation.is_some_and(depth_of::is_defined));
        Self { slight: Slight::of(self.size(), deep.map(|(clash, _)| thickness(clash))), ..self }
    }
    pub(crate) fn plan(&self) -> &TestPlan {
        &self.asked.tests
    }

    /// The parts with their meshes; `None` for a report that was merged from tasks.
    pub fn assembly(&self) -> Option<&Arc<Assembly>> {
        self.input.assembly.as_ref()
    }
    /// Number of parts.
    pub fn part_count(&self) -> usize {
        self.input.parts.parts.len()
    }
    /// The longest side of [`Report::extent`]; 0 if there is none. It determines the number of digits of
    /// coordinates.
    pub fn size(&self) -> f64 {
        self.sides().map_or(0.0, |sides| sides.into_iter().fold(0.0, f64::max))
    }
    /// The least and the greatest corner of the box around all parts, rounded outwards; `None` if no part has
    /// a triangle.
    pub fn extent(&self) -> Option<[[f64; 3]; 2]> {
        self.input.parts.extent
    }
    /// The sides of [`Report::extent`]; `None` without an extent, or if a side overflows f64.
    pub fn sides(&self) -> Option<[f64; 3]> {
        let [low, high] = self.extent()?;
        let sides: [f64; 3] = std::array::from_fn(|k| high[k] - low[k]);
        sides.iter().all(|side| side.is_finite()).then_some(sides)
    }
    /// The unit of all coordinates and lengths, if they have one.
    pub fn unit(&self) -> Option<Unit> {
        self.input.unit.unit()
    }
    /// The unit and its source: the files, the caller or the rules.
    pub fn coordinate_unit(&self) -> CoordinateUnit {
        self.input.unit
    }
    /// Warnings of the readers.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Parts of the files that are missing in the assembly: those that were left out on purpose, and those
    /// that could not be converted to meshes and were not examined.
    pub fn omissions(&self) -> &[Omission] {
        &self.input.omissions
    }

    /// Offsets of coordinates from those of a map, as files state them. The check applies none.
    pub fn offsets(&self) -> &[FileOffset] {
        &self.input.offsets
    }

    /// All pairs of parts that meet, or with one inside the other, including those that do not count.
    pub fn clashes(&self) -> &[Clash] {
        &self.records.clashes.list
    }
    /// The clashes, the gravest first. Clashes that count come first, then larger sizes, then graver
    /// relations, then more pairs of triangles. The size is the proved lower bound of the common volume. If
    /// that is 0, it is the upper bound, which ranks below all lower bounds. For parts without a common
    /// volume, such as a surface in a solid, it is the volume of a cube over the length of the separating
    /// translation.
    pub fn ranked(&self) -> impl ExactSizeIterator<Item = &Clash> {
        let all = self.clashes();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_unstable_by_key(|&i| (self.rank_if(&all[i], self.judged.of_clashes[i].is_finding), i));
        order.into_iter().map(|i| &all[i])
    }
    /// The key by which [`Report::ranked`] sorts.
    pub fn rank(&self, clash: &Clash) -> impl Ord + use<> {
        self.rank_if(clash, self.counts(clash))
    }
    fn rank_if(&self, clash: &Clash, counts: bool) -> impl Ord + use<> {
        let place = match clash.relation {
            // Inside and contains have one rank.
            Some(RelationKind::Contains) => relations::place(RelationKind::Inside),
            kind => kind.map_or(0, relations::place),
        };
        (!counts, Reverse(self.rank_size(clash)), place, Reverse(clash.triangle_pairs))
    }
    /// A number that grows with the size of a clash; 0 without a depth. Clashes with a proved lower bound
    /// rank by it, above all others, which rank by their upper bound.
    pub(crate) fn rank_size(&self, clash: &Clash) -> u64 {
        // Sizes are not negative, so their bits have the same order, and the sign bit is free.
        match self.depth(clash).map(Depth::size) {
            Some([lo, _]) if lo > 0.0 => lo.to_bits() | 1 << 63,
            Some([_, hi]) => hi.to_bits(),
            None => 0,
        }
    }
    /// The depth of a clash, if the check computed it.
    pub fn depth(&self, clash: &Clash) -> Option<&Depth> {
        self.records.clashes.depth(clash)
    }
    /// The contact of two surfaces, if the check measured it ([`Check::contacts`](crate::Check::contacts)):
    /// for parts whose surfaces meet while insides do not, and for equal parts. `None`, too, if too many
    /// triangle pairs meet to be listed.
    pub fn contact(&self, clash: &Clash) -> Option<&Contact> {
        self.records.clashes.contact(clash)
    }
    /// The contact graph, with an edge for each clash.
    pub fn contact_graph(&self) -> ContactGraph {
        ContactGraph::new(&self.input.parts, &self.records.clashes)
    }
    /// Parts and groups that touch nothing else, in the order of their first parts, if the check searched for
    /// them ([`Check::floating`](crate::Check::floating)).
    pub fn floating(&self) -> Option<&[Floating]> {
        self.records.floating.as_deref()
    }
    /// The pairs of parts that come too near to each other at one of the poses of a motion, sorted by test
    /// and parts, if a test searches for them ([`Find::MinGap`](crate::rules::Find::MinGap)).
    pub fn motion_gaps(&self) -> Option<&[MotionGap]> {
        self.records.motions.as_ref().map(|motions| &*motions.gaps)
    }
    /// True if a clash is a finding of at least one test.
    pub fn counts(&self, clash: &Clash) -> bool {
        self.place(clash.parts).is_some_and(|place| self.judged.of_clashes[place].is_finding)
    }
    /// True if a clash would count, but is within the rounding of its parts' coordinates. Its interference
    /// depth, or a translation that separates the parts, is then at most the sum of the roundings that the
    /// inputs of both parts state ([`Part::rounding`](crate::Part::rounding)). Of each rounding, at most a
    /// millionth of the model's size counts.
    pub fn is_within_rounding(&self, clash: &Clash) -> bool {
        let of = self.place(clash.parts).map(|place| self.judged.of_clashes[place]);
        of.is_some_and(|of| of.is_within_rounding && !of.is_finding)
    }
    /// True if a clash does not count only because of a tolerance.
    pub fn is_shallow(&self, clash: &Clash) -> bool {
        let of = self.place(clash.parts).map(|place| self.judged.of_clashes[place]);
        of.is_some_and(|of| of.is_shallow && !of.is_finding)
    }
    /// True if the depth of a clash, or the translation that separates its parts, is within the tolerance of
    /// the check. `None` without a tolerance, without a depth, and if tests of rules have their own.
    pub fn is_within_tolerance(&self, clash: &Clash) -> Option<bool> {
        Some(self.depth(clash)?.is_within(self.plan().tolerance_of_all()?))
    }
    /// The index of the clash of two parts, the smaller index first.
    pub(crate) fn place(&self, pair: [u32; 2]) -> Option<usize> {
        self.clashes().binary_search_by_key(&pair, |clash| clash.parts).ok()
    }
    pub(crate) fn clash_at(&self, pair: [u32; 2]) -> Option<&Clash> {
        self.place(pair).map(|place| &self.clashes()[place])
    }
    /// The ignore rules, and the numbers of pairs and findings that each removed. Empty without rules.
    pub fn ignores(&self) -> &[IgnoreSummary] {
        &self.judged.ignores
    }
    /// The rules of the check, if it has any.
    pub fn rules(&self) -> Option<&Rules> {
        self.plan().rules_stated()
    }
    /// Clashes that may be rounding noise; `None` for a report that was merged from tasks.
    pub fn slight(&self) -> Option<Slight> {
        self.slight
    }
    /// True if the depth of a clash was to be computed, but too many triangle pairs meet to be listed.
    pub fn is_unmeasured(&self, clash: &Clash) -> bool {
        let triangles = clash.parts.map(|part| self.part(part).triangles());
        clash.triangle_pairs > depth::pair_limit(triangles) as u64
            && self.depth(clash).is_some_and(Depth::is_unknown)
    }
    /// The parts of a clash, in the order for people: the part inside the other, or the surface, comes first.
    pub fn in_order(&self, clash: &Clash) -> [u32; 2] {
        let [a, b] = clash.parts;
        let is_closed = || self.part(a).closedness().is_some_and(Closedness::is_closed);
        if clash::is_exchanged(clash.relation, is_closed) { [b, a] } else { [a, b] }
    }

    /// Pairs that are near without meeting. All of them count. Empty without a clearance and without chord
    /// tolerances.
    pub fn near(&self) -> &[Near] {
        self.records.nears.as_ref().map_or(&[], |nears| &nears.list)
    }
    /// The lengths that the distance of a near pair was compared with: the clearances of its tests and
    /// [`Check::what_if`](crate::Check), widened by the chord tolerances of both parts.
    pub fn compared(&self, near: &Near) -> Vec<f64> {
        let Some(clearance) = &self.asked.clearance else { return Vec::new() };
        let tests = self.plan().of_pair(near.parts);
        clearance.compared(self.chords.as_ref(), near.parts, &tests).each().map(Margin::get).collect()
    }
    /// The clearance up to which near pairs are listed; `Some(None)` if the check computed distances without
    /// listing pairs, `None` if it computed none.
    pub fn clearance(&self) -> Option<Option<f64>> {
        self.asked.clearance.as_ref().map(|clearance| clearance.limit.map(Margin::get))
    }
    /// Numbers of near pairs and of findings at each clearance of [`Check::what_if`](crate::Check::what_if).
    pub fn what_if(&self) -> impl Iterator<Item = WhatIf> {
        let lengths = self.asked.clearance.iter().flat_map(|clearance| &clearance.what_if);
        let counts = self.records.nears.iter().flat_map(|nears| &nears.counts);
        let counting = self.judged.counting();
        lengths.zip(counts).map(move |(margin, &near)| WhatIf {
            clearance: margin.get(),
            near,
            findings: counting + near,
        })
    }
    /// Numbers of findings and of shallow clashes at each tolerance of
    /// [`Check::what_if_tolerance`](crate::Check::what_if_tolerance).
    pub fn what_if_tolerance(&self) -> impl Iterator<Item = WhatIfTolerance> {
        let depth = |finding: &Finding| self.clash_of(finding).and_then(|clash| self.depth(clash));
        self.asked.what_if_tolerances.iter().map(move |&tolerance| {
            let is_shallow =
                |finding: &&Finding| depth(finding).is_some_and(|depth| depth.is_within(tolerance));
            let shallow = self.judged.findings.iter().filter(is_shallow).count() as u64;
            WhatIfTolerance { tolerance, shallow, findings: self.judged.findings.len() as u64 - shallow }
        })
    }
    /// Pairs that were not examined because the run was stopped, sorted.
    pub fn not_examined(&self) -> &[[u32; 2]] {
        &self.not_examined
    }

    /// All findings, sorted by test and parts. A pair of parts has one for each test that reports it.
    pub fn findings(&self) -> &[Finding] {
        &self.judged.findings
    }
    /// The tests, and the numbers of the pairs of each.
    pub fn tests(&self) -> &[TestSummary] {
        &self.judged.tests
    }
    /// Numbers of examined pairs and of results.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }
    /// The pairs of parts that the check was about.
    pub fn pairs(&self) -> &Pairs {
        &self.question.pairs
    }
    /// The rule for inner points of parts; `None` if parts were surfaces.
    pub fn fill_rule(&self) -> Option<FillRule> {
        self.asked.rule
    }
    /// The tolerance, which makes clashes shallow, if the check has one; `None` with rules, whose tests have
    /// tolerances of their own.
    pub fn tolerance(&self) -> Option<f64> {
        self.plan().tolerance_of_all().filter(|_| self.rules().is_none())
    }
    /// The chord tolerance of all parts; `Some(None)` if parts may have different ones, `None` without one.
    pub fn chord(&self) -> Option<Option<f64>> {
        self.chords.as_ref().map(|chords| chords.chord.only().map(Margin::get))
    }
    fn states_no_chord(&self) -> bool {
        self.input.parts.parts.iter().all(|part| part.stated.chord.is_none())
    }
    fn certainties(&self, chords: &Tolerances) -> Chords {
        let clashes = self.clashes().iter().zip(&self.judged.of_clashes).filter(|(_, of)| of.is_finding);
        let clashes = clashes.map(|(clash, _)| clash);
        let certainties =
            || clashes.clone().map(|c| c.certainty).chain(self.near().iter().map(|n| n.certainty));
        let count = |sure| certainties().filter(|&found| found == Some(sure)).count() as u64;
        let uncounted = self.judged.of_clashes.iter().filter(|of| of.is_possible && !of.is_finding).count();
        Chords {
            tolerance: chords.chord.largest().get(),
            is_largest: chords.chord.only().is_none(),
            is_of_rounding: !chords.chord.is_given && self.states_no_chord(),
            definite: count(Sure::Definite),
            possible: count(Sure::Possible),
            uncounted: uncounted as u64 + self.judged.possible_near,
        }
    }
}
