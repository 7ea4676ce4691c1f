//! Arguments about the pairs of an assembly's parts.
use crate::{args, progress::Progress};
use anyhow::bail;
use clap::{Args, ValueEnum};
use impinge::solid::FillRule;
use impinge_check::{
    Check, Length, Relations, Rules, Unit,
    parts::ChordOf,
    records::DepthOf,
    sources::FileUnits,
    values::{Count, numbers::rough},
};

/// A value of `--report` and `--show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Finding {
    /// Insides have points in common, and each part has points outside of the other.
    Overlap,
    /// One part is wholly inside the other; it may touch its surface from within.
    #[value(alias = "contained")]
    Inside,
    /// Both are the same set of points.
    #[value(alias = "same")]
    Duplicate,
    /// One is an open surface, and has points inside and outside of the other.
    Pierce,
    /// One is an open surface that is wholly inside the other.
    #[value(alias = "inside-open")]
    SurfaceInside,
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

/// The rule of `--fill-rule` for the points that are inside of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    /// The mesh winds round them: shells that overlap stay full, inverted ones are full, too.
    #[default]
    Nonzero,
    /// It winds round them with its triangles facing outwards.
    Positive,
    /// It winds round them an odd number of times: shells that overlap leave a hole where they do.
    #[value(alias = "parity")]
    EvenOdd,
}

impl Rule {
    pub(crate) fn fill_rule(self) -> FillRule {
        match self {
            Self::Nonzero => FillRule::NonZero,
            Self::Positive => FillRule::Positive,
            Self::EvenOdd => FillRule::EvenOdd,
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

/// Values of `--count`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Certain {
    /// Findings that hold of the true parts for certain.
    Definite,
    /// Also findings that may not hold of the true parts.
    Possible,
}

/// A value of `--chord`.
#[derive(Clone, Debug)]
struct Chord {
    /// A name in which `*` stands for any characters; `None` for all other parts.
    parts: Option<String>,
    length: Length,
}

/// LENGTH, or PARTS=LENGTH. Names may have equals signs, lengths have none.
fn chord(text: &str) -> Result<Chord, String> {
    let (parts, length) = match text.rsplit_once('=') {
        Some((parts, length)) => (Some(parts.to_owned()), length),
        None => (None, text),
    };
    Ok(Chord { parts, length: args::length(length)? })
}

/// A query about the pairs of an assembly's parts.
#[derive(Args)]
pub(crate) struct Question {
    /// Count only these relations as findings [default: all but touch]
    ///
    /// A finding is listed, and sets the exit status of `impinge check` to 1.
    ///
    /// Relations, separated by commas: overlap, inside, duplicate, pierce, surface-inside, meet, touch, all.
    #[arg(
        long,
        value_enum,
        value_name = "RELATIONS",
        value_delimiter = ',',
        help_heading = "Findings",
        hide_possible_values = true
    )]
    report: Vec<Finding>,

