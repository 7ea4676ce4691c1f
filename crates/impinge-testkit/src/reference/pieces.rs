//! The pieces into which planes cut a triangle, each as a point of it.
use super::numbers::{IntegerTriangle, Plane, RationalPoint};

/// A linear form in (u, v, w), or a point (u, v, w). For a triangle with corners a, b, c the point is
/// a + u / w (b - a) + v / w (c - a). Coefficients are differences of values at corners: 38 bits.
type Form = [i128; 3];

fn value(form: &Form, p: &Form) -> i128 {
    (0..3).map(|k| form[k] * p[k]).sum()
}

/// A point inside each piece of a triangle that is not degenerate. `None` if a piece is too small.
pub(super) fn pieces<'a>(
    triangle: &IntegerTriangle,
    planes: impl IntoIterator<Item = &'a Plane>,
) -> Option<Vec<RationalPoint>> {
    // The triangle's own sides, positive inside, then the planes that cut it.
    let mut forms: Vec<Form> = vec![[1, 0, 0], [0, 1, 0], [-1, -1, 1]];
    for plane in planes {
        let [a, b, c] = triangle.map(|corner| plane.value_at(corner));
        if [a, b, c].iter().any(|&x| x > 0) && [a, b, c].iter().any(|&x| x < 0) {
            forms.push([b - a, c - a, a]);
        }
    }
    // Corners of each polygon in order, with the form that is 0 on the edge to the next.
    let mut polygons: Vec<Vec<(Form, usize)>> = vec![vec![([0, 0, 1], 1), ([1, 0, 1], 2), ([0, 1, 1], 0)]];
    for i in 3..forms.len() {
        let mut next = Vec::with_capacity(polygons.len() + 2);
        for polygon in polygons {
            let values: Vec<i128> = polygon.iter().map(|(p, _)| value(&forms[i], p)).collect();
            if !(values.iter().any(|&v| v > 0) && values.iter().any(|&v| v < 0)) {
                next.push(polygon);
                continue;
            }
            next.extend([1, -1].map(|side| half(&polygon, &values, side, i, &forms)));
        }
        polygons = next;
    }
    polygons.iter().map(|polygon| inside(triangle, polygon, &forms)).collect()
}

/// The part of a polygon on one side of form i.
fn half(
    polygon: &[(Form, usize)],
    values: &[i128],
    side: i128,
    i: usize,
    forms: &[Form],
) -> Vec<(Form, usize)> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (k, &(p, edge)) in polygon.iter().enumerate() {
        let (here, next) = (values[k] * side, values[(k + 1) % polygon.len()] * side);
        if here >= 0 {
            // This corner is on the line. The next edge is on it, too, if the polygon leaves the half here.
            kept.push((p, if here == 0 && next < 0 { i } else { edge }));
        }
        if here > 0 && next < 0 {
            kept.push((meeting(&forms[edge], &forms[i]), i));
        } else if here < 0 && next > 0 {
            kept.push((meeting(&forms[edge], &forms[i]), edge));
        }
    }
    kept
}

/// The intersection of two lines: 77 bits, w positive.
fn meeting(f: &Form, g: &Form) -> Form {
    let p = [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        f[i] * g[j] - f[j] * g[i]
    });
    if p[2] < 0 { p.map(|x| -x) } else { p }
}

fn inside(triangle: &IntegerTriangle, polygon: &[(Form, usize)], forms: &[Form]) -> Option<RationalPoint> {
    let mut mean = [0.0; 2];
    for (p, _) in polygon {
        (0..2).for_each(|k| mean[k] += p[k] as f64 / p[2] as f64 / polygon.len() as f64);
    }
    [12, 26, 40].into_iter().find_map(|shift| {
        let w = 1_i128 << shift;
        let [u, v] = mean.map(|x| (x * w as f64).round() as i128);
        let p = [u, v, w];
        let is_inside = polygon.iter().all(|&(_, edge)| {
            let side = polygon.iter().map(|(q, _)| value(&forms[edge], q)).find(|&x| x != 0);
            side.is_some_and(|side| side.signum() == value(&forms[edge], &p).signum())
        });
        let [a, b, c] = triangle.map(|corner| corner.map(i128::from));
        let x = [0, 1, 2].map(|k| a[k] * w + u * (b[k] - a[k]) + v * (c[k] - a[k]));
        is_inside.then_some(RationalPoint { x, w })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cut_a_triangle() {
        let triangle = [[0, 0, 3], [8, 0, 3], [0, 8, 3]];
        let plane = |n, d| Plane::new(n, d);
        let count = |planes: &[Plane]| pieces(&triangle, planes).unwrap().len();
        assert_eq!(count(&[]), 1);
        assert_eq!(count(&[plane([0, 0, 1], -3), plane([1, 0, 0], 0), plane([1, 1, 0], -8)]), 1, "its own");
        assert_eq!(count(&[plane([1, 0, 0], -4)]), 2);
        assert_eq!(count(&[plane([1, -1, 0], 0)]), 2, "through a corner");
        let three = [plane([1, 0, 0], -2), plane([0, 1, 0], -2), plane([1, -1, 1], -3)];
        assert_eq!(count(&three), 6, "through one point");
        let four = [plane([1, 0, 0], -2), plane([0, 1, 0], -2), plane([1, 0, 0], -4), plane([1, 1, 0], -7)];
        assert_eq!(count(&four), 10);
        for p in pieces(&triangle, &four).unwrap() {
            assert!(p.x[2] == 3 * p.w && four.iter().all(|plane| plane.value(&p) != 0));
        }
    }
}
