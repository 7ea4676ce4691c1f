//! Options that choose volumes, and how their trees are built.
use anyhow::bail;
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use impinge::Quality;
use impinge_volumes::{Fit, Kind, Options, Overlap, Split};

/// The volumes of the trees, and how these are built.
#[derive(Args)]
pub(crate) struct Choices {
    /// Bounding volumes with commas between them; `impinge-papers volumes` describes them.
    #[arg(long, default_value = ALL, value_delimiter = ',', value_parser = volume())]
    volume: Vec<Wanted>,

    /// Where a tree cuts a set of triangles in two.
    #[arg(long, default_value = "auto", value_parser = choice(Split::ALL, Split::name))]
    split: Split,

    /// The method that fits a volume to triangles. Where some volumes lack this fit, name others by --volume.
    #[arg(long, default_value = "auto", value_parser = choice(Fit::ALL, Fit::name))]
    fit: Fit,

    /// Overlap test. Where some volumes lack it, name others by --volume.
    #[arg(long, default_value = "auto", value_parser = choice(Overlap::ALL, Overlap::name))]
    overlap: Overlap,

    /// Most triangles in a leaf, 1 to 8; 0 for 8 of `wide` and 4 of the others.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=8))]
    leaf_size: u8,

    /// Most children of a node; by default the fewest that the volume allows. Where some volumes lack the
    /// choice, name others by --volume.
    #[arg(long, value_name = "N", value_parser = arity())]
    arity: Option<u8>,

    /// Care of the build, where there is a choice (`wide`).
    #[arg(long, default_value = "high", value_parser = choice(BUILT, Quality::name))]
    quality: Quality,

    /// Keep leaves in 16 bits a coordinate, where there is a choice (`wide`).
    #[arg(long)]
    compact: bool,
}

/// A name in the list of volumes.
#[derive(Clone, Copy)]
enum Wanted {
    All,
    One(Kind),
}

/// Name that selects all volumes.
const ALL: &str = "all";

/// Another name of [`Kind::Boxtree`], which stores a pair of children in the layout of Zachmann (2002,
/// section 3.2.5).
const BOXTREE_PAIR: &str = "boxtree-pair";

/// Qualities of trees that are built at once, not during queries.
const BUILT: &[Quality] = &[Quality::High, Quality::Fast];

fn volume() -> impl TypedValueParser<Value = Wanted> {
    let names = Kind::ALL.iter().map(|&kind| {
        let value = PossibleValue::new(kind.name());
        if kind == Kind::Boxtree { value.alias(BOXTREE_PAIR) } else { value }
    });
    PossibleValuesParser::new(names.chain([PossibleValue::new(ALL)])).map(|name| {
        let name = if name == BOXTREE_PAIR { Kind::Boxtree.name() } else { &name };
        Kind::ALL.iter().copied().find(|kind| kind.name() == name).map_or(Wanted::All, Wanted::One)
    })
}

fn arity() -> impl TypedValueParser<Value = u8> {
    PossibleValuesParser::new(["2", "4", "8"]).map(|n| n.parse::<u8>().unwrap_or(2))
}

/// A parser for one of the library's choices, by its name.
fn choice<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&one| name(one)))
        .try_map(move |text| all.iter().copied().find(|&one| name(one) == text).ok_or("no such choice"))
}

impl Choices {
    /// Options for each chosen volume, without repetition, in the given order.
    pub(crate) fn options(&self) -> anyhow::Result<Vec<Options>> {
        let mut kinds: Vec<Kind> = Vec::new();
        for wanted in &self.volume {
            let named = match wanted {
                Wanted::All => Kind::ALL,
                Wanted::One(kind) => std::slice::from_ref(kind),
            };
            kinds.extend(named.iter().copied().filter(|kind| !kinds.contains(kind)).collect::<Vec<_>>());
        }
        kinds.into_iter().map(|kind| self.options_of(kind)).collect()
    }

    fn options_of(&self, kind: Kind) -> anyhow::Result<Options> {
        let fit = available("--fit", self.fit, kind, kind.fits(), Fit::name)?;
        let overlap = available("--overlap", self.overlap, kind, kind.overlaps(), Overlap::name)?;
        let options = Options::new(kind)
            .split(self.split)
            .fit(fit)
            .overlap(overlap)
            .leaf_size(usize::from(self.leaf_size))
            .arity(self.arity.map_or(0, usize::from))
            .quality(self.quality)
            .compact(self.compact);
        options.check()?;
        Ok(options)
    }
}

/// Returns `wanted` if it is `auto` or if the volume has it, and an error otherwise.
fn available<T: Copy + Default + PartialEq>(
    option: &str,
    wanted: T,
    kind: Kind,
    known: &[T],
    name: fn(T) -> &'static str,
) -> anyhow::Result<T> {
    if wanted == T::default() || known.contains(&wanted) {
        return Ok(wanted);
    }
    let known: Vec<_> = known.iter().map(|&one| name(one)).collect();
    bail!(
        "{option} {}: the volume '{}' has only: {}; --volume names those that have it",
        name(wanted),
        kind.name(),
        known.join(", ")
    )
}
