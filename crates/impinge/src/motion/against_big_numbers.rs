//! Tests of the error bounds of motions, with exact values in big integers.
use super::*;
use crate::samples::rng::Rng;
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

/// Two poses. Half of the pairs are rigid.
fn poses(rng: &mut Rng) -> [Pose; 2] {
    let most: &[i64] = if rng.one_in(2) { &[0] } else { &[0, 1, 10, 24, 60] };
    [0, 1].map(|_| pose(rng, most))
}

fn pose(rng: &mut Rng, most: &[i64]) -> Pose {
    let most = *rng.pick(most);
    let mut stretched = rng.rotation();
    // Some rotations are rounded to f32.
    let coarse = most == 0 && rng.one_in(3);
    for row in &mut stretched {
        let s = power(rng.int(-most, most));
        *row = row.map(|x| if coarse { f64::from(x as f32) } else { x * s });
    }
    let t = *rng.pick(&[0.0, 1.0, 1e7, 1e200]);
    let rows = if most == 0 { stretched } else { times(&rng.rotation(), &stretched) };
    Pose::affine(rows, rng.point(t)).expect("finite, and no row is 0")
}

/// A turn. Some are off by 1e-10, far more than any that the library makes, so that terms in it show.
fn turn(rng: &mut Rng) -> Rotation {
    let mut rows = if rng.one_in(4) { *Pose::IDENTITY.rows() } else { rng.rotation() };
    if rng.one_in(3) {
        rows = rows.map(|row| row.map(|x| x + rng.between(-1e-10, 1e-10)));
    }
    Rotation::new(rows)
}

/// The coordinates of a tree.
struct Seen<'a> {
    normalized: &'a NormalizedFrame,
    turn: &'a Rotation,
}
impl Seen<'_> {
    /// T s (x - o) times `by`, of x times `by`; T only if `turned`.
    fn see(&self, x: &[Big; 3], by: &Big, turned: bool) -> [Big; 3] {
        let normalized_mesh: [Big; 3] = std::array::from_fn(|k| {
            (x[k].clone() - big(self.normalized.origin[k]) * by.clone()) * big(self.normalized.scale)
        });
        if turned {
            image(&self.turn.rows.map(|row| row.map(big)), &[0.0; 3].map(big), &normalized_mesh)
        } else {
            normalized_mesh
        }
    }
}

