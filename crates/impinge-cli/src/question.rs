//! The query about the pairs of an assembly's parts: all that the result depends on, but the parts.
use crate::{
    args,
    chord::{self, Chord, Tolerances},
    clashes::Wanted,
    clearance::Clearance,
    depth::{Depths, Which},
    finding::{Finding, Kinds, Rule},
};
use anyhow::bail;
use clap::Args;
use impinge::{Threads, distance::Margin};
use impinge_volumes::Options;
use serde::{Deserialize, Serialize};

/// As it is asked.
#[derive(Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// What counts: it is listed, and makes the exit status 1. Everything but touch, if nothing is said.
    #[arg(long, value_enum, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) report: Vec<Finding>,

    /// Which points are inside of a part whose edges close.
    #[arg(long, value_enum, value_name = "RULE", default_value = "nonzero")]
    fill_rule: Rule,

    /// Of which clashes to find how deep they are: the volume in common, a corner's depth, a translation that
    /// parts them.
    #[arg(long, value_enum, value_name = "WHICH", default_value = "counted")]
    depth: Which,

    /// Parts that a translation of at most this length takes out of each other are listed as shallow, and do
    /// not count. In the file's units.
    #[arg(long, value_name = "LENGTH", value_parser = args::plain_length, allow_hyphen_values = true)]
    tolerance: Option<f64>,

    /// Find pairs of parts that are at most this far apart without meeting, too: they are listed as near, and
    /// count. In the file's units. Of parts that are in each other without touching only --surfaces, to which
    /// that is unknown, tells how near their surfaces are.
    #[arg(long, value_name = "LENGTH", value_parser = args::plain_length, allow_hyphen_values = true)]
    clearance: Option<f64>,

    /// How many pairs would be near, and how many findings there would be, at each of these clearances, from
    /// one run. Without --clearance that is all that is said of distances, and nothing near counts.
    #[arg(
        long,
        value_name = "LENGTHS",
        value_delimiter = ',',
        value_parser = args::plain_length,
        allow_hyphen_values = true
    )]
    pub(crate) what_if: Vec<f64>,

    /// The triangles of each part are at most this far from its true, curved surface, and that from them: the
    /// sag, or chordal error, of a tessellation. Each finding is then definite, if it holds of the true parts
    /// for certain, or possible; pairs that may meet by this tolerance alone are listed as near, too. Both
    /// count. In the file's units. It can be given several times: PARTS=LENGTH is about the parts of that
    /// name, in which * stands for any characters, and LENGTH about all others, which are exact if nothing is
    /// said of them. Of several names that a part has, the last one counts.
    #[arg(
        long,
        value_name = "[PARTS=]LENGTH",
        value_parser = chord::said,
        allow_hyphen_values = true
    )]
    chord: Vec<chord::Said>,

    /// Only find which triangles meet, and take no part for a solid: every pair of parts that share a point
    /// counts, touching or not, and what lies inside another part without touching it does not.
    #[arg(long, conflicts_with_all = ["report", "fill_rule", "depth", "tolerance", "chord"])]
    pub(crate) surfaces: bool,

    /// Most pairs of parts that are tested; more, such as of a million parts in one place, are an error. A
    /// pair that clashes takes up to 300 bytes of memory.
    #[arg(long, value_name = "N", default_value_t = MOST_PAIRS)]
    pub(crate) max_pairs: u64,

    #[command(flatten)]
    volume: args::Volume,
}

/// The default limit of tested pairs.
const MOST_PAIRS: u64 = 3_000_000;

/// The relations that count by default.
const USUAL: &[Finding] = &[
    Finding::Overlap,
    Finding::Contained,
    Finding::Same,
    Finding::Pierce,
    Finding::InsideOpen,
    Finding::Meet,
];

/// As it is answered.
pub(crate) struct Asked {
    /// Which points are inside of parts; `None` if they are surfaces.
    pub(crate) rule: Option<Rule>,
    pub(crate) counted: Kinds,
    pub(crate) tolerance: Option<f64>,
    pub(crate) chord: Option<Chord>,
    pub(crate) wanted: Wanted,
    pub(crate) clearance: Option<Clearance>,
    pub(crate) max_pairs: u64,
    /// How trees are built.
    pub(crate) options: Options,
    /// How those for distances are, if differently.
    pub(crate) of_distances: Option<Options>,
}

impl Question {
    /// Refuses what contradicts itself.
    pub(crate) fn asked(&self) -> anyhow::Result<Asked> {
        let rule = (!self.surfaces).then_some(self.fill_rule);
        let counted = Kinds::of(if self.report.is_empty() { USUAL } else { &self.report });
        if self.tolerance.is_some() && self.depth == Which::None {
            bail!("--tolerance: takes depths, which --depth none leaves out");
        }
        let margin = |length: Option<f64>| length.map(Margin::new).transpose();
        let tolerance = margin(self.tolerance)?.map(Margin::get);
        let chord = Chord::new(&self.chord, self.fill_rule)?;
        let what_if = self.what_if.iter().map(|&length| Margin::new(length)).collect::<Result<_, _>>()?;
        let depths = Depths { of: self.depth, counted, tolerance };
        Ok(Asked {
            rule,
            counted,
            tolerance,
            wanted: Wanted { solids: rule, depths },
            clearance: Clearance::new(margin(self.clearance)?, what_if, chord.clone())?,
            chord,
            max_pairs: self.max_pairs,
            options: self.volume.of_parts().threads(Threads::Pool),
            of_distances: self.volume.of_distances().map(|options| options.threads(Threads::Pool)),
        })
    }
}

impl Asked {
    /// The distance up to which parts are near, if the query has one.
    pub(crate) fn reach(&self) -> Option<Margin> {
        self.clearance.as_ref().map(Clearance::reach)
    }
    /// The tolerance of each part, by their names, if the question has tolerances.
    pub(crate) fn tolerances<'a>(
        &self,
        names: impl Iterator<Item = &'a str>,
    ) -> anyhow::Result<Option<Tolerances>> {
        self.chord.as_ref().map(|chord| Tolerances::new(chord, names)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::MOST_PAIRS;
    use impinge_io::Limits;

    /// The default limits together keep `check` below 2 GB for every small file. Measured, with the peaks of
    /// lists that grow: 264 bytes a pair that clashes (tetrahedra in one place), 265 a triangle (crossing
    /// sheets). The reader drops points without a triangle; a part takes its name, pose and box.
    #[test]
    fn the_default_limits_together_stay_below_two_gigabytes() {
        let limits = Limits::new();
        let [parts, points, triangles] = [limits.parts, limits.points, limits.triangles].map(|n| n as u64);
        assert!(270 * MOST_PAIRS + 270 * triangles + 24 * points + 500 * parts < 2_000_000_000);
    }
}
