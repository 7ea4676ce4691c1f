//! The subject of a sweep: two bodies, or a body over a half-space.
use super::{
    Moving,
    heights::{HeightMoment, OverPlane},
    relative_motion::{Pair, PairMoment},
};
use crate::{query::Scratch, triangle::moving::FreeTime, walk::QueryContext, wide::WideTree};

/// The subject of a sweep. Of two bodies the first one rests, or counts so.
#[expect(clippy::large_enum_variant, reason = "one at a time, on the stack")]
pub(super) enum SweepSubject<'a> {
    /// Two bodies, and their trees, if these are walked.
    Bodies { pair: Pair<'a>, trees: Option<[&'a WideTree; 2]> },
    /// A half-space, which has one face, and a body.
    OverPlane(OverPlane<'a>),
}

/// A subject at the middle of an interval.
#[expect(clippy::large_enum_variant, reason = "one at a time, on the stack")]
pub(super) enum SweepMoment<'a> {
    Bodies(PairMoment<'a>),
    OverPlane(HeightMoment<'a>),
}

impl<'a> SweepSubject<'a> {
    pub(super) fn at(&self, t: f64, half: f64) -> SweepMoment<'a> {
        match self {
            Self::Bodies { pair, .. } => SweepMoment::Bodies(pair.at(t, half)),
            Self::OverPlane(over) => SweepMoment::OverPlane(over.at(t, half)),
        }
    }
    /// The body that moves for certain.
    pub(super) fn b(&self) -> &Moving<'a> {
        match self {
            Self::Bodies { pair, .. } => &pair.b,
            Self::OverPlane(over) => &over.b,
        }
    }
    /// A pair in contact at a time, if there is one.
    pub(super) fn meets(&self, t: f64, ask: &QueryContext<'_>, scratch: &mut Scratch) -> Option<[u32; 2]> {
        match self {
            Self::Bodies { pair: Pair { a, b, margin, .. }, .. } => {
                ask.first_within([&a.at(t), &b.at(t)], *margin, scratch)
            }
            Self::OverPlane(OverPlane { half_space, b, margin }) => {
                let found = ask.first_low(&b.at(t), half_space, *margin, scratch);
                found.map(|triangle| [0, triangle])
            }
        }
    }
    /// The end of what has one twist after `t`, and how far both bodies turn in a unit of time there.
    pub(super) fn next_piece(&self, t: f64) -> (f64, f64) {
        let a = match self {
            Self::Bodies { pair, .. } => Some(&pair.a),
            Self::OverPlane(_) => None,
        };
        let to = self.b().next_knot(t).min(a.map_or(1.0, |a| a.next_knot(t)));
        let inside = t / 2.0 + to / 2.0;
        (to, self.b().turning(inside) + a.map_or(0.0, |a| a.turning(inside)))
    }
}

impl SweepMoment<'_> {
    pub(super) fn free_time(&self, pair: [u32; 2]) -> FreeTime {
        match self {
            Self::Bodies(moment) => moment.free_time(pair),
            Self::OverPlane(moment) => moment.free_time(pair[1]),
        }
    }
    pub(super) fn longest_way(&self) -> f64 {
        match self {
            Self::Bodies(moment) => moment.longest_way(),
            Self::OverPlane(moment) => moment.longest_way(),
        }
    }
}
