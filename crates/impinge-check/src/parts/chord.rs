//! Chord tolerances of parts whose triangles approximate curved surfaces, and the certainty of findings.
use crate::values::{error::Error, text};
use anyhow::{Context, bail};
use impinge::{Body, Query, certainty::Certainty, distance::Margin, query::ContactPairs, solid::FillRule};
use impinge_io::Part;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The chord tolerance of parts that a pattern names, or of all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ChordOf {
    /// A pattern in which `*` stands for any characters; `None` for all parts that no pattern fits.
    pub parts: Option<String>,
    /// The largest distance of triangles from the true surface, and of the true surface from them.
    pub tolerance: f64,
}

impl ChordOf {
    /// The tolerance of all parts that no pattern fits.
    pub fn all(tolerance: f64) -> Self {
        Self { parts: None, tolerance }
    }
    /// The tolerance of parts that a pattern fits.
    pub fn named(parts: impl Into<String>, tolerance: f64) -> Self {
        Self { parts: Some(parts.into()), tolerance }
    }
}

/// Reads LENGTH, or PARTS=LENGTH. Names may contain equals signs; numbers contain none.
impl FromStr for ChordOf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (parts, length) = match text.rsplit_once('=') {
            Some((parts, length)) => (Some(parts.to_owned()), length),
            None => (None, text),
        };
        let tolerance: f64 = length.trim().parse().map_err(|_| Error::new("not a number"))?;
        let tolerance = Margin::new(tolerance);
        let tolerance = tolerance.map_err(|_| Error::new("a length is finite and not negative"))?.get();
        Ok(Self { parts, tolerance })
    }
}

/// The chord tolerances of a check, as they are given.
#[derive(Clone, Copy)]
pub(crate) struct GivenChords<'a> {
    pub(crate) chords: &'a [ChordOf],
    /// True if the tolerance of a part includes the rounding of its coordinates.
    pub(crate) adds_rounding: bool,
    pub(crate) rule: FillRule,
}

/// Distances of the true surfaces of parts from their triangles.
#[derive(Clone, Debug)]
pub(crate) struct Chord {
    /// The tolerance of parts that no pattern of `named` fits, and that state none.
    usual: Margin,
    /// Patterns and their tolerances; the last pattern that fits counts.
    named: Vec<(String, Margin)>,
    /// True if the tolerance of a part includes the rounding of its coordinates.
    adds_rounding: bool,
    /// The largest tolerance of the parts with a stated error that counts.
    stated: Option<Margin>,
    /// True if a tolerance is given, besides those that parts state.
    pub(crate) is_given: bool,
    rule: FillRule,
}

