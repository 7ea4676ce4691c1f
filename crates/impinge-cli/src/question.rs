//! Arguments about the pairs of an assembly's parts.
use crate::args;
use clap::{Args, ValueEnum};
use impinge::solid::FillRule;
use impinge_check::{Check, ChordOf, DepthOf, MOST_PAIRS, Relations};

/// A value of `--report` and `--show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Finding {
    /// Insides have points in common, and each part has points outside of the other.
    Overlap,
    /// One part is wholly inside the other; it may touch its surface from within.
    Contained,
    /// Both are the same set of points.
    Same,
    /// One is an open surface, and has points inside and outside of the other.
    Pierce,
    /// One is an open surface that is wholly inside the other.
    InsideOpen,
    /// Both are open surfaces, and meet.
    Meet,
    /// Surfaces meet, insides do not.
    Touch,
    /// All of these.
    All,
}

impl Finding {
    /// All that some of them stand for.
    pub(crate) fn relations(all: &[Self]) -> Relations {
        let word = |finding: &Self| finding.to_possible_value().map(|value| value.get_name().to_owned());
        let each = all.iter().filter_map(word).filter_map(|word| word.parse().ok());
        each.fold(Relations::NONE, Relations::and)
    }
}

/// Which points are inside of a part, as `--fill-rule` names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    /// The mesh winds round them: shells that overlap stay full, inverted ones are full, too.
    #[default]
    Nonzero,
    /// It winds round them with its triangles facing outwards.
    Positive,
    /// It winds round them an odd number of times: shells that overlap leave a hole where they do.
    Parity,
}

impl Rule {
    pub(crate) fn fill_rule(self) -> FillRule {
        match self {
            Self::Nonzero => FillRule::NonZero,
            Self::Positive => FillRule::Positive,
            Self::Parity => FillRule::EvenOdd,
        }
    }
}

/// A value of `--depth`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    /// Of those that count.
    #[default]
    Counted,
    /// Of all that are in each other.
    All,
    /// Of none.
    None,
}

/// A value of `--chord`.
fn chord(text: &str) -> Result<ChordOf, String> {
    text.parse().map_err(|error: impinge_check::Error| error.to_string())
}

/// What is asked of the pairs of an assembly's parts.
#[derive(Args)]
pub(crate) struct Question {
    /// What counts: it is listed, and makes the exit status 1. Everything but touch, if nothing is said.
    #[arg(long, value_enum, value_name = "KINDS", value_delimiter = ',')]
    report: Vec<Finding>,

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
    what_if: Vec<f64>,

    /// The triangles of each part are at most this far from its true, curved surface, and that from them: the
    /// sag, or chordal error, of a tessellation. Each finding is then definite, if it holds of the true parts
    /// for certain, or possible; pairs that may meet by this tolerance alone are listed as near, too. Both
    /// count. In the file's units. It can be given several times: PARTS=LENGTH is about the parts of that
    /// name, in which * stands for any characters, and LENGTH about all others, which are exact if nothing is
    /// said of them. Of several names that a part has, the last one counts.
    #[arg(
        long,
        value_name = "[PARTS=]LENGTH",
        value_parser = chord,
        allow_hyphen_values = true
    )]
    chord: Vec<ChordOf>,

    /// Only find which triangles meet, and take no part for a solid: every pair of parts that share a point
    /// counts, touching or not, and what lies inside another part without touching it does not.
    #[arg(long, conflicts_with_all = ["report", "fill_rule", "depth", "tolerance", "chord"])]
    surfaces: bool,

    /// Measure what parts that touch have in common, too: whether points, lines or areas, and how long or
    /// large. The table then lists what touches what.
    #[arg(long)]
    contacts: bool,

    /// Most pairs of parts that are tested; more, such as of a million parts in one place, are an error. A
    /// pair that clashes takes up to 300 bytes of memory.
    #[arg(long, value_name = "N", default_value_t = MOST_PAIRS)]
    max_pairs: u64,

    #[command(flatten)]
    volume: args::Volume,
}

impl Question {
    /// Whether contacts are measured.
    pub(crate) fn contacts(&self) -> bool {
        self.contacts
    }
    /// Whether findings are counted at other clearances, too.
    pub(crate) fn has_what_if(&self) -> bool {
        !self.what_if.is_empty()
    }
    /// Which points are inside of a part.
    pub(crate) fn fill_rule(&self) -> FillRule {
        self.fill_rule.fill_rule()
    }
    /// The check that is asked for. Refuses what contradicts itself.
    pub(crate) fn check(&self) -> anyhow::Result<Check> {
        let mut check = Check::new()
            .fill_rule(self.fill_rule.fill_rule())
            .depth(match self.depth {
                Which::Counted => DepthOf::Counted,
                Which::All => DepthOf::All,
                Which::None => DepthOf::None,
            })
            .what_if(self.what_if.clone())
            .chords(self.chord.iter().cloned())
            .surfaces(self.surfaces)
            .contacts(self.contacts)
            .max_pairs(self.max_pairs)
            .volume(self.volume.named());
        if !self.report.is_empty() {
            check = check.relations(Finding::relations(&self.report));
        }
        if let Some(length) = self.tolerance {
            check = check.tolerance(length);
        }
        if let Some(length) = self.clearance {
            check = check.clearance(length);
        }
        check.validate()?;
        Ok(check)
    }
}

#[cfg(test)]
mod tests {
    use super::Finding;
    use clap::ValueEnum;
    use impinge_check::Relations;

    #[test]
    fn every_value_has_its_relations() {
        for value in Finding::value_variants() {
            let name = value.to_possible_value().unwrap();
            assert_eq!(Finding::relations(&[*value]), name.get_name().parse().unwrap());
        }
        assert_eq!(Finding::value_variants().len(), Relations::WORDS.len());
        assert_eq!(Finding::relations(&[]), Relations::NONE);
    }
}
