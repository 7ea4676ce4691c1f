//! Bounds on the rounding of coordinates by a file's number format.
//!
//! A program that stores a coordinate x as the f32 nearest to it, y, moves it by at most half the distance of
//! y from its neighbours on x's side:
//!
//! 1. If y is normal, 2^e <= |y| < 2^(e + 1), its neighbours are at most 2^(e - 23) away, so |x - y| <=
//!    2^(e - 24) <= 2^-24 |y|.
//! 2. If y is subnormal or zero, its neighbours are 2^-149 away, so |x - y| <= 2^-150.
//!
//! So each coordinate of a mesh has moved by at most r = max(2^-24 m, 2^-150), where m is the largest
//! absolute coordinate, and each point by at most sqrt(3) r. Points of a triangle are convex combinations of
//! its corners, so no point of the surface has moved farther.
use crate::affine::Affine;
use impinge::Mesh;

/// At least sqrt(3): the f64 after the nearest one.
const ROOT_3: f64 = 1.7320508075688774;
const HALF_ULP: f64 = 1.0 / (1_u64 << 24) as f64;
/// 2^-150, half the smallest f32.
const HALF_SMALLEST: f64 = 1.0 / (1_u128 << 75) as f64 / (1_u128 << 75) as f64;

/// Largest distance by which rounding to f32 may have moved a point, given the mesh as it was stored. Cost:
/// linear in the number of points.
pub(crate) fn of_f32(mesh: &Mesh) -> f64 {
    let largest = mesh.points().as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    // The maximum is exact. The product is rounded to nearest, and `next_up` makes it a bound.
    (ROOT_3 * (HALF_ULP * largest).max(HALF_SMALLEST)).next_up()
}

/// Bound after a linear map: the bound times a bound on the map's spectral norm. This norm is at most the
/// Frobenius norm, and at most the geometric mean of the row sum norm and the column sum norm.
pub(crate) fn mapped(bound: f64, map: &Affine) -> f64 {
    let entry = |i: usize, j: usize| map.rows[i][j].abs();
    let largest = |sums: [f64; 3]| sums.into_iter().fold(0.0, f64::max);
    let rows = largest(std::array::from_fn(|i| (0..3).map(|j| entry(i, j)).sum()));
    let columns = largest(std::array::from_fn(|j| (0..3).map(|i| entry(i, j)).sum()));
    let frobenius = map.rows.as_flattened().iter().map(|x| x * x).sum::<f64>().sqrt();
    // Some ten roundings of positive numbers, each by at most 2^-53.
    let slack = 1.0 + 32.0 * f64::EPSILON;
    let norm = frobenius.min(rows.sqrt() * columns.sqrt());
    // A product beyond the range of f64 becomes the largest f64.
    (bound * norm * slack).min(f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{mapped, of_f32};
    use crate::affine::Affine;
    use impinge::Mesh;

    /// Random numbers of all sizes, rounded to f32: no point moves farther than the bound, and some move
    /// about half as far.
    #[test]
    fn rounding_moves_no_point_farther() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut widest: f64 = 0.0;
        for power in -160..127 {
            for _ in 0..200 {
                let exact: [f64; 3] = std::array::from_fn(|_| (2.0 * random() - 1.0) * 2_f64.powi(power));
                let stored = exact.map(|x| f64::from(x as f32));
                let bound = of_f32(&Mesh::new(vec![stored], Vec::new()).unwrap());
                // Each difference is exact or, below 2^-150, rounded by much less than the slack of the
                // bound.
                let moved = (0..3).map(|k| ((exact[k] - stored[k]) / bound).powi(2)).sum::<f64>().sqrt();
                assert!(moved <= 1.0, "{exact:?} {bound}");
                widest = widest.max(moved);
            }
        }
        assert!(widest > 0.5, "{widest}");
        // Zero may be a number that has underflown. The largest f32 has the largest distance from its
        // neighbour.
        assert!(of_f32(&Mesh::default()) > 2_f64.powi(-150));
        let top = Mesh::new(vec![[f64::from(f32::MAX), 0.0, 0.0]], Vec::new()).unwrap();
        assert!(of_f32(&top) > 2_f64.powi(103));
    }

    #[test]
    fn maps_stretch_the_bound_as_they_stretch_lengths() {
        let scale = |s: [f64; 3]| Affine {
            rows: [[s[0], 0.0, 0.0], [0.0, -s[1], 0.0], [0.0, 0.0, s[2]]],
            t: [5.0; 3],
        };
        let bound = mapped(0.5, &scale([2.0, 3.0, 1.0]));
        assert!((1.5..1.5 + 1e-12).contains(&bound), "{bound}");
        assert_eq!(mapped(1.0, &scale([1e308; 3])), f64::MAX.min(1e308 * (1.0 + 32.0 * f64::EPSILON)));
        // A shear by 1 has the norm (1 + sqrt(5)) / 2.
        let shear = Affine { rows: [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], t: [0.0; 3] };
        assert!(mapped(1.0, &shear) >= (1.0 + 5_f64.sqrt()) / 2.0);
    }
}
