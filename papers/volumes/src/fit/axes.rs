//! Principal axes of triangles: the eigenvectors of their covariance (Gottschalk, Lin and Manocha 1996,
//! section 4; Hu et al. 2016, section 3.2).
//!
//! Jacobi's iteration is written out here: for a symmetric 3 by 3 matrix it takes thirty lines, and by
//! construction its eigenvectors are orthonormal up to rounding even if eigenvalues coincide.
use impinge::hierarchy::{Vector, largest, shrinking};

type Matrix = [[f64; 3]; 3];

const UNIT: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Three unit vectors, orthogonal up to rounding. Accepts any triangles, degenerate ones and an empty set
/// included.
pub(crate) fn principal_axes(triangles: impl Iterator<Item = [Vector; 3]> + Clone) -> Matrix {
    let Some([origin, ..]) = triangles.clone().next() else { return UNIT };
    // Scaled to the size of the triangles' own extent, so that no underflow matters.
    let far = triangles.clone().flatten().flat_map(|p| sub(&p, &origin).map(f64::abs));
    let scale = shrinking(largest(far));
    let triangles = triangles.map(|t| t.map(|p| sub(&p, &origin).map(|x| x * scale)));
    eigenvectors(covariance(triangles))
}

/// The integral of (x - C) (x - C)^T over the triangles, up to a factor; C is their centre of mass.
///
/// Over a triangle with corners p, q, r, centroid c and area S, x x^T integrates to S / 12 (9 c c^T + p p^T +
/// q q^T + r r^T). If no triangle has an area, all have the same weight.
fn covariance(triangles: impl Iterator<Item = [Vector; 3]> + Clone) -> Matrix {
    let total: f64 = triangles.clone().map(|t| area(&t)).sum();
    let weight = |t: &[Vector; 3]| if total > 0.0 { area(t) / total } else { 1.0 };
    // The mean of the centroids. Corners are then measured from it, which limits cancellation.
    let (mut mean, mut weights) = ([0.0; 3], 0.0);
    for t in triangles.clone() {
        let w = weight(&t);
        weights += w;
        for (k, m) in mean.iter_mut().enumerate() {
            *m += w * (t[0][k] + t[1][k] + t[2][k]);
        }
    }
    let mean = mean.map(|x| x / (3.0 * weights));
    let mut sum = [[0.0; 3]; 3];
    for t in triangles {
        let w = weight(&t);
        let [p, q, r] = t.map(|p| sub(&p, &mean));
        let c: Vector = std::array::from_fn(|k| p[k] + q[k] + r[k]);
        for (i, row) in sum.iter_mut().enumerate() {
            for (j, x) in row.iter_mut().enumerate() {
                *x += w * (c[i] * c[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j]);
            }
        }
    }
    sum
}

/// Twice the area.
fn area([p, q, r]: &[Vector; 3]) -> f64 {
    let n = cross(&sub(q, p), &sub(r, p));
    dot(&n, &n).sqrt()
}

/// Jacobi's iteration: rotations in one coordinate plane after another until all off-diagonal entries are 0.
fn eigenvectors(mut a: Matrix) -> Matrix {
    // Rows are the eigenvectors.
    let mut v = UNIT;
    // It converges quadratically: 4 to 7 sweeps suffice, and more do no harm.
    for _ in 0..16 {
        let off = a[0][1].abs() + a[0][2].abs() + a[1][2].abs();
        let diagonal = a[0][0].abs() + a[1][1].abs() + a[2][2].abs();
        // False if there is a NaN: then all sweeps run.
        if off <= 1e-18 * diagonal {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            // The smaller root of t^2 + 2 theta t - 1: the tangent of the rotation that makes a[p][q] zero.
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cos = 1.0 / (t * t + 1.0).sqrt();
            let sin = t * cos;
            let turn = |x: f64, y: f64| (cos * x - sin * y, sin * x + cos * y);
            for row in &mut a {
                (row[p], row[q]) = turn(row[p], row[q]);
            }
            for k in 0..3 {
                (a[p][k], a[q][k]) = turn(a[p][k], a[q][k]);
                (v[p][k], v[q][k]) = turn(v[p][k], v[q][k]);
            }
            (a[p][q], a[q][p]) = (0.0, 0.0);
        }
    }
    v
}

fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}
fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orthonormal(v: &Matrix) -> bool {
        (0..3).all(|i| (0..3).all(|j| (dot(&v[i], &v[j]) - UNIT[i][j]).abs() < 1e-14))
    }

    /// A right triangle with legs 3 and 6: over it x has the variance 3^2 / 18, y 6^2 / 18, and
    /// both together -3 6 / 36.
    #[test]
    fn the_covariance_of_one_triangle() {
        let triangle = [[1., 2., 5.], [4., 2., 5.], [1., 8., 5.]];
        let got = covariance([triangle].into_iter()).map(|row| row.map(|x| x / 12.0));
        for (i, row) in [[0.5, -0.5, 0.0], [-0.5, 2.0, 0.0], [0.0; 3]].iter().enumerate() {
            for (j, want) in row.iter().enumerate() {
                assert!((got[i][j] - want).abs() < 1e-14, "{got:?}");
            }
        }
    }

    /// A triangle cut in four is the same set with the same statistics, even if one corner has many small
    /// pieces.
    #[test]
    fn crowding_changes_nothing() {
        let (a, b, c) = ([0., 0., 0.], [4., 1., 0.], [1., 2., 3.]);
        let mid = |p: Vector, q: Vector, s: f64| std::array::from_fn(|k| p[k] + s * (q[k] - p[k]));
        let (d, e, f) = (mid(a, b, 0.1), mid(a, c, 0.25), mid(b, c, 0.875));
        let whole = covariance([[a, b, c]].into_iter());
        let parts = covariance([[a, d, e], [d, b, f], [d, f, e], [e, f, c], [a, a, d]].into_iter());
        for (x, y) in whole.as_flattened().iter().zip(parts.as_flattened()) {
            assert!((x - y).abs() < 1e-12, "{whole:?} {parts:?}");
        }
    }

    #[test]
    fn eigenvectors_of_a_known_matrix() {
        // Q diag(1, 2, 9) Q^T with Q = 1/3 [[1, 2, 2], [2, 1, -2], [2, -2, 1]].
        let q = [[1., 2., 2.], [2., 1., -2.], [2., -2., 1.]].map(|row: Vector| row.map(|x| x / 3.0));
        let values = [1.0, 2.0, 9.0];
        let a = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| values[k] * q[k][i] * q[k][j]).sum())
        });
        let v = eigenvectors(a);
        assert!(orthonormal(&v));
        for want in &q {
            assert!(v.iter().any(|got| (dot(got, want).abs() - 1.0).abs() < 1e-14), "{v:?}");
        }
    }

    #[test]
    fn degenerate_triangles_have_axes_too() {
        let line = [[0., 0., 0.], [1., 1., 1.], [3., 3., 3.]];
        for scale in [1.0, 1e-150, 1e-300] {
            let axes = principal_axes([line.map(|p: Vector| p.map(|x| x * scale))].into_iter());
            assert!(orthonormal(&axes));
            let along = axes.iter().map(|a| (a[0] + a[1] + a[2]).abs()).fold(0.0, f64::max);
            assert!((along - 3.0_f64.sqrt()).abs() < 1e-12, "{scale:e} {axes:?}");
        }
        assert_eq!(principal_axes([[[2.0; 3]; 3]; 5].into_iter()), UNIT);
        assert_eq!(principal_axes(std::iter::empty()), UNIT);
    }
}
