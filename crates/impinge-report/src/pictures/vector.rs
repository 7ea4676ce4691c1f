//! Vectors of f64. Each operation rounds alone, in this order, on every machine.

pub(super) fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn subtract(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale(a: [f64; 3], s: f64) -> [f64; 3] {
    a.map(|x| x * s)
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: [f64; 3]) -> f64 {
    let most = a.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if most > 0.0 && most.is_finite() {
        let scaled = a.map(|x| x / most);
        most * dot(scaled, scaled).sqrt()
    } else {
        most
    }
}

/// The vector of length 1 in this direction; `None` for zero and for a length that is not finite.
pub(super) fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = length(a);
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}
