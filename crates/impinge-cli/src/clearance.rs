//! Which parts are near each other without meeting, and how near.
//!
//! A pair that is found takes 72 bytes.
use crate::{
    candidates::Candidates,
    clashes::{self, Clashes, body},
    parallel::in_order,
    progress::Progress,
};
use impinge::{Body, Gap, Margin, Query, Stop};
use impinge_io::Part;
use impinge_volumes::Options;
use rayon::ThreadPool;
use std::{
    cmp::Reverse,
    sync::atomic::{AtomicU64, Ordering},
};

/// What is asked.
#[derive(Clone, Debug)]
pub(crate) struct Clearance {
    /// Pairs that are no further apart are listed, and count.
    pub(crate) limit: Option<Margin>,
    /// Pairs that are no further apart are counted, for each of these; ascending, each once.
    pub(crate) what_if: Vec<Margin>,
}

/// Two parts that are near each other: they do not meet, nor is one known to be inside the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    /// Indices of the parts, the smaller first.
    pub(crate) parts: [u32; 2],
    /// The distance is no less than the first and no more than the second. If one of the lengths that were
    /// asked about lies between them, they are neighbours, or equal.
    pub(crate) distance: [f64; 2],
    /// On the one and on the other, rounded.
    pub(crate) points: [[f64; 3]; 2],
}

/// What was found.
pub(crate) struct Nears {
    pub(crate) asked: Clearance,
    /// Sorted by part indices.
    pub(crate) list: Vec<Near>,
    /// How many pairs are as near as each of [`Clearance::what_if`].
    pub(crate) counts: Vec<u64>,
    /// Pairs whose boxes are as near as what is asked for: all of them were tested.
    pub(crate) boxes_within: u64,
}

/// Pairs that a thread takes at a time.
const RUN: usize = 16;

impl Clearance {
    /// `None` if nothing is asked.
    pub(crate) fn new(limit: Option<Margin>, mut what_if: Vec<Margin>) -> Option<Self> {
        what_if.sort_by(|a, b| a.get().total_cmp(&b.get()));
        what_if.dedup();
        (limit.is_some() || !what_if.is_empty()).then_some(Self { limit, what_if })
    }
    /// What is further apart does not matter.
    pub(crate) fn reach(&self) -> Margin {
        let largest = self.limit.iter().chain(self.what_if.last()).map(|margin| margin.get());
        // The greatest of margins is one.
        Margin::new(largest.fold(0.0, f64::max)).unwrap_or_default()
    }
}

impl Nears {
    /// Finds the pairs of parts that are near, of those that may be by their boxes and that are no `clashes`.
    /// `options` make the trees, where other volumes than those of the clashes are needed.
    pub(crate) fn find(
        parts: &[Part],
        asked: Clearance,
        Candidates { mut within, .. }: Candidates,
        (clashes, options): (&Clashes, Option<&Options>),
        pool: &ThreadPool,
        progress: &Progress,
    ) -> anyhow::Result<Self> {
        let boxes_within = within.len() as u64;
        let meets = |pair: &[u32; 2]| clashes.list.binary_search_by_key(pair, |clash| clash.parts).is_ok();
        within.retain(|pair| !meets(pair));
        let own = match options {
            Some(options) => clashes::models(parts, options, pool, progress)?,
            None => Vec::new(),
        };
        let models = if options.is_some() { &own } else { clashes.models() };
        // The longest first, so that no thread is left alone with one at the end.
        let size = |part: u32| models[part as usize].mesh().len();
        within.sort_unstable_by_key(|&[a, b]| Reverse(size(a) + size(b)));

        progress.stage("measuring distances of pairs of parts", within.len() as u64);
        // How many pairs are within each margin, and not within the one before.
        let first_within: Vec<AtomicU64> = asked.what_if.iter().map(|_| AtomicU64::new(0)).collect();
        let look = |query: &mut Query, pair: [u32; 2]| {
            let [a, b] = pair.map(|part| body(parts, models, part));
            let stop = Stop::new().above(asked.reach());
            let mut gap = query.distance(&a, &b, stop)?;
            let mut is_within = |margin: &Margin| is_within(query, [&a, &b], &gap, *margin);
            if let Some(first) = asked.what_if.iter().position(&mut is_within) {
                first_within[first].fetch_add(1, Ordering::Relaxed);
            }
            let limit = asked.limit.filter(&mut is_within)?;
            // What is told must not seem to lie on the wrong side of a length that was asked about.
            let is_unclear = |margin: &Margin| gap.lo <= margin.get() && margin.get() <= gap.hi;
            if gap.lo < gap.hi && asked.what_if.iter().chain([&limit]).any(is_unclear) {
                gap = query.distance(&a, &b, stop.exact())?;
            }
            Some(Near { parts: pair, distance: [gap.lo, gap.hi.min(limit.get())], points: gap.points })
        };
        let found = in_order(pool, within.len().div_ceil(RUN), Query::new, |query, run| {
            let near = |&pair: &[u32; 2]| {
                let near = look(query, pair);
                progress.step(1);
                near
            };
            within.iter().skip(run * RUN).take(RUN).filter_map(near).collect::<Vec<_>>()
        });
        let mut list: Vec<Near> = found.into_iter().flatten().collect();
        list.sort_unstable_by_key(|near| near.parts);
        let mut sum = 0;
        let counts = first_within.into_iter().map(|count| {
            sum += count.into_inner();
            sum
        });
        Ok(Self { list, counts: counts.collect(), boxes_within, asked })
    }
}

/// Whether two bodies, whose distance is known to lie in an interval, are no further apart than the margin:
/// exactly.
fn is_within(query: &mut Query, [a, b]: [&Body<'_>; 2], gap: &Gap, margin: Margin) -> bool {
    gap.hi <= margin.get() || gap.lo <= margin.get() && query.within(a, b, margin)
}

#[cfg(test)]
mod tests {
    use super::Clearance;
    use impinge::Margin;

    #[test]
    fn the_largest_length_is_what_is_searched() {
        let margins = |lengths: &[f64]| lengths.iter().map(|&d| Margin::new(d).unwrap()).collect::<Vec<_>>();
        let asked = Clearance::new(None, margins(&[5.0, 1.0, 5.0, 2.0])).unwrap();
        assert_eq!(asked.what_if, margins(&[1.0, 2.0, 5.0]));
        assert_eq!(asked.reach().get(), 5.0);
        assert_eq!(Clearance::new(Some(Margin::ZERO), vec![]).unwrap().reach(), Margin::ZERO);
        let asked = Clearance::new(Some(margins(&[7.0])[0]), margins(&[3.0]));
        assert_eq!(asked.unwrap().reach().get(), 7.0);
        assert!(Clearance::new(None, vec![]).is_none());
    }
}
