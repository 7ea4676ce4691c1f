//! Tests of stored points for a common line or plane, and the handedness of a linear map.
use super::{
    integer::Integer,
    lattice::{DyadicTransform, Lattice, TwoTriangles},
    placed::{IntegerPoints, on_lattice},
    predicates::{OrientationPlane, PointPredicates, Predicates, are_in_safe_range, is_in_safe_range},
    size::{WIDTHS, at_width},
    wide::Wide,
};
use crate::vector::Vector;
use std::slice;

/// True if three points lie on one line.
pub(crate) fn are_collinear(p: &[[f64; 3]; 3]) -> bool {
    fn flat(g: &impl Predicates) -> bool {
        (0..3).all(|axis| g.orient2d(axis, 0, 1, 2) == 0)
    }
    if p.iter().flatten().all(|&x| is_in_safe_range(x)) {
        return flat(&PointPredicates::new(&[p[0], p[1], p[2], p[0], p[1], p[2]]));
    }
    let still = [DyadicTransform::identity(); 2];
    let six = TwoTriangles::new(&still, [p, &[[0.0; 3]; 3]]);
    on_lattice!(at_width, &six, 2, g => flat(g))
}

/// The sign of the area of three points as seen along an axis: positive if they turn left.
pub(crate) fn turn(axis: usize, p: &[[f64; 3]; 3]) -> i32 {
    if are_in_safe_range(p) {
        return PointPredicates::new(&[p[0], p[1], p[2], p[0], p[1], p[2]]).orient2d(axis, 0, 1, 2);
    }
    let still = [DyadicTransform::identity(); 2];
    let six = TwoTriangles::new(&still, [p, &[[0.0; 3]; 3]]);
    on_lattice!(at_width, &six, 2, [i32; 3], g => [0, 1, 2].map(|axis| g.orient2d(axis, 0, 1, 2)))[axis]
}

/// The plane of a triangle with an area, prepared once for many points.
pub(crate) struct InPlane<'a> {
    corners: &'a [[f64; 3]; 3],
    /// `None` if a coordinate is outside the safe range.
    plane: Option<OrientationPlane<'a, Vector>>,
}

impl<'a> InPlane<'a> {
    pub(crate) fn new(corners: &'a [[f64; 3]; 3]) -> Self {
        let [a, b, c] = corners;
        let plane = are_in_safe_range(corners).then(|| OrientationPlane::new([a, b, c]));
        Self { corners, plane }
    }
    /// True if the plane contains a point.
    pub(crate) fn contains(&self, point: &[f64; 3]) -> bool {
        self.side(point) == 0
    }
    /// Sign of det(b - a, c - a, d - a) for the corners a, b, c and a point d: positive on the side from
    /// which the triangle is seen counter-clockwise.
    pub(crate) fn side(&self, point: &[f64; 3]) -> i32 {
        if let Some(plane) = &self.plane
            && are_in_safe_range(slice::from_ref(point))
            && let Some(side) = plane.side(point)
        {
            return side;
        }
        let still = [DyadicTransform::identity(); 2];
        let six = TwoTriangles::new(&still, [self.corners, &[*point; 3]]);
        on_lattice!(at_width, &six, 3, i32, g => g.orient3d(0, 1, 2, 3))
    }
}

/// True if the linear map with these rows is singular.
pub(crate) fn is_singular(rows: &[[f64; 3]; 3]) -> bool {
    handedness(rows) == 0
}

/// The sign of the determinant of the linear map with these rows.
pub(crate) fn handedness(rows: &[[f64; 3]; 3]) -> i32 {
    if rows.iter().flatten().all(|&x| is_in_safe_range(x)) {
        let six = [[0.0; 3], rows[0], rows[1], rows[2], [0.0; 3], [0.0; 3]];
        let raw = PointPredicates::new(&six);
        let sign = raw.orient3d(0, 1, 2, 3);
        if !raw.is_unsure() {
            return sign;
        }
    }
    let still = [DyadicTransform::identity(); 2];
    // The first triangle is the origin, thrice.
    let six = TwoTriangles::new(&still, [&[[0.0; 3]; 3], rows]);
    on_lattice!(at_width, &six, 3, i32, g => g.orient3d(0, 3, 4, 5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collinear_means_exactly_collinear() {
        let on = [[1.0; 3], [2.0; 3], [0.1; 3]];
        let beside = [[1.0; 3], [2.0; 3], [0.1, 0.1, 0.1_f64.next_up()]];
        // At the ends of the range, too, where floating-point products under- and overflow.
        for scale in [1.0, 1e-300, 1e-322, 8e307] {
            assert!(are_collinear(&on.map(|p| p.map(|c| c * scale))), "{scale}");
        }
        for exponent in [0, -1000, 1022] {
            let scaled = beside.map(|p| p.map(|c| c * 2.0_f64.powi(exponent)));
            assert!(!are_collinear(&scaled), "2^{exponent}");
        }
        let tiny = f64::from_bits(1);
        assert!(!are_collinear(&[[0.0; 3], [tiny, 0.0, 0.0], [0.0, tiny, 0.0]]));
        assert!(are_collinear(&[[0.0; 3], [tiny, 0.0, 0.0], [3.0 * tiny, 0.0, 0.0]]));
        assert!(are_collinear(&[[7.0; 3]; 3]));
    }

    #[test]
    fn singular_means_exactly_singular() {
        let rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
        assert!(is_singular(&rows));
        let mut near = rows;
        near[2][2] += 2e-15;
        assert!(!is_singular(&near));
        assert!(!is_singular(&[[1e-300, 0.0, 0.0], [0.0, 1e300, 0.0], [0.0, 0.0, 5e-324]]));
    }
}
