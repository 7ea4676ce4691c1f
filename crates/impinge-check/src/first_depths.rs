//! Depths of those clashes that rank first, where no others are shown: a table has a hundred rows, and a
//! building thousands of clashes.
use crate::{
    clash::{Clashes, body},
    depth::{self, Depths},
    pool::Pool,
    watch::Watch,
};
use impinge::{
    Model, Query, Threads, broad_phase::Aabb, query::ContactPairs, relation::RelationKind, solid::FillRule,
};
use impinge_io::Part;
use std::{mem, sync::Arc};

/// Clashes that are measured together, for each thread.
const RUN: usize = 16;

/// Measures depths of clashes until it has the `first` of them by volume.
///
/// What two parts that cross have in common lies in the box that their boxes have in common, and the interval
/// of its volume is clamped to that box's. In the order of these bounds, the rest can be left out once `first`
/// volumes are greater than the next bound. The volume of a part in another is not clamped: it has no bound,
/// and is always measured.
pub(crate) fn measure(
    clashes: &mut Clashes,
    (parts, models, extents): (&[Part], &[Arc<Model>], &[Aabb]),
    (depths, rule, first): (&Depths, FillRule, usize),
    pool: &Pool,
    watch: &Watch<'_>,
) {
    let mut open: Vec<(f64, [u32; 2], RelationKind)> = clashes
        .list
        .iter()
        .filter_map(|clash| Some((clash, clash.relation.filter(|&kind| depths.are_of(kind))?)))
        .filter(|(clash, _)| clashes.depth(clash).is_none())
        .map(|(clash, kind)| {
            let bound = match kind {
                RelationKind::AInB | RelationKind::BInA | RelationKind::Same => f64::INFINITY,
                _ => common_volume(clash.parts.map(|part| extents[part as usize])),
            };
            (bound, clash.parts, kind)
        })
        .collect();
    open.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let names = parts.iter().map(|part| &*part.name);
    watch.stage_of_pairs("measuring depths of clashes", open.len(), names);
    let mut known: Vec<f64> = Vec::new();
    let mut found = Vec::new();
    let chunk = RUN * pool.threads();
    let query = || (Query::new().threads(Threads::Pool).fill_rule(rule), Vec::new());
    for run in open.chunks(chunk) {
        known.sort_unstable_by(|a, b| b.total_cmp(a));
        if first.checked_sub(1).is_none_or(|last| known.get(last).is_some_and(|&least| run[0].0 < least)) {
            break;
        }
        let measured = pool.in_order(run.len(), query, |(query, memory): &mut (Query, Vec<_>), i| {
            let (_, pair, kind) = run[i];
            let [a, b] = pair.map(|part| body(parts, models, part));
            let depth = watch.examine(pair, query, |query| {
                let most = depth::most_listed([&a, &b]);
                let (_, listed) = query.contact_pairs_at_most(&a, &b, most, mem::take(memory));
                let depth = depths.ask(kind, listed.as_ref(), query);
                *memory = listed.map(ContactPairs::into_vec).unwrap_or_default();
                depth
            });
            watch.step(1);
            Some((pair, depth??))
        });
        for (pair, depth) in measured.into_iter().flatten() {
            known.extend(depth.overlap_volume.map(|[_, hi]| hi));
            found.push((pair, depth));
        }
    }
    clashes.add_depths(found);
}

/// The volume of what two boxes have in common, rounded up, and a little more: where bounds of volumes are
/// clamped to a box's, that one was rounded, too.
fn common_volume([a, b]: [Aabb; 2]) -> f64 {
    let side = |k: usize| (a.hi[k].min(b.hi[k]) - a.lo[k].max(b.lo[k])).max(0.0) * (1.0 + 1e-12);
    (0..3).map(side).product::<f64>() * (1.0 + 1e-12) + f64::MIN_POSITIVE
}
