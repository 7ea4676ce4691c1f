//! Coverage of a check: numbers of examined pairs and of results.
use crate::{
    parts::{Parts, chord::Chords},
    question::clearance::Clearance,
    records::{clash::Clashes, near::Nears},
    values::relations,
};
use impinge::{distance::Margin, relation::RelationKind, solid::Closedness};
use serde::{Serialize, Serializer, ser::SerializeMap};

/// Numbers of examined pairs and of results. `part_pairs` >= `boxes_overlap`. `tested` is `boxes_overlap`
/// less the pairs for which there was no time, and the sum of `relations`. The pairs that are not apart are
/// `clashing` and `inside_without_contact`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Coverage {
    /// Parts of the assembly.
    pub parts: usize,
    /// Parts of the files without a usable mesh: no pair of them was examined.
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub parts_not_examined: u64,
    /// Parts of the files that were left out on purpose.
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub parts_left_out: u64,
    /// Pairs of parts that the check was about.
    pub part_pairs: u64,
    /// Pairs among these whose exact closed world boxes meet. The others have no point in common, except
    /// those that rules leave out.
    pub boxes_overlap: u64,
    /// Other pairs whose boxes meet, rounded outwards: ignore rules removed them from every test, or no test
    /// is about them.
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub pairs_left_out: u64,
    /// Pairs among `boxes_overlap` whose triangles were tested.
    pub tested: u64,
    /// Pairs for which there was no time: they were not tested, or their distance was not compared.
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub not_examined: u64,
    /// Pairs whose triangles meet.
    pub clashing: u64,
    /// Pairs of triangles that meet, over all pairs of parts.
    pub triangle_pairs: u64,
    /// Numbers of a check about solids.
    #[serde(flatten)]
    pub solids: Option<Solids>,
    /// Numbers of a check about distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clearance: Option<Distances>,
    /// Numbers of a check with chord tolerances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chord: Option<Chords>,
    /// Numbers of a check about self-intersections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_intersections: Option<SelfIntersecting>,
}

/// Numbers of a check about self-intersections.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SelfIntersecting {
    /// Parts that intersect themselves: each is a finding.
    pub parts: u64,
    /// Parts for which there was no time.
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub not_examined: u64,
}

/// Numbers of a check about distances: `tested` is `boxes_within` less the pairs for which there was no time.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Distances {
    /// The largest distance of pairs that are listed and count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The largest distance of triangles at which a pair is listed, with a chord tolerance.
    #[serde(skip)]
    pub listed: Option<f64>,
    /// The largest distance of triangles that the check searched.
    pub searched: f64,
    /// Pairs whose boxes are no further apart than `searched` along any axis.
    pub boxes_within: u64,
    /// Other pairs whose boxes may be so near: ignore rules removed them from every test, or no test is about
    /// them.
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub pairs_left_out: u64,
    /// Pairs among `boxes_within` that clash, or whose distance was compared.
    pub tested: u64,
    /// Pairs among these that are listed as near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<u64>,
}

impl Distances {
    /// The numbers of near pairs. `not_examined` is the number of pairs for which there was no time.
    pub(crate) fn new(asked: &Clearance, nears: &Nears, not_examined: u64) -> Self {
        Self {
            limit: asked.limit.map(Margin::get),
            listed: asked.listed().map(Margin::get),
            searched: asked.reach().get(),
            boxes_within: nears.boxes_within,
            pairs_left_out: 0,
            tested: nears.boxes_within - not_examined,
            near: asked.limit.map(|_| nears.list.len() as u64),
        }
    }
}

/// Numbers of a check about solids.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Solids {
    /// Pairs with one part inside the other, and no triangles that meet.
    pub inside_without_contact: u64,
    /// Number of tested pairs by relation.
    pub relations: RelationCounts,
    /// All findings except self-intersections.
    pub findings: u64,
    /// Pairs that would be findings, but may be due to rounded coordinates ([`Report::is_within_rounding`]).
    ///
    /// [`Report::is_within_rounding`]: super::Report::is_within_rounding
    #[serde(skip_serializing_if = "crate::values::is_zero")]
    pub within_rounding: u64,
    /// Pairs that would be findings without the tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shallow: Option<u64>,
    /// Parts that bound no solid: their meshes have open edges or no interior.
    pub not_closed: u64,
}

impl Solids {
    /// The numbers of clashes. Findings are counted later.
    pub(crate) fn new(clashes: &Clashes, facts: &Parts, inside_without_contact: u64) -> Self {
        let is_open = |&part: &u32| !facts.status(part).is_some_and(Closedness::is_closed);
        Self {
            inside_without_contact,
            relations: RelationCounts::of(clashes),
            findings: 0,
            within_rounding: 0,
            shallow: None,
            not_closed: (0..facts.parts.len() as u32).filter(is_open).count() as u64,
        }
    }
}

/// Numbers of pairs by relation.
#[derive(Clone, Debug)]
pub struct RelationCounts([u64; relations::ALL.len() + 1]);

impl RelationCounts {
    fn of(clashes: &Clashes) -> Self {
        let mut counts = [0; relations::ALL.len() + 1];
        for kind in clashes.list.iter().filter_map(|clash| clash.relation) {
            counts[relations::place(kind)] += 1;
        }
        let not_examined = clashes.not_examined.len() as u64;
        counts[relations::ALL.len()] = clashes.boxes_overlap - clashes.list.len() as u64 - not_examined;
        Self(counts)
    }
    /// Each relation with its number, the gravest first; pairs that are apart come last.
    pub fn each(&self) -> impl Iterator<Item = (RelationKind, u64)> {
        relations::ALL.into_iter().chain([RelationKind::Apart]).zip(self.0)
    }
}

impl Serialize for RelationCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (kind, count) in self.each() {
            map.serialize_entry(relations::name(kind), &count)?;
        }
        map.end()
    }
}
