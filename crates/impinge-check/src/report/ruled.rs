//! The findings of a report by rules.
use super::{OfRules, Report};
use crate::{
    baseline::ObservedContact,
    demands::{self, Demands, IgnoreNumbers, Ledger, TestNumbers},
    finding::Finding,
    floating::Floating,
    motion_gaps::GapsOfTest,
    rules::{Find, Ignore},
    test_summary::{IgnoreSummary, TestSummary},
    verdict::Verdicts,
    warning::Warning,
};
use impinge::distance::Margin;
use std::sync::Arc;

/// The end of a warning: what looks at nothing must not seem clean.
const NEEDS_BASELINE: &str = "finds nothing without a baseline of an earlier delivery";

impl Report {
    /// The findings of rules in place of those of the one test of a check without them.
    pub(crate) fn with_rules(self, rules: Option<(Arc<Demands>, Ledger)>) -> Self {
        let Some((demands, ledger)) = rules else { return self };
        let mut verdicts = Verdicts::new(&demands);
        let mut of_clashes = vec![[false; 2]; self.clashes().len()];
        for (record, (clash, of)) in self.clashes().iter().zip(&mut of_clashes).enumerate() {
            *of = verdicts.add_clash(&demands, (clash, record), self.depth(clash));
        }
        let mut report = self;
        if let Some(nears) = &mut report.nears {
            // The list keeps pairs that some test reports: a record is the place among these.
            let mut record = 0;
            nears.list.retain(|near| {
                let is_finding = verdicts.add_near(&demands, (near, record));
                record += usize::from(is_finding);
                is_finding
            });
        }
        report.counting = of_clashes.iter().filter(|[is_finding, _]| *is_finding).count() as u64;
        report.findings = std::mem::take(&mut verdicts.findings);
        report.findings.sort_unstable_by_key(|finding| (finding.test, finding.pair()));
        let mut of_tests = vec![0; demands.tests.len()];
        report.findings.iter().for_each(|finding| of_tests[finding.test as usize] += 1);
        let test = |(i, test): (usize, &TestNumbers)| {
            let counts = ledger.tests[i];
            let asked = demands::asked(&demands, i, report.pairs());
            TestSummary {
                name: test.test.name.clone(),
                severity: test.test.severity,
                report: test.test.report,
                tolerance: test.tolerance,
                clearance: test.clearance.map(Margin::get),
                asked,
                boxes_apart: asked - counts.ignored - counts.not_examined - counts.tested,
                ignored: counts.ignored,
                not_examined: counts.not_examined,
                tested: counts.tested,
                shallow: verdicts.shallow[i],
                ignored_findings: verdicts.ignored[i],
                findings: of_tests[i],
            }
        };
        report.tests = demands.tests.iter().enumerate().map(test).collect();
        let counts = ledger.removed_by.iter().zip(&verdicts.ignored_by);
        let ignore = |((rule, numbers), (&pairs, &findings)): ((&Ignore, &IgnoreNumbers), _)| IgnoreSummary {
            reason: rule.reason.clone(),
            line: rule.line,
            until: rule.until.map(|until| until.to_string()),
            is_expired: numbers.is_expired,
            pairs,
            findings,
        };
        let ignores = demands.rules.ignores().iter().zip(&demands.ignores).zip(counts).map(ignore).collect();
        let shallow = of_clashes.iter().filter(|[is_finding, is_shallow]| *is_shallow && !is_finding).count();
        if let Some(distances) = &mut report.coverage.clearance {
            distances.pairs_left_out = ledger.left_out[1];
            distances.near =
                distances.limit.map(|_| report.nears.as_ref().map_or(0, |nears| nears.list.len()) as u64);
        }
        if let Some(solids) = &mut report.coverage.solids {
            solids.findings = report.findings.len() as u64;
            solids.shallow =
                demands.tests.iter().any(|test| test.tolerance.is_some()).then_some(shallow as u64);
        }
        report.coverage.pairs_left_out = ledger.left_out[0];
        report.coverage.chord = None;
        report.rules = Some(OfRules { demands, ignores, of_clashes });
        report.coverage.chord = report.chords.as_ref().map(|chords| report.certainties(chords));
        report
    }
    /// Warns of what the rules say that no pair fulfils, and of what has expired, once all pairs are counted.
    pub(crate) fn with_rule_warnings(mut self) -> Self {
        let more = self.rule_warnings();
        self.warnings.extend(more);
        self
    }
    fn rule_warnings(&self) -> Vec<Warning> {
        let Some(OfRules { demands, ignores, .. }) = &self.rules else { return Vec::new() };
        let mut all = demands.rules.warnings(&demands.members);
        for test in demands.rules.tests().iter().filter(|test| test.find == Find::LostContact) {
            let place = (test.line > 0).then(|| format!("line {}", test.line));
            let text = format!("the test '{}' {NEEDS_BASELINE}", test.name);
            all.push(Warning::new(demands.rules.file(), place, text));
        }
        for ignore in ignores {
            let text = match ignore {
                IgnoreSummary { is_expired: true, until: Some(until), .. } => {
                    format!("this ignore rule ended on {until}: {}", ignore.reason)
                }
                IgnoreSummary { pairs: 0, findings: 0, .. } => {
                    format!("this ignore rule never applies: {}", ignore.reason)
                }
                _ => continue,
            };
            let place = (ignore.line > 0).then(|| format!("line {}", ignore.line));
            all.push(Warning::new(demands.rules.file(), place, text));
        }
        all
    }

