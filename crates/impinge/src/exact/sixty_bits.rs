//! The orientation of points whose coordinates are, axis by axis, integers of 60 bits times a power of two:
//! without rounding, in machine integers. Decimals of like size and their sums are such numbers.
use super::point::ExactPoint;

/// Bits that a coordinate may have, in units of its axis.
const BITS: u32 = 60;

/// The sign of det(b - a, c - a, d - a); `None` if an axis needs more bits. Coordinates are not subnormal.
///
/// Differences have 61 bits, minors 123. A product of a minor and a difference is taken in two, with the
/// minor's lower 64 bits and with the rest: 125 and 120 bits, and two more in the sums.
pub(super) fn orient3d<P: ExactPoint>(points: [&P; 4]) -> Option<i32> {
    let [x, y, z] = [differences(points, 0)?, differences(points, 1)?, differences(points, 2)?];
    let minor = |i: usize, j: usize, of: &[i64; 3], and: &[i64; 3]| {
        i128::from(of[i]) * i128::from(and[j]) - i128::from(of[j]) * i128::from(and[i])
    };
    let terms = [(minor(0, 1, &y, &z), x[2]), (minor(0, 1, &z, &x), y[2]), (minor(0, 1, &x, &y), z[2])];
    let (mut low, mut high) = (0_i128, 0_i128);
    for (minor, difference) in terms {
        low += i128::from(minor as u64) * i128::from(difference);
        high += (minor >> 64) * i128::from(difference);
    }
    high += low >> 64;
    Some(match high {
        0 => i32::from(low as u64 != 0),
        _ => high.signum() as i32,
    })
}

/// The sign of the 2 x 2 determinant (b - a, c - a) without coordinate `axis`; `None` if one needs more bits.
pub(super) fn orient2d<P: ExactPoint>(axis: usize, [a, b, c]: [&P; 3]) -> Option<i32> {
    let along = |k: usize| differences([a, b, c], k % 3);
    let ([x, y], [z, w]): ([i64; 2], [i64; 2]) = (along(axis + 1)?, along(axis + 2)?);
    let minor = i128::from(x) * i128::from(w) - i128::from(y) * i128::from(z);
    Some(minor.signum() as i32)
}

/// The differences of points from the first on one axis, in a common unit.
#[inline(always)]
fn differences<P: ExactPoint, const N: usize, const M: usize>(points: [&P; N], k: usize) -> Option<[i64; M]> {
    const { assert!(M + 1 == N) }
    let parts = points.map(|point| point.parts(k).map(Parts::of));
    let used = if P::IS_SUM { 2 } else { 1 };
    let (mut least, mut most) = (u32::MAX, 0);
    for part in parts.iter().flat_map(|parts| &parts[..used]) {
        (least, most) = (least.min(part.exponent), most.max(part.end()));
    }
    // A sum is less than the power of two behind its first part, for that is the number nearest to it.
    if most > least.saturating_add(BITS) {
        return None;
    }
    let whole = |parts: &[Parts; 2]| -> i64 {
        parts[..used].iter().map(|part| part.odd << (part.exponent.saturating_sub(least)).min(63)).sum()
    };
    let first = whole(&parts[0]);
    let mut differences = [0; M];
    for (to, parts) in differences.iter_mut().zip(&parts[1..]) {
        *to = whole(parts) - first;
    }
    Some(differences)
}

/// An odd integer times a power of two, or zero with a large exponent.
#[derive(Clone, Copy)]
struct Parts {
    odd: i64,
    exponent: u32,
}

impl Parts {
    fn of(x: f64) -> Self {
        if x == 0.0 {
            return Self { odd: 0, exponent: u32::MAX };
        }
        let bits = x.to_bits();
        let mantissa = (bits & ((1 << 52) - 1) | 1 << 52) as i64;
        let zeros = mantissa.trailing_zeros();
        let odd = mantissa >> zeros;
        Self { odd: if x < 0.0 { -odd } else { odd }, exponent: (bits >> 52 & 0x7FF) as u32 + zeros }
    }
    /// The exponent behind its highest bit, 0 of zero.
    fn end(self) -> u32 {
        if self.odd == 0 { 0 } else { self.exponent + 64 - self.odd.unsigned_abs().leading_zeros() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;

    #[test]
    fn signs_are_those_of_expansions() {
        let mut rng = Rng::new(60);
        let (mut seen, mut none) = ([0; 3], 0);
        for round in 0..200_000 {
            let mut p = [(); 4].map(|()| match round % 4 {
                0 if rng.one_in(8) => rng.point(8.0).map(|x| x * x * x * x * 1e-3),
                0 => rng.point(8.0),
                1 => rng.grid_point(3).map(|x| x * 0.1),
                2 => rng.grid_point(40).map(|x| 13.7 + x * 1e-3),
                _ => rng.grid_point(1 << 20).map(|x| x * 2.0_f64.powi(20)),
            });
            if rng.one_in(2) {
                // In one plane, up to rounding.
                let (s, t) = (rng.int(-4, 4) as f64 / 4.0, rng.int(-4, 4) as f64 / 4.0);
                p[3] = [0, 1, 2].map(|k| p[0][k] + s * (p[1][k] - p[0][k]) + t * (p[2][k] - p[0][k]));
            }
            let coord = |p: [f64; 3]| robust::Coord3D { x: p[0], y: p[1], z: p[2] };
            let want = -robust::orient3d(coord(p[0]), coord(p[1]), coord(p[2]), coord(p[3]));
            match orient3d(p.each_ref()) {
                Some(sign) => {
                    assert_eq!(sign, i32::from(want > 0.0) - i32::from(want < 0.0), "{p:?}");
                    seen[(sign + 1) as usize] += 1;
                }
                None => none += 1,
            }
        }
        assert!(seen.iter().all(|&n| n > 20_000) && none > 100 && none < 100_000, "{seen:?}, {none}");
    }

    #[test]
    fn the_largest_numbers_fit() {
        // Corners of a cube of 2^60 units, where every product has all of its bits.
        let end = ((1_u64 << 53) - 1) as f64 * 128.0;
        let at = |k: usize, sign: f64| [0, 1, 2].map(|i| if i == k { sign * end } else { -sign * end });
        let unit = [1.0, 1.0, 1.0];
        for sign in [1.0, -1.0] {
            let p = [unit, at(0, sign), at(1, sign), at(2, sign)];
            let coord = |p: [f64; 3]| robust::Coord3D { x: p[0], y: p[1], z: p[2] };
            let want = -robust::orient3d(coord(p[0]), coord(p[1]), coord(p[2]), coord(p[3]));
            assert_eq!(orient3d(p.each_ref()), Some(want.signum() as i32));
        }
        assert_eq!(orient3d([&[2.0_f64.powi(60); 3], &unit, &unit, &unit]), None);
        assert_eq!(orient3d([&[0.0; 3], &[-0.0; 3], &unit, &[5.0; 3]]), Some(0));
    }
}
