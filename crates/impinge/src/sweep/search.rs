//! The search for the first contact: intervals of time, halved until they are free or short.
use super::{
    Moving, Sweep, SweepOptions, Undecided,
    relative_motion::{Moment, Pair},
};
use crate::{
    BuildOptions, Model, Quality,
    distance::{self, MeshAt, TrianglePairDistances},
    margin::Margin,
    narrow::Narrow,
    query::Scratch,
    triangle::{decide::Poses, moving::FreeTime},
    vector::length,
    walk::QueryContext,
    wide::{
        SweptBudget, SweptLists, SweptMemory, SweptPart, SweptTransform, SweptWalk, WideTree, walk_swept,
    },
};
use std::{mem::take, ops::ControlFlow};

/// Work of the first walk of an interval that is given up. Each interval within one that gave up may take
/// twice as much: without that, dense regions would be halved down to the resolution.
const BUDGET: SweptBudget = SweptBudget { node_pairs: 2000, leaves: 1000 };

/// So many final intervals make up the resolution: a contact may lie in the last of several that are not
/// decided.
const FINALS: u32 = 4;

/// Final intervals without a contact after which the bodies count as grazing.
const MOST_FINALS: u32 = 64;

/// The largest turn of a body in an interval, in radians: `drift.rs` and `wide/swept.rs` assume it.
const MOST_TURN: f64 = 1.0;

/// Where triangles alone are left, the part of half an interval that must be free at its beginning for the
/// rest to be divided by where the gap closes.
const LEAST_GAIN: f64 = 1.0 / 64.0;

/// The least part of a rest that is divided off.
const LEAST_DIVISION: f64 = 1.0 / 65536.0;

/// What the walk of an interval did.
enum Walked {
    /// It added trees, leaves and triangles to the lists.
    Trees,
    /// It added only triangles. They stay apart for so long.
    Triangles(FreeTime),
    /// It took too much work.
    GaveUp,
}

/// Memory of a sweep.
#[derive(Debug, Default)]
struct Memory {
    lists: SweptLists,
    walk: SweptMemory,
}

/// Interval that is free or final.
#[derive(Clone, Copy, Debug)]
struct Interval {
    from: f64,
    to: f64,
}

impl Interval {
    fn middle(self) -> f64 {
        self.from / 2.0 + self.to / 2.0
    }
}

/// Moments that are not decided: neither free nor shown to have a contact.
#[derive(Clone, Copy, Debug)]
struct Spot {
    interval: Interval,
    pair: [u32; 2],
    /// Number of final intervals.
    finals: u32,
    /// True if moments between its intervals are free.
    is_torn: bool,
}