    /// Removes the warnings about tests that need a baseline.
    pub(crate) fn has_baseline_now(&mut self) {
        self.warnings.retain(|warning| !warning.text.ends_with(NEEDS_BASELINE));
    }
    /// Adds findings about contacts that earlier deliveries had.
    pub(crate) fn add_lost_contacts(&mut self, lost: &[ObservedContact]) {
        for contact in lost {
            let test = self.tests.iter().position(|test| *test.name == *contact.test);
            if let Some(test) = test {
                self.findings.push(Finding::of_lost_contact(test as u32, contact.parts));
                self.tests[test].findings += 1;
            }
        }
        self.findings_changed();
    }
    /// Sorts the findings, and counts them.
    fn findings_changed(&mut self) {
        self.findings.sort_unstable_by_key(|finding| (finding.test, finding.pair()));
        if let (Some(_), Some(solids)) = (&self.rules, &mut self.coverage.solids) {
            solids.findings = self.findings.len() as u64;
        }
    }
    /// Adds what tests of gaps along poses found, in the order of the tests.
    pub(crate) fn with_motion_gaps(mut self, all: Vec<(usize, GapsOfTest)>) -> Self {
        if all.is_empty() {
            return self;
        }
        let mut gaps = Vec::new();
        for (test, found) in all {
            let of = &mut self.tests[test];
            let ignored = found.removed_by.len() as u64;
            let not_examined = found.not_examined.len() as u64;
            (of.asked, of.tested, of.ignored) = (found.asked, found.tested, ignored);
            (of.not_examined, of.findings) = (not_examined, found.gaps.len() as u64);
            of.boxes_apart = found.asked - found.tested - ignored - not_examined;
            if let Some(rules) = &mut self.rules {
                found.removed_by.iter().for_each(|&rule| rules.ignores[rule as usize].pairs += 1);
            }
            self.not_examined.extend(found.not_examined);
            self.findings
                .extend((gaps.len()..).zip(&found.gaps).map(|(i, gap)| Finding::of_motion_gap(gap, i)));
            gaps.extend(found.gaps);
        }
        self.not_examined.sort_unstable();
        self.not_examined.dedup();
        self.coverage.not_examined = self.not_examined.len() as u64;
        self.findings_changed();
        Self { motion_gaps: Some(gaps), ..self }
    }
    pub(crate) fn with_floating(mut self, floating: Option<Vec<Floating>>) -> Self {
        let demands = self.rules.as_ref().map(|rules| Arc::clone(&rules.demands));
        for (i, test) in demands.iter().flat_map(|demands| demands.tests.iter().enumerate()) {
            if test.test.find != Find::Floating {
                continue;
            }
            let is_in = |part: &u32| demands.as_ref().is_some_and(|all| all.holds(*part, test.test.a));
            for (record, group) in floating.iter().flatten().enumerate() {
                if let Some(&part) = group.parts.iter().find(|part| is_in(part)) {
                    self.findings.push(Finding::of_floating(i as u32, part, record));
                    self.tests[i].findings += 1;
                }
            }
        }
        self.findings_changed();
        Self { floating, ..self }
    }
}
