//! Every way to ask a tree of some kind.
use impinge::{Model, Query, SimdLevel};
use impinge_volumes::{Kind, Overlap, set_overlap};

/// The instruction sets that this processor has.
pub fn levels() -> Vec<SimdLevel> {
    SimdLevel::ALL.iter().copied().filter(|&level| level.in_use() == level).collect()
}

/// An overlap test of volumes, and instructions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// How volumes are compared.
    pub overlap: Overlap,
    /// The instructions that may be used.
    pub simd: SimdLevel,
}

impl Way {
    /// A query on these instructions.
    pub fn query(self) -> Query {
        Query::new().simd(self.simd)
    }
    /// Has the model's volumes compared in this way.
    ///
    /// # Panics
    /// If they cannot be.
    pub fn apply(self, model: &mut Model) {
        set_overlap(model, self.overlap).expect("a test that the kind has");
    }
}

/// Each overlap test of a kind and, where there is a choice of instructions, each of those.
pub fn ways(kind: Kind) -> Vec<Way> {
    let levels = if kind == Kind::Wide { levels() } else { vec![SimdLevel::Auto] };
    let with = |&overlap| levels.iter().map(move |&simd| Way { overlap, simd });
    kind.overlaps().iter().flat_map(with).collect()
}

/// Those of the `n`-th of several trees of a kind: all of them, but of instruction sets one, which go round.
pub fn ways_of(kind: Kind, n: usize) -> Vec<Way> {
    let all = ways(kind);
    if kind == Kind::Wide { vec![all[n % all.len()]] } else { all }
}

/// The split rules that a kind can be built by: one, if it has no choice.
pub fn splits(kind: Kind) -> &'static [impinge_volumes::Split] {
    use impinge_volumes::Split;
    // `auto` is one of the others.
    if kind == Kind::Wide { &Split::ALL[..1] } else { &Split::ALL[1..] }
}