    /// Choose which points are inside a closed part
    ///
    /// nonzero: points that the mesh winds round. Shells that overlap stay full, and shells that face inwards
    /// are full.
    ///
    /// positive: points that it winds round with its triangles facing outwards.
    ///
    /// even-odd: points that it winds round an odd number of times. Shells leave a hole where they overlap.
    #[arg(
        long,
        value_enum,
        value_name = "RULE",
        default_value = "nonzero",
        help_heading = "Findings",
        hide_short_help = true,
        hide_possible_values = true
    )]
    fill_rule: Rule,

    /// Measure overlaps: counted (findings), all or none
    ///
    /// The measures are the overlap volume, the interference depth, and a translation that separates the
    /// parts. `counted` measures only overlaps that are findings.
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        default_value = "counted",
        help_heading = "Findings",
        hide_possible_values = true
    )]
    depth: Which,

    /// Do not count overlaps of at most this depth
    ///
    /// They are listed as shallow. The depth is how far the surface of one part reaches into the other.
    /// Overlaps that a shift of at most LENGTH removes are shallow, too.
    ///
    /// A number without a unit (um, mm, cm, m, in, ft) is in the unit of the files.
    #[arg(
        long,
        value_name = "LENGTH",
        value_parser = args::length,
        allow_hyphen_values = true,
        help_heading = "Findings"
    )]
    tolerance: Option<Length>,

    /// Count pairs that are at most this far apart as findings, too
    ///
    /// They are listed as near. A part inside another without contact has the relation `inside` and is not
    /// near; with --surfaces it is near if the surfaces are.
    ///
    /// A number without a unit (um, mm, cm, m, in, ft) is in the unit of the files.
    #[arg(
        long,
        value_name = "LENGTH",
        value_parser = args::length,
        allow_hyphen_values = true,
        help_heading = "Findings"
    )]
    clearance: Option<Length>,

    /// Show how many findings each clearance would give, as 1mm,2mm
    ///
    /// One run counts the findings of all these clearances. They change no finding and no exit status: only
    /// --clearance does.
    #[arg(
        long,
        value_name = "LENGTHS",
        value_delimiter = ',',
        value_parser = args::length,
        allow_hyphen_values = true,
        help_heading = "Findings"
    )]
    what_if: Vec<Length>,

    /// Show how many findings each tolerance would give, as 1mm,10mm
    ///
    /// One run counts the findings of all these tolerances. They change no finding and no exit status: only
    /// --tolerance does.
    #[arg(
        long,
        value_name = "LENGTHS",
        value_delimiter = ',',
        value_parser = args::length,
        allow_hyphen_values = true,
        help_heading = "Findings",
        hide_short_help = true,
    )]
    what_if_tolerance: Vec<Length>,

    /// State how far triangles are from the true surface
    ///
    /// This is the chord error, or sag, of a tessellation. A finding is definite if the true parts have it
    /// for certain, and otherwise possible. Pairs that may meet within the error are listed as near and
    /// possible.
    ///
    /// PARTS=LENGTH applies to parts whose name fits the glob PARTS, LENGTH alone to all others. Repeat the
    /// option for several globs; the last one that fits a part applies to it. All other parts are exact.
    ///
    /// A number without a unit (um, mm, cm, m, in, ft) is in the unit of the files.
    #[arg(
        long,
        value_name = "[PARTS=]LENGTH",
        value_parser = chord,
        allow_hyphen_values = true,
        help_heading = "Findings"
    )]
    chord: Vec<Chord>,

    /// Count only definite findings, or also possible ones
    ///
    /// --chord explains the words. The default is definite where the files state chord errors, as STEP and
    /// IFC do (the Python package reads them); elsewhere it is possible.
    #[arg(
        long,
        value_enum,
        value_name = "definite|possible",
        help_heading = "Findings",
        hide_possible_values = true
    )]
    count: Option<Certain>,

    /// Add the rounding of files to the chord errors
    ///
    /// Files that store f32 (binary STL and PLY, GLB, glTF) round coordinates by at most a 10-millionth of
    /// the largest one. IFC and STEP state a precision. With this option, parts that nearly touch become
    /// possible clashes.
    #[arg(long, help_heading = "Findings", hide_short_help = true)]
    rounding: bool,

    /// Compare surfaces only: ignore insides of solids
    ///
    /// Every pair of parts that share a point counts, also if they only touch. A part inside another without
    /// contact does not count.
    #[arg(
        long,
        conflicts_with_all = ["report", "fill_rule", "depth", "tolerance", "what_if_tolerance", "chord", "count", "rounding"],
        help_heading = "Findings"
    )]
    surfaces: bool,

    /// Also list which parts touch, in points, lines or areas
    ///
    /// The length or area of each contact is measured. Parts that overlap have no row here. Contacts change
    /// no finding and no exit status.
    #[arg(long, help_heading = "Findings")]
    contacts: bool,

    /// Stop with an error beyond this number of pairs to test
    ///
    /// Pairs whose boxes overlap are tested. A pair that clashes takes up to 300 bytes of memory.
    #[arg(
        long,
        value_name = "N",
        default_value_t = Check::MOST_PAIRS,
        help_heading = "Limits",
        hide_short_help = true
    )]
    max_pairs: u64,

    #[command(flatten)]
    coordinates: args::Coordinates,
}

