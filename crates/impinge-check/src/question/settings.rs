//! [`Settings`]: the options of a check, as files store them.
use crate::{
    parts::chord::{Chord, ChordOf, GivenChords, Naming},
    question::depth_of::DepthOf,
    values::{count::Count, named, relations::Relations},
};
use impinge::solid::FillRule;
use impinge_io::Part;
use serde::{Deserialize, Serialize};

/// The default limit of tested pairs.
pub(crate) const MOST_PAIRS: u64 = 3_000_000;

/// All that a result depends on besides the parts, as plans and caches store it.
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
    /// `None` for definite where parts state their chord errors, otherwise possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<Count>,
    /// True if chord tolerances include the rounding of coordinates.
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
            count: None,
            rounding: false,
            surfaces: false,
            contacts: false,
            max_pairs: MOST_PAIRS,
        }
    }
}

impl Settings {
    /// True if findings are counted at other clearances or tolerances, too.
    pub(crate) fn has_what_if(&self) -> bool {
        !self.what_if.is_empty() || !self.what_if_tolerance.is_empty()
    }
    pub(crate) fn given_chords(&self) -> GivenChords<'_> {
        GivenChords { chords: &self.chord, adds_rounding: self.rounding, rule: self.fill_rule }
    }
    /// The chord errors of parts, given or stated by them. Surfaces have none.
    pub(crate) fn chord(&self, parts: &[Part]) -> anyhow::Result<Option<Chord>> {
        let parts = if self.surfaces { &[] } else { parts };
        Chord::new(self.given_chords(), parts)
    }
    /// The chord errors of parts that come one after the other; `None` for surfaces.
    pub(crate) fn naming(&self) -> anyhow::Result<Option<Naming>> {
        let naming = || Naming::given(self.given_chords());
        (!self.surfaces).then(naming).transpose()
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
