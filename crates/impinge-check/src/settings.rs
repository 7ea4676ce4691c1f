//! The options of a check: as files store them, and as the steps of a check use them.
use crate::{
    chord::{Chord, ChordOf, Naming, Tolerances},
    clash::Wanted,
    demands::Demands,
    depth::{DepthOf, Depths},
    named,
    near::Clearance,
    relations::Relations,
};
use anyhow::bail;
use impinge::{distance::Margin, solid::FillRule};
use impinge_io::Part;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The default limit of tested pairs.
pub const MOST_PAIRS: u64 = 3_000_000;

/// What a result depends on besides the parts, as plans and caches store it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) report: Relations,
    #[serde(with = "named")]
    pub(crate) fill_rule: FillRule,
    pub(crate) depth: DepthOf,
    pub(crate) tolerance: Option<f64>,
    pub(crate) clearance: Option<f64>,
    pub(crate) what_if: Vec<f64>,
    pub(crate) what_if_tolerance: Vec<f64>,
    pub(crate) chord: Vec<ChordOf>,
    /// Whether chord tolerances include the rounding of coordinates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rounding: bool,
    pub(crate) surfaces: bool,
    pub(crate) contacts: bool,
    pub(crate) max_pairs: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            report: Relations::USUAL,
            fill_rule: FillRule::default(),
            depth: DepthOf::default(),
            tolerance: None,
            clearance: None,
            what_if: Vec::new(),
            what_if_tolerance: Vec::new(),
            chord: Vec::new(),
            rounding: false,
            surfaces: false,
            contacts: false,
            max_pairs: MOST_PAIRS,
        }
    }
}

impl Settings {
    /// Whether findings are counted at other clearances or tolerances, too.
    pub(crate) fn has_what_if(&self) -> bool {
        !self.what_if.is_empty() || !self.what_if_tolerance.is_empty()
    }
    /// As it is answered. Refuses what contradicts itself.
    pub(crate) fn asked(&self) -> anyhow::Result<Asked> {
        self.asked_of(&[])
    }
    /// [`Settings::asked`] with the chord tolerances that parts state. Surfaces have none.
    pub(crate) fn asked_of(&self, parts: &[Part]) -> anyhow::Result<Asked> {
        let parts = if self.surfaces { &[] } else { parts };
        self.asked_by(|given| Chord::new(given, parts, self.fill_rule))
    }
    /// [`Settings::asked_of`] without the parts: `stated` is their largest tolerance.
    pub(crate) fn asked_of_largest(&self, stated: Option<Margin>) -> anyhow::Result<Asked> {
        self.asked_by(|given| Chord::of_largest(given, stated, self.fill_rule))
    }
    /// The tolerance of one part after the other; `None` for surfaces.
    pub(crate) fn naming(&self) -> anyhow::Result<Option<Naming>> {
        let naming = || Naming::given((&self.chord, self.rounding), self.fill_rule);
        (!self.surfaces).then(naming).transpose()
    }
    fn asked_by(
        &self,
        chord: impl FnOnce((&[ChordOf], bool)) -> anyhow::Result<Option<Chord>>,
    ) -> anyhow::Result<Asked> {
        let rule = (!self.surfaces).then_some(self.fill_rule);
        if self.surfaces && !self.chord.is_empty() {
            bail!("chord: it has no meaning in a check of surfaces alone");
        }
        if self.surfaces && self.rounding {
            bail!("rounding: it has no meaning in a check of surfaces alone");
        }
        if self.tolerance.is_some() && self.depth == DepthOf::None {
            bail!("tolerance: it needs depths, which depth none leaves out");
        }
        let margin = |length: Option<f64>| length.map(Margin::new).transpose();
        let tolerance = margin(self.tolerance)?.map(Margin::get);
        if !self.what_if_tolerance.is_empty() && self.depth == DepthOf::None {
            bail!("what-if tolerances: need depths, and depths are switched off");
        }
        if !self.what_if_tolerance.is_empty() && self.surfaces {
            bail!("what-if tolerances: have no meaning in a check of surfaces alone");
        }
        let margins = self.what_if_tolerance.iter().map(|&length| Ok(Margin::new(length)?.get()));
        let mut tolerances = margins.collect::<anyhow::Result<Vec<f64>>>()?;
        tolerances.sort_by(f64::total_cmp);
        tolerances.dedup();
        let chord = chord((&self.chord, self.rounding))?;
        let what_if = self.what_if.iter().map(|&length| Margin::new(length)).collect::<Result<_, _>>()?;
        let depths = Depths { of: self.depth, counted: self.report, tolerance };
        Ok(Asked {
            rule,
            counted: self.report,
            tolerance,
            wanted: Wanted { solids: rule, depths, contacts: self.contacts, first_depths: None },
            clearance: Clearance::new(margin(self.clearance)?, what_if, chord.clone())?,
            chord,
            max_pairs: self.max_pairs,
            demands: None,
            tolerances,
        })
    }
}

/// As it is answered.
pub(crate) struct Asked {
    /// Which points are inside of parts; `None` if they are surfaces.
    pub(crate) rule: Option<FillRule>,
    pub(crate) counted: Relations,
    pub(crate) tolerance: Option<f64>,
    pub(crate) chord: Option<Chord>,
    pub(crate) wanted: Wanted,
    pub(crate) clearance: Option<Clearance>,
    /// Findings are counted with each of these tolerances; ascending, each once.
    pub(crate) tolerances: Vec<f64>,
    /// What rules ask of pairs.
    pub(crate) demands: Option<Arc<Demands>>,
    pub(crate) max_pairs: u64,
}

impl Asked {
    /// The distance up to which parts are near, if the query has one.
    pub(crate) fn reach(&self) -> Option<Margin> {
        self.clearance.as_ref().map(Clearance::reach)
    }
    /// The tolerance of each part, if the question has tolerances.
    pub(crate) fn tolerances(&self, parts: &[Part]) -> anyhow::Result<Option<Tolerances>> {
        self.chord.as_ref().map(|chord| Tolerances::new(chord, parts)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_PAIRS, Settings};
    use impinge_io::Limits;

    /// The default limits together keep a check below 2 GB for every small file. Measured, with the peaks of
    /// lists that grow: 264 bytes a pair that clashes (tetrahedra in one place), 265 a triangle (crossing
    /// sheets). The reader drops points without a triangle; a part takes its name, pose and box.
    #[test]
    fn the_default_limits_together_stay_below_two_gigabytes() {
        let limits = Limits::new();
        let [parts, points, triangles] = [limits.parts, limits.points, limits.triangles].map(|n| n as u64);
        assert!(270 * MOST_PAIRS + 270 * triangles + 24 * points + 500 * parts < 2_000_000_000);
    }

    #[test]
    fn settings_can_be_stored() {
        let text = serde_json::to_string(&Settings::default()).unwrap();
        let again: Settings = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&again).unwrap(), text);
        assert!(text.contains("\"nonzero\""), "{text}");
    }
}
