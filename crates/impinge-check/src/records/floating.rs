//! [`Floating`]: parts and groups that touch nothing else, and the distance of the nearest part.
use crate::{
    parts::boxes,
    records::{bodies::Bodies, graph::ContactGraph, run::Run},
};
use impinge::{
    Query,
    broad_phase::{Aabb, BroadPhase, Grid},
    distance::{Accuracy, DistanceBounds, Margin},
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A part, or a group of parts that hold each other, that touches nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Floating {
    /// Its parts, ascending.
    pub parts: Vec<u32>,
    /// The nearest part outside; `None` if nothing else has a triangle.
    pub nearest: Option<Neighbour>,
}

/// The nearest part outside of a group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Neighbour {
    /// The part of the group that is nearest to it.
    pub part: u32,
    /// The part outside.
    pub other: u32,
    /// Lower and upper bound of their distance: equal, or neighbours.
    pub distance: [f64; 2],
    /// The nearest point of each, rounded.
    pub points: [[f64; 3]; 2],
}

/// The first distance within which the search looks for neighbours, as a fraction of the assembly's size, and
/// the factor by which it grows if there is none.
const FIRST: f64 = 1.0 / 1024.0;
const GROWTH: f64 = 4.0;

/// Finds all groups that float: every component of the graph but the largest.
///
/// In each round, the boxes of groups without a nearest part grow by the reach of their group. Let d be the
/// least distance of the pairs of one group whose boxes then meet. If d is at most the reach, no other pair
/// is nearer: its boxes would meet, too. Otherwise d is the group's next reach. Without such a pair, the
/// reach grows by a factor. Each pair is measured in the first round that reaches it.
///
/// `extents` are the boxes of the parts.
pub(crate) fn find(
    run: &Run<'_>,
    bodies: Bodies<'_>,
    extents: &[Aabb],
    graph: &ContactGraph,
) -> anyhow::Result<Vec<Floating>> {
    let (pool, watch) = (run.pool, run.watch);
    let size = size(extents);
    let group = |number: usize| FloatingGroup { number, reach: size * FIRST, measured: -1.0, best: None };
    let mut all: Vec<FloatingGroup> = graph.floating().map(group).collect();
    let count = all.len();
    watch.stage("looking for the nearest parts, groups", count as u64);
    let mut done: Vec<FloatingGroup> = Vec::with_capacity(count);
    while !all.is_empty() {
        watch.check()?;
        let mut candidates = candidates_of(&all, extents, graph);
        let work: Vec<(FloatingGroup, Vec<NeighbourCandidate>)> = all
            .drain(..)
            .map(|group| (group, candidates.remove(&group.number).unwrap_or_default()))
            .collect();
        let near = pool.each(&work, |(group, candidates)| near(bodies, group.best, candidates));
        // Two groups are mostly nearest to each other.
        let mut pairs: Vec<[u32; 2]> = near.iter().flatten().map(|&pair| ascending(pair)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let gaps = pool.each(&pairs, |&pair| gap_of(bodies, pair));
        let looked = work.into_iter().zip(near).map(|((mut group, _), near)| {
            for pair in near {
                let at = pairs.binary_search(&ascending(pair)).ok();
                let gap = at.and_then(|at| gaps[at]);
                group.best = nearer(group.best, gap.map(|gap| neighbour(pair, &gap)));
            }
            watch.step(u64::from(group.best.is_some_and(|best| best.distance[1] <= group.reach)));
            group
        });
        for mut group in looked {
            group.measured = group.reach;
            match group.best {
                Some(best) if best.distance[1] <= group.reach => done.push(group),
                // No part is farther away than twice the size of the assembly.
                None if group.reach > 2.0 * size => done.push(group),
                Some(best) => {
                    group.reach = best.distance[1];
                    all.push(group);
                }
                None => {
                    group.reach *= GROWTH;
                    all.push(group);
                }
            }
        }
    }
    done.sort_unstable_by_key(|group| group.number);
    let floating = |group: FloatingGroup| Floating {
        parts: graph.components()[group.number].clone(),
        nearest: group.best,
    };
    Ok(done.into_iter().map(floating).collect())
}

/// A group, the reach of its search, and its nearest neighbour so far.
#[derive(Clone, Copy)]
struct FloatingGroup {
    /// The component.
    number: usize,
    reach: f64,
    /// The reach of the round before, whose pairs are measured; negative before the first.
    measured: f64,
    best: Option<Neighbour>,
}

/// A pair that may be the nearest: a lower bound of its distance, a part of the group, one outside.
type NeighbourCandidate = (f64, u32, u32);

/// For each group, the pairs whose boxes its reach includes for the first time, nearest boxes first.
fn candidates_of(
    groups: &[FloatingGroup],
    extents: &[Aabb],
    graph: &ContactGraph,
) -> HashMap<usize, Vec<NeighbourCandidate>> {
    let mut grown = extents.to_vec();
    let mut reaches: HashMap<usize, [f64; 2]> = HashMap::new();
    for group in groups {
        reaches.insert(group.number, [group.measured, group.reach]);
        for &part in &graph.components()[group.number] {
            let extent = &mut grown[part as usize];
            if !extent.is_empty() {
                extent.lo = extent.lo.map(|x| (x - group.reach).next_down());
                extent.hi = extent.hi.map(|x| (x + group.reach).next_up());
            }
        }
    }
    let solid: Vec<u32> =
        (0..).zip(extents).filter(|(_, extent)| !extent.is_empty()).map(|(part, _)| part).collect();
    let mut pairs = Vec::new();
    Grid::new().update(&grown, &solid, &mut pairs);
    let mut found: HashMap<usize, Vec<NeighbourCandidate>> = HashMap::new();
    for [a, b] in pairs {
        let [of_a, of_b] = [a, b].map(|part| graph.component(part));
        if of_a == of_b {
            continue;
        }
        let gap = boxes::gap(&extents[a as usize], &extents[b as usize]);
        for (own, part, other) in [(of_a, a, b), (of_b, b, a)] {
            if reaches.get(&own).is_some_and(|&[measured, reach]| measured < gap && gap <= reach) {
                found.entry(own).or_default().push((gap, part, other));
            }
        }
    }
    for list in found.values_mut() {
        list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    }
    found
}

/// The pairs that may be the nearest: their intervals overlap the least one, or that of `best`. An exact
/// distance takes many times as long as an interval, and a group has a dozen neighbours.
fn near(bodies: Bodies<'_>, best: Option<Neighbour>, candidates: &[NeighbourCandidate]) -> Vec<[u32; 2]> {
    let (mut query, mut near) = (Query::new(), Vec::new());
    let mut hi = best.map_or(f64::INFINITY, |best| best.distance[1]);
    for &(gap, part, other) in candidates {
        if gap > hi {
            break;
        }
        let mut accuracy = Accuracy::new();
        // The limit is wider than `hi`: with `hi` itself, equal distances would need integers.
        if let Ok(margin) = Margin::new(hi * WIDER) {
            accuracy = accuracy.above(margin);
        }
        let [a, b] = [part, other].map(|part| bodies.body(part));
        if let Some(gap) = query.with_accuracy(accuracy).distance(&a, &b) {
            hi = hi.min(gap.hi);
            near.push((gap.lo, [part, other]));
        }
    }
    near.into_iter().filter(|&(lo, _)| lo <= hi).map(|(_, pair)| pair).collect()
}

/// The exact distance of two parts, to distinguish nearly equal ones.
fn gap_of(bodies: Bodies<'_>, pair: [u32; 2]) -> Option<DistanceBounds> {
    let [a, b] = pair.map(|part| bodies.body(part));
    Query::new().with_accuracy(Accuracy::new().exact()).distance(&a, &b)
}

/// The lesser part first: the distance is the same in either order.
fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// A pair of a part of a group and one outside, with the gap of both in ascending order.
fn neighbour([part, other]: [u32; 2], gap: &DistanceBounds) -> Neighbour {
    let mut points = gap.points;
    if part > other {
        points.reverse();
    }
    Neighbour { part, other, distance: [gap.lo, gap.hi], points }
}

/// The nearer one; of two that are equally near, the first.
fn nearer(best: Option<Neighbour>, other: Option<Neighbour>) -> Option<Neighbour> {
    match (best, other) {
        (Some(best), Some(other)) if other.distance[1] >= best.distance[1] => Some(best),
        (best, other) => other.or(best),
    }
}

/// A group's search drops pairs once their distance is this many times the least one.
const WIDER: f64 = 1.0 + 1.0 / 1024.0;

/// The longest side of the box around all parts.
fn size(extents: &[Aabb]) -> f64 {
    let solid = || extents.iter().filter(|extent| !extent.is_empty());
    let side = |k: usize| {
        let lo = solid().map(|extent| extent.lo[k]).fold(f64::INFINITY, f64::min);
        let hi = solid().map(|extent| extent.hi[k]).fold(f64::NEG_INFINITY, f64::max);
        (hi - lo).clamp(0.0, f64::MAX / 16.0)
    };
    (0..3).map(side).fold(f64::MIN_POSITIVE, f64::max)
}
