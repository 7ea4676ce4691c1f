//! Matching of parts without a common key, in stages.
use super::{
    assignment::pair_up,
    canonical::canonical_order,
    part::PartIdentity,
    reason::MatchReason,
    regions::{Ball, regions},
    shape_classes::shape_classes,
};
use std::{collections::HashMap, hash::Hash};

/// Largest motion of the centroid of a part whose shape changes, as a fraction of its radius.
const RESHAPED: f64 = 0.25;
/// Largest motion of the centroid if only the triangles change, as a fraction of the radius.
const ALIKE: f64 = 1e-2;
/// Least cost of pairs that do not match.
const NO_MATCH: f64 = 1e9;
/// Largest cost. Costs of parts that are very far away would overflow, so all of them are equal.
const MOST: f64 = 1e200;

/// The parts of two deliveries that are left, and the matches so far.
pub(super) struct Stages<'a> {
    old: &'a [PartIdentity],
    new: &'a [PartIdentity],
    /// Numbers of shapes: those of the old parts, then those of the new parts.
    shapes: Vec<u32>,
    /// Indices of the parts that are left, in the order of their contents.
    left: [Vec<u32>; 2],
    matches: Vec<(u32, u32, MatchReason)>,
}

/// Parts of both deliveries that may be the same.
type LookAlikes = [Vec<u32>; 2];

impl<'a> Stages<'a> {
    /// Matches the parts for which `is_left` returns true. Its first argument is true for the new delivery.
    pub(super) fn run(
        old: &'a [PartIdentity],
        new: &'a [PartIdentity],
        is_left: impl Fn(bool, u32) -> bool,
    ) -> Vec<(u32, u32, MatchReason)> {
        let left = |is_new: bool, parts: &[PartIdentity]| {
            let mut left: Vec<u32> = (0..parts.len() as u32).filter(|&i| is_left(is_new, i)).collect();
            left.sort_by(|&i, &j| canonical_order(&parts[i as usize], &parts[j as usize]));
            left
        };
        let left = [left(false, old), left(true, new)];
        if left.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let shapes = shape_classes(old.iter().chain(new));
        let mut stages = Self { old, new, shapes, left, matches: Vec::new() };
        stages.same_shape_in_place();
        stages.alike_in_place();
        stages.reshaped_in_place();
        stages.moved(true);
        stages.moved(false);
        stages.matches
    }

