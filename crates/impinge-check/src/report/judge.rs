//! [`Report::new`]: makes a report of records.
use super::{
    Input, Report,
    coverage::{Coverage, Distances, SelfIntersecting, Solids},
    finding::Finding,
    judged::Judged,
    kinds,
    slight::Slight,
};
use crate::{
    baseline::ObservedContact,
    parts::chord::{Chord, Tolerances},
    question::{Question, asked::Asked, pairs::Pairs, test_plan::TestPlan, test_summary::IgnoreSummary},
    records::Records,
    rules::Find,
    sources::omission::Omission,
    values::{finding_kind::FindingKind, warning::Warning},
};

/// End of the warning about a test that examines nothing: it must not seem clean.
const NEEDS_BASELINE: &str = "finds nothing without a baseline of an earlier delivery";

impl Report {
    pub(crate) fn new(input: Input, question: Question, asked: Asked, mut records: Records) -> Self {
        // With `rounding`, chord errors contain the roundings: clashes due to them are possible ones instead.
        let most = if question.settings.rounding { 0.0 } else { Slight::length_of(input.parts.size()) };
        let rounding = |part| input.parts.rounding(part).min(most);
        let rounding = (0..input.parts.parts.len() as u32).map(rounding).collect();
        let judged = judged(&asked.tests, &question.pairs, &mut records, rounding);
        let stated =
            |chord: &Chord| input.parts.parts.iter().map(|part| chord.of(&part.name, part.stated)).collect();
        let chords = asked.chord.as_ref().map(|chord| Tolerances::known(chord, stated(chord)));
        let not_examined = records.not_examined();
        let coverage = coverage(&input, &question, &asked, &records, &not_examined);
        let mut report = Self {
            warnings: Vec::new(),
            slight: None,
            compared: None,
            input,
            question,
            asked,
            chords,
            records,
            judged,
            coverage,
            not_examined,
        };
        report.coverage.chord = report.chords.as_ref().map(|chords| report.certainties(chords));
        report.count_findings();
        report.warnings = report.input.warnings.iter().cloned().chain(report.rule_warnings()).collect();
        report
    }
    /// Counts the findings; called again after each change.
    fn count_findings(&mut self) {
        let of_pairs = |finding: &&Finding| finding.kind != FindingKind::SelfIntersection;
        if let Some(solids) = &mut self.coverage.solids {
            solids.findings = self.judged.findings.iter().filter(of_pairs).count() as u64;
            let has_tolerance = self.asked.tests.tests.iter().any(|test| test.tolerance.is_some());
            solids.within_rounding = self.judged.within_rounding();
            solids.shallow = has_tolerance.then(|| self.judged.shallow());
        }
    }
    /// Warnings about tests without pairs, rules that never apply, and rules that have expired.
    fn rule_warnings(&self) -> Vec<Warning> {
        let rules = self.asked.tests.rules();
        let mut all = rules.warnings(&self.asked.tests.members);
        let mut warn = |line: usize, text: String| {
            let place = (line > 0).then(|| format!("line {line}"));
            all.push(Warning::new(rules.file(), place, text));
        };
        for test in rules.tests().iter().filter(|test| test.find == Find::LostContact) {
            warn(test.line, format!("the test '{}' {NEEDS_BASELINE}", test.name));
        }
        for ignore in &self.judged.ignores {
            let reason = &ignore.reason;
            match ignore {
                IgnoreSummary { is_expired: true, until: Some(until), .. } => {
                    warn(ignore.line, format!("this ignore rule ended on {until}: {reason}"));
                }
                IgnoreSummary { pairs: 0, findings: 0, .. } => {
                    warn(ignore.line, format!("this ignore rule never applies: {reason}"));
                }
                _ => {}
            }
        }
        all
    }
    /// The report with findings about lost contacts. `lost` are contacts that earlier deliveries had.
    pub(crate) fn with_lost_contacts(mut self, lost: &[ObservedContact]) -> Self {
        self.warnings.retain(|warning| !warning.text.ends_with(NEEDS_BASELINE));
        self.judged.add_lost_contacts(lost.iter().map(|contact| (&*contact.test, contact.parts)));
        self.count_findings();
        self
    }
}

/// Applies the tests to the records. Near pairs that no test reports move to `Nears::left_out`.
fn judged(plan: &TestPlan, pairs: &Pairs, records: &mut Records, rounding: Vec<f64>) -> Judged {
    let mut judged = Judged::before(plan, pairs, records, rounding);
    kinds::all().for_each(|kind| kind.judge(plan, records, &mut judged));
    judged.count();
    judged
}

/// Numbers of examined pairs. Findings are counted later.
fn coverage(
    input: &Input,
    question: &Question,
    asked: &Asked,
    records: &Records,
    not_examined: &[[u32; 2]],
) -> Coverage {
    let Records { clashes, nears, ledger, .. } = records;
    let [clashing, inside_without_contact] = clashes.touching();
    let (failed, left_out): (Vec<_>, Vec<_>) = input.omissions.iter().partition(|it| it.is_failed());
    let of_pairs = clashes.not_examined.len() + nears.as_ref().map_or(0, |nears| nears.not_examined.len());
    let distances = asked.clearance.as_ref().zip(nears.as_ref());
    Coverage {
        parts: input.parts.parts.len(),
        parts_not_examined: Omission::count(failed.into_iter()),
        parts_left_out: Omission::count(left_out.into_iter()),
        part_pairs: question.pairs.count(input.parts.parts.len()),
        boxes_overlap: clashes.boxes_overlap,
        pairs_left_out: ledger.left_out[0],
        tested: clashes.boxes_overlap - clashes.not_examined.len() as u64,
        not_examined: not_examined.len() as u64,
        clashing,
        triangle_pairs: clashes.list.iter().map(|clash| clash.triangle_pairs).sum(),
        solids: asked.rule.map(|_| Solids::new(clashes, &input.parts, inside_without_contact)),
        clearance: distances.map(|(clearance, nears)| Distances {
            pairs_left_out: ledger.left_out[1],
            ..Distances::new(clearance, nears, of_pairs as u64)
        }),
        chord: None,
        self_intersections: records.within.as_ref().map(|all| SelfIntersecting {
            parts: all.iter().flatten().filter(|found| found.triangle_pairs > 0).count() as u64,
            not_examined: all.iter().filter(|found| found.is_none()).count() as u64,
        }),
    }
}
