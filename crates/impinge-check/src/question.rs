//! [`Question`]: what a check was asked, as its report keeps it.
use crate::{pairs::Pairs, settings::Settings};
use impinge_io::Unit;

/// What a check was asked, besides rules.
pub(crate) struct Question {
    pub(crate) settings: Settings,
    pub(crate) pairs: Pairs,
    /// The unit that the caller states.
    pub(crate) unit: Option<Unit>,
    pub(crate) finds_floating: bool,
}

impl Question {
    /// The question of a plan, which stores the units of its files.
    pub(crate) fn of(settings: Settings, pairs: Pairs) -> Self {
        Self { settings, pairs, unit: None, finds_floating: false }
    }
}
