//! [`Judgement`]: a clash list, compared with the exact relations of the parts.
use crate::{
    crossing::{Border, may_cross},
    elements::Elements,
    list::ClashList,
    verdict::Verdict,
};
use impinge::{Body, Mesh, Model, Query, relation::RelationKind};
use impinge_check::{
    Assembly, Check, Clash, Date, Error, Finding, Pairs, Relations, Report, Rules, Watch, baseline::FindingId,
};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

/// A clash list, compared with the exact relations of the parts: a verdict on each entry, and the findings
/// that no entry names.
pub struct Judgement {
    /// The verdicts on the entries, in the order of the list.
    pub entries: Vec<JudgedEntry>,
    /// The findings about two parts that no entry names, the gravest first.
    pub missing: Vec<Missing>,
    /// The check of the whole assembly, which `missing` refers to.
    pub report: Report,
}

/// The verdict on an entry of a list.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JudgedEntry {
    /// The gravest of its pairs; unknown if it has none.
    pub verdict: Verdict,
    /// Indices of the elements that are no part of the assembly.
    pub absent: Vec<usize>,
    /// Reason why there is no verdict; `None` if there is one.
    pub reason: Option<&'static str>,
    /// The pairs of parts that it names, the gravest first.
    pub pairs: Vec<JudgedPair>,
}

/// Two parts that an entry names.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct JudgedPair {
    /// The smaller index first.
    pub parts: [u32; 2],
    /// The relation of the first to the second.
    pub relation: RelationKind,
    /// The verdict on that relation.
    pub verdict: Verdict,
    /// Lower and upper bound of the volume in common.
    pub volume: Option<[f64; 2]>,
    /// Upper bound of the interference depth.
    pub depth: Option<f64>,
    /// Length of a separating translation, if it is less than the least side of both parts' boxes.
    pub separating_distance: Option<f64>,
    /// Lower and upper bound of the distance of parts that are apart.
    pub distance: Option<[f64; 2]>,
}

/// A finding that no entry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Its index in [`Report::findings`].
    pub finding: u32,
}

/// Largest number of pairs of an entry that are judged: an entry that names a hundred elements is no clash.
const MOST_PAIRS: usize = 200;

impl Judgement {
    /// Judges a list. `check` runs twice: without rules on the pairs of the entries, and with the rules, if
    /// there are any, on all pairs, to find missing entries.
    ///
    /// Identifiers (a GlobalId in either form, or a property such as `Element ID` or `Tag`) decide which
    /// parts an element is, else its path, else a name that only one part has. An element may be several
    /// parts.
    ///
    /// # Errors
    /// The errors of [`Check::run`].
    pub fn new(
        list: &ClashList,
        assembly: &Arc<Assembly>,
        check: &Check,
        rules: Option<(Arc<Rules>, Date)>,
        watch: &Watch<'_>,
    ) -> Result<Self, Error> {
        let own = Rules::new();
        let fields_of = rules.as_ref().map_or(&own, |(rules, _)| rules);
        let elements = Elements::new(&assembly.parts, |part| fields_of.fields(part));
        let mut entries: Vec<JudgedEntry> =
            list.entries.iter().map(|entry| named(entry, &elements)).collect();
        let listed: BTreeSet<[u32; 2]> =
            entries.iter().flat_map(|entry| &entry.pairs).map(|pair| pair.parts).collect();

        let asked = check.clone().relations(Relations::ALL).pairs(Pairs::listed(listed.iter().copied()));
        let of_entries = asked.run(Arc::clone(assembly), watch)?;
        let clashes: HashMap<[u32; 2], &Clash> =
            of_entries.clashes().iter().map(|clash| (clash.parts, clash)).collect();
        let not_examined: BTreeSet<[u32; 2]> = of_entries.not_examined().iter().copied().collect();
        let mut places =
            Places { assembly, models: HashMap::new(), borders: HashMap::new(), query: Query::new() };
        for entry in &mut entries {
            for pair in &mut entry.pairs {
                match clashes.get(&pair.parts) {
                    Some(clash) => {
                        let depth = of_entries.depth(clash);
                        pair.relation = clash.relation.unwrap_or(RelationKind::Meet);
                        pair.verdict = match pair.relation {
                            RelationKind::Meet if !places.may_cross(pair.parts) => Verdict::Touch,
                            relation => Verdict::of(Some(relation)),
                        };
                        pair.volume = depth.and_then(|depth| depth.overlap_volume);
                        pair.depth = depth.and_then(|depth| depth.interference_depth).map(|[_, hi]| hi);
                        pair.separating_distance = depth.and_then(|depth| depth.separating_distance);
                    }
                    None => pair.distance = places.distance(pair.parts),
                }
            }
            if entry.pairs.iter().any(|pair| not_examined.contains(&pair.parts)) {
                (entry.reason, entry.pairs) = (Some("there was no time"), Vec::new());
            }
            entry.pairs.sort_by_key(|pair| (Reverse(pair.verdict), pair.parts));
            if let Some(first) = entry.pairs.first() {
                entry.verdict = first.verdict;
            }
        }

        let check = match rules {
            Some((rules, today)) => check.clone().rules(rules, today),
            None => check.clone(),
        };
        let report = check.run(Arc::clone(assembly), watch)?;
        let by_id: HashSet<FindingId> =
            list.entries.iter().flat_map(|entry| entry.findings.iter().copied()).collect();
        let ids = if by_id.is_empty() { Vec::new() } else { report.finding_ids() };
        let is_missing = |i: u32, finding: &Finding| match *finding.parts() {
            [a, b] => !listed.contains(&[a, b]) && !ids.get(i as usize).is_some_and(|id| by_id.contains(id)),
            _ => false,
        };
        let findings = report.findings();
        let mut missing: Vec<u32> =
            (0..findings.len() as u32).filter(|&i| is_missing(i, &findings[i as usize])).collect();
        missing.sort_by_cached_key(|&i| report.rank_of(&findings[i as usize]));
        let missing = missing.into_iter().map(|finding| Missing { finding }).collect();
        Ok(Self { entries, missing, report })
    }

