//! [`Baseline`]: findings, decisions and parts.
use super::{
    contact::KnownContact,
    delivery::{Delivery, Observed, ObservedParts},
    finding::KnownFinding,
    id::FindingId,
    status::Status,
};
use crate::{
    identity::PartIdentity,
    parts::{NamedPart, PartLabels},
    values::error::Error,
};
use impinge_io::Unit;
use std::{path::Path, sync::Arc};

/// The findings of earlier deliveries, people's decisions about them, and the parts of the last delivery.
///
/// ```
/// use impinge_check::{Date, baseline::{Baseline, Delivery, Worse}};
///
/// let today: Date = "2027-03-01".parse()?;
/// let before = Baseline::parse("impinge.baseline.jsonl", "{\"impinge_baseline\":1}\n")?;
/// let delivery = Delivery::default();
/// let comparison = before.compare(&delivery, |_, _, _| true, today, Worse::default());
/// assert_eq!(comparison.counts_of().new, 0);
/// assert!(before.update(&comparison, &delivery, today).findings().is_empty());
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baseline {
    /// The findings, sorted by id.
    pub(super) findings: Vec<KnownFinding>,
    /// The contacts, sorted by test and keys, each once.
    pub(super) contacts: Vec<KnownContact>,
    pub(super) has_groups: bool,
    /// Unit of the sizes, if a delivery stated one.
    pub(super) unit: Option<Unit>,
    pub(super) parts: Vec<PartIdentity>,
    /// The key of each part, if it is or was in a finding or a contact.
    pub(super) keys: Vec<Option<Arc<str>>>,
    /// True for each part that the last delivery did not have.
    pub(super) missing: Vec<bool>,
}

impl Baseline {
    /// A baseline without findings.
    pub fn new() -> Self {
        Self::default()
    }
    /// Unit of the sizes, if a delivery stated one.
    pub fn unit(&self) -> Option<Unit> {
        self.unit
    }
    /// Returns an error if sizes in another unit would be compared with those of this baseline.
    ///
    /// # Errors
    /// Both deliveries state a unit, and the two differ.
    pub fn check_unit(&self, other: Option<Unit>) -> Result<(), Error> {
        match (self.unit, other) {
            (Some(own), Some(other)) if own != other => Err(Error::new(format!(
                "the sizes of the baseline are in {}, and others in {}: they cannot be compared; start a new \
                 baseline, or convert the model",
                own.symbol(),
                other.symbol()
            ))),
            _ => Ok(()),
        }
    }
    /// All findings, sorted by id.
    pub fn findings(&self) -> &[KnownFinding] {
        &self.findings
    }
    /// The finding with this id.
    pub fn finding(&self, id: FindingId) -> Option<&KnownFinding> {
        Some(&self.findings[self.place_of(id)?])
    }
    /// The finding whose id begins with these digits.
    ///
    /// # Errors
    /// No id begins with them, or several do.
    pub fn find(&self, digits: &str) -> Result<FindingId, Error> {
        let mut fitting = self.findings.iter().filter(|finding| finding.id.to_string().starts_with(digits));
        let printable = || crate::values::text::printable(digits);
        match (fitting.next(), fitting.count()) {
            (Some(finding), 0) => Ok(finding.id),
            (Some(_), more) => {
                Err(Error::new(format!("{} ids begin with '{}'; give more digits", more + 1, printable())))
            }
            (None, _) => Err(Error::new(format!("no finding has an id that begins with '{}'", printable()))),
        }
    }
    /// The parts of the last delivery, and missing parts that findings or contacts need.
    pub fn parts(&self) -> &[PartIdentity] {
        &self.parts
    }
    /// True if the last delivery did not have this part.
    pub fn is_missing(&self, part: u32) -> bool {
        self.missing.get(part as usize).is_some_and(|is| *is)
    }
    /// The key of this part in findings and contacts; `None` if it never was in one.
    pub fn key(&self, part: u32) -> Option<&str> {
        self.keys.get(part as usize)?.as_deref()
    }
    /// The names of a finding's parts, one or two, for people.
    pub fn names(&self, finding: &KnownFinding) -> Vec<&str> {
        finding.parts().iter().map(|&i| &*self.parts[i as usize].name).collect()
    }
    /// Distinct labels of the parts, for people, in the order of [`Baseline::parts`].
    pub fn labels(&self) -> PartLabels<'_> {
        PartLabels::new(self.parts.len(), |i| {
            let part = &self.parts[i];
            NamedPart {
                name: &part.name,
                file: Path::new(&*part.file),
                class: part.class.as_deref(),
                storey: None,
                guid: part.guid.as_deref(),
                path: part.path.as_deref(),
            }
        })
    }
    /// The parts and the findings of the last delivery, without contacts: as the baseline keeps lost
    /// contacts, its contacts are not those of the last delivery alone.
    pub fn delivery(&self) -> Delivery {
        let mut place = vec![0; self.parts.len()];
        let mut parts = Vec::new();
        for (i, part) in self.parts.iter().enumerate().filter(|&(i, _)| !self.missing[i]) {
            place[i] = parts.len() as u32;
            parts.push(part.clone());
        }
        let observed = |finding: &KnownFinding| {
            let [a, b] = finding.pair.map(|i| place[i as usize]);
            let parts = ObservedParts::two(a, b);
            Observed { test: Arc::clone(&finding.test), parts, measures: finding.measures.clone() }
        };
        Delivery {
            parts,
            findings: self.delivered().map(observed).collect(),
            contacts: Vec::new(),
            unit: self.unit,
        }
    }
    /// The findings of [`Baseline::delivery`], in its order: those that are open and that the last delivery
    /// had.
    pub fn delivered(&self) -> impl Iterator<Item = &KnownFinding> {
        let is_there = |finding: &KnownFinding| finding.pair.iter().all(|&i| !self.missing[i as usize]);
        self.findings.iter().filter(move |finding| {
            finding.standing != Status::Resolved && !finding.not_examined && is_there(finding)
        })
    }
    pub(super) fn place_of(&self, id: FindingId) -> Option<usize> {
        self.findings.binary_search_by_key(&id, |finding| finding.id).ok()
    }
}

impl From<&Baseline> for Arc<Baseline> {
    fn from(baseline: &Baseline) -> Self {
        Self::new(baseline.clone())
    }
}
