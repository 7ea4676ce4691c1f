//! A report as a delivery, and its comparison with a baseline.
use crate::{
    against_baseline::AgainstBaseline,
    baseline::{Baseline, Comparison, Delivery, Measures, Observed, ObservedParts, Seen, Worse},
    clash::Clash,
    date::Date,
    depth::Depth,
    explanation::PairDecision,
    finding::Finding,
    identity::{PartIdentity, PartNames},
    report::Report,
    rules::Rules,
};
use impinge_io::Part;
use std::sync::Arc;

impl Report {
    /// What a baseline keeps of the report: the identity of each part, and the findings in the order of
    /// [`Report::findings`]. `None` of a report that was put together from tasks: it has no meshes.
    pub fn delivery(&self) -> Option<Delivery> {
        let parts = &self.assembly()?.parts;
        let own = Rules::new();
        let rules = self.rules().unwrap_or(&own);
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
        let tests: Vec<Arc<str>> = self.tests().iter().map(|test| Arc::from(&*test.name)).collect();
        let observed = |finding: &Finding| {
            let depth = self.clash_of(finding).and_then(|clash| self.depth(clash));
            let near = self.near_of(finding).map(|near| near.distance[1]);
            let gap = || self.floating_of(finding)?.nearest.map(|near| near.distance[1]);
            Observed {
                test: Arc::clone(&tests[finding.test as usize]),
                parts: match *finding.parts() {
                    [a, b] => ObservedParts::two(a, b),
                    ref one => ObservedParts::one(one[0]),
                },
                measures: Measures {
                    relation: finding.kind.name().into(),
                    volume: depth.and_then(|depth| depth.overlap_volume).map(|[_, hi]| hi),
                    depth: depth.and_then(Depth::separating_length),
                    distance: near.or_else(gap),
                },
            }
        };
        let findings = self.findings().iter().map(observed).collect();
        Some(Delivery { parts: PartIdentity::of(parts, names), findings })
    }
    /// The report with the status of each finding. Then only findings that are new, reopened or worse count
    /// for [`Report::is_clean`], and are in [`Groups`](crate::Groups). A report without meshes is returned as
    /// it is.
    ///
    /// A finding of the baseline is resolved if its test examined its parts and finds nothing to report. If
    /// there was no time, a rule ignores it, its test is gone, or a part is missing, it is not examined.
    #[must_use]
    pub fn with_baseline(self, baseline: &Baseline, today: Date, worse: Worse) -> Self {
        let Some(delivery) = self.delivery() else { return self };
        let is_examined = |test: &str, parts: &[u32]| self.has_examined(test, parts);
        let comparison = baseline.compare(&delivery, is_examined, today, worse);
        let mut of_clashes = vec![false; self.clashes().len()];
        for (i, finding) in self.findings().iter().enumerate() {
            let place = self.clashes().binary_search_by_key(&finding.pair(), |clash| clash.parts);
            if let (Some(_), Ok(place), true) = (self.clash_of(finding), place, comparison.counts(i)) {
                of_clashes[place] = true;
            }
        }
        self.with_compared(AgainstBaseline { delivery, comparison, of_clashes })
    }
    /// The comparison with the baseline, if there is one.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.of_baseline().map(|compared| &compared.comparison)
    }
    /// The baseline after this report: findings that are new are added, each with its status.
    pub fn updated(&self, baseline: &Baseline, today: Date) -> Option<Baseline> {
        let AgainstBaseline { delivery, comparison, .. } = self.of_baseline()?;
        Some(baseline.update(comparison, delivery, today))
    }
    /// The id and the status of the finding with this index, if the report was compared with a baseline.
    pub fn status(&self, finding: usize) -> Option<Seen> {
        self.comparison()?.seen().get(finding).copied()
    }
    /// The id and the status of a finding, if the report was compared with a baseline.
    pub fn status_of(&self, finding: &Finding) -> Option<Seen> {
        let key = |finding: &Finding| (finding.test, finding.pair());
        let place = self.findings().binary_search_by_key(&key(finding), key).ok()?;
        self.status(place)
    }
    /// Whether the finding with this index sets the exit status and is listed: without a baseline each is.
    pub fn is_listed(&self, finding: usize) -> bool {
        self.comparison().is_none_or(|comparison| comparison.counts(finding))
    }
    /// Whether a clash has a finding that is listed.
    pub fn lists(&self, clash: &Clash) -> bool {
        self.counts(clash)
            && self.of_baseline().is_none_or(|compared| {
                let place = self.clashes().binary_search_by_key(&clash.parts, |clash| clash.parts);
                place.is_ok_and(|place| compared.of_clashes[place])
            })
    }
    /// How many findings are listed.
    pub fn listed(&self) -> u64 {
        (0..self.findings().len()).filter(|&finding| self.is_listed(finding)).count() as u64
    }
    /// Whether no finding is listed.
    pub fn is_clean(&self) -> bool {
        self.listed() == 0
    }

    /// Whether a test has looked at parts, and would report what it finds there.
    fn has_examined(&self, test: &str, parts: &[u32]) -> bool {
        let Some(place) = self.tests().iter().position(|own| own.name == test) else { return false };
        let &[a, b] = parts else {
            // Parts that float, or intersect themselves.
            let part = parts.first().copied().unwrap_or(u32::MAX);
            let is_floating = self.floating().is_some();
            return is_floating
                || part < self.part_count() as u32 && self.part(part).self_intersections().is_some();
        };
        if self.rules().is_none() {
            return self.pairs().asks([a, b]) && self.not_examined().binary_search(&[a, b]).is_err();
        }
        match self.explain([a, b]).get(place).map(|explanation| explanation.decision) {
            Some(
                PairDecision::Apart
                | PairDecision::NotReported
                | PairDecision::Shallow
                | PairDecision::Finding,
            ) => true,
            Some(
                PairDecision::NotAsked
                | PairDecision::Removed(_)
                | PairDecision::NotExamined
                | PairDecision::Ignored(_),
            ) => false,
            None => false,
        }
    }
}
