//! Corners that a ray runs through, each decided once for all its triangles.
use super::{cast::Cast, sides::PlaneParameter, through::Through};
use crate::vector::{UNIT, Vector, cross, sub};
use std::cell::Cell;

impl Cast<'_> {
    /// Keeps a corner, the latest first.
    pub(super) fn remember(&self, through: Through) {
        let mut next = Some(through);
        for known in &self.known {
            next = known.replace(next);
        }
    }
    /// The first corner of a triangle among those that we kept, and its t.
    pub(super) fn known_corner(&self, corners: &[Vector; 3]) -> Option<(usize, [f64; 2])> {
        self.known.iter().map_while(Cell::get).find_map(|Through { corner, t }| {
            let i = corners.iter().position(|v| *v == corner)?;
            Some((i, t))
        })
    }
    /// True if the ray enters two triangles at one corner among those that we kept.
    pub(super) fn enter_at_one_corner(&self, corners: &[[Vector; 3]; 2]) -> bool {
        let [a, b] = corners;
        let (Some((i, _)), Some((j, _))) = (self.known_corner(a), self.known_corner(b)) else { return false };
        a[i] == b[j] && self.at_known_corner(a, i).is_some() && self.at_known_corner(b, j).is_some()
    }
    /// Crossing of a triangle whose corner i the ray runs through, if it certainly crosses the plane there.
    /// So integers decide only the first of n triangles at an apex.
    ///
    /// Among the three (c x e).d, those of the two edges at the corner are 0, and the third has the sign of
    /// n.d. For the moved ray (`posed/ray.rs`) the two are -p.(e x d): the first component of e x d that is
    /// not 0 decides. A component is two products of at most 2 E: off by 4 `off_e`, rounded by 8 u E.
    pub(super) fn at_known_corner(&self, v: &[Vector; 3], i: usize) -> Option<i8> {
        let v = [v[i], v[(i + 1) % 3], v[(i + 2) % 3]];
        let sides = self.sides(&v)?;
        let PlaneParameter { den, den_off, .. } = sides.plane(&self.direction);
        // NaN proves nothing.
        let is_across = den.abs() > den_off;
        if !is_across {
            return None;
        }
        let way = if den > 0.0 { 1 } else { -1 };
        let off = 4.0 * sides.off_e + 16.0 * UNIT * sides.side + f64::MIN_POSITIVE * (1.0 + sides.side);
        let (back, _) = self.turned(&sub(v[0], v[2]));
        // The first component that is not 0 for all e.
        let d = &self.ray.direction;
        let k = if d[1] == 0.0 && d[2] == 0.0 { 1 } else { 0 };
        let [first, second] = [sides.edges[0], back].map(|e| cross(e, self.direction)[k]);
        // Where one may be 0, integers decide.
        let are_known = first.abs() > off && second.abs() > off;
        if !are_known {
            return None;
        }
        let is_crossed = [first, second].iter().all(|x| (*x < 0.0) == (way > 0));
        Some(if is_crossed { way * self.handedness } else { 0 })
    }
}
