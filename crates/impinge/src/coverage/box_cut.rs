//! The part of a box that a half-space takes.
use crate::vector::Vector;

/// Covers the roundings of a fraction, which are below 1e-8: see [`fraction`].
const OFF: f64 = 1e-7;

/// Sides along which the plane rises by less than this part of its whole rise are taken as level.
const LEVEL: f64 = 1e-3;

/// Bounds of the fraction of a box with half sides `half` about the origin that is in n.y <= d.
///
/// Scaled by the rise s = 2 sum |n_k| half_k, the plane cuts the unit cube at a.x <= c; no a_k is negative, and
/// their sum is one. The volume is the sum over the cube's corners b of
/// (-1)^|b| max(c - a.b, 0)^3 / (6 a_0 a_1 a_2): eight terms of at most one. Their rounding is divided by no less
/// than 2 LEVEL^2: below 1e-8. Smaller a_k are replaced by 0, with c moved by as much either way, and the formula
/// of the other sides is used.
pub(super) fn fraction(n: &Vector, half: &Vector, d: f64) -> [f64; 2] {
    let rises = [0, 1, 2].map(|k| 2.0 * n[k].abs() * half[k]);
    let rise = rises[0] + rises[1] + rises[2];
    let c = d / rise + 0.5;
    if !(rise > 0.0 && c.is_finite()) {
        return [0.0, 1.0];
    }
    let (mut sides, mut count, mut slack) = ([0.0; 3], 0, 1e-14);
    for rise_k in rises {
        let a = rise_k / rise;
        if a < LEVEL {
            slack += a;
        } else {
            sides[count] = a;
            count += 1;
        }
    }
    let sides = &sides[..count];
    // A level side lies between 0 and its rise.
    [(below(sides, c - slack) - OFF).max(0.0), (below(sides, c + slack) + OFF).min(1.0)]
}

/// The volume of the unit cube of 1 to 3 dimensions where a.x <= c.
fn below(a: &[f64], c: f64) -> f64 {
    let mut sum = 0.0;
    for corner in 0..1_u32 << a.len() {
        let at: f64 = (0..a.len()).filter(|k| corner >> k & 1 == 1).map(|k| a[k]).sum();
        let sign = if corner.count_ones() % 2 == 0 { 1.0 } else { -1.0 };
        sum += sign * (c - at).max(0.0).powi(a.len() as i32);
    }
    let scale: f64 = a.iter().zip(1..).map(|(a, k)| a * f64::from(k)).product();
    // Beyond all corners the terms grow, and their sum is the whole.
    if c >= a.iter().sum() { 1.0 } else { (sum / scale).clamp(0.0, 1.0) }
}
