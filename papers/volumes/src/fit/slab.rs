//! Narrow slabs { x : f <= n.x <= e } around points.
use super::extremal::DIRECTIONS;

use impinge::hierarchy::{Vector, cross, dot, sub};

/// The vector scaled to length 1; `None` if it is too short to have a direction.
fn unit(v: Vector) -> Option<Vector> {
    let square = dot(v, v);
    (square > f64::MIN_POSITIVE).then(|| v.map(|x| x / square.sqrt()))
}

/// The least and the largest n.p.
pub(crate) fn extent(n: &Vector, points: &[Vector]) -> [f64; 2] {
    points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &p| {
        let x = dot(*n, p);
        [if x < low { x } else { low }, if x > high { x } else { high }]
    })
}

fn width(n: &Vector, points: &[Vector]) -> f64 {
    let [low, high] = extent(n, points);
    high - low
}

/// The unit normal of a narrow slab around all points, in linear time (Larsson and Akenine-Moller 2008,
/// section 2). The slab is the narrowest of two groups: the slabs of the 26-DOP, and the slabs along the
/// planes through each pair of its extremal points and the extremal point furthest from their line.
pub(crate) fn narrow(points: &[Vector], ends: &[[Vector; 2]; 13]) -> Vector {
    narrow_by(points, ends, |_| 1.0)
}

/// The unit normal of a narrow slab around all points, by the fit of slab cut balls, with each width
/// multiplied by a weight of its normal.
pub fn narrow_by(points: &[Vector], ends: &[[Vector; 2]; 13], weight: impl Fn(&Vector) -> f64) -> Vector {
    let mut best = (DIRECTIONS[0], f64::INFINITY);
    for (d, [low, high]) in DIRECTIONS.iter().zip(ends) {
        let n = d.map(|x| x / dot(*d, *d).sqrt());
        let width = dot(n, sub(*high, *low)) * weight(&n);
        if width < best.1 {
            best = (n, width);
        }
    }
    let ends_of_all = ends.as_flattened();
    for [low, high] in ends {
        let line = sub(*low, *high);
        let mut plane = [0.0; 3];
        for &p in ends_of_all {
            let n = cross(line, sub(p, *high));
            if dot(n, n) > dot(plane, plane) {
                plane = n;
            }
        }
        let Some(n) = unit(plane) else { continue };
        // The slab around the extremal points is a lower bound and cheap: skip the full width if it is too
        // wide.
        let weight = weight(&n);
        if width(&n, ends_of_all) * weight < best.1 {
            let width = width(&n, points) * weight;
            if width < best.1 {
                best = (n, width);
            }
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::{super::extremal::extremal_points, *};

    #[test]
    fn finds_the_plane_of_a_tilted_patch() {
        let n = unit([0.3, -0.5, 0.9]).unwrap();
        let (u, v) = (unit(cross(n, [1., 0., 0.])).unwrap(), unit(cross(n, [0., 1., 0.])).unwrap());
        let points: Vec<Vector> = (0..400_u32)
            .map(|i| {
                let (s, t) = (f64::from(i % 20) / 20.0 - 0.5, f64::from(i / 20) / 20.0 - 0.5);
                std::array::from_fn(|k| 0.25 + s * u[k] + t * v[k] + 0.01 * s * t * n[k])
            })
            .collect();
        let got = narrow(&points, &extremal_points(points.iter().copied()));
        assert!(dot(got, n).abs() > 0.9999, "{got:?}");
        // A plane through three corners of a saddle misses the fourth by four times the saddle's height.
        assert!(width(&got, &points) < 0.0101, "{}", width(&got, &points));
    }

    #[test]
    fn points_and_lines_have_a_normal_too() {
        for points in
            [vec![[0.5; 3]], vec![[0.0; 3], [1.0; 3]], vec![[0.0; 3], [1e-200, 0.0, 0.0], [0.0, 1e-200, 0.0]]]
        {
            let n = narrow(&points, &extremal_points(points.iter().copied()));
            assert!((dot(n, n) - 1.0).abs() < 1e-12 && width(&n, &points) < 1e-12, "{points:?}: {n:?}");
        }
    }
}