impl Question {
    /// Refuses options that rules state themselves.
    pub(crate) fn refuse_with(&self, rules: &Rules) -> anyhow::Result<()> {
        if self.surfaces {
            bail!("--surfaces: rules are about relations of solids; --no-rules leaves them out");
        }
        let stated = [
            ("--report", !self.report.is_empty()),
            ("--tolerance", self.tolerance.is_some()),
            ("--clearance", self.clearance.is_some()),
        ];
        if let Some((option, _)) = stated.iter().find(|(_, is)| *is && !rules.tests().is_empty()) {
            bail!("{option}: the tests of {} state it", rules.file());
        }
        Ok(())
    }
    /// True if contacts are measured.
    pub(crate) fn contacts(&self) -> bool {
        self.contacts
    }
    /// True if findings are counted at other clearances or tolerances, too.
    pub(crate) fn has_what_if(&self) -> bool {
        !self.what_if.is_empty() || !self.what_if_tolerance.is_empty()
    }
    /// The rule for the points that are inside of a part.
    pub(crate) fn fill_rule(&self) -> FillRule {
        self.fill_rule.fill_rule()
    }
    /// The lengths, with the options that have them.
    fn lengths(&self) -> impl Iterator<Item = (&'static str, &Length)> {
        let clearance = self.clearance.iter().map(|length| ("--clearance", length));
        let tolerance = self.tolerance.iter().map(|length| ("--tolerance", length));
        let what_if = self.what_if.iter().map(|length| ("--what-if", length));
        let what_if =
            what_if.chain(self.what_if_tolerance.iter().map(|length| ("--what-if-tolerance", length)));
        let chord = self.chord.iter().map(|chord| ("--chord", &chord.length));
        clearance.chain(tolerance).chain(what_if).chain(chord)
    }
    /// True if any length is given.
    pub(crate) fn has_lengths(&self) -> bool {
        self.lengths().next().is_some()
    }
    /// True if a length has a unit. The check then depends on the files' unit.
    pub(crate) fn has_units(&self) -> bool {
        self.lengths().any(|(_, length)| length.unit().is_some())
    }
    /// The unit of files that state none.
    pub(crate) fn unit(&self) -> Option<Unit> {
        self.coordinates.unit
    }

    /// The check of these options, if no length has a unit; if some have, a check with other lengths. Refuses
    /// what contradicts itself in either case: that is an error before minutes of reading.
    pub(crate) fn draft(&self) -> anyhow::Result<Check> {
        self.with_lengths(|_, length| Ok(length.number()))
    }
    /// The check of these options, for files with these units. Refuses contradictions.
    pub(crate) fn check(&self, units: &FileUnits) -> anyhow::Result<Check> {
        self.with_lengths(|option, length| Ok(units.length(option, length)?))
    }
    fn with_lengths(&self, number: impl Fn(&str, &Length) -> anyhow::Result<f64>) -> anyhow::Result<Check> {
        let chord = |chord: &Chord| {
            let length = number("--chord", &chord.length)?;
            Ok(match &chord.parts {
                Some(parts) => ChordOf::named(parts, length),
                None => ChordOf::all(length),
            })
        };
        let what_if = self.what_if.iter().map(|length| number("--what-if", length));
        let tolerances = self.what_if_tolerance.iter().map(|length| number("--what-if-tolerance", length));
        let mut check = Check::new()
            .fill_rule(self.fill_rule.fill_rule())
            .depth(match self.depth {
                Which::Counted => DepthOf::Counted,
                Which::All => DepthOf::All,
                Which::None => DepthOf::None,
            })
            .what_if(what_if.collect::<anyhow::Result<Vec<_>>>()?)
            .what_if_tolerance(tolerances.collect::<anyhow::Result<Vec<_>>>()?)
            .chords(self.chord.iter().map(chord).collect::<anyhow::Result<Vec<_>>>()?)
            .rounding(self.rounding)
            .surfaces(self.surfaces)
            .contacts(self.contacts)
            .max_pairs(self.max_pairs)
            .unit(self.unit());
        if let Some(count) = self.count {
            check = check.count(match count {
                Certain::Definite => Count::Definite,
                Certain::Possible => Count::Possible,
            });
        }
        if !self.report.is_empty() {
            check = check.relations(Finding::relations(&self.report));
        }
        if let Some(length) = &self.tolerance {
            check = check.tolerance(number("--tolerance", length)?);
        }
        if let Some(length) = &self.clearance {
            check = check.clearance(number("--clearance", length)?);
        }
        check.validate()?;
        Ok(check)
    }

