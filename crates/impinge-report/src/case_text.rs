//! [`CaseText`]: findings and groups of them in a line each.
use crate::{
    cases::Case,
    groups::{finding_word, parts, status},
    names::Names,
};
use impinge_check::{
    Finding, Report,
    report::FindingSize,
    values::{
        numbers::{Coordinates, amount, amount_beside, count, volume},
        text::printable,
    },
};
use std::fmt::Write as _;

/// Writes findings of a report as text.
pub(crate) struct CaseText<'a> {
    report: &'a Report,
    pub(crate) names: Names<'a>,
    pub(crate) coordinates: Coordinates,
}

impl<'a> CaseText<'a> {
    pub(crate) fn new(report: &'a Report) -> Self {
        let points = report.findings().iter().filter_map(|finding| report.point_of(finding));
        let coordinates = Coordinates::like(points.flatten(), report.size());
        Self { report, names: Names::of(report.parts()), coordinates }
    }
    /// The name of a case, by which programs know it in the next run: without numbers of findings.
    pub(crate) fn name(&self, case: &Case) -> String {
        let gravest = case.gravest(self.report);
        let label = |part: u32| self.names.label(part as usize);
        let who: Vec<String> = match &case.labels {
            Some(labels) => labels.iter().map(|label| printable(label)).collect(),
            None => parts(self.report, &gravest).into_iter().flatten().map(label).collect(),
        };
        format!("{}: {}", who.join(", "), finding_word(gravest.kind))
    }
    /// A finding in one line: parts, relation, size, point, status.
    pub(crate) fn line(&self, i: u32) -> String {
        let finding = &self.report.findings()[i as usize];
        let who = parts(self.report, finding).into_iter().flatten();
        let who: Vec<String> = who.map(|part| self.names.label(part as usize)).collect();
        let mut text = format!("{}: {}", who.join(", "), finding_word(finding.kind));
        let size = self.size(&self.report.size_of(finding), finding, false);
        if !size.is_empty() {
            let _ = write!(text, ", {size}");
        }
        if let Some(point) = self.report.point_of(finding) {
            let _ = write!(text, ", e.g. at {}", point.map(|c| self.coordinates.show(c)).join(" "));
        }
        let status = status(self.report, i);
        if !status.is_empty() {
            let _ = write!(text, ", {status}");
        }
        text
    }
    /// The known ones of volume, depth, separating distance and gap, or triangle pairs of one finding.
    /// `finding` is that finding, or the gravest of many.
    pub(crate) fn size(&self, size: &FindingSize, finding: &Finding, is_of_many: bool) -> String {
        let gap = size.distance.map(|gap| match self.report.near_of(finding) {
            // Rounded, it must not seem to be more than what it was compared with.
            Some(near) => amount_beside(gap, &self.report.compared(near)),
            None => amount(gap),
        });
        let is_measured = size.volume.or(size.distance.map(|gap| [gap; 2])).is_some();
        let of_clash = self.report.clash_of(finding).map(|clash| clash.triangle_pairs);
        let within = || self.report.part(finding.parts()[0]).self_intersections();
        let pairs = of_clash.or_else(|| within().map(|found| found.triangle_pairs));
        let pairs = pairs.filter(|&pairs| pairs > 0 && !is_measured && !is_of_many);
        let [most, least] = if is_of_many { ["up to ", "from "] } else { [""; 2] };
        let parts = [
            size.volume.map(|bounds| format!("volume {most}{}", volume(bounds))),
            size.depth.map(|depth| format!("depth {most}{}", amount(depth))),
            size.separating_distance.map(|length| format!("separating distance {most}{}", amount(length))),
            gap.map(|gap| format!("gap {least}{gap}")),
            pairs.map(|pairs| count(pairs, "triangle pair")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
