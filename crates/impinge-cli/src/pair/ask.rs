//! The queries of `impinge pair`.
use super::{grid::GridQuery, one_mesh, two_meshes};
use clap::{ValueEnum, builder::PossibleValue};
use std::sync::LazyLock;

/// What `--query` requests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    Boolean,
    Pairs,
    Relation,
    Distance,
    Within,
    Curves,
    /// One whose result is rows.
    Grid(&'static GridQuery),
}

/// All queries: those of two meshes, then those of one.
static ALL: LazyLock<Vec<Ask>> = LazyLock::new(|| {
    let own = [Ask::Boolean, Ask::Pairs, Ask::Relation, Ask::Distance, Ask::Within, Ask::Curves];
    let grids = two_meshes::QUERIES.iter().chain(one_mesh::QUERIES);
    own.into_iter().chain(grids.map(Ask::Grid)).collect()
});

impl ValueEnum for Ask {
    fn value_variants<'a>() -> &'a [Self] {
        &ALL
    }
    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.help()))
    }
}

impl Ask {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Pairs => "pairs",
            Self::Relation => "relation",
            Self::Distance => "distance",
            Self::Within => "within",
            Self::Curves => "curves",
            Self::Grid(query) => query.name,
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Boolean => "Whether any two triangles meet: stops at the first that do",
            Self::Pairs => "Every pair of triangles that meet",
            Self::Relation => {
                "Relation of A and B as solids: apart, touch, overlap, inside, contains, duplicate; if one has open \
                 edges, also pierce, surface_inside, meet"
            }
            Self::Distance => {
                "How far apart the surfaces are, as an interval that holds the distance, and where they are \
                 nearest"
            }
            Self::Within => "Whether the surfaces are at most `--margin` apart, decided exactly",
            Self::Curves => {
                "Where the surfaces meet: lines, plane patches, single points. The whole of it is in JSON; a \
                 FILE that ends in .ply or .glb has one frame's lines to look at"
            }
            Self::Grid(query) => query.help,
        }
    }

    /// Options that it takes, beside those of all queries.
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Boolean => &[],
            Self::Pairs | Self::Curves => &["--max-pairs"],
            Self::Relation => &["--fill-rule"],
            Self::Distance => &["--margin", "--rel", "--solids"],
            Self::Within => &["--margin"],
            Self::Grid(query) => query.options,
        }
    }

    pub(super) fn takes(self, option: &str) -> bool {
        self.options().contains(&option)
    }

    /// The queries that take an option: `--query pairs and --query curves`.
    pub(super) fn takers(option: &str) -> String {
        let all: Vec<_> = ALL.iter().filter(|ask| ask.takes(option)).map(|ask| ask.name()).collect();
        format!("--query {}", all.join(" and --query "))
    }

    /// Options, one of which is required, and their description.
    pub(super) fn needs(self) -> Option<(&'static [&'static str], &'static str)> {
        match self {
            Self::Within => Some((&["--margin"], "a distance to compare with, --margin LENGTH")),
            Self::Grid(query) => query.needs,
            Self::Boolean | Self::Pairs | Self::Relation | Self::Distance | Self::Curves => None,
        }
    }

    pub(super) fn is_of_one_mesh(self) -> bool {
        matches!(self, Self::Grid(query) if query.is_of_one_mesh)
    }

    /// Whether it looks at solids, which a mesh computes once.
    pub(super) fn is_of_solids(self) -> bool {
        self == Self::Curves || self.takes("--fill-rule")
    }
}
