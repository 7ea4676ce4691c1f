//! Relative placements of two shapes.
use crate::placed_shapes::ShapePlacement;

/// The placements of the findings of a group.
#[derive(Default)]
pub(super) struct Placements(Vec<ShapePlacement>);

impl Placements {
    pub(super) fn add(&mut self, place: ShapePlacement) {
        self.0.push(place);
    }
    /// Counts those that differ. O(n log n) for n placements, unless many have centres at one distance.
    pub(super) fn count(&self) -> usize {
        let length = |place: &ShapePlacement| place.t.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut all: Vec<(f64, &ShapePlacement)> =
            self.0.iter().map(|place| (length(place), place)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let widest = self.0.iter().map(|place| place.tolerance).fold(0.0, f64::max);
        let mut differ: Vec<(f64, &ShapePlacement)> = Vec::new();
        for (length, place) in all {
            // Lengths of equal ones differ by less than twice the tolerance, as each coordinate does by one.
            let near = differ.iter().rev().take_while(|(other, _)| length - other <= 2.0 * widest);
            if !near.into_iter().any(|(_, other)| place.is_same(other)) {
                differ.push((length, place));
            }
        }
        differ.len()
    }
}