impl Chord {
    /// Returns `None` without a tolerance, given or stated by a part. Returns an error if twice the largest
    /// tolerance is not finite.
    pub(crate) fn new(given: GivenChords<'_>, parts: &[Part]) -> anyhow::Result<Option<Self>> {
        let mut chord = Self::given(given)?;
        parts.iter().try_for_each(|part| chord.add(part))?;
        chord.whole(given)
    }
    /// [`Chord::new`] without the parts: `stated` is their [`Chord::stated`].
    pub(crate) fn of_largest(given: GivenChords<'_>, stated: Option<Margin>) -> anyhow::Result<Option<Self>> {
        Self { stated, ..Self::given(given)? }.whole(given)
    }
    /// The given tolerances, before any part is added.
    fn given(given: GivenChords<'_>) -> anyhow::Result<Self> {
        let GivenChords { chords: all, adds_rounding, rule } = given;
        let mut usual = None;
        let mut named = Vec::new();
        for ChordOf { parts, tolerance } in all {
            let tolerance = Margin::new(*tolerance)?;
            match parts {
                Some(parts) => named.push((parts.clone(), tolerance)),
                None if usual.is_some() => bail!("chord: two lengths for all parts that no name fits"),
                None => usual = Some(tolerance),
            }
        }
        let (usual, is_given) = (usual.unwrap_or_default(), !all.is_empty());
        Ok(Self { usual, named, adds_rounding, stated: None, is_given, rule })
    }
    fn add(&mut self, part: &Part) -> anyhow::Result<()> {
        let [of_surface, of_format] = refuse_wrong(part)?;
        if of_surface && !self.names(&part.name) || of_format && self.adds_rounding {
            let all = self.sum(&part.name, Stated::of(part))?;
            self.stated = Some(self.stated.map_or(all, |largest| larger(largest, all)));
        }
        Ok(())
    }
    /// Completes the tolerances after the last part; `None` if all parts are exact.
    fn whole(self, given: GivenChords<'_>) -> anyhow::Result<Option<Self>> {
        if given.chords.is_empty() && self.stated.is_none() {
            return Ok(None);
        }
        self.widened(Margin::ZERO, [self.largest(); 2])?;
        Ok(Some(self))
    }
    /// The largest tolerance of the parts with a stated error that counts.
    pub(crate) fn stated(&self) -> Option<Margin> {
        self.stated
    }
    /// The one tolerance of all parts, unless some are named or state their own.
    pub(crate) fn only(&self) -> Option<Margin> {
        (self.named.is_empty() && self.stated.is_none()).then_some(self.usual)
    }
    pub(crate) fn largest(&self) -> Margin {
        let others = self.named.iter().map(|&(_, tolerance)| tolerance).chain(self.stated);
        others.fold(self.usual, larger)
    }
    /// The tolerance of a part with this name, and with errors that it states.
    pub(crate) fn of(&self, name: &str, stated: Stated) -> Margin {
        // `new` has tried every sum.
        self.sum(name, stated).unwrap_or_else(|_| self.of_surface(name, stated.chord))
    }
    /// The error of the triangles and, if it counts, that of their coordinates, rounded up.
    fn sum(&self, name: &str, stated: Stated) -> anyhow::Result<Margin> {
        let of_surface = self.of_surface(name, stated.chord);
        match stated.rounding.filter(|_| self.adds_rounding) {
            Some(rounding) => Ok(Margin::sum([of_surface.get(), rounding, 0.0])?),
            None => Ok(of_surface),
        }
    }
    fn of_surface(&self, name: &str, stated: Option<f64>) -> Margin {
        let named = self.named.iter().rev().find(|(pattern, _)| fits(pattern, name));
        let stated = stated.and_then(|length| Margin::new(length).ok());
        named.map(|&(_, tolerance)| tolerance).or(stated).unwrap_or(self.usual)
    }
    fn names(&self, name: &str) -> bool {
        self.named.iter().any(|(pattern, _)| fits(pattern, name))
    }
    /// The largest distance of triangles of two parts whose true surfaces are no farther apart than a length;
    /// rounded up.
    pub(crate) fn widened(&self, length: Margin, [a, b]: [Margin; 2]) -> anyhow::Result<Margin> {
        Margin::sum([length.get(), a.get(), b.get()]).context("chord")
    }
    /// Twice the length by which the box of a part grows. Two boxes then meet if the parts are no farther
    /// apart than [`Chord::widened`].
    ///
    /// For tolerances a and b, [`Chord::widened`] is at most (1 + 2 u)^2 (length + a + b), u = 2^-53, as both
    /// sums are rounded up. The halves of length + 2 a and of length + 2 b add up to length + a + b, and five
    /// steps to the next number are at least 5 u of each. Sums of subnormal numbers are exact. Equal
    /// tolerances have equal roundings.
    pub(crate) fn reach(&self, length: Margin, tolerance: Margin) -> Margin {
        let sum = self.widened(length, [tolerance; 2]).unwrap_or(length);
        if self.only().is_some() {
            return sum;
        }
        let more = (0..5).fold(sum.get(), |sum, _| sum.next_up());
        Margin::new(more).unwrap_or(sum)
    }
    pub(crate) fn query(&self) -> Query {
        Query::new().fill_rule(self.rule)
    }
}

fn larger(a: Margin, b: Margin) -> Margin {
    if a.get() < b.get() { b } else { a }
}

/// The bounds that a part states on its errors.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Stated {
    /// Distance of its triangles from the true surface.
    pub(crate) chord: Option<f64>,
    /// Distance by which its format moved points.
    pub(crate) rounding: Option<f64>,
}

impl Stated {
    pub(crate) fn of(part: &Part) -> Self {
        Self { chord: part.chord, rounding: part.rounding }
    }
}

