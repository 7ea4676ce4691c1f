//! Cuts of a set of items.
use crate::primitives::{Item, bounds_of};
use impinge::hierarchy::Bounds;

/// A cut of a set of items: its index in `1..items.len()`, and the bounds of both sides.
pub(super) struct Cut {
    pub(super) at: usize,
    pub(super) sides: [Bounds; 2],
}

impl Cut {
    /// A cut before item `at`.
    pub(super) fn at(at: usize, items: &[Item]) -> Self {
        Self { at, sides: [bounds_of(&items[..at]), bounds_of(&items[at..])] }
    }
}

/// Cuts in two halves by count along an axis; the same for every order of `items`.
pub(super) fn halve(items: &mut [Item], axis: usize) -> usize {
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.centre(axis).total_cmp(&b.centre(axis)).then(a.triangle.cmp(&b.triangle))
    });
    middle
}

/// Moves the items that belong to the left to the front; returns their number.
pub(super) fn partition(items: &mut [Item], left: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if left(&items[i]) {
            items.swap(i, count);
            count += 1;
        }
    }
    count
}
