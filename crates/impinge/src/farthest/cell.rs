//! Parts of facets that may have the farthest point.
use std::{cmp::Ordering, ops::Deref};

/// The most corners of a cell.
pub(super) const MOST_CORNERS: usize = 8;

/// A convex polygon within a facet of the first body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// No point of it that counts is farther than this.
    pub(super) bound: f64,
    /// The place in the order in which cells are made. It decides between equal bounds.
    pub(super) number: u32,
    /// The facet of the first body.
    pub(super) facet: u32,
    /// Its corners in their order; none in the state [`CellState::Facet`].
    pub(super) corners: CellCorners,
    /// Facets of the second body that are near, the better one first; or [`Row::NONE`].
    pub(super) rows: [Row; 2],
    /// The number of divisions from the facet to it.
    pub(super) depth: u8,
    /// The number of divisions since the last one at the middle.
    pub(super) uneven: u8,
    pub(super) state: CellState,
}

/// A facet of the second body by its number, and the corner of a cell that is farthest from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) facet: u32,
    pub(super) most: f64,
    pub(super) worst: u8,
}

impl Row {
    pub(super) const NONE: Self = Self { facet: u32::MAX, most: f64::INFINITY, worst: 0 };
}

/// State of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellState {
    /// A facet; nothing is measured.
    Facet,
    /// Parts of it may be on either side.
    Open,
    /// All of it counts, but for points that do not matter.
    Counts,
}

/// Numbers of samples, in their order around a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellCorners {
    numbers: [u32; MOST_CORNERS],
    count: u8,
}

impl CellCorners {
    /// Adds one; false if there is no room.
    pub(super) fn push(&mut self, number: u32) -> bool {
        let Some(slot) = self.numbers.get_mut(usize::from(self.count)) else { return false };
        *slot = number;
        self.count += 1;
        true
    }
}

impl Deref for CellCorners {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.numbers[..usize::from(self.count)]
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Cell {}
impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.number.cmp(&self.number))
    }
}
