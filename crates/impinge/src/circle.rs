//! Sine and cosine with the same bits on every machine: they use only `+ - * /`, unlike `f64::sin`.
use std::f64::consts::{FRAC_PI_2, TAU};

/// pi/2 less its f64.
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;

/// (sin x, cos x), with an error below 1e-15 (1 + |x|).
pub fn sin_cos(x: f64) -> (f64, f64) {
    let quarters = (x / FRAC_PI_2).round();
    turned(quarters, (x - quarters * FRAC_PI_2) - quarters * FRAC_PI_2_REST)
}

/// Largest angle for which [`sin_cos_of_angle`] has the same bits on every machine: 2^30, in radians.
const LARGE: f64 = (1 << 30) as f64;

/// (sin x, cos x) for any finite angle, with an error below 4e-16. Up to 2^30 the bits are the same on every
/// machine; beyond, they are those of the standard library.
pub fn sin_cos_of_angle(x: f64) -> (f64, f64) {
    if x.abs() > LARGE {
        return x.sin_cos();
    }
    let quarters = (x / FRAC_PI_2).round();
    // The inner difference is exact: a multiple of 2^-52 or of x's last bit, and less than 1. The second part
    // of pi/2 is off by 2e-33, times less than 2^30.
    turned(quarters, (-quarters).mul_add(FRAC_PI_2_REST, (-quarters).mul_add(FRAC_PI_2, x)))
}

/// (sin, cos) of a number of quarter turns and an angle y, |y| <= pi/4 but for rounding.
fn turned(quarters: f64, y: f64) -> (f64, f64) {
    // Taylor's series; for |y| <= pi/4 the first omitted term is below 1e-17.
    let (z, mut sin, mut cos) = (-y * y, 1.0, 1.0);
    for k in (1..=9).rev() {
        let n = f64::from(2 * k);
        sin = 1.0 + sin * z / (n * (n + 1.0));
        cos = 1.0 + cos * z / (n * (n - 1.0));
    }
    sin *= y;
    match quarters.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// (cos, sin) of `k` / `n` of a full turn. Exactly symmetric under quarter turns and reflections.
pub fn turn(k: i64, n: u32) -> [f64; 2] {
    let n = i64::from(n.max(1));
    let eighths = 8 * k.rem_euclid(n);
    let (octant, rest) = (eighths / n, eighths % n);
    let within = if octant % 2 == 0 { rest } else { n - rest };
    let (sin, cos) = sin_cos(TAU * within as f64 / (8 * n) as f64);
    match octant {
        0 => [cos, sin],
        1 => [sin, cos],
        2 => [-sin, cos],
        3 => [-cos, sin],
        4 => [-cos, -sin],
        5 => [-sin, -cos],
        6 => [sin, -cos],
        _ => [cos, -sin],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_library() {
        for i in -20_000..20_000 {
            let x = f64::from(i) * 0.01;
            let (s, c) = sin_cos(x);
            let bound = 1e-15 * (1.0 + x.abs());
            assert!((s - x.sin()).abs() < bound && (c - x.cos()).abs() < bound, "{x}");
        }
        for n in [1, 2, 3, 4, 5, 7, 8, 12, 64, 99] {
            for k in -100..200 {
                let [c, s] = turn(k, n);
                let x = TAU * (k as f64) / f64::from(n);
                // The standard library gets a rounded angle.
                let bound = 1e-15 * (1.0 + x.abs());
                assert!((s - x.sin()).abs() < bound && (c - x.cos()).abs() < bound, "{k}/{n}");
            }
        }
    }

    /// The standard library is accurate to a unit in the last place for every angle.
    #[test]
    fn angles_of_any_size_agree_with_the_standard_library() {
        let mut x = 1e-320_f64;
        while x < 1e300 {
            for angle in [x, -x, x.round(), FRAC_PI_2 * x.round(), -TAU * x.round()] {
                let ((s, c), (sin, cos)) = (sin_cos_of_angle(angle), angle.sin_cos());
                assert!((s - sin).abs() < 4e-16 && (c - cos).abs() < 4e-16, "{angle:e}: {s} {c}");
            }
            x *= 1.003;
        }
        for zero in [0.0, -0.0, f64::from_bits(1)] {
            assert_eq!(sin_cos_of_angle(zero), (zero, 1.0));
        }
    }

    #[test]
    fn quarters_of_a_turn_are_exact() {
        assert_eq!(turn(0, 4), [1.0, 0.0]);
        assert_eq!(turn(1, 4), [0.0, 1.0]);
        assert_eq!(turn(6, 12), [-1.0, 0.0]);
        assert_eq!(turn(-1, 4), [0.0, -1.0]);
    }
}
