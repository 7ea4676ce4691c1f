//! Results of one part: tables, figures and verdicts.
use super::{By, Judged, Outcome};
use crate::{load::Load, plot::Panel, table::Table};
use serde::{Deserialize, Serialize};

/// A picture and the table that it shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figure {
    pub(crate) caption: String,
    pub(crate) panels: Vec<Panel>,
    pub(crate) columns: u32,
    /// Data of the figure; its name is also that of the picture.
    pub(crate) data: Table,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Block {
    Heading(String),
    Text(String),
    Table(Table),
    /// Too long for the page: a link.
    Data(Table),
    Figure(Figure),
}

/// Results of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    pub(crate) blocks: Vec<Block>,
    pub(crate) verdicts: Vec<Judged>,
}

impl Section {
    /// The verdicts are of one measurement, or [`judged`](crate::rounds::judged) by three.
    pub(crate) fn new(blocks: Vec<Block>, verdicts: impl IntoIterator<Item = impl Into<Judged>>) -> Self {
        Self { blocks, verdicts: verdicts.into_iter().map(Into::into).collect() }
    }
    /// The section with the load during its measurements: if it was too high, no claim about times is judged.
    pub(crate) fn under(mut self, load: Load) -> Self {
        if load.is_too_much() {
            let timed = self.verdicts.iter_mut().filter(|verdict| verdict.by == By::Times);
            timed.for_each(|verdict| verdict.outcome = Outcome::NotJudged);
        }
        self
    }
}
