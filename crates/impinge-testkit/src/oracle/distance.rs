//! Compares the distance of two placed triangles with a number, in integers.
//!
//! The least distance is that of the origin from the convex hull of the nine differences p_i - q_j. If it is
//! not 0, the nearest point of the hull is in the relative interior of a point, a segment or a triangle of
//! some of them, and is there the foot of the perpendicular. So all subsets of one, two and three differences
//! are tried: every perpendicular foot inside a subset is a point of the hull, and the nearest of these is
//! the nearest of all. The method has no cases for corners, edges and faces.
use super::{Term, intersects, terms};
use impinge::Pose;
use num_bigint::BigInt;
use std::cmp::Ordering;

type BigVector = [BigInt; 3];

fn dot(a: &BigVector, b: &BigVector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn minus(a: &BigVector, b: &BigVector) -> BigVector {
    std::array::from_fn(|k| &a[k] - &b[k])
}

/// Compares the distance of the closed triangles `p` and `q`, placed at R v + t over the real numbers, with
/// `d`. All input must be finite, and `d` not negative.
pub fn compare_distance(
    p: &[[f64; 3]; 3],
    pose_p: &Pose,
    q: &[[f64; 3]; 3],
    pose_q: &Pose,
    d: f64,
) -> Ordering {
    compare_distance_with_sum(p, pose_p, q, pose_q, &[d])
}

/// [`compare_distance`] with the exact sum of the numbers `d`. No number is negative.
pub fn compare_distance_with_sum(
    p: &[[f64; 3]; 3],
    pose_p: &Pose,
    q: &[[f64; 3]; 3],
    pose_q: &Pose,
    d: &[f64],
) -> Ordering {
    let (meet, is_zero) = (intersects(p, pose_p, q, pose_q), d.iter().all(|d| *d == 0.0));
    if meet || is_zero {
        return if !meet {
            Ordering::Greater
        } else if is_zero {
            Ordering::Equal
        } else {
            Ordering::Less
        };
    }
    let by_axis = [0, 1, 2].map(|axis| terms(p, pose_p, q, pose_q, axis));
    let d: Vec<Term> = d.iter().map(|d| Term::of(*d)).collect();
    let all = by_axis.iter().flatten().chain(&d).filter(|term| term.mantissa != 0);
    let unit = all.map(|term| term.exponent).min().unwrap_or(0);
    let number = |term: &Term| match term.mantissa {
        0 => BigInt::ZERO,
        m => BigInt::from(m) << (term.exponent - unit) as u32,
    };
    let corner = |i: usize| -> BigVector {
        std::array::from_fn(|k| by_axis[k][4 * i..4 * i + 4].iter().map(number).sum())
    };
    let corners: Vec<BigVector> = (0..6).map(corner).collect();
    let all: Vec<BigVector> = (0..9).map(|k| minus(&corners[k / 3], &corners[3 + k % 3])).collect();
    let sum: BigInt = d.iter().map(number).sum();
    let square = &sum * &sum;
    let mut nearest = Ordering::Greater;
    let mut take = |over: BigInt, under: &BigInt| nearest = nearest.min(over.cmp(&(&square * under)));
    for (i, x) in all.iter().enumerate() {
        take(dot(x, x), &BigInt::from(1));
        for (j, y) in all.iter().enumerate().skip(i + 1) {
            // x + s u: s = -x.u / u.u.
            let u = minus(y, x);
            let (length, along) = (dot(&u, &u), -dot(x, &u));
            if length > BigInt::ZERO && BigInt::ZERO < along && along < length {
                take(dot(x, x) * &length - &along * &along, &length);
            }
            for z in &all[j + 1..] {
                // x + s u + t v, perpendicular to both.
                let v = minus(z, x);
                let (uu, uv, vv) = (dot(&u, &u), dot(&u, &v), dot(&v, &v));
                let (xu, xv) = (-dot(x, &u), -dot(x, &v));
                let whole = &uu * &vv - &uv * &uv;
                let (s, t) = (&xu * &vv - &xv * &uv, &xv * &uu - &xu * &uv);
                if whole > BigInt::ZERO && s > BigInt::ZERO && t > BigInt::ZERO && &s + &t < whole {
                    // |x + s u + t v|^2 = x.(x + s u + t v).
                    take(dot(x, x) * &whole - s * xu - t * xv, &whole);
                }
            }
        }
    }
    nearest
}
