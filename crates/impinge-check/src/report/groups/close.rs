//! Groups of findings that are close to each other.
use super::alike::Group;
use crate::{report::Report, values::disjoint::DisjointSets};
use std::collections::HashMap;

/// Groups findings in chains whose neighbours have points at most `length` apart. Groups are in the order of
/// their gravest findings. A finding without a point is a group of its own. Cost: O(n) cells, if few findings
/// share a cell.
pub(super) fn groups(report: &Report, order: &[u32], length: f64) -> Vec<Group> {
    let points: Vec<Option<[f64; 3]>> =
        order.iter().map(|&i| report.point_of(&report.findings()[i as usize])).collect();
    let mut sets = DisjointSets::new(order.len());
    // In a cube of this side, all points are within the length of each other, and count as one.
    let side = length / 3.0_f64.sqrt();
    let cell = |p: &[f64; 3]| p.map(|x| (x / side).floor());
    let key = |cell: [f64; 3]| cell.map(|x| (x + 0.0).to_bits());
    let mut cells: HashMap<[u64; 3], Vec<u32>> = HashMap::new();
    for (i, point) in (0..).zip(&points) {
        let Some(point) = point else { continue };
        let here = cells.entry(key(cell(point))).or_default();
        if let Some(&first) = here.first() {
            sets.unite([first, i]);
        }
        here.push(i);
    }
    let mut occupied: Vec<&[u64; 3]> = cells.keys().collect();
    occupied.sort_unstable();
    for at in occupied {
        let here = &cells[at];
        let at = at.map(f64::from_bits);
        for step in 0..125 {
            let other = [step / 25, step / 5 % 5, step % 5];
            let other = key([0, 1, 2].map(|k| at[k] + f64::from(other[k]) - 2.0));
            let Some(there) = cells.get(&other) else { continue };
            if sets.find(here[0]) == sets.find(there[0]) {
                continue;
            }
            if nearer(here, there, &points, length) {
                sets.unite([here[0], there[0]]);
            }
        }
    }
    let (mut groups, mut index): (Vec<Group>, HashMap<u32, usize>) = Default::default();
    for (i, &finding) in (0..).zip(order) {
        let group = *index.entry(sets.find(i)).or_insert_with(|| {
            groups.push(Group::of(&report.findings()[finding as usize]));
            groups.len() - 1
        });
        groups[group].add(report, finding);
        groups[group].placements += 1;
    }
    groups
}

/// True if a point of one list is at most `length` from a point of the other.
fn nearer(here: &[u32], there: &[u32], points: &[Option<[f64; 3]>], length: f64) -> bool {
    let of = |list: &[u32]| list.iter().filter_map(|&i| points[i as usize]).collect::<Vec<_>>();
    let there = of(there);
    of(here).iter().any(|p| {
        there.iter().any(|q| {
            let square: f64 = (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum();
            square.sqrt() <= length
        })
    })
}
