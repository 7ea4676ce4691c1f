//! Which pairs of parts may meet, or be near each other, by their boxes.
use crate::{
    boxes,
    cache::{Known, Recalled},
    chord::Tolerances,
    demands::{Demands, Ledger},
    numbers::shortest,
    pairs::Pairs,
    pool::Pool,
    reach::{self, grown},
    settings::Asked,
    watch::Watch,
};
use anyhow::bail;
use impinge::{
    broad_phase::{Aabb, BroadPhase, Grid},
    distance::Margin,
    world::WorldBox,
};
use impinge_io::Part;

/// Candidate pairs of parts, in any order.
pub(crate) struct Candidates {
    /// Pairs whose exact closed world boxes meet.
    pub(crate) meeting: Vec<[u32; 2]>,
    /// Pairs whose boxes are no further apart than the query's distance along any axis, but for roundings:
    /// the pairs of `meeting`, and others. Empty if the query has no distance.
    pub(crate) within: Vec<[u32; 2]>,
    /// With rules, the numbers of pairs that they removed.
    pub(crate) ledger: Option<Ledger>,
}

/// The exact boxes around those parts that need them: few, where the cache holds most pairs.
struct ExactBoxes {
    /// For each part its place in the list, or [`ExactBoxes::NONE`].
    places: Vec<u32>,
    /// `None` around a part without a triangle.
    list: Vec<Option<WorldBox>>,
}

impl ExactBoxes {
    const NONE: u32 = u32::MAX;

    fn new(parts: usize) -> Self {
        Self { places: vec![Self::NONE; parts], list: Vec::new() }
    }
    fn has(&self, part: usize) -> bool {
        self.places[part] != Self::NONE
    }
    fn get(&self, part: usize) -> Option<&WorldBox> {
        self.list.get(self.places[part] as usize)?.as_ref()
    }
    /// Adds those of some parts, each once.
    fn add(&mut self, parts: &[Part], which: &[usize], pool: &Pool, watch: &Watch<'_>) {
        let first = self.list.len();
        if which.len() == parts.len() {
            self.list = boxes::each(parts, pool, watch, |exact| exact);
        } else {
            let some: Vec<Part> = which.iter().map(|&part| parts[part].clone()).collect();
            self.list.append(&mut boxes::each(&some, pool, watch, |exact| exact));
        }
        which.iter().zip(first..).for_each(|(&part, place)| self.places[part] = place as u32);
    }
}

/// How many boxes are compared with all others to tell whether too many pairs are to be expected.
const SAMPLES: usize = 64;

