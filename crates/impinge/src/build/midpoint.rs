//! Bergen97's rule.
use super::{Item, halve, partition};
use crate::bounds::Bounds;

pub(super) fn cut(items: &mut [Item], bounds: &Bounds) -> usize {
    let axis = bounds.longest_axis();
    let middle = bounds.lo[axis] + bounds.hi[axis];
    let left = partition(items, |item| item.centre(axis) < middle);
    if left == 0 || left == items.len() { halve(items, axis) } else { left }
}
