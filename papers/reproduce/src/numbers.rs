//! Means and fits.

/// The mean; 0 for no numbers.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, n) = values.into_iter().fold((0.0, 0.0), |(sum, n), v| (sum + v, n + 1.0));
    if n > 0.0 { sum / n } else { 0.0 }
}

/// The geometric mean of positive numbers; 0 for no numbers.
pub(crate) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, n) = values.into_iter().fold((0.0, 0.0), |(sum, n), v| (sum + v.ln(), n + 1.0));
    if n > 0.0 { (sum / n).exp() } else { 0.0 }
}

/// Fit of y = c x by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Proportion {
    pub(crate) factor: f64,
    /// The part of y's variance about its mean that the fit explains.
    pub(crate) r_squared: f64,
}

/// Fits y = c x. Returns `None` if all x are 0 or all y are equal.
pub(crate) fn proportion(points: &[(f64, f64)]) -> Option<Proportion> {
    let xx: f64 = points.iter().map(|(x, _)| x * x).sum();
    let xy: f64 = points.iter().map(|(x, y)| x * y).sum();
    let middle = mean(points.iter().map(|p| p.1));
    let total: f64 = points.iter().map(|(_, y)| (y - middle) * (y - middle)).sum();
    if xx <= 0.0 || total <= 0.0 {
        return None;
    }
    let factor = xy / xx;
    let rest: f64 = points.iter().map(|(x, y)| (y - factor * x) * (y - factor * x)).sum();
    Some(Proportion { factor, r_squared: 1.0 - rest / total })
}

/// Fit of y = c0 + c1 x1 + c2 x2 by least squares of relative errors: each row is ([x1, x2], y), y > 0.
///
/// `None` if the rows do not determine the three, as when x1 and x2 are proportional.
pub(crate) fn plane(rows: &[([f64; 2], f64)]) -> Option<[f64; 3]> {
    // Normal equations of c0 / y + c1 x1 / y + c2 x2 / y = 1, columns scaled to unit length.
    let columns: Vec<[f64; 3]> =
        rows.iter().filter(|r| r.1 > 0.0).map(|([a, b], y)| [1.0 / y, a / y, b / y]).collect();
    let length: [f64; 3] = std::array::from_fn(|k| columns.iter().map(|c| c[k] * c[k]).sum::<f64>().sqrt());
    if length.iter().any(|l| l.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater)) {
        return None;
    }
    let mut m = [[0.0; 4]; 3];
    for c in &columns {
        let c: [f64; 3] = std::array::from_fn(|k| c[k] / length[k]);
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] += c[i] * c[j];
            }
            m[i][3] += c[i];
        }
    }
    for i in 0..3 {
        let pivot = (i..3).max_by(|&a, &b| m[a][i].abs().total_cmp(&m[b][i].abs()))?;
        m.swap(i, pivot);
        // The columns have unit length: the remainder of one is the square of its distance from the others.
        if m[i][i].abs() < 1e-9 {
            return None;
        }
        for j in 0..3 {
            if j != i {
                let f = m[j][i] / m[i][i];
                let pivot_row = m[i];
                m[j].iter_mut().zip(pivot_row).for_each(|(x, p)| *x -= f * p);
            }
        }
    }
    Some(std::array::from_fn(|k| m[k][3] / m[k][k] / length[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles() {
        assert_eq!(mean([1.0, 2.0, 6.0]), 3.0);
        assert!((geometric_mean([1.0, 8.0, 27.0]) - 6.0).abs() < 1e-12);
        assert_eq!((mean([]), geometric_mean([])), (0.0, 0.0));
    }

    #[test]
    fn a_proportion_is_found_and_judged() {
        let exact: Vec<_> = [1.0, 2.0, 5.0].map(|x| (x, 3.0 * x)).to_vec();
        let fit = proportion(&exact).unwrap();
        assert!((fit.factor - 3.0).abs() < 1e-12 && (fit.r_squared - 1.0).abs() < 1e-12, "{fit:?}");
        // By hand: c = 5 / 5, and 1 of the squares about the mean, 2, remains.
        let fit = proportion(&[(0.0, 1.0), (1.0, 1.0), (2.0, 2.0), (0.0, 0.0)]).unwrap();
        assert!((fit.factor - 1.0).abs() < 1e-12 && (fit.r_squared - 0.5).abs() < 1e-12, "{fit:?}");
        assert_eq!(proportion(&[(0.0, 1.0), (0.0, 2.0)]), None);
        assert_eq!(proportion(&[(1.0, 2.0)]), None);
    }

    #[test]
    fn a_plane_is_found_unless_there_is_none() {
        let at = |a: f64, b: f64| ([a, b], 0.5 + 0.01 * a + 0.2 * b);
        let rows = [at(10.0, 0.0), at(200.0, 3.0), at(50.0, 9.0), at(1000.0, 1.0), at(1.0, 1.0)];
        let found = plane(&rows).unwrap();
        for (c, want) in found.iter().zip([0.5, 0.01, 0.2]) {
            assert!((c - want).abs() < 1e-9, "{found:?}");
        }
        assert_eq!(plane(&[at(1.0, 2.0), at(2.0, 4.0), at(3.0, 6.0), at(5.0, 10.0)]), None);
        assert_eq!(plane(&[at(1.0, 0.0), at(2.0, 0.0)]), None);
    }
}
