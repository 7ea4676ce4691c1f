//! Vectors in f64.
/// A point or vector.
pub(crate) type Point = [f64; 3];

pub(crate) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The opposite vector.
pub(crate) fn back(a: Point) -> Point {
    a.map(|x| -x)
}

pub(crate) fn along(a: Point, direction: Point, t: f64) -> Point {
    [0, 1, 2].map(|k| a[k] + t * direction[k])
}

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// The vector of length 1 in a direction, if there is one.
pub(crate) fn unit(a: Point) -> Option<Point> {
    let length = length(a);
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}