/// Checks the map alone, the map with the rounding of an image, the maps between normalized frames and
/// between turned ones, and their inverses.
#[test]
fn no_bound_of_a_motion_is_exceeded() {
    let mut rng = Rng::new(8);
    let (mut known, mut inverses, mut shorter, mut tightest) = (0, 0, 0, 0);
    for _ in 0..1200 {
        let [from, to] = poses(&mut rng);
        let motion = Motion::between(&from, &to);
        shorter += usize::from(motion.similarity[1] < 1e-13);
        let mut normalized = || {
            let far = *rng.pick(&[0.0, 1.0, 1e7]);
            NormalizedFrame { origin: rng.point(far), scale: power(rng.int(-40, 40)) }
        };
        let (frame_from, frame_to) = (normalized(), normalized());
        let (turn_from, turn_to) = (turn(&mut rng), turn(&mut rng));
        let in_normalized_frames = motion.in_normalized_frames(&frame_from, &frame_to);
        let turned = in_normalized_frames.turned(&turn_from, &turn_to);
        for _ in 0..4 {
            let size = *rng.pick(&[1e-5, 1.0, 1e7]);
            // Half of them near the normalized frame's origin, where a mesh lies.
            let near = if rng.one_in(2) { frame_from.origin } else { [0.0; 3] };
            let v = rng.point(size).map(|x| x * 1e-3);
            let v = std::array::from_fn(|k| near[k] + v[k]);
            let error = motion.error(&v.map(f64::abs));
            if !error.is_finite() {
                continue;
            }
            known += 1;
            let (det, truth) = exact(&from, &to, &v.map(big));
            let one = big(1.0);
            let [seen_from, seen_to] = [(&frame_from, &turn_from), (&frame_to, &turn_to)]
                .map(|(normalized, turn)| Seen { normalized, turn });
            // Compares the image of x / by_x with the exact one, y / by_y.
            let mut check = |what: &str,
                             m: &Motion,
                             (x, by_x): (&[Big; 3], &Big),
                             (y, by_y): (&[Big; 3], &Big)| {
                for (i, want) in y.iter().enumerate() {
                    // Both are multiplied with by_x and by_y.
                    let got = (0..3)
                        .fold(big(m.offset[i]) * by_x.clone(), |s, k| s + big(m.linear[i][k]) * x[k].clone());
                    let bound = (0..3).fold(big(m.offset_error[i]) * by_x.clone().abs(), |s, k| {
                        s + big(m.linear_error) * x[k].clone().abs()
                    });
                    let off = (got * by_y.clone() - want.clone() * by_x.clone()).abs();
                    let bound = bound * by_y.clone().abs();
                    assert!(
                        off.at_most(&bound),
                        "{what}: {from:?} {to:?} {v:?} {frame_from:?} {frame_to:?} {turn_from:?} {turn_to:?}"
                    );
                    tightest += usize::from(!(off * big(20.0)).at_most(&bound));
                }
            };
            let start = v.map(big);
            check("map", &motion, (&start, &one), (&truth, &det));
            let normalized_mesh = (seen_from.see(&start, &one, false), seen_to.see(&truth, &det, false));
            check(
                "normalized",
                &in_normalized_frames,
                (&normalized_mesh.0, &one),
                (&normalized_mesh.1, &det),
            );
            let both = (seen_from.see(&start, &one, true), seen_to.see(&truth, &det, true));
            check("turned", &turned, (&both.0, &one), (&both.1, &det));
            for (what, m, [x, y]) in [
                ("normalized back", &in_normalized_frames, [&normalized_mesh.0, &normalized_mesh.1]),
                ("turned back", &turned, [&both.0, &both.1]),
            ] {
                if let Some(back) = m.inverse() {
                    inverses += 1;
                    check(what, &back, (y, &det), (x, &one));
                }
            }
            let rounded = motion.apply(v);
            for i in 0..3 {
                let off = (big(rounded[i]) * det.clone() - truth[i].clone()).abs();
                assert!(off.at_most(&(big(error) * det.clone().abs())), "image: {from:?} {to:?} {v:?}");
            }
        }
    }
    assert!(
        known > 3000 && inverses > 1000 && shorter > 50 && tightest > 1000,
        "{known} {inverses} {shorter} {tightest}"
    );
}

/// Checks `norm` against the directions that maps stretch most.
#[test]
fn no_length_is_stretched_by_more() {
    let mut rng = Rng::new(88);
    let mut tight = 0;
    for _ in 0..2000 {
        let [from, to] = poses(&mut rng);
        let motion = Motion::between(&from, &to);
        let motion = if rng.one_in(2) { motion.turned(&turn(&mut rng), &turn(&mut rng)) } else { motion };
        let back = motion.inverse();
        for m in [Some(motion), back].into_iter().flatten() {
            let mut v = rng.point(1.0);
            // Towards the direction that is stretched most.
            for _ in 0..40 {
                let w = apply(&transpose(&m.linear), &apply(&m.linear, &v));
                let largest = largest(w.map(f64::abs));
                v = w.map(|x| x / largest);
            }
            let length = |v: &Vector| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            let grown = length(&apply(&m.linear, &v)) / length(&v);
            // NaN where there is no bound.
            assert!(m.norm.is_nan() || grown <= m.norm * (1.0 + 16.0 * UNIT), "{grown} {m:?}");
            tight += usize::from(grown > m.norm * (1.0 - 1e-5));
        }
    }
    assert!(tight > 500, "{tight}");
}

#[test]
fn normalized_bounds_hold_the_exact_coordinate() {
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
        let normalized = NormalizedFrame::new([u[0].min(v[0]), 0.0, 0.0], [u[0].max(v[0]), 0.0, 0.0]);
        let inside = [(u[0] / 2.0 + v[0] / 2.0) * rng.unit(), 0.0, 0.0];
        let inside = if normalized.bounds(&inside)[0][0].abs() <= 1.0 { inside } else { u };
        for v in [u, v, inside] {
            let [lo, hi] = normalized.bounds(&v);
            let exact = (big(v[0]) - big(normalized.origin[0])) * big(normalized.scale);
            assert!(big(lo[0]).at_most(&exact) && exact.at_most(&big(hi[0])), "{u:?} {v:?}");
            let difference = big(v[0]) - big(normalized.origin[0]);
            off += usize::from((big(v[0] - normalized.origin[0]) - difference).0 != BigInt::ZERO);
        }
    }
    assert!(off > 1000, "{off}: the difference must round for this test to mean anything");
}
