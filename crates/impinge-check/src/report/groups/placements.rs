//! Relative placements of two shapes.
use crate::parts::placed_shapes::ShapePlacement;

/// Equal placements are removed for the first time when there are more than this.
const FIRST: usize = 64;

/// The placements of the findings of a group.
#[derive(Default)]
pub(super) struct Placements {
    list: Vec<ShapePlacement>,
    /// Length of `list` after equal ones were removed last.
    differing: usize,
}

impl Placements {
    /// Adds a placement. A group may have a million findings with the same placement: whenever the list is
    /// twice as long as after the last removal, equal ones are removed.
    pub(super) fn add(&mut self, place: ShapePlacement) {
        self.list.push(place);
        if self.list.len() > FIRST.max(2 * self.differing) {
            self.list = differing(std::mem::take(&mut self.list));
            self.differing = self.list.len();
        }
    }
    /// Number of different placements. Cost: O(n log n) for n placements, unless many have centres at one
    /// distance.
    pub(super) fn count(self) -> usize {
        differing(self.list).len()
    }
}

/// Removes all but one of equal placements.
fn differing(all: Vec<ShapePlacement>) -> Vec<ShapePlacement> {
    let length = |place: &ShapePlacement| place.t.iter().map(|x| x * x).sum::<f64>().sqrt();
    let widest = all.iter().map(|place| place.tolerance).fold(0.0, f64::max);
    let mut all: Vec<(f64, ShapePlacement)> = all.into_iter().map(|place| (length(&place), place)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut differ: Vec<(f64, ShapePlacement)> = Vec::new();
    for (length, place) in all {
        // Lengths of equal ones differ by less than twice the tolerance, as each coordinate does by one.
        let near = differ.iter().rev().take_while(|(other, _)| length - other <= 2.0 * widest);
        if !near.into_iter().any(|(_, other)| place.is_same(other)) {
            differ.push((length, place));
        }
    }
    differ.into_iter().map(|(_, place)| place).collect()
}
