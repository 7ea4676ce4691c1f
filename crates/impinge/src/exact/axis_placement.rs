//! Placements that map axes to axes, as most parts of assemblies have: turned by quarter turns, if at all,
//! and moved. Each placed coordinate is a coordinate of the mesh, negated or not, plus a number.
use super::{SumPoint, is_in_safe_range};
use crate::vector::Vector;

/// Coordinate k of the placed point v is `signs[k]` v[`axes[k]`] + `offset[k]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AxisPlacement {
    pub(crate) axes: [usize; 3],
    /// 1 or -1.
    pub(crate) signs: Vector,
    /// The translation, in the safe range.
    pub(crate) offset: Vector,
}

impl AxisPlacement {
    /// The placement of v at R v + t, if R maps every axis to one and t is in the safe range.
    pub(crate) fn new(rows: &[Vector; 3], t: &Vector) -> Option<Self> {
        let mut found = Self { axes: [0; 3], signs: [0.0; 3], offset: *t };
        for (k, row) in rows.iter().enumerate() {
            let axis = row.iter().position(|x| x.abs() == 1.0)?;
            let others = (0..3).filter(|&i| i != axis);
            if others.into_iter().any(|i| row[i] != 0.0) || found.axes[..k].contains(&axis) {
                return None;
            }
            (found.axes[k], found.signs[k]) = (axis, row[axis]);
        }
        t.iter().all(|&x| is_in_safe_range(x)).then_some(found)
    }
    /// True if every axis stays where it is.
    pub(crate) fn is_unturned(&self) -> bool {
        self.axes == [0, 1, 2] && self.signs == [1.0; 3]
    }
    /// The placed point, but for the offset.
    #[inline(always)]
    fn turned(&self, v: &Vector) -> Vector {
        let along = |k: usize| self.signs[k] * v[self.axes[k]];
        [along(0), along(1), along(2)]
    }
    /// The placed point. Coordinates are in the safe range.
    #[inline(always)]
    pub(crate) fn point(&self, v: &Vector) -> SumPoint {
        SumPoint::new(&self.turned(v), &self.offset)
    }
    /// The corners of a placed triangle.
    pub(crate) fn corners(&self, t: &[Vector; 3]) -> [SumPoint; 3] {
        [self.point(&t[0]), self.point(&t[1]), self.point(&t[2])]
    }
    /// The least and the greatest placed coordinates of a box.
    pub(crate) fn extent(&self, [lo, hi]: &[Vector; 2]) -> [SumPoint; 2] {
        let (a, b) = (self.turned(lo), self.turned(hi));
        let [mut least, mut most] = [a; 2];
        for k in 0..3 {
            (least[k], most[k]) = if a[k] < b[k] { (a[k], b[k]) } else { (b[k], a[k]) };
        }
        [least, most].map(|v| SumPoint::new(&v, &self.offset))
    }
}
