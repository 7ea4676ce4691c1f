//! [`Sections`]: data that the sections of the table for people share.
use crate::{names::Names, size_units::SizeUnits};
use impinge_check::{Report, values::text::folded};

/// A report, with the names, units and width of its sections.
pub(crate) struct Sections<'a> {
    pub(crate) report: &'a Report,
    pub(crate) names: Names<'a>,
    pub(crate) units: SizeUnits,
    /// The number of columns of the terminal, if there is one.
    pub(crate) columns: Option<u16>,
}

impl Sections<'_> {
    /// A paragraph in lines that fit.
    pub(crate) fn folded(&self, text: &str) -> String {
        folded(text, self.columns)
    }
    pub(crate) fn labels(&self, pair: [u32; 2]) -> Vec<String> {
        pair.map(|part| self.names.label(part as usize)).to_vec()
    }
    /// A length that the user has given, with its unit.
    pub(crate) fn given_length(&self, length: f64) -> String {
        self.units.with_length_unit(&self.units.given_length(length))
    }
}
