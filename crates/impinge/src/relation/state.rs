//! The kinds of cells of space found so far, and those that end the search.

pub(super) const ONLY_A: u8 = 1 << 2;

pub(super) const ONLY_B: u8 = 1 << 1;

pub(super) const BOTH: u8 = 1 << 3;

/// A fin of one has a point inside of the other.
pub(super) const PIERCED: u8 = 1 << 4;

pub(super) const ONLY: [u8; 2] = [ONLY_A, ONLY_B];

/// Pairs (in A, in B) that occur, and those that end the search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RelationState {
    /// Bit 2 a + b, and [`PIERCED`].
    pub(super) found: u8,
    /// The bits that end the search: all of them, or any one.
    pub(super) wanted: u8,
    pub(super) any: bool,
}

impl RelationState {
    /// Records a cell that is in body `own` or not, and in the other or not.
    pub(super) fn note(&mut self, own: usize, in_own: bool, in_other: bool) {
        let (a, b) = if own == 0 { (in_own, in_other) } else { (in_other, in_own) };
        self.found |= 1 << (2 * u8::from(a) + u8::from(b));
    }
    /// Records a piece of a face of body `own`: whether its two sides are inside of that body and of the
    /// other. If all are outside, `is_covered` returns whether it lies on a fin of the other. A surface is
    /// all fins.
    pub(super) fn note_face(
        &mut self,
        own: usize,
        of_own: [bool; 2],
        of_other: [bool; 2],
        is_covered: impl Fn() -> bool,
    ) {
        for (in_own, in_other) in of_own.into_iter().zip(of_other) {
            self.note(own, in_own, in_other);
        }
        if of_own == [false; 2] && of_other[0] == of_other[1] {
            self.note_fin(own, of_other[0], is_covered);
        }
    }
    /// Records a piece of a fin that is inside of the other body or outside.
    pub(super) fn note_fin(&mut self, own: usize, in_other: bool, is_covered: impl Fn() -> bool) {
        if in_other {
            self.found |= PIERCED;
        } else if self.found & ONLY[own] == 0 && !is_covered() {
            self.found |= ONLY[own];
        }
    }
    /// True if no cell inside of the other body (or outside, by `in_other`) can be new, for any own side.
    pub(super) fn is_told(&self, own: usize, in_other: bool) -> bool {
        let mut possible = Self::default();
        // A fin pierces: of two solids that does not matter once insides have a point in common.
        [true, false].into_iter().for_each(|in_own| possible.note(own, in_own, in_other));
        possible.note_fin(own, in_other, || false);
        possible.found & self.wanted & !self.found == 0
    }
    pub(super) fn is_complete(&self) -> bool {
        let found = self.found & self.wanted;
        if self.any { found != 0 } else { found == self.wanted }
    }
}