/// Returns true for each of chord error and rounding that a part states. Returns an error if one is no
/// length.
fn refuse_wrong(part: &Part) -> anyhow::Result<[bool; 2]> {
    for (bound, name) in [(part.chord, "chord error"), (part.rounding, "rounding")] {
        let refused = || format!("the {name} of part '{}'", text::printable(&part.name));
        bound.map(|length| Margin::new(length).with_context(refused)).transpose()?;
    }
    Ok([part.chord.is_some(), part.rounding.is_some()])
}

/// True if a pattern fits a name; `*` stands for any number of characters.
fn fits(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    // The first place of each piece leaves the most for the others.
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

/// Finds the tolerances of parts, one after the other.
pub(crate) struct Naming {
    chord: Chord,
    /// True for each pattern that fits some part.
    is_used: Vec<bool>,
}

impl Naming {
    pub(crate) fn new(chord: &Chord) -> Self {
        Self { chord: chord.clone(), is_used: vec![false; chord.named.len()] }
    }
    /// The given tolerances, for parts that come one after the other ([`Naming::add`]).
    pub(crate) fn given(given: GivenChords<'_>) -> anyhow::Result<Self> {
        Chord::given(given).map(|chord| Self::new(&chord))
    }
    /// The tolerance of the next part, which no later part changes.
    pub(crate) fn add(&mut self, part: &Part) -> anyhow::Result<Margin> {
        self.chord.add(part)?;
        Ok(self.tolerance(&part.name, Stated::of(part)))
    }
    /// The tolerance of a part with this name, and with errors that it states.
    pub(crate) fn tolerance(&mut self, name: &str, stated: Stated) -> Margin {
        for ((pattern, _), is_used) in self.chord.named.iter().zip(&mut self.is_used) {
            *is_used |= fits(pattern, name);
        }
        self.chord.of(name, stated)
    }
    /// The largest tolerance of the parts so far with a stated error that counts.
    pub(crate) fn stated(&self) -> Option<Margin> {
        self.chord.stated()
    }
    /// Returns an error for a pattern that fits no part.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let unused = self.chord.named.iter().zip(&self.is_used).find(|&(_, &is_used)| !is_used);
        if let Some(((pattern, _), _)) = unused {
            bail!("chord: no part is named '{}'", text::printable(pattern));
        }
        Ok(())
    }
}

pub(crate) struct Tolerances {
    pub(crate) chord: Chord,
    of: Vec<Margin>,
}

impl Tolerances {
    /// The tolerances of parts. Returns an error if a pattern fits no part.
    pub(crate) fn new(chord: &Chord, parts: &[Part]) -> anyhow::Result<Self> {
        let mut naming = Naming::new(chord);
        let of = parts.iter().map(|part| naming.tolerance(&part.name, Stated::of(part))).collect();
        naming.finish()?;
        Ok(Self::known(chord, of))
    }
    pub(crate) fn known(chord: &Chord, of: Vec<Margin>) -> Self {
        Self { chord: chord.clone(), of }
    }
    pub(crate) fn of(&self, part: u32) -> Margin {
        self.of[part as usize]
    }
    /// The largest distance of the triangles of two parts whose true surfaces are within a length;
    /// [`Chord::widened`].
    pub(crate) fn widened(&self, length: Margin, parts: [u32; 2]) -> Margin {
        // No sum is larger than one that was tried at the start.
        self.chord.widened(length, parts.map(|part| self.of(part))).unwrap_or(length)
    }
    /// Certainty that the true parts overlap or are at most `clearance` apart; `None` if certainly neither.
    pub(crate) fn certainty(
        &self,
        query: &mut Query,
        [a, b]: [&Body<'_>; 2],
        parts: [u32; 2],
        clearance: Margin,
    ) -> Option<Sure> {
        Sure::of(query.certainty(a, b, parts.map(|part| self.of(part)), clearance))
    }
    /// [`Tolerances::certainty`] of parts whose triangles meet in these pairs.
    pub(crate) fn certainty_of_pairs(
        &self,
        query: &mut Query,
        pairs: &ContactPairs<'_>,
        parts: [u32; 2],
        clearance: Margin,
    ) -> Option<Sure> {
        Sure::of(query.certainty_of_pairs(pairs, parts.map(|part| self.of(part)), clearance))
    }
}

/// Certainty of a finding, with chord tolerances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sure {
    /// The finding holds of the true parts.
    Definite,
    /// The finding holds of the triangles, or nearly, and may not hold of the true parts.
    Possible,
}