impl Candidates {
    /// The candidates of `subject`, if they are not too many, without the pairs that the cache holds; then
    /// the recalled pairs, and the rounded box of each part.
    pub(crate) fn find(
        parts: &[Part],
        subject: &Pairs,
        (asked, tolerances): (&Asked, Option<&Tolerances>),
        known: &Known,
        pool: &Pool,
        watch: &Watch<'_>,
    ) -> anyhow::Result<(Self, Recalled, Vec<Aabb>)> {
        let mut boxes = ExactBoxes::new(parts.len());
        let new: Vec<usize> = (0..parts.len()).filter(|&part| known.extent(part).is_none()).collect();
        boxes.add(parts, &new, pool, watch);
        let of = |part: usize| known.extent(part).unwrap_or_else(|| extent(boxes.get(part)));
        let extents: Vec<Aabb> = (0..parts.len()).map(of).collect();
        watch.stage("which boxes meet, boxes", parts.len() as u64);
        let (reach, most) = (asked.reach(), asked.max_pairs);
        let grown = asked.clearance.as_ref().map(|clearance| {
            let reach = |part: u32| clearance.reach_of(tolerances.map(|all| all.of(part)));
            (0..).zip(&extents).map(|(part, &extent)| grown(extent, reach(part))).collect::<Vec<_>>()
        });
        let boxes_of = grown.as_ref().unwrap_or(&extents);
        let (pairs, ledger) = match asked.demands.as_deref() {
            None => (pairs(boxes_of, subject, (reach, most))?, None),
            Some(demands) => {
                // The pairs that a function leaves out count among those that rules ask.
                let (before, after) = match subject {
                    Pairs::Where(_) => (&Pairs::All, subject),
                    Pairs::All | Pairs::Across { .. } => (subject, &Pairs::All),
                };
                let mut pairs = pairs(boxes_of, before, (reach, most))?;
                let mut ledger = Ledger::new(demands);
                let reach = |part: u32, length: Margin| reach::of(tolerances, part, length);
                let is_asked = |pair| after.asks(pair);
                ledger.retain(demands, &mut pairs, (&extents, is_asked), &reach);
                (pairs, Some(ledger))
            }
        };
        let (recalled, open) = known.split(pairs);
        // ExactBoxes of known parts that are in an open pair.
        let needed = open.iter().flatten().map(|&part| part as usize);
        let mut needed: Vec<usize> = needed.filter(|&part| !boxes.has(part)).collect();
        needed.sort_unstable();
        needed.dedup();
        boxes.add(parts, &needed, pool, watch);
        let mut open = Self { ledger, ..Self::among(open, &boxes, reach) };
        if let Some(demands) = asked.demands.as_deref() {
            open.drop_far(demands, asked, tolerances, &extents);
        }
        within_limit(recalled.len() + open.tested(), (reach, most))?;
        Ok((open, recalled, extents))
    }

    /// The candidates among all pairs whose rounded boxes meet: the same as [`Candidates::find`] finds.
    pub(crate) fn of_pairs(
        parts: &[Part],
        pairs: Vec<[u32; 2]>,
        reach: Option<Margin>,
        pool: &Pool,
        watch: &Watch<'_>,
    ) -> Self {
        let mut boxes = ExactBoxes::new(parts.len());
        boxes.add(parts, &(0..parts.len()).collect::<Vec<_>>(), pool, watch);
        Self::among(pairs, &boxes, reach)
    }

    fn among(pairs: Vec<[u32; 2]>, boxes: &ExactBoxes, reach: Option<Margin>) -> Self {
        let within = if reach.is_some() { pairs.clone() } else { Vec::new() };
        let mut meeting = pairs;
        meeting.retain(|&[a, b]| {
            let [box_a, box_b] = [a, b].map(|part| boxes.get(part as usize));
            box_a.zip(box_b).is_some_and(|(a, b)| a.meets(b))
        });
        Self { meeting, within, ledger: None }
    }

    /// Drops pairs that are further apart than their own tests have clearances.
    fn drop_far(
        &mut self,
        demands: &Demands,
        asked: &Asked,
        tolerances: Option<&Tolerances>,
        extents: &[Aabb],
    ) {
        let what_if = asked.clearance.as_ref().and_then(|clearance| clearance.what_if.last().copied());
        let mut meeting = self.meeting.iter().peekable();
        self.within.retain(|pair| {
            let is_meeting = meeting.next_if_eq(&pair).is_some();
            let plan = demands.plan(*pair);
            let of_tests = plan.demand.clearances.last().copied();
            let least = tolerances.map(|_| Margin::ZERO);
            let lengths = what_if.into_iter().chain(of_tests).chain(least);
            let longest = lengths.reduce(|a, b| if a.get() < b.get() { b } else { a });
            is_meeting
                || longest.is_some_and(|longest| {
                    let [a, b] =
                        pair.map(|part| grown(extents[part as usize], reach::of(tolerances, part, longest)));
                    a.meets(&b)
                })
        });
    }
    /// All candidates, each once, and whether their exact boxes meet.
    pub(crate) fn all(&self) -> Vec<([u32; 2], bool)> {
        // The pairs that meet are in the same order in both.
        let mut meeting = self.meeting.iter().peekable();
        let mut all: Vec<_> =
            self.within.iter().map(|pair| (*pair, meeting.next_if_eq(&pair).is_some())).collect();
        all.extend(meeting.map(|pair| (*pair, true)));
        all
    }
    /// How many pairs are to be tested.
    pub(crate) fn tested(&self) -> usize {
        self.meeting.len().max(self.within.len())
    }
    /// Which of so many parts are in a pair.
    pub(crate) fn parts(&self, count: usize) -> Vec<bool> {
        let mut is_in_pair = vec![false; count];
        let all = self.meeting.iter().chain(&self.within).flatten();
        all.for_each(|&part| is_in_pair[part as usize] = true);
        is_in_pair
    }
}

