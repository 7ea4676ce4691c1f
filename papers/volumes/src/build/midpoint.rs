//! The rule of van den Bergen 1997 (section 2): the middle of the longest side of the box.
use super::cut::{Cut, halve, partition};
use crate::primitives::Item;
use impinge::hierarchy::Bounds;

pub(super) fn cut(items: &mut [Item], bounds: &Bounds) -> Cut {
    let axis = bounds.longest_axis();
    let middle = bounds.lo[axis] + bounds.hi[axis];
    let left = partition(items, |item| item.centre(axis) < middle);
    let at = if left == 0 || left == items.len() { halve(items, axis) } else { left };
    Cut::at(at, items)
}
