//! Slabs for a lane: the direction in which its triangles are thinnest, and the thinnest one across it.
use super::{TREE_ERROR, Vector, node::Interval, node::NORMAL};
use crate::vector::{cross, dot, sub};

/// Corners that directions are tried on at most; the interval is that of all.
const SAMPLE: usize = 96;
/// Half the circle in so many steps, for the second slab, and so many halvings of the last.
const ANGLES: usize = 12;
const HALVINGS: usize = 5;

fn unit(v: Vector) -> Option<Vector> {
    let length = dot(v, v).sqrt();
    (length > 1e-30).then(|| v.map(|x| x / length))
}

fn extent(n: Vector, points: &[Vector]) -> [f64; 2] {
    points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &p| {
        let x = dot(n, p);
        [if x < low { x } else { low }, if x > high { x } else { high }]
    })
}

fn width(n: Vector, points: &[Vector]) -> f64 {
    let [low, high] = extent(n, points);
    high - low
}

/// A direction as it is stored.
fn stored(n: Vector) -> [i16; 3] {
    n.map(|x| (x * 32767.0).round() as i16)
}

/// Both slabs of a cluster, relative to a point, for triangles in the tree's frame.
pub(super) fn slabs(triangles: &[[Vector; 3]], centre: Vector) -> [Interval; 2] {
    let corners = triangles.as_flattened();
    let stride = corners.len().div_ceil(SAMPLE);
    let mut sample = [[0.0; 3]; SAMPLE];
    let mut count = 0;
    for p in corners.iter().step_by(stride) {
        sample[count] = sub(*p, centre);
        count += 1;
    }
    let sample = &sample[..count];
    let mut first = ([1.0, 0.0, 0.0], f64::INFINITY);
    let mut try_normal = |n: Vector| {
        let width = width(n, sample);
        if width < first.1 {
            first = (n, width);
        }
    };
    for k in 0..3 {
        let mut n = [0.0; 3];
        n[k] = 1.0;
        try_normal(n);
    }
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    let mut largest = [(0.0, 0_usize); 4];
    for (i, t) in triangles.iter().enumerate() {
        let n = cross(sub(t[1], t[0]), sub(t[2], t[0]));
        let area = dot(n, n).sqrt();
        for k in 0..3 {
            sum[k] += n[k];
        }
        total += area;
        // Insertion into the four largest.
        if area > largest[3].0 {
            largest[3] = (area, i);
            for k in (0..3).rev() {
                if largest[k + 1].0 > largest[k].0 {
                    largest.swap(k, k + 1);
                }
            }
        }
    }
    if dot(sum, sum).sqrt() > 0.05 * total
        && let Some(n) = unit(sum)
    {
        try_normal(n);
    }
    for axis in crate::fit::axes::principal_axes_of_points(sample) {
        try_normal(axis);
    }
    for &(area, i) in largest.iter().filter(|l| l.0 > 0.0) {
        let _ = area;
        let t = &triangles[i];
        let edges = [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
        let Some(n) = unit(cross(edges[0], edges[1])) else { continue };
        try_normal(n);
        let longest =
            edges.into_iter().max_by(|a, b| dot(*a, *a).total_cmp(&dot(*b, *b))).unwrap_or(edges[0]);
        if let Some(across) = unit(cross(n, longest)) {
            try_normal(across);
        }
    }
    let n1 = first.0;
    // Across n1.
    let helper = if n1[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let u = unit(cross(n1, helper)).unwrap_or([0.0, 1.0, 0.0]);
    let v = cross(n1, u);
    let at = |angle: f64| {
        let (s, c) = angle.sin_cos();
        [0, 1, 2].map(|k| c * u[k] + s * v[k])
    };
    let mut step = std::f64::consts::PI / ANGLES as f64;
    let mut best = (0.0, f64::INFINITY);
    for k in 0..ANGLES {
        let angle = k as f64 * step;
        let width = width(at(angle), sample);
        if width < best.1 {
            best = (angle, width);
        }
    }
    for _ in 0..HALVINGS {
        step /= 2.0;
        for angle in [best.0 - step, best.0 + step] {
            let width = width(at(angle), sample);
            if width < best.1 {
                best = (angle, width);
            }
        }
    }
    [n1, at(best.0)].map(|n| {
        let n = stored(n);
        let exact = n.map(|x| f64::from(x) / f64::from(NORMAL));
        // Relative to the centre, which is exact; the products round by less than the corners' own error.
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in corners {
            let x = dot(exact, sub(*p, centre));
            low = if x < low { x } else { low };
            high = if x > high { x } else { high };
        }
        Interval { n, lo: low - 8.0 * TREE_ERROR, hi: high + 8.0 * TREE_ERROR }
    })
}
