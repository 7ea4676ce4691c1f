//! [`Question`]: the query of a check, without the assembly.
pub(crate) mod asked;
pub(crate) mod clearance;
pub(crate) mod depth_of;
pub(crate) mod pair_limit;
pub(crate) mod pairs;
pub(crate) mod reach;
pub(crate) mod settings;
pub(crate) mod test_plan;
pub(crate) mod test_summary;

use crate::{
    question::{asked::Asked, pairs::Pairs, settings::Settings, test_plan::TestPlan},
    rules::Rules,
    sources::file_units::CoordinateUnit,
    values::date::Date,
};
use anyhow::bail;
use impinge::distance::Margin;
use impinge_io::{Assembly, Unit};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub(crate) struct Question {
    pub(crate) settings: Settings,
    pub(crate) pairs: Pairs,
    /// The unit that the caller states.
    pub(crate) unit: Option<Unit>,
    pub(crate) finds_floating: bool,
    pub(crate) finds_self_intersections: bool,
    /// The rules, and the day on which they are applied.
    pub(crate) rules: Option<(Arc<Rules>, Date)>,
}

impl Question {
    /// The query of a plan of tasks, which stores the units of its files.
    pub(crate) fn of(settings: Settings, pairs: Pairs) -> Self {
        Self { settings, pairs, ..Self::default() }
    }
    /// Applies the query to an assembly. Also returns the unit of its coordinates, and the assembly with the
    /// chord errors that tests state for its parts.
    pub(crate) fn asked(
        &self,
        mut assembly: Arc<Assembly>,
    ) -> anyhow::Result<(Asked, CoordinateUnit, Arc<Assembly>)> {
        let (rules, today) = self.rules.clone().unwrap_or_else(|| (Arc::default(), Date::from_days(0)));
        let unit = match rules.file_units(&assembly, self.unit)?.known() {
            CoordinateUnit::Stated(own) if self.unit.is_none() => CoordinateUnit::OfRules(own),
            known => known,
        };
        if self.settings.surfaces && *rules != Rules::default() {
            bail!("rules: are about relations of solids, which a check of surfaces alone does not find");
        }
        let tests = TestPlan::new(&rules, today, &self.settings, &assembly, unit)?
            .with_all_pairs(self.finds_floating)
            .with_self_intersections(self.finds_self_intersections);
        if tests.tests.iter().any(|test| test.chord.is_some()) {
            let mut own = Assembly::clone(&assembly);
            for (i, part) in (0..).zip(&mut own.parts) {
                let stated = tests.chord_of(i).map(Margin::get);
                part.chord = part.chord.into_iter().chain(stated).reduce(f64::max);
            }
            assembly = Arc::new(own);
        }
        let chord = self.settings.chord(&assembly.parts)?;
        Ok((self.settings.asked(tests, chord)?, unit, assembly))
    }
}
