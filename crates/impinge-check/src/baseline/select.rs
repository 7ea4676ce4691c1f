//! [`Selection`] of findings.
use super::{finding::KnownFinding, id::FindingId, status::Status, store::Baseline};
use crate::rules::Glob;

/// Which findings of a baseline to list or to decide: those that fit all of the conditions.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// One of these ids; empty for any.
    pub ids: Vec<FindingId>,
    /// One of these statuses; empty for any.
    pub statuses: Vec<Status>,
    /// The name of the test.
    pub test: Option<String>,
    /// A pattern that the name, the file or the key of one of the parts fits.
    pub part: Option<Glob>,
}

impl Baseline {
    /// The findings that fit all conditions, sorted by id.
    pub fn select<'a>(&'a self, selection: &'a Selection) -> impl Iterator<Item = &'a KnownFinding> {
        let mut ids = selection.ids.clone();
        ids.sort_unstable();
        self.findings.iter().filter(move |finding| {
            (ids.is_empty() || ids.binary_search(&finding.id).is_ok()) && self.fits(selection, finding)
        })
    }
    fn fits(&self, selection: &Selection, finding: &KnownFinding) -> bool {
        let fits_part = |glob: &Glob| {
            finding.parts().iter().any(|&part| {
                let known = &self.parts[part as usize];
                glob.fits(&known.name)
                    || glob.fits(&known.file)
                    || self.key(part).is_some_and(|key| glob.fits(key))
            })
        };
        (selection.statuses.is_empty() || selection.statuses.contains(&finding.status()))
            && selection.test.as_ref().is_none_or(|test| **test == *finding.test)
            && selection.part.as_ref().is_none_or(fits_part)
    }
}
