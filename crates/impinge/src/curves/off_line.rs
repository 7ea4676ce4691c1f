//! Tests by rounded coordinates that a point is not on a line, and that two segments do not cross.
//!
//! # Errors
//! Each point is given by the nearest f64 of each coordinate. Let u = 2^-53, m the greatest absolute
//! coordinate, and d the greatest difference as it is worked out.
//!
//! 1. A rounded coordinate is off by u m at most. A difference of two of them, rounded, is off by 2 u m + u 2
//!    m = 4 u m, and is at most d in size.
//! 2. So a product of two differences is off by 2 d 4 u m + 16 u^2 m^2 + u d^2, and a difference of two
//!    products by twice that and 2 u d^2 for its own rounding: 16 u m d + 4 u d^2 + 32 u^2 m^2, which is at
//!    most 24 u m d + 32 u^2 m^2, as d is at most 2 m (1 + u).
//! 3. The bound is twice that, for its own rounding and terms of a higher order. Where m is from 1e-120 to
//!    1e120 nothing overflows, and what underflows is less than 2^-1022, far below the second term.
use crate::vector::Vector;

const U: f64 = f64::EPSILON / 2.0;

/// The bound of the module's head; `None` where it is not proved.
fn bound(m: f64, d: f64) -> Option<f64> {
    (1e-120..=1e120).contains(&m).then_some(48.0 * U * m * d + 64.0 * (U * m) * (U * m))
}

fn greatest<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> f64 {
    numbers.into_iter().fold(0.0_f64, |most, x| most.max(x.abs()))
}

fn from(p: Vector, q: Vector) -> Vector {
    [0, 1, 2].map(|k| q[k] - p[k])
}

/// The two axes that a view along the third one shows.
const SEEN: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

fn turn(a: &Vector, b: &Vector, [i, j]: [usize; 2]) -> f64 {
    a[i] * b[j] - a[j] * b[i]
}

/// True if a point is surely not on the line of two others. The point must be in the box of these two (as
/// points between them are, rounded alike): then d is the box's longest side.
pub(super) fn is_off_line(p: Vector, q: Vector, node: Vector) -> bool {
    let (along, to) = (from(p, q), from(p, node));
    bound(greatest([p, q].as_flattened()), greatest(&along))
        .is_some_and(|bound| SEEN.iter().any(|&axes| turn(&along, &to, axes).abs() > bound))
}

/// True if two segments surely do not cross: seen along an axis, one lies on one side of the other's line.
pub(super) fn are_apart([s, t]: [[Vector; 2]; 2]) -> bool {
    are_beside(s, t) || are_beside(t, s)
}

/// True if two points surely lie on one side of the line of two others, seen along an axis.
fn are_beside([p, q]: [Vector; 2], points: [Vector; 2]) -> bool {
    let (along, to) = (from(p, q), points.map(|point| from(p, point)));
    let m = greatest([p, q, points[0], points[1]].as_flattened());
    let d = greatest([along, to[0], to[1]].as_flattened());
    bound(m, d).is_some_and(|bound| {
        SEEN.iter().any(|&axes| {
            let turns = to.map(|to| turn(&along, &to, axes));
            turns.iter().all(|&turn| turn > bound) || turns.iter().all(|&turn| turn < -bound)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on lines between rounded ends, rounded themselves, are never reported off the line; others are.
    #[test]
    fn what_is_on_a_line_is_never_off_it() {
        let mut rng = crate::samples::rng::Rng::new(8);
        let mut off = 0;
        for case in 0..100_000 {
            let far = [0.0, 1.0, 1e6, 1e300][case % 4];
            let near = [1.0, 1e-3, 1e-9][case % 3] * if far > 1e9 { 1e-300 } else { 1.0 };
            let [p, way] = [rng.point(far), rng.point(near)];
            let q = [0, 1, 2].map(|k| p[k] + way[k]);
            // Off by a few roundings more than a node is.
            let s = rng.below(65) as f64 / 64.0;
            let on = [0, 1, 2].map(|k| p[k] + (q[k] - p[k]) * s);
            assert!(!is_off_line(p, q, on), "{p:?} {q:?} {on:?}");
            let beside = [p[0], q[1], q[2]];
            off += usize::from(is_off_line(p, q, beside));
        }
        assert!(off > 40_000, "{off}");
    }
    /// Segments that cross are never reported apart; others are.
    #[test]
    fn segments_that_cross_are_never_apart() {
        let mut rng = crate::samples::rng::Rng::new(9);
        let mut apart = 0;
        for case in 0..100_000 {
            let far = [0.0, 1.0, 1e6, 1e300][case % 4];
            let near = [1.0, 1e-3, 1e-9][case % 3] * if far > 1e9 { 1e-300 } else { 1.0 };
            let [middle, s, t] = [rng.point(far), rng.point(near), rng.point(near)];
            let at = |way: &Vector, by: f64| [0, 1, 2].map(|k| middle[k] + way[k] * by);
            // Also where one only touches the other.
            let from = if rng.one_in(4) { 0.0 } else { -1.0 };
            let [s, t] = [[at(&s, from), at(&s, 1.0)], [at(&t, -1.0), at(&t, 1.0)]];
            assert!(!are_apart([s, t]), "{s:?} {t:?}");
            let beside = t.map(|p| [0, 1, 2].map(|k| p[k] + 3.0 * (s[1][k] - middle[k])));
            apart += usize::from(are_apart([s, beside]));
        }
        assert!(apart > 40_000, "{apart}");
    }
}
