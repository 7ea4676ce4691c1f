//! [`Placement`]: the placement error of the parts of a set.
use super::{condition_reader::SetReader, item::Item, set::SetRef, test_reader::LENGTH};
use crate::values::{error::Error, length::Length};
use impinge_io::Unit;

/// Placement error of the parts of a set: their largest distance from where they are modelled, as a tolerance
/// of construction. If a part is in several sets, the largest error counts.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Placement {
    /// The parts.
    pub set: SetRef,
    /// The largest length of a shift.
    pub error: Length,
    /// The line of the rules file; 0 if it comes from no file.
    pub line: usize,
}

/// Reads the table `placement`: a length for each set.
pub(crate) fn read(
    item: Option<Item<'_>>,
    unit: Option<Unit>,
    sets: &SetReader<'_>,
) -> Result<Vec<Placement>, Error> {
    let Some(item) = item else { return Ok(Vec::new()) };
    let Some(entries) = item.entries() else { return Err(item.expected("a table of sets with lengths")) };
    let mut all = Vec::with_capacity(entries.len());
    for entry in entries {
        let set = sets.of_key(entry.key, &entry.item.at(entry.at))?;
        let error = entry.item.read(LENGTH, |text| super::quantity::Quantity::read(text, unit))?;
        all.push(Placement { set, error, line: entry.line() });
    }
    Ok(all)
}
