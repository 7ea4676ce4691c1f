//! Pairs of parts that are near each other without meeting, and their distances.
//!
//! A near pair takes 80 bytes, and 12 more with several clearances.
use crate::{
    chord::{Chord, Sure, Tolerances},
    clash::{Clashes, body},
    demands::Demands,
    pair_demand::PairDemand,
    pool::Pool,
    watch::Watch,
};
use impinge::{
    Body, Model, Query,
    distance::{Accuracy, Gap, Margin},
};
use impinge_io::Part;
use serde::{Deserialize, Serialize};
use std::{cmp::Reverse, sync::Arc};

/// The query for near pairs.
#[derive(Clone, Debug)]
pub(crate) struct Clearance {
    /// Pairs that are no further apart are listed, and count.
    pub(crate) limit: Option<Margin>,
    /// Pairs that are no further apart are counted, for each of these; ascending, each once.
    pub(crate) what_if: Vec<Margin>,
    /// How far the triangles of each part may be from its true surface: what may be no further apart than a
    /// length, counts as no further apart.
    pub(crate) chord: Option<Chord>,
    /// Triangles that are further apart do not matter, whatever the parts.
    reach: Margin,
}

/// Two parts that are near each other: they do not meet, and no query has found one inside the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Near {
    /// Indices of the parts, the smaller first.
    pub parts: [u32; 2],
    /// Lower and upper bound of the distance. If one of the check's lengths lies between them, they are
    /// neighbours, or equal.
    pub distance: [f64; 2],
    /// The nearest point of the one and of the other, rounded.
    pub points: [[f64; 3]; 2],
    /// Whether the true parts are so near for certain, if the check has chord tolerances.
    pub certainty: Option<Sure>,
    /// The least of the check's lengths that it is within, chord tolerances not included.
    pub(crate) reached: f64,
}

/// All near pairs of an assembly.
pub(crate) struct Nears {
    pub(crate) asked: Clearance,
    /// Sorted by part indices.
    pub(crate) list: Vec<Near>,
    /// For each pair that is as near as one of [`Clearance::what_if`], the least of these, by its place.
    /// Sorted by part indices. Pairs that other processes examined are not in it.
    pub(crate) reached: Vec<([u32; 2], u32)>,
    /// How many pairs are as near as each of [`Clearance::what_if`].
    pub(crate) counts: Vec<u64>,
    /// Pairs whose boxes are as near as the query's longest length: all of them were tested, but for the
    /// pairs for which there was no time.
    pub(crate) boxes_within: u64,
    /// Pairs for which there was no time, sorted; those of clashes are not among them.
    pub(crate) not_examined: Vec<[u32; 2]>,
}

/// Pairs that a thread takes at a time.
const RUN: usize = 16;

impl Clearance {
    /// `None` without a length and without a chord tolerance. A chord tolerance alone is a query for pairs
    /// that may meet.
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
    /// The reach of a part with such a tolerance: if the triangles of two parts matter, their boxes meet once
    /// each has grown by half of its reach, rounded outwards.
    pub(crate) fn reach_of(&self, tolerance: Option<Margin>) -> Margin {
        let length = longest(self.limit, &self.what_if);
        let reach = self.chord.as_ref().zip(tolerance).map(|(chord, of)| chord.reach(length, of));
        reach.unwrap_or(self.reach)
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
        demand: Option<&PairDemand>,
    ) -> Compared {
        let widened = |length: Margin| tolerances.map_or(length, |all| all.widened(length, parts));
        // Chord tolerances alone are a query for pairs that may meet.
        let least = self.chord.as_ref().map(|_| Margin::ZERO);
        let lengths: Vec<Margin> = match demand {
            Some(demand) => least.into_iter().chain(demand.clearances.iter().copied()).collect(),
            None => self.limit.into_iter().collect(),
        };
        let what_if = self.what_if.iter().map(|&d| widened(d)).collect();
        Compared { lengths: lengths.into_iter().map(|length| (length, widened(length))).collect(), what_if }
    }
}

fn longest(limit: Option<Margin>, what_if: &[Margin]) -> Margin {
    // The last is the longest.
    let last = what_if.last().copied().unwrap_or_default();
    limit.filter(|limit| limit.get() > last.get()).unwrap_or(last)
}

/// Lengths of [`Clearance`], or of rules, with the tolerances of two parts.
pub(crate) struct Compared {
    /// Pairs that are no further apart are listed: each length without and with the tolerances, ascending.
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
}

