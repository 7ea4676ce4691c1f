//! The first contact of two triangles of which one is shifted, in integers.
//!
//! Triangle q, shifted by t v, meets p if weights, none below 0, have sum a_i p_i - sum b_j q_j = t v and sum
//! a_i = sum b_j = 1. The least t >= 0 is the optimum of a linear programme. Where it is not 0 it is taken by a
//! basic solution: t and weights whose columns are linearly independent. So all sets of two to four weights
//! are tried. There are no cases for corners, edges and faces, nor for degenerate triangles.
use num_bigint::BigInt;

/// A fraction; the denominator is positive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fraction {
    over: i128,
    under: i128,
}

impl Fraction {
    pub(super) fn is_less(&self, other: &Self) -> bool {
        BigInt::from(self.over) * other.under < BigInt::from(other.over) * self.under
    }
    /// Compares a number that is not negative with the fraction.
    pub(super) fn compare(&self, x: f64) -> std::cmp::Ordering {
        let bits = x.to_bits();
        let (field, part) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let (mantissa, exponent) = if field == 0 { (part, -1074) } else { (part | 1 << 52, field - 1075) };
        let (mut left, mut right) = (BigInt::from(mantissa) * self.under, BigInt::from(self.over));
        if exponent < 0 {
            right <<= exponent.unsigned_abs()
        } else {
            left <<= exponent.unsigned_abs()
        }
        left.cmp(&right)
    }
}

/// Corners of a triangle, at most 2^15 in size.
pub(super) type Corners = [[i64; 3]; 3];

/// The unique solution of equations by columns, if there is one: numerators and a common denominator.
fn solve(columns: &[[i128; 5]], right: [i128; 5]) -> Option<(Vec<i128>, i128)> {
    let n = columns.len();
    let mut m: Vec<Vec<i128>> =
        (0..5).map(|r| columns.iter().map(|column| column[r]).chain([right[r]]).collect()).collect();
    // Gauss and Jordan, where each division has no remainder (Bareiss 1968).
    let mut last = 1;
    for c in 0..n {
        let row = (c..5).find(|&r| m[r][c] != 0)?;
        m.swap(c, row);
        let pivot = m[c].clone();
        for (_, row) in m.iter_mut().enumerate().filter(|(r, _)| *r != c) {
            let factor = row[c];
            for k in 0..=n {
                row[k] = (pivot[c] * row[k] - factor * pivot[k]) / last;
            }
        }
        last = pivot[c];
    }
    // All pivots are the last one now.
    m[n..].iter().all(|row| row[n] == 0).then(|| (m[..n].iter().map(|row| row[n]).collect(), last))
}

/// The least t > 0 at which q + t v meets p, for triangles that do not meet at 0.
pub(super) fn first(p: &Corners, q: &Corners, v: &[i64; 3]) -> Option<Fraction> {
    let wide = |x: i64| i128::from(x);
    let origin = p[0];
    let mut columns = Vec::with_capacity(6);
    for corner in p {
        let [x, y, z] = [0, 1, 2].map(|k| wide(corner[k] - origin[k]));
        columns.push([x, y, z, 1, 0]);
    }
    for corner in q {
        let [x, y, z] = [0, 1, 2].map(|k| wide(origin[k] - corner[k]));
        columns.push([x, y, z, 0, 1]);
    }
    let [x, y, z] = v.map(|x| -wide(x));
    let mut best: Option<Fraction> = None;
    for set in 1_u32..64 {
        if set & 7 == 0 || set >> 3 == 0 || set.count_ones() > 4 {
            continue;
        }
        let mut chosen: Vec<[i128; 5]> = (0..6).filter(|k| set >> k & 1 == 1).map(|k| columns[k]).collect();
        chosen.push([x, y, z, 0, 0]);
        let Some((mut all, mut under)) = solve(&chosen, [0, 0, 0, 1, 1]) else { continue };
        if under < 0 {
            (under, all) = (-under, all.into_iter().map(|x| -x).collect());
        }
        if all.iter().any(|x| *x < 0) {
            continue;
        }
        let t = Fraction { over: all[all.len() - 1], under };
        if best.is_none_or(|best| t.is_less(&best)) {
            best = Some(t);
        }
    }
    best
}

/// Shifts whose first contact is easily seen.
#[test]
fn known_first_contacts() {
    let face: Corners = [[0, 0, 0], [6, 0, 0], [0, 6, 0]];
    let found = |q: Corners, v: [i64; 3]| first(&face, &q, &v).map(|t| (t.over as f64) / t.under as f64);
    // A point falls on the face, its edge, its corner, and beside it.
    assert_eq!(found([[1, 1, 7]; 3], [0, 0, -10]), Some(0.7));
    assert_eq!(found([[3, 3, 5]; 3], [0, 0, -10]), Some(0.5));
    assert_eq!(found([[6, 0, 1]; 3], [0, 0, -10]), Some(0.1));
    assert_eq!(found([[4, 4, 5]; 3], [0, 0, -10]), None);
    // In its plane: a point, and a segment that meets a corner first.
    assert_eq!(found([[-3, 1, 0]; 3], [4, 0, 0]), Some(0.75));
    assert_eq!(found([[8, -3, 0], [8, 3, 0], [8, 3, 0]], [-4, 0, 0]), Some(0.5));
    // Two edges that cross, 2 apart; away; and on parallel lines.
    assert_eq!(found([[3, -2, 2], [3, 2, 2], [3, 0, 9]], [0, 0, -8]), Some(0.25));
    assert_eq!(found([[3, -2, 2], [3, 2, 2], [3, 0, 9]], [0, 0, 8]), None);
    assert_eq!(found([[10, 0, 0], [12, 0, 0], [12, 0, 0]], [-8, 0, 0]), Some(0.5));
    assert_eq!(found([[10, 0, 1], [12, 0, 1], [12, 0, 1]], [-8, 0, 0]), None);
}