    /// True if each entry is an overlap, and no finding is missing.
    pub fn agrees(&self) -> bool {
        self.missing.is_empty() && self.entries.iter().all(|entry| entry.verdict == Verdict::Overlap)
    }
}

/// The pairs of parts that an entry names, all with the verdict `Apart` for now.
fn named(entry: &crate::Entry, elements: &Elements<'_>) -> JudgedEntry {
    let parts: Vec<Vec<u32>> = entry.elements.iter().map(|element| elements.find(element)).collect();
    let absent: Vec<usize> =
        parts.iter().enumerate().filter(|(_, parts)| parts.is_empty()).map(|(i, _)| i).collect();
    let is_absent = !absent.is_empty();
    let mut judged = JudgedEntry { verdict: Verdict::Unknown, absent, reason: None, pairs: Vec::new() };
    if parts.len() < 2 {
        judged.reason = Some("names no pair");
        return judged;
    }
    let mut pairs = BTreeSet::new();
    for (i, first) in parts.iter().enumerate() {
        // The parts of one element are no pair.
        for second in parts[i + 1..].iter().filter(|second| *second != first) {
            for &a in first {
                pairs.extend(second.iter().filter(|&&b| b != a).map(|&b| [a.min(b), a.max(b)]));
            }
            if pairs.len() > MOST_PAIRS {
                judged.reason = Some("names too many");
                return judged;
            }
        }
    }
    if pairs.is_empty() {
        judged.reason = Some(if is_absent { "not in the models" } else { "names one element twice" });
    }
    let apart = |parts| JudgedPair {
        parts,
        relation: RelationKind::Apart,
        verdict: Verdict::Apart,
        volume: None,
        depth: None,
        separating_distance: None,
        distance: None,
    };
    judged.pairs = pairs.into_iter().map(apart).collect();
    judged
}

/// Curves and distances of pairs of parts; builds each model once.
struct Places<'a> {
    assembly: &'a Assembly,
    models: HashMap<*const Mesh, Model>,
    borders: HashMap<*const Mesh, Border>,
    query: Query,
}

impl Places<'_> {
    fn bodies(&mut self, pair: [u32; 2]) -> ([Body<'_>; 2], &mut Query) {
        let parts = pair.map(|part| &self.assembly.parts[part as usize]);
        for part in parts {
            let model = || Model::new(Arc::clone(&part.mesh));
            self.models.entry(Arc::as_ptr(&part.mesh)).or_insert_with(model);
        }
        let body = |part: &impinge_check::Part| Body::new(&self.models[&Arc::as_ptr(&part.mesh)], part.pose);
        (parts.map(body), &mut self.query)
    }
    /// Lower and upper bound of the distance.
    fn distance(&mut self, pair: [u32; 2]) -> Option<[f64; 2]> {
        let ([a, b], query) = self.bodies(pair);
        query.distance(&a, &b).map(|gap| [gap.lo, gap.hi])
    }
    /// True if surfaces that meet may cross or lie on each other.
    fn may_cross(&mut self, pair: [u32; 2]) -> bool {
        let ([a, b], query) = self.bodies(pair);
        let curves = query.curves(&a, &b).clone();
        let meshes = pair.map(|part| &self.assembly.parts[part as usize].mesh);
        for mesh in meshes {
            self.borders.entry(Arc::as_ptr(mesh)).or_insert_with(|| Border::of(mesh));
        }
        may_cross(&curves, meshes.map(|mesh| &self.borders[&Arc::as_ptr(mesh)]))
    }
}
