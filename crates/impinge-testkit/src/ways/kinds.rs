//! Setups of the papers' volumes.
use super::levels;
use crate::cases::Setup;
use impinge::{Model, Query, SimdLevel};
use impinge_volumes::{Kind, Options, Overlap, Split, set_overlap};

/// An overlap test of volumes, and instructions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// Overlap test of volumes.
    pub overlap: Overlap,
    /// Instructions of the query.
    pub simd: SimdLevel,
}

impl Way {
    /// A query on these instructions.
    pub fn query(self) -> Query {
        Query::new().simd(self.simd)
    }
    /// Sets the overlap test of the model's volumes.
    ///
    /// # Panics
    /// Panics if the kind does not support it.
    pub fn apply(self, model: &mut Model) {
        set_overlap(model, self.overlap).expect("a test that the kind has");
    }
}

/// Each overlap test of a kind, combined with each set of instructions if there are several.
pub fn ways(kind: Kind) -> Vec<Way> {
    let levels = if kind == Kind::Wide { levels() } else { vec![SimdLevel::Auto] };
    let with = |&overlap| levels.iter().map(move |&simd| Way { overlap, simd });
    kind.overlaps().iter().flat_map(with).collect()
}

/// Ways for the `n`-th tree of a kind: all overlap tests, but one way in turn for the fast tree.
pub fn ways_of(kind: Kind, n: usize) -> Vec<Way> {
    let all = ways(kind);
    if kind == Kind::Wide { vec![all[n % all.len()]] } else { all }
}

/// The split rules of a kind: one, if it has no choice.
pub fn splits(kind: Kind) -> &'static [Split] {
    // `auto` is one of the others.
    if kind == Kind::Wide { &Split::ALL[..1] } else { &Split::ALL[1..] }
}

/// All kinds but the fast tree, which the library's own tests cover.
pub fn papers() -> impl Iterator<Item = Kind> {
    Kind::ALL.iter().copied().filter(|&kind| kind != Kind::Wide)
}

/// Trees of these options, for the tests that hold for every tree.
///
/// # Panics
/// Panics if the kind does not support the options.
pub fn setups(options: impl IntoIterator<Item = Options>) -> Vec<Setup> {
    let setup = |options: Options| {
        options.check().expect("options that the kind has");
        let build = move |mesh| options.build(mesh).expect("checked options");
        Setup::new(format!("{options:?}"), build)
    };
    options.into_iter().map(setup).collect()
}
