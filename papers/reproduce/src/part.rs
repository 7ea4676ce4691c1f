//! Parts of the experiments: each is measured, stored and resumed by itself.
use crate::{
    Error, Experiment, Settings, Watch,
    report::{By, Section},
};

/// Measures a part.
pub(crate) type Measure = fn(&Settings<'_>, &mut dyn Watch) -> Result<Section, Error>;

/// Chapter of the report on an experiment.
pub(crate) struct Chapter {
    pub(crate) title: &'static str,
    /// Setting and method, before the parts.
    pub(crate) about: &'static str,
    pub(crate) parts: &'static [Part],
}

/// A part of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub(crate) experiment: Experiment,
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) by: By,
    pub(crate) minutes: u32,
    pub(crate) run: Measure,
}

impl Part {
    /// Name on the command line and in reports, such as `larsson08/table3`.
    pub fn name(&self) -> &'static str {
        self.name
    }
    /// Experiment of the part.
    pub fn experiment(&self) -> Experiment {
        self.experiment
    }
    /// Description of what it measures.
    pub fn about(&self) -> &'static str {
        self.about
    }
    /// Estimated minutes of a full run with models, on two cores.
    pub fn minutes(&self) -> u32 {
        self.minutes
    }
    /// True if its verdicts depend on counts alone, so that they are the same on a busy machine.
    pub fn is_of_counts(&self) -> bool {
        self.by == By::Counts
    }
    /// Name of its file among the finished parts.
    pub(crate) fn file(&self) -> String {
        format!("{}.json", self.name.replace('/', "-"))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
