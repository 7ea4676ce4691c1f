//! [`SizeColumns`]: the columns of sizes in tables of findings.
use crate::{heading::Heading, size_units::SizeUnits};
use impinge_check::{Finding, Report, report::FindingSize};

/// Columns of volume, depth, separating distance and gap: those that some row has.
pub(crate) struct SizeColumns<'a> {
    report: &'a Report,
    units: &'a SizeUnits,
    has: [bool; 4],
}

impl<'a> SizeColumns<'a> {
    pub(crate) fn new<'b>(
        report: &'a Report,
        units: &'a SizeUnits,
        rows: impl Iterator<Item = &'b FindingSize>,
    ) -> Self {
        let mut has = [false; 4];
        for size in rows {
            let lengths =
                [size.depth, size.separating_distance, size.distance].map(|length| length.is_some());
            has[0] |= size.volume.is_some();
            has[1..].iter_mut().zip(lengths).for_each(|(has, this)| *has |= this);
        }
        Self { report, units, has }
    }
    fn some<T>(&self, all: [T; 4]) -> impl Iterator<Item = T> {
        all.into_iter().zip(self.has).filter(|(_, has)| *has).map(|(one, _)| one)
    }
    pub(crate) fn headings(&self) -> impl Iterator<Item = Heading> {
        self.some(self.units.columns())
    }
    /// The cells of a row; `finding` is the gravest finding of the row.
    pub(crate) fn cells(&self, size: &FindingSize, finding: &Finding) -> impl Iterator<Item = String> {
        let length = |length: Option<f64>| length.map(|length| self.units.length(length));
        let all = [
            size.volume.map(|bounds| self.units.volume(bounds)),
            length(size.depth),
            length(size.separating_distance),
            size.distance.map(|gap| self.units.gap(self.report, finding, gap)),
        ];
        self.some(all.map(|known| known.unwrap_or_else(|| "–".to_owned())))
    }
}
