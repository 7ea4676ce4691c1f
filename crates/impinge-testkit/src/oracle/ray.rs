//! Segments of a line, regions and triangles, in integers.
use super::{Int, Term, holds_a_ray, intersects};
use impinge::Pose;
use num_bigint::BigInt;

/// True if a point o + t d with `from` <= t <= `to` is on a placed triangle. All numbers must be finite, and
/// d not 0.
///
/// # Panics
/// Panics if d is 0.
pub fn segment_meets(
    origin: &[f64; 3],
    direction: &[f64; 3],
    [from, to]: [f64; 2],
    triangle: &[[f64; 3]; 3],
    pose: &Pose,
) -> bool {
    // A pose that maps (t, 0, 0) to o + t d, over the real numbers.
    let k = (0..3).find(|&k| direction[k] != 0.0).expect("a direction");
    let rows = [0, 1, 2].map(|i| {
        let one = |axis: usize| if i == (k + axis) % 3 { 1.0 } else { 0.0 };
        [direction[i], one(1), one(2)]
    });
    let line = Pose::affine(rows, *origin).expect("columns that are independent");
    intersects(&[[from, 0.0, 0.0], [to, 0.0, 0.0], [to, 0.0, 0.0]], &line, triangle, pose)
}

/// True if some point x of a placed triangle has n.x <= d for all planes (n, d), or every point with `all`.
pub fn is_in_region(triangle: &[[f64; 3]; 3], pose: &Pose, planes: &[([f64; 3], f64)], all: bool) -> bool {
    // d - n.(R v + t) for the three corners, times a power of two for each plane.
    let forms: Vec<Vec<BigInt>> = planes
        .iter()
        .map(|(n, d)| {
            let mut values = [0, 1, 2].map(|_| Vec::<(BigInt, i32)>::new());
            for (corner, terms) in triangle.iter().zip(&mut values) {
                terms.push((BigInt::from(Term::of(*d).mantissa), Term::of(*d).exponent));
                for k in 0..3 {
                    let n = Term::of(-n[k]);
                    let mut add = |x: Term| {
                        terms.push((BigInt::from(n.mantissa) * x.mantissa, n.exponent + x.exponent));
                    };
                    add(Term::of(pose.translation()[k]));
                    for (r, v) in pose.rows()[k].iter().zip(corner) {
                        add(Term::of(*r).times(Term::of(*v)));
                    }
                }
            }
            let used = values.iter().flatten().filter(|(m, _)| *m != BigInt::ZERO);
            let least = used.map(|(_, e)| *e).min().unwrap_or(0);
            let sum = |terms: &Vec<(BigInt, i32)>| {
                let used = terms.iter().filter(|(m, _)| *m != BigInt::ZERO);
                used.map(|(m, e)| m.clone() << (e - least) as u32).sum::<BigInt>()
            };
            values.iter().map(sum).collect()
        })
        .collect();
    if all {
        return forms.iter().flatten().all(|value| Int::sign(value).is_ge());
    }
    holds_a_ray(&forms, 3).unwrap_or_else(|| unreachable!("big integers do not overflow"))
}
