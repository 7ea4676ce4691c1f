//! Crossings of a ray and a triangle, for winding numbers.
use super::{
    cast::Cast,
    sides::{PlaneParameter, RayTriangle},
};
use crate::vector::{UNIT, Vector};

impl Cast<'_> {
    /// Crossing of the ray and a triangle, and true if the ray begins on it; `None` if it misses it.
    pub(crate) fn crossing(&self, triangle: u32) -> Option<(i8, bool)> {
        let corners = self.body.model.mesh().corners(triangle);
        if let Some(known) = self.known_crossing(self.sides(&corners)) {
            return known;
        }
        self.decide_crossing(triangle, &corners)
    }
    #[cold]
    #[inline(never)]
    fn decide_crossing(&self, triangle: u32, corners: &[Vector; 3]) -> Option<(i8, bool)> {
        if let Some(known) = self.known_crossing(self.near_sides(corners)) {
            return known;
        }
        let hit = self.decide(triangle, corners)?;
        // The width of the interval is relative to t: it ends at 0 only if t is 0.
        Some((hit.crossing, hit.enter[1] == 0.0))
    }
    /// The result of floating point; `None` where it is not certain.
    #[inline(always)]
    fn known_crossing(&self, sides: Option<RayTriangle>) -> Option<Option<(i8, bool)>> {
        let Some(sides) = sides else { return Some(None) };
        let PlaneParameter { num, den, num_off, den_off } = sides.plane(&self.direction);
        // NaN and infinity prove nothing.
        if num.abs() > num_off && den.abs() > den_off {
            let way = if den > 0.0 { 1 } else { -1 };
            if (num > 0.0) != (den > 0.0) {
                return Some(None);
            }
            // |num| against the end times |den|: each rounds twice, and a quotient of both is at least that.
            let [more, less] = [1.0 + 8.0 * UNIT, 1.0 - 8.0 * UNIT];
            if (num.abs() - num_off) * less > self.end * ((den.abs() + den_off) * more) {
                return Some(None);
            }
            let is_before_end = (num.abs() + num_off) * more < self.end * ((den.abs() - den_off) * less);
            if sides.is_through && is_before_end {
                return Some(Some((way * self.handedness, false)));
            }
        }
        None
    }
}