struct Search<'s, 'a> {
    pair: Pair<'a>,
    trees: [&'a WideTree; 2],
    ask: QueryContext<'s>,
    scratch: &'s mut Scratch,
    memory: Memory,
    options: &'s SweepOptions,
    /// Lengths of final intervals, in time and in space.
    width: f64,
    way: f64,
    intervals: u64,
    spot: Option<Spot>,
    result: Option<Sweep>,
}

impl QueryContext<'_> {
    pub(super) fn sweep(
        &self,
        [a, b]: [Moving<'_>; 2],
        options: &SweepOptions,
        scratch: &mut Scratch,
    ) -> Sweep {
        // Other crates' trees have no walk for sweeps.
        let quick = [a, b].map(|side| {
            let options = BuildOptions::new().quality(Quality::Fast);
            side.model
                .wide()
                .is_none()
                .then(|| Model::with_options(side.model.shared_mesh().clone(), &options))
        });
        let [a, b] = [(a, &quick[0]), (b, &quick[1])]
            .map(|(side, quick)| quick.as_ref().map_or(side, |model| Moving { model, ..side }));
        // The resting body's frame is that of the walk.
        if b.is_still() && !a.is_still() {
            return self.mixed().sweep_from([b, a], options, scratch).turned(&b);
        }
        self.mixed().sweep_from([a, b], options, scratch)
    }

    fn sweep_from(&self, [a, b]: [Moving<'_>; 2], options: &SweepOptions, scratch: &mut Scratch) -> Sweep {
        let (Some(of_a), Some(of_b)) = (a.model.wide(), b.model.wide()) else {
            unreachable!("both models have the fast tree")
        };
        let margin = options.margin.with_radii([a.radius, b.radius]);
        let pair = Pair::new([a, b], margin);
        if let Some(found) = self.first_within([&a.at(0.0), &b.at(0.0)], margin, scratch) {
            return Sweep::Contact { free_until: 0.0, meets_at: 0.0, pose: b.at(0.0).pose, pair: found };
        }
        let size = |model: &Model| {
            let [lo, hi] = model.extent();
            length([0, 1, 2].map(|k| hi[k] - lo[k]))
        };
        let smaller = match [size(a.model), size(b.model)].map(|x| x.max(2.0 * margin.get())) {
            // A point has no size.
            [0.0, x] | [x, 0.0] => x,
            [x, y] => x.min(y),
        };
        let tolerance = options.tolerance.unwrap_or(smaller / f64::from(1 << 30));
        let memory = take(scratch.own.get::<Memory>());
        let mut search = Search {
            pair,
            trees: [of_a, of_b],
            ask: *self,
            scratch,
            memory,
            options,
            width: options.resolution / f64::from(FINALS),
            way: tolerance / f64::from(FINALS),
            intervals: 0,
            spot: None,
            result: None,
        };
        let _ = search.run();
        let Search { memory, spot, result, .. } = search;
        *scratch.own.get() = memory;
        match (result, spot) {
            (Some(result), _) => result,
            (None, Some(spot)) => spot.near(None, Undecided::Grazing),
            (None, None) => Sweep::Clear,
        }
    }
}

impl Spot {
    fn near(&self, meets_at: Option<f64>, why: Undecided) -> Sweep {
        let Interval { from: free_until, to: until } = self.interval;
        Sweep::Near { free_until, until, pair: self.pair, meets_at, why }
    }
}

impl Sweep {
    /// The result with the bodies in the other order. `second` is the one that rests.
    fn turned(self, second: &Moving<'_>) -> Self {
        match self {
            Self::Clear => Self::Clear,
            Self::Contact { free_until, meets_at, pair: [i, j], .. } => {
                Self::Contact { free_until, meets_at, pose: second.at(meets_at).pose, pair: [j, i] }
            }
            Self::Near { free_until, until, pair: [i, j], meets_at, why } => {
                Self::Near { free_until, until, pair: [j, i], meets_at, why }
            }
        }
    }
}

impl Search<'_, '_> {
    fn run(&mut self) -> ControlFlow<()> {
        if self.options.verdict_only {
            for t in [1.0, 0.5, 0.25, 0.75] {
                self.probe(0.0, t)?;
            }
        }
        self.memory.lists.start(self.trees);
        let all = SweptPart { from: Default::default(), to: self.memory.lists.marks() };
        let mut from = 0.0;
        while from < 1.0 {
            let to = self.pair.a.next_knot(from).min(self.pair.b.next_knot(from));
            let inside = Interval { from, to }.middle();
            let [a, b] = [self.pair.a.twist(inside), self.pair.b.twist(inside)];
            let turn = (length(a.spin) + length(b.spin)) * (to - from);
            let pieces = (turn / MOST_TURN).ceil().max(1.0);
            let at = |k: f64| if k == pieces { to } else { from + (to - from) * (k / pieces) };
            let mut k = 0.0;
            while k < pieces {
                self.interval(Interval { from: at(k), to: at(k + 1.0) }, all, 0)?;
                k += 1.0;
            }
            from = to;
        }
        ControlFlow::Continue(())
    }

    /// Decides an interval, given what may meet in it; breaks if the search is over.
    fn interval(&mut self, interval: Interval, part: SweptPart, patience: u32) -> ControlFlow<()> {
        if self.ask.stop.is_set() {
            return ControlFlow::Break(());
        }
        self.intervals += 1;
        if self.intervals > self.options.most_intervals {
            let spot = self.spot.unwrap_or(Spot {
                interval: Interval { to: 1.0, ..interval },
                pair: self.memory.lists.pairs.last().copied().unwrap_or_default(),
                finals: 0,
                is_torn: false,
            });
            let all = Spot { interval: Interval { to: 1.0, ..spot.interval }, ..spot };
            self.result = Some(all.near(None, Undecided::Budget));
            return ControlFlow::Break(());
        }
        let middle = interval.middle();
        let half = (middle - interval.from).max(interval.to - middle) * (1.0 + 4.0 * f64::EPSILON);
        let moment = self.pair.at(middle, half);
        let before = self.memory.lists.marks();
        let walked = self.walk(&moment, part, patience);
        let left = if let Walked::GaveUp = walked {
            self.memory.lists.truncate(before);
            part
        } else {
            SweptPart { from: before, to: self.memory.lists.marks() }
        };
        if left.is_empty() {
            return ControlFlow::Continue(());
        }
        let is_short = interval.to - interval.from <= self.width
            || !(interval.from < middle && middle < interval.to)
            || moment.longest_way() <= self.way;
        let flow = match walked {
            _ if is_short => self.finish(interval, left),
            Walked::Triangles(free) if free.until > LEAST_GAIN - 1.0 => {
                self.narrow(interval, left, [free.until, free.closed_by].map(|s| middle + s * half), patience)
            }
            Walked::GaveUp => self.halve(interval, left, patience + 1),
            Walked::Triangles(_) | Walked::Trees => self.halve(interval, left, patience),
        };
        self.memory.lists.truncate(before);
        flow
    }

    /// Goes on with the part of an interval after `free_until`. Contact is likely before `closed_by`, so the
    /// part is divided there, and the first division contains the first contact: as in Newton's method, its
    /// length is about the square of the interval's.
    fn narrow(
        &mut self,
        interval: Interval,
        left: SweptPart,
        [free_until, closed_by]: [f64; 2],
        patience: u32,
    ) -> ControlFlow<()> {
        // The sum rounds once.
        let from = free_until.next_down().clamp(interval.from, interval.to);
        let rest = Interval { from, ..interval };
        let length = interval.to - from;
        let to = closed_by.clamp(from + length * LEAST_DIVISION, rest.middle());
        if !(from < to && to < interval.to) {
            return self.interval(rest, left, patience);
        }
        self.interval(Interval { from, to }, left, patience)?;
        self.interval(Interval { from: to, ..interval }, left, patience)
    }

    fn halve(&mut self, interval: Interval, left: SweptPart, patience: u32) -> ControlFlow<()> {
        let middle = interval.middle();
        let (early, late) = (Interval { to: middle, ..interval }, Interval { from: middle, ..interval });
        if self.options.verdict_only {
            self.probe(interval.from, middle)?;
        } else if patience > 0 && self.meets(middle).is_some() {
            // What comes later does not matter, and the early half ends in a contact.
            return self.interval(early, left, patience);
        }
        self.interval(early, left, patience)?;
        self.interval(late, left, patience)
    }

    /// Adds to the lists what may meet in an interval.
    fn walk(&mut self, moment: &Moment<'_>, part: SweptPart, patience: u32) -> Walked {
        let Memory { lists, walk } = &mut self.memory;
        if part.has_only_triangles() {
            let mut first = FreeTime::ALWAYS;
            for k in part.from.pairs..part.to.pairs {
                let pair = lists.pairs[k];
                let free = moment.free_time(pair);
                if !free.is_always() {
                    lists.pairs.push(pair);
                    first = if free.until < first.until { free } else { first };
                }
            }
            return Walked::Triangles(first);
        }
        let [of_a, of_b] = self.trees;
        let (a, b) = (&moment.a, &moment.b);
        let placement = of_a.placement(of_b, &moment.placement);
        let mut transforms = of_a.relative_transforms(of_b, &placement);
        if !self.pair.margin.is_zero() {
            transforms = transforms.loosened(distance::margins_of([a, b], [of_a, of_b], self.pair.margin));
        }
        let swept = SweptTransform::new(&moment.drift, of_a.turn(), &placement, of_b.reach(), moment.margin);
        let narrow = Narrow::new(a.mesh(), b.mesh(), &moment.b_to_a);
        let shift = patience.min(20);
        let is_done = walk_swept(
            self.ask.simd,
            SweptWalk {
                trees: [of_a, of_b],
                transforms: &transforms,
                swept: &swept,
                narrow: &narrow,
                part,
                lists,
                memory: walk,
                budget: SweptBudget {
                    node_pairs: BUDGET.node_pairs << shift,
                    leaves: BUDGET.leaves << shift,
                },
                count: &mut self.scratch.walk.counters.count,
                may_meet: &mut |pair| !moment.free_time(pair).is_always(),
            },
        );
        if is_done { Walked::Trees } else { Walked::GaveUp }
    }

    /// A pair in contact at a time, if there is one.
    fn meets(&mut self, t: f64) -> Option<[u32; 2]> {
        let (a, b) = (self.pair.a.at(t), self.pair.b.at(t));
        self.ask.first_within([&a, &b], self.pair.margin, self.scratch)
    }

    /// Ends the search if there is a contact at `t`, for a verdict: all before `free_until` is proved free.
    fn probe(&mut self, free_until: f64, t: f64) -> ControlFlow<()> {
        let Some(pair) = self.meets(t) else { return ControlFlow::Continue(()) };
        let free_until = self.spot.map_or(free_until, |spot| spot.interval.from);
        self.result = Some(Sweep::Contact { free_until, meets_at: t, pose: self.pair.b.at(t).pose, pair });
        ControlFlow::Break(())
    }

    /// Decides a final interval at its end, by the exact test.
    fn finish(&mut self, interval: Interval, left: SweptPart) -> ControlFlow<()> {
        let (a, b) = (self.pair.a.at(interval.to), self.pair.b.at(interval.to));
        let exact = Poses::new(&a.pose, &b.pose);
        let margin: Margin = self.pair.margin;
        let distances = TrianglePairDistances::new([MeshAt::of(&a), MeshAt::of(&b)]);
        let triangles = &self.memory.lists.pairs[left.from.pairs..left.to.pairs];
        let found = if left.has_only_triangles() {
            triangles.iter().copied().find(|&[i, j]| {
                if margin.is_zero() {
                    exact.meet(&a.model.mesh().corners(i), &b.model.mesh().corners(j))
                } else {
                    distances.are_within([i, j], &margin)
                }
            })
        } else {
            // Volumes are left: many are near, or the numbers are too large for the walk.
            self.meets(interval.to)
        };
        let first = triangles_first(&self.memory.lists, left);
        let spot = match self.spot {
            None => Spot { interval, pair: found.unwrap_or(first), finals: 1, is_torn: false },
            Some(spot) => Spot {
                interval: Interval { to: interval.to, ..spot.interval },
                pair: spot.pair,
                finals: spot.finals + 1,
                is_torn: spot.is_torn || spot.interval.to < interval.from,
            },
        };
        self.spot = Some(spot);
        let Interval { from: free_until, to: meets_at } = spot.interval;
        if let Some(pair) = found {
            let is_known = self.options.verdict_only || (!spot.is_torn && spot.finals <= FINALS);
            self.result = Some(if is_known {
                Sweep::Contact { free_until, meets_at, pose: b.pose, pair }
            } else {
                // The last moments that are not decided lie before the contact.
                spot.near(Some(meets_at), Undecided::Grazing)
            });
            return ControlFlow::Break(());
        }
        if spot.finals >= MOST_FINALS {
            self.result = Some(spot.near(None, Undecided::Grazing));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// A pair of triangles of a part, if it has one.
fn triangles_first(lists: &SweptLists, part: SweptPart) -> [u32; 2] {
    lists.pairs[part.from.pairs..part.to.pairs].first().copied().unwrap_or_default()
}
