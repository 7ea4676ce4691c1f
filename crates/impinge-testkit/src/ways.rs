//! Every way to ask a tree of some kind.
use impinge::{Kind, Query, SimdLevel};

/// The instruction sets that this processor has.
pub fn levels() -> Vec<SimdLevel> {
    SimdLevel::ALL.iter().copied().filter(|&level| level.in_use() == level).collect()
}

/// A query for each overlap test of a kind and, where there is a choice of instructions, for each of those.
pub fn queries(kind: Kind) -> Vec<Query> {
    let levels = if kind == Kind::Wide { levels() } else { vec![SimdLevel::Auto] };
    let with = |&overlap| levels.iter().map(move |&simd| Query { overlap, simd });
    kind.overlaps().iter().flat_map(with).collect()
}

/// Those of the `n`-th of several trees of a kind: all of them, but of instruction sets one, which go round.
pub fn queries_of(kind: Kind, n: usize) -> Vec<Query> {
    let all = queries(kind);
    if kind == Kind::Wide { vec![all[n % all.len()]] } else { all }
}
