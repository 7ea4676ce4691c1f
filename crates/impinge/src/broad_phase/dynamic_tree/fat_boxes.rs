//! Boxes enlarged by margins, so that they need not change at every update.
//!
//! The margin on a side depends on how the box has moved since its last fat box: the faster, the larger. A
//! box that stands still has none.
use super::super::aabb::Aabb;

/// The number of updates for which a margin should last.
pub(super) const AHEAD: f64 = 32.0;
/// The smallest and the largest margin of a box that moves, as a part of its side.
const MARGINS: [f64; 2] = [0.1, 0.3];
/// Margins on sides that did not move outwards, as a part of those for the largest move.
const BACK: f64 = 0.25;

#[derive(Clone, Debug, Default)]
pub(super) struct FatBoxes {
    /// The fat boxes; empty for boxes that are empty.
    boxes: Vec<Aabb>,
    /// For each fat box, the box that it was made for, and the number of that update.
    made: Vec<(Aabb, u32)>,
    now: u32,
    /// The number of times that margins were halved.
    halved: i32,
}

impl FatBoxes {
    pub(super) fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }
    /// The number of the present update. It may wrap around.
    pub(super) fn now(&self) -> u32 {
        self.now
    }
    /// Begins an update.
    pub(super) fn tick(&mut self) {
        self.now = self.now.wrapping_add(1);
    }
    /// Appends empty boxes.
    pub(super) fn resize(&mut self, count: usize) {
        self.boxes.resize(count, Aabb::EMPTY);
        self.made.resize(count, (Aabb::EMPTY, self.now));
    }
    /// Halves the margins of all fat boxes that are made from now on.
    pub(super) fn halve_margins(&mut self) {
        self.halved += 1;
    }

    /// True if a box is still inside its fat box.
    pub(super) fn holds(&self, index: u32, b: &Aabb) -> bool {
        let fat = &self.boxes[index as usize];
        if b.is_empty() { fat.is_empty() } else { fat.holds(b) }
    }

    pub(super) fn fatten(&mut self, index: u32, b: &Aabb) {
        let at = index as usize;
        let (was, when) = self.made[at];
        self.made[at] = (*b, self.now);
        self.boxes[at] = if b.is_empty() {
            Aabb::EMPTY
        } else if was.is_empty() || was == *b {
            *b
        } else {
            let scale = 0.5_f64.powi(self.halved);
            let ahead = scale * AHEAD / f64::from(self.now.wrapping_sub(when).max(1));
            enlarged(b, &was, ahead, scale)
        };
    }
}

/// Enlarges `b`, which has moved from `was`, by margins for `ahead` times that move. `scale` is a factor for
/// the limits of the margins.
fn enlarged(b: &Aabb, was: &Aabb, ahead: f64, scale: f64) -> Aabb {
    let sides = [0, 1, 2].map(|k| b.hi[k] - b.lo[k]);
    let finite = |x: f64| if x < f64::INFINITY { x } else { 0.0 };
    let longest = sides.iter().fold(0.0, |most, &side| f64::max(most, finite(side)));
    // The length by which each side has moved outwards; infinite or NaN where the box is infinite.
    let out = [0, 1, 2].map(|k| [was.lo[k] - b.lo[k], b.hi[k] - was.hi[k]]);
    let most = out.iter().flatten().fold(0.0, |most, x| f64::max(most, finite(x.abs())));
    let mut fat = *b;
    for k in 0..3 {
        // Thin boxes get some margin, too; infinite sides need none.
        let side = f64::max(finite(sides[k]), 0.125 * longest);
        let margin = |out: f64| {
            let wanted = f64::max(out, BACK * most) * ahead;
            // `max` and `min` never return NaN here, as their second operand is a number.
            wanted.max(scale * MARGINS[0] * side).min(scale * MARGINS[1] * side)
        };
        fat.lo[k] -= margin(out[k][0]);
        fat.hi[k] += margin(out[k][1]);
    }
    fat
}
