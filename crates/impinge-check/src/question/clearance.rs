//! [`Clearance`]: the distances up to which a check searches for pairs of parts.
use crate::{
    parts::chord::{Chord, Tolerances},
    question::test_plan::PairTests,
};
use impinge::{
    Body, Query,
    distance::{Accuracy, DistanceBounds, Margin},
};

/// The query for near pairs.
#[derive(Clone, Debug)]
pub(crate) struct Clearance {
    /// The longest clearance of any test.
    pub(crate) limit: Option<Margin>,
    /// The clearances at which pairs are counted, too; ascending, each once.
    pub(crate) what_if: Vec<Margin>,
    /// Bounds on the distance of each part's triangles from its true surface. A pair that may be within a
    /// length counts as within it.
    pub(crate) chord: Option<Chord>,
    /// The largest distance of triangles that can matter for any two parts.
    reach: Margin,
}

impl Clearance {
    /// Returns `None` without a length and without a chord tolerance. With a chord tolerance alone, the query
    /// is for pairs that may meet.
    pub(crate) fn new(
        limit: Option<Margin>,
        mut what_if: Vec<Margin>,
        chord: Option<Chord>,
    ) -> anyhow::Result<Option<Self>> {
        what_if.sort_by(|a, b| a.get().total_cmp(&b.get()));
        what_if.dedup();
        let limit = limit.or(chord.as_ref().map(|_| Margin::ZERO));
        if limit.is_none() && what_if.is_empty() {
            return Ok(None);
        }
        let length = longest(limit, &what_if);
        let reach = chord.as_ref().map_or(Ok(length), |chord| chord.widened(length, [chord.largest(); 2]))?;
        Ok(Some(Self { limit, what_if, chord, reach }))
    }
    /// The longest length of the query, widened by the largest tolerances.
    pub(crate) fn reach(&self) -> Margin {
        self.reach
    }
    /// The reach of a part with this tolerance. If the triangles of two parts matter, their boxes meet once
    /// each has grown by half of its reach, rounded outwards.
    pub(crate) fn reach_of(&self, tolerance: Option<Margin>) -> Margin {
        let length = self.longest();
        let reach = self.chord.as_ref().zip(tolerance).map(|(chord, of)| chord.reach(length, of));
        reach.unwrap_or(self.reach)
    }
    pub(crate) fn longest(&self) -> Margin {
        longest(self.limit, &self.what_if)
    }
    /// The largest distance of listed pairs; the query may have longer lengths.
    pub(crate) fn listed(&self) -> Option<Margin> {
        let widened = |chord: &Chord| self.limit.map(|limit| chord.widened(limit, [chord.largest(); 2]));
        self.chord.as_ref().map_or(self.limit, |chord| widened(chord)?.ok())
    }
    /// The lengths that the distance of two parts' triangles is compared with.
    pub(crate) fn compared(
        &self,
        tolerances: Option<&Tolerances>,
        parts: [u32; 2],
        tests: &PairTests,
    ) -> Compared {
        let widened = |length: Margin| tolerances.map_or(length, |all| all.widened(length, parts));
        Compared {
            lengths: tests.clearances.iter().map(|&length| (length, widened(length))).collect(),
            what_if: self.what_if.iter().map(|&length| widened(length)).collect(),
        }
    }
}

fn longest(limit: Option<Margin>, what_if: &[Margin]) -> Margin {
    // The last is the longest.
    let last = what_if.last().copied().unwrap_or_default();
    limit.filter(|limit| limit.get() > last.get()).unwrap_or(last)
}

/// Lengths of tests and of [`Clearance::what_if`], with the tolerances of two parts.
pub(crate) struct Compared {
    /// The clearances up to which a pair is listed, each without and with the tolerances; ascending.
    lengths: Vec<(Margin, Margin)>,
    what_if: Vec<Margin>,
}