    /// Warns of lengths that are larger than the whole model, once for each option. Its size is the longest
    /// side of the box around it: at most `about`, and computed only for a warning.
    pub(crate) fn warn_of_large(
        &self,
        about: f64,
        size: impl FnOnce() -> f64,
        units: &FileUnits,
        progress: &Progress,
    ) {
        let mut all: Vec<(&str, &Length)> = self.lengths().collect();
        all.retain(|(option, length)| units.length(option, length).is_ok_and(|number| number > about));
        all.dedup_by_key(|(option, _)| *option);
        if all.is_empty() || about <= 0.0 {
            return;
        }
        let (size, unit) = (size(), units.known().unit());
        all.iter().for_each(|(option, length)| progress.warn(&large(option, length, size, unit)));
    }
}

/// The longest side of a box; 0 of none.
pub(crate) fn longest(extent: Option<[[f64; 3]; 2]>) -> f64 {
    extent.map_or(0.0, |[low, high]| (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max))
}

/// The text of a warning. A number without a unit was perhaps meant in millimetres, if these make it smaller
/// than the model.
fn large(option: &str, length: &Length, size: f64, unit: Option<Unit>) -> String {
    let symbol = unit.map_or(String::new(), |unit| format!(" {}", unit.symbol()));
    let text = format!("{option} {length} is larger than the whole model ({}{symbol})", rough(size));
    let millimetres: Option<Length> = format!("{length}mm").parse().ok().filter(|_| length.unit().is_none());
    match millimetres.and_then(|length| Some((length.within(unit)?, length))) {
        Some((number, length)) if number < size && unit != Some(Unit::Millimetre) => {
            format!("{text}: write {option} {length} if millimetres are meant")
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, large};
    use clap::ValueEnum;
    use impinge_check::{Relations, Unit};

    #[test]
    fn every_value_has_its_relations() {
        for value in Finding::value_variants() {
            let name = value.to_possible_value().unwrap();
            assert_eq!(Finding::relations(&[*value]), name.get_name().parse().unwrap());
        }
        assert_eq!(Finding::value_variants().len(), Relations::WORDS.len());
        assert_eq!(Finding::relations(&[]), Relations::NONE);
    }

    #[test]
    fn a_large_length_may_be_meant_in_millimetres() {
        let text = |length: &str, size, unit| large("--clearance", &length.parse().unwrap(), size, unit);
        assert_eq!(
            text("5", 0.3, Some(Unit::Metre)),
            "--clearance 5 is larger than the whole model (0.3 m): write --clearance 5mm if millimetres are meant"
        );
        // 500 mm are larger, too; the others are no such slips.
        for (length, unit) in [
            ("500", Some(Unit::Metre)),
            ("5m", Some(Unit::Metre)),
            ("5", Some(Unit::Millimetre)),
            ("5", None),
        ] {
            let text = text(length, 0.3, unit);
            assert!(!text.contains("millimetres") && text.contains("whole model (0.3"), "{text}");
        }
    }
}