impl Sure {
    /// Converts a certainty; `None` for [`Certainty::Clear`].
    fn of(certainty: Certainty) -> Option<Self> {
        match certainty {
            Certainty::Clear => None,
            Certainty::Definite => Some(Self::Definite),
            Certainty::Possible => Some(Self::Possible),
        }
    }
    /// The name, for programs and people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Definite => "definite",
            Self::Possible => "possible",
        }
    }
}

/// Numbers of definite and of possible findings.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Chords {
    /// The largest tolerance of a part.
    pub tolerance: f64,
    /// True if some parts have smaller tolerances.
    #[serde(skip)]
    pub is_largest: bool,
    /// True if all tolerances are roundings of coordinates, without a chord error.
    #[serde(skip)]
    pub is_of_rounding: bool,
    /// Findings that hold of the true parts.
    pub definite: u64,
    /// Findings that may not hold of the true parts.
    pub possible: u64,
    /// Pairs that would be such findings, but do not count.
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub uncounted: u64,
}

#[cfg(test)]
mod tests {
    use super::{Chord, ChordOf, GivenChords, Stated, Tolerances, fits};
    use impinge::{Mesh, Pose, distance::Margin, solid::FillRule};
    use impinge_io::Part;

    fn given(chords: &[ChordOf], adds_rounding: bool) -> GivenChords<'_> {
        GivenChords { chords, adds_rounding, rule: FillRule::NonZero }
    }

    fn chord(words: &[&str]) -> anyhow::Result<Chord> {
        let all: Vec<_> = words.iter().map(|word| word.parse().unwrap()).collect();
        Ok(Chord::new(given(&all, false), &[])?.unwrap())
    }

    fn parts(names: &[&str]) -> Vec<Part> {
        names.iter().map(|&name| Part::from_mesh(name, Mesh::default(), Pose::IDENTITY)).collect()
    }

    #[test]
    fn what_a_part_states_counts_unless_it_is_named() {
        let stated = |name: &str, length: f64| parts(&[name]).remove(0).with_chord(length);
        let parts = [stated("pipe", 4.0), stated("bolt", 0.5), parts(&["wall"]).remove(0)];
        let of = |words: &[&str]| {
            let all: Vec<ChordOf> = words.iter().map(|word| word.parse().unwrap()).collect();
            let chord = Chord::new(given(&all, false), &parts).unwrap().unwrap();
            let tolerances = Tolerances::new(&chord, &parts).unwrap();
            assert_eq!(chord.only(), None);
            (tolerances.of.iter().map(|of| of.get()).collect::<Vec<_>>(), chord.largest().get())
        };
        assert_eq!(of(&[]), (vec![4.0, 0.5, 0.0], 4.0));
        assert_eq!(of(&["1"]), (vec![4.0, 0.5, 1.0], 4.0));
        assert_eq!(of(&["1", "p*=2"]), (vec![2.0, 0.5, 1.0], 2.0));
        let wrong = Chord::new(given(&[], false), &[stated("a\nb", -1.0)]).unwrap_err();
        assert!(format!("{wrong:#}").starts_with("the chord error of part 'a\u{fffd}b': "), "{wrong:#}");
        assert!(Chord::new(given(&[], false), &[stated("a", f64::MAX)]).is_err());
    }

    /// Roundings count only if the check adds them; then they add to any other tolerance.
    #[test]
    fn roundings_are_added_to_chords() {
        let stated = |name: &str, chord: Option<f64>, rounding: f64| {
            let part = parts(&[name]).remove(0).with_rounding(rounding);
            chord.map_or(part.clone(), |chord| part.with_chord(chord))
        };
        let parts = [stated("pipe", Some(4.0), 0.5), stated("bolt", None, 0.25), parts(&["wall"]).remove(0)];
        let of = |words: &[&str], adds: bool| {
            let all: Vec<ChordOf> = words.iter().map(|word| word.parse().unwrap()).collect();
            let chord = Chord::new(given(&all, adds), &parts).unwrap()?;
            let tolerances = Tolerances::new(&chord, &parts).unwrap();
            Some((tolerances.of.iter().map(|of| of.get()).collect::<Vec<_>>(), chord.largest().get()))
        };
        assert_eq!(of(&[], false), Some((vec![4.0, 0.0, 0.0], 4.0)));
        assert_eq!(of(&[], true), Some((vec![4.5, 0.25, 0.0], 4.5)));
        assert_eq!(of(&["1", "p*=2"], true), Some((vec![2.5, 1.25, 1.0], 2.5)));
        let wrong = [stated("a", None, f64::NAN)];
        let error = Chord::new(given(&[], true), &wrong).unwrap_err();
        assert!(format!("{error:#}").starts_with("the rounding of part 'a': "), "{error:#}");
        let exact = [stated("a", None, 1.0)];
        let chord = |adds| Chord::new(given(&[], adds), &exact).unwrap();
        assert!(chord(false).is_none() && chord(true).is_some_and(|chord| chord.only().is_none()));
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name, is) in [
            ("pipe", "pipe", true),
            ("pipe", "pipes", false),
            ("pipe*", "pipe", true),
            ("*pipe", "a pipe", true),
            ("p*e", "pipe", true),
            ("p*pe", "pe", false),
            ("ab*ba", "aba", false),
            ("*a*b*", "xaxbx", true),
            ("*a*b*", "xbxax", false),
            ("*aa*aa", "aaa", false),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a.c", "abc", false),
            ("孔*", "孔 1", true),
        ] {
            assert_eq!(fits(pattern, name), is, "{pattern} {name}");
        }
    }

    #[test]
    fn the_last_that_fits_counts_wherever_the_usual_is() {
        let chord = chord(&["pipe*=0.5", "0.25", "pipe 1=0", "a=b=2"]).unwrap();
        let of = |name: &str| chord.of(name, Stated::default()).get();
        assert_eq!(["pipe 2", "pipe 1", "wall", "a=b", "a"].map(of), [0.5, 0.0, 0.25, 2.0, 0.25]);
        assert_eq!((chord.largest().get(), chord.only()), (2.0, None));
        assert_eq!(self::chord(&["pipe=1"]).unwrap().of("wall", Stated::default()), Margin::ZERO);
        assert!(self::chord(&["1", "pipe=2", "1"]).is_err());
        assert!(self::chord(&["1", "pipe=1e308"]).is_err());
        for wrong in ["", "pipe=", "pipe=-1", "=x", "pipe", "NaN", "pipe=inf"] {
            assert!(wrong.parse::<ChordOf>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_that_no_part_has_are_refused() {
        let names = |names: &[&str]| {
            let chord = chord(&["pipe*=0.5", "*1=1"]).unwrap();
            Tolerances::new(&chord, &parts(names)).map(|found| found.of).map_err(|e| e.to_string())
        };
        let found = names(&["pipe 1", "pipe 2", "wall"]).unwrap();
        assert_eq!(found.iter().map(|of| of.get()).collect::<Vec<_>>(), [1.0, 0.5, 0.0]);
        assert_eq!(names(&["pipe 2"]).err().as_deref(), Some("chord: no part is named '*1'"));
    }

    /// Two boxes that each grow by half of their part's reach together grow by at least the length that
    /// triangles are compared with.
    #[test]
    fn half_of_each_reach_is_the_whole() {
        let lengths = [0.0, f64::from_bits(1), f64::from_bits(3), 0.1, 1.0, 1.0 / 3.0, 1e16, 7e-17];
        let mut is_needed = false;
        for a in lengths {
            for b in lengths {
                let chord = chord(&[&format!("{a:e}"), &format!("b={b:e}")]).unwrap();
                for d in lengths {
                    let [a, b, d] = [a, b, d].map(|x| Margin::new(x).unwrap());
                    let sum = chord.widened(d, [a, b]).unwrap().get();
                    let [p, q] = [a, b].map(|of| chord.reach(d, of).get());
                    // `grown` makes up for the half of a subnormal number.
                    assert!((p + q) / 2.0 >= sum, "{a:?} {b:?} {d:?}");
                    let [p, q] = [a, b].map(|of| chord.widened(d, [of; 2]).unwrap().get());
                    is_needed |= (p + q) / 2.0 < sum;
                }
            }
        }
        assert!(is_needed);
    }
}