impl Compared {
    pub(crate) fn each(&self) -> impl Iterator<Item = Margin> {
        self.what_if.iter().copied().chain(self.lengths.iter().map(|&(_, widened)| widened))
    }
    fn limit(&self) -> Option<Margin> {
        self.lengths.last().map(|&(_, widened)| widened)
    }
    /// The longest length; longer distances do not matter.
    pub(crate) fn longest(&self) -> Option<Margin> {
        self.each().next().map(|_| longest(self.limit(), &self.what_if))
    }
    /// Finds the lengths that the distance is within. If the interval of a listed pair's distance contains
    /// one of the lengths, the distance is computed exactly.
    pub(crate) fn measure(&self, query: &mut Query, [a, b]: [&Body<'_>; 2]) -> Option<Measured> {
        let stop = Accuracy::new().above(self.longest()?);
        let mut gap = query.with_accuracy(stop).distance(a, b)?;
        let mut is_within = |margin: &Margin| is_within(query, [a, b], &gap, *margin);
        let what_if = self.what_if.iter().position(&mut is_within).map(|place| place as u32);
        let Some(most) = self.limit().filter(&mut is_within) else {
            return Some(Measured { what_if, listed: None });
        };
        let (reached, _) = *self.lengths.iter().find(|(_, widened)| is_within(widened))?;
        let is_unclear = |margin: Margin| gap.lo <= margin.get() && margin.get() <= gap.hi;
        if gap.lo < gap.hi && self.each().any(is_unclear) {
            gap = query.with_accuracy(stop.exact()).distance(a, b)?;
        }
        Some(Measured { what_if, listed: Some(Listed { gap, most, reached }) })
    }
}

/// The distance of two parts, compared with the lengths of a query.
pub(crate) struct Measured {
    /// The index of the least of [`Clearance::what_if`] that they are within.
    pub(crate) what_if: Option<u32>,
    /// `None` if they are within no test's clearance.
    pub(crate) listed: Option<Listed>,
}

/// The distance of a pair that is within the clearance of a test.
pub(crate) struct Listed {
    pub(crate) gap: DistanceBounds,
    /// The longest clearance, with the tolerances of the parts.
    pub(crate) most: Margin,
    /// The least clearance that they are within, tolerances not included.
    pub(crate) reached: Margin,
}

/// True if two bodies, whose distance lies in an interval, are no further apart than the margin; exact.
fn is_within(query: &mut Query, [a, b]: [&Body<'_>; 2], gap: &DistanceBounds, margin: Margin) -> bool {
    gap.hi <= margin.get() || gap.lo <= margin.get() && query.within(a, b, margin)
}

#[cfg(test)]
mod tests {
    use super::Clearance;
    use crate::{
        parts::chord::{Chord, GivenChords, Stated, Tolerances},
        question::test_plan::PairTests,
    };
    use impinge::{distance::Margin, solid::FillRule};

    fn margins(lengths: &[f64]) -> Vec<Margin> {
        lengths.iter().map(|&d| Margin::new(d).unwrap()).collect()
    }

    #[test]
    fn the_largest_length_is_what_is_searched() {
        let new = |limit, what_if| Clearance::new(limit, what_if, None).unwrap();
        let asked = new(None, margins(&[5.0, 1.0, 5.0, 2.0])).unwrap();
        assert_eq!(asked.what_if, margins(&[1.0, 2.0, 5.0]));
        assert_eq!(asked.reach().get(), 5.0);
        assert_eq!(new(Some(Margin::ZERO), vec![]).unwrap().reach(), Margin::ZERO);
        let asked = new(Some(margins(&[7.0])[0]), margins(&[3.0]));
        assert_eq!(asked.unwrap().reach().get(), 7.0);
        assert!(new(None, vec![]).is_none());
    }

    #[test]
    fn tolerances_of_both_parts_are_added() {
        let chord = |words: &[&str]| {
            let all: Vec<_> = words.iter().map(|word| word.parse().unwrap()).collect();
            Chord::new(GivenChords { chords: &all, adds_rounding: false, rule: FillRule::NonZero }, &[])
                .map(Option::unwrap)
        };
        let of = |chord: &Chord, names: &[&str]| {
            Tolerances::known(chord, names.iter().map(|name| chord.of(name, Stated::default())).collect())
        };
        let one = chord(&["0.25"]).unwrap();
        let new = |limit, what_if| Clearance::new(limit, what_if, Some(one.clone()));
        let asked = new(None, vec![]).unwrap().unwrap();
        assert_eq!((asked.limit, asked.reach().get()), (Some(Margin::ZERO), 0.5));
        let asked = new(Some(margins(&[7.0])[0]), margins(&[9.0, 3.0])).unwrap().unwrap();
        assert_eq!((asked.listed(), asked.reach().get()), (Some(margins(&[7.5])[0]), 9.5));
        assert_eq!(asked.reach_of(one.only()).get(), 9.5);
        let tolerances = of(&one, &["a", "b"]);
        let compared = |asked: &Clearance, all: &Tolerances, parts| {
            let tests = PairTests { clearances: asked.limit.into_iter().collect(), ..PairTests::default() };
            asked.compared(Some(all), parts, &tests).each().collect::<Vec<_>>()
        };
        assert_eq!(compared(&asked, &tolerances, [0, 1]), margins(&[3.5, 9.5, 7.5]));
        // Two parts have their own tolerances.
        let several = chord(&["0.25", "b=1", "c=0"]).unwrap();
        let tolerances = of(&several, &["a", "b", "c"]);
        let asked = Clearance::new(Some(margins(&[7.0])[0]), vec![], Some(several)).unwrap().unwrap();
        assert_eq!((asked.reach().get(), asked.listed()), (9.0, Some(margins(&[9.0])[0])));
        let [ab, ac, bc] = [[0, 1], [0, 2], [1, 2]].map(|pair| compared(&asked, &tolerances, pair)[0]);
        assert_eq!([ab, ac, bc].map(Margin::get), [8.25, 7.25, 8.0]);
        assert!(chord(&["1.7e308"]).is_err());
        // Rounded up, the sum is beyond f64.
        assert!(new(Some(margins(&[f64::MAX])[0]), vec![]).is_err());
    }
}
