//! Depths of the clashes that rank first, if no others are shown: a table has a hundred rows, and a building
//! thousands of clashes.
use crate::{
    parts::placed_shapes::{AlikeKey, PlacedShapes},
    question::depth_of::FirstDepths,
    records::{
        bodies::Bodies,
        clash::{Clash, Clashes},
        depth::{self, Depth},
        run::Run,
    },
    values::finding_kind::FindingKind,
};
use impinge::{Query, Threads, broad_phase::Aabb, query::ContactPairs, relation::RelationKind};
use std::{collections::HashMap, mem};

/// Number of clashes that are measured together, for each thread.
const RUN: usize = 16;

/// Measures depths of clashes until all that are shown have one. Returns the shapes of the parts, if groups
/// needed them.
///
/// The overlap of two parts that cross lies in the intersection of their boxes, and the interval of its
/// volume is clamped to the volume of that box. This volume bounds the size of the clash. Clashes are
/// measured in descending order of their bounds. This ends once as many sizes as are shown are greater than
/// the next bound: then no clash of the rest is among the first, or the largest of a group that
/// is. Clashes of other relations have no bound, and are always measured.
pub(crate) fn measure(
    clashes: &mut Clashes,
    run: &Run<'_>,
    bodies: Bodies<'_>,
    extents: &[Aabb],
    first: FirstDepths,
) -> Option<PlacedShapes> {
    let (asked, pool, watch) = (run.asked, run.pool, run.watch);
    let rule = asked.rule?;
    let counted = |pair| asked.tests.of_pair(pair).relations;
    let has_depth = |clash: &Clash, kind: &RelationKind| {
        asked.wants_depth(*kind, &asked.tests.of_pair(clash.parts), clash.certainty)
    };
    let mut open: Vec<(f64, [u32; 2], RelationKind)> = clashes
        .list
        .iter()
        .filter_map(|clash| Some((clash, clash.relation.filter(|kind| has_depth(clash, kind))?)))
        .filter(|(clash, _)| clashes.depth(clash).is_none())
        .map(|(clash, kind)| {
            let bound = match kind {
                RelationKind::Overlap => common_volume(clash.parts.map(|part| extents[part as usize])),
                RelationKind::Inside
                | RelationKind::Contains
                | RelationKind::Duplicate
                | RelationKind::Pierce
                | RelationKind::SurfaceInside
                | RelationKind::Meet
                | RelationKind::Touch
                | RelationKind::Apart => f64::INFINITY,
            };
            (bound, clash.parts, kind)
        })
        .collect();
    open.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let names = run.parts.iter().map(|part| &*part.name);
    watch.stage_of_pairs("measuring depths of clashes", open.len(), names);
    let (count, placed) = match first {
        FirstDepths::Clashes(count) => (count, None),
        FirstDepths::Groups(count) => (count, Some(PlacedShapes::new(run.parts))),
    };
    // The largest proved size of each group.
    let mut known: HashMap<Shown, f64> = HashMap::new();
    let shown = |pair: [u32; 2], kind: RelationKind| match &placed {
        None => Shown::Clash(pair),
        Some(placed) => Shown::Group(placed.key(pair, FindingKind::Clash(Some(kind))).0),
    };
    let mut found = Vec::new();
    let chunk = RUN * pool.threads();
    let query = || (Query::new().threads(Threads::Pool).fill_rule(rule), Vec::new());
    for some in open.chunks(chunk) {
        let larger = known.values().filter(|&&size| some[0].0 < size).count();
        if larger >= count {
            break;
        }
        let measured = pool.in_order(some.len(), query, |(query, memory): &mut (Query, Vec<_>), i| {
            let (_, pair, kind) = some[i];
            let [a, b] = pair.map(|part| bodies.body(part));
            let depth = watch.examine(pair, query, |query| {
                let most = depth::most_listed([&a, &b]);
                let (_, listed) = query.contact_pairs_at_most(&a, &b, most, mem::take(memory));
                let depth = Depth::measure(listed.as_ref(), query);
                *memory = listed.map(ContactPairs::into_vec).unwrap_or_default();
                depth
            });
            watch.step(1);
            Some((pair, kind, depth?))
        });
        for (pair, kind, depth) in measured.into_iter().flatten() {
            // Clashes that count rank before all others.
            if counted(pair).holds(kind) {
                let largest = known.entry(shown(pair, kind)).or_insert(0.0);
                *largest = largest.max(depth.size()[0]);
            }
            found.push((pair, depth));
        }
    }
    clashes.add_depths(found);
    placed
}

/// The subject of a row.
#[derive(PartialEq, Eq, Hash)]
enum Shown {
    Clash([u32; 2]),
    Group(AlikeKey),
}

/// Volume of the intersection of two boxes, rounded up, and a little more: the volume to which intervals are
/// clamped was rounded, too.
fn common_volume([a, b]: [Aabb; 2]) -> f64 {
    let side = |k: usize| (a.hi[k].min(b.hi[k]) - a.lo[k].max(b.lo[k])).max(0.0) * (1.0 + 1e-12);
    (0..3).map(side).product::<f64>() * (1.0 + 1e-12) + f64::MIN_POSITIVE
}
