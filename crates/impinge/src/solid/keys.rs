//! Keys of planes and of lines, modulo a prime.
//!
//! Keys modulo a prime distinguish planes, and lines through a point. Two triangles of one plane have normals
//! that are multiples of each other, so their keys are equal, unless the prime divides a normal: then it has
//! no key, and all planes are compared. Where keys are equal by chance, exact signs decide.
use crate::vector::Vector;

/// 2^61 - 1: a product of two numbers below it has at most 128 bits.
const PRIME: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// A coordinate modulo the prime: 2^61 is 1.
fn residue(x: f64) -> u64 {
    let bits = x.to_bits();
    let (field, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (size, exponent) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field as i64 - 1075) };
    let power = 1_u64 << exponent.rem_euclid(61);
    let value = times(size, power);
    if x < 0.0 { minus(0, value) } else { value }
}

/// 1 / a, by Fermat.
fn inverse(a: u64) -> u64 {
    let (mut power, mut result, mut left) = (a, 1, PRIME - 2);
    while left > 0 {
        if left & 1 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        left >>= 1;
    }
    result
}

/// The vector over its first component that is not 0: equal for multiples of each other.
fn direction<const N: usize>(v: [u64; N]) -> [u64; N] {
    match v.into_iter().find(|&x| x != 0) {
        Some(first) => {
            let factor = inverse(first);
            v.map(|x| times(x, factor))
        }
        None => v,
    }
}

/// Key of the line from a point to another: equal for equal lines through the first point. 0 proves nothing.
pub(super) fn line_key(from: &Vector, to: &Vector) -> [u64; 3] {
    direction([0, 1, 2].map(|k| minus(residue(to[k]), residue(from[k]))))
}

/// Key of a triangle's plane: equal for triangles of one plane. It proves nothing if its first three numbers
/// are 0.
pub(super) fn plane_key(t: &[Vector; 3]) -> [u64; 4] {
    let p = t.map(|v| v.map(residue));
    let [u, v] = [1, 2].map(|i| [0, 1, 2].map(|k| minus(p[i][k], p[0][k])));
    let n = [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        minus(times(u[i], v[j]), times(u[j], v[i]))
    });
    let d = (0..3).fold(0, |sum, k| minus(sum, minus(0, times(n[k], p[0][k]))));
    direction([n[0], n[1], n[2], d])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{self, InPlane};

    #[test]
    fn keys_of_one_plane_are_equal() {
        let mut rng = crate::samples::rng::Rng::new(33);
        for case in 0..2000 {
            let scale = [1.0, 2.0_f64.powi(-900), 2.0_f64.powi(830), 5e-324][case % 4];
            let [p, u, v] = [0; 3].map(|_| [0; 3].map(|_: i32| rng.int(-9, 9) as f64));
            let mut point = || {
                let (s, t) = (rng.int(-9, 9) as f64, rng.int(-9, 9) as f64);
                [0, 1, 2].map(|k| (p[k] + s * u[k] + t * v[k]) * scale)
            };
            let mut triangle = || loop {
                let t = [point(), point(), point()];
                if !exact::are_collinear(&t) {
                    break t;
                }
            };
            if exact::are_collinear(&[[0.0; 3], u, v]) {
                continue;
            }
            let (a, b) = (triangle(), triangle());
            assert_eq!(plane_key(&a), plane_key(&b), "{case}: {a:?} {b:?}");
            let plane = InPlane::new(&a);
            assert!(b.iter().all(|v| plane.contains(v)));
            let off = b.map(|v| [v[0], v[1] + scale, v[2] + 2.0 * scale]);
            let is_same = off.iter().all(|v| plane.contains(v));
            assert_eq!(plane_key(&a) == plane_key(&off), is_same, "{case}: {a:?} {off:?}");
        }
    }
}
