//! [`CaseText`]: findings and groups of findings, in one line each.
use crate::{
    cases::Case,
    groups::{finding_word, parts, status},
    names::Names,
    size_units::SizeUnits,
};
use impinge_check::{
    Finding, Report,
    report::FindingSize,
    values::{
        numbers::{Coordinates, count},
        text::printable,
    },
};
use std::{fmt::Write as _, path::Path};

/// Writes findings of a report as text.
pub(crate) struct CaseText<'a> {
    report: &'a Report,
    pub(crate) names: Names<'a>,
    pub(crate) coordinates: Coordinates,
    pub(crate) units: SizeUnits,
}

impl<'a> CaseText<'a> {
    pub(crate) fn new(report: &'a Report) -> Self {
        let points = report.findings().iter().filter_map(|finding| report.point_of(finding));
        let coordinates = Coordinates::like(points.flatten(), report.size());
        Self { report, names: Names::of(report), coordinates, units: SizeUnits::of(report) }
    }
    /// Name of a case. It has no number of findings, so that programs recognize the case in the next run.
    pub(crate) fn name(&self, case: &Case) -> String {
        let gravest = case.gravest(self.report);
        let label = |part: u32| self.names.label(part as usize);
        let who: Vec<String> = match &case.labels {
            Some(labels) => labels.iter().map(|label| printable(label)).collect(),
            None => parts(self.report, &gravest).into_iter().flatten().map(label).collect(),
        };
        format!("{}: {}", who.join(", "), finding_word(gravest.kind))
    }
    /// Files of the findings' parts, each once; empty unless the parts of the report are of several files.
    pub(crate) fn files(&self, findings: &[u32]) -> Vec<String> {
        let mut files: Vec<&Path> = Vec::new();
        let parts = findings.iter().flat_map(|&i| self.report.findings()[i as usize].parts());
        for file in parts.map(|&part| self.report.part(part).file()).filter(|_| self.names.has_files()) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files.iter().map(|file| printable(&file.to_string_lossy())).collect()
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
    /// Measured volume, depth, separating distance and gap. A single finding without volume and gap has its
    /// number of triangle pairs. `finding` is that finding, or the gravest of many.
    pub(crate) fn size(&self, size: &FindingSize, finding: &Finding, is_of_many: bool) -> String {
        let length = |length: f64| self.units.with_length_unit(&self.units.length(length));
        let gap = size.distance.map(|gap| {
            let gap = self.units.gap(self.report, finding, gap);
            self.units.with_length_unit(&gap)
        });
        let is_measured = size.volume.or(size.distance.map(|gap| [gap; 2])).is_some();
        let of_clash = self.report.clash_of(finding).map(|clash| clash.triangle_pairs);
        let within = || self.report.part(finding.parts()[0]).self_intersections();
        let pairs = of_clash.or_else(|| within().map(|found| found.triangle_pairs));
        let pairs = pairs.filter(|&pairs| pairs > 0 && !is_measured && !is_of_many);
        let [most, least] = if is_of_many { ["up to ", "from "] } else { [""; 2] };
        let parts = [
            size.volume.map(|bounds| {
                let volume = self.units.volume(bounds);
                format!("volume {most}{}", self.units.with_volume_unit(&volume))
            }),
            size.depth.map(|depth| format!("depth {most}{}", length(depth))),
            size.separating_distance.map(|by| format!("separating distance {most}{}", length(by))),
            gap.map(|gap| format!("gap {least}{gap}")),
            pairs.map(|pairs| count(pairs, "triangle pair")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
