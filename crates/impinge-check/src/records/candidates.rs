//! Candidate pairs: parts whose boxes meet, or are near each other.
use crate::{
    parts::boxes,
    pool::Pool,
    question::{
        asked::Asked,
        pairs::Pairs,
        reach::grown,
        test_plan::{Candidate, Ledger},
    },
    records::run::Run,
    watch::Watch,
};
use impinge::{broad_phase::Aabb, world::WorldBox};
use impinge_io::Part;

/// The pairs of parts that a run has to decide, in any order. Their exact closed world boxes meet. If the
/// check has a distance, the list also has all pairs whose boxes are no further apart than that along any
/// axis, up to rounding.
pub(crate) struct Candidates {
    pub(crate) list: Vec<Candidate>,
    /// The numbers of pairs that rules removed.
    pub(crate) ledger: Ledger,
    /// The box around each part, rounded outwards.
    pub(crate) extents: Vec<Aabb>,
}

/// The exact boxes of the parts that need them: few parts if the cache holds most pairs.
struct ExactBoxes {
    /// The index in `list` for each part, or [`ExactBoxes::NONE`].
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
    /// Adds the boxes of parts that have none yet.
    fn add(&mut self, run: &Run<'_>, which: &[usize]) {
        let (parts, first) = (run.parts, self.list.len());
        if which.len() == parts.len() {
            self.list = boxes::each(parts, run.pool, run.watch, |exact| exact);
        } else {
            let some: Vec<Part> = which.iter().map(|&part| parts[part].clone()).collect();
            self.list.append(&mut boxes::each(&some, run.pool, run.watch, |exact| exact));
        }
        which.iter().zip(first..).for_each(|(&part, place)| self.places[part] = place as u32);
    }
    /// Selects the pairs that a run has to decide.
    fn candidates(&self, pairs: Vec<[u32; 2]>, asked: &Asked) -> Vec<Candidate> {
        let boxes_meet = |pair: [u32; 2]| {
            let [a, b] = pair.map(|part| self.get(part as usize));
            a.zip(b).is_some_and(|(a, b)| a.meets(b))
        };
        let all = pairs.into_iter().map(|pair| Candidate { pair, boxes_meet: boxes_meet(pair) });
        all.filter(|candidate| asked.clearance.is_some() || candidate.boxes_meet).collect()
    }
}

/// The pairs of some test whose rounded boxes meet, or are within the clearance of the check.
pub(crate) struct BoxPairs {
    pub(crate) pairs: Vec<[u32; 2]>,
    ledger: Ledger,
    extents: Vec<Aabb>,
    boxes: ExactBoxes,
}

impl BoxPairs {
    /// Finds the pairs of `subject`; an error if there are too many. `known` returns the box of a part,
    /// rounded outwards, if it need not be computed again.
    pub(crate) fn find(
        run: &Run<'_>,
        subject: &Pairs,
        known: impl Fn(usize) -> Option<Aabb>,
    ) -> anyhow::Result<Self> {
        let Run { parts, asked, watch, .. } = *run;
        let mut boxes = ExactBoxes::new(parts.len());
        let new: Vec<usize> = (0..parts.len()).filter(|&part| known(part).is_none()).collect();
        boxes.add(run, &new);
        let of = |part: usize| known(part).unwrap_or_else(|| extent(boxes.get(part)));
        let extents: Vec<Aabb> = (0..parts.len()).map(of).collect();
        watch.stage("finding boxes that meet, boxes", parts.len() as u64);
        let grown = asked.clearance.as_ref().map(|clearance| {
            let tolerance = |part| run.tolerances.as_ref().map(|all| all.of(part));
            let grow = |(part, &extent)| grown(extent, clearance.reach_of(tolerance(part)));
            (0..).zip(&extents).map(grow).collect::<Vec<_>>()
        });
        let mut pairs = asked.pair_limit().boxes_that_meet(grown.as_ref().unwrap_or(&extents))?;
        let mut ledger = Ledger::new(&asked.tests);
        let reaches = run.reaches(&extents);
        match subject {
            // Pairs that the function leaves out count as pairs of the tests.
            Pairs::Where(_) => ledger.retain(&asked.tests, &mut pairs, &reaches, |pair| subject.asks(pair)),
            Pairs::All | Pairs::Across { .. } => {
                pairs.retain(|&pair| subject.asks(pair));
                ledger.retain(&asked.tests, &mut pairs, &reaches, |_| true);
            }
        }
        Ok(Self { pairs, ledger, extents, boxes })
    }
    /// Selects the pairs that a run has to decide. An error if these and `others`, pairs that a cache has
    /// decided, are too many.
    pub(crate) fn candidates(mut self, run: &Run<'_>, others: usize) -> anyhow::Result<Candidates> {
        // `find` computed no exact boxes of known parts.
        let needed = self.pairs.iter().flatten().map(|&part| part as usize);
        let mut needed: Vec<usize> = needed.filter(|&part| !self.boxes.has(part)).collect();
        needed.sort_unstable();
        needed.dedup();
        self.boxes.add(run, &needed);
        let Self { pairs, ledger, extents, boxes } = self;
        let mut list = boxes.candidates(pairs, run.asked);
        drop_far(run, &mut list, &extents);
        run.asked.pair_limit().allows(others + list.len())?;
        Ok(Candidates { list, ledger, extents })
    }
}

impl Candidates {
    /// The candidates among pairs whose rounded boxes meet, such as [`BoxPairs`] finds.
    pub(crate) fn of_pairs(run: &Run<'_>, pairs: Vec<[u32; 2]>) -> Self {
        let mut boxes = ExactBoxes::new(run.parts.len());
        boxes.add(run, &(0..run.parts.len()).collect::<Vec<_>>());
        let extents = (0..run.parts.len()).map(|part| extent(boxes.get(part))).collect();
        Self { list: boxes.candidates(pairs, run.asked), ledger: Ledger::new(&run.asked.tests), extents }
    }
    /// For each of `count` parts, true if it is in a candidate pair.
    pub(crate) fn parts(&self, count: usize) -> Vec<bool> {
        let mut is_in_pair = vec![false; count];
        let all = self.list.iter().flat_map(|candidate| candidate.pair);
        all.for_each(|part| is_in_pair[part as usize] = true);
        is_in_pair
    }
}

/// Drops pairs that are further apart than the longest clearance of their own tests.
fn drop_far(run: &Run<'_>, list: &mut Vec<Candidate>, extents: &[Aabb]) {
    let Some(clearance) = &run.asked.clearance else { return };
    let reaches = run.reaches(extents);
    list.retain(|&Candidate { pair, boxes_meet }| {
        let of_tests = run.asked.tests.of_pair(pair).clearances.last().copied();
        let lengths = clearance.what_if.last().copied().into_iter().chain(of_tests);
        let longest = lengths.reduce(|a, b| if a.get() < b.get() { b } else { a });
        boxes_meet
            || longest.is_some_and(|longest| {
                longest == clearance.longest() || reaches.boxes_are_within(pair, longest)
            })
    });
}

/// The least and the greatest corner of the box around all parts, rounded outwards. A report on the parts has
/// the same ([`Report::extent`](crate::Report::extent)). `None` if no part has a triangle.
pub fn extent_of(parts: &[Part], pool: &Pool) -> Option<[[f64; 3]; 2]> {
    around(&boxes::each(parts, pool, &Watch::new(), |exact| extent(exact.as_ref())))
}

/// The corners of the box around boxes; `None` if all are empty.
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
