//! Queries that compare volumes, and their results.
use anyhow::bail;
use clap::ValueEnum;
use impinge::{
    Body, Query,
    distance::{DistanceBounds, Margin},
    relation::Relation,
};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    hint::black_box,
};

/// A query of two bodies.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Question {
    /// Whether any two triangles meet: stops at the first that do.
    Boolean,
    /// Every pair of triangles that meet.
    Pairs,
    /// The relation of the bodies as solids.
    Relation,
    /// The distance of the surfaces. With another volume than `wide` this takes long.
    Distance,
    /// Whether the surfaces are at most `--margin` apart.
    Within,
}

/// Result of a [`Question`].
pub(crate) enum Answer {
    Boolean(bool),
    Pairs {
        count: u64,
        /// Hash of all sorted pairs. The pairs themselves do not fit in memory if each of many frames has
        /// millions.
        hash: u64,
    },
    Relation(Relation),
    Distance(Option<DistanceBounds>),
    Within(bool),
}

/// Greatest number of triangle pairs in a frame: 320 MB.
const MOST_PAIRS: usize = 40_000_000;

impl Question {
    pub(crate) fn ask(
        self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        query: &mut Query,
        pairs: &mut Vec<[u32; 2]>,
    ) -> anyhow::Result<Answer> {
        Ok(match self {
            Self::Boolean => Answer::Boolean(query.intersects(a, b)),
            Self::Pairs => {
                let count = query.pairs_at_most(a, b, MOST_PAIRS, pairs).count;
                if count > pairs.len() as u64 {
                    bail!("more than {MOST_PAIRS} triangle pairs meet in one frame");
                }
                let mut hasher = DefaultHasher::new();
                pairs.hash(&mut hasher);
                Answer::Pairs { count, hash: hasher.finish() }
            }
            Self::Relation => Answer::Relation(query.relation(a, b)),
            Self::Distance => Answer::Distance(query.distance(a, b)),
            Self::Within => Answer::Within(query.within(a, b, margin)),
        })
    }
    /// Runs the query alone, to time it.
    pub(crate) fn run(
        self,
        [a, b]: [&Body<'_>; 2],
        margin: Margin,
        query: &mut Query,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        match self {
            Self::Boolean => drop(black_box(query.intersects(a, b))),
            Self::Pairs => drop(black_box(query.pairs_at_most(a, b, MOST_PAIRS, pairs))),
            Self::Relation => drop(black_box(query.relation(a, b))),
            Self::Distance => drop(black_box(query.distance(a, b))),
            Self::Within => drop(black_box(query.within(a, b, margin))),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Pairs => "pairs",
            Self::Relation => "relation",
            Self::Distance => "distance",
            Self::Within => "within",
        }
    }
}

impl Answer {
    /// True if both can be results of one query. Two intervals of a distance agree if they overlap.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) | (Self::Within(a), Self::Within(b)) => a == b,
            (Self::Pairs { count: a, hash: x }, Self::Pairs { count: b, hash: y }) => (a, x) == (b, y),
            (Self::Relation(a), Self::Relation(b)) => (a.kind, a.touching) == (b.kind, b.touching),
            (Self::Distance(Some(a)), Self::Distance(Some(b))) => a.lo <= b.hi && b.lo <= a.hi,
            (Self::Distance(None), Self::Distance(None)) => true,
            _ => false,
        }
    }
}
