//! The bounds of motions, tested against what they bound, in big integers.
use super::*;
use impinge_testkit::rng::Rng;
use num_bigint::BigInt;
use std::ops::{Add, Mul, Sub};

/// m 2^e, exactly.
#[derive(Clone, Debug)]
struct Big(BigInt, i64);

fn big(x: f64) -> Big {
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let m = BigInt::from(if field == 0 { fraction } else { fraction | 1 << 52 });
    Big(if x < 0.0 { -m } else { m }, field.max(1) - 1075)
}
impl Big {
    fn abs(self) -> Self {
        Self(self.0.magnitude().clone().into(), self.1)
    }
    fn at_most(&self, o: &Self) -> bool {
        (self.clone() - o.clone()).0 <= BigInt::ZERO
    }
}
impl Add for Big {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let e = self.1.min(o.1);
        Self((self.0 << (self.1 - e)) + (o.0 << (o.1 - e)), e)
    }
}
impl Sub for Big {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + Self(-o.0, o.1)
    }
}
impl Mul for Big {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self(self.0 * o.0, self.1 + o.1)
    }
}

fn image(m: &[[Big; 3]; 3], c: &[Big; 3], v: &[Big; 3]) -> [Big; 3] {
    std::array::from_fn(|i| (0..3).fold(c[i].clone(), |s, k| s + m[i][k].clone() * v[k].clone()))
}

/// det A and det A * A^-1 (B v + t_b - t_a).
fn exact(from: &Pose, to: &Pose, v: &[Big; 3]) -> (Big, [Big; 3]) {
    let a = to.rows().map(|row| row.map(big));
    let minor = |i: usize, j: usize| {
        let ((r, s), (c, d)) = (((i + 1) % 3, (i + 2) % 3), ((j + 1) % 3, (j + 2) % 3));
        a[r][c].clone() * a[s][d].clone() - a[r][d].clone() * a[s][c].clone()
    };
    let adjugate = std::array::from_fn(|i| std::array::from_fn(|j| minor(j, i)));
    let det = (0..3).fold(big(0.0), |sum, j| sum + a[0][j].clone() * minor(0, j));
    let world = image(&from.rows().map(|row| row.map(big)), &from.translation().map(big), v);
    let w = std::array::from_fn(|i| world[i].clone() - big(to.translation()[i]));
    (det, image(&adjugate, &[0.0; 3].map(big), &w))
}

fn power(e: i64) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

fn pose(rng: &mut Rng) -> Pose {
    let most = *rng.pick(&[0, 1, 10, 24, 60]);
    let mut stretched = rng.rotation();
    for row in &mut stretched {
        let s = power(rng.int(-most, most));
        *row = row.map(|x| x * s);
    }
    let t = *rng.pick(&[0.0, 1.0, 1e7, 1e200]);
    let rows = if most == 0 { stretched } else { times(&rng.rotation(), &stretched) };
    Pose::affine(rows, rng.point(t)).unwrap()
}

/// The map alone, the map with the rounding of an image, and the map between charts.
#[test]
fn no_bound_of_a_motion_is_exceeded() {
    let mut rng = Rng::new(8);
    let mut known = 0;
    for _ in 0..600 {
        let (from, to) = (pose(&mut rng), pose(&mut rng));
        let motion = Motion::between(&from, &to);
        let mut chart = || {
            let far = *rng.pick(&[0.0, 1.0, 1e7]);
            Chart { origin: rng.point(far), scale: power(rng.int(-40, 40)) }
        };
        let (chart_from, chart_to) = (chart(), chart());
        let in_charts = motion.in_charts(&chart_from, &chart_to);
        for _ in 0..4 {
            let size = *rng.pick(&[1e-5, 1.0, 1e7]);
            // Half of them near the chart's origin, where a mesh lies.
            let near = if rng.one_in(2) { chart_from.origin } else { [0.0; 3] };
            let v = rng.point(size).map(|x| x * 1e-3);
            let v = std::array::from_fn(|k| near[k] + v[k]);
            let error = motion.error(&v.map(f64::abs));
            if !error.is_finite() {
                continue;
            }
            known += 1;
            let (det, truth) = exact(&from, &to, &v.map(big));
            let within = |approximate: &Big, exact: &Big, bound: Big| {
                (approximate.clone() * det.clone() - exact.clone())
                    .abs()
                    .at_most(&(bound * det.clone().abs()))
            };
            let real = image(&motion.linear.map(|row| row.map(big)), &motion.offset.map(big), &v.map(big));
            let rounded = motion.apply(v);
            // The same point as the charts see it, without rounding.
            let x: [Big; 3] =
                std::array::from_fn(|k| (big(v[k]) - big(chart_from.origin[k])) * big(chart_from.scale));
            let charted = image(&in_charts.linear.map(|row| row.map(big)), &in_charts.offset.map(big), &x);
            for i in 0..3 {
                let reach = |m: &Motion, x: &[Big; 3]| {
                    (0..3).fold(big(m.offset_error[i]), |s, k| {
                        s + big(m.linear_error[i][k]) * x[k].clone().abs()
                    })
                };
                assert!(
                    within(&real[i], &truth[i], reach(&motion, &v.map(big))),
                    "map: {from:?} {to:?} {v:?}"
                );
                assert!(within(&big(rounded[i]), &truth[i], big(error)), "image: {from:?} {to:?} {v:?}");
                let seen = (truth[i].clone() - big(chart_to.origin[i]) * det.clone()) * big(chart_to.scale);
                assert!(
                    within(&charted[i], &seen, reach(&in_charts, &x)),
                    "charts: {from:?} {to:?} {v:?} {chart_from:?} {chart_to:?}"
                );
            }
        }
    }
    assert!(known > 1500, "{known}");
}

#[test]
fn chart_bounds_hold_the_exact_coordinate() {
    let mut rng = Rng::new(9);
    let mut off = 0;
    for _ in 0..20_000 {
        // From subnormals to f64::MAX, of like and unlike size.
        let e = rng.int(-1022, 1022);
        let any = |rng: &mut Rng| {
            let less = rng.int(0, 60);
            rng.between(-2.0, 2.0) * power((e - less).max(-1022))
        };
        let (u, v) = ([any(&mut rng), 0.0, 0.0], [any(&mut rng), 0.0, 0.0]);
        let chart = Chart::new([u[0].min(v[0]), 0.0, 0.0], [u[0].max(v[0]), 0.0, 0.0]);
        let inside = [(u[0] / 2.0 + v[0] / 2.0) * rng.unit(), 0.0, 0.0];
        let inside = if chart.bounds(&inside)[0][0].abs() <= 1.0 { inside } else { u };
        for v in [u, v, inside] {
            let [lo, hi] = chart.bounds(&v);
            let exact = (big(v[0]) - big(chart.origin[0])) * big(chart.scale);
            assert!(big(lo[0]).at_most(&exact) && exact.at_most(&big(hi[0])), "{u:?} {v:?}");
            let difference = big(v[0]) - big(chart.origin[0]);
            off += usize::from((big(v[0] - chart.origin[0]) - difference).0 != BigInt::ZERO);
        }
    }
    assert!(off > 1000, "{off}: the difference must round for this test to mean anything");
}