impl Nears {
    /// Finds the pairs of parts that are near, of those that may be by their boxes and that are no `clashes`.
    /// `models` are those of the parts.
    pub(crate) fn find(
        (parts, models): (&[Part], &[Arc<Model>]),
        (asked, tolerances, demands): (Clearance, Option<&Tolerances>, Option<&Demands>),
        mut within: Vec<[u32; 2]>,
        clashes: &Clashes,
        pool: &Pool,
        watch: &Watch<'_>,
    ) -> anyhow::Result<Self> {
        let boxes_within = within.len() as u64;
        let meets = |pair: &[u32; 2]| clashes.list.binary_search_by_key(pair, |clash| clash.parts).is_ok();
        within.retain(|pair| !meets(pair) && clashes.not_examined.binary_search(pair).is_err());
        // The longest first, so that no thread is left alone with one at the end.
        let size = |part: u32| models[part as usize].mesh().len();
        within.sort_unstable_by_key(|&[a, b]| Reverse(size(a) + size(b)));

        let names = parts.iter().map(|part| &*part.name);
        watch.stage_of_pairs("measuring distances of part pairs", within.len(), names);
        let look = |query: &mut Query, pair: [u32; 2], reached: &mut Vec<_>| {
            let [a, b] = pair.map(|part| body(parts, models, part));
            let plan = demands.map(|demands| demands.plan(pair));
            let compared = asked.compared(tolerances, pair, plan.as_deref().map(|plan| &plan.demand));
            compared.each().next()?;
            let stop = Accuracy::new().above(longest(compared.limit(), &compared.what_if));
            let mut gap = query.distance(&a, &b, stop)?;
            let mut is_within = |margin: &Margin| is_within(query, [&a, &b], &gap, *margin);
            if let Some(first) = compared.what_if.iter().position(&mut is_within) {
                reached.push((pair, first as u32));
            }
            let listed = compared.limit().filter(&mut is_within)?;
            let reached = compared.lengths.iter().find(|(_, widened)| is_within(widened))?.0;
            // The interval must not seem to lie on the wrong side of one of the query's lengths.
            let is_unclear = |margin: Margin| gap.lo <= margin.get() && margin.get() <= gap.hi;
            if gap.lo < gap.hi && compared.each().any(is_unclear) {
                gap = query.distance(&a, &b, stop.exact())?;
            }
            let certainty = match tolerances {
                Some(tolerances) => Some(tolerances.certainty(query, ([&a, &b], pair), reached)?),
                None => None,
            };
            let distance = [gap.lo, gap.hi.min(listed.get())];
            Some(Near { parts: pair, distance, points: gap.points, certainty, reached: reached.get() })
        };
        let query = || asked.chord.as_ref().map_or_else(Query::new, Chord::query);
        let found = pool.in_order(within.len().div_ceil(RUN), query, |query, run| {
            let mut found = (Vec::new(), Vec::new(), Vec::new());
            for &pair in within.iter().skip(run * RUN).take(RUN) {
                let before = found.1.len();
                match watch.examine(pair, query, |query| look(query, pair, &mut found.1)) {
                    Some(near) => found.0.extend(near),
                    None => {
                        found.1.truncate(before);
                        found.2.push(pair);
                    }
                }
                watch.step(1);
            }
            found
        });
        let (mut list, mut reached, mut not_examined) = (Vec::new(), Vec::new(), Vec::new());
        for mut found in found {
            list.append(&mut found.0);
            reached.append(&mut found.1);
            not_examined.append(&mut found.2);
        }
        not_examined.sort_unstable();
        list.sort_unstable_by_key(|near: &Near| near.parts);
        reached.sort_unstable_by_key(|&(parts, _)| parts);
        let mut counts = vec![0; asked.what_if.len()];
        for &(_, first) in &reached {
            counts[first as usize..].iter_mut().for_each(|count| *count += 1);
        }
        Ok(Self { list, reached, counts, boxes_within, not_examined, asked })
    }
}

/// Whether two bodies, whose distance lies in an interval, are no further apart than the margin: exactly.
fn is_within(query: &mut Query, [a, b]: [&Body<'_>; 2], gap: &Gap, margin: Margin) -> bool {
    gap.hi <= margin.get() || gap.lo <= margin.get() && query.within(a, b, margin)
}

#[cfg(test)]
mod tests {
    use super::Clearance;
    use crate::chord::{Chord, Stated, Tolerances};
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
            Chord::new((&all, false), &[], FillRule::NonZero).map(Option::unwrap)
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
            asked.compared(Some(all), parts, None).each().collect::<Vec<_>>()
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
