//! The search for the first contact: intervals of time, halved until they are free or short.
use super::{
    Moving, Sweep, SweepOptions, Undecided,
    heights::OverPlane,
    relative_motion::Pair,
    subject::{SweepMoment, SweepSubject},
};
use crate::{
    BuildOptions, HalfSpace, Model, Quality, distance,
    narrow::Narrow,
    query::Scratch,
    triangle::moving::FreeTime,
    vector::length,
    walk::QueryContext,
    wide::{
        SweptBudget, SweptLists, SweptMarks, SweptMemory, SweptPart, SweptTransform, SweptWalk, walk_swept,
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

/// So few pairs of triangles are tested one by one.
const FEW_PAIRS: usize = 16;

/// If one body is more than so many times larger than the other, its frame is taken.
const MOST_RATIO: f64 = (1_u32 << 20) as f64;

/// SweepMemory of a sweep.
#[derive(Debug, Default)]
struct SweepMemory {
    lists: SweptLists,
    walk: SweptMemory,
}

/// TimeSpan that is free or final.
#[derive(Clone, Copy, Debug)]
struct TimeSpan {
    from: f64,
    to: f64,
}

impl TimeSpan {
    /// A time in the middle, and before the end: that may belong to another leg.
    fn middle(self) -> f64 {
        let middle = self.from / 2.0 + self.to / 2.0;
        if middle < self.to { middle } else { self.from }
    }
}

/// Moments that are not decided: neither free nor shown to have a contact.
#[derive(Clone, Copy, Debug)]
struct UndecidedSpan {
    /// The first of them, until a free moment.
    span: TimeSpan,
    pair: [u32; 2],
    /// Number of final intervals.
    finals: u32,
    /// True if there were more after a free moment.
    is_torn: bool,
}

struct SweepSearch<'s, 'a> {
    subject: SweepSubject<'a>,
    ask: QueryContext<'s>,
    scratch: &'s mut Scratch,
    memory: SweepMemory,
    options: &'s SweepOptions,
    /// The end of the times.
    until: f64,
    /// Lengths of final intervals, in time and in space.
    width: f64,
    way: f64,
    intervals: u64,
    spot: Option<UndecidedSpan>,
    result: Option<Sweep>,
}

impl QueryContext<'_> {
    /// The sweep of two bodies up to a time.
    pub(crate) fn sweep(
        &self,
        [a, b]: [Moving<'_>; 2],
        options: &SweepOptions,
        until: f64,
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
        // The first body's frame is that of the walk. It had better be rigid, as margins are lengths in the
        // world; it had better rest; and a body that is much smaller than the other has too small a unit.
        let [size_a, size_b] = [a, b].map(|side| model_size(side.model));
        let [is_rigid_a, is_rigid_b] = [a, b].map(|side| side.at(0.0).pose.is_rigid());
        let is_uneven = size_a.min(size_b) * MOST_RATIO < size_a.max(size_b);
        let is_second_first = if is_rigid_a != is_rigid_b {
            is_rigid_b
        } else if a.is_still() == b.is_still() || is_uneven {
            size_a < size_b
        } else {
            b.is_still()
        };
        if is_second_first {
            return self.mixed().sweep_from([b, a], options, until, scratch).turned(&b);
        }
        self.mixed().sweep_from([a, b], options, until, scratch)
    }

    fn sweep_from(
        &self,
        [a, b]: [Moving<'_>; 2],
        options: &SweepOptions,
        until: f64,
        scratch: &mut Scratch,
    ) -> Sweep {
        let (Some(of_a), Some(of_b)) = (a.model.wide(), b.model.wide()) else {
            unreachable!("both models have the fast tree")
        };
        let margin = options.margin.with_radii([a.radius, b.radius]);
        let pair = Pair::new([a, b], margin);
        let size = |model: &Model| model_size(model).max(2.0 * margin.get());
        let smaller = match [size(a.model), size(b.model)] {
            // A point has no size.
            [0.0, x] | [x, 0.0] => x,
            [x, y] => x.min(y),
        };
        let is_walked =
            a.model.mesh().len().saturating_mul(b.model.mesh().len()) > FEW_PAIRS && pair.can_be_walked();
        let trees = is_walked.then_some([of_a, of_b]);
        self.run_sweep(SweepSubject::Bodies { pair, trees }, smaller, options, until, scratch)
    }

    /// The sweep of a body over a half-space; pairs begin with the half-space's face, 0.
    pub(crate) fn sweep_over(
        &self,
        half_space: &HalfSpace,
        b: Moving<'_>,
        options: &SweepOptions,
        until: f64,
        scratch: &mut Scratch,
    ) -> Sweep {
        let margin = options.margin.with_radii([b.radius, 0.0]);
        let over = OverPlane { half_space, b, margin };
        let size = model_size(b.model).max(2.0 * margin.get());
        self.mixed().run_sweep(SweepSubject::OverPlane(over), size, options, until, scratch)
    }

    fn run_sweep(
        &self,
        subject: SweepSubject<'_>,
        size: f64,
        options: &SweepOptions,
        until: f64,
        scratch: &mut Scratch,
    ) -> Sweep {
        let tolerance = options.tolerance.unwrap_or(size / f64::from(1 << 30));
        let memory = take(scratch.own.get::<SweepMemory>());
        let mut search = SweepSearch {
            subject,
            ask: *self,
            scratch,
            memory,
            options,
            until,
            width: options.resolution / f64::from(FINALS),
            way: tolerance / f64::from(FINALS),
            intervals: 0,
            spot: None,
            result: None,
        };
        let _ = search.run();
        let SweepSearch { memory, spot, result, .. } = search;
        *scratch.own.get() = memory;
        match (result, spot) {
            (Some(result), _) => result,
            (None, Some(spot)) => spot.near(None, Undecided::Grazing),
            (None, None) => Sweep::Clear,
        }
    }
}

/// The length of the diagonal of a model's box.
fn model_size(model: &Model) -> f64 {
    let [lo, hi] = model.extent();
    length([0, 1, 2].map(|k| hi[k] - lo[k]))
}

impl UndecidedSpan {
    fn near(&self, meets_at: Option<f64>, why: Undecided) -> Sweep {
        let TimeSpan { from: free_until, to: until } = self.span;
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

impl SweepSearch<'_, '_> {
    fn run(&mut self) -> ControlFlow<()> {
        let start = self.options.after;
        if let Some(pair) = self.meets(start) {
            let pose = self.subject.b().at(start).pose;
            self.result = Some(Sweep::Contact { free_until: start, meets_at: start, pose, pair });
            return ControlFlow::Break(());
        }
        if self.options.verdict_only {
            for part in [1.0, 0.5, 0.25, 0.75] {
                self.probe(start, start + part * (self.until - start))?;
            }
        }
        let lists = &mut self.memory.lists;
        match &self.subject {
            SweepSubject::Bodies { trees: Some(trees), .. } => lists.start(*trees),
            SweepSubject::Bodies { pair: Pair { a, b, .. }, trees: None } => {
                lists.truncate(SweptMarks::default());
                let [n, m] = [a, b].map(|side| side.model.mesh().len() as u32);
                lists.pairs.extend((0..n).flat_map(|i| (0..m).map(move |j| [i, j])));
            }
            SweepSubject::OverPlane(over) => {
                lists.truncate(SweptMarks::default());
                lists.pairs.extend((0..over.b.model.mesh().len() as u32).map(|triangle| [0, triangle]));
            }
        }
        let all = SweptPart { from: SweptMarks::default(), to: lists.marks() };
        let mut from = start;
        while from < self.until {
            let (to, turn) = self.subject.next_piece(from);
            let to = to.min(self.until);
            let pieces = (turn * (to - from) / MOST_TURN).ceil().max(1.0);
            let at = |k: f64| if k == pieces { to } else { from + (to - from) * (k / pieces) };
            let mut k = 0.0;
            while k < pieces {
                self.interval(TimeSpan { from: at(k), to: at(k + 1.0) }, all, 0)?;
                k += 1.0;
            }
            from = to;
        }
        ControlFlow::Continue(())
    }

    /// Decides an interval, given what may meet in it; breaks if the search is over.
    fn interval(&mut self, interval: TimeSpan, part: SweptPart, patience: u32) -> ControlFlow<()> {
        if self.ask.stop.is_set() {
            return ControlFlow::Break(());
        }
        self.intervals += 1;
        if self.intervals > self.options.most_intervals {
            let spot = self.spot.unwrap_or(UndecidedSpan {
                span: TimeSpan { to: self.until, ..interval },
                pair: self.memory.lists.pairs.last().copied().unwrap_or_default(),
                finals: 0,
                is_torn: false,
            });
            let all = UndecidedSpan { span: TimeSpan { to: self.until, ..spot.span }, ..spot };
            self.result = Some(all.near(None, Undecided::Budget));
            return ControlFlow::Break(());
        }
        let middle = interval.middle();
        let half = (middle - interval.from).max(interval.to - middle) * (1.0 + 4.0 * f64::EPSILON);
        let moment = self.subject.at(middle, half);
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
        interval: TimeSpan,
        left: SweptPart,
        [free_until, closed_by]: [f64; 2],
        patience: u32,
    ) -> ControlFlow<()> {
        // The sum rounds once.
        let from = free_until.next_down().clamp(interval.from, interval.to);
        let rest = TimeSpan { from, ..interval };
        let length = interval.to - from;
        let to = closed_by.clamp(from + length * LEAST_DIVISION, rest.middle());
        if !(from < to && to < interval.to) {
            return self.interval(rest, left, patience);
        }
        self.interval(TimeSpan { from, to }, left, patience)?;
        self.interval(TimeSpan { from: to, ..interval }, left, patience)
    }

    fn halve(&mut self, interval: TimeSpan, left: SweptPart, patience: u32) -> ControlFlow<()> {
        let middle = interval.middle();
        let (early, late) = (TimeSpan { to: middle, ..interval }, TimeSpan { from: middle, ..interval });
        if self.options.verdict_only {
            self.probe(interval.from, middle)?;
        }
        self.interval(early, left, patience)?;
        self.interval(late, left, patience)
    }

    /// Adds to the lists what may meet in an interval.
    fn walk(&mut self, moment: &SweepMoment<'_>, part: SweptPart, patience: u32) -> Walked {
        let SweepMemory { lists, walk } = &mut self.memory;
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
        let (SweepMoment::Bodies(moment), SweepSubject::Bodies { pair, trees: Some([of_a, of_b]) }) =
            (moment, &self.subject)
        else {
            unreachable!("without trees there are only triangles")
        };
        let (of_a, of_b) = (*of_a, *of_b);
        let (a, b) = (&moment.a, &moment.b);
        let placement = of_a.placement(of_b, &moment.placement());
        let mut transforms = of_a.relative_transforms(of_b, &placement);
        if !pair.margin.is_zero() {
            transforms = transforms.loosened(distance::margins_of([a, b], [of_a, of_b], pair.margin));
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
        self.subject.meets(t, &self.ask, self.scratch)
    }

    /// Ends the search if there is a contact at `t`, for a verdict: all before `free_until` is proved free.
    fn probe(&mut self, free_until: f64, t: f64) -> ControlFlow<()> {
        let Some(pair) = self.meets(t) else { return ControlFlow::Continue(()) };
        let free_until = self.spot.map_or(free_until, |spot| spot.span.from);
        self.result =
            Some(Sweep::Contact { free_until, meets_at: t, pose: self.subject.b().at(t).pose, pair });
        ControlFlow::Break(())
    }

    /// Decides a final interval at its end, by the exact test.
    fn finish(&mut self, interval: TimeSpan, left: SweptPart) -> ControlFlow<()> {
        // Volumes are left where many are near, or numbers are too large for the walk.
        let found = match &self.subject {
            SweepSubject::Bodies { pair, .. } if left.has_only_triangles() => {
                let triangles = &self.memory.lists.pairs[left.from.pairs..left.to.pairs];
                pair.meeting(interval.to, triangles)
            }
            SweepSubject::Bodies { .. } | SweepSubject::OverPlane(_) => self.meets(interval.to),
        };
        let first = least_pair(&self.memory.lists, left);
        let spot = match self.spot {
            None => UndecidedSpan { span: interval, pair: found.unwrap_or(first), finals: 1, is_torn: false },
            Some(spot) => {
                let is_torn = spot.is_torn || spot.span.to < interval.from;
                let to = if is_torn { spot.span.to } else { interval.to };
                let span = TimeSpan { to, ..spot.span };
                UndecidedSpan { span, finals: spot.finals + 1, is_torn, ..spot }
            }
        };
        self.spot = Some(spot);
        let (free_until, meets_at) = (spot.span.from, interval.to);
        if let Some(pair) = found {
            let is_short = meets_at - free_until <= self.options.resolution;
            let is_known = self.options.verdict_only || is_short || (!spot.is_torn && spot.finals <= FINALS);
            self.result = Some(if is_known {
                let pose = self.subject.b().at(meets_at).pose;
                Sweep::Contact { free_until, meets_at, pose, pair }
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

/// The least pair of triangles of a part, if it has one.
fn least_pair(lists: &SweptLists, part: SweptPart) -> [u32; 2] {
    lists.pairs[part.from.pairs..part.to.pairs].iter().min().copied().unwrap_or_default()
}
