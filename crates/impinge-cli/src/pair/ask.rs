//! The queries of `impinge pair`, and the argument of `--query`.
use super::{meet, near, one_mesh, pair_query::PairQuery};
use clap::{ValueEnum, builder::PossibleValue};
use std::ops::Deref;

/// A query of [`QUERIES`].
#[derive(Clone, Copy)]
pub(crate) struct Ask(&'static PairQuery);

/// All queries in the order of `--help`: those of two meshes, then those of one.
static QUERIES: [Ask; 18] = [
    Ask(&meet::BOOLEAN),
    Ask(&meet::PAIRS),
    Ask(&meet::RELATION),
    Ask(&near::DISTANCE),
    Ask(&near::WITHIN),
    Ask(&meet::CURVES),
    Ask(&meet::OVERLAPS),
    Ask(&meet::PENETRATION),
    Ask(&near::FARTHEST),
    Ask(&near::PAIRS_WITHIN),
    Ask(&near::CERTAINTY),
    Ask(&one_mesh::SELF_PAIRS),
    Ask(&one_mesh::CLOSEST_POINTS),
    Ask(&one_mesh::LOCATE),
    Ask(&one_mesh::RAY_FIRST),
    Ask(&one_mesh::RAY_MEETS),
    Ask(&one_mesh::RAY_ALL),
    Ask(&one_mesh::TRIANGLES_IN),
];

impl Deref for Ask {
    type Target = PairQuery;
    fn deref(&self) -> &PairQuery {
        self.0
    }
}

impl ValueEnum for Ask {
    fn value_variants<'a>() -> &'a [Self] {
        &QUERIES
    }
    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name).help(self.help))
    }
}

impl Ask {
    pub(super) fn takes(self, option: &str) -> bool {
        self.options.contains(&option)
    }

    /// The queries that take an option: `--query pairs and --query curves`.
    pub(super) fn takers(option: &str) -> String {
        let all: Vec<_> = QUERIES.iter().filter(|ask| ask.takes(option)).map(|ask| ask.name).collect();
        format!("--query {}", all.join(" and --query "))
    }
}