/// The least and the greatest corner of the box around all parts, rounded outwards: as in a report on them
/// ([`Report::extent`](crate::Report::extent)). `None` if no part has a triangle.
pub fn extent_of(parts: &[Part], pool: &Pool) -> Option<[[f64; 3]; 2]> {
    around(&boxes::each(parts, pool, &Watch::new(), |exact| extent(exact.as_ref())))
}

/// The corners of the box around all of some boxes; `None` if all are empty.
pub(crate) fn around<'a>(extents: impl IntoIterator<Item = &'a Aabb>) -> Option<[[f64; 3]; 2]> {
    let [mut low, mut high] = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for extent in extents {
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(extent.lo[k]), high[k].max(extent.hi[k]));
        }
    }
    // `+ 0.0` makes a zero positive.
    (low[0] <= high[0]).then(|| [low, high].map(|corner| corner.map(|c| c + 0.0)))
}

/// A part's box, rounded outwards.
pub(crate) fn extent(exact: Option<&WorldBox>) -> Aabb {
    exact.map_or(Aabb::EMPTY, |exact| Aabb { lo: exact.lower(), hi: exact.upper() })
}

/// The pairs of `subject` whose boxes meet; an error if far more than `most` are to be expected.
pub(crate) fn pairs(
    extents: &[Aabb],
    subject: &Pairs,
    (reach, most): (Option<Margin>, u64),
) -> anyhow::Result<Vec<[u32; 2]>> {
    // A file of some kilobytes may have half a million parts in one place: no memory holds so many pairs.
    let expected = expected_pairs(extents);
    if expected > 2.0 * most as f64 {
        let lie = lie(reach);
        bail!("some {expected:.0e} part pairs have boxes {lie}; at most {most} are tested (max_pairs)");
    }
    let all: Vec<u32> =
        (0..).zip(extents).filter(|(_, extent)| !extent.is_empty()).map(|(part, _)| part).collect();
    let mut found = Vec::new();
    Grid::new().update(extents, &all, &mut found);
    found.retain(|&pair| subject.asks(pair));
    Ok(found)
}

/// An error if more pairs are to be tested than `most`.
pub(crate) fn within_limit(tested: usize, (reach, most): (Option<Margin>, u64)) -> anyhow::Result<()> {
    if tested as u64 > most {
        let lie = lie(reach);
        bail!("{tested} part pairs have boxes {lie}; at most {most} are tested (max_pairs)");
    }
    Ok(())
}

/// How boxes of pairs lie that are tested.
fn lie(reach: Option<Margin>) -> String {
    match reach {
        Some(reach) => format!("within {} of each other", shortest([reach.get(); 2])),
        None => "that overlap".to_owned(),
    }
}

/// About how many pairs of boxes meet: some, evenly spread over the list, are compared with all.
fn expected_pairs(extents: &[Aabb]) -> f64 {
    let step = extents.len().div_ceil(SAMPLES).max(1);
    let samples = extents.iter().step_by(step);
    let meet = |sample: &Aabb| extents.iter().filter(|other| sample.meets(other)).count().saturating_sub(1);
    let found: usize = samples.clone().map(meet).sum();
    found as f64 / samples.len().max(1) as f64 * extents.len() as f64 / 2.0
}
