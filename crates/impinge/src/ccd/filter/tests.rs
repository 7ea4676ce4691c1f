//! Bounds against big integers, and decisions against the integers of the second stage.
use super::*;
use crate::ccd::{exact_time::MovingPoints, long_integer::LongInteger, root::DyadicInterval};
use num_bigint::BigInt;

/// Numbers as integers in units of 2^-600. Larger ones than 2^-600 2^52 have all of their bits.
fn big(x: f64) -> BigInt {
    let bits = x.to_bits();
    let (raw, fraction) = ((bits >> 52 & 0x7ff) as i64, (bits & ((1 << 52) - 1)) as i64);
    let m = BigInt::from(if raw == 0 { 0 } else { fraction | 1 << 52 });
    let e = raw - 1075 + 600;
    let size = if e < 0 { m >> -e } else { m << e };
    if x < 0.0 { -size } else { size }
}

type BigVector = [BigInt; 3];

fn big_cross(a: &BigVector, b: &BigVector) -> BigVector {
    let minor = |i: usize, j: usize| &a[i] * &b[j] - &a[j] * &b[i];
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
fn big_dot(a: &BigVector, b: &BigVector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        self.0 ^ self.0 >> 29
    }
    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 32) % n
    }
    /// In [-1, 1].
    fn unit(&mut self) -> f64 {
        (self.next() as i64 >> 10) as f64 / (1_u64 << 53) as f64
    }
    fn points(&mut self) -> [[Vector; 4]; 2] {
        let mut points = [[[0.0; 3]; 4]; 2];
        points.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|x| *x = self.unit());
        points
    }
}

const KINDS: [FeatureKind; 2] = [FeatureKind::PointTriangle, FeatureKind::EdgeEdge];

#[test]
fn no_bound_of_a_coefficient_is_exceeded() {
    // The largest part of the bounds that an error takes: of f's coefficients and of the others'.
    let mut worst = [0.0_f64; 2];
    let mut random = Random(1);
    for _ in 0..3000 {
        // Points far from the origin, so that differences are rounded, and of one size: the worst case.
        let points = random.points().map(|all| all.map(|p| p.map(|x| 1.0 + 0.3 * x)));
        let vectors: [[Vector; 2]; 4] = [[1, 0], [3, 2], [2, 0], [2, 3]]
            .map(|[i, j]| [sub(points[0][i], points[0][j]), sub(points[1][i], points[1][j])]);
        let exact: [[BigVector; 2]; 4] = [[1, 0], [3, 2], [2, 0], [2, 3]].map(|[i, j]| {
            [0, 1].map(|t: usize| [0, 1, 2].map(|k| big(points[t][i][k]) - big(points[t][j][k])))
        });
        // Coefficients at the ends and in the middle, as 6 times a sum of products over 600 bits.
        let product_of = |a: &[BigVector; 2], b: &[BigVector; 2]| {
            let [p, q] = [big_cross(&a[0], &b[1]), big_cross(&a[1], &b[0])];
            let middle: BigVector = std::array::from_fn(|k| &p[k] + &q[k]);
            // Twice the coefficients.
            [big_cross(&a[0], &b[0]).map(|x| x * 2), middle, big_cross(&a[1], &b[1]).map(|x| x * 2)]
        };
        let [u, v, w, x] = &vectors;
        let [eu, ev, ew, ex] = &exact;
        let n = product(u, v);
        let en = product_of(eu, ev);
        let f = determinant(&n, w);
        // Six times the coefficients.
        let of_f: [BigInt; 4] = [
            big_dot(&en[0], &ew[0]) * 3,
            big_dot(&en[0], &ew[1]) + big_dot(&en[1], &ew[0]) * 2,
            big_dot(&en[1], &ew[1]) * 2 + big_dot(&en[2], &ew[0]),
            big_dot(&en[2], &ew[1]) * 3,
        ];
        let g = scalar_product(&product(w, x), &n);
        let em = product_of(ew, ex);
        // 24 times the coefficients.
        let of_g: [BigInt; 5] = [
            big_dot(&em[0], &en[0]) * 6,
            (big_dot(&em[0], &en[1]) + big_dot(&em[1], &en[0])) * 3,
            big_dot(&em[0], &en[2]) + big_dot(&em[1], &en[1]) * 4 + big_dot(&em[2], &en[0]),
            (big_dot(&em[1], &en[2]) + big_dot(&em[2], &en[1])) * 3,
            big_dot(&em[2], &en[2]) * 6,
        ];
        let part = |found: f64, times: u32, degree: u32, exact: &BigInt, error: f64| {
            let off = (big(found) << (600 * (degree - 1))) * times - exact;
            let bound = (big(error) << (600 * (degree - 1))) * times;
            let part: BigInt = (off * 100_000) / bound;
            i64::try_from(part).unwrap().abs() as f64 / 100_000.0
        };
        for (c, exact) in f.coefficients().iter().zip(&of_f) {
            worst[0] = worst[0].max(part(*c, 6, 3, exact, f.error));
        }
        for (c, exact) in g.coefficients().iter().zip(&of_g) {
            worst[1] = worst[1].max(part(*c, 24, 4, exact, g.error));
        }
    }
    assert!(worst.iter().all(|part| (0.01..=1.0).contains(part)), "{worst:?}");
}