    fn part(&self, is_new: bool, i: u32) -> &'a PartIdentity {
        let parts = if is_new { self.new } else { self.old };
        &parts[i as usize]
    }
    fn shape(&self, is_new: bool, i: u32) -> u32 {
        self.shapes[if is_new { self.old.len() } else { 0 } + i as usize]
    }
    /// The groups of equal keys with parts of both deliveries, in the order of their first old part.
    fn groups<K: Hash + Eq>(&self, key: impl Fn(bool, u32) -> K) -> Vec<LookAlikes> {
        let mut groups: Vec<LookAlikes> = Vec::new();
        let mut group_of: HashMap<K, usize> = HashMap::new();
        for (is_new, left) in [false, true].into_iter().zip(&self.left) {
            for &i in left {
                let index = *group_of.entry(key(is_new, i)).or_insert_with(|| {
                    groups.push(LookAlikes::default());
                    groups.len() - 1
                });
                groups[index][usize::from(is_new)].push(i);
            }
        }
        groups.retain(|group| group.iter().all(|side| !side.is_empty()));
        groups
    }
    /// Divides a group into groups of parts that are near each other.
    fn near(&self, [old, new]: &LookAlikes, radius: impl Fn(&PartIdentity) -> f64) -> Vec<LookAlikes> {
        let both: Vec<(bool, u32)> =
            old.iter().map(|&i| (false, i)).chain(new.iter().map(|&i| (true, i))).collect();
        let ball = |&(is_new, i): &(bool, u32)| {
            let part = self.part(is_new, i);
            let least = part.place.tolerance(&part.shape);
            Ball { center: part.place.centroid, radius: radius(part).max(least) }
        };
        let divided = regions(&both.iter().map(ball).collect::<Vec<_>>());
        let group = |region: Vec<u32>| {
            let mut group = LookAlikes::default();
            for index in region {
                let (is_new, i) = both[index as usize];
                group[usize::from(is_new)].push(i);
            }
            group
        };
        let groups = divided.into_iter().map(group);
        groups.filter(|group| group.iter().all(|side| !side.is_empty())).collect()
    }
    /// Matches parts within groups, with the least sum of costs.
    fn assign(
        &mut self,
        groups: Vec<LookAlikes>,
        reason: MatchReason,
        cost: impl Fn(&PartIdentity, &PartIdentity) -> f64,
    ) {
        let mut matches = Vec::new();
        for [mut old, mut new] in groups {
            let point = |is_new: bool, i: u32| self.part(is_new, i).place.centroid;
            let cost = |i: u32, j: u32| cost(self.part(false, i), self.part(true, j)).min(MOST);
            pair_up(&mut old, &mut new, &point, &cost, &mut |i, j| {
                if reason == MatchReason::NameAndShape || cost(i, j) < NO_MATCH {
                    matches.push((i, j, reason));
                }
            });
        }
        let mut is_matched = [vec![false; self.old.len()], vec![false; self.new.len()]];
        for &(i, j, _) in &matches {
            is_matched[0][i as usize] = true;
            is_matched[1][j as usize] = true;
        }
        for (left, is_matched) in self.left.iter_mut().zip(is_matched) {
            left.retain(|&i| !is_matched[i as usize]);
        }
        self.matches.extend(matches);
    }

    fn same_shape_in_place(&mut self) {
        let groups = self.groups(|is_new, i| self.shape(is_new, i));
        let near = groups.iter().flat_map(|group| self.near(group, |part| part.place.tolerance(&part.shape)));
        let groups = near.collect();
        self.assign(groups, MatchReason::ShapeAndPlace, |a, b| {
            if !a.is_in_place(b) {
                return NO_MATCH;
            }
            let tolerance = a.place.tolerance(&a.shape);
            // At most 1, which is less than the weight of any text.
            let off = (a.place.cost(&b.place) / (tolerance * tolerance)).min(1.0);
            differing(a, b) + off
        });
    }
    fn alike_in_place(&mut self) {
        let groups = self.groups(|_, _| ());
        let radius = |part: &PartIdentity| ALIKE * part.shape.radius();
        let near = groups.iter().flat_map(|group| self.near(group, radius)).collect();
        self.assign(near, MatchReason::AlikeAndPlace, |a, b| {
            let off = a.place.distance(&b.place) / radius(a).max(a.place.tolerance(&a.shape));
            if a.shape.is_alike(&b.shape) && off <= 1.0 { differing(a, b) + off } else { NO_MATCH }
        });
    }
    fn reshaped_in_place(&mut self) {
        let groups = self.groups(|is_new, i| {
            let part = self.part(is_new, i);
            (part.name.clone(), part.class.clone())
        });
        let named = groups.into_iter().filter(|[old, _]| !self.part(false, old[0]).name.is_empty());
        let radius = |part: &PartIdentity| RESHAPED * part.shape.radius();
        let near = named.flat_map(|group| self.near(&group, radius)).collect();
        self.assign(near, MatchReason::NameAndPlace, |a, b| {
            let most = radius(a).max(radius(b)).max(a.place.tolerance(&a.shape));
            let off = a.place.distance(&b.place) / most;
            if off <= 1.0 { differing(a, b) + off } else { NO_MATCH }
        });
    }
    /// Matches parts that moved. The first call matches within files, since files are renamed less often than
    /// parts are moved.
    fn moved(&mut self, within_file: bool) {
        let groups = self.groups(|is_new, i| {
            let part = self.part(is_new, i);
            let file = within_file.then(|| part.file.clone());
            (self.shape(is_new, i), part.name.clone(), part.class.clone(), file)
        });
        self.assign(groups, MatchReason::NameAndShape, |a, b| a.place.cost(&b.place));
    }
}

/// Difference of the texts of two parts; the type weighs most.
fn differing(a: &PartIdentity, b: &PartIdentity) -> f64 {
    let weights = [(a.class != b.class, 16.0), (a.name != b.name, 8.0), (a.file != b.file, 4.0)];
    weights.into_iter().filter(|(differs, _)| *differs).map(|(_, weight)| weight).sum()
}
