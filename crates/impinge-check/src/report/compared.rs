//! A report as a delivery, and its comparison with a baseline.
use super::kinds;
use crate::{
    baseline::{
        Baseline, Comparison, Delivery, FindingId, Measures, Observed, ObservedContact, ObservedParts, Seen,
        Worse,
    },
    identity::{Matching, PartIdentity, PartNames},
    records::clash::Clash,
    report::{
        Report,
        against_baseline::AgainstBaseline,
        explanation::PairDecision,
        finding::Finding,
        groups::{GroupBy, Groups},
    },
    rules::Find,
    values::{date::Date, finding_kind::FindingKind},
};
use impinge_io::Part;
use std::{collections::HashMap, sync::Arc};

impl Report {
    /// The data of the report that a baseline stores: the identity of each part, and the findings in the
    /// order of [`Report::findings`]. `None` for a report that was merged from tasks: it has no meshes.
    pub fn delivery(&self) -> Option<Delivery> {
        let parts = &self.assembly()?.parts;
        let rules = self.plan().rules();
        let names = |_: usize, part: &Part| match rules.names() {
            None => PartNames::default(),
            Some(_) => {
                let fields = rules.fields(part);
                let text = |text: Option<&str>| text.map(Arc::from);
                let in_name =
                    |key: &str| fields.in_name().iter().find(|(own, _)| *own == key).map(|(_, text)| *text);
                PartNames {
                    guid: text(fields.guid()),
                    name: text(in_name("name")),
                    file: text(in_name("file")),
                    class: text(fields.class()),
                }
            }
        };
        Some(Delivery {
            parts: PartIdentity::of(parts, names),
            findings: self.observed(),
            contacts: self.observed_contacts(),
            unit: self.unit(),
        })
    }
    fn observed(&self) -> Vec<Observed> {
        let tests: Vec<Arc<str>> = self.tests().iter().map(|test| Arc::from(&*test.name)).collect();
        let corners = self.extent().unwrap_or_default();
        let largest = corners.as_flattened().iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let observed = |finding: &Finding| {
            let depth = self.clash_of(finding).and_then(|clash| self.depth(clash));
            Observed {
                test: Arc::clone(&tests[finding.test as usize]),
                parts: match *finding.parts() {
                    [a, b] => ObservedParts::two(a, b),
                    ref one => ObservedParts::one(one[0]),
                },
                measures: Measures {
                    relation: finding.kind.name().into(),
                    volume: depth.and_then(|depth| depth.overlap_volume),
                    depth: depth.and_then(|depth| depth.bounds(largest)),
                    distance: self.gap_of(finding),
                },
            }
        };
        self.findings().iter().map(observed).collect()
    }
    /// The pairs with a point in common, for each test of lost contacts.
    fn observed_contacts(&self) -> Vec<ObservedContact> {
        let plan = self.plan();
        if !plan.finds_lost_contacts() {
            return Vec::new();
        }
        let tests: Vec<Arc<str>> = self.tests().iter().map(|test| Arc::from(&*test.name)).collect();
        let mut contacts = Vec::new();
        for clash in self.clashes() {
            for own in &plan.of_pair(clash.parts).tests {
                let test = own.test as usize;
                let is_of = plan.tests[test].test.find == Find::LostContact;
                if is_of && plan.removed_by(own, clash.parts).is_none() {
                    contacts.push(ObservedContact { test: Arc::clone(&tests[test]), parts: clash.parts });
                }
            }
        }
        contacts
    }
    /// The report with the status of each finding, and with findings about lost contacts
    /// ([`Find::LostContact`]). Only findings that are new or reopened, which includes worse ones, then count
    /// for [`Report::is_clean`] and are in [`Groups`]. A report without meshes is returned unchanged.
    ///
    /// A finding of the baseline is resolved if its test examined its parts and has no finding about them. It
    /// is not examined if there was no time, a part is missing, a rule ignores it, or its test is gone or no
    /// longer reports such findings. A larger tolerance or a smaller clearance resolves the findings that it
    /// removes.
    #[must_use]
    pub fn with_baseline(mut self, baseline: impl Into<Arc<Baseline>>, today: Date, worse: Worse) -> Self {
        let Some(mut delivery) = self.delivery() else { return self };
        let baseline = baseline.into();
        let matching = Matching::new(baseline.parts(), &delivery.parts);
        let lost = self.lost_contacts(&baseline, &delivery, &matching);
        self = self.with_lost_contacts(&lost);
        if !lost.is_empty() {
            delivery.findings = self.observed();
        }
        let comparison = self.comparison_with(&baseline, matching, &delivery, today, worse);
        let mut of_clashes = vec![false; self.clashes().len()];
        for (i, finding) in self.findings().iter().enumerate() {
            if self.clash_of(finding).is_some() && comparison.counts(i) {
                of_clashes[finding.record() as usize] = true;
            }
        }
        self.with_compared(AgainstBaseline { baseline, worse, delivery, comparison, of_clashes })
    }
    /// The contacts of a baseline that are lost in a delivery of this report.
    fn lost_contacts(
        &self,
        baseline: &Baseline,
        delivery: &Delivery,
        matching: &Matching,
    ) -> Vec<ObservedContact> {
        let kind = FindingKind::LostContact.name();
        baseline.lost_contacts(delivery, matching, |test, parts| self.has_examined(test, &parts, kind))
    }
    fn comparison_with(
        &self,
        baseline: &Baseline,
        matching: Matching,
        delivery: &Delivery,
        today: Date,
        worse: Worse,
    ) -> Comparison {
        let is_examined =
            |test: &str, parts: &[u32], relation: &str| self.has_examined(test, parts, relation);
        baseline.compare_matched(matching, delivery, is_examined, today, worse)
    }
    /// The comparison with the baseline, if there is one.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.of_baseline().map(|compared| &compared.comparison)
    }
    /// The baseline after this report: it has the new findings, too, each with its status. `None` if the
    /// report was not compared with a baseline.
    ///
    /// A baseline other than that of the comparison, such as one with later decisions, is compared again.
    /// This costs as much as [`Report::with_baseline`].
    pub fn updated(&self, baseline: &Baseline, today: Date) -> Option<Baseline> {
        let AgainstBaseline { baseline: compared, worse, delivery, comparison, .. } = self.of_baseline()?;
        if std::ptr::eq(Arc::as_ptr(compared), baseline) || **compared == *baseline {
            let ids: Vec<_> = comparison.seen().iter().map(|seen| Some(seen.id)).collect();
            return Some(self.grouped(baseline.update(comparison, delivery, today), &ids));
        }
        let kind = FindingKind::LostContact.name();
        let mut delivery = delivery.clone();
        delivery.findings.retain(|observed| *observed.measures.relation != *kind);
        let matching = Matching::new(baseline.parts(), &delivery.parts);
        let lost = self.lost_contacts(baseline, &delivery, &matching).into_iter().map(|contact| Observed {
            test: contact.test,
            parts: ObservedParts::two(contact.parts[0], contact.parts[1]),
            measures: Measures { relation: kind.into(), volume: None, depth: None, distance: None },
        });
        delivery.findings.extend(lost);
        let comparison = self.comparison_with(baseline, matching, &delivery, today, *worse);
        // Lost contacts come from the other baseline: the report has no findings about them, and they have no
        // group.
        let mut seen = comparison.seen().iter();
        let is_kept = |finding: &Finding| finding.kind != FindingKind::LostContact;
        let id = |finding: &Finding| is_kept(finding).then(|| seen.next()).flatten().map(|seen| seen.id);
        let ids: Vec<_> = self.findings().iter().map(id).collect();
        Some(self.grouped(baseline.update(&comparison, &delivery, today), &ids))
    }
    /// A baseline after this report, with the groups of the findings. `ids` has the id of each finding.
    fn grouped(&self, next: Baseline, ids: &[Option<FindingId>]) -> Baseline {
        let groups = Groups::of_all(self, Some(&GroupBy::Shapes)).into_iter();
        next.with_groups(groups.map(|group| group.findings.iter().filter_map(|&i| ids[i as usize]).collect()))
    }
    /// The baseline that the report was compared with.
    pub fn baseline(&self) -> Option<&Baseline> {
        self.of_baseline().map(|compared| &*compared.baseline)
    }
    /// The id and the status of the finding with this index, if the report was compared with a baseline.
    pub fn status(&self, finding: usize) -> Option<Seen> {
        self.comparison()?.seen().get(finding).copied()
    }
    /// The id of each finding: that of the comparison, else the id in a new baseline. A report without meshes
    /// has no baseline: its ids follow from the names and files of the parts. Without a comparison, it costs
    /// as much as [`Report::delivery`].
    pub fn finding_ids(&self) -> Vec<FindingId> {
        let ids = |comparison: &Comparison| comparison.seen().iter().map(|seen| seen.id).collect();
        if let Some(comparison) = self.comparison() {
            return ids(comparison);
        }
        match self.delivery() {
            Some(delivery) => {
                let first = Date::from_days(0);
                ids(&Baseline::new().compare(&delivery, |_, _, _| true, first, Worse::default()))
            }
            None => self.ids_by_name(),
        }
    }
    fn ids_by_name(&self) -> Vec<FindingId> {
        let mut attempts: HashMap<FindingId, u32> = HashMap::new();
        let id = |finding: &Finding| {
            let key = |&part: &u32| {
                let part = self.part(part);
                format!("{}\0{}", part.file().display(), part.name())
            };
            let mut keys: Vec<String> = finding.parts().iter().map(key).collect();
            keys.sort();
            let keys: Vec<&str> = keys.iter().map(|key| &**key).collect();
            let test = &self.tests()[finding.test as usize].name;
            let id = |attempt| FindingId::new(test, &keys, finding.kind.name(), attempt);
            let attempt = attempts.entry(id(0)).and_modify(|count| *count += 1).or_insert(0);
            id(*attempt)
        };
        self.findings().iter().map(id).collect()
    }
    /// The id and the status of a finding, if the report was compared with a baseline.
    pub fn status_of(&self, finding: &Finding) -> Option<Seen> {
        let key = |finding: &Finding| (finding.test, finding.pair());
        let place = self.findings().binary_search_by_key(&key(finding), key).ok()?;
        self.status(place)
    }
    /// True if the finding with this index is listed and sets the exit status. Without a baseline each is.
    pub fn is_listed(&self, finding: usize) -> bool {
        self.comparison().is_none_or(|comparison| comparison.counts(finding))
    }
    /// True if a clash has a finding that is listed.
    pub fn lists(&self, clash: &Clash) -> bool {
        self.counts(clash)
            && self.of_baseline().is_none_or(|compared| {
                self.place(clash.parts).is_some_and(|place| compared.of_clashes[place])
            })
    }
    /// Number of listed findings.
    pub fn listed(&self) -> u64 {
        (0..self.findings().len()).filter(|&finding| self.is_listed(finding)).count() as u64
    }
    /// True if no finding is listed.
    pub fn is_clean(&self) -> bool {
        self.listed() == 0
    }

    /// True if a test examined parts, and would report this relation of them.
    fn has_examined(&self, test: &str, parts: &[u32], relation: &str) -> bool {
        let test = self.tests().iter().position(|own| own.name == test);
        test.is_some_and(|test| kinds::named(relation).has_examined(self, test, parts, relation))
    }
    /// True if a test of pairs examined two parts, and would report this relation of them.
    pub(super) fn has_examined_pair(&self, test: usize, parts: &[u32], relation: &str) -> bool {
        let &[a, b] = parts else { return false };
        let pair = [a.min(b), a.max(b)];
        if test >= self.plan().tests.len() {
            return false;
        }
        match self.explain_test(test as u32, pair).1 {
            // If the parts still have this relation, the test no longer reports it.
            PairDecision::NotReported => !self
                .clash_at(pair)
                .is_some_and(|clash| FindingKind::Clash(clash.relation).is_named(relation)),
            PairDecision::Apart
            | PairDecision::WithinRounding
            | PairDecision::Shallow
            | PairDecision::Possible
            | PairDecision::Finding => true,
            PairDecision::NotAsked
            | PairDecision::Removed(_)
            | PairDecision::NotExamined
            | PairDecision::Ignored(_) => false,
        }
    }
    /// True if a test has no near pair of two parts, but an ignore rule would remove one: the list of near
    /// pairs may then lack it.
    pub(super) fn ignores_near(&self, test: usize, parts: &[u32]) -> bool {
        let &[a, b] = parts else { return false };
        let pair = [a.min(b), a.max(b)];
        let tests = self.plan().of_pair(pair);
        let own = tests.tests.iter().find(|own| own.test as usize == test);
        let is_apart = || self.explain_test(test as u32, pair).1 == PairDecision::Apart;
        own.is_some_and(|own| self.plan().near_ignored_by(own, pair).is_some()) && is_apart()
    }
}