#[test]
fn no_bound_of_a_halving_is_exceeded() {
    let mut random = Random(3);
    let mut worst = 0.0_f64;
    for _ in 0..2000 {
        let c: [f64; 5] = std::array::from_fn(|_| random.unit());
        let mut rounded = Bernstein { c, len: 5, error: 0.0 };
        let mut exact = c.map(big);
        for _ in 0..20 {
            let side = random.below(2) as usize;
            rounded = rounded.halves()[side];
            // 600 bits have room for 20 halvings of four means each.
            let (mut left, mut right) = (exact.clone(), exact.clone());
            for k in 0..5 {
                (left[k], right[4 - k]) = (exact[0].clone(), exact[4 - k].clone());
                for i in 0..4 - k {
                    exact[i] = (&exact[i] + &exact[i + 1]) / 2;
                }
            }
            exact = if side == 0 { left } else { right };
            for (found, exact) in rounded.c.iter().zip(&exact) {
                let part = (big(*found) - exact) * 1000 / big(rounded.error);
                worst = worst.max(i64::try_from(part).unwrap().abs() as f64 / 1000.0);
            }
        }
    }
    assert!((0.05..=1.0).contains(&worst), "{worst}");
}

/// The cubic polynomial with roots at three times: its Bernstein coefficients are the means of the products of
/// its factors at the ends.
fn with_roots(r: [f64; 3]) -> Bernstein {
    let (at, to) = (r.map(|r| -r), r.map(|r| 1.0 - r));
    let one = (0..3).map(|i| to[i] * at[(i + 1) % 3] * at[(i + 2) % 3]).sum::<f64>() / 3.0;
    let two = (0..3).map(|i| at[i] * to[(i + 1) % 3] * to[(i + 2) % 3]).sum::<f64>() / 3.0;
    Bernstein::cubic([at[0] * at[1] * at[2], one, two, to[0] * to[1] * to[2]], 1.0)
}

#[test]
fn an_interval_keeps_the_first_of_three_roots() {
    let narrowed = |roots| match narrow(&with_roots(roots), 0, 0) {
        Filtered::Contact { m, k } => (m as f64 / (1_u64 << k) as f64, k),
        other => panic!("{other:?}"),
    };
    // The first half has no change of sign, but two roots.
    assert_eq!(narrowed([0.1, 0.2, 0.9]), (0.0, 0));
    for roots in [[0.1, 0.7, 0.9], [0.7, 1.5, -3.0], [0.3, 0.6, 0.8]] {
        let (lo, k) = narrowed(roots);
        assert!(k > 40 && (lo - roots[0]).abs() < 1e-12, "{roots:?}: {lo}, {k}");
    }
}

/// Contacts that only just are some, and those that only just are none, with rounded coordinates.
#[test]
fn the_filter_agrees_with_integers() {
    let mut random = Random(2);
    let mut counts = [0; 3];
    for i in 0..20_000 {
        let mut points = random.points();
        if i % 2 == 0 {
            // The features meet at time t, almost; f64 rounds.
            let (kind, t) = (KINDS[i / 2 % 2], [0.0, 0.25, 0.3, 1.0][random.below(4) as usize]);
            let tiny = 2.0_f64.powi(-(random.below(60) as i32));
            let at = |i: usize| -> Vector {
                std::array::from_fn(|k| (1.0 - t) * points[0][i][k] + t * points[1][i][k])
            };
            let [a, b, c, d] = [0, 1, 2, 3].map(at);
            let by: Vector = std::array::from_fn(|k| match kind {
                FeatureKind::PointTriangle => 0.75 * b[k] + 0.25 * c[k] + tiny * (d[k] - b[k]) - a[k],
                FeatureKind::EdgeEdge => c[k] + 0.4 * (d[k] - c[k]) - (b[k] - tiny * (b[k] - a[k])),
            });
            for time in &mut points {
                let moved = if kind == FeatureKind::EdgeEdge { 2 } else { 1 };
                time[..moved].iter_mut().for_each(|p| *p = add(*p, by));
            }
        }
        for kind in KINDS {
            let exact = || MovingPoints::new(kind, &points);
            match decide(kind, &points) {
                Filtered::Free => {
                    counts[0] += 1;
                    if i % 8 < 2 {
                        assert_eq!(exact().first(), None, "{kind:?} {points:?}");
                    }
                }
                Filtered::Contact { m, k } => {
                    counts[1] += 1;
                    let first = exact().first().unwrap();
                    let lo = m as f64 / (1_u64 << k) as f64;
                    let within = DyadicInterval { m: LongInteger::new(m as i64, 0), k };
                    assert_eq!(exact().first_coplanar(&within), Some(first), "{kind:?} {points:?}");
                    assert!(lo <= first[1], "{kind:?} {points:?}");
                }
                Filtered::Unsure => counts[2] += 1,
            }
        }
    }
    assert!(counts.iter().all(|n| *n > 500) && counts[2] < 10_000, "{counts:?}");
}
