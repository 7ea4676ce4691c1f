//! Relative placements of two shapes.
use std::collections::HashMap;

/// Placements that differ.
#[derive(Default)]
pub(super) struct Placements {
    list: Vec<[f64; 12]>,
    /// Places in the list, by the rounded distance.
    by_distance: HashMap<u64, Vec<u32>>,
}

impl Placements {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.list.len()
    }
    /// Adds a placement, unless it is one that is there: rotations within 1e-6, translations within 1e-6 of
    /// their length.
    pub(super) fn add(&mut self, place: [f64; 12]) {
        let length = place[9..].iter().map(|x| x * x).sum::<f64>().sqrt();
        // Lengths within 1e-6 of each other have the same number, or neighbouring ones.
        let bin = (length.max(f64::MIN_POSITIVE).ln() * 1e5).round() as i64;
        let is_same = |other: &[f64; 12]| {
            (0..12).all(|i| {
                let most = if i < 9 { 1e-6 } else { 1e-6 * length };
                (place[i] - other[i]).abs() <= most
            })
        };
        let key = |bin: i64| bin as u64;
        for near in [bin - 1, bin, bin + 1] {
            let there = self.by_distance.get(&key(near)).into_iter().flatten();
            if there.into_iter().any(|&i| is_same(&self.list[i as usize])) {
                return;
            }
        }
        self.by_distance.entry(key(bin)).or_default().push(self.list.len() as u32);
        self.list.push(place);
    }
}
