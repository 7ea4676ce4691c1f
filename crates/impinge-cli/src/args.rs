//! Arguments that several commands take.
use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use impinge::{BuildOptions, Kind, Split};
use std::path::PathBuf;

/// How to write a result.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// For programs; every number in full.
    Json,
    /// For spreadsheets.
    Csv,
}

/// Where a result goes, and in which form.
#[derive(Args)]
pub(crate) struct Output {
    /// How to write the result.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,

    /// Write the result to FILE: whole or, if anything goes wrong, not at all.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The bounding volume of the trees. The answer does not depend on it.
#[derive(Args)]
pub(crate) struct Volume {
    /// Bounding volume of the trees; the answer does not depend on it.
    #[arg(long, default_value = "auto", value_parser = volumes())]
    volume: Kind,
}

/// Every volume of the library by its name, and `auto` for the library's own choice.
fn volumes() -> impl TypedValueParser<Value = Kind> {
    let names = ["auto"].into_iter().chain(Kind::ALL.iter().map(|kind| kind.name()));
    PossibleValuesParser::new(names)
        .map(|name| Kind::ALL.iter().copied().find(|kind| kind.name() == name).unwrap_or_default())
}

impl Volume {
    /// The volume asked for.
    pub(crate) fn kind(&self) -> Kind {
        self.volume
    }
}

/// A number of threads: more than 1024 are a slip, and starting them can take minutes.
pub(crate) fn threads() -> impl TypedValueParser<Value = u16> {
    clap::value_parser!(u16).range(..=1024)
}

/// How a tree cuts its triangles in two.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SplitRule {
    /// In the middle of the longest side.
    Midpoint,
    /// By the binned surface area heuristic.
    Sah,
}

/// How trees are built. The answer does not depend on it, only the time.
#[derive(Args)]
pub(crate) struct Tree {
    #[command(flatten)]
    volume: Volume,

    /// Where a tree cuts a set of triangles in two; the answer does not depend on it.
    #[arg(long, value_enum, default_value_t = SplitRule::Sah)]
    split: SplitRule,

    /// Most triangles in a leaf of a tree, 1 to 8.
    #[arg(long, value_name = "N", default_value_t = default_leaf(), value_parser = clap::value_parser!(u8).range(1..=8))]
    leaf_size: u8,
}

fn default_leaf() -> u8 {
    u8::try_from(BuildOptions::default().leaf_size).unwrap_or(1)
}

impl Tree {
    /// As the library wants them.
    pub(crate) fn options(&self) -> BuildOptions {
        let split = match self.split {
            SplitRule::Midpoint => Split::Midpoint,
            SplitRule::Sah => Split::Sah,
        };
        BuildOptions { kind: self.volume.kind(), split, leaf_size: usize::from(self.leaf_size) }
    }
}
